# SPDX-License-Identifier: GPL-3.0-or-later
"""Slides along X within 0.15 m of the middle, on a spring with a damper.

A quarter of a car, 300 kg, sinks in by 0.12 m and rocks at 1.5 Hz, damped to a third of critical.
"""

import bpy

preset = bpy.context.window_manager.omi_physics_joint_preset
preset.limits.clear()
preset.drives.clear()

limit = preset.limits.add()  # travels
limit.freedom = "linear"
limit.axes = (True, False, False)
limit.linear_min = -0.15
limit.linear_max = 0.15

limit = preset.limits.add()  # holds the other ways
limit.freedom = "linear"
limit.axes = (False, True, True)

limit = preset.limits.add()  # holds every turn
limit.freedom = "angular"
limit.axes = (True, True, True)

drive = preset.drives.add()  # springs
drive.freedom = "linear"
drive.axis = "0"  # X
drive.use_position_target = True
drive.linear_position_target = 0.0
drive.stiffness = 25000.0
drive.damping = 2000.0
