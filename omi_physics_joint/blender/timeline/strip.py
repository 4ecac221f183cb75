# SPDX-License-Identifier: GPL-3.0-or-later
"""A thin strip along the timeline: which frames are simulated, and whether they are still right."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import gpu
from bpy.types import Region, SpaceDopeSheetEditor
from gpu_extras.batch import batch_for_shader

from .cache.storage import told_cache

EDITORS = {"VIEW_3D", "DOPESHEET_EDITOR"}
"""Where the panel Timeline and the strip are."""
HEIGHT, SCRUB_AREA = 4.0, 23.0
"""Pixels at a resolution scale of 1: of the strip, and of the frame numbers that it hangs below."""
VALID = (0.30, 0.75, 0.40, 0.9)
OUTDATED = (0.55, 0.55, 0.55, 0.9)
CORNERS = ((0, 1, 2), (0, 2, 3))


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
