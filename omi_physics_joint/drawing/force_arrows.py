# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows of forces and torques, and the spring of a pull, in the axes that they are given in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..model.frames import frame_along
from ..model.transform import linear_part
from .layout import Floats, arc_offsets
from .strokes import Pen, Role, zigzag
from .turning import arc_angles

LONGEST = 1e4
"""m; an arrow beyond it would only be noise."""
SHORTEST = 1e-6
COILS = 10


def draw_force(pen: Pen, origin: ArrayLike, vector: ArrayLike, scale: float) -> None:
    """Draw a straight arrow.

    Args:
        pen: takes the strokes.
        origin: in m.
        vector: in N.
        scale: m for 1 N.
    """
    drawn = _ready(vector, scale)
    if drawn is not None:
        _arrow(pen, np.asarray(origin, np.float64), drawn, Role.FORCE, heads=1)


def draw_torque(pen: Pen, origin: ArrayLike, vector: ArrayLike, scale: float) -> None:
    """Draw an arrow with two heads, and an arc that turns about it the right-handed way.

    Args:
        pen: takes the strokes.
        origin: in m.
        vector: in N m.
        scale: m for 1 N m.
    """
    drawn = _ready(vector, scale)
    if drawn is None:
        return
    start = np.asarray(origin, np.float64)
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
    if not SHORTEST < length < LONGEST:
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


def _ready(vector: ArrayLike, scale: float) -> Floats | None:
    """Return a vector in m, shortened where it is endless; None where there is nothing to show."""
    drawn = scale * np.asarray(vector, np.float64)
    length = float(np.linalg.norm(drawn))
    if not np.isfinite(length) or length < SHORTEST:
        return None
    return drawn * min(1.0, LONGEST / length)


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


def extra_strokes(
    pen: Pen,
    forces: Sequence[tuple[ArrayLike, ArrayLike, str]],
    spring: tuple[ArrayLike, ArrayLike] | None,
    scale: float,
) -> None:
    """Draw everything that play adds: ``forces`` are origin, vector, and "force" or "torque"."""
    for origin, vector, kind in forces:
        (draw_torque if kind == "torque" else draw_force)(pen, origin, vector, scale)
    if spring is not None:
        draw_spring(pen, *spring)
