# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows of forces and torques, the spring of a pull, and pins with a head to click on.

What must be seen, and must not fill the view, asks here how large things are in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isinf, isnan
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ...model.geometry.frames import frame_along
from ...model.geometry.transform import linear_part
from ..layout import Floats, arc_offsets
from ..marks.turning import arc_angles
from ..strokes import Pen, Role, zigzag

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
