# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an axis of the connected frame may point when two turns of a joint have bounds: a cone.

Bounds of OMI_physics_joint are bounds of the three angles of R = Rx Ry Rz, so this is no circle:
the rim is the image of the rectangle of both angles, point by point.
"""

from __future__ import annotations

from math import tau

import numpy as np

from ..model.joint import AXES
from ..model.spans import Spans
from .bounds import ends_of, is_held
from .layout import Floats
from .strokes import Pen, axis_role
from .turning import arc_angles

RIBS = 8
SPRING = 0.09
"""Width of the spring along a soft side, of the display size."""


def swing_axis(angular: Spans) -> int | None:
    """Return the axis of the connected frame whose directions form a cone, None if none does.

    With one angle held it is that axis. With all three free it is Z, the innermost turn: what
    turns about Z itself does not move it, so its cone is exact.
    """
    held = [axis for axis in AXES if is_held(angular[axis])]
    if len(held) > 1:
        return None
    pointing = held[0] if held else 2
    for axis in AXES:
        low, high = ends_of(angular[axis])
        if axis != pointing and not (0.0 < high.at - low.at < tau):
            return None
    return pointing


def direction(axis: int, x: Floats, y: Floats, z: Floats) -> Floats:
    """Return one axis of the frames Rx Ry Rz, for angles in rad of one shape; (..., 3)."""
    cx, sx, cy, sy, cz, sz = np.cos(x), np.sin(x), np.cos(y), np.sin(y), np.cos(z), np.sin(z)
    columns = (
        (cy * cz, cx * sz + sx * sy * cz, sx * sz - cx * sy * cz),
        (-cy * sz, cx * cz - sx * sy * sz, sx * cz + cx * sy * sz),
        (sy, -sx * cy, cx * cy),
    )
    return np.stack(np.broadcast_arrays(*columns[axis]), axis=-1)


def sides(angular: Spans, pointing: int) -> list[tuple[Floats, bool]]:
    """Return the four sides of the cone's rim on the unit sphere, each (n, 3), and which are soft.

    They follow each other round the rim.
    """
    first, second = (axis for axis in AXES if axis != pointing)
    (a0, a1), (b0, b1) = ends_of(angular[first]), ends_of(angular[second])
    a, b = arc_angles(a0.at, a1.at), arc_angles(b0.at, b1.at)
    held = angular[pointing].low if is_held(angular[pointing]) else 0.0

    def side(along_first: Floats, along_second: Floats) -> Floats:
        angles = [np.full_like(along_first, held)] * 3
        angles[first], angles[second] = along_first, along_second
        return direction(pointing, *angles)

    return [
        (side(a, np.full_like(a, b0.at)), b0.soft),
        (side(np.full_like(b, a1.at), b), a1.soft),
        (side(a[::-1], np.full_like(a, b1.at)), b1.soft),
        (side(np.full_like(b, a0.at), b[::-1]), a0.soft),
    ]


def draw_swing(pen: Pen, angular: Spans, pointing: int, size: float) -> None:
    """Draw the cone: its rim, some ribs, its surface; along a side that gives way runs a spring."""
    role = axis_role(pointing)
    around = sides(angular, pointing)
    for edge, soft in around:
        pen.path(size * edge, role, thick=True)
        if soft:
            aside = np.ones(len(edge))
            aside[1::2] += SPRING
            pen.path(size * aside[:, None] * edge, role)
    rim = size * np.concatenate([edge for edge, _ in around])
    for index in np.linspace(0, len(rim) - 1, RIBS, endpoint=False).astype(int):
        pen.path([np.zeros(3), rim[index]], role)
    pen.fan(np.zeros(3), rim, role)
