# SPDX-License-Identifier: GPL-3.0-or-later
"""Along which of its four sides a plate lies at another body: a door in its frame, a lid."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from bpy.types import Object
from mathutils import Vector

from .contact import BodySurface, middle_of, surface_of
from .descendants import joined_now, seen_once
from .facing import Floats, crosses
from .forms import PLATE, STEEP, FittedBox, fitted_box, mostly_positive

LID = 0.75
"""Largest share of its width that a lid is thick: it lies on a body and ends where that does."""
INSET = 0.2
"""The same of what lies amid a face of another body, as a hatch; a turret is thicker."""
HAND = 6.0
"""How many times longer than wide a plate is at least that turns on another as a hand on a dial."""
NEAR = 0.1
"""Largest share of its width that a gap between a plate and what holds it is."""
SAMPLES = 8
"""Points along a side of which the distance is asked."""
MOST = 0.5
"""Share of them that is near where a side is held."""
FACING = 0.9
"""Cosine of the angle to the faces of a plate within which a part of its surface is of them."""
FITTINGS = 0.25
"""Largest share of its surface that sticks out of a plate as a handle or as hinges."""
RISES = 0.25
"""Share of the length of a side by which a body rises there that is the back of a seat."""
AT_SIDE = (0.5, 1.2)
"""Shares of the half width between which an origin is off the middle where it tells a side."""
AT_EDGE = 0.95
"""The same from which on an origin tells more than a handle."""
ROUNDING = 1e-3
"""Share of its length by which one side is longer than another."""
LEFT_OR_BACK = (-1.0, 2.0, 3.0)
"""Of sides that nothing tells apart, the one that looks mostly this way along an object's own
axes: that on its left, or at its back."""


@dataclass(frozen=True, slots=True)
class HeldSide:
    """A side of a plate at which another body is."""

    place: Vector
    """Its middle, half-way to the other body."""
    along: Vector
    """Unit vector in its direction; about it, the plate opens."""
    out: Vector
    """Unit vector away from the middle of the plate."""
    length: float
    """In m."""
    origin: float
    """How far from the middle to there the plate's origin is, 1 at its edge; 0 elsewhere."""
    is_outer: bool
    """Whether the other body ends there too."""
    lift: Vector | None
    """Unit vector from the other body to the plate where it lies on that; None beside it."""
    told: float
    """Positive where hinges are modelled there, or a handle at the other side."""

    @property
    def is_upright(self) -> bool:
        """Whether it is a side, not the upper or lower end of what stands."""
        return bool(abs(self.along.z) >= STEEP)


@seen_once
def side_held(plate: Object, other: Object) -> HeldSide | None:
    """Return the side about which a plate turns that another body meets along several sides.

    Of these, that opposite to its handle, unless its origin is at an upright edge; then an upright
    one; then that at which the origin is; then one past which the other body rises, as the back of
    a seat; then, of upright ones, that at which the other body ends too; then one at which nothing
    else is that is joined now, as the other of two shutters; then a longer one; then that on the
    left, or at the back.
    None where it meets fewer than two, or where a bar lies on a plate, as a hand on a dial.
    """
    sides = _sides(plate, other)
    lengths = sorted(side.length for side in sides)
    if len(sides) < 2:
        return None
    lifts = [side.lift for side in sides if side.lift is not None]
    box = fitted_box(other)
    lies = len(lifts) == len(sides) and box is not None and box.is_plate()
    if lies and (len(sides) == 2 or lengths[-1] >= HAND * lengths[0]):
        return None
    is_hung = any(side.origin >= AT_EDGE and side.is_upright for side in sides)
    left_or_back = plate.matrix_world.to_quaternion() @ Vector(LEFT_OR_BACK)
    beside = joined_now() - {plate, other}

    def fitness(side: HeldSide) -> tuple[float, ...]:
        up = RISES * side.length
        return (
            side.told > 0.0 and not is_hung,
            side.is_upright,
            side.origin >= AT_SIDE[0],
            bool(lifts) and _is_near(other, side.place + up * lifts[0], 0.5 * up),
            side.is_upright and side.is_outer,
            not any(_is_near(one, side.place, NEAR * side.length) for one in beside),
            side.length >= (1.0 - ROUNDING) * lengths[-1],
            side.out.dot(left_or_back),
        )

    best = max(sides, key=fitness)
    if not lifts:
        return replace(best, along=opened(plate, other, best.along, best.out))
    return replace(best, along=lifts[0].cross(best.out), lift=lifts[0])


def opened(plate: Object, other: Object, along: Vector, out: Vector) -> Vector:
    """Return the direction along an edge, where ``out`` points, about which a plate opens.

    To a side of its plane, whichever edge it is: away from the middle of what holds it, as doors
    that are flush with a front. Amid that, a level one goes down, as a flap in a floor, and others
    to the left or back of the other body. What is no plate keeps its direction.
    """
    box = fitted_box(plate)
    if box is None or not box.is_plate():
        return along
    way = Vector(box.ways[:, 2])
    left_or_back = other.matrix_world.to_quaternion() @ Vector(LEFT_OR_BACK)
    away = way.dot(middle_of(plate) - middle_of(other))
    amid = -way.z if abs(way.z) >= STEEP else way.dot(left_or_back)
    sign = away if abs(away) > NEAR * 2.0 * box.half[1] else amid
    return along if sign * along.dot(way.cross(out)) >= 0.0 else -along


