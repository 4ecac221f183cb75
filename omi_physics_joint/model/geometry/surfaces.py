# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of shapes with a size, so that they are seen; upright along Z, about the origin."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from math import cos, inf, pi, sin

from ..body import Vector3
from ..shape import Box, Capsule, Cylinder, Plane, Shape, Sphere
from ..solid import Triangle, Triangles

AROUND, RINGS = 24, 8
"""Sides of what is round, and rings of half a ball."""
ENDLESS = 10.0
"""m: half the side that is shown of a plane without end."""
Profile = Sequence[tuple[float, float]]
"""Radius and height from the lowest point to the highest."""


def surface_of(shape: Shape) -> Triangles | None:
    """Return a shape as triangles; None of a mesh, which has its own."""
    if isinstance(shape, Box):
        x, y, z = (0.5 * side for side in shape.size)
        signs = product((-1, 1), repeat=3)
        quads = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
        triangles = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
        points = tuple((sx * x, sy * y, sz * z) for sz, sy, sx in signs)
        return Triangles(points, tuple(triangles))
    if isinstance(shape, Plane):
        x, z = (ENDLESS if s == inf else 0.5 * s for s in (shape.size_x, shape.size_z))
        corners = ((-x, -z, 0.0), (x, -z, 0.0), (x, z, 0.0), (-x, z, 0.0))
        return Triangles(corners, ((0, 1, 2), (0, 2, 3)))
    if isinstance(shape, Sphere):
        return _ends_rounded(shape.radius, shape.radius, 0.0)
    if isinstance(shape, Cylinder):
        low, high, h = shape.radius_bottom, shape.radius_top, 0.5 * shape.height
        return _revolved([(0.0, -h), (low, -h), (high, h), (0.0, h)])
    if isinstance(shape, Capsule):
        return _ends_rounded(shape.radius_bottom, shape.radius_top, 0.5 * shape.height)
    return None


def _ends_rounded(low: float, high: float, h: float) -> Triangles:
    """Return two half balls by their radii, at -h and h on Z, and what is between them."""
    steps = [0.5 * pi * i / RINGS for i in range(RINGS + 1)]
    lower = [(low * sin(a), -h - low * cos(a)) for a in steps]
    upper = [(high * sin(a), h + high * cos(a)) for a in reversed(steps)]
    return _revolved([*lower, *(upper if h else upper[1:])])


def _revolved(profile: Profile) -> Triangles:
    """Return a profile turned about Z; where its radius is zero it has one point."""
    points: list[Vector3] = []
    rings: list[list[int]] = []
    for radius, z in profile:
        count = AROUND if radius > 0.0 else 1
        rings.append(list(range(len(points), len(points) + count)))
        angles = [2.0 * pi * i / AROUND for i in range(count)]
        points += [(radius * cos(a), radius * sin(a), z) for a in angles]
    triangles: list[Triangle] = []
    for low, high in pairwise(rings):
        for i in range(AROUND):
            a, b = low[i % len(low)], low[(i + 1) % len(low)]
            c, d = high[i % len(high)], high[(i + 1) % len(high)]
            triangles += [(a, b, d)] if a != b else []
            triangles += [(a, d, c)] if c != d else []
    return Triangles(tuple(points), tuple(triangles))
