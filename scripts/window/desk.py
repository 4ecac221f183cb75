# SPDX-License-Identifier: GPL-3.0-or-later
"""The window as tests and pictures want it: our add-on and its tab, and nothing that blinks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy  # noqa: TID251
import addon_utils  # noqa: TID251 - this runs inside Blender

from .sight import Waiting, area_of, region_of, window

SETTLING = 0.4
"""Seconds that a new layout of the window needs."""


def set_up(*, steady: bool = True) -> Waiting:
    """Enable the add-on, open its tab, and save the empty scene as a start.

    Args:
        steady: let equal scenes come out equal, pixel by pixel; else as pretty as usual.
    """
    preferences = bpy.context.preferences
    preferences.view.show_splash = False
    preferences.view.show_tooltips = False
    preferences.view.smooth_view = 0
    preferences.inputs.use_mouse_continuous = False
    preferences.filepaths.use_auto_save_temporary_files = False
    preferences.use_preferences_save = False
    addon_utils.enable("omi_physics_joint", default_set=True, handle_error=_give_up)
    if steady:
        preferences.system.viewport_aa = "OFF"
        preferences.system.use_overlay_smooth_wire = False
        # Outlines of objects that touch come out by chance a pixel apart.
        area_of("VIEW_3D").spaces[0].shading.show_object_outline = False
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    yield SETTLING
    yield from open_tab()
    bpy.ops.wm.save_as_mainfile(filepath=str(_start()), check_existing=False)
    yield SETTLING


def open_tab() -> Waiting:
    """Open the tab Joints in the sidebar, and the physics tab of the properties."""
    area_of("VIEW_3D").spaces[0].show_region_ui = True
    yield SETTLING  # a region learns of its tabs when it is drawn
    region_of("VIEW_3D", "UI").active_panel_category = "Joints"
    area_of("VIEW_3D").tag_redraw()
    yield SETTLING


def close_area(kind: str) -> Waiting:
    """Close an area, so that its neighbour gets its place."""
    with bpy.context.temp_override(window=window(), area=area_of(kind)):
        bpy.ops.screen.area_close()
    yield SETTLING


def open_start() -> Waiting:
    """Open the empty scene again, with the window as it was and nothing to undo."""
    with bpy.context.temp_override(window=window()):
        bpy.ops.wm.open_mainfile(filepath=str(_start()), load_ui=True)
    yield SETTLING


def _start() -> Path:
    return Path(bpy.utils.resource_path("USER")) / "start.blend"


def _give_up(error: Exception) -> Any:  # noqa: ANN401
    raise error
