# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics Joints in the popover of the 3D view's overlays."""

from __future__ import annotations

import bpy

from ..simulated.properties import settings_in_use


class OMI_JOINT_PT_overlay(bpy.types.Panel):
    """What is drawn of physics joints"""

    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"
    bl_parent_id = "VIEW3D_PT_overlay"
    bl_label = "Physics Joints"

    def draw_header(self, context: bpy.types.Context) -> None:
        """Draw the switch of everything."""
        self.layout.prop(context.scene.omi_physics_overlay, "show", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the toggles in two columns, then the sizes."""
        options = context.scene.omi_physics_overlay
        layout = self.layout
        layout.active = context.space_data.overlay.show_overlays and options.show
        split = layout.split()
        column = split.column(align=True)
        for name in ("limits", "drives", "frames", "links"):
            column.prop(options, name)
        column = split.column(align=True)
        column.prop(options, "values")
        row = column.row()
        row.active = options.values
        row.prop(options, "text")
        column.prop(options, "in_front")
        column.prop(options, "only_selected")
        settings = settings_in_use(context)
        column.prop(settings, "show_forces")
        column.prop(settings, "show_contacts")
        column = layout.column(align=True)
        column.prop(options, "size")
        column.prop(options, "line_width")
        row = column.row()
        row.active = settings.show_forces or settings.show_contacts
        row.prop(options, "force_size")
