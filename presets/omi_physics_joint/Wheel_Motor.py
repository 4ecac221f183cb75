# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns freely about Z, driven to 10 radians per second with at most 50 N m.

A wheel of 10 kg with a radius of 0.3 m reaches that speed in a fraction of a second.
"""

import bpy

preset = bpy.context.window_manager.omi_physics_joint_preset
preset.limits.clear()
preset.drives.clear()

limit = preset.limits.add()  # holds the place
limit.freedom = "linear"
limit.axes = (True, True, True)

limit = preset.limits.add()  # holds the other turns
limit.freedom = "angular"
limit.axes = (True, True, False)

drive = preset.drives.add()  # drives
drive.freedom = "angular"
drive.axis = "2"  # Z
drive.use_velocity_target = True
drive.angular_velocity_target = 10.0
drive.damping = 5.0
drive.use_max_force = True
drive.max_force = 50.0
