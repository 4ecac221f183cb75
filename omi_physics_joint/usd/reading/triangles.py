# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of prims: of meshes as they are, of other shapes as a reader without them draws them.

Points are in the space of the prim, lengths in m, so that the scale of its node counts.
"""

from __future__ import annotations

from itertools import pairwise
from math import isfinite
from typing import TypeGuard

from ...model.body import Vector3
from ...model.geometry.surfaces import surface_of
from ...model.shape import Box, Capsule, Cylinder, Plane, Shape, Sphere
from ...model.solid import Triangles
from .. import table
from ..prim import Prim
from .builder import StageReading

_CAPSULES, _CYLINDERS = ("Capsule", "Capsule_1"), ("Cylinder", "Cylinder_1", "Cone")
ROUND = ("Sphere", *_CAPSULES, *_CYLINDERS)


def triangles_of(reading: StageReading, prim: Prim) -> Triangles | None:
    """Return the triangles of a prim; None where it has none, or they do not fit together."""
    if prim.type == "Mesh":
        return _of_mesh(reading, prim)
    shape = shape_of(reading, prim)
    surface = None if shape is None else surface_of(shape)
    if surface is None:
        return None
    # From along Z to along another axis: the two that follow it go along.
    first = (axis_of(reading, prim) + 1) % 3
    x, y, z = (-first % 3, (1 - first) % 3, (2 - first) % 3)
    points = tuple((point[x], point[y], point[z]) for point in surface.points)
    return Triangles(points, surface.triangles)


def axis_of(reading: StageReading, prim: Prim) -> int:
    """Return the axis of a shape; Z where it has none."""
    return 2 if prim.type == "Sphere" else reading.axis(prim, table.AXIS)


def radii_of(reading: StageReading, prim: Prim) -> tuple[float, float, float]:
    """Return height, radius at the bottom and at the top of a capsule, cylinder or cone, in m."""
    tall = wide = None
    if prim.type in _CAPSULES:
        tall, wide = table.CAPSULE_HEIGHT, table.CAPSULE_RADIUS
    height = reading.number(prim, table.HEIGHT, default=tall)
    if prim.type.endswith("_1"):
        bottom = reading.number(prim, table.RADIUS_BOTTOM, default=wide)
        return height, bottom, reading.number(prim, table.RADIUS_TOP, default=wide)
    radius = reading.number(prim, table.RADIUS, default=wide)
    return height, radius, 0.0 if prim.type == "Cone" else radius


def shape_of(reading: StageReading, prim: Prim) -> Shape | None:
    """Return what is no mesh as a shape along its axis, without its scale; None of all else."""
    if prim.type == "Cube":
        size = reading.number(prim, table.SIZE)
        return Box((size, size, size))
    if prim.type == "Plane":
        width, length = reading.number(prim, table.WIDTH), reading.number(prim, table.PLANE_LENGTH)
        return Plane(width, length) if axis_of(reading, prim) == 2 else Plane(length, width)
    if prim.type == "Sphere":
        return Sphere(reading.number(prim, table.RADIUS))
    if prim.type in _CAPSULES:
        return Capsule(*radii_of(reading, prim))
    return Cylinder(*radii_of(reading, prim)) if prim.type in _CYLINDERS else None


def _of_mesh(reading: StageReading, prim: Prim) -> Triangles | None:
    """Return the faces of a mesh as triangles, counter-clockwise from outside."""
    points = points_of(reading, prim)
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
    fans = tuple((face[0], a, b) for face in faces for a, b in pairwise(face[1:]))
    return Triangles(points, fans) if faces else None


def points_of(reading: StageReading, prim: Prim) -> tuple[Vector3, ...]:
    """Return the points of a prim in m; none where one of them is no point."""
    given = prim.attributes.get(table.POINTS.name, ())
    factor = reading.units.meant(1.0, table.POINTS.unit)
    found: list[Vector3] = []
    for point in given if isinstance(given, tuple) else ():
        if not isinstance(point, tuple) or len(point) != 3 or not isfinite(sum(point)):
            return ()
        x, y, z = point
        found.append((factor * x, factor * y, factor * z))
    return tuple(found)


def _are_whole(numbers: object) -> TypeGuard[tuple[int, ...]]:
    return isinstance(numbers, tuple) and {type(one) for one in numbers} == {int}
