# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of prims: of meshes as they are, of other shapes as a reader without them draws them.

Points are in the space of the prim, lengths in m, so that the scale of its node counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, isfinite, pi, sin
from typing import TypeGuard

from ..model.body import Vector3
from ..model.contents import Triangle, Triangles
from .prim import Prim
from .table import (
    AXIS,
    CAPSULE_HEIGHT,
    CAPSULE_RADIUS,
    CORNERS,
    COUNTS,
    HEIGHT,
    PLANE_LENGTH,
    POINTS,
    RADIUS,
    RADIUS_BOTTOM,
    RADIUS_TOP,
    SIZE,
    WIDTH,
)
from .values import Values

AROUND = 24
"""Corners of what is round."""
ARC = 6
"""Rings of a quarter of a circle."""
AXIS_OF = {"X": 0, "Y": 1, "Z": 2}
CUBE = ((1, 3, 2, 0), (6, 7, 5, 4), (4, 5, 1, 0), (3, 7, 6, 2), (2, 6, 4, 0), (5, 7, 3, 1))
"""Corners of the faces; the bits of a corner are the sides in X, Y and Z that it is on."""
_CAPSULES, _CYLINDERS = ("Capsule", "Capsule_1"), ("Cylinder", "Cylinder_1", "Cone")


def triangles_of(values: Values, prim: Prim) -> Triangles | None:
    """Return the triangles of a prim; None where it has none, or they do not fit together."""
    if prim.type == "Mesh":
        return _of_mesh(values, prim)
    if prim.type == "Cube":
        half = 0.5 * values.number(prim, SIZE)
        points = [_corner(half, which) for which in range(8)]
        return Triangles(tuple(points), _fans(CUBE))
    if prim.type == "Plane":
        return _of_plane(values, prim)
    outline = outline_of(values, prim)
    return None if outline is None else _revolved(outline, AXIS_OF.get(axis_of(values, prim), 2))


def axis_of(values: Values, prim: Prim) -> str:
    """Return the axis of a shape that has one."""
    return values.token(prim, AXIS) if prim.type != "Sphere" else "Z"


def radii_of(values: Values, prim: Prim) -> tuple[float, float, float]:
    """Return height, radius at the bottom and at the top of a capsule, cylinder or cone, in m."""
    is_capsule = prim.type in _CAPSULES
    tall = CAPSULE_HEIGHT if is_capsule else None
    wide = CAPSULE_RADIUS if is_capsule else None
    height = values.number(prim, HEIGHT, default=tall)
    if prim.type.endswith("_1"):
        bottom = values.number(prim, RADIUS_BOTTOM, default=wide)
        return height, bottom, values.number(prim, RADIUS_TOP, default=wide)
    radius = values.number(prim, RADIUS, default=wide)
    return height, radius, 0.0 if prim.type == "Cone" else radius


def outline_of(values: Values, prim: Prim) -> list[tuple[float, float]] | None:
    """Return heights and radii of a solid of revolution, from below; None where it is none."""
    if prim.type == "Sphere":
        return _ball(values.number(prim, RADIUS), 0.0, -1.0, 1.0)
    if prim.type in _CAPSULES:
        height, low, high = radii_of(values, prim)
        end = 0.5 * height
        return [*_ball(low, -end, -1.0, 0.0), *_ball(high, end, 0.0, 1.0)]
    if prim.type in _CYLINDERS:
        height, low, high = radii_of(values, prim)
        end = 0.5 * height
        return [(-end, 0.0), (-end, low), (end, high), (end, 0.0)]
    return None


def _ball(radius: float, height: float, low: float, high: float) -> list[tuple[float, float]]:
    """Return a part of a circle, from and to in quarters of a turn above the equator."""
    count = round((high - low) * ARC)
    angles = [0.5 * pi * (low + (high - low) * step / count) for step in range(count + 1)]
    return [(height + radius * sin(angle), radius * abs(cos(angle))) for angle in angles]


