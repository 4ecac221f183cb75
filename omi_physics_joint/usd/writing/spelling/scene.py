# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands beside the nodes: the scene with its gravity, materials, and collision groups.

Filters of systems that are called as what alone is in them are filtered pairs. Where trees of
joints begin is said here too.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from math import hypot

from ....model.articulation.joints import Articulation, JointType
from ....model.body import GRIP, ZERO, CollisionFilter, Combine, Vector3
from ... import table
from ...prim import OVER, above
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


OF_PAIRS = frozenset((table.BODY_API, table.COLLISION_API))
"""Schemas of prims that a pair can be of."""


def spell_pairs(writing: Writing) -> set[int]:
    """Spell what can be said as pairs of prims, and return the filters that this was all of."""
    filters = writing.mechanism.collision_filters
    if any(one.collide_with_systems is not None for one in filters):
        return set()  # what is in no group would meet what is in one that is inverted
    drafts = {draft.path: draft for draft in writing.drafts}
    found: dict[int, str] = {}
    for index, one in enumerate(filters):
        prim = _prim_of(one, set(writing.members.get(index, ())), writing.colliders)
        schemas = set(drafts[prim].schemas) if prim in drafts else set()
        # A pair of what has a root is one of all that the articulation connects.
        if OF_PAIRS & schemas and table.ROOT_API not in schemas and _is_alone(index, filters):
            found[index] = prim
    while wrong := [one for one in found if not _is_closed(one, found, filters)]:
        for index in wrong:
            del found[index]
    number = {filters[index].collision_systems[0]: index for index in found}
    said: set[tuple[int, int]] = set()
    for index, path in found.items():
        others = [number[name] for name in filters[index].not_collide_with_systems or ()]
        new = [other for other in others if (other, index) not in said]
        said |= {(index, other) for other in new}
        if new:
            drafts[path].apply(table.PAIRS_API)
            drafts[path].aim(table.PAIRS, [found[other] for other in new])
    return set(found)


def spell_joined(writing: Writing) -> None:
    """Spell that colliders of a body do not meet those of a still one that it is joined to.

    A joint says it to readers of bodies that move alone: to them what stands still is the world.
    """
    mechanism = writing.mechanism
    for index, _, joint in mechanism.all_joints():
        if index not in writing.joints or joint.enable_collision or joint.keys or not joint.enabled:
            continue
        ends = [mechanism.body_of(one) for one in (index, joint.connected_node)]
        still = [body for body in ends if body is not None and not mechanism.nodes[body].moves]
        moving = [body for body in ends if body is not None and body not in still]
        others = tuple(draft.path for body in still for draft in writing.solids.get(body, ()))
        for draft in (one for body in moving for one in writing.solids.get(body, ())):
            if others:
                draft.apply(table.PAIRS_API)
                draft.aim(table.PAIRS, (*draft.targets.get(table.PAIRS, ()), *others))


def _prim_of(one: CollisionFilter, own: set[str], every: Sequence[str]) -> str:
    """Return the prim of the name of a system that all of its colliders, and no others, are in."""
    if not own or len(one.collision_systems) != 1:
        return ""
    name = one.collision_systems[0]
    path = next((path for path in above(min(own)) if path.rpartition("/")[2] == name), "")
    return path if {collider for collider in every if path in above(collider)} == own else ""


def _is_alone(index: int, filters: Sequence[CollisionFilter]) -> bool:
    name = filters[index].collision_systems[0]
    return all(name not in one.collision_systems for i, one in enumerate(filters) if i != index)


def _is_closed(index: int, found: Mapping[int, str], filters: Sequence[CollisionFilter]) -> bool:
    """Return whether a filter and pairs alone refuse each other, and there are any."""
    name = filters[index].collision_systems[0]
    names = {filters[other].collision_systems[0] for other in found}
    named = [set(one.not_collide_with_systems or ()) for one in filters]
    refusing = {other for other, refused in enumerate(named) if name in refused}
    closed = named[index] <= names - {name} and refusing <= found.keys()
    return closed and bool(named[index] or refusing)


def spell_roots(writing: Writing) -> None:
    """Mark where trees begin: their first body, or what fixes it to the world.

    PhysX fixes the body of any joint to the world that is marked. A single joint to the world is no
    tree: pxr's parser (25.8 to 26.11) finds no body in it then.
    No root may stand in another; where one would, what everything stands in is marked instead, and
    readers look for roots in it. By coordinates PhysX begins joints at zero, bodies at rest, and
    locks what slides beside turning: a tree that has more than that is none to PhysX.
    """
    found: list[tuple[Draft, bool]] = []
    for tree in writing.trees:
        first = tree.joints[0]
        if not any(joint.node in writing.joints for joint in tree.stored_joints()):
            continue
        if first.node is not None and (first.node not in writing.joints or len(tree.joints) == 1):
            continue
        if first.node is not None and first.type is JointType.FIXED:
            found.append((writing.joints[first.node], _is_simple(writing, tree)))
        else:
            found.append((writing.nodes[first.child], _is_simple(writing, tree)))
    paths = {draft.path for draft, _ in found}
    if any(paths.intersection(above(draft.path)) != {draft.path} for draft, _ in found):
        found = [(writing.drafts[0], all(is_simple for _, is_simple in found))]
    for draft, is_simple in found:
        draft.apply(table.ROOT_API)
        if not is_simple and draft.specifier != OVER:
            draft.apply(table.PHYSX_ARTICULATION_API)
            draft.say(table.ARTICULATED, False)


def _is_simple(writing: Writing, tree: Articulation) -> bool:
    """Return whether PhysX moves a tree by its coordinates as each joint by itself."""
    motions = [writing.mechanism.nodes[body].motion for body in tree.bodies]
    return all(
        joint.node is None or joint.node in writing.simple_joints for joint in tree.joints
    ) and all(
        motion is None or motion.linear_velocity == ZERO == motion.angular_velocity
        for motion in motions
    )
