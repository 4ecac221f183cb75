# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Timeline in the sidebar: simulate, see what is there, bake."""

from __future__ import annotations

from bpy.types import Context, Panel, Scene, UILayout

from ...model.wording.words import counted
from ..interface.mixins import fields_in
from ..interface.sidebar import SidebarPanel
from ..interface.text import draw_text
from .cache.storage import told_cache
from .properties import MOTION, OmiMotionCache
from .recording import progress

KILO = 1000


class OMI_JOINT_PT_sidebar_timeline(SidebarPanel, Panel):
    """Simulate joints over the frames of the timeline"""

    bl_label = "Timeline"
    topic = "timeline"
    bl_order = 30
    bl_options = {"DEFAULT_CLOSED"}

    def draw_inside(self, layout: UILayout, context: Context) -> None:
        """Draw the range, the buttons, and where the motion is."""
        scene = context.scene
        column = layout.column()
        column.enabled = progress.done is None
        draw_range(column, scene)
        cache = told_cache(scene)
        row = layout.row(align=True)
        row.scale_y = 1.3
        if progress.done is not None:
            text = f"{round(100.0 * progress.done)}%   Esc stops"
            row.progress(factor=progress.done, text=text)
            draw_text(layout, context, "Frames so far are kept", "INFO")
            return
        text = "Simulate Again" if cache else "Simulate"
        row.operator("omi_joint.simulate", text=text, icon="PHYSICS")
        free = row.row(align=True)
        free.enabled = cache is not None
        free.operator("omi_joint.free_cache", text="", icon="TRASH")
        row = layout.row()
        row.enabled = cache is not None
        row.operator_context = "INVOKE_DEFAULT"
        row.operator("omi_joint.bake", text="Bake to Keyframes...", icon="KEYINGSET")
        if cache is None:
            draw_text(layout, context, "Starts from the current pose", "INFO")
        else:
            draw_state(layout, context, cache)


def draw_range(layout: UILayout, scene: Scene) -> None:
    """Draw which frames are simulated: one's own to edit, or those of the scene to see."""
    options = scene.omi_physics_timeline
    column = fields_in(layout.column())
    row = column.row()
    row.prop(options, "range", expand=True)
    pair = column.column(align=True)
    pair.enabled = options.range == "CUSTOM"
    owner = options if pair.enabled else scene
    is_preview = owner == scene and scene.use_preview_range
    prefix = "frame_preview" if is_preview else "frame"
    pair.prop(owner, f"{prefix}_start", text="Start")
    pair.prop(owner, f"{prefix}_end", text="End")


def draw_state(layout: UILayout, context: Context, cache: OmiMotionCache) -> None:
    """Draw where the motion is, how much it is, and whether it is still right."""
    box = layout.box()
    for icon, text, rows in state_rows(cache):
        draw_text(box, context, text, icon, boxes=1, rows=rows)


def state_rows(cache: OmiMotionCache) -> list[tuple[str, str, int]]:
    """Return icons, texts and numbers of lines: as many of outdated motion, so nothing moves."""
    frames = f"Frames {cache.frame_start} - {cache.frame_end}, {counted(len(cache.bodies), 'body')}"
    reason = f"Outdated: {cache.outdated}. Simulate again"
    return [
        ("TIME", frames, 1),
        ("FILE_BLEND", f"In this file: {max(round(len(cache[MOTION]) / KILO), 1)} kB", 1),
        ("ERROR", reason, 2) if cache.outdated else ("CHECKMARK", "Valid", 2),
    ]