def _revolved(outline: Sequence[tuple[float, float]], axis: int) -> Triangles:
    """Return the surface of a solid of revolution about an axis."""
    turns = [2.0 * pi * step / AROUND for step in range(AROUND)]
    points = [
        _along(axis, height, radius * cos(turn), radius * sin(turn))
        for height, radius in outline
        for turn in turns
    ]
    faces = []
    for below, over in pairwise(range(0, len(points), AROUND)):
        for step in range(AROUND):
            after = (step + 1) % AROUND
            faces.append((below + step, below + after, over + after, over + step))
    return Triangles(tuple(points), _sound(points, _fans(faces)))


def _sound(points: Sequence[Vector3], triangles: Sequence[Triangle]) -> tuple[Triangle, ...]:
    """Return the triangles of three different points: at poles all points are one."""
    return tuple(
        one for one in triangles if len({tuple(round(x, 12) for x in points[i]) for i in one}) == 3
    )


def _along(axis: int, height: float, first: float, second: float) -> Vector3:
    """Return a point from its place along an axis, and along the two that follow it."""
    point = [0.0, 0.0, 0.0]
    point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3] = height, first, second
    return (point[0], point[1], point[2])


def _corner(half: float, which: int) -> Vector3:
    x, y, z = (half if which & bit else -half for bit in (4, 2, 1))
    return (x, y, z)


def _of_plane(values: Values, prim: Prim) -> Triangles:
    axis = AXIS_OF.get(values.token(prim, AXIS), 2)
    width, length = values.number(prim, WIDTH), values.number(prim, PLANE_LENGTH)
    first, second = (width, length) if axis == 2 else (length, width)
    sides = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    points = tuple(_along(axis, 0.0, 0.5 * first * u, 0.5 * second * v) for u, v in sides)
    return Triangles(points, ((0, 1, 2), (0, 2, 3)))


def _of_mesh(values: Values, prim: Prim) -> Triangles | None:
    """Return the faces of a mesh as triangles, counter-clockwise from outside."""
    points = points_of(values, prim)
    counts, corners = prim.attributes.get(COUNTS.name), prim.attributes.get(CORNERS.name)
    if not points or not _are_whole(counts) or not _are_whole(corners):
        return None
    if min(counts) < 0 or sum(counts) != len(corners):
        return None
    if min(corners) < 0 or max(corners) >= len(points):
        return None
    holes = prim.attributes.get("holeIndices", ())
    left_out = set(holes) if isinstance(holes, tuple) else set()
    step = -1 if prim.attributes.get("orientation") == "leftHanded" else 1
    faces, start = [], 0
    for index, count in enumerate(counts):
        if count > 2 and index not in left_out:
            faces.append(corners[start : start + count][::step])
        start += count
    return Triangles(points, _fans(faces)) if faces else None


def points_of(values: Values, prim: Prim) -> tuple[Vector3, ...]:
    """Return the points of a prim in m; none where one of them is no point."""
    given = prim.attributes.get(POINTS.name, ())
    factor = values.units.meant(1.0, POINTS.unit)
    found: list[Vector3] = []
    for point in given if isinstance(given, tuple) else ():
        if not isinstance(point, tuple) or len(point) != 3 or not isfinite(sum(point)):
            return ()
        x, y, z = point
        found.append((factor * x, factor * y, factor * z))
    return tuple(found)


def _are_whole(numbers: object) -> TypeGuard[tuple[int, ...]]:
    return (
        isinstance(numbers, tuple)
        and bool(numbers)
        and all(isinstance(one, int) and not isinstance(one, bool) for one in numbers)
    )


def _fans(faces: Sequence[Sequence[int]]) -> tuple[Triangle, ...]:
    """Return the triangles of faces, each a fan about its first corner."""
    return tuple((face[0], a, b) for face in faces for a, b in pairwise(face[1:]))
