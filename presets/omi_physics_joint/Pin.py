# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds one point and lets every turn be."""

import bpy

preset = bpy.context.window_manager.omi_physics_joint_preset
preset.limits.clear()
preset.drives.clear()

limit = preset.limits.add()  # holds the place
limit.freedom = "linear"
limit.axes = (True, True, True)
