# SPDX-License-Identifier: GPL-3.0-or-later
"""The tab Joints in the sidebar of the 3D view: from two objects to a checked file."""

from __future__ import annotations

import bpy

from ...model.issue import Severity
from ...model.target import Target
from ...model.words import capitalized, counted
from .. import preview
from ..bridge.second_frames import below
from ..fixes import promise
from ..mixins import PanelMixin
from ..properties.scene import OmiReport, OmiScene
from ..purpose import extensions_in_words, target_of
from ..report import REFUSED, is_gone, is_old, object_of
from ..selection import NONE_ACTIVE, frames_among
from ..settings_editing import first_bounds, is_unbounded
from .joint_parts import (
    bodies_in_words,
    draw_bounds,
    draw_help,
    draw_pair,
    draw_summary,
    draw_switch,
    draw_type,
    fault_of,
    joint_of,
    ranged_limit,
)
from .lists import ROWS
from .readers import draw_readers
from .text import draw_text, is_narrow, lines, measure, room
from .words import KIND_ICONS, SEVERITY_ICONS, outcome

DONE = {"Export": "Exported", "Import": "Imported", REFUSED: "Not exported"}
"""By title of a report: how its line begins."""
OLD = "Old: check again"
"""Said of results that may be false by now."""

FIELD_SHARE = 0.7
"""Share of a row that a choice takes beside its name: the longest choice is not cut off."""
HINT = "Select what stays, then Shift-click what moves"


