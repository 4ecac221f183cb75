# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to bodies: joints between them with their second frames, colliders and triggers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from bpy.types import Object

from .placed import Lookup, PlacedObject, is_physical, objects_in
from .poses.second_frames import below

PLAIN = ("EMPTY", "MESH")
"""Types of objects that may go along where they are between a collider and its body."""


def going_along(placed: Sequence[PlacedObject], kept: Collection[int]) -> set[int]:
    """Return the nodes that are not kept and belong to bodies that are, with what is between.

    A joint goes where both of its bodies go, and its second frame with it; one that is connected
    to nothing goes where its own body goes, so that this can be said. Muted joints stay.
    """
    bodies = bodies_above(placed)
    lookup = Lookup(placed)
    found: set[int] = set()
    for index, obj in objects_in(placed):
        if bodies[index] not in kept or not is_physical(obj) or is_muted(obj):
            continue
        if obj.omi_physics_joint.is_joint and below(obj) is not None:
            second = lookup.find(below(obj), index)
            if second is None or bodies[second] not in kept:
                continue
            found.update(_up_to(placed, second, kept))
        found.update(_up_to(placed, index, kept))
    return found


def bodies_above(placed: Sequence[PlacedObject]) -> list[int | None]:
    """Return the nearest body of every node in a tree whose parents come first: itself or above."""
    found: list[int | None] = []
    for index, node in enumerate(placed):
        if node.object is not None and node.object.omi_physics_body.is_body:
            found.append(index)
        else:
            found.append(None if node.parent is None else found[node.parent])
    return found


def is_muted(obj: Object) -> bool:
    """Return whether an object is a joint that holds nothing, by the user's own choice."""
    return bool(obj.omi_physics_joint.is_joint and obj.omi_physics_joint.mute)


def _up_to(placed: Sequence[PlacedObject], index: int, kept: Collection[int]) -> Iterator[int]:
    """Yield a node and what is above it, up to what is kept."""
    above: int | None = index
    while above is not None and above not in kept:
        obj = placed[above].object
        if above != index and (obj is None or obj.type not in PLAIN):
            return
        yield above
        above = placed[above].parent
