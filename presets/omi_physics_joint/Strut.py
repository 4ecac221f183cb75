# SPDX-License-Identifier: GPL-3.0-or-later
"""A rigid rod with a ball joint at both ends: the bodies stay 1 m apart."""

import bpy

preset = bpy.context.window_manager.omi_physics_joint_preset
preset.limits.clear()
preset.drives.clear()

limit = preset.limits.add()  # as long as the rod
limit.freedom = "linear"
limit.axes = (True, True, True)
limit.together = True
limit.linear_min = 1.0
limit.linear_max = 1.0
