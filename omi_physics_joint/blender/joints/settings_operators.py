# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings: new blocks, what they allow, their lists, and one bound of many joints."""

from __future__ import annotations

from math import inf, isfinite, pi

from bpy.types import Context, Event, Operator, OperatorProperties

from ...model.joint import Freedom
from ...model.settings.recipes import weld
from ...model.settings.spans import locked_axes
from ...model.wording.words import counted, listed, some
from ..bridge.read_settings import settings_of
from ..bridge.write import new_settings
from ..data.fields import angle, choice, distance, flag, integer
from ..data.limits import AXES, FREEDOMS
from ..interface.mixins import BaseOperator, active_of, fields_in
from .authoring import AuthoringError, JointKind, moving_body
from .conversions import FREEDOM_OF, along_which, change_kind, has_range
from .operators import FORGOTTEN, KINDS, JointOperator, RangeOptions, chosen_joints
from .parts import draw_bounds
from .settings_editing import (
    AxisBounds,
    block_of,
    copy_settings,
    driven_by,
    first_bounds,
    limit_range,
    lost_kinds,
    move_item,
    set_bounds,
    travel_along,
)


class OMI_JOINT_OT_settings_new(BaseOperator, Operator):
    """Make a new settings block for this joint: a copy of the current one, or a weld"""

    bl_label = "New Joint Settings"

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Ask for a joint that can be changed."""
        obj = context.object
        return obj is not None and obj.omi_physics_joint.is_joint and obj.is_editable

    def execute(self, context: Context) -> set[str]:
        """Make the block and use it."""
        joint = active_of(context).omi_physics_joint
        current = joint.settings
        joint.settings = current.copy() if current else new_settings(weld())
        return {"FINISHED"}


class OMI_JOINT_OT_change_type(RangeOptions, JointOperator, Operator):
    """Make the selected joints another type. Place, axis and bodies stay"""

    bl_label = "Change Joint Type"

    kind = choice("Type", "What the joint allows", items=KINDS, options=FORGOTTEN)
    keep_range = flag(
        "Keep Range",
        "Keep ranges and motors that mean something for the new type as well",
        default=True,
        options=FORGOTTEN,
    )
    noted_kept = noted_new = integer(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context: Context) -> set[str]:
        """Change them."""
        context.view_layer.update()  # adjusting undoes first, after which matrices are old
        joints = self.chosen(context)
        if not joints:
            return {"CANCELLED"}
        if self.kind == "SLIDER":
            self.suit_travel(travel_along(joints[0]))
        is_usual = self.suit_range(has_one=True)
        kind = JointKind(self.kind, *self.range_of(self.kind))
        self.noted_kept = sum(has_range(joint, self.kind) for joint in joints)
        self.noted_new = len(joints) - self.noted_kept
        driven = driven_by(joints)
        try:
            change_kind(joints, kind, keep_range=self.keep_range)
        except AuthoringError as error:
            return self.refused(error, "ERROR")
        lost = sorted(driven - driven_by(joints))
        for joint in joints if is_usual and FREEDOM_OF.get(self.kind) else ():
            block_of(joint).usual_range = (kind.low, kind.high)
        text = f"{len(joints)} joints are" if len(joints) > 1 else f"{joints[0].name} is"
        without = f", without {listed(lost)}" if lost else ""
        ways = [joint.matrix_world.col[kind.axis].to_3d() for joint in joints]
        way = along_which(self.kind, ways, [moving_body(joint) or joint for joint in joints])
        return self.finished(f"{text} of type {self.kind.title()}{way} now{without}")

    def draw(self, _context: Context) -> None:
        """Draw the type and the range of what has none yet."""
        layout = fields_in(self.layout)
        layout.prop(self, "kind")
        if self.noted_kept:
            layout.prop(self, "keep_range")
        if self.noted_new or not self.keep_range:
            self.draw_range(layout, self.kind)


class SettingsOperator(BaseOperator):
    """Changes the settings of the active joint."""

    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for settings that can be changed."""
        obj = context.object
        if obj is None or not obj.omi_physics_joint.is_joint:
            return "The active object is not a joint"
        settings = obj.omi_physics_joint.settings
        if settings is None:
            return "This joint has no settings yet: make new ones first"
        return "" if settings.is_editable else "These settings are linked from another file"


class OMI_JOINT_OT_list_edit(SettingsOperator, Operator):
    """Add, remove or move an item of the list"""

    bl_label = "Edit List"

    target = choice(
        "List",
        "Which list",
        items=(("limits", "Limits", ""), ("drives", "Drives", "")),
        options={"HIDDEN"},
    )
    action = choice(
        "Action",
        "What to do",
        items=(
            ("ADD", "Add", "Add an item after the active one"),
            ("REMOVE", "Remove", "Remove the active item"),
            ("UP", "Move Up", "Move the active item up"),
            ("DOWN", "Move Down", "Move the active item down"),
        ),
        options={"HIDDEN"},
    )
    freedom = choice("Type", "Of the new item", items=FREEDOMS)

    @classmethod
    def description(cls, _context: Context, properties: OperatorProperties) -> str:
        """Say what the button does."""
        what = "limit" if properties.target == "limits" else "drive"
        if properties.action == "ADD":
            return f"Add a {what}"
        if properties.action == "REMOVE":
            return f"Remove the active {what}"
        return f"Move the active {what} {properties.action.lower()}"

    def execute(self, context: Context) -> set[str]:
        """Change the list."""
        settings = block_of(active_of(context))
        done = move_item(settings, self.target, self.action, self.freedom)
        return {"FINISHED" if done else "CANCELLED"}


