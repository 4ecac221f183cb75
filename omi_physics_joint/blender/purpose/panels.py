# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Export in the sidebar."""

from __future__ import annotations

from bpy.types import Context, Panel, UILayout

from ...model.target import Target
from ..interface.sidebar import SidebarPanel, draw_options
from .choice_of_readers import draw_readers
from .chosen import extensions_in_words, target_of


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
        draw_readers(column, options)
        draw_options(column, options, ("target",), narrow=True)
        row = column.column()
        row.active = target_of(context.scene) is Target.SPECIFIED
        draw_options(row, options, ("dialect",), narrow=True)
        written = extensions_in_words(context.scene)
        if written:
            column.label(text=written)
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("export_scene.gltf", text="Export glTF...", icon="EXPORT")
