# SPDX-License-Identifier: GPL-3.0-or-later
"""The drive of a joint that moves on one axis: none, a spring, a motor or a servo."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from bpy.types import Object

from ...model.joint import Drive, DriveMode, Freedom, JointSettings
from ...model.settings.spans import axis_range
from ...model.wording.describe import drive_kind
from ..bridge.read_settings import drive_from_item, settings_from_block
from ..bridge.write import fill_drive
from ..joints.settings_editing import driven_axis, drives_on, free_usual_ranges
from .loads import MadeFor, scaled

STRENGTHS = {
    "spring": (89.0, 5.7, inf),
    "motor": (0.0, 300.0, 110.0),
    "servo": (800.0, 57.0, 110.0),
}
"""Stiffness, damping and largest force for 1 kg or 1 kg m^2. A spring swings at 1.5 Hz, damped to
0.3 of critical; a servo three times as fast, critically damped. A motor does its
most until it lacks a third of a rad/s or m/s; steps of 1/24 s follow that."""
SPEEDS = {Freedom.ANGULAR: 10.0, Freedom.LINEAR: 1.0}
"""Of a new motor, in rad/s and m/s."""


def change_drive(joint: Object, kind: str) -> list[Object]:
    """Make, change or remove the drive of a joint's one axis; "" is none.

    Targets stay where they mean something, strengths are for what the joint carries. Its settings
    change for all joints that share them. A motor takes the range that nobody has asked for, since
    it would stop there.

    Returns:
        The joint, if it has lost its range.

    Raises:
        AuthoringError: it has no settings, not one axis, or several drives on it.
    """
    block = joint.omi_physics_joint.settings
    freedom, axis = driven_axis(block)
    assert block is not None
    indices = drives_on(block, freedom, axis)
    if not kind:
        for index in indices:
            block.drives.remove(index)
        block.active_drive = max(0, min(block.active_drive, len(block.drives) - 1))
        return []
    old = drive_from_item(block.drives[indices[0]]) if indices else None
    if old is not None and drive_kind(old) == kind:
        return []
    low, high = axis_range(settings_from_block(block), freedom, axis)
    place = None if old is None else old.position_target
    speed = None if old is None else old.velocity_target
    stiffness, damping, most = STRENGTHS[kind]
    drive = Drive(
        freedom, DriveMode.FORCE, axis, stiffness=stiffness, damping=damping, max_force=most
    )
    if kind == "motor":
        drive = replace(drive, velocity_target=SPEEDS[freedom] if speed is None else speed)
    else:
        place = min(max(0.0, low), high) if place is None else place
        drive = replace(drive, position_target=place)
    made_for = MadeFor("inertia" if freedom is Freedom.ANGULAR else "mass", 1.0)
    fitted = scaled(JointSettings(drives=(drive,)), made_for, [joint]).drives[0]
    item = block.drives[indices[0]] if indices else block.drives.add()
    fill_drive(item, replace(fitted, unknown="" if old is None else old.unknown))
    block.active_drive = indices[0] if indices else len(block.drives) - 1
    return free_usual_ranges([joint], own_copy=False) if kind == "motor" else []
