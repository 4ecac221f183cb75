# SPDX-License-Identifier: GPL-3.0-or-later
"""Check the scene, go to what was found, and mend it."""

from __future__ import annotations

import bpy
from bpy.types import Context, Object, Operator, Scene

from ...cli.blender_door import uncollected
from ...model.issue import Issue, Severity, summary
from ..bridge.placed import owner_of
from ..bridge.poses.away import rest_pose
from ..data.fields import flag, integer, string
from ..interface.mixins import BaseOperator
from ..joints.authoring import AuthoringError
from ..joints.operators import select_only
from .diagnosis import diagnose_scene, rest_frame
from .fixes import FIXES, promise
from .report import CHECK, EMPTY, is_gone, named_by, object_of, publish

BY_HAND = "This has no automatic fix: follow the advice"
GONE = "Its object is not in the scene any more: check again"
NOT_HERE = "The scene has no such fault, only what was exported or was here before: check again"
"""Why Fix does nothing."""


class OMI_JOINT_OT_check(Operator):
    """Check for errors, engine incompatibilities and likely mistakes"""

    bl_label = "Check Joints"
    bl_options = {"REGISTER"}
    tries = flag(
        "By Trying", "Move it for two seconds as Godot does, and leave out what is not so here"
    )

    @classmethod
    def description(cls, _context: Context, properties: OMI_JOINT_OT_check) -> str:
        """Say what it does besides."""
        more = "; move all for two seconds as Godot does, and leave out what is not so here"
        return str(cls.__doc__) + (more if properties.tries else "")

    def execute(self, context: Context) -> set[str]:
        """Check and fill the list."""
        issues = check_anew(context.scene, tries=self.tries)
        is_bad = any(issue.severity is not Severity.HINT for issue in issues)
        is_empty = context.window_manager.omi_physics_joint.title == EMPTY
        said = EMPTY if is_empty else f"{CHECK}: {summary(issues)}"
        self.report({"WARNING" if is_bad else "INFO"}, said)
        return {"FINISHED"}


@uncollected()
def check_anew(scene: Scene, *, tries: bool = False) -> list[Issue]:
    """Check a scene, fill the list with its issues, and return them."""
    issues, placed = diagnose_scene(scene, tries=tries)
    here = (one.object for one in placed if one.object is not None)
    ours = (o.omi_physics_joint.is_joint or o.omi_physics_body.is_body for o in here)
    title = f"{CHECK} at frame {rest_frame(scene)}" if issues or any(ours) else EMPTY
    publish(issues, title, placed)
    return issues


class IssueOperator(BaseOperator):
    """Does something with one issue of the list."""

    bl_options = {"REGISTER", "UNDO", "INTERNAL"}
    index = integer("Issue", "Number of the issue in the list", options={"HIDDEN"})

    def chosen(self, context: Context) -> tuple[str, Object] | None:
        """Return the code of the issue and its object, or say why there is none."""
        issues = context.window_manager.omi_physics_joint.issues
        if not 0 <= self.index < len(issues):
            self.report({"WARNING"}, "This issue is no longer in the list: check again")
            return None
        issue = issues[self.index]
        obj = object_of(issue, context.scene)
        if obj is None:
            name = issue.object_name or issue.where
            self.report({"WARNING"}, f"{name} is not an object of this scene: check again")
            return None
        return issue.code, obj


class OMI_JOINT_OT_issue_select(IssueOperator, Operator):
    """Select all objects that this is about"""

    bl_label = "Select"

    def execute(self, context: Context) -> set[str]:
        """Select them, the first active."""
        chosen = self.chosen(context)
        if not chosen or select_only(self, context, chosen[1]) == {"CANCELLED"}:
            return {"CANCELLED"}
        lines = list(context.window_manager.omi_physics_joint.issues)[self.index :]
        others = map(named_by, lines[1 : lines[0].alike])
        for obj in set(context.view_layer.objects).intersection(others):
            obj.hide_set(False)
            obj.select_set(True)
        return {"FINISHED"}


class OMI_JOINT_OT_issue_fix(IssueOperator, Operator):
    """Mend this issue, then check again"""

    bl_label = "Fix"

    @classmethod
    def description(cls, context: Context, properties: OMI_JOINT_OT_issue_fix) -> str:
        """Say what is going to be done."""
        issues = context.window_manager.omi_physics_joint.issues
        if not 0 <= properties.index < len(issues):
            return str(cls.__doc__)
        issue = issues[properties.index]
        obj = object_of(issue, context.scene)
        if issue.can_fix and obj is not None:
            return promise(issue.code, obj)
        return GONE if is_gone(issue, context.scene) else BY_HAND

    noted_code = noted_object = string(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context: Context) -> set[str]:
        """Mend it."""
        context.view_layer.update()  # adjusting undoes first, after which matrices are old
        meant = self._meant(context)
        if meant is None:
            return {"CANCELLED"}
        code, obj = meant
        found, placed = diagnose_scene(context.scene)
        owners = [None if one.node is None else owner_of(placed, one.node) for one in found]
        both = zip(found, owners, strict=True)
        issue = next((one for one, owner in both if (one.code, owner) == (code, obj)), None)
        if issue is None:
            return self.refused(NOT_HERE)
        fix = FIXES.get(code)
        if fix is None or not obj.is_editable:
            return self.refused(issue.fix or BY_HAND)
        self.noted_code, self.noted_object = code, obj.name
        try:
            with rest_pose():  # a simulated frame that is shown is no pose to mend anything in
                done = fix.mend(obj)
        except AuthoringError as error:
            return self.refused(error, "ERROR")
        context.view_layer.update()
        return self.finished(f"{done} Now {summary(check_anew(context.scene))}")

    def _meant(self, context: Context) -> tuple[str, Object] | None:
        """Return the code of an issue and its object, or say why there is none.

        Adjusting undoes what was mended, but not the list, which is another one by then.
        """
        noted = bpy.data.objects.get((self.noted_object, None)) if self.noted_code else None
        if noted is not None:
            return self.noted_code, noted
        return self.chosen(context)
