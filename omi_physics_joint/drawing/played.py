# SPDX-License-Identifier: GPL-3.0-or-later
"""What play adds: forces, contacts, the floor, pulls and pins, bodies and triggers in outline.

What must be seen, and must not fill the view, asks here how large things are in it. Contacts and
the floor are in the world of Blender.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import cos, floor, isinf, isnan, log10, radians
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.geometry.frames import frame_along
from ..model.geometry.transform import linear_part
from .layout import Floats, arc_offsets, placed
from .marks.turning import arc_angles
from .strokes import Pen, Role, Sketch, zigzag

FAR = 1e4
"""m; a spring beyond it would only be noise."""
SHORTEST = 1e-6
COILS = 10
OF_VIEW = 0.2
"""How long an arrow may be at most, as a part of the height of the view."""
NEAREST = 1e-6
"""m: what is behind the eye counts as this high, too little for an arrow; less would do as well."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A view, in the axes of what is drawn."""

    right: Floats
    up: Floats
    """Directions of the view, (3,)."""
    depth: Floats
    """What makes of a point (x, y, z, 1) its depth in m, (4,); 1 where there is no perspective."""
    span: float
    """Height of the view in m at a depth of 1 m."""
    height: float
    """In pixels."""

    def tall(self, points: ArrayLike) -> Floats:
        """Return how high the view is at points (..., 3), m."""
        depth = np.asarray(points, np.float64) @ self.depth[:3] + self.depth[3]
        return np.asarray(np.maximum(self.span * depth, NEAREST))

    def pixel(self, points: ArrayLike) -> Floats:
        """Return how large a pixel is at points (..., 3), m."""
        return self.tall(points) / max(self.height, 1.0)


def sight_of(view: ArrayLike, window: ArrayLike, height: float) -> Sight:
    """Return a view by view from world, clip space from view, (4, 4), and its height in pixels."""
    turned, projected = np.asarray(view, np.float64), np.asarray(window, np.float64)
    span = 2.0 / abs(float(projected[1, 1]))
    return Sight(turned[0, :3], turned[1, :3], (projected @ turned)[3], span, height)


@dataclass(frozen=True, slots=True)
class Arrow:
    """A force or a torque, and how long it may be drawn."""

    origin: tuple[float, float, float]
    """Where it acts, m."""
    vector: tuple[float, float, float]
    """N or N m."""
    kind: Literal["force", "torque"]
    usual: float
    """N or N m of an arrow of half the length: what the mechanism bears at rest."""
    longest: float
    """m that no arrow of this mechanism passes, however large the force is."""


def length_of(size: float, usual: float, longest: float) -> float:
    """Return how long an arrow is drawn, m: it grows with what it shows, and never without end.

    ``size`` and ``usual``, which is drawn at half of the ``longest`` (m), are in N or N m.
    """
    if isnan(size) or not (size > 0.0 and usual > 0.0):
        return 0.0
    return longest if isinf(size) else longest * size / (size + usual)


def draw_arrow(pen: Pen, arrow: Arrow, factor: float, sight: Sight | None = None) -> None:
    """Draw a force as a straight arrow, and a torque as one with two heads and an arc about it."""
    longest = factor * arrow.longest
    if sight is not None:
        longest = min(longest, OF_VIEW * float(sight.tall(arrow.origin)))
    start, vector = np.array(arrow.origin), np.array(arrow.vector)
    size = float(np.linalg.norm(vector))
    length = length_of(size, arrow.usual, longest)
    if length < SHORTEST or not np.isfinite(vector).all():
        return
    way = vector * (length / size)
    frame = _frame(way)
    x, y, _ = 0.06 * length * frame.T
    role, heads = (Role.TORQUE, 2) if arrow.kind == "torque" else (Role.FORCE, 1)
    pen.path([start, start + way], role, thick=True)
    for head in range(heads):
        tip = start + (1.0 - 0.14 * head) * way
        back = tip - 0.16 * way
        pen.barbs((back + x, back - x, back + y, back - y), tip, role)
    if role is Role.TORQUE:  # the right-handed way
        radius = 0.3 * length
        arc = arc_offsets(2, arc_angles(0.0, 4.7), radius)
        one, two = arc_offsets(2, [4.3, 4.3], [0.8 * radius, 1.2 * radius])
        for stroke in (arc, np.array([one, arc[-1], two])):
            pen.path(start + 0.5 * way + stroke @ frame.T, role, thick=True)


