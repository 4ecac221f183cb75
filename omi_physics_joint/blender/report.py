# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows what was found: in the list of the Check panel, and on standard error without a window."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import bpy

from ..model.issue import Issue
from .bridge.placed import Placed
from .fixes import FIXES

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
    owners = [node.object for node in placed] or list(objects)
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
