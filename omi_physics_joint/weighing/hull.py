# SPDX-License-Identifier: GPL-3.0-or-later
"""The convex hull of points: quickhull with joggled input.

Source: Barber, Dobkin and Huhdanpaa, "The Quickhull Algorithm for Convex Hulls" (1996). Every point
outside of the hull so far is kept with one face that it is in front of; the farthest point of all
goes next. The faces that it sees are replaced by a fan from their rim to the point.

Points of the same face are in one plane only as far as single precision goes, and which faces a
point sees is then a matter of rounding. So the points are moved at random by a little, and by ten
times as much until what was found is convex. The corners that are returned were not moved.
"""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.intp]

SEEN = 1e-13
"""How far in front of a face a point must be to count, as a part of the size."""
FLAT = 1e-7
"""Points that are nearer to a plane, as a part of the size, are in it: what single precision
holds."""
JOGGLES = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5)
"""By how much points are moved, as a part of the size, one after the other until all is convex."""
CONVEX = 10.0
"""By how many joggles a point may stand in front of a face of the hull."""
DIRECTIONS = 2000
"""Large clouds are cut down to the points that lie farthest in so many directions. A ball of 20,000
points loses 0.3 % of its volume by it."""
CORNERS = np.array([[1, 3, 2], [0, 2, 3], [0, 3, 1], [0, 1, 2]])
"""The faces of a tetrahedron whose fourth point lies behind the face of the first three."""


def hull(points: Array) -> tuple[Array, Index]:
    """Return corners (m, 3) and triangles (k, 3) of the convex hull of finite points (n, 3).

    Triangles run counter-clockwise, seen from outside; there are none where points lie in a plane.
    """
    points = _outermost(np.unique(np.asarray(points, dtype=np.float64), axis=0))
    start = _tetrahedron(points)
    if start is not None:
        size, draw = float(np.ptp(points, axis=0).max()), np.random.default_rng(0)
        for joggle in JOGGLES:
            moved = points + joggle * size * draw.uniform(-1.0, 1.0, points.shape)
            faces = _grown(moved, start)
            if _is_convex(moved, faces, CONVEX * joggle * size):
                return points, faces
    return points, np.zeros((0, 3), np.intp)


def farthest(points: Array, most: int) -> tuple[Array, float]:
    """Return so many corners of the hull of points (n, 3) that no others lie farther out of theirs.

    And by how much, in m, others do. There have to be more, that are not in a plane.
    """
    start = _tetrahedron(points)
    assert start is not None
    faces = _grown(points, start, most)
    normals, offsets = _planes(points, faces)
    return points[np.unique(faces)], float((points @ normals.T - offsets).max())


def _is_convex(points: Array, faces: Index, tolerance: float) -> bool:
    """Return whether faces (k, 3) close, and no point is farther in front of one."""
    edges = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    codes, back = edges @ [len(points), 1], edges @ [1, len(points)]
    if len(np.unique(codes)) < len(codes) or not np.isin(back, codes).all():
        return False
    normals, offsets = _planes(points, faces)
    parts = zip(np.array_split(normals, 20), np.array_split(offsets, 20), strict=True)
    return all(np.all(points @ some.T - off <= tolerance) for some, off in parts)


def _outermost(points: Array) -> Array:
    """Return the points, or of very many those that are farthest in evenly spread directions."""
    if len(points) <= DIRECTIONS:
        return points
    turns = np.arange(DIRECTIONS) + 0.5
    height = 1.0 - 2.0 * turns / DIRECTIONS
    angle, radius = np.pi * (1.0 + 5.0**0.5) * turns, np.sqrt(1.0 - height * height)
    directions = np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=1)
    sides = np.ptp(points, axis=0)
    even = (points - points.min(0)) / np.where(sides > 0.0, sides, 1.0)
    chosen = [np.argmax(even @ some.T, axis=0) for some in np.array_split(directions, 20)]
    return np.asarray(points[np.unique(np.concatenate(chosen))])


def _tetrahedron(points: Array) -> Index | None:
    """Return four points that span a tetrahedron, wound outwards; None where they are flat."""
    if len(points) < 4:
        return None
    sides = np.ptp(points, axis=0)
    size, axis = float(sides.max()), int(np.argmax(sides))
    a, b = int(np.argmin(points[:, axis])), int(np.argmax(points[:, axis]))
    line = points[b] - points[a]
    away = np.linalg.norm(np.cross(points - points[a], line), axis=1)
    c = int(np.argmax(away))
    if away[c] <= FLAT * size * size:
        return None
    normal = np.cross(line, points[c] - points[a])
    height = (points - points[a]) @ (normal / np.linalg.norm(normal))
    d = int(np.argmax(np.abs(height)))
    if abs(height[d]) <= FLAT * size:
        return None
    return np.array([a, b, c, d] if height[d] < 0.0 else [a, c, b, d])


def _grown(points: Array, start: Index, most: float = inf) -> Index:
    """Return the hull that a first tetrahedron grows into, of so many points at most."""
    count, tolerance = len(points), SEEN * float(np.ptp(points, axis=0).max())
    faces: Index = start[CORNERS]
    normals, offsets = _planes(points, faces)
    everyone = np.arange(count)
    seen_from, ahead = _assigned(points, everyone, normals, offsets, np.arange(4))
    taken = len(start)
    while (front := int(np.argmax(ahead))) >= 0 and ahead[front] > tolerance and taken < most:
        taken += 1
        apex = points[front]
        visible = normals @ apex - offsets > tolerance
        visible[seen_from[front]] = True
        edges = faces[visible][:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        codes = edges[:, 0] * count + edges[:, 1]
        rim = edges[~np.isin(codes, edges[:, 1] * count + edges[:, 0])]
        fan = np.concatenate([rim, np.full((len(rim), 1), front)], axis=1)
        ahead[front] = 0.0
        loose = everyone[(ahead > tolerance) & visible[seen_from]]
        fan_normals, fan_offsets = _planes(points, fan)
        faces = np.concatenate([faces[~visible], fan])
        normals = np.concatenate([normals[~visible], fan_normals])
        offsets = np.concatenate([offsets[~visible], fan_offsets])
        seen_from = (np.cumsum(~visible) - 1)[seen_from]
        if len(loose):
            new = np.arange(len(faces) - len(fan), len(faces))
            seen_from[loose], ahead[loose] = _assigned(points, loose, fan_normals, fan_offsets, new)
    return faces


def _planes(points: Array, faces: Index) -> tuple[Array, Array]:
    """Return unit normals (k, 3) and distances from the origin (k,) of triangles."""
    a, b, c = (points[faces[:, corner]] for corner in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / np.where(lengths > 0.0, lengths, 1.0)
    return normals, np.einsum("ij,ij->i", normals, a)


def _assigned(
    points: Array, which: Index, normals: Array, offsets: Array, names: Index
) -> tuple[Index, Array]:
    """Return for some points the face that they are farthest in front of, and how far."""
    distances = points[which] @ normals.T - offsets
    best = np.argmax(distances, axis=1)
    return names[best], distances[np.arange(len(which)), best]
