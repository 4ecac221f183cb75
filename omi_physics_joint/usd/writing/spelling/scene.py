# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands beside the nodes: the scene with its gravity, materials, and collision groups."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from math import hypot

from ....model.body import Combine, PhysicsMaterial, Vector3
from ....model.mechanism import Mechanism
from ... import table
from ...names import Paths
from ..draft import Draft, Numbers
from ..losses import Losses

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


def spell_materials(
    mechanism: Mechanism, above: str, paths: Paths, numbers: Numbers, losses: Losses
) -> tuple[list[Draft], dict[int, str]]:
    """Return the materials, first what they stand in, and their paths by number."""
    if not mechanism.physics_materials:
        return [], {}
    scope = Draft(paths.take(above, table.MATERIALS, ""), numbers, SCOPE)
    drafts, found = [scope], {}
    for index, material in enumerate(mechanism.physics_materials):
        draft = Draft(paths.take(scope.path, material.name, "Material"), numbers, "Material")
        draft.label = material.name
        _spell_material(draft, material, losses)
        drafts.append(draft)
        found[index] = draft.path
    return drafts, found


def bind(draft: Draft, material: str) -> None:
    """Bind a material to a collider, for physics alone."""
    draft.apply(table.BINDING_API)
    draft.aim(table.BINDING, (material,))


def spell_groups(
    mechanism: Mechanism,
    members: Mapping[int, Sequence[str]],
    paired: Container[int],
    above: str,
    paths: Paths,
    numbers: Numbers,
) -> list[Draft]:
    """Return a collision group for each filter, with what it does not meet.

    A filter that names what it meets is an inverted group: that meets nothing else.
    """
    every = enumerate(mechanism.collision_filters)
    filters = {index: one for index, one in every if index not in paired}
    if not filters:
        return []
    scope = Draft(paths.take(above, table.GROUPS, ""), numbers, SCOPE)
    drafts = [scope]
    for one in filters.values():
        name = one.name or "_".join(one.collision_systems)
        draft = Draft(paths.take(scope.path, name, "Group"), numbers, table.GROUP)
        draft.label = name
        drafts.append(draft)
    for (index, one), draft in zip(filters.items(), drafts[1:], strict=True):
        draft.apply(table.COLLIDERS_API)
        if members.get(index):
            draft.aim(table.INCLUDES, members[index])
        meets = one.collide_with_systems is not None
        # Also where it is not: without a value, what pxr says of it is left to chance.
        draft.insist(table.INVERTED, meets)
        named = set(one.collide_with_systems or one.not_collide_with_systems or ())
        others = [
            other.path
            for other, its in zip(drafts[1:], filters.values(), strict=True)
            if named.intersection(its.collision_systems)
        ]
        if others:
            draft.aim(table.FILTERED_GROUPS, others)
    return drafts


def _spell_material(draft: Draft, material: PhysicsMaterial, losses: Losses) -> None:
    draft.apply(table.MATERIAL_API)
    draft.insist(table.STATIC_FRICTION, material.static_friction)
    draft.insist(table.DYNAMIC_FRICTION, material.dynamic_friction)
    draft.insist(table.RESTITUTION, material.restitution)
    modes = (
        (table.FRICTION_COMBINE, material.friction_combine),
        (table.RESTITUTION_COMBINE, material.restitution_combine),
    )
    for attribute, mode in modes:
        if mode is not Combine.AVERAGE:
            draft.apply(table.PHYSX_MATERIAL_API)
            draft.say(attribute, table.COMBINE_WORDS[mode.value])
            losses.note("usd-combine")
