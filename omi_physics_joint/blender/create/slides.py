# SPDX-License-Identifier: GPL-3.0-or-later
"""Along what a new slider slides: out of what holds it, within its frame, or along a rail."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import inf

import numpy as np
from bpy.types import Object
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ..between_bodies.contact import contact_between, surface_of
from ..between_bodies.descendants import seen_once
from ..between_bodies.forms import (
    STEEP,
    FittedBox,
    are_parallel,
    bar_of,
    fitted_box,
    mostly_positive,
    round_shape,
)
from ..joints.authoring import Pair

INSIDE = 0.8
"""Share of a body's room that is looked out of."""
FLUSH = 1e-3
"""Share of half its length that counts as nothing."""
MOST = 32
"""Faces that are counted to tell within from without."""
TRAVEL = 0.25
"""Smallest share of its length along which a sash slides within its frame."""


@dataclass(frozen=True, slots=True)
class _Room:
    """How far a body can go before it meets another one."""

    box: FittedBox
    ahead: dict[tuple[int, float], float]
    """Along each of its axes, forwards (1) and backwards (-1), in m."""
    stopped: set[int]
    """Axes along which it meets that with all of itself, both ways."""
    reached: list[tuple[int, float]]
    """Axes and ways in which it ends at a face of the other one or beyond, within whose solid it
    is."""

    @property
    def blocked(self) -> list[tuple[int, float]]:
        """Axes and ways in which it does."""
        return [one for one, far in self.ahead.items() if far < inf]

    def way(self, axis: int, sign: float) -> Vector:
        """Return a unit vector in the world."""
        return Vector(sign * self.box.ways[:, axis])

    def travel(self, axis: int) -> float:
        """Return how far it goes along an axis from end to end, in m."""
        return self.ahead[axis, 1.0] + self.ahead[axis, -1.0]


def slide_of(pair: Pair) -> tuple[Vector, str] | None:
    """Return along what the moving body of a pair slides, and why; None where nothing tells it."""
    room, rail = _room_of(pair.moving, pair.still), bar_of(pair.still)
    sash = None if room is None or room.reached else _within_frame(room)
    if sash is not None:
        return sash, "Within Frame"
    out = way_out(pair)
    if out is not None:
        return out, "Way Out"
    if rail is not None:
        return mostly_positive(rail.way), "Rail"
    return None if room is None else _beside(room, pair)


def way_out(pair: Pair) -> Vector | None:
    """Return the one axis along which a body can leave another one that is around it.

    A chest of drawers may be a solid block: a drawer leaves it where it has its front.
    """
    room = _room_of(pair.moving, pair.still)
    if room is None:
        return None
    free = [one for one, far in room.ahead.items() if far == inf]
    ways = [room.way(*one) for one in free or room.reached]
    if len(ways) == 2:  # a drawer below a desk without a bottom goes out, not down
        ways = [way for way in ways if abs(way.z) < STEEP] or ways
    if len(ways) == 1 or (len(ways) == 2 and are_parallel(*ways)):
        return ways[0] if len(ways) == 1 else mostly_positive(ways[0])
    return None


def lies_on(pair: Pair) -> bool:
    """Return whether a plate that moves lies on a face of the other body."""
    room = _room_of(pair.moving, pair.still)
    if room is None or not room.box.is_plate():
        return False
    is_against = contact_between(pair.moving, pair.still).area is not None
    return is_against and [axis for axis, _ in room.blocked] == [2]


@seen_once
def _room_of(moving: Object, still: Object) -> _Room | None:
    """Return how far a body can go before it meets the other; None where one has no faces."""
    box, surface = fitted_box(moving), surface_of(still)
    if box is None or surface is None:
        return None
    ahead, stopped, reached = {}, {0, 1, 2}, []
    for axis, sign in product(range(3), (1.0, -1.0)):
        far, spare = [], (1.0 - INSIDE) * float(box.half[axis])
        for corner in product((-INSIDE, INSIDE), repeat=2):
            at = np.insert(np.array(corner), axis, sign * INSIDE)
            start = Vector(box.middle + box.ways @ (at * box.half))
            hit = surface.tree.ray_cast(start, Vector(sign * box.ways[:, axis]))[3]
            far.append(inf if hit is None else hit - spare)
        ahead[axis, sign] = max(min(far), 0.0)
        if max(far) <= FLUSH * box.half[axis]:
            reached.append((axis, sign))
        stopped -= {axis} if max(far) == inf else set()
    is_within = max(ahead.values()) < inf and _is_within(surface.tree, box)
    return _Room(box, ahead, stopped, reached if is_within else [])


def _is_within(tree: BVHTree, box: FittedBox) -> bool:
    """Return whether the middle of a box is in the solid of a surface: what leaves it is odd."""
    place, way = Vector(box.middle), Vector(box.ways[:, 0])
    passed = 0
    while passed < MOST and (hit := tree.ray_cast(place, way)[0]) is not None:
        place, passed = hit + FLUSH * float(box.half[0]) * way, passed + 1
    return passed % 2 == 1


def _within_frame(room: _Room) -> Vector | None:
    """Return along what a sash slides in its frame, or a lift in a shaft, open at a side or not."""
    is_plate = room.box.is_plate()
    if is_plate and {axis for axis, _ in room.blocked} != {0, 1}:
        return None
    axis = max({0, 1} & room.stopped, key=room.travel, default=2)
    is_far = room.travel(axis) >= (TRAVEL if is_plate else 1.0) * 2.0 * room.box.half[axis]
    return mostly_positive(room.way(axis, 1.0)) if is_far and axis < 2 else None


def _beside(room: _Room, pair: Pair) -> tuple[Vector, str] | None:
    """Return how a plate slides that is at one side of another body: along a wall, or in and out.

    Of a drawer often but the front is there. Of what lies on something, and of a wheel beside a
    car, nothing is told.
    """
    if [axis for axis, _ in room.blocked] != [2] or not room.box.is_plate():
        return None
    away, wall = room.way(2, -room.blocked[0][1]), fitted_box(pair.still)
    if abs(away.z) >= STEEP or round_shape(pair.moving) is not None:
        return None
    if lies_on(pair) and wall is not None and wall.is_plate():
        along = [room.way(one, 1.0) for one in (0, 1)]
        return mostly_positive(min(along, key=lambda way: abs(way.z))), "Along Wall"
    return away, "Way Out"
