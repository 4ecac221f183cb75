# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of the model as the kernel knows them: a core, and a radius around it (kernel/collide.h).

The hull of a mesh is triangles. Those of one face, as far as single precision goes, become one
polygon, since a box that stands on a triangle of its face would tip over the rest of it. Triangle
meshes have neighbours and a tree of boxes: what is done with them is said in kernel/mesh.c.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import product
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from ...model.shape import THIN, Box, Capsule, Cylinder, Plane, Shape, Sphere, slab
from ...weighing.hull import farthest, hull
from ..kinematics.rotation import Array, Index

FLAT = 4e-7
"""Of the farthest coordinate, as single precision rounds: corners that are nearer to the plane of a
face are of it."""
MOST_CORNERS = 64
"""Of a hull; of more, those are taken that lie farthest out. A ball of 642 corners loses 3 % of its
radius where it loses most."""
Faces = tuple[tuple[int, ...], ...]
Numbers = NDArray[np.int32]
BOX_FACES: Faces = (
    (0, 1, 3, 2),
    (4, 6, 7, 5),
    (0, 4, 5, 1),
    (2, 3, 7, 6),
    (0, 2, 6, 4),
    (1, 5, 7, 3),
)
"""Corners by the signs of X, Y and Z, Z fastest; counter-clockwise from outside."""


class CoreKind(IntEnum):
    """What spans a core: omi_core of the kernel."""

    CORNERS = 0
    DISCS = 1
    BALLS = 2
    HALF_SPACE = 3
    MESH = 4


@dataclass(frozen=True, slots=True, eq=False)
class Core:
    """A convex shape in its own frame, upright along Y, or a mesh; lengths in m.

    Attributes:
        core: what spans it.
        radius: of what is around the core.
        half: half of the height between discs or balls.
        low: radius of the disc or ball below.
        high: radius of the one above.
        corner: (n, 3).
        normal: (k, 3) of faces, unit, outwards.
        face_start: (k + 1,) where the corners of each face begin.
        face_corner: indices of corners, counter-clockwise from outside.
        ring_start: (n + 1,) of a mesh, where the neighbours of each corner begin.
        ring: indices of corners.
        tree: (2 leaves - 1, 2, 3) of a mesh, boxes.
        lacks: how far the hull that it stands for may reach beyond it.
    """

    core: CoreKind
    radius: float = 0.0
    half: float = 0.0
    low: float = 0.0
    high: float = 0.0
    corner: Array = field(default_factory=lambda: np.zeros((0, 3)))
    normal: Array = field(default_factory=lambda: np.zeros((0, 3)))
    face_start: Numbers = field(default_factory=lambda: np.zeros(1, np.int32))
    face_corner: Numbers = field(default_factory=lambda: np.zeros(0, np.int32))
    ring_start: Numbers = field(default_factory=lambda: np.zeros(1, np.int32))
    ring: Numbers = field(default_factory=lambda: np.zeros(0, np.int32))
    tree: Array = field(default_factory=lambda: np.zeros((0, 2, 3)))
    lacks: float = 0.0

    @property
    def corners(self) -> int:
        """How many corners there are."""
        return len(self.corner)

    @property
    def faces(self) -> int:
        """How many faces there are."""
        return len(self.normal)

    @property
    def leaves(self) -> int:
        """How many leaves the tree has."""
        return (len(self.tree) + 1) // 2

    @property
    def reach(self) -> float:
        """How far its farthest point is from its origin."""
        ends = np.linalg.norm(self.corner, axis=1).max(initial=0.0)
        if self.core is CoreKind.DISCS:
            ends = np.hypot(self.half, max(self.low, self.high))
        if self.core is CoreKind.BALLS:
            ends = self.half + max(self.low, self.high)
        return float(ends) + self.radius


def core_of(shape: Shape) -> Core | None:
    """Return what the kernel knows a shape by, in the frame of its node; None for one of a mesh."""
    if isinstance(shape, Sphere | Capsule):
        return _ball_ended(shape)
    if isinstance(shape, Cylinder):
        low, high = abs(shape.radius_bottom), abs(shape.radius_top)
        return Core(CoreKind.DISCS, 0.0, abs(0.5 * shape.height), low, high)
    if isinstance(shape, Box):
        return box(tuple(abs(side) for side in shape.size))
    if isinstance(shape, Plane):
        return _plane(shape)
    return None


def _ball_ended(shape: Sphere | Capsule) -> Core:
    """Return a sphere, or two and all between them; one where it holds the other."""
    if isinstance(shape, Sphere):
        return rounded([(0.0, 0.0, 0.0)], abs(shape.radius))
    half = abs(0.5 * shape.height)
    low, high = abs(shape.radius_bottom), abs(shape.radius_top)
    if abs(low - high) >= 2.0 * half:
        return rounded([(0.0, -half if low > high else half, 0.0)], max(low, high))
    if low == high:
        return rounded([(0.0, -half, 0.0), (0.0, half, 0.0)], low)
    least = min(low, high)
    return Core(CoreKind.BALLS, least, half, low - least, high - least)


