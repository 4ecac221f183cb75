# SPDX-License-Identifier: GPL-3.0-or-later
"""What Godot's writer spells otherwise than the specification, put right on the way in."""

from __future__ import annotations

from dataclasses import replace

from ...model.joint import AXES, Drive, Freedom, JointSettings
from ...model.settings.ranges import axis_range

HINGE_AXIS = 2


def is_from_godot(generator: str) -> bool:
    """Return whether a file says that Godot wrote it."""
    return "godot" in generator.lower()


def with_angular_motors(settings: JointSettings) -> JointSettings:
    """Return settings whose hinge motors turn.

    Godot's writer leaves the type of the motor of a HingeJoint3D at "linear", axis 2. Along an
    axis that is fixed such a motor would do nothing, so a turn about Z is what was meant.
    """
    held = all(axis_range(settings, Freedom.LINEAR, axis) == (0.0, 0.0) for axis in AXES)
    if not held or not any(map(_is_mistyped, settings.drives)):
        return settings
    drives = tuple(
        replace(drive, type=Freedom.ANGULAR) if _is_mistyped(drive) else drive
        for drive in settings.drives
    )
    return replace(settings, drives=drives)


def _is_mistyped(drive: Drive) -> bool:
    return (
        drive.type is Freedom.LINEAR
        and drive.axis == HINGE_AXIS
        and drive.velocity_target is not None
        and drive.position_target is None
    )
