# SPDX-License-Identifier: GPL-3.0-or-later
"""Slides along X from 0 to 0.4 m."""

import bpy

preset = bpy.context.window_manager.omi_physics_joint_preset
preset.limits.clear()
preset.drives.clear()

limit = preset.limits.add()  # pulls out
limit.freedom = "linear"
limit.axes = (True, False, False)
limit.linear_min = 0.0
limit.linear_max = 0.4

limit = preset.limits.add()  # holds the other ways
limit.freedom = "linear"
limit.axes = (False, True, True)

limit = preset.limits.add()  # holds every turn
limit.freedom = "angular"
limit.axes = (True, True, True)
