# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds one point, leans 45 degrees about Z but only 20 about X, and does not twist about Y.

A round cone of the larger angle, cut off at the smaller one. That is as near as joints of files
come to an oval cone: it is that along both axes, and leaves up to 11 degrees more in between.
"""

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

limit = preset.limits.add()  # leans less this way
limit.freedom = "angular"
limit.axes = (True, False, False)
limit.angular_min = radians(-20.0)
limit.angular_max = radians(20.0)

limit = preset.limits.add()  # holds the twist
limit.freedom = "angular"
limit.axes = (False, True, False)
