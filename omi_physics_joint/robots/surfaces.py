# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of shapes with a size, so that they are seen; upright along Z, about the origin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, product
from math import cos, inf, pi, sin

from ..files.inputs import spend
from ..model.body import Vector3
from ..model.contents import Triangle
from ..model.geometry.transform import ONE, cross, dot, minus, plus, times
from ..model.shape import Box, Capsule, Cylinder, Plane, Shape, Sphere
from .robot import Surface
from .turning import unit

AROUND, RINGS = 24, 8
"""Sides of what is round, and rings of half a ball."""
ENDLESS = 10.0
"""m: half the side that is shown of a plane without end."""
FLAT = 1e-5
"""Distance from a plane, as a part of the size, up to which a surface lies in it."""
THIN = 0.001
"""m: thickness of what is flat and has to have a volume."""
Profile = Sequence[tuple[float, float]]
"""Radius and height from the lowest point to the highest."""


@lru_cache(128)
def surface_of(shape: Shape) -> Surface | None:
    """Return a shape as triangles, equal ones as the same; None of a mesh, which has its own."""
    if isinstance(shape, Box):
        x, y, z = (0.5 * side for side in shape.size)
        signs = product((-1, 1), repeat=3)
        quads = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
        triangles = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
        points = tuple((sx * x, sy * y, sz * z) for sz, sy, sx in signs)
        return Surface("box", points, tuple(triangles))
    if isinstance(shape, Plane):
        x, z = (ENDLESS if s == inf else 0.5 * s for s in (shape.size_x, shape.size_z))
        corners = ((-x, -z, 0.0), (x, -z, 0.0), (x, z, 0.0), (-x, z, 0.0))
        return Surface("plane", corners, ((0, 1, 2), (0, 2, 3)))
    if isinstance(shape, Sphere):
        return _ends_rounded("sphere", shape.radius, shape.radius, 0.0)
    if isinstance(shape, Cylinder):
        low, high, h = shape.radius_bottom, shape.radius_top, 0.5 * shape.height
        return _revolved("cylinder", [(0.0, -h), (low, -h), (high, h), (0.0, h)])
    if isinstance(shape, Capsule):
        low, high = shape.radius_bottom, shape.radius_top
        return _ends_rounded("capsule", low, high, 0.5 * shape.height)
    return None


def ellipsoid(radii: Vector3) -> Surface:
    """Return an ellipsoid by its three radii in m."""
    ball = surface_of(Sphere(1.0))
    assert ball is not None
    return resized(replace(ball, name="ellipsoid"), radii)


def resized(surface: Surface, scale: Vector3) -> Surface:
    """Return a surface with other sizes."""
    if scale == ONE:
        return surface
    spend("triangles", len(surface.triangles))
    a, b, c = scale
    points = tuple((x * a, y * b, z * c) for x, y, z in surface.points)
    return Surface(surface.name, points, outward(surface.triangles, a * b * c))


def outward(triangles: tuple[Triangle, ...], factor: float) -> tuple[Triangle, ...]:
    """Return triangles of points that were moved so that volumes are times a factor.

    What mirrors turns them inside out: they are turned back.
    """
    return tuple((i, k, j) for i, j, k in triangles) if factor < 0.0 else triangles


def is_flat(surface: Surface) -> bool:
    """Return whether all points of triangles lie in one plane, or as good as."""
    normal, size = _normal(surface)
    first = surface.points[surface.triangles[0][0]]
    return all(abs(dot(minus(p, first), normal)) <= FLAT * size for p in surface.points)


def thickened(surface: Surface) -> Surface:
    """Return a flat surface as a thin plate around it, since a hull needs a volume."""
    normal, _ = _normal(surface)
    half = times(normal, 0.5 * THIN)
    count = len(surface.points)
    points = [plus(p, half) for p in surface.points] + [minus(p, half) for p in surface.points]
    other = tuple((count + a, count + c, count + b) for a, b, c in surface.triangles)
    return Surface(f"{surface.name} plate", tuple(points), (*surface.triangles, *other))


def _normal(surface: Surface) -> tuple[Vector3, float]:
    """Return the normal of the largest triangle, and the size of a surface in m."""

    def area(triangle: tuple[int, int, int]) -> Vector3:
        a, b, c = (surface.points[corner] for corner in triangle)
        return cross(minus(b, a), minus(c, a))

    largest = max(map(area, surface.triangles), key=lambda v: dot(v, v))
    first = surface.points[0]
    size = max(max(map(abs, minus(p, first))) for p in surface.points)
    return unit(largest), size


def _ends_rounded(name: str, low: float, high: float, h: float) -> Surface:
    """Return two half balls by their radii, at -h and h on Z, and what is between them."""
    steps = [0.5 * pi * i / RINGS for i in range(RINGS + 1)]
    lower = [(low * sin(a), -h - low * cos(a)) for a in steps]
    upper = [(high * sin(a), h + high * cos(a)) for a in reversed(steps)]
    return _revolved(name, [*lower, *(upper if h else upper[1:])])


def _revolved(name: str, profile: Profile) -> Surface:
    """Return a profile turned about Z; where its radius is zero it has one point."""
    points: list[Vector3] = []
    rings: list[list[int]] = []
    for radius, z in profile:
        count = AROUND if radius > 0.0 else 1
        rings.append(list(range(len(points), len(points) + count)))
        angles = [2.0 * pi * i / AROUND for i in range(count)]
        points += [(radius * cos(a), radius * sin(a), z) for a in angles]
    triangles: list[tuple[int, int, int]] = []
    for low, high in pairwise(rings):
        for i in range(AROUND):
            a, b = low[i % len(low)], low[(i + 1) % len(low)]
            c, d = high[i % len(high)], high[(i + 1) % len(high)]
            triangles += [(a, b, d)] if a != b else []
            triangles += [(a, d, c)] if c != d else []
    spend("triangles", len(triangles))
    return Surface(name, tuple(points), tuple(triangles))
