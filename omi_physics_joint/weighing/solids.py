# SPDX-License-Identifier: GPL-3.0-or-later
"""What fills meshes, at density one.

With the spread S, the integral of r r^T, r from the centre, the inertia about the centre is
tr(S) - S.
"""

from __future__ import annotations

import numpy as np

from ..model.mechanics.masses import Mass
from ..model.solid import MeshSolids, Triangles
from .hull import Array, Index, hull

THINNEST = 1e-9
"""Volume as a part of the cube of the size; less is flat."""


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


def enclosed_by_mesh(points: Array, triangles: Index) -> Mass | None:
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


def enclosed(points: Array, triangles: Index) -> Mass | None:
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
    return mass_from(abs(total), origin + centre, spread - np.outer(centre, centre))


def mass_from(volume: float, centre: Array, mean: Array) -> Mass | None:
    """Return a solid from its volume, its centre (3,) and the mean of r r^T about it (3, 3)."""
    if not volume > 0.0:
        return None
    x, y, z = centre.tolist()
    inertia = volume * (np.trace(mean) * np.eye(3) - mean)
    return Mass(volume, (x, y, z), tuple(map(tuple, inertia.tolist())))
