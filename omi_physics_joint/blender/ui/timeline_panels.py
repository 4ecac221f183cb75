# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Timeline in the sidebar: simulate, see what is there, bake."""

from __future__ import annotations

import bpy

from ..timeline.state import CacheState, progress, state_of
from .joint_parts import draw_text
from .sidebar import SidebarPanel

KILO = 1000


class OMI_PT_sidebar_timeline(SidebarPanel, bpy.types.Panel):
    """Simulate joints over the frames of the timeline"""

    bl_label = "Timeline"
    bl_order = 30
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the range, the buttons, and where the motion is."""
        layout = self.layout
        scene = context.scene
        if progress.scene_name:
            text = f"{round(100.0 * progress.done)}%   Esc stops, frames so far are kept"
            layout.progress(factor=progress.done, text=text)
            return
        draw_range(layout, scene)
        state = state_of(scene)
        row = layout.row(align=True)
        row.scale_y = 1.3
        row.operator(
            "omi_joint.simulate", text="Simulate Again" if state else "Simulate", icon="PHYSICS"
        )
        if state is None:
            draw_text(layout, context, "Bodies start from where they are now", "INFO")
            return
        row.operator("omi_joint.free_cache", text="", icon="TRASH")
        draw_state(layout, context, state)
        row = layout.row()
        row.operator_context = "INVOKE_DEFAULT"
        row.operator("omi_joint.bake", text="Bake to Keyframes...", icon="KEYINGSET")


def draw_range(layout: bpy.types.UILayout, scene: bpy.types.Scene) -> None:
    """Draw which frames are simulated."""
    options = scene.omi_physics_timeline
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    row = column.row()
    row.prop(options, "range", expand=True)
    if options.range == "CUSTOM":
        pair = column.column(align=True)
        pair.prop(options, "frame_start")
        pair.prop(options, "frame_end")


def draw_state(layout: bpy.types.UILayout, context: bpy.types.Context, state: CacheState) -> None:
    """Draw where the motion is, how much it is, and whether it is still right."""
    box = layout.box()
    many = "body" if state.bodies == 1 else "bodies"
    box.label(text=f"Frames {state.first} - {state.last}, {state.bodies} {many}", icon="TIME")
    kilobytes = max(round(state.size / KILO), 1)
    box.label(text=f"In this file: {kilobytes} kB", icon="FILE_BLEND")
    if not state.outdated:
        box.label(text="Valid", icon="CHECKMARK")
        return
    box.label(text="Outdated: not shown", icon="ERROR")
    reason = f"{state.outdated[:1].upper()}{state.outdated[1:]}"
    draw_text(box, context, f"{reason}. Bodies are at rest; what you moved stays", "BLANK1")


classes = (OMI_PT_sidebar_timeline,)
register, unregister = bpy.utils.register_classes_factory(classes)
