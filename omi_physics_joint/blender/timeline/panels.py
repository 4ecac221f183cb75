# SPDX-License-Identifier: GPL-3.0-or-later
"""Where simulated motion is seen: the panel Timeline in the sidebar, a strip along the timeline.

The strip shows which frames are simulated, and whether they are still right.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import gpu
from bpy.types import Context, Panel, Region, Scene, SpaceDopeSheetEditor, UILayout
from gpu_extras.batch import batch_for_shader

from ...model.wording.words import counted
from ..interface.mixins import fields_in
from ..interface.sidebar import SidebarPanel
from ..interface.text import draw_text
from .cache.storage import told_cache
from .properties import MOTION, OmiMotionCache
from .recording import progress

KILO = 1000
EDITORS = {"VIEW_3D", "DOPESHEET_EDITOR"}
"""Where the panel Timeline and the strip are."""
HEIGHT, SCRUB_AREA = 4.0, 23.0
"""Pixels at a resolution scale of 1: of the strip, and of the frame numbers that it hangs below."""
VALID = (0.30, 0.75, 0.40, 0.9)
OUTDATED = (0.55, 0.55, 0.55, 0.9)
CORNERS = ((0, 1, 2), (0, 2, 3))


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


def strip_of(region: Region, first: int, last: int) -> tuple[tuple[float, float], ...] | None:
    """Return the corners of the strip in pixels, or None where it is out of sight."""
    view = region.view2d
    left = max(view.view_to_region(first, 0.0, clip=False)[0], 0)
    right = min(view.view_to_region(last, 0.0, clip=False)[0], region.width)
    if right <= left:
        return None
    scale = bpy.context.preferences.system.ui_scale
    top, bottom = (region.height - down * scale for down in (SCRUB_AREA, SCRUB_AREA + HEIGHT))
    return (left, bottom), (right, bottom), (right, top), (left, top)


def draw() -> None:
    """Draw the strip in a timeline or dope sheet that shows caches."""
    context = bpy.context
    cache = told_cache(context.scene) if context.space_data.show_cache else None
    if cache is None:
        return
    corners = strip_of(context.region, cache.frame_start, cache.frame_end)
    if corners is None:
        return
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    batch = batch_for_shader(shader, "TRIS", {"pos": corners}, indices=CORNERS)
    gpu.state.blend_set("ALPHA")
    shader.uniform_float("color", OUTDATED if cache.outdated else VALID)
    batch.draw(shader)
    gpu.state.blend_set("NONE")


def while_on() -> Iterator[None]:
    """Draw where there is a window."""
    space, is_seen = SpaceDopeSheetEditor, not bpy.app.background
    handle = space.draw_handler_add(draw, (), "WINDOW", "POST_PIXEL") if is_seen else None
    yield
    if handle is not None:
        space.draw_handler_remove(handle, "WINDOW")
