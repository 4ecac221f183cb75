# SPDX-License-Identifier: GPL-3.0-or-later
"""Which handles of the active joint are shown in the 3D view: switches in a popover."""

from __future__ import annotations

import bpy

from ..data.fields import flag
from ..registration import OVERRIDABLE


class OMI_JOINT_PG_handles(bpy.types.PropertyGroup):
    """Switches of a scene, in the popover of the gizmos."""

    show_values = flag(
        "Limits and Targets", "Handles for the limits and targets of the active joint", default=True
    )
    show_frame = flag("Frame", "Handles that move and rotate the active joint", default=True)


POINTERS = ((bpy.types.Scene, "omi_physics_handles", OMI_JOINT_PG_handles, OVERRIDABLE),)


def draw(self: bpy.types.Panel, context: bpy.types.Context) -> None:
    """Draw the switches."""
    switches = context.scene.omi_physics_handles
    column = self.layout.column()
    column.active = context.space_data.show_gizmo
    column.label(text="Joint Handles")
    column.prop(switches, "show_values")
    column.prop(switches, "show_frame")


ENTRIES = (("VIEW3D_PT_gizmo_display", draw),)
