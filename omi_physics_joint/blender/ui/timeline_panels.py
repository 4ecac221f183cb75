# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Timeline in the sidebar: simulate, see what is there, bake."""

from __future__ import annotations

import bpy

from ...model.words import capitalized, counted
from ..timeline.state import CacheState, progress, state_of
from .sidebar import SidebarPanel
from .text import draw_text

KILO = 1000


class OMI_PT_sidebar_timeline(SidebarPanel, bpy.types.Panel):
    """Simulate joints over the frames of the timeline"""

    bl_label = "Timeline"
    topic = "timeline"
    bl_order = 30
    bl_options = {"DEFAULT_CLOSED"}

    def draw_inside(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the range, the buttons, and where the motion is."""
        scene = context.scene
        column = layout.column()
        column.enabled = not progress.scene_name
        draw_range(column, scene)
        state = state_of(scene)
        row = layout.row(align=True)
        row.scale_y = 1.3
        if progress.scene_name:
            text = f"{round(100.0 * progress.done)}%   Esc stops"
            row.progress(factor=progress.done, text=text)
            draw_text(layout, context, "Frames so far are kept", "INFO")
            return
        text = "Simulate Again" if state else "Simulate"
        row.operator("omi_joint.simulate", text=text, icon="PHYSICS")
        free = row.row(align=True)
        free.enabled = state is not None
        free.operator("omi_joint.free_cache", text="", icon="TRASH")
        row = layout.row()
        row.enabled = state is not None
        row.operator_context = "INVOKE_DEFAULT"
        row.operator("omi_joint.bake", text="Bake to Keyframes...", icon="KEYINGSET")
        if state is None:
            draw_text(layout, context, "Starts from the current pose", "INFO")
        else:
            draw_state(layout, context, state)


def draw_range(layout: bpy.types.UILayout, scene: bpy.types.Scene) -> None:
    """Draw which frames are simulated."""
    options = scene.omi_physics_timeline
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    row = column.row()
    row.prop(options, "range", expand=True)
    pair = column.column(align=True)
    pair.enabled = options.range == "CUSTOM"
    pair.prop(options, "frame_start")
    pair.prop(options, "frame_end")


def draw_state(layout: bpy.types.UILayout, context: bpy.types.Context, state: CacheState) -> None:
    """Draw where the motion is, how much it is, and whether it is still right."""
    box = layout.box()
    lines = [
        ("TIME", f"Frames {state.first} - {state.last}, {counted(state.bodies, 'body')}"),
        ("FILE_BLEND", f"In this file: {max(round(state.size / KILO), 1)} kB"),
    ]
    if state.outdated:
        reason = capitalized(state.outdated)
        lines.append(("ERROR", "Outdated: not shown"))
        lines.append(("BLANK1", f"{reason}. Simulate again"))
    else:
        lines.append(("CHECKMARK", "Valid"))
    for icon, text in lines:
        draw_text(box, context, text, icon, boxes=1)


classes = (OMI_PT_sidebar_timeline,)
register, unregister = bpy.utils.register_classes_factory(classes)
