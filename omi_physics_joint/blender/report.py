# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows what was found: in the list of the Check panel, and on standard error without a window."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import bpy

from ..model.issue import Issue
from .bridge.placed import Placed, owner_of
from .fixes import FIXES
from .properties.scene import OmiIssue, OmiReport

CHECK = "Check"
"""How titles of the Check button begin: only there the scene itself was judged."""


def publish(
    issues: Sequence[Issue],
    title: str,
    placed: Sequence[Placed] = (),
    objects: Sequence[bpy.types.Object | None] = (),
) -> None:
    """Replace the list of issues.

    Args:
        issues: what was found.
        title: what found it: "Check", "Export" or "Import".
        placed: the objects that the issues' nodes index; or
        objects: the objects themselves.
    """
    owners = [owner_of(placed, index) for index in range(len(placed))] or list(objects)
    report = bpy.context.window_manager.omi_physics_joint
    report.title = title
    report.issues.clear()
    report.active = 0
    order = ("error", "warning", "hint")
    for issue in sorted(issues, key=lambda one: order.index(one.severity)):
        line = report.issues.add()
        line.severity, line.code, line.where = issue.severity, issue.code, issue.where
        line.message, line.fix = issue.message, issue.fix
        line.can_fix = title.startswith(CHECK) and issue.code in FIXES
        owner = None
        if issue.node is not None and issue.node < len(owners):
            owner = owners[issue.node]
        if owner is not None:
            line.object_name = owner.name
            line.library = owner.library.filepath if owner.library else ""
        if bpy.app.background:
            print(issue, file=sys.stderr)


def object_of(issue: OmiIssue, scene: bpy.types.Scene) -> bpy.types.Object | None:
    """Return the object that an issue is about; None where it names none that is in the scene."""
    if not issue.object_name or is_gone(issue, scene):
        return None
    key = (issue.object_name, issue.library) if issue.library else issue.object_name
    return bpy.data.objects.get(key)


def is_gone(issue: OmiIssue, scene: bpy.types.Scene) -> bool:
    """Return whether an issue names an object that is not in the scene any more."""
    return bool(issue.object_name) and issue.object_name not in scene.objects


def is_old(report: OmiReport, scene: bpy.types.Scene) -> bool:
    """Return whether a report names something that is gone, so that it should be made anew."""
    named = {issue.object_name for issue in report.issues if issue.object_name}
    return not named <= set(scene.objects.keys())
