# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives as far as they do not depend on the pose: where they pull to, which way they push."""

from __future__ import annotations

from math import copysign, isfinite, isnan

import numpy as np

from ...model.joint import AXES, Drive, Freedom
from ..bounds import FARTHEST
from ..layout import arc_offsets, directions, rail_offsets
from ..strokes import Pen, Role
from .turning import arc_angles

TARGET_RADIUS = 0.80
"""Radius of the arrow from the value to the target of an angular drive, of the display size."""
TARGET_ASIDE = 0.20
"""How far aside the arrow to the target of a linear drive runs, of the display size."""
MOTOR_RADIUS = 1.28
MOTOR_SWEEP = 1.3
"""Radius and length in rad of the arrow of an angular motor."""


def target_of(drive: Drive) -> float | None:
    """Return the position target of a drive in m or rad, None where nothing can be drawn."""
    target = drive.position_target
    if target is None or drive.axis not in AXES or not isfinite(target):
        return None
    return target if abs(target) <= FARTHEST else None


def draw_drive(pen: Pen, drive: Drive, size: float) -> None:
    """Draw the flag at the target of a drive and the arrow of a motor, in the joint frame."""
    if drive.axis not in AXES:
        return
    target = target_of(drive)
    angular = drive.type is Freedom.ANGULAR
    if target is not None:
        (_angular_flag if angular else _linear_flag)(pen, drive.axis, target, size)
    velocity = drive.velocity_target
    if velocity is not None and velocity != 0.0 and not isnan(velocity):
        way = copysign(1.0, velocity)
        (_angular_motor if angular else _linear_motor)(pen, drive.axis, way, size)


def _angular_flag(pen: Pen, axis: int, target: float, size: float) -> None:
    """Draw a hollow diamond on the arc, with a spoke to the arrow that ends there."""
    start, inner, outer = arc_offsets(axis, [target] * 3, np.array([0.7, 0.91, 1.09]) * size)
    left, right = arc_offsets(axis, [target - 0.07, target + 0.07], size)
    pen.path([inner, left, outer, right, inner], Role.DRIVE, thick=True)
    pen.path([start, inner], Role.DRIVE)


def _linear_flag(pen: Pen, axis: int, target: float, size: float) -> None:
    """Draw a hollow diamond across the rail, with a line to the arrow that ends there."""
    middle = rail_offsets(axis, target)
    _, u, w = 0.12 * size * directions(axis)
    pen.path([middle + u, middle + w, middle - u, middle - w, middle + u], Role.DRIVE, thick=True)
    pen.path([middle + u, middle + 1.25 * TARGET_ASIDE / 0.12 * u], Role.DRIVE)


def _angular_motor(pen: Pen, axis: int, way: float, size: float) -> None:
    """Draw a curved arrow with a double head, outside the arc."""
    radius = MOTOR_RADIUS * size
    end = 0.5 * way * MOTOR_SWEEP
    pen.path(arc_offsets(axis, arc_angles(-end, end), radius), Role.DRIVE, thick=True)
    for at in (end, end - way * 0.16):
        barbs = arc_offsets(axis, [at - way * 0.13] * 2, np.array([0.92, 1.08]) * radius)
        pen.barbs(barbs, arc_offsets(axis, at, radius), Role.DRIVE)


def _linear_motor(pen: Pen, axis: int, way: float, size: float) -> None:
    """Draw a straight arrow with a double head, beside the rail."""
    along, side, _ = size * directions(axis)
    start, end = (at * way * along - 0.32 * side for at in (-0.4, 0.4))
    pen.path([start, end], Role.DRIVE, thick=True)
    for tip in (end, end - 0.16 * way * along):
        back = tip - 0.14 * way * along
        pen.barbs((back + 0.08 * side, back - 0.08 * side), tip, Role.DRIVE)
