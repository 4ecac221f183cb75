# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of presets, to apply one and to overwrite shared settings with one; with pictures.

A picture shows what joint settings leave, in the lines of the 3D view.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, isfinite, radians, sin
from pathlib import Path

import bpy
import bpy.utils.previews
import numpy as np
from bpy.types import Context, Menu, UILayout
from numpy.typing import NDArray

from ...drawing.layout import Floats
from ...drawing.marks.rods import is_rod, rod_sketch
from ...drawing.picture import drives_sketch, limits_sketch
from ...drawing.strokes import Theme, palette
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.joint import JointSettings
from ...model.settings.spans import spans_of
from ...model.settings.together import together_in
from ..registration import ROOT
from .files import PresetError, grouped, is_shipped, preset_name, read_preset

_PICTURES: list[bpy.utils.previews.ImagePreviewCollection] = []
"""The pictures of presets while the add-on is on, each made when it is first shown."""
SIDE = 32
"""Pixels."""
ACTIVE = 2
"""The emphasis in whose colours it is drawn."""
WIDTHS = (1.1, 2.0)
"""Pixels of a thin and of a thick line."""
SIZE = 0.6
"""Display radius, of the farthest bound of sliding."""
YAW, PITCH = radians(25.0), radians(30.0)
"""How far it is looked at from the side and from above; the axis of hinges, Z, is upright."""
RIGHT = np.array((cos(YAW), sin(YAW), 0.0))
UP = np.array((-sin(YAW) * sin(PITCH), cos(YAW) * sin(PITCH), cos(PITCH)))


class OMI_JOINT_MT_joint_presets(Menu):
    """Presets of joints"""

    bl_label = "Joint Presets"

    def draw(self, _context: Context) -> None:
        """List the presets, a way to save one, and one to overwrite shared settings."""
        layout = self.layout
        layout.operator_context = "EXEC_DEFAULT"
        draw_groups(layout, "omi_joint.preset_apply")
        layout.separator()
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("omi_joint.preset_save", text="Save as Preset...", icon="ADD")
        layout.menu("OMI_JOINT_MT_preset_overwrite", icon="FILE_REFRESH")


class OMI_JOINT_MT_preset_overwrite(Menu):
    """Copy a preset into the settings of the active joint: all joints that share them change, selected or not"""  # noqa: E501

    bl_label = "Overwrite Shared Settings"

    def draw(self, _context: Context) -> None:
        """List the presets; each asks before it changes anything."""
        self.layout.operator_context = "INVOKE_DEFAULT"
        draw_groups(self.layout, "omi_joint.preset_overwrite", removable=False)


def draw_groups(layout: UILayout, operator: str, *, removable: bool = True) -> None:
    """Draw all presets below the names of their groups; those of the user may be removed.

    They stand in two columns: in one the list is higher than what a small window leaves above it.
    """
    groups, drawn = grouped(), 0
    half = sum(1 + len(paths) for paths in groups.values()) / 2
    row = layout.row()
    columns = row.column(), row.column()
    for group, paths in groups.items():
        column = columns[drawn >= half].column(align=True)
        drawn += 1 + len(paths)
        column.label(text=group)
        for path in paths:
            line, name = column.row(align=True), preset_name(path)
            line.alignment = "LEFT"
            button = line.operator(operator, text=name, translate=False, **_picture_of(path))
            button.filepath = str(path)
            if removable and not is_shipped(path):
                remove = line.operator("omi_joint.preset_save", text="", icon="REMOVE")
                remove.name, remove.remove_name = name, True


def _picture_of(path: Path) -> dict[str, str | int]:
    """Return what a button shows of a preset: its joint as it is drawn in the 3D view."""
    pictures, key = _PICTURES[-1], f"{path} {path.stat().st_mtime_ns}"
    if key not in pictures:
        try:
            pixels = thumbnail(Y_UP_FROM_Z_UP.settings(read_preset(path)))
        except PresetError:
            return {"icon": "ERROR"}
        picture = pictures.new(key)
        picture.icon_size = pixels.shape[:2]
        picture.icon_pixels_float = pixels.ravel()
    return {"icon_value": pictures[key].icon_id}


def while_on() -> Iterator[None]:
    """Show Blender where the shipped presets are, and make room for their pictures."""
    bpy.utils.register_preset_path(str(ROOT))
    _PICTURES.append(bpy.utils.previews.new())
    yield
    bpy.utils.unregister_preset_path(str(ROOT))
    bpy.utils.previews.remove(_PICTURES.pop())


def thumbnail(settings: JointSettings) -> NDArray[np.float32]:
    """Return settings in glTF's axes as RGBA, (SIDE, SIDE, 4), the lowest row first.

    All are from 0 to 1, and colours are multiplied by the opacity, as Blender has them in icons.
    """
    bounds = [end for span in spans_of(settings.limits)[:3] for end in (span.low, span.high)]
    bounds += [end for one in together_in(settings.limits) for end in (one.low, one.high)]
    farthest = max((abs(end) for end in bounds if isfinite(end)), default=0.0)
    size = SIZE * farthest or 1.0
    rods = [one for one in together_in(settings.limits) if is_rod(one)]
    limits = rod_sketch(rods[0]) if rods else limits_sketch(settings, size)
    sketches = limits, drives_sketch(settings, size)
    lines = np.concatenate([one.lines for one in sketches])
    roles = np.concatenate([one.roles for one in sketches])
    widths = np.where(np.concatenate([one.thick for one in sketches]), *WIDTHS[::-1])
    flat = lines @ np.stack((RIGHT, UP), axis=1)
    low, high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))
    scale = (SIDE - WIDTHS[1]) / max(*(high - low), 1e-9)
    flat = (flat - 0.5 * (low + high)) * scale + 0.5 * SIDE
    cover = np.clip(0.5 * widths + 0.5 - _distances(flat), 0.0, 1.0)
    nearest = cover.argmax(axis=1)
    pixels: NDArray[np.float32] = palette(Theme())[ACTIVE][roles[nearest]]
    pixels[:, 3] = 1.0
    pixels *= cover.max(axis=1, keepdims=True)
    return pixels.reshape(SIDE, SIDE, 4)


def _distances(lines: Floats) -> Floats:
    """Return how far the middle of each pixel is from segments (n, 2, 2): (SIDE * SIDE, n)."""
    middles = np.stack(np.meshgrid(*[np.arange(SIDE) + 0.5] * 2), axis=-1).reshape(-1, 1, 2)
    start, way = lines[:, 0], lines[:, 1] - lines[:, 0]
    length = np.maximum((way**2).sum(axis=1), 1e-12)
    share = np.clip(((middles - start) * way).sum(axis=2) / length, 0.0, 1.0)
    away = middles - start - share[..., None] * way
    found: Floats = np.hypot(away[..., 0], away[..., 1])
    return found
