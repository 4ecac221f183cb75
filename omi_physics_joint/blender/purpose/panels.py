# SPDX-License-Identifier: GPL-3.0-or-later
"""Where it is chosen for whom a scene is, and the panel Export in the sidebar."""

from __future__ import annotations

from bpy.types import Context, Panel, UILayout

from ...model.readers import PROFILES, Reader
from ...model.wording.words import counted
from ..data.scene import OMI_JOINT_PG_scene
from ..interface.sidebar import SidebarPanel, draw_options
from .chosen import chooses_dialect, extensions_in_words


class OMI_JOINT_PT_readers(Panel):
    """Who reads the files of this scene: Check says what they do otherwise"""

    bl_label = "Readers"
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"
    bl_ui_units_x = 10

    def draw(self, context: Context) -> None:
        """Draw a button for each reader."""
        self.layout.label(text="Readers")
        self.layout.column(align=True).prop(context.scene.omi_physics_joint, "readers")
        self.layout.label(text="Shift-click for several")


def draw_readers(layout: UILayout, options: OMI_JOINT_PG_scene) -> None:
    """Draw who is chosen, as the way to choose others."""
    layout.popover("OMI_JOINT_PT_readers", text=readers_in_words(options.readers), icon="COMMUNITY")


def readers_in_words(chosen: set[str]) -> str:
    """Return "For Godot", "For 3 readers" or "As specified"."""
    if len(chosen) > 1:
        return f"For {counted(len(chosen), 'reader')}"
    names = [PROFILES[Reader[one]].name for one in chosen]
    return f"For {names[0]}" if names else "As specified"


class OMI_JOINT_PT_sidebar_export(SidebarPanel, Panel):
    """Write the scene to a glTF file"""

    bl_label = "Export"
    topic = "export"
    bl_order = 60
    bl_options = {"DEFAULT_CLOSED"}

    def draw_inside(self, layout: UILayout, context: Context) -> None:
        """Draw the options that matter to joints, then the exporter's button."""
        options = context.scene.omi_physics_joint
        layout.prop(options, "use_export")
        column = layout.column()
        column.active = options.use_export
        column.prop(options, "strict")
        draw_options(column, options, ("target",), narrow=True)
        row = column.column()
        row.active = chooses_dialect(context.scene)
        draw_options(row, options, ("dialect",), narrow=True)
        written = extensions_in_words(context.scene)
        if written:
            column.label(text=written)
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("export_scene.gltf", text="Export glTF...", icon="EXPORT")