class SidebarPanel(PanelMixin):
    """A panel in our tab of the sidebar; while joints play it is greyed, but stays where it is."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Joints"
    topic = ""

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """Draw the way to the manual."""
        if self.topic:
            draw_help(self.layout, self.topic)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel: nothing in it can be edited while joints play."""
        self.layout.enabled = not preview.is_playing()
        self.draw_inside(self.layout, context)

    def draw_inside(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw what the panel is for: each panel its own."""


class OMI_PT_sidebar_add(SidebarPanel, bpy.types.Panel):
    """Join the selected objects"""

    bl_label = "Add Joint"
    topic = "add"

    def draw_inside(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw what a new joint needs to know, then one button for each kind."""
        narrow = is_narrow(context)
        options = context.scene.omi_physics_joint
        draw_options(layout, options, ("direction", "place"), narrow=narrow)
        draw_kinds(layout, context)
        rows = max(2, len(lines(HINT, room(context, icon=True), measure(context))))
        draw_text(layout, context, what_is_joined(context), "INFO", rows=rows)


class OMI_PT_sidebar_list(SidebarPanel, bpy.types.Panel):
    """All joints of the scene"""

    bl_label = "Joints in Scene"
    topic = "frames"
    bl_order = 1

    def draw_inside(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the list."""
        manager = context.window_manager
        layout.template_list(
            "OMI_UL_joints",
            "",
            context.scene,
            "objects",
            manager,
            "omi_physics_joint_row",
            rows=ROWS,
            maxrows=ROWS,
        )


class OMI_PT_sidebar_joint(SidebarPanel, bpy.types.Panel):
    """The active joint; as high where there is none, so that nothing below it ever moves"""

    bl_label = "Active Joint"
    topic = "axis"
    bl_order = 2

    def draw_header(self, context: bpy.types.Context) -> None:
        """Draw the switch of the joint."""
        self.layout.enabled = not preview.is_playing()
        draw_switch(self.layout, joint_of(context.object))

    def draw_inside(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the joint and its range, each in its own place."""
        joint = joint_of(context.object)
        narrow = is_narrow(context)
        layout.active = joint is None or not joint.omi_physics_joint.mute
        draw_identity(layout, context, joint)
        tree = joint.omi_physics_joint.settings if joint is not None else None
        column = layout.column()
        column.enabled = joint is not None
        draw_type(column, tree, narrow=narrow)
        draw_range(layout, joint, narrow=narrow)
        row = layout.row()
        row.enabled = joint is not None
        row.popover("OMI_PT_joint_presets", icon="PRESET", text="Presets")
        row = draw_pair(layout, narrow=narrow)
        if joint is not None and below(joint) is None:
            row.operator("omi_joint.connect", text="Connect", icon="ADD")
        else:
            icon = "RESTRICT_SELECT_OFF"
            row.operator("omi_joint.select_second_frame", text="Second Frame", icon=icon)
        row.operator("omi_joint.remove", text="Remove", icon="TRASH")
        column = layout.column(align=True)
        column.operator("omi_joint.settings_copy", text="Copy to Selected", icon="COPYDOWN")
        text = "Set Limits" if narrow else "Set Limits of Selected"
        column.operator("omi_joint.set_limit", text=text, icon="OPTIONS")


class OMI_PT_sidebar_check(SidebarPanel, bpy.types.Panel):
    """What is wrong in the scene, and how to mend it"""

    bl_label = "Check"
    topic = "check"
    bl_order = 50

    def draw_inside(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw for whom, the button, and how much was found."""
        draw_readers(layout, context.scene.omi_physics_joint)
        layout.operator("omi_joint.check", icon="CHECKMARK")
        draw_counts(layout, context, context.window_manager.omi_physics_joint)


class OMI_PT_sidebar_check_results(SidebarPanel, bpy.types.Panel):
    """What was found, and how to mend it"""

    bl_label = "Results"
    bl_parent_id = "OMI_PT_sidebar_check"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_inside(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the list, then the active issue in full."""
        report = context.window_manager.omi_physics_joint
        layout.active = not is_old(report, context.scene)
        layout.template_list(
            "OMI_UL_issues", "", report, "issues", report, "active", rows=ROWS, maxrows=ROWS
        )
        if 0 <= report.active < len(report.issues):
            draw_issue(layout, context, report)


class OMI_PT_sidebar_export(SidebarPanel, bpy.types.Panel):
    """Write the scene to a glTF file"""

    bl_label = "Export"
    topic = "export"
    bl_order = 60
    bl_options = {"DEFAULT_CLOSED"}

    def draw_inside(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
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


def what_is_joined(context: bpy.types.Context) -> str:
    """Say what a new joint would join, or what to select."""
    active, selected = context.active_object, context.selected_objects
    if len(selected) < 2:
        return HINT
    if active is None:
        return NONE_ACTIVE
    frames = frames_among(selected)
    if frames:
        which = "these are joints" if len(frames) > 1 else f"{frames[0].name} is a joint"
        return f"Select the bodies to join: {which}"
    others = [obj for obj in selected if obj != active]
    if len(others) == 1:
        return f"{active.name}, on {others[0].name}"
    return f"{counted(len(others), 'object')} and {active.name}"


def draw_options(
    layout: bpy.types.UILayout, options: OmiScene, fields: tuple[str, ...], *, narrow: bool
) -> None:
    """Draw choices, each beside its name, or where it is narrow below it."""
    column = layout.column(align=narrow)
    for field in fields:
        row = column if narrow else column.split(factor=1.0 - FIELD_SHARE)
        row.label(text=OmiScene.bl_rna.properties[field].name)
        row.prop(options, field, text="")


def draw_identity(
    layout: bpy.types.UILayout, context: bpy.types.Context, joint: bpy.types.Object | None
) -> None:
    """Draw four lines: the name of a joint, its bodies, its settings, and what they allow."""
    column = layout.column()
    if joint is None:
        column.label(text="")
        text = "Select a joint" if is_narrow(context) else "Select a joint, here or in the list"
        draw_text(column, context, text, "INFO", rows=1)
        column.label(text="")
        draw_text(column, context, "", rows=1)
        return
    if joint == context.object:
        column.prop(joint, "name", text="", icon="EMPTY_ARROWS")
    else:
        column.label(text=f"Second frame of {joint.name}", icon="LINKED", translate=False)
    draw_text(column, context, bodies_in_words(joint), "BLANK1", rows=1)
    tree = joint.omi_physics_joint.settings
    if joint == context.object:
        column.template_ID(joint.omi_physics_joint, "settings", new="omi_joint.settings_new")
    else:
        column.label(text=tree.name if tree else "", icon="CONSTRAINT", translate=False)
    fault = fault_of(joint, context.scene)
    if fault or tree is None:
        draw_text(column, context, fault, "ERROR", rows=1)
    else:
        draw_summary(column, context, tree)


def draw_range(layout: bpy.types.UILayout, joint: bpy.types.Object | None, *, narrow: bool) -> None:
    """Draw two lines: the bounds of the one limit that leaves a range, where there is just one.

    Where a joint is free on its one axis, there is a button instead that gives it bounds.
    """
    tree = joint.omi_physics_joint.settings if joint is not None else None
    item = ranged_limit(tree) if tree is not None else None
    column = layout.column()
    if tree is None or item is None:
        bounds = first_bounds(tree) if tree is not None else None
        if bounds is not None and is_unbounded(bounds):
            column.operator("omi_joint.limit_range", icon="CHECKBOX_DEHLT")
        else:
            column.label(text="")
        column.label(text="")
        return
    column.enabled = tree.is_editable
    column.use_property_split = True
    column.use_property_decorate = False
    draw_bounds(column, item, narrow=narrow)


def draw_kinds(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw four big buttons, one for each kind of joint.

    They are grey where joints are selected: the operator's poll lets that pass for its redo box.
    """
    grid = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    grid.enabled = len(context.selected_objects) > 1 and not frames_among(context.selected_objects)
    grid.scale_y = 1.5
    grid.operator_context = "INVOKE_DEFAULT"
    for name, icon in KIND_ICONS.items():
        grid.operator("omi_joint.create", text=name, icon=icon).kind = name.upper()


def draw_counts(layout: bpy.types.UILayout, context: bpy.types.Context, report: OmiReport) -> None:
    """Draw in one line what made the report, and how much of each severity it has."""
    if not report.title:
        layout.label(text="Not checked yet", icon="BLANK1")
        return
    if is_old(report, context.scene):
        draw_text(layout, context, OLD, "ERROR", rows=1)
        return
    if not report.issues:
        text = f"{report.title}: no problems"
        draw_text(layout, context, text, "CHECKMARK", rows=1)
        return
    found = [issue.severity for issue in report.issues]
    if report.title in DONE:
        text = outcome(DONE[report.title], found)
        draw_text(layout, context, text, SEVERITY_ICONS[found[0]], rows=1)
        return
    row = layout.row()
    row.label(text=report.title, translate=False)
    right = row.row(align=True)
    right.alignment = "RIGHT"
    for severity in Severity:
        if severity in found:
            right.label(text=str(found.count(severity)), icon=SEVERITY_ICONS[severity])


def draw_issue(
    layout: bpy.types.UILayout, context: bpy.types.Context, report: bpy.types.PropertyGroup
) -> None:
    """Draw what can be done about the active issue, then the issue in full."""
    issue = report.issues[report.active]
    box = layout.box()
    box.active = not is_gone(issue, context.scene)
    row = box.row(align=True)
    select = row.row(align=True)
    select.enabled = bool(issue.object_name) and box.active
    button = select.operator("omi_joint.issue_select", icon="RESTRICT_SELECT_OFF")
    button.index = report.active
    fix = row.row(align=True)
    fix.enabled = issue.can_fix and box.active
    fix.operator("omi_joint.issue_fix", icon="TOOL_SETTINGS").index = report.active
    where = issue.object_name or capitalized(issue.where)
    icon = SEVERITY_ICONS.get(issue.severity, "NONE")
    draw_text(box, context, f"{where}: {issue.message}", icon, boxes=1)
    if issue.fix:
        draw_text(box, context, issue.fix, "FORWARD", boxes=1)
    obj = object_of(issue, context.scene) if issue.can_fix else None
    if obj is not None:
        draw_text(box, context, promise(issue.code, obj), "TOOL_SETTINGS", boxes=1)


classes = (
    OMI_PT_sidebar_add,
    OMI_PT_sidebar_list,
    OMI_PT_sidebar_joint,
    OMI_PT_sidebar_check,
    OMI_PT_sidebar_check_results,
    OMI_PT_sidebar_export,
)
register, unregister = bpy.utils.register_classes_factory(classes)
