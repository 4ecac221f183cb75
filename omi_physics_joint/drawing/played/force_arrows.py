# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows of forces and torques, and the spring of a pull, in the axes that they are given in."""

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
from .sight import Sight

FAR = 1e4
"""m; a spring beyond it would only be noise."""
SHORTEST = 1e-6
COILS = 10
OF_VIEW = 0.2
"""How long an arrow may be at most, as a part of the height of the view."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A force or a torque, and how long it may be drawn.

    Attributes:
        origin: where it acts, m.
        vector: N or N m.
        kind: which of both.
        usual: N or N m of an arrow of half the length: what the mechanism bears at rest.
        longest: m that no arrow of this mechanism passes, however large the force is.
    """

    origin: tuple[float, float, float]
    vector: tuple[float, float, float]
    kind: Literal["force", "torque"]
    usual: float
    longest: float


def length_of(size: float, usual: float, longest: float) -> float:
    """Return how long an arrow is drawn, m: it grows with what it shows, and never without end.

    Args:
        size: of the force or torque, N or N m.
        usual: N or N m that is drawn at half the length.
        longest: m.
    """
    if isnan(size) or not (size > 0.0 and usual > 0.0):
        return 0.0
    return longest if isinf(size) else longest * size / (size + usual)


def draw_arrow(pen: Pen, arrow: Arrow, factor: float, sight: Sight | None = None) -> None:
    """Draw a force as a straight arrow, and a torque as one with two heads and an arc about it."""
    longest = factor * arrow.longest
    if sight is not None:
        longest = min(longest, OF_VIEW * sight.tall(arrow.origin))
    vector = np.asarray(arrow.vector, np.float64)
    size = float(np.linalg.norm(vector))
    length = length_of(size, arrow.usual, longest)
    if length < SHORTEST or not np.isfinite(vector).all():
        return
    draw = draw_torque if arrow.kind == "torque" else draw_force
    draw(pen, arrow.origin, vector * (length / size))


def draw_force(pen: Pen, origin: ArrayLike, way: ArrayLike) -> None:
    """Draw a straight arrow.

    Args:
        pen: takes the strokes.
        origin: in m.
        way: from there to its tip, m.
    """
    drawn = np.asarray(way, np.float64)
    _arrow(pen, np.asarray(origin, np.float64), drawn, Role.FORCE, heads=1)


def draw_torque(pen: Pen, origin: ArrayLike, way: ArrayLike) -> None:
    """Draw an arrow with two heads, and an arc that turns about it the right-handed way.

    Args:
        pen: takes the strokes.
        origin: in m.
        way: from there to its tip, m.
    """
    start, drawn = np.asarray(origin, np.float64), np.asarray(way, np.float64)
    _arrow(pen, start, drawn, Role.TORQUE, heads=2)
    length = float(np.linalg.norm(drawn))
    frame = _frame(drawn)
    radius = 0.3 * length
    points = arc_offsets(2, arc_angles(0.0, 4.7), radius)
    points[:, 2] = 0.5 * length
    tip = points[-1]
    barbs = arc_offsets(2, [4.3, 4.3], [0.8 * radius, 1.2 * radius])
    barbs[:, 2] = 0.5 * length
    for stroke in (points, [barbs[0], tip, barbs[1]]):
        pen.path(start + np.asarray(stroke) @ frame.T, Role.TORQUE, thick=True)


def draw_spring(pen: Pen, held: ArrayLike, mouse: ArrayLike) -> None:
    """Draw a spring between two points in m, with a cross where it holds."""
    start, end = np.asarray(held, np.float64), np.asarray(mouse, np.float64)
    way = end - start
    length = float(np.linalg.norm(way))
    if not SHORTEST < length < FAR:
        return
    frame = _frame(way)
    aside = zigzag(COILS)
    along = np.linspace(0.0, 1.0, len(aside))
    for side in (frame[:, 0], frame[:, 1]):
        pen.path(start + along[:, None] * way + 0.03 * length * aside[:, None] * side, Role.PULL)
    for side in (frame[:, 0], frame[:, 1], frame[:, 2]):
        pen.path(
            [start - 0.05 * length * side, start + 0.05 * length * side], Role.PULL, thick=True
        )


def _frame(way: Floats) -> Floats:
    """Return three directions of length one in columns, the last along a way."""
    x, y, z = way.tolist()
    return np.array(linear_part(frame_along(2, (x, y, z))))


def _arrow(pen: Pen, start: Floats, way: Floats, role: Role, heads: int) -> None:
    pen.path([start, start + way], role, thick=True)
    frame = _frame(way)
    length = float(np.linalg.norm(way))
    for head in range(heads):
        tip = start + (1.0 - 0.14 * head) * way
        for side in (frame[:, 0], -frame[:, 0], frame[:, 1], -frame[:, 1]):
            pen.path([tip - 0.16 * way + 0.06 * length * side, tip], role, thick=True)