def draw_spring(pen: Pen, held: ArrayLike, mouse: ArrayLike) -> None:
    """Draw a spring between two points in m, with a cross where it holds."""
    start, end = np.asarray(held, np.float64), np.asarray(mouse, np.float64)
    way = end - start
    length = float(np.linalg.norm(way))
    if not SHORTEST < length < FAR:
        return
    frame, aside = _frame(way).T, zigzag(COILS)
    along = np.linspace(0.0, 1.0, len(aside))
    for side in frame[:2]:
        pen.path(start + along[:, None] * way + 0.03 * length * aside[:, None] * side, Role.PULL)
    for side in 0.05 * length * frame:
        pen.path([start - side, start + side], Role.PULL, thick=True)


def _frame(way: Floats) -> Floats:
    """Return three directions of length one in columns, the last along a way."""
    x, y, z = way.tolist()
    return np.array(linear_part(frame_along(2, (x, y, z))))


LENGTH, RADIUS = 26.0, 7.0
"""Of the needle and of its head, pixels at a scale of 1; the same however far away it is."""
LEAN = 0.35
"""How far the head is to the right, as a part of the length."""
CORNERS = 13


def head_of(point: ArrayLike, sight: Sight, scale: float) -> Floats:
    """Return where the head of a pin at a point is, (3,) m, at a scale of the user's interface."""
    length = LENGTH * scale * sight.pixel(point)
    return np.asarray(point, np.float64) + length * (sight.up + LEAN * sight.right)


def draw_pin(pen: Pen, point: ArrayLike, sight: Sight, scale: float) -> None:
    """Draw one pin; see ``head_of``."""
    head, radius = head_of(point, sight, scale), RADIUS * scale * sight.pixel(point)
    angles = np.linspace(0.0, 2.0 * np.pi, CORNERS)[:, None]
    rim = radius * (np.cos(angles) * sight.right + np.sin(angles) * sight.up)
    pen.path([np.asarray(point, np.float64), head], Role.PIN, thick=True)
    for share in (1.0, 0.66, 0.33):
        pen.path(head + share * rim, Role.PIN, thick=True)


SQUARE = 4.0
"""Of the mark of a point, pixels at a scale of 1."""
HEAD = 0.2
"""Part of an arrow that its head takes."""
AROUND = 1.5
"""How far a floor goes on around what falls on it, as a part of how long that is."""
CELLS = 4
"""A floor has so many cells from side to side at least, and ten times as many at most."""


@dataclass(frozen=True, slots=True)
class TouchMarks:
    """Points where bodies touch."""

    points: Floats
    """(n, 3) m."""
    forces: Floats
    """(n, 3) N."""
    usual: Floats
    """(n,) N of an arrow of half the length."""
    longest: Floats
    """(n,) m that no arrow passes."""


def draw_touches(pen: Pen, touches: TouchMarks, factor: float, sight: Sight, scale: float) -> None:
    """Draw a square at each point, however far away, and its force as an arrow from there.

    ``factor`` is that of the user on forces, ``scale`` that of the interface.
    """
    points, forces = touches.points, touches.forces
    half = (SQUARE * scale * sight.pixel(points))[:, None]
    corners = [points + half * side for side in (sight.right, sight.up, -sight.right, -sight.up)]
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        pen.segments(np.stack((start, end), axis=1), Role.CONTACT)
    size = np.linalg.norm(forces, axis=1)
    longest = np.minimum(factor * touches.longest, OF_VIEW * sight.tall(points))
    drawn = np.isfinite(size) & (size > 0.0)
    length = longest[drawn] / (size[drawn] + touches.usual[drawn])
    start, way = points[drawn], forces[drawn] * length[:, None]
    back, aside = (
        start + (1.0 - HEAD) * way,
        0.5 * HEAD * np.cross(way, np.cross(sight.right, sight.up)),
    )
    for other in (start, back + aside, back - aside):
        pen.segments(np.stack((other, start + way), axis=1), Role.CONTACT, thick=True)


def floor_sketch(low: Floats, high: Floats, height: float) -> Sketch:
    """Return a grid at a height in m under and around a box from corner to corner, (3,) m each."""
    size = max(float(np.linalg.norm(high - low)), NEAREST)
    cell = 10.0 ** floor(log10(2.0 * AROUND * size / CELLS))
    first = np.floor((low[:2] - AROUND * size) / cell)
    last = np.ceil((high[:2] + AROUND * size) / cell)
    pen = Pen()
    for along in (0, 1):
        at = cell * np.arange(first[1 - along], last[1 - along] + 1.0)
        lines = np.full((len(at), 2, 3), height)
        lines[:, :, 1 - along] = at[:, None]
        lines[:, :, along] = cell * np.array((first[along], last[along]))
        pen.segments(lines, Role.FLOOR)
    (a, b), (c, d) = cell * first, cell * last
    corners = [(a, b, height), (c, b, height), (c, d, height), (a, d, height)]
    pen.fan(corners[0], corners[1:], Role.FLOOR)
    return pen.sketch()


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
