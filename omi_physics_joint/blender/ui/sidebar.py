# SPDX-License-Identifier: GPL-3.0-or-later
"""The tab Joints in the sidebar of the 3D view: from two objects to a checked file."""

from __future__ import annotations

import bpy

from ...model.issue import Severity
from .. import preview
from ..report import is_gone, is_old
from .joint_parts import (
    draw_bounds,
    draw_settings,
    draw_switch,
    draw_text,
    draw_type,
    fault_of,
    joint_of,
    ranged_limit,
)
from .words import KIND_ICONS, SEVERITY_ICONS


class SidebarPanel:
    """Places a panel in our tab of the sidebar."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Joints"

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Leave the tab to the panel Play while joints play: nothing can be edited then."""
        return not preview.is_playing()


class OMI_PT_sidebar_add(SidebarPanel, bpy.types.Panel):
    """Join the selected objects"""

    bl_label = "Add Joint"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw what a new joint needs to know, then one button for each kind."""
        layout = self.layout
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        options = context.scene.omi_physics_joint
        column.prop(options, "direction")
        column.prop(options, "place")
        if len(context.selected_objects) < 2:
            draw_text(
                layout,
                context,
                "Select the object that stays, then Shift-click the one that moves",
                "INFO",
            )
        draw_kinds(layout)


class OMI_PT_sidebar_joint(SidebarPanel, bpy.types.Panel):
    """The active joint"""

    bl_label = "Active Joint"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Show for frames and partners."""
        return super().poll(context) and joint_of(context.object) is not None

    def draw_header(self, context: bpy.types.Context) -> None:
        """Draw the switch of the joint."""
        draw_switch(self.layout, joint_of(context.object))

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """Draw the button of the presets."""
        self.layout.emboss = "NONE"
        self.layout.popover("OMI_PT_joint_presets", icon="PRESET", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the joint and its range."""
        layout = self.layout
        joint = joint_of(context.object)
        if joint != context.object:
            layout.label(text=f"Partner of {joint.name}", icon="LINKED", translate=False)
        else:
            layout.prop(joint, "name", text="", icon="EMPTY_ARROWS")
        draw_settings(layout, context, joint)
        fault = fault_of(joint, context.scene)
        tree = joint.omi_physics_joint.settings
        if fault and tree is not None:
            draw_text(layout, context, fault, "ERROR")
            layout.operator("omi_joint.add_partner", icon="ADD")
        item = ranged_limit(tree) if tree is not None else None
        if item is not None:
            column = layout.column()
            column.enabled = tree.is_editable
            column.use_property_split = True
            column.use_property_decorate = False
            draw_bounds(column, item)
        draw_type(layout, tree)
        row = layout.row(align=True)
        row.operator("omi_joint.select_partner", text="Other Frame", icon="RESTRICT_SELECT_OFF")
        row.operator("omi_joint.remove", text="Remove", icon="TRASH")


class OMI_PT_sidebar_list(SidebarPanel, bpy.types.Panel):
    """All joints of the scene"""

    bl_label = "Joints in Scene"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the list."""
        manager = context.window_manager
        self.layout.template_list(
            "OMI_UL_joints", "", context.scene, "objects", manager, "omi_physics_joint_row", rows=4
        )


class OMI_PT_sidebar_check(SidebarPanel, bpy.types.Panel):
    """What is wrong in the scene, and how to mend it"""

    bl_label = "Check"
    bl_order = 50

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the button, and what was found."""
        layout = self.layout
        layout.operator("omi_joint.check", icon="CHECKMARK")
        report = context.window_manager.omi_physics_joint
        if not report.title:
            return
        if not report.issues:
            layout.label(text=f"{report.title}: nothing found", icon="CHECKMARK")
            return
        draw_counts(layout, report)
        if is_old(report, context.scene):
            draw_text(layout, context, "Old: something of this is gone. Check again", "ERROR")
        layout.template_list("OMI_UL_issues", "", report, "issues", report, "active", rows=4)
        if 0 <= report.active < len(report.issues):
            draw_issue(layout, context, report)


class OMI_PT_sidebar_export(SidebarPanel, bpy.types.Panel):
    """Write the scene to a glTF file"""

    bl_label = "Export"
    bl_order = 60

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options that matter to joints, then the exporter's button."""
        layout = self.layout
        options = context.scene.omi_physics_joint
        layout.prop(options, "use_export")
        column = layout.column()
        column.active = options.use_export
        column.prop(options, "strict")
        column.prop(options, "target")
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("export_scene.gltf", text="Export glTF...", icon="EXPORT")


def draw_kinds(layout: bpy.types.UILayout) -> None:
    """Draw four big buttons, one for each kind of joint."""
    grid = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    grid.scale_y = 1.5
    grid.operator_context = "INVOKE_DEFAULT"
    for name, icon in KIND_ICONS.items():
        grid.operator("omi_joint.create", text=name, icon=icon).kind = name.upper()


def draw_counts(layout: bpy.types.UILayout, report: bpy.types.PropertyGroup) -> None:
    """Draw what made the report, and how much of each severity it has."""
    row = layout.row()
    row.label(text=report.title, translate=False)
    found = [issue.severity for issue in report.issues]
    right = row.row(align=True)
    right.alignment = "RIGHT"
    for severity in Severity:
        if severity in found:
            right.label(text=str(found.count(severity)), icon=SEVERITY_ICONS[severity])


def draw_issue(
    layout: bpy.types.UILayout, context: bpy.types.Context, report: bpy.types.PropertyGroup
) -> None:
    """Draw the active issue in full, with what can be done about it."""
    issue = report.issues[report.active]
    box = layout.box()
    draw_text(box, context, issue.message, SEVERITY_ICONS.get(issue.severity, "NONE"))
    if issue.fix:
        draw_text(box, context, issue.fix, "FORWARD")
    if is_gone(issue, context.scene):
        box.active = False
        return
    row = box.row(align=True)
    if issue.object_name:
        select = row.operator("omi_joint.issue_select", icon="RESTRICT_SELECT_OFF")
        select.index = report.active
    if issue.can_fix:
        row.operator("omi_joint.issue_fix", icon="TOOL_SETTINGS").index = report.active


classes = (
    OMI_PT_sidebar_add,
    OMI_PT_sidebar_joint,
    OMI_PT_sidebar_list,
    OMI_PT_sidebar_check,
    OMI_PT_sidebar_export,
)
register, unregister = bpy.utils.register_classes_factory(classes)
