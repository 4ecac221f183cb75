# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of presets: to apply one, and to overwrite shared settings with one."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import bpy
from bpy.types import Context, Menu, Panel, UILayout

from ...model.wording.describe import kind
from ..interface.words import KIND_ICONS
from .files import PresetError, grouped, is_shipped, preset_name, read_preset, said_by, shipped_root


class OMI_JOINT_PT_joint_presets(Panel):
    """Presets of joints"""

    bl_label = "Joint Presets"
    bl_space_type = "PROPERTIES"
    bl_region_type = "HEADER"

    def draw(self, context: Context) -> None:
        """List the presets, a field to save one, and a way to overwrite shared settings."""
        layout = self.layout
        layout.emboss = "PULLDOWN_MENU"
        layout.operator_context = "EXEC_DEFAULT"
        draw_groups(layout, "omi_joint.preset_apply")
        layout.separator()
        row, manager = layout.row(), context.window_manager
        field = row.row()
        field.emboss = "NORMAL"
        field.prop(manager, "preset_name", text="")
        row.operator("omi_joint.preset_save", text="", icon="ADD").name = manager.preset_name
        layout.menu("OMI_JOINT_MT_preset_overwrite", icon="FILE_REFRESH")


class OMI_JOINT_MT_preset_overwrite(Menu):
    """Copy a preset into the settings of the active joint: all joints that share them change, selected or not"""  # noqa: E501

    bl_label = "Overwrite Shared Settings"

    def draw(self, _context: Context) -> None:
        """List the presets; each asks before it changes anything."""
        self.layout.operator_context = "INVOKE_DEFAULT"
        draw_groups(self.layout, "omi_joint.preset_overwrite", removable=False)


def draw_groups(layout: UILayout, operator: str, *, removable: bool = True) -> None:
    """Draw all presets below the names of their groups; those of the user may be removed."""
    for group, paths in grouped().items():
        column = layout.column(align=True)
        column.label(text=group)
        for path in paths:
            row, name = column.row(align=True), preset_name(path)
            icon = _icon_of(path, path.stat().st_mtime_ns)
            button = row.operator(operator, text=name, icon=icon, translate=False)
            button.filepath = str(path)
            if removable and not is_shipped(path):
                remove = row.operator("omi_joint.preset_save", text="", icon="REMOVE")
                remove.name, remove.remove_name = name, True


@lru_cache(maxsize=256)
def _icon_of(path: Path, _changed: int) -> str:
    """Return the icon of a preset: its own, or that of the kind of joint that it makes."""
    icon = said_by(path).icon
    if icon in UILayout.bl_rna.functions["operator"].parameters["icon"].enum_items:
        return icon
    try:
        return KIND_ICONS.get(kind(read_preset(path)), "CONSTRAINT")
    except PresetError:
        return "ERROR"


def register() -> None:
    """Show Blender where the shipped presets are."""
    bpy.utils.register_preset_path(str(shipped_root()))


def unregister() -> None:
    """Take that back."""
    bpy.utils.unregister_preset_path(str(shipped_root()))
