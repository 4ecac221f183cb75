# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mesh weighs in MuJoCo, which has four ways to say it. Source: its XML reference, "mesh".

``legacy``, the default, adds up the tetrahedra between the surface and its centre, each as if it
faced outwards: it counts what is folded twice, and is exact where the mesh is convex.
"""

from __future__ import annotations

import numpy as np

from ...weighing.hull import Array
from ...weighing.solids import enclosed, measured, solid_from
from ..masses import mass_from
from ..robot import Mass, Surface

THINNEST = 1e-30
"""m^2 or m^3: less is nothing."""


def mesh_mass(surface: Surface, rule: str) -> Mass | None:
    """Return a mesh at density one by a rule of MuJoCo's; None where it has nothing to weigh."""
    points, triangles = np.array(surface.points), np.array(surface.triangles, dtype=np.intp)
    if rule == "exact":
        return mass_from(enclosed(points, triangles))
    if rule == "convex":
        return mass_from(measured(points, triangles).hull)
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas, middles = 0.5 * np.linalg.norm(normals, axis=1), corners.mean(1)
    if not areas.sum() > THINNEST:
        return None
    centre = areas @ middles / areas.sum()
    if rule == "shell":
        return _gathered(corners, areas / 12.0, centre, float(areas.sum()))
    volumes = _volumes(normals, middles - centre)
    if not volumes.sum() > THINNEST:
        return None
    centre = centre + 0.75 * (volumes @ (middles - centre)) / volumes.sum()
    volumes = _volumes(normals, middles - centre)  # once more, from the centre of mass
    return _gathered(corners, volumes / 20.0, centre, float(volumes.sum()))


def _volumes(normals: Array, middles: Array) -> Array:
    """Return the volumes of tetrahedra below triangles, whichever way these face."""
    return np.asarray(np.abs(np.einsum("ij,ij->i", normals, middles)) / 6.0)


def _gathered(corners: Array, weights: Array, centre: Array, total: float) -> Mass | None:
    """Return the mass of triangles, or of tetrahedra below them, by their corners (n, 3, 3).

    The integral of r r^T over each is a weight times the sum of its corners' squares and that of
    their sum, all seen from the centre.
    """
    seen = corners - centre
    rows = np.concatenate([seen, seen.sum(1, keepdims=True)], axis=1)
    spread = np.einsum("i,ijk,ijl->kl", weights, rows, rows)
    return mass_from(solid_from(total, centre, spread / total))
