# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds one point and leans 45 degrees in any direction from Y; twists freely about it."""

from math import radians

import bpy

preset = bpy.context.window_manager.omi_physics_joint_preset
preset.limits.clear()
preset.drives.clear()

limit = preset.limits.add()  # holds the place
limit.freedom = "linear"
limit.axes = (True, True, True)

limit = preset.limits.add()  # leans
limit.freedom = "angular"
limit.axes = (True, False, True)
limit.together = True
limit.use_min = False
limit.angular_max = radians(45.0)
