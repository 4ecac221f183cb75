# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds one point, leans 45 degrees about X and Z, twists 30 degrees about Y, its axis."""

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
limit.axes = (True, False, False)
limit.angular_min = radians(-45.0)
limit.angular_max = radians(45.0)

limit = preset.limits.add()  # leans
limit.freedom = "angular"
limit.axes = (False, False, True)
limit.angular_min = radians(-45.0)
limit.angular_max = radians(45.0)

limit = preset.limits.add()  # twists
limit.freedom = "angular"
limit.axes = (False, True, False)
limit.angular_min = radians(-30.0)
limit.angular_max = radians(30.0)
