# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of prims: of meshes as they are, of other shapes as a reader without them draws them.

Points are in the space of the prim, lengths in m, so that the scale of its node counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from math import cos, isfinite, pi, sin
from typing import TypeGuard

from ...model.body import Vector3
from ...model.contents import Triangle, Triangles
from .. import table
from ..prim import Prim
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
        half = 0.5 * values.number(prim, table.SIZE)
        sides = (-half, half)
        return Triangles(tuple(product(sides, sides, sides)), _fans(CUBE))
    if prim.type == "Plane":
        return _of_plane(values, prim)
    outline = _outline_of(values, prim)
    return None if outline is None else _revolved(outline, axis_of(values, prim))


def axis_of(values: Values, prim: Prim) -> int:
    """Return the axis of a shape; Z where it has none."""
    return 2 if prim.type == "Sphere" else AXIS_OF.get(values.token(prim, table.AXIS), 2)


def radii_of(values: Values, prim: Prim) -> tuple[float, float, float]:
    """Return height, radius at the bottom and at the top of a capsule, cylinder or cone, in m."""
    tall = wide = None
    if prim.type in _CAPSULES:
        tall, wide = table.CAPSULE_HEIGHT, table.CAPSULE_RADIUS
    height = values.number(prim, table.HEIGHT, default=tall)
    if prim.type.endswith("_1"):
        bottom = values.number(prim, table.RADIUS_BOTTOM, default=wide)
        return height, bottom, values.number(prim, table.RADIUS_TOP, default=wide)
    radius = values.number(prim, table.RADIUS, default=wide)
    return height, radius, 0.0 if prim.type == "Cone" else radius


def _outline_of(values: Values, prim: Prim) -> list[tuple[float, float]] | None:
    """Return heights and radii of a solid of revolution, from below; None where it is none."""
    if prim.type == "Sphere":
        return _ball(values.number(prim, table.RADIUS), 0.0, -1.0, 1.0)
    if prim.type not in (*_CAPSULES, *_CYLINDERS):
        return None
    height, low, high = radii_of(values, prim)
    end = 0.5 * height
    if prim.type in _CAPSULES:
        return [*_ball(low, -end, -1.0, 0.0), *_ball(high, end, 0.0, 1.0)]
    return [(-end, 0.0), (-end, low), (end, high), (end, 0.0)]


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
    # Triangles of three different points alone: at poles all points are one.
    rounded = [tuple(round(x, 12) for x in point) for point in points]
    sound = (one for one in _fans(faces) if len({rounded[i] for i in one}) == 3)
    return Triangles(tuple(points), tuple(sound))


def _along(axis: int, height: float, first: float, second: float) -> Vector3:
    """Return a point from its place along an axis, and along the two that follow it."""
    point = [0.0, 0.0, 0.0]
    point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3] = height, first, second
    return (point[0], point[1], point[2])


def _of_plane(values: Values, prim: Prim) -> Triangles:
    axis = axis_of(values, prim)
    width, length = values.number(prim, table.WIDTH), values.number(prim, table.PLANE_LENGTH)
    first, second = (width, length) if axis == 2 else (length, width)
    sides = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    points = tuple(_along(axis, 0.0, 0.5 * first * u, 0.5 * second * v) for u, v in sides)
    return Triangles(points, ((0, 1, 2), (0, 2, 3)))


def _of_mesh(values: Values, prim: Prim) -> Triangles | None:
    """Return the faces of a mesh as triangles, counter-clockwise from outside."""
    points = points_of(values, prim)
    counts, corners = (
        prim.attributes.get(table.COUNTS.name),
        prim.attributes.get(table.CORNERS.name),
    )
    if not points or not _are_whole(counts) or not _are_whole(corners):
        return None
    if min(counts) < 0 or min(corners) < 0 or max(corners) >= len(points):
        return None
    if sum(counts) != len(corners):
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
    given = prim.attributes.get(table.POINTS.name, ())
    factor = values.units.meant(1.0, table.POINTS.unit)
    found: list[Vector3] = []
    for point in given if isinstance(given, tuple) else ():
        if not isinstance(point, tuple) or len(point) != 3 or not isfinite(sum(point)):
            return ()
        x, y, z = point
        found.append((factor * x, factor * y, factor * z))
    return tuple(found)


def _are_whole(numbers: object) -> TypeGuard[tuple[int, ...]]:
    return isinstance(numbers, tuple) and {type(one) for one in numbers} == {int}


def _fans(faces: Sequence[Sequence[int]]) -> tuple[Triangle, ...]:
    """Return the triangles of faces, each a fan about its first corner."""
    return tuple((face[0], a, b) for face in faces for a, b in pairwise(face[1:]))
