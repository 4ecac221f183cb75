# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an axis of the connected frame may point when two turns of a joint have bounds: a cone.

Bounds of OMI_physics_joint are bounds of each angle by itself, so this is no circle: the rim is the
image of the rectangle of both angles, point by point.
"""

from __future__ import annotations

from math import pi

import numpy as np
from numpy.typing import ArrayLike

from ...model.joint import AXES
from ...model.settings.spans import Spans
from ..bounds import ends_of, is_held
from ..layout import Floats
from ..strokes import Pen, Role, axis_role, sprung
from .turning import arc_angles

RIBS = 8
SPRING = 0.09
"""Width of the spring along a soft side, of the display size."""


def swing_axis(angular: Spans) -> int | None:
    """Return the axis of the connected frame whose directions form a cone, None if none does.

    With one angle held it is that axis, and the cone is exact. With all three free it is Z, and the
    cone is where Z points while the angle about Z itself is zero: with another one, the same angles
    about X and Y are another direction. At half a turn the two no longer say where it points.
    """
    held = [axis for axis in AXES if is_held(angular[axis])]
    if len(held) > 1:
        return None
    pointing = held[0] if held else 2
    for axis in AXES:
        low, high = ends_of(angular[axis])
        if axis != pointing and not (-pi < low.at < high.at < pi):
            return None
    return pointing


def direction(axis: int, x: ArrayLike, y: ArrayLike, z: ArrayLike) -> Floats:
    """Return one axis of the frames that have three angles, in rad of one shape; (..., 3).

    The tangents t of half the angles are v / s of the quaternion, so the axis a goes to
    a + 2 (t x a + t x (t x a)) / (1 + t^2).
    """
    t = np.tan(0.5 * np.stack(np.broadcast_arrays(x, y, z), axis=-1))
    pointing = np.eye(3)[axis]
    across = np.cross(t, pointing)
    factor = 2.0 / (1.0 + (t * t).sum(-1, keepdims=True))
    return np.asarray(pointing + factor * (across + np.cross(t, across)))


def sides(angular: Spans, pointing: int) -> list[tuple[Floats, bool]]:
    """Return the four sides of the cone's rim on the unit sphere, each (n, 3), and which are soft.

    They follow each other round the rim.
    """
    first, second = (axis for axis in AXES if axis != pointing)
    (a0, a1), (b0, b1) = ends_of(angular[first]), ends_of(angular[second])
    a, b = arc_angles(a0.at, a1.at), arc_angles(b0.at, b1.at)
    held = angular[pointing].low if is_held(angular[pointing]) else 0.0

    angles: dict[int, Floats | float] = {pointing: held}
    edges = ((a, b0.at, b0), (a1.at, b, a1), (a[::-1], b1.at, b1), (a0.at, b[::-1], a0))
    found = []
    for along_first, along_second, end in edges:
        angles |= {first: along_first, second: along_second}
        found.append((direction(pointing, *(angles[axis] for axis in AXES)), end.soft))
    return found


def draw_swing(pen: Pen, angular: Spans, pointing: int, size: float) -> None:
    """Draw the cone: its rim, some ribs, its surface; along a side that gives way runs a spring."""
    role = axis_role(pointing)
    around = sides(angular, pointing)
    for edge, soft in around:
        pen.path(size * edge, role, thick=True)
        if soft:
            pen.path(size * sprung(edge, SPRING), role)
    draw_cone(pen, size * np.concatenate([edge for edge, _ in around]), role)


def draw_cone(pen: Pen, rim: Floats, role: Role) -> None:
    """Draw the ribs and the surface of a cone from the origin to a rim, (n, 3) m."""
    for index in np.linspace(0, len(rim) - 1, RIBS, endpoint=False).astype(int):
        pen.path([np.zeros(3), rim[index]], role)
    pen.fan(np.zeros(3), rim, role)
