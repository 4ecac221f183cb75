# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands beside the nodes: the scene with its gravity, materials, and collision groups."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from math import hypot

from ....model.body import GRIP, Combine, Vector3
from ... import table
from ..draft import Draft, Writing

SCOPE = "Scope"


def spell_gravity(draft: Draft, gravity: Vector3 | None) -> None:
    """Make a prim a scene; without a gravity of its own it has that of the Earth."""
    draft.type = table.SCENE
    if gravity is None:
        return
    strength = hypot(*gravity)
    draft.say(table.GRAVITY_MAGNITUDE, strength)
    if strength > 0.0:
        x, y, z = gravity
        draft.say(table.GRAVITY_DIRECTION, (x / strength, y / strength, z / strength))


def spell_materials(writing: Writing, scene: Draft) -> None:
    """Spell the materials, first what they stand in; what says none has that of the scene."""
    mechanism = writing.mechanism
    materials = [*mechanism.physics_materials]
    colliders = (node.collider for node in mechanism.nodes if node.collider is not None)
    if any(one.physics_material is None for one in colliders):
        materials.append(replace(GRIP, name="Default"))
    if not materials:
        return
    scope = writing.new(writing.layout.root, table.MATERIALS, kind=SCOPE).path
    for index, one in enumerate(materials):
        draft = writing.new(scope, one.name, "Material", "Material", label=one.name)
        writing.materials[index] = draft.path
        if index == len(mechanism.physics_materials):
            bind(scene, draft.path)
        draft.apply(table.MATERIAL_API)
        draft.insist(table.STATIC_FRICTION, one.static_friction)
        draft.insist(table.DYNAMIC_FRICTION, one.dynamic_friction)
        draft.insist(table.RESTITUTION, one.restitution)
        modes = {
            table.FRICTION_COMBINE: one.friction_combine,
            table.RESTITUTION_COMBINE: one.restitution_combine,
        }
        for attribute, mode in modes.items():
            if mode is not Combine.AVERAGE:
                draft.apply(table.PHYSX_MATERIAL_API)
                draft.say(attribute, table.COMBINE_WORDS[mode.value])
                writing.note("usd-combine")


def bind(draft: Draft, material: str) -> None:
    """Bind a material to a collider, for physics alone."""
    draft.apply(table.BINDING_API)
    draft.aim(table.BINDING, (material,))


def spell_groups(writing: Writing, paired: Container[int]) -> None:
    """Spell a collision group for each filter that is not paired, with what it does not meet.

    A filter that names what it meets is an inverted group: that meets nothing else.
    """
    every = enumerate(writing.mechanism.collision_filters)
    filters = {index: one for index, one in every if index not in paired}
    if not filters:
        return
    scope = writing.new(writing.layout.root, table.GROUPS, kind=SCOPE).path
    drafts: dict[int, Draft] = {}
    for index, one in filters.items():
        name = one.name or "_".join(one.collision_systems)
        drafts[index] = writing.new(scope, name, "Group", table.GROUP, label=name)
    for index, one in filters.items():
        draft = drafts[index]
        draft.apply(table.COLLIDERS_API)
        if index in writing.members:
            draft.aim(table.INCLUDES, writing.members[index])
        # Also where it is not: without a value, what pxr says of it is left to chance.
        draft.insist(table.INVERTED, one.collide_with_systems is not None)
        named = set(one.collide_with_systems or one.not_collide_with_systems or ())
        others = [i for i, other in filters.items() if named.intersection(other.collision_systems)]
        if others:
            draft.aim(table.FILTERED_GROUPS, [drafts[other].path for other in others])
