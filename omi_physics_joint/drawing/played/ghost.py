# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies and triggers in outline: surfaces that hardly cover, and sharp edges."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import cos, radians

import numpy as np
from numpy.typing import NDArray

from ..layout import Floats, placed
from ..strokes import Pen, Role, Sketch

SHARP = cos(radians(15.0))
"""Edges between faces that are turned against each other by less are smooth."""
SAME = 1e-5
"""Part of the size within which vertices count as one: imported meshes are split along edges."""

Corners = NDArray[np.intp]

_BOX: Floats = np.array(list(product((0.0, 1.0), repeat=3)))
_SIDES: Corners = np.array(
    [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)], np.intp
)


def outline_of_mesh(points: Floats, triangles: Corners, edges: Corners) -> Sketch:
    """Return the outline of a mesh in its own axes.

    Of points (n, 3) in m, ``triangles`` (m, 3) and ``edges`` (k, 2) are numbers. Drawn are the
    edges that are sharp or on no triangle, or all where none is.
    """
    merged = _merged(points)
    sides, loose = merged[triangles], merged[edges]
    loose = loose[~np.isin(loose, sides).any(1)]
    drawn = np.concatenate([_sharp(points, sides), loose])
    return _outline(points[drawn if len(drawn) else edges], points[triangles])


def outline_of_box(low: Floats, high: Floats) -> Sketch:
    """Return the outline of a box from corner to corner, (3,) m each."""
    corners = low + _BOX * (high - low)
    rims = np.stack((_SIDES, np.roll(_SIDES, -1, axis=1)), axis=-1).reshape(-1, 2)
    halves = np.concatenate([_SIDES[:, :3], _SIDES[:, [0, 2, 3]]])
    return _outline(corners[np.unique(np.sort(rims, axis=1), axis=0)], corners[halves])


def joined_outlines(parts: Iterable[tuple[Sketch, Floats]], role: Role = Role.GHOST) -> Sketch:
    """Return several outlines as one of a role, each moved by a matrix (4 x 4)."""
    pen = Pen()
    for sketch, matrix in parts:
        pen.segments(placed(matrix, sketch.lines), role)
        pen.surface(placed(matrix, sketch.triangles), role)
    return pen.sketch()


def _outline(lines: Floats, triangles: Floats) -> Sketch:
    pen = Pen()
    pen.segments(lines, Role.GHOST)
    pen.surface(triangles, Role.GHOST)
    return pen.sketch()


def _merged(points: Floats) -> Corners:
    """Return for each point the first one that stands where it does."""
    if not len(points):
        return np.zeros(0, np.intp)
    size = float(np.ptp(points, axis=0).max()) or 1.0
    cells = np.rint(points / (SAME * size))
    _, first, same = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[same.reshape(-1)], np.intp)


def _sharp(points: Floats, triangles: Corners) -> Corners:
    """Return the edges (k, 2) at which not two faces meet nearly flat."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    normal = np.cross(b - a, c - a)
    length = np.sqrt(np.square(normal).sum(-1))
    real = length > 0.0
    triangles, normal = triangles[real], normal[real] / length[real, None]
    rims = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    faces = np.repeat(np.arange(len(triangles)), 3)
    edges, number, count = np.unique(rims, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(number.reshape(-1), kind="stable")
    starts = np.cumsum(count) - count
    first, last = faces[order[starts]], faces[order[starts + count - 1]]
    flat = np.abs((normal[first] * normal[last]).sum(-1)) > SHARP
    return np.asarray(edges[(count != 2) | ~flat], np.intp)
