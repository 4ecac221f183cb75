# SPDX-License-Identifier: GPL-3.0-or-later
"""Fix of drives by acceleration: by force they do the same, and every engine knows how."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from scenes import box, door, issues, joined

from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.solver import Simulation


def swung() -> np.ndarray:
    """Return where the bodies of the scene are after half a second."""
    simulation = Simulation(mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism)
    for _ in range(120):
        simulation.step(1.0 / 240.0)
    return np.array(simulation.positions)


def free_turn(joint: bpy.types.Object) -> int:
    """Return the axis that a hinge turns about."""
    locked = {
        axis
        for limit in settings_of(joint).limits
        for axis in limit.angular_axes
        if limit.min == limit.max
    }
    (axis,) = {0, 1, 2} - locked
    return axis


def servo(joint: bpy.types.Object, mode: str) -> None:
    """Give a joint a spring and a damper on the axis that is free."""
    drive = joint.omi_physics_joint.settings.drives.add()
    drive.freedom, drive.mode, drive.axis = "angular", mode, str(free_turn(joint))
    drive.use_position_target, drive.angular_position_target = True, 1.0
    drive.stiffness, drive.damping = 30.0, 2.0


def mend(code: str) -> None:
    """Press Fix of the first issue with a code."""
    issues()
    found = bpy.context.window_manager.omi_physics_joint.issues
    index = next(i for i, one in enumerate(found) if one.code == code)
    bpy.ops.omi_joint.issue_fix(index=index)


def test_fix_makes_drives_by_force_that_do_the_same() -> None:
    """Doors that share settings and weigh other things move as before, each by its own numbers."""
    frame, leaf, hinge = door()
    bpy.context.scene.cursor.location = (5.0, 0.0, 0.0)
    other = joined("HINGE", frame, box("Heavy", (7.0, 0.0, 0.0)))
    bpy.data.objects["Heavy"].omi_physics_body.mass = 9.0
    leaf.omi_physics_body.mass = 2.0
    other.omi_physics_joint.settings = hinge.omi_physics_joint.settings
    servo(hinge, "acceleration")
    before = swung()
    mend("godot-acceleration")
    assert "godot-acceleration" not in issues()
    assert swung() == pytest.approx(before, abs=1e-4)
    one, two = (joint.omi_physics_joint.settings for joint in (hinge, other))
    assert one != two
    assert two.drives[0].stiffness > 4.0 * one.drives[0].stiffness > 0.0