class OMI_JOINT_OT_settings_copy(BaseOperator, Operator):
    """Copy the limits and drives of the active joint to all other selected joints"""

    bl_label = "Copy Joint Settings to Selected"

    share = flag(
        "Share",
        "Let all of them use one settings block, so that a later change counts for all",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for joints, the active one with settings."""
        active = context.active_object
        is_joint = active is not None and active.omi_physics_joint.is_joint
        if not is_joint or active.omi_physics_joint.settings is None:
            return "Make the joint active whose settings are to be copied"
        if all(joint == active for joint in chosen_joints(context)):
            return "Select the joints that get the settings, then the one that has"
        return ""

    def execute(self, context: Context) -> set[str]:
        """Copy them."""
        active = context.active_object
        others = [joint for joint in chosen_joints(context) if joint != active]
        lost = lost_kinds(others, settings_of(active))
        done = copy_settings(active, others, share=self.share)
        if not done:
            return self.refused("The selected joints have these settings already")
        return self.finished(f"Copied to {counted(done, 'joint')}{lost}")


class OMI_JOINT_OT_limit_range(SettingsOperator, Operator):
    """Give the selected joints that turn or slide freely a minimum and a maximum"""

    bl_label = "Limit Range"

    def execute(self, context: Context) -> set[str]:
        """Limit it."""
        context.view_layer.update()  # adjusting undoes first, after which matrices are old
        if not any([limit_range(joint) for joint in chosen_joints(context)]):
            return self.refused(f"{active_of(context).name} is not free on one single axis")
        return {"FINISHED"}


class OMI_JOINT_OT_set_limit(BaseOperator, Operator):
    """Set the minimum and maximum of one axis in all selected joints"""

    bl_label = "Set Limits of Selected Joints"

    freedom = choice("Type", "Distances or angles", items=FREEDOMS, default="angular")
    axis = choice("Axis", "Of the joints' frames", items=AXES, default="1")
    use_min = flag("Use Minimum", "If off, there is none", default=True)
    use_max = flag("Use Maximum", "If off, there is none", default=True)
    angle_min = angle("Minimum", "Smallest angle")
    angle_max = angle("Maximum", "Largest angle", default=pi / 2)
    distance_min = distance("Minimum", "Smallest distance")
    distance_max = distance("Maximum", "Largest distance", default=0.5)
    own_copy = flag(
        "Own Copy",
        "Copy settings that joints outside the selection use too, and let the selected "
        "joints use the copy. Off: those others change as well",
        default=True,
    )

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for joints."""
        found = any(joint.omi_physics_joint.settings for joint in chosen_joints(context))
        return "" if found else "Select joints that have settings"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for the numbers, beginning with those of the active joint."""
        blocks = (joint.omi_physics_joint.settings for joint in chosen_joints(context))
        bounds = next((first_bounds(block) for block in blocks if block is not None), None)
        if bounds is not None:
            self._start_from(bounds)
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: Context) -> set[str]:
        """Set them."""
        unit = "distance" if self.freedom == "linear" else "angle"
        low, high = (getattr(self, f"{unit}_{end}") for end in ("min", "max"))
        if self.use_min and self.use_max and low > high:
            return self.refused("The minimum is above the maximum: nothing was changed", "ERROR")
        low, high = low if self.use_min else -inf, high if self.use_max else inf
        chosen, way = chosen_joints(context), Freedom(self.freedom)
        bounds = AxisBounds(way, int(self.axis), low, high)
        moving = [one for one in chosen if bounds.axis not in locked_axes(settings_of(one), way)]
        also = "" if moving else "; that axis was held before"
        moving = moving or chosen
        joints, others = set_bounds(moving, bounds, own_copy=self.own_copy)
        also = f", and {others} others that share their settings" * (others > 0) + also
        if held := [one.name for one in chosen if one not in moving]:
            also += f"; left out, held there: {some(held)}"
        return self.finished(f"Set the limits of {counted(joints, 'joint')}{also}")

    def _start_from(self, bounds: AxisBounds) -> None:
        """Fill in what a caller has not said."""
        unit = "distance" if bounds.freedom == "linear" else "angle"
        values: dict[str, object] = {"freedom": bounds.freedom, "axis": str(bounds.axis)}
        for name, value in (("min", bounds.low), ("max", bounds.high)):
            values[f"use_{name}"] = isfinite(value)
            values[f"{unit}_{name}"] = value if isfinite(value) else 0.0
        for field, start in values.items():
            if not self.properties.is_property_set(field):
                setattr(self, field, start)

    def draw(self, _context: Context) -> None:
        """Draw the fields of the chosen type."""
        layout = fields_in(self.layout)
        unit = "distance" if self.freedom == "linear" else "angle"
        layout.prop(self, "freedom")
        layout.prop(self, "axis", expand=True)
        draw_bounds(layout, self, unit)
        layout.prop(self, "own_copy")
