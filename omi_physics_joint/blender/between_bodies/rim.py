# SPDX-License-Identifier: GPL-3.0-or-later
"""Along which of its four sides a plate lies at another body: a door in its frame, a lid."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from bpy.types import Object
from mathutils import Vector
from mathutils.geometry import box_fit_2d

from .contact import surface_of
from .descendants import seen_once
from .facing import Floats, axes_across
from .forms import axes_of, mostly_positive

THIN = 0.5
"""Largest share of its width that a plate is thick."""
HAND = 6.0
"""How many times longer than wide a plate is at least that turns on another as a hand on a dial."""
NEAR = 0.1
"""Largest share of its width that a gap between a plate and what holds it is."""
SAMPLES = 8
"""Points along a side of which the distance is asked."""
MOST = 0.5
"""Share of them that is near where a side is held."""
UPRIGHT = 0.5
"""Smallest part that is vertical of the direction of a side which is upright."""
AT_SIDE = (0.5, 1.2)
"""Shares of the half width between which an origin is off the middle where it tells a side."""
ROUNDING = 1e-3
"""Share of its length by which one side is longer than another."""
LEFT_OR_BACK = (-1.0, 2.0, 3.0)
"""Of sides that nothing tells apart, the one that looks mostly this way along the plate's own
axes: that on its left, or at its back."""


@dataclass(frozen=True, slots=True)
class HeldSide:
    """A side of a plate at which another body is."""

    place: Vector
    """Its middle, half-way to the other body."""
    along: Vector
    """Unit vector in its direction; about it, what lies on the other body lifts off."""
    out: Vector
    """Unit vector away from the middle of the plate."""
    length: float
    """In m."""
    has_origin: bool
    """Whether the plate's origin is there, rather than in its middle or elsewhere."""
    is_outer: bool
    """Whether the other body ends there too."""
    lift: Vector | None
    """Unit vector from the other body to the plate where it lies on that; None beside it."""


@seen_once
def side_held(plate: Object, other: Object) -> HeldSide | None:
    """Return the side about which a plate turns that another body meets along several sides.

    Of these, an upright one; then that at which the plate's origin is; then, of upright ones, that
    at which the other body ends too; then a longer one; then that on the left, or at the back.
    None where it meets fewer than two, or where a bar lies on a plate, as a hand on a dial.
    """
    sides = _sides(plate, other)
    lengths = sorted(side.length for side in sides)
    if len(sides) < 2:
        return None
    lifts = [side.lift for side in sides if side.lift is not None]
    lies = len(lifts) == len(sides) and _room(other) is not None
    if lies and (len(sides) == 2 or lengths[-1] >= HAND * lengths[0]):
        return None
    left_or_back = plate.matrix_world.to_quaternion() @ Vector(LEFT_OR_BACK)

    def fitness(side: HeldSide) -> tuple[bool, bool, bool, bool, float]:
        is_upright = abs(side.along.z) >= UPRIGHT
        return (
            is_upright,
            side.has_origin,
            is_upright and side.is_outer,
            side.length >= (1.0 - ROUNDING) * lengths[-1],
            side.out.dot(left_or_back),
        )

    best = max(sides, key=fitness)
    if not lifts:
        return best
    return replace(best, along=lifts[0].cross(best.out), lift=lifts[0])


def _room(obj: Object) -> tuple[Floats, Floats, Floats] | None:
    """Return the axes (3, 3), in columns, middle (3,) and half sizes (3,) of a plate's room.

    The last axis is across it. None for what is no plate across an axis of its own or of its
    points.
    """
    surface = surface_of(obj)
    if surface is None:
        return None
    points = np.array(surface.points)
    ways = np.array([tuple(way) for way in axes_of(obj, points)])
    across = ways[int(np.argmin(np.ptp(points @ ways.T, axis=0)))]
    sides = axes_across(across)
    angle = box_fit_2d(((points - points.mean(axis=0)) @ sides).tolist())
    first = sides @ (np.cos(angle), -np.sin(angle))
    fitted = np.stack((first, np.cross(across, first), across), axis=1)
    along = points @ fitted
    low, high = along.min(axis=0), along.max(axis=0)
    half = 0.5 * (high - low)
    is_plate = min(half[:2]) > 0.0 and half[2] <= THIN * min(half[:2])
    return (fitted, fitted @ (0.5 * (low + high)), half) if is_plate else None


def _sides(plate: Object, other: Object) -> list[HeldSide]:
    """Return the sides of a plate that are near another body for most of their length."""
    room, surface = _room(plate), surface_of(other)
    if room is None or surface is None:
        return []
    ways, middle, half = room
    points, width = np.array(surface.points), 2.0 * float(min(half[:2]))
    shares = (np.arange(SAMPLES) + 0.5) / SAMPLES * 2.0 - 1.0
    origin = ((np.array(plate.matrix_world.translation) - middle) @ ways[:, :2]) / half[:2]
    level, lies = ROUNDING * width, 0.0
    if half[2] <= level:  # a sheet has but one layer: on which side of it is the other body?
        heights = (points - middle) @ ways[:, 2]
        lies = float(heights.max() <= level) or -float(heights.min() >= -level)
    found = []
    for axis, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
        along, out = ways[:, 1 - axis], sign * ways[:, axis]
        edge = middle + half[axis] * out
        rows = [edge + layer * half[2] * ways[:, 2] for layer in (0.0, 1.0, -1.0)]
        steps = np.outer(half[1 - axis] * shares, along)
        gaps = [
            float(np.quantile([surface.tree.find_nearest(at)[3] for at in row + steps], MOST))
            for row in rows
        ]
        nearest = min(range(3), key=lambda layer: gaps[layer] > min(gaps) + level)
        if gaps[nearest] > NEAR * width:
            continue
        lift = lies or (0.0, -1.0, 1.0)[nearest]
        there, *_ = surface.tree.find_nearest(rows[nearest])
        found.append(
            HeldSide(
                Vector(rows[nearest]).lerp(there, 0.5),
                mostly_positive(Vector(along)),
                Vector(out),
                2.0 * float(half[1 - axis]),
                bool(AT_SIDE[0] <= sign * origin[axis] and max(abs(origin)) <= AT_SIDE[1]),
                bool(((points - edge) @ out).max() <= NEAR * width),
                Vector(lift * ways[:, 2]) if lift else None,
            )
        )
    return found
