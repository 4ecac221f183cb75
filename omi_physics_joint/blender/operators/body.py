# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies: make, remove, copy, and take over from Blender's own rigid bodies."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty

from ..authoring import make_body
from ..body_editing import add_trigger_parts, copy_body, remove_body
from ..properties.body import MOTIONS
from ..takeover import take_over


def editable(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected objects that can be changed, with the active one."""
    objects = list(context.selected_objects)
    if context.object is not None and context.object not in objects:
        objects.append(context.object)
    return [obj for obj in objects if obj.is_editable]


class SelectionOperator:
    """Needs at least one object that can be changed."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Ask for objects."""
        if not editable(context):
            cls.poll_message_set("Select objects that are not linked from another file")
            return False
        return True


class OMI_OT_body_add(SelectionOperator, bpy.types.Operator):
    """Make the selected objects physics bodies"""

    bl_idname = "omi_joint.body_add"
    bl_label = "Make Physics Body"

    type: EnumProperty(
        name="Motion", description="How the bodies move", items=MOTIONS, default="dynamic"
    )

    @classmethod
    def description(
        cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties
    ) -> str:
        """Say what the button of one motion does."""
        what = next(motion[2] for motion in MOTIONS if motion[0] == properties.type)
        return f"Make the selected objects {properties.type} bodies. {what}"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make the bodies."""
        for obj in editable(context):
            make_body(obj, self.type)
        return {"FINISHED"}


class OMI_OT_body_remove(SelectionOperator, bpy.types.Operator):
    """Make the selected objects plain objects again, without motion, collider and trigger"""

    bl_idname = "omi_joint.body_remove"
    bl_label = "Remove Physics Body"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the bodies."""
        for obj in editable(context):
            remove_body(obj)
        return {"FINISHED"}


class OMI_OT_body_copy(SelectionOperator, bpy.types.Operator):
    """Copy motion, collider and trigger of the active object to the selected objects"""

    bl_idname = "omi_joint.body_copy"
    bl_label = "Copy Body to Selected"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy the body."""
        source = context.object
        targets = [obj for obj in editable(context) if obj != source]
        for obj in targets:
            copy_body(source, obj)
        self.report({"INFO"}, f"Copied to {len(targets)} object{'s' * (len(targets) != 1)}")
        return {"FINISHED"} if targets else {"CANCELLED"}


class OMI_OT_from_rigid_body(SelectionOperator, bpy.types.Operator):
    """Take over Blender's own rigid body and constraint settings of the selected objects"""

    bl_idname = "omi_joint.from_rigid_body"
    bl_label = "Take Over from Rigid Body"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Take them over."""
        bodies, joints, refused = take_over(editable(context))
        for sentence in refused:
            self.report({"WARNING"}, sentence)
        if not bodies and not joints:
            self.report({"WARNING"}, "The selected objects have no rigid body settings")
            return {"CANCELLED"}
        self.report({"INFO"}, f"Took over {bodies} bodies and {joints} joints")
        return {"FINISHED"}


class OMI_OT_trigger_parts(SelectionOperator, bpy.types.Operator):
    """Make the selected triggers below the active object the parts of its compound trigger"""

    bl_idname = "omi_joint.trigger_parts"
    bl_label = "Set Trigger Parts"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set the parts."""
        parts = add_trigger_parts(context.object, context.selected_objects)
        if not parts:
            self.report({"ERROR"}, "Select triggers below the active object as well")
            return {"CANCELLED"}
        self.report({"INFO"}, f"The trigger has {parts} parts")
        return {"FINISHED"}


classes = (
    OMI_OT_body_add,
    OMI_OT_body_remove,
    OMI_OT_body_copy,
    OMI_OT_from_rigid_body,
    OMI_OT_trigger_parts,
)
register, unregister = bpy.utils.register_classes_factory(classes)
