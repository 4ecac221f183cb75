# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives as far as they do not depend on the pose: where they pull to, which way they push."""

from __future__ import annotations

from math import copysign, isfinite, isnan

import numpy as np

from ...model.joint import AXES, Drive, Freedom
from ..bounds import FARTHEST
from ..layout import arc_offsets, rail_offsets
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
    inner, outer = arc_offsets(axis, [target, target], [0.91 * size, 1.09 * size])
    left, right = arc_offsets(axis, [target - 0.07, target + 0.07], size)
    pen.path([inner, left, outer, right, inner], Role.DRIVE, thick=True)
    pen.path([arc_offsets(axis, target, 0.7 * size), inner], Role.DRIVE)


def _linear_flag(pen: Pen, axis: int, target: float, size: float) -> None:
    """Draw a hollow diamond across the rail, with a line to the arrow that ends there."""
    middle = rail_offsets(axis, target)
    u, w = 0.12 * size * np.eye(3)[(axis + 1) % 3], 0.12 * size * np.eye(3)[(axis + 2) % 3]
    pen.path([middle + u, middle + w, middle - u, middle - w, middle + u], Role.DRIVE, thick=True)
    pen.path([middle + u, middle + 1.25 * TARGET_ASIDE / 0.12 * u], Role.DRIVE)


def _angular_motor(pen: Pen, axis: int, way: float, size: float) -> None:
    """Draw a curved arrow with a double head, outside the arc."""
    radius = MOTOR_RADIUS * size
    start = -0.5 * way * MOTOR_SWEEP
    angles = arc_angles(start, -start)
    pen.path(arc_offsets(axis, angles, radius), Role.DRIVE, thick=True)
    for back in (0.0, 0.16):
        at = -start - way * back
        tip = arc_offsets(axis, at, radius)
        for side in (0.92, 1.08):
            barb = arc_offsets(axis, at - way * 0.13, side * radius)
            pen.path([barb, tip], Role.DRIVE, thick=True)


def _linear_motor(pen: Pen, axis: int, way: float, size: float) -> None:
    """Draw a straight arrow with a double head, beside the rail."""
    side = np.eye(3)[(axis + 1) % 3] * size
    beside = -0.32 * side
    start, end = rail_offsets(axis, [-0.4 * way * size, 0.4 * way * size]) + beside
    pen.path([start, end], Role.DRIVE, thick=True)
    along = (end - start) / 0.8
    for back in (0.0, 0.16):
        tip = end - back * along
        for barb in (0.08 * side, -0.08 * side):
            pen.path([tip - 0.14 * along + barb, tip], Role.DRIVE, thick=True)
