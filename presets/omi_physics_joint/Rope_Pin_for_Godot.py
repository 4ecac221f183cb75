# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds one point softly and lets every turn be, for ropes and chains in Godot.

These are numbers of softness, as Godot's older engine and the official examples take them, not
newtons per metre: elsewhere a link that hangs on this pin sags far.
"""

import bpy

preset = bpy.context.window_manager.omi_physics_joint_preset
preset.limits.clear()
preset.drives.clear()

limit = preset.limits.add()  # holds the place softly
limit.freedom = "linear"
limit.axes = (True, True, True)
limit.use_stiffness = True
limit.stiffness = 0.5
limit.use_damping = True
limit.damping = 1.0
