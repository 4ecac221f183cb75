# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches of the handles in the popover of the gizmos."""

from __future__ import annotations

import bpy


def draw(self: bpy.types.Panel, context: bpy.types.Context) -> None:
    """Draw which handles are shown."""
    switches = context.scene.omi_physics_handles
    column = self.layout.column()
    column.active = context.space_data.show_gizmo
    column.label(text="Joint Handles")
    column.prop(switches, "show_values")
    column.prop(switches, "show_frame")


def register() -> None:
    """Add them to the popover."""
    bpy.types.VIEW3D_PT_gizmo_display.append(draw)


def unregister() -> None:
    """Take them out."""
    bpy.types.VIEW3D_PT_gizmo_display.remove(draw)
