# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of a frame as a user would type them: 0 and 180°, not -0 m, 0.000001 m and -180°."""

from __future__ import annotations

from math import pi, radians

from bpy.types import Object

NOISE = 1e-6
"""m and rad by which a number may change: what single precision leaves of a placed frame."""
ROUND_LENGTH = 1e-4
"""m: lengths are round that are whole multiples of this."""
ROUND_ANGLE = radians(0.01)
"""rad: angles are round that are whole multiples of this."""


def tidy(frame: Object) -> None:
    """Round the location, Euler angles and scale of an object where they are off by noise."""
    frame.location = [rounded(value, ROUND_LENGTH) for value in frame.location]
    frame.scale = [rounded(value, ROUND_LENGTH) for value in frame.scale]
    if frame.rotation_mode not in {"QUATERNION", "AXIS_ANGLE"}:
        angles = [rounded(value, ROUND_ANGLE) for value in frame.rotation_euler]
        frame.rotation_euler = [pi if value < NOISE - pi else value for value in angles]


def rounded(value: float, step: float) -> float:
    """Return the nearest whole multiple of a step if it differs by noise; zero without a sign."""
    nearest = round(value / step) * step
    return (nearest or 0.0) if abs(value - nearest) <= NOISE else value
