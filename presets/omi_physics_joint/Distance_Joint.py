# SPDX-License-Identifier: GPL-3.0-or-later
"""A spring that holds two bodies 0.5 m to 1 m apart, and lets go in between."""

import bpy

preset = bpy.context.window_manager.omi_physics_joint_preset
preset.limits.clear()
preset.drives.clear()

limit = preset.limits.add()  # gives way beyond either end
limit.freedom = "linear"
limit.axes = (True, True, True)
limit.together = True
limit.linear_min = 0.5
limit.linear_max = 1.0
limit.use_stiffness = True
limit.stiffness = 1000.0
limit.use_damping = True
limit.damping = 20.0
