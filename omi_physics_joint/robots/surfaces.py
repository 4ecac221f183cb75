# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of robots: of shapes with a size, so that they are seen, and what is made of others."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ..files.inputs import spend
from ..model.body import Vector3
from ..model.geometry import surfaces
from ..model.geometry.transform import ONE, cross, dot, minus, plus, times
from ..model.shape import Shape, Sphere, type_of
from ..model.solid import Triangle
from .robot import Surface
from .turning import unit

FLAT = 1e-5
"""Distance from a plane, as a part of the size, up to which a surface lies in it."""
THIN = 0.001
"""m: thickness of what is flat and has to have a volume."""


@lru_cache(128)
def surface_of(shape: Shape) -> Surface | None:
    """Return a shape as triangles, equal ones as the same; None of a mesh, which has its own."""
    found = surfaces.surface_of(shape)
    if found is None:
        return None
    spend("triangles", len(found.triangles))
    return Surface(type_of(shape), found.points, found.triangles)


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

    def area(triangle: Triangle) -> Vector3:
        a, b, c = (surface.points[corner] for corner in triangle)
        return cross(minus(b, a), minus(c, a))

    largest = max(map(area, surface.triangles), key=lambda v: dot(v, v))
    first = surface.points[0]
    size = max(max(map(abs, minus(p, first))) for p in surface.points)
    return unit(largest), size
