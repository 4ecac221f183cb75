# SPDX-License-Identifier: GPL-3.0-or-later
"""Our section in the dialogs of Blender's USD export and import."""

from __future__ import annotations

from bpy.types import Context, Panel, UILayout

from ...usd.stage import is_available

MISSING = ("This Blender lacks the Python module pxr,", "so physics stays out of USD files.")
"""Why nothing is written and read, in lines."""


class _Section:
    bl_space_type = "FILE_BROWSER"
    bl_region_type = "TOOL_PROPS"
    bl_parent_id = "FILE_PT_operator"
    bl_label = "Physics Joints"
    operator = ""
    layout: UILayout

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Show it in one dialog."""
        operator = context.space_data.active_operator
        return operator is not None and operator.bl_idname == cls.operator

    def says_why_not(self) -> bool:
        """Say why nothing is done, where that is so."""
        if not is_available():
            for line in MISSING:
                self.layout.label(text=line, icon="ERROR" if line == MISSING[0] else "BLANK1")
        return not is_available()


class OMI_JOINT_PT_usd_export(_Section, Panel):
    """Physics in the file that is exported."""

    operator = "WM_OT_usd_export"

    def draw_header(self, context: Context) -> None:
        """Draw the switch."""
        row = self.layout.row()
        row.active = is_available()
        row.prop(context.scene.omi_physics_joint, "use_export", text="")

    def draw(self, context: Context) -> None:
        """Draw the options."""
        if self.says_why_not():
            return
        options = context.scene.omi_physics_joint
        self.layout.active = options.use_export
        self.layout.prop(options, "use_belonging")
        self.layout.prop(options, "strict")


class OMI_JOINT_PT_usd_import(_Section, Panel):
    """Physics out of the file that is imported."""

    operator = "WM_OT_usd_import"

    def draw(self, _context: Context) -> None:
        """Say that it is read."""
        if not self.says_why_not():
            self.layout.label(text="Imported with the file", icon="CONSTRAINT")
