# SPDX-License-Identifier: GPL-3.0-or-later
"""A rope without weight: the bodies are 1 m apart at most, in any direction."""

import bpy

preset = bpy.context.window_manager.omi_physics_joint_preset
preset.limits.clear()
preset.drives.clear()

limit = preset.limits.add()  # as long as the rope
limit.freedom = "linear"
limit.axes = (True, True, True)
limit.together = True
limit.use_min = False
limit.linear_max = 1.0
