# SPDX-License-Identifier: GPL-3.0-or-later
"""Select a whole mechanism, and move it."""

from __future__ import annotations

from collections.abc import Iterator

from bpy.types import Context, Macro, Object, Operator

from ...model.wording.words import counted, some
from ..interface.mixins import BaseOperator
from .connected_objects import objects_to_move, whole_of

MOST_NAMES = 3
"""Objects that a report names."""


class OMI_JOINT_OT_select_mechanism(BaseOperator, Operator):
    """Select all bodies that joints connect to the active object, with its root active

    Colliders and joints follow the bodies that they are parented to. From a static body: all
    mechanisms that hang on it, and that body
    """

    bl_label = "Select Whole Mechanism"

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for Object Mode and an object."""
        is_there = context.mode == "OBJECT" and context.active_object is not None
        return "" if is_there else "Select a body or a joint in Object Mode"

    def execute(self, context: Context) -> set[str]:
        """Select them, and say which could not be."""
        whole = whole_of(context.active_object, context.scene)
        if whole is None:
            name = context.active_object.name
            return self.refused(f"No joint moves {name}: select a body or a joint")
        wanted = objects_to_move(whole)
        here = set(context.view_layer.objects)
        for other in context.selected_objects:
            other.select_set(False)
        for obj in wanted:
            if obj in here:
                obj.hide_set(False)
                obj.select_set(True)
        root = whole.standing or whole.bodies[0]
        if root in here:
            context.view_layer.objects.active = root
        left = [obj.name for obj in wanted if obj not in here or not follows(obj)]
        if left:
            names = some(left, MOST_NAMES)
            self.report({"WARNING"}, f"Hidden, locked or linked, so left behind by moving: {names}")
        else:
            self.report({"INFO"}, f"Selected {counted(len(wanted), 'object')}, {root.name} active")
        return {"FINISHED"}


def follows(obj: Object) -> bool:
    """Return whether an object that was to be selected moves with what is selected."""
    return obj.select_get() and obj.is_editable and not any(obj.lock_location)


class OMI_JOINT_OT_move_mechanism(Macro):
    """Select all bodies that joints connect to the active object, and move them together"""

    bl_label = "Move Whole Mechanism"
    bl_options = {"REGISTER", "UNDO"}


def while_on() -> Iterator[None]:
    """Say what moving consists of."""
    OMI_JOINT_OT_move_mechanism.define("OMI_JOINT_OT_select_mechanism")
    OMI_JOINT_OT_move_mechanism.define("TRANSFORM_OT_translate")
    yield
