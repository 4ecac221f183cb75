# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns about Y from 0 to 90 degrees."""

from math import radians

import bpy

preset = bpy.context.window_manager.omi_physics_joint_preset
preset.limits.clear()
preset.drives.clear()

limit = preset.limits.add()  # holds the place
limit.freedom = "linear"
limit.axes = (True, True, True)

limit = preset.limits.add()  # holds the other turns
limit.freedom = "angular"
limit.axes = (True, False, True)

limit = preset.limits.add()  # opens
limit.freedom = "angular"
limit.axes = (False, True, False)
limit.angular_min = 0.0
limit.angular_max = radians(90.0)
