# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of presets: to apply one, and to overwrite shared settings with one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy
import bpy.utils.previews
from bpy.types import Context, Menu, UILayout

from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ..registration import ROOT
from .files import PresetError, grouped, is_shipped, preset_name, read_preset
from .pictures import thumbnail

_PICTURES: list[bpy.utils.previews.ImagePreviewCollection] = []
"""The pictures of presets while the add-on is on, each made when it is first shown."""


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
