# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision filters that are filtered pairs: those of systems called as what alone is in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....model.body import CollisionFilter
from ... import table
from ...prim import above
from ..draft import Writing

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
