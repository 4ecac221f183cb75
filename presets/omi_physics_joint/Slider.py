# SPDX-License-Identifier: GPL-3.0-or-later
"""Slides freely along X."""

import bpy

preset = bpy.context.window_manager.omi_physics_joint_preset
preset.limits.clear()
preset.drives.clear()

limit = preset.limits.add()  # holds the other ways
limit.freedom = "linear"
limit.axes = (False, True, True)

limit = preset.limits.add()  # holds every turn
limit.freedom = "angular"
limit.axes = (True, True, True)
