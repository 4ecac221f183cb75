# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes as the kernel knows them: neighbours, and a tree of boxes.

What it does with them is said in kernel/mesh.c.
"""

from __future__ import annotations

import numpy as np

from ..kinematics.rotation import Array, Index
from .cores import FLAT, Core, CoreKind, Numbers

INT = np.int32


def meshed(points: Array, triangles: Index) -> Core | None:
    """Return triangles (m, 3) of points (n, 3) as one surface; None where none has an area.

    Points at the same place are one, as files repeat them at seams.
    """
    points, place = np.unique(points, axis=0, return_inverse=True)
    faces = place.reshape(-1)[triangles]
    corners = points[faces]
    sides = corners - np.roll(corners, 1, axis=1)
    areas = np.cross(sides[:, 0], sides[:, 1])
    sizes = np.linalg.norm(areas, axis=1)
    kept = np.flatnonzero(sizes > FLAT * (sides * sides).sum(2).max(1))
    if not len(kept):
        return None
    low, high = corners[kept].min(1), corners[kept].max(1)
    order, tree = _in_tree(low, high)
    kept = kept[order]
    sides_of = faces[kept][:, [0, 1, 1, 2, 2, 0, 1, 0, 2, 1, 0, 2]].reshape(-1, 2)
    ring = np.unique(sides_of, axis=0)
    starts = np.searchsorted(ring[:, 0], np.arange(len(points) + 1))
    return Core(
        CoreKind.MESH,
        corner=np.ascontiguousarray(points),
        normal=areas[kept] / sizes[kept, None],
        face_corner=np.ascontiguousarray(faces[kept].ravel(), INT),
        ring_start=starts.astype(INT),
        ring=np.ascontiguousarray(ring[:, 1], INT),
        tree=tree,
    )


def _in_tree(low: Array, high: Array) -> tuple[Numbers, Array]:
    """Return the order of boxes (m, 3), and all boxes of a tree over them (2 leaves - 1, 2, 3).

    Each half of a box holds as many as the other, by where their middles are along its longest
    side. Leaves beyond the last one are empty: from infinity to minus infinity.
    """
    count = len(low)
    leaves = width = 1 << (count - 1).bit_length()
    middle = np.full((leaves, 3), np.inf)
    middle[:count] = 0.5 * (low + high)
    low, high = (
        np.concatenate([one, np.full((leaves - count, 3), far)])
        for one, far in ((low, np.inf), (high, -np.inf))
    )
    order = np.arange(leaves)
    while width > 1:
        rows = order.reshape(-1, width)
        axis = np.argmax(high[rows].max(1) - low[rows].min(1), axis=1)
        along = np.take_along_axis(middle[rows], axis[:, None, None], 2)[..., 0]
        order = np.take_along_axis(rows, np.argsort(along, axis=1, kind="stable"), 1).ravel()
        width //= 2
    boxes = [np.stack([low[order], high[order]], axis=1)]
    while len(boxes[0]) > 1:
        halves = boxes[0].reshape(-1, 2, 2, 3)
        boxes.insert(0, np.stack([halves[:, :, 0].min(1), halves[:, :, 1].max(1)], axis=1))
    return order[:count].astype(INT), np.concatenate(boxes)
