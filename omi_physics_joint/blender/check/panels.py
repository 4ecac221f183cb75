# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Check in the sidebar: what Check, an export or an import found, and how to mend it."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, Panel, UILayout, UIList

from ...model.issue import Severity
from ...model.readers import IN_STEPS
from ..data.scene import OMI_JOINT_PG_issue, OMI_JOINT_PG_report
from ..interface.sidebar import SidebarPanel
from ..interface.text import draw_text, parted
from ..interface.words import SEVERITY_ICONS, issue_title, outcome
from ..joints.lists import NAMES, ROWS
from ..purpose.chosen import readers_of
from ..purpose.panels import draw_readers
from .fixes import promise
from .report import EMPTY, REFUSED, is_gone, is_old, object_of, told_of

DONE = {"Export": "Exported", "Import": "Imported", REFUSED: "Not exported"}
"""By title of a report: how its line begins."""
OLD = "Old: check again"
"""Said of results that may be false by now."""


class OMI_JOINT_UL_issues(UIList):
    """What Check, export or import has found"""

    def filter_items(self, _context: Any, data: Any, name: str) -> tuple[list[int], list[int]]:
        """Leave out lines that another is shown for."""
        shown = [0] * len(getattr(data, name))
        getattr(data, name).foreach_get("alike", shown)
        return [self.bitflag_filter_item if alike else 0 for alike in shown], []

    def draw_item(
        self, context: Any, layout: UILayout, data: Any, item: Any, _icon: int, _owner: Any
    ) -> None:
        """Draw how bad an issue is, where and what; grey where its object is gone."""
        issue: OMI_JOINT_PG_issue = item
        what = issue_title(issue.code)
        where = told_of(issue)
        bar = len(data.issues) > ROWS
        share, _ = parted(context, where, [what], NAMES, bar=bar)
        split = layout.split(factor=share)
        split.active = not is_gone(issue, context.scene)
        icon = SEVERITY_ICONS.get(issue.severity, "NONE")
        split.label(text=where, icon=icon, translate=False)
        split.label(text=what, translate=False)


class OMI_JOINT_PT_sidebar_check(SidebarPanel, Panel):
    """What is wrong in the scene, and how to mend it"""

    bl_label = "Check"
    topic = "check"
    bl_order = 50
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, context: Context) -> None:
        """Draw how much was found, also while the panel is closed, and the way to the manual."""
        report, row = context.window_manager.omi_physics_joint, self.layout.row()
        row.active = not is_old(report, context.scene)
        if report.issues:
            icon = SEVERITY_ICONS[report.issues[0].severity]
            row.label(text=str(len(report.issues)), icon=icon)
        SidebarPanel.draw_header_preset(self, context)

    def draw_inside(self, layout: UILayout, context: Context) -> None:
        """Draw for whom, the button, and how much was found."""
        draw_readers(layout, context.scene.omi_physics_joint)
        row = layout.row(align=True)
        row.operator("omi_joint.check", icon="CHECKMARK").tries = False
        if readers_of(context.scene) & IN_STEPS:
            row.operator("omi_joint.check", text="By Trying", icon="PLAY").tries = True
        draw_counts(layout, context, context.window_manager.omi_physics_joint)


class OMI_JOINT_PT_sidebar_check_results(SidebarPanel, Panel):
    """What was found, and how to mend it"""

    bl_label = "Results"
    bl_parent_id = "OMI_JOINT_PT_sidebar_check"

    def draw_inside(self, layout: UILayout, context: Context) -> None:
        """Draw the list, then the active issue in full."""
        report = context.window_manager.omi_physics_joint
        layout.active = not is_old(report, context.scene)
        layout.template_list(
            "OMI_JOINT_UL_issues", "", report, "issues", report, "active", rows=ROWS, maxrows=ROWS
        )
        if 0 <= report.active < len(report.issues):
            draw_issue(layout, context, report)


def draw_counts(layout: UILayout, context: Context, report: OMI_JOINT_PG_report) -> None:
    """Draw in one line what made the report, and how much of each severity it has."""
    if report.title and is_old(report, context.scene):
        draw_text(layout, context, OLD, "ERROR", rows=1)
        return
    if report.title in {"", EMPTY}:
        draw_text(layout, context, report.title or "Not checked yet", "BLANK1", rows=1)
        return
    if not report.issues:
        draw_text(layout, context, f"{report.title}: no problems", "CHECKMARK", rows=1)
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


def draw_issue(layout: UILayout, context: Context, report: OMI_JOINT_PG_report) -> None:
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
    where = told_of(issue)
    icon = SEVERITY_ICONS.get(issue.severity, "NONE")
    draw_text(box, context, f"{where}: {issue.message}", icon, boxes=1)
    if issue.fix:
        draw_text(box, context, issue.fix, "FORWARD", boxes=1)
    obj = object_of(issue, context.scene) if issue.can_fix else None
    if obj is not None:
        draw_text(box, context, promise(issue.code, obj), "TOOL_SETTINGS", boxes=1)
