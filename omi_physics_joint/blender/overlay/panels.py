# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the joints is drawn in the 3D view, saved with the scene, and where that is chosen."""

from __future__ import annotations

import bpy

from ..data.fields import flag, number
from ..registration import OVERRIDABLE
from ..simulated.properties import settings_in_use


class OMI_JOINT_PG_overlay(bpy.types.PropertyGroup):
    """Toggles in the overlays of the 3D view."""

    show = flag("Physics Joints", "Show the joints of this scene and their limits", default=True)
    only_selected = flag("Only Selected", "Show only joints that are selected, or whose bodies are")
    frames = flag(
        "Frames",
        "Axes of the joint: solid arrows, and hollow ones for its second frame",
        default=True,
    )
    limits = flag(
        "Limits", "Arcs, cones, rails and boxes that show how far the joint moves", default=True
    )
    values = flag("Values", "Mark the current value of each joint within its limits", default=True)
    text = flag("Numbers", "Show the values of the active joint as numbers", default=True)
    drives = flag("Drives", "Arrows for the targets of springs and for motors", default=True)
    links = flag("Links", "Dashed lines to second frames that are apart", default=True)
    in_front = flag(
        "In Front",
        "Draw joints in front of everything; if off, they are faint behind objects",
        default=True,
    )
    size = number(
        "Size",
        "Size of arcs and frames, as a factor on the display size of a joint's empty",
        default=1.0,
        min=0.01,
        soft_min=0.1,
        soft_max=5.0,
        max=1000.0,
    )
    line_width = number(
        "Line Width", "Width of thin lines", default=1.0, min=0.5, max=10.0, subtype="PIXEL"
    )
    force_size = number(
        "Force Size",
        "Factor on the arrows of forces; the largest is a fifth of the mechanism, and "
        "half of that shows its weight",
        default=1.0,
        min=0.01,
        soft_max=5.0,
    )


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


POINTERS = ((bpy.types.Scene, "omi_physics_overlay", OMI_JOINT_PG_overlay, OVERRIDABLE),)
