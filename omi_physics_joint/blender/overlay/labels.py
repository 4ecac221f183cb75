# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of the active joint, written beside their marks."""

from __future__ import annotations

import blf
import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

from ...drawing.value_labels import Label, value_labels
from ...model.joint import Freedom
from .scenery import Scenery

SIZE = 11.0
SHADOW = (0.0, 0.0, 0.0, 0.8)
VIOLATED = (1.0, 0.35, 0.35, 1.0)


def draw_labels(context: bpy.types.Context, scenery: Scenery) -> None:
    """Write the values of the active joint into the region of a context."""
    index = scenery.active
    if index is None or index >= scenery.table.count or not scenery.visible[index]:
        return
    if scenery.broken[index]:
        return
    scale = context.preferences.system.ui_scale
    font = 0
    blf.size(font, SIZE * scale)
    blf.enable(font, blf.SHADOW)
    blf.shadow(font, 3, *SHADOW)
    try:
        for label in value_labels(scenery.table, scenery.joints, scenery.values, index):
            _write(context, label, font, scale)
    finally:
        blf.disable(font, blf.SHADOW)


def _write(context: bpy.types.Context, label: Label, font: int, scale: float) -> None:
    place = location_3d_to_region_2d(context.region, context.region_data, Vector(label.point))
    if place is None:
        return
    colour = (
        VIOLATED if label.violated else (*context.preferences.themes[0].view_3d.space.text_hi, 1.0)
    )
    blf.color(font, *colour)
    blf.position(font, place.x + 8.0 * scale, place.y - 0.35 * SIZE * scale, 0.0)
    mark = "! " if label.violated else ""
    blf.draw(font, f"{mark}{label.axis} {number(context.scene, label)}")


def number(scene: bpy.types.Scene, label: Label) -> str:
    """Return a value in the units of a scene."""
    units = scene.unit_settings
    if label.freedom is Freedom.LINEAR:
        value = label.value * (units.scale_length if units.system != "NONE" else 1.0)
        return bpy.utils.units.to_string(
            units.system, "LENGTH", value, precision=4, split_unit=False
        )
    system = "METRIC" if units.system == "NONE" else units.system
    return bpy.utils.units.to_string(system, "ROTATION", label.value, precision=4)
