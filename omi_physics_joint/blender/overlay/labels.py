# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of the active joint, written beside their marks."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import blf
from bpy_extras.view3d_utils import location_3d_to_region_2d

from ...drawing.joint_table import drawn_frames
from ...drawing.value_labels import Label, value_labels
from ..units import said
from .scenery import Scenery

FONT = 0
SIZE = 12.0
WIDE = 90.0
"""Pixels that a number may take beside another."""
SHADOW = (0.0, 0.0, 0.0, 0.8)
VIOLATED = (1.0, 0.65, 0.65, 1.0)


def draw_labels(context: bpy.types.Context, scenery: Scenery) -> None:
    """Write the values of the active joint into the region of a context."""
    index = scenery.active
    if index is None or index >= scenery.table.count or not scenery.visible[index]:
        return
    if scenery.broken[index] or scenery.muted[index]:
        return
    frames = drawn_frames(scenery.table, scenery.joints, scenery.partners)
    scale = context.preferences.system.ui_scale
    blf.size(FONT, SIZE * scale)
    blf.enable(FONT, blf.SHADOW)
    blf.shadow(FONT, 3, *SHADOW)
    try:
        _write(context, value_labels(scenery.table, frames, scenery.values, index), scale)
    finally:
        blf.disable(FONT, blf.SHADOW)


def _write(context: bpy.types.Context, labels: Iterable[Label], scale: float) -> None:
    """Write numbers, from the lowest up, each above the one before where they would meet."""
    places = [
        (place, label)
        for label in labels
        if (place := location_3d_to_region_2d(context.region, context.region_data, label.point))
    ]
    line = 1.35 * SIZE * scale
    used: list[tuple[float, float]] = []
    for place, label in sorted(places, key=lambda pair: pair[0].y):
        x, y = place.x + (30.0 if label.violated else 8.0) * scale, place.y - 0.35 * SIZE * scale
        while any(abs(y - v) < line and abs(x - u) < WIDE * scale for u, v in used):
            y += line
        used.append((x, y))
        hint = context.preferences.themes[0].view_3d.space.text_hi
        blf.color(FONT, *(VIOLATED if label.violated else (*hint, 1.0)))
        blf.position(FONT, x, y, 0.0)
        mark = "! " if label.violated else ""
        way = f"{label.axis} " if label.axis else ""
        blf.draw(FONT, f"{mark}{way}{said(label.value, label.freedom, context.scene)}")
