# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns about Z from 0 to 90 degrees, and a spring closes it.

A door of 20 kg that is 0.8 m wide resists turning with 4.3 kg m^2: this spring closes it in about
three seconds, damped so that it does not slam. About Z, since Godot cannot spring a hinge about Y.
"""

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
limit.axes = (True, True, False)

limit = preset.limits.add()  # opens
limit.freedom = "angular"
limit.axes = (False, False, True)
limit.angular_min = 0.0
limit.angular_max = radians(90.0)

drive = preset.drives.add()  # closes
drive.freedom = "angular"
drive.axis = "2"  # Z
drive.use_position_target = True
drive.angular_position_target = 0.0
drive.stiffness = 8.0
drive.damping = 12.0
