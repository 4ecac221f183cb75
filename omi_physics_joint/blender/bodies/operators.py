# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies: make, remove, copy, and take over from Blender's own rigid bodies."""

from __future__ import annotations

from bpy.types import Context, Object, Operator, OperatorProperties

from ...model.wording.words import counted, some
from ..bridge.read_nodes import WITH_MESHES
from ..data.body import MOTIONS
from ..data.fields import choice
from ..interface.mixins import BaseOperator, active_of
from ..joints.authoring import frames_among, make_bodies, solid_parts
from .editing import add_trigger_parts, copy_body, remove_body, without_frames
from .takeover import take_over


def editable(context: Context) -> list[Object]:
    """Return the selected objects that can be changed, with the active one."""
    objects = list(context.selected_objects)
    if context.object is not None and context.object not in objects:
        objects.append(context.object)
    return [obj for obj in objects if obj.is_editable]


class SelectionOperator(BaseOperator):
    """Needs at least one object that can be changed."""

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for objects that are no joints."""
        chosen = editable(context)
        if not chosen:
            return "Select objects that are not linked from another file"
        if len(frames_among(chosen)) == len(chosen):
            return "Select objects that are to be bodies: these are joints"
        return ""

    def done_to(self, said: str, done: int, skipped: int) -> set[str]:
        """Report what was done and how many frames of joints were passed over."""
        passed = f"{counted(skipped, 'joint frame')} skipped" if skipped else ""
        words = ", ".join(part for part in (said if done else "", passed) if part)
        return self.finished(words) if done else self.refused(words or "Nothing to do")


class ActiveOperator(SelectionOperator):
    """Needs an active object that can be changed: it is the one that others are made like."""

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for an active object, and for objects."""
        return super().lacking(context) if context.object else "No active object: click one"


class OMI_JOINT_OT_body_add(SelectionOperator, Operator):
    """Make the selected objects physics bodies"""

    bl_label = "Make Physics Body"

    type = choice("Motion", "How the bodies move", items=MOTIONS, default="dynamic")

    @classmethod
    def description(cls, _context: Context, properties: OperatorProperties) -> str:
        """Say what the button of one motion does."""
        what = next(motion[2] for motion in MOTIONS if motion[0] == properties.type)
        return f"Make the selected objects {properties.type} bodies. {what}"

    def execute(self, context: Context) -> set[str]:
        """Make the bodies."""
        chosen = editable(context)
        objects = without_frames(chosen)
        make_bodies(dict.fromkeys(objects, self.type))
        said = f"Made {counted(len(objects), f'{self.type} body')}"
        bare = [obj.name for obj in objects if obj.type in WITH_MESHES and not solid_parts(obj)]
        if bare:  # curves, texts, surfaces
            said += f", without a collider: {some(bare)}; make a mesh of it first"
        return self.done_to(said, len(objects), len(chosen) - len(objects))


class OMI_JOINT_OT_body_remove(SelectionOperator, Operator):
    """Make the selected objects plain objects again, without motion, collider and trigger"""

    bl_label = "Remove Physics Body"

    def execute(self, context: Context) -> set[str]:
        """Remove the bodies."""
        for obj in editable(context):
            remove_body(obj)
        return {"FINISHED"}


class OMI_JOINT_OT_body_copy(ActiveOperator, Operator):
    """Copy motion, collider and trigger of the active object to the selected objects"""

    bl_label = "Copy Body to Selected"

    def execute(self, context: Context) -> set[str]:
        """Copy the body."""
        context.view_layer.update()  # adjusting undoes first, after which matrices are old
        source = active_of(context)
        chosen = [obj for obj in editable(context) if obj != source]
        targets = without_frames(chosen)
        anew = sum(map(bool, copy_body(source, targets, context.scene)))
        said = f"Copied to {counted(len(targets), 'object')}"
        said += f", {anew} weighed anew as dense" * (anew > 0)
        return self.done_to(said, len(targets), len(chosen) - len(targets))


class OMI_JOINT_OT_from_rigid_body(SelectionOperator, Operator):
    """Make physics bodies and joints of the selected objects' own rigid bodies and constraints"""

    bl_label = "Convert from Rigid Body"

    def execute(self, context: Context) -> set[str]:
        """Take them over."""
        context.view_layer.update()  # adjusting undoes first, after which matrices are old
        taken = take_over(editable(context))
        for sentence in taken.sentences:
            self.report({"WARNING"}, sentence)
        if not (taken.bodies or taken.parts or taken.joints):
            nothing = "The selected objects have no rigid body settings"
            return {"CANCELLED"} if taken.sentences else self.refused(nothing)
        parts = f" with {counted(taken.parts, 'part')}" if taken.parts else ""
        bodies, joints = counted(taken.bodies, "body"), counted(taken.joints, "joint")
        return self.finished(f"Converted {bodies}{parts} and {joints}")


class OMI_JOINT_OT_trigger_parts(ActiveOperator, Operator):
    """Make the selected triggers below the active object the parts of its compound trigger"""

    bl_label = "Set Trigger Parts"

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for an active object that can be changed."""
        if context.object is not None and not context.object.is_editable:
            return "The active object is linked from another file"
        return super().lacking(context)

    def execute(self, context: Context) -> set[str]:
        """Set the parts."""
        parts = add_trigger_parts(active_of(context), context.selected_objects)
        if not parts:
            return self.refused("Select triggers below the active object as well", "ERROR")
        return self.finished(f"The trigger has {counted(parts, 'part')}")
