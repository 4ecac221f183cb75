# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an axis of the connected frame may point when two turns of a joint have bounds: a cone.

Bounds of OMI_physics_joint are bounds of the three angles of R = Rx Ry Rz, so this is no circle:
the rim is the image of the rectangle of both angles, point by point.
"""

from __future__ import annotations

from math import isfinite, tau

import numpy as np

from ..model.joint import AXES
from ..model.spans import Spans
from .bounds import ends_of, is_held
from .layout import Floats
from .strokes import Pen, axis_role
from .turning import arc_angles

RIBS = 8


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


def rim(angular: Spans, pointing: int) -> Floats:
    """Return the closed edge of the cone on the unit sphere, shape (n, 3)."""
    first, second = (axis for axis in AXES if axis != pointing)
    (a0, a1), (b0, b1) = (
        (angular[first].low, angular[first].high),
        (angular[second].low, angular[second].high),
    )
    a, b = arc_angles(a0, a1), arc_angles(b0, b1)
    along_a = np.concatenate((a, np.full(len(b), a1), a[::-1], np.full(len(b), a0)))
    along_b = np.concatenate((np.full(len(a), b0), b, np.full(len(a), b1), b[::-1]))
    angles = [np.zeros_like(along_a) for _ in AXES]
    if isfinite(angular[pointing].low) and is_held(angular[pointing]):
        angles[pointing] = np.full_like(along_a, angular[pointing].low)
    angles[first], angles[second] = along_a, along_b
    return direction(pointing, *angles)


def draw_swing(pen: Pen, angular: Spans, pointing: int, size: float) -> None:
    """Draw the cone: its rim, some ribs, and its side; a rim that gives way is a zigzag."""
    edge = size * rim(angular, pointing)
    role = axis_role(pointing)
    soft = any(end.soft for axis in AXES if axis != pointing for end in ends_of(angular[axis]))
    drawn = edge.copy()
    if soft:
        drawn[1::2] *= 1.06
        drawn[2::2] *= 0.94
    pen.path(drawn, role, thick=True)
    for index in np.linspace(0, len(edge) - 1, RIBS, endpoint=False).astype(int):
        pen.path([np.zeros(3), edge[index]], role)
    pen.fan(np.zeros(3), edge, role)
