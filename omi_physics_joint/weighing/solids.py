# SPDX-License-Identifier: GPL-3.0-or-later
"""What fills shapes and meshes: volume, centre, and spread about the centre, at density one.

The spread S is the integral of r r^T, r from the centre; the inertia about the centre is then
tr(S) - S. A linear map L makes |det L| L S L^T of it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import numpy as np

from ..model.shape import Box, Capsule, Cylinder, MeshShape, Plane, Shape, Sphere, Trimesh
from ..model.solid import MeshSolids, Solid, Triangles
from .hull import Array, Index, hull

Piece = tuple[float, float, Callable[[Array], Array]]
"""Of a solid of revolution about Y: from and to in m, and the squared radius at heights."""

THINNEST = 1e-9
"""Volume as a part of the cube of the size; less is flat."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(5)
"""Exact for polynomials of degree 9; squared radii below are of degree 2."""


def solid_of(shape: Shape, mesh: MeshSolids | None = None) -> Solid | None:
    """Return what fills a shape, in the shape's own space; None where it has no volume.

    A convex shape is its hull, a triangle mesh what it encloses, or its hull if it is open: that is
    known where somebody has measured the mesh.
    """
    if isinstance(shape, MeshShape):
        if mesh is None:
            return None
        inside = mesh.inside if isinstance(shape, Trimesh) else None
        return mesh.hull if inside is None else inside
    if isinstance(shape, Box):
        sides = np.abs(np.array(shape.size))
        return solid_from(float(sides.prod()), np.zeros(3), np.diag(sides * sides / 12.0))
    if isinstance(shape, Sphere):
        return _ball(abs(shape.radius), 0.0)
    return None if isinstance(shape, Plane) else _turned(shape)


def _turned(shape: Capsule | Cylinder) -> Solid | None:
    """Return what fills a capsule or a cylinder, both of which may taper towards an end.

    Both are solids of revolution about Y. A capsule is the hull of two balls whose centres are its
    height apart; the cone between them touches each at the same slope.
    """
    low, high = abs(shape.radius_bottom), abs(shape.radius_top)
    end = 0.5 * abs(shape.height)
    if isinstance(shape, Cylinder):
        taper = (high - low) / (2.0 * end) if end > 0.0 else 0.0
        return _revolved([(-end, end, lambda y: (low + taper * (y + end)) ** 2)])
    if abs(low - high) >= 2.0 * end:  # one ball holds the other
        return _ball(max(low, high), -end if low > high else end)
    sine = (low - high) / (2.0 * end)
    cosine = (1.0 - sine * sine) ** 0.5
    first, last = -end + low * sine, end + high * sine
    begin, slope = low * cosine, (high - low) * cosine / (last - first)
    return _revolved(
        [
            (-end - low, first, lambda y: low * low - (y + end) ** 2),
            (first, last, lambda y: (begin + slope * (y - first)) ** 2),
            (last, end + high, lambda y: high * high - (y - end) ** 2),
        ]
    )


def _ball(radius: float, height: float) -> Solid | None:
    """Return a ball on the Y axis."""
    volume = 4.0 / 3.0 * pi * (radius * radius * radius)  # infinite, where a power is an error
    return solid_from(volume, np.array([0.0, height, 0.0]), np.eye(3) * radius * radius / 5.0)


def _revolved(pieces: list[Piece]) -> Solid | None:
    """Return a solid of revolution about Y, made of pieces."""
    ends = np.array([(first, last) for first, last, _ in pieces])
    half = 0.5 * (ends[:, 1:] - ends[:, :1])
    heights, weights = ends.mean(axis=1, keepdims=True) + half * NODES, half * WEIGHTS
    squared = zip((piece[2] for piece in pieces), heights, strict=True)
    squares = np.array([radius(at) for radius, at in squared])
    volume = float(pi * (weights * squares).sum())
    if not volume > 0.0:
        return None
    centre = float(pi * (weights * squares * heights).sum()) / volume
    along = float(pi * (weights * squares * (heights - centre) ** 2).sum())
    across = float(pi / 4.0 * (weights * squares * squares).sum())
    mean = np.diag([across, along, across]) / volume
    return solid_from(volume, np.array([0.0, centre, 0.0]), mean)


def measured(points: Array, triangles: Index) -> MeshSolids:
    """Return what engines make of a mesh: points (n, 3) in m, triangles (m, 3) of their indices."""
    points = np.asarray(points, dtype=np.float64).reshape(-1, 3)
    if not len(points) or not np.isfinite(points).all():
        return MeshSolids()
    return MeshSolids(enclosed(*hull(points)), enclosed_by_mesh(points, triangles))


def measured_triangles(mesh: Triangles | None) -> MeshSolids | None:
    """Return the same of triangles, None of what nobody could read."""
    if mesh is None:
        return None
    return measured(np.array(mesh.points), np.array(mesh.triangles, dtype=np.intp))


def enclosed_by_mesh(points: Array, triangles: Index) -> Solid | None:
    """Return what a mesh encloses; None where it is open.

    Of points (n, 3) in m those at the same place are one, as files repeat them at seams; triangles
    (m, 3) run counter-clockwise from outside.
    """
    points, place = np.unique(points, axis=0, return_inverse=True)
    triangles = place.reshape(-1)[np.asarray(triangles, dtype=np.intp).reshape(-1, 3)]
    return enclosed(points, triangles) if is_closed(triangles) else None


def is_closed(triangles: Index) -> bool:
    """Return whether triangles (m, 3) run along every edge as often to as fro."""
    if not len(triangles):
        return False
    start, end = triangles[:, [0, 1, 2]].ravel(), triangles[:, [1, 2, 0]].ravel()
    count = int(triangles.max()) + 1
    return bool(np.array_equal(np.sort(start * count + end), np.sort(end * count + start)))


def enclosed(points: Array, triangles: Index) -> Solid | None:
    """Return what a closed surface holds: the sum of tetrahedra from one point to its triangles.

    With corners a, b, c seen from that point, a tetrahedron has the volume V = a . (b x c) / 6, the
    centre s / 4 with s = a + b + c, and the spread V (a a^T + b b^T + c c^T + s s^T) / 20 about it.
    A surface that is inside out counts as the same solid.
    """
    if not len(triangles):
        return None
    origin = points.mean(0)
    a, b, c = (points[triangles[:, corner]] - origin for corner in range(3))
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    total = float(volumes.sum())
    if not abs(total) > THINNEST * float(np.ptp(points, axis=0).max()) ** 3:
        return None
    sums = a + b + c
    centre = (volumes[:, None] * sums).sum(0) / (4.0 * total)
    corners = np.concatenate([a, b, c, sums])
    weights = np.concatenate([volumes] * 4) / (20.0 * total)
    spread = (corners * weights[:, None]).T @ corners
    return solid_from(abs(total), origin + centre, spread - np.outer(centre, centre))


def solid_from(volume: float, centre: Array, mean: Array) -> Solid | None:
    """Return a solid from its volume, its centre (3,) and the mean of r r^T about it (3, 3)."""
    if not volume > 0.0:
        return None
    x, y, z = centre.tolist()
    first, second, third = map(tuple, (volume * mean).tolist())
    return Solid(volume, (x, y, z), (first, second, third))