def _is_near(body: Object, place: Vector, gap: float) -> bool:
    surface = surface_of(body)
    return surface is not None and bool(surface.tree.find_nearest(place)[3] <= gap)


def _sides(plate: Object, other: Object) -> list[HeldSide]:
    """Return the sides of a plate that are near another body for most of their length."""
    box, own, surface = fitted_box(plate), surface_of(plate), surface_of(other)
    if box is None or own is None or surface is None or not box.is_plate(LID):
        return []
    ways, middle, half = box.ways, box.middle, box.half
    points, width = np.array(surface.points), 2.0 * float(min(half[:2]))
    low, high, told = _slab(own, box)
    shares = (np.arange(SAMPLES) + 0.5) / SAMPLES * 2.0 - 1.0
    origin = ((np.array(plate.matrix_world.translation) - middle) @ ways[:, :2]) / half[:2]
    level, lies = ROUNDING * width, 0.0
    if high - low <= level:  # a sheet has one layer: on which side of it is the other?
        heights = (points - middle) @ ways[:, 2]
        lies = float(heights.max() <= level) or -float(heights.min() >= -level)
    found = []
    for axis, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
        along, out = ways[:, 1 - axis], sign * ways[:, axis]
        edge = middle + half[axis] * out
        layers = (0.5 * (low + high), high, low)
        rows = [edge + layer * ways[:, 2] for layer in layers]
        steps = np.outer(half[1 - axis] * shares, along)
        gaps = [_gap(surface, row + steps) for row in rows]
        nearest = min(range(3), key=lambda layer: gaps[layer] > min(gaps) + level)
        if max(gaps[nearest], _gap(own, rows[0] + steps)) > NEAR * width:
            continue  # or the plate itself is not there, as a frame without a threshold
        lift = lies or (0.0, -1.0, 1.0)[nearest]
        there, *_ = surface.tree.find_nearest(rows[nearest])
        found.append(
            HeldSide(
                Vector(rows[nearest]).lerp(there, 0.5),
                mostly_positive(Vector(along)),
                Vector(out),
                2.0 * float(half[1 - axis]),
                float(sign * origin[axis]) if max(abs(origin)) <= AT_SIDE[1] else 0.0,
                bool(((points - edge) @ out).max() <= NEAR * width),
                Vector(lift * ways[:, 2]) if lift else None,
                float(sign * told[axis]),
            )
        )
    thin, lies = PLATE, all(side.lift is not None for side in found)
    if len(found) > 2 and lies and all(side.is_outer for side in found):
        thin = LID
    elif len(found) > 2 and lies and not any(side.is_outer for side in found):
        thin = INSET
    return found if box.is_plate(thin) else []


def _gap(surface: BodySurface, points: Floats) -> float:
    return float(np.quantile([surface.tree.find_nearest(at)[3] for at in points], MOST))


def _slab(own: BodySurface, box: FittedBox) -> tuple[float, float, list[float]]:
    """Return where a plate ends across itself, in m from the middle of the box around all.

    And along both of its axes, -1 to 1, where it turns by its fittings, which do not count there.
    A handle is where a door opens, so it turns at the other side; hinges are at both ends of
    theirs, with nothing between. Nothing is told by what is near the middle.
    """
    corners = own.corners - box.middle
    normals = crosses(corners)
    areas, across = np.linalg.norm(normals, axis=1), normals @ box.ways[:, 2]
    places = corners.mean(axis=1) @ box.ways
    ends = []
    for sign in (-1.0, 1.0):
        facing = np.flatnonzero(sign * across > FACING * areas)
        order = facing[np.argsort(places[facing, 2])]
        sums = np.cumsum(areas[order])
        half_way = int(np.searchsorted(sums, 0.5 * sums[-1])) if len(order) else 0
        ends.append(places[order[half_way], 2] if len(order) else sign * box.half[2])
    low, high = float(min(ends)), float(max(ends))
    out = np.maximum(low - places[:, 2], places[:, 2] - high) > ROUNDING * box.half[:2].min()
    told = [0.0, 0.0]
    beside = places[out, :2] / box.half[:2]
    is_part = 0.0 < areas[out].sum() <= FITTINGS * areas.sum()  # else the plate is curved
    for axis in (0, 1) if is_part else ():
        along, mean = beside[:, 1 - axis], float(beside[:, axis].mean())
        is_hinge = np.ptp(along) > 1.0 and abs(along).min() > AT_SIDE[0]
        if abs(mean) >= AT_SIDE[0]:
            told[axis] = mean if is_hinge else -mean
    return low, high, told
