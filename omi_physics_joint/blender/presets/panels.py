# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of presets: to apply one, and to overwrite shared settings with one."""

from __future__ import annotations

import bpy
from bl_ui.utils import PresetPanel
from bpy.types import Context, Menu, Panel

from .files import ENDING, OLD_ENDING, SUBDIR, shipped_root


class OMI_JOINT_PT_joint_presets(PresetPanel, Panel):
    """Presets of joints"""

    bl_label = "Joint Presets"
    preset_subdir = SUBDIR
    preset_extensions = {ENDING, OLD_ENDING}
    preset_operator = "omi_joint.preset_apply"
    preset_add_operator = "omi_joint.preset_save"

    def draw(self, context: Context) -> None:
        """List the presets, and a way to overwrite shared settings with one."""
        PresetPanel.draw(self, context)
        layout = self.layout
        layout.separator()
        layout.menu("OMI_JOINT_MT_preset_overwrite", icon="FILE_REFRESH")


class OMI_JOINT_MT_preset_overwrite(Menu):
    """Copy a preset into the settings of the active joint: all joints that share them change, selected or not"""  # noqa: E501

    bl_label = "Overwrite Shared Settings"
    preset_subdir = SUBDIR
    preset_extensions = {ENDING, OLD_ENDING}
    preset_operator = "omi_joint.preset_overwrite"

    def draw(self, context: Context) -> None:
        """List the presets; each asks before it changes anything."""
        self.layout.operator_context = "INVOKE_DEFAULT"
        self.draw_preset(context)


def register() -> None:
    """Show Blender where the shipped presets are."""
    bpy.utils.register_preset_path(str(shipped_root()))


def unregister() -> None:
    """Take that back."""
    bpy.utils.unregister_preset_path(str(shipped_root()))