def _plane(shape: Plane) -> Core:
    """Return all that is below a plane without end, or a slab below one that ends."""
    if not (isfinite(shape.size_x) or isfinite(shape.size_z)):
        return Core(CoreKind.HALF_SPACE)
    return box(slab(shape).size, -0.5 * THIN)


def rounded(corners: Iterable[tuple[float, float, float]], radius: float) -> Core:
    """Return what is within a radius of a point, or of the line between two."""
    return Core(CoreKind.CORNERS, radius, corner=np.array(list(corners)))


def box(size: tuple[float, ...], height: float = 0.0) -> Core:
    """Return a box by its full size, about a point on the Y axis."""
    signs = np.array(list(product((-0.5, 0.5), repeat=3)))
    normals = np.repeat(np.eye(3), 2, axis=0) * np.resize([-1.0, 1.0], 6)[:, None]
    return polytope(signs * size + [0.0, height, 0.0], BOX_FACES, normals)


def polytope(corners: Array, faces: Faces, normals: Array) -> Core:
    """Return a core of corners (n, 3) and faces, by their corners in order and normals (k, 3)."""
    starts = np.cumsum([0, *map(len, faces)], dtype=np.int32)
    ends = np.concatenate([np.array(face, np.int32) for face in faces])
    corners, normals = (np.ascontiguousarray(array, np.float64) for array in (corners, normals))
    return Core(
        CoreKind.CORNERS, corner=corners, normal=normals, face_start=starts, face_corner=ends
    )


def hulled(points: Array) -> Core | None:
    """Return the convex hull of points (n, 3), or of so many that lie farthest out.

    None where it is flat.
    """
    whole = _hulled(points)
    if whole is None or whole.corners <= MOST_CORNERS:
        return whole
    chosen, lacks = farthest(whole.corner, MOST_CORNERS)
    fewer = _hulled(chosen)
    return fewer and replace(fewer, lacks=lacks)


def _hulled(points: Array) -> Core | None:
    corners, triangles = hull(points)
    if not len(triangles):
        return None
    loops = _joined(corners, triangles, FLAT * float(np.abs(corners).max()))
    used, place = np.unique(np.concatenate(loops), return_inverse=True)
    corners, ends = corners[used], np.split(place, np.cumsum([len(loop) for loop in loops])[:-1])
    normals = [_area(corners[end]) for end in ends]
    faces = tuple(tuple(end.tolist()) for end in ends)
    return polytope(corners, faces, np.array([n / np.linalg.norm(n) for n in normals]))


def _area(loop: Array) -> Array:
    """Return the area of a polygon (n, 3) along its normal."""
    at = loop - loop[0]
    return np.asarray(0.5 * np.cross(at[1:-1], at[2:]).sum(0))


def _joined(corners: Array, triangles: Index, flat: float) -> list[Index]:
    """Return the faces that triangles make, as loops of corners, the largest triangles first.

    A triangle belongs to a face that it is beside if its corners are within ``flat`` of its plane.
    """
    first, second = (corners[triangles[:, i]] - corners[triangles[:, 0]] for i in (1, 2))
    areas = np.cross(first, second)
    beside = {
        (a, b): i
        for i, t in enumerate(triangles.tolist())
        for a, b in zip(t, (*t[1:], t[0]), strict=True)
    }
    face = np.full(len(triangles), -1)
    for seed in np.argsort(-np.linalg.norm(areas, axis=1), kind="stable").tolist():
        if face[seed] >= 0:
            continue
        face[seed], waiting = seed, [seed]
        normal = areas[seed] / np.linalg.norm(areas[seed])
        while waiting:
            t = triangles[waiting.pop()].tolist()
            for edge in zip((*t[1:], t[0]), t, strict=True):
                other = beside[edge]
                off = (corners[triangles[other]] - corners[triangles[seed, 0]]) @ normal
                if face[other] < 0 and np.abs(off).max() <= flat:
                    face[other] = seed
                    waiting.append(other)
    rims: dict[int, dict[int, int]] = defaultdict(dict)
    for (a, b), i in beside.items():
        if face[beside[b, a]] != face[i]:
            rims[int(face[i])][a] = b
    return [
        loop
        for rim in rims.values()
        if len(loop := _straightened(corners, _in_order(rim), flat)) > 2
    ]


def _in_order(rim: dict[int, int]) -> list[int]:
    """Return the corners of a rim, one after the other."""
    first = at = next(iter(rim))
    loop = [first]
    while (at := rim[at]) != first and len(loop) < len(rim):
        loop.append(at)
    return loop


def _straightened(corners: Array, loop: list[int], flat: float) -> Index:
    """Return a loop without corners that lie between their neighbours."""
    kept = list(loop)
    for at in loop:
        place = kept.index(at)
        before, after = corners[kept[place - 1]], corners[kept[(place + 1) % len(kept)]]
        line, off = after - before, corners[at] - before
        length = np.linalg.norm(line)
        if len(kept) > 3 and length > 0.0 and np.linalg.norm(np.cross(line, off)) <= flat * length:
            kept.remove(at)
    return np.array(kept)


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
