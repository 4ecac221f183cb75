# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows what was found: in the list of the Check panel, and on standard error without a window."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b

import bpy
import numpy as np
from bpy.types import Object, Scene

from ...model.issue import Issue, as_one, gathered, worst_first
from ...model.wording.words import capitalized
from ..bridge.placed import PlacedObject, instancers_of, owner_of
from ..bridge.read_groups import rows_in
from ..data.scene import OMI_JOINT_PG_issue, OMI_JOINT_PG_report
from ..interface.signals import signals
from .aging import watch
from .fixes import FIXES

CHECK = "Check"
"""How titles of the Check button begin: only there the scene itself was judged."""
EMPTY = f"{CHECK}: no joints in this scene"
REFUSED = "Export refused"
"""Title of what kept an export from writing a file."""
IMPORT = "Import"
"""Title of what an import found."""
_told_otherwise: list[bool] = []


@contextmanager
def told_otherwise() -> Iterator[None]:
    """Print no issues meanwhile: the command line says them itself."""
    _told_otherwise.append(True)
    try:
        yield
    finally:
        _told_otherwise.pop()


def publish(
    issues: Sequence[Issue],
    title: str,
    placed: Sequence[PlacedObject] = (),
    objects: Sequence[Object | None] = (),
) -> None:
    """Replace the list of issues by what "Check", an "Export" or an "Import" found.

    The issues' nodes are numbers of placed objects, or of objects themselves.
    """
    owners: dict[int | None, Object | None] = dict(enumerate(objects))
    for index in range(len(placed)):
        owners[index] = next(iter(instancers_of(placed, index)), owner_of(placed, index))
    report = bpy.context.window_manager.omi_physics_joint
    report.title = title
    _count_as_new(report)
    report.issues.clear()
    report.active = 0
    is_inside = {index for index, one in enumerate(placed) if one.instance is not None}
    for group in gathered(worst_first(issues)):
        _add(report, group, owners, is_inside)


def publish_more(issues: Sequence[Issue], title: str) -> None:
    """Add to the list of issues what else was found; a list of another title begins anew."""
    report = bpy.context.window_manager.omi_physics_joint
    if report.title != title:
        publish(issues, title)
        return
    for issue in issues:
        _add(report, [issue], {})


def _add(
    report: OMI_JOINT_PG_report,
    alike: Sequence[Issue],
    owners: Mapping[int | None, Object | None],
    is_inside: Container[int | None] = (),
) -> None:
    """Add issues that say the same, the first shown for all; collections are mended inside them."""
    told = as_one(alike)
    if bpy.app.background and not _told_otherwise:
        print(told, file=sys.stderr)
    for issue in alike:
        line, owner = report.issues.add(), owners.get(issue.node)
        line.severity, line.code, line.where = issue.severity, issue.code, issue.where
        line.message, line.fix, line.loss = issue.message, issue.fix, issue.loss
        if owner is not None:
            line.can_fix = issue.code in FIXES and issue.node not in is_inside
            line.object_name = owner.name
            line.library = owner.library.filepath if owner.library else ""
    first = report.issues[-len(alike)]
    first.alike, first.told = len(alike), told.where if len(alike) > 1 else ""


def confirm(title: str) -> None:
    """Have the report of a title count as new: what made it has changed the scene since."""
    report = bpy.context.window_manager.omi_physics_joint
    if report.title == title:
        _count_as_new(report)


def object_of(issue: OMI_JOINT_PG_issue, scene: Scene) -> Object | None:
    """Return the object that an issue is about; None where it names none that is in the scene."""
    return None if is_gone(issue, scene) else named_by(issue)


def named_by(issue: OMI_JOINT_PG_issue) -> Object | None:
    """Return the object that has the name which an issue has noted, wherever it is by now."""
    return bpy.data.objects.get((issue.object_name, issue.library or None))


def told_of(issue: OMI_JOINT_PG_issue) -> str:
    """Return what an issue is about; of instances of a collection which one, of many how many."""
    is_within = issue.where.endswith(f" in {issue.object_name}")
    if issue.told:
        return issue.told
    return issue.where if is_within else issue.object_name or capitalized(issue.where)


def is_gone(issue: OMI_JOINT_PG_issue, scene: Scene) -> bool:
    """Return whether an issue names an object that is not in the scene any more."""
    return bool(issue.object_name) and issue.object_name not in scene.objects


def is_old(report: OMI_JOINT_PG_report, scene: Scene) -> bool:
    """Return whether a report may be false by now: joints were edited, or objects came or went."""
    named = {issue.object_name for issue in report.issues if issue.object_name}
    return report.made_of != _state_of(scene) or not named <= set(scene.objects.keys())


def _count_as_new(report: OMI_JOINT_PG_report) -> None:
    """Have a report be of the scene as it is now."""
    scene = bpy.context.scene
    report.made_of = _state_of(scene)
    watch(scene)


def _state_of(scene: Scene) -> str:
    """Return what differs whenever joints, or the objects of a scene, may be others."""
    uids = np.sort(rows_in(scene.objects, "session_uid", 1, np.int32)[:, 0])
    return f"{signals.edits} {signals.joints} {blake2b(uids.tobytes(), digest_size=8).hexdigest()}"
