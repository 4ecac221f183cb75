# SPDX-License-Identifier: GPL-3.0-or-later
"""Change joints that exist, and what operators ask of a joint."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import inf, pi

from bpy.types import Context, Event, Object, Operator, OperatorProperties, UILayout

from ...model.wording.words import counted, some
from ..between_bodies.contact import far_apart
from ..between_bodies.descendants import joints_on, one_look
from ..bridge.placed import bodies_of, body_of, is_dynamic
from ..bridge.poses.frame_users import any_joint, joints_from
from ..bridge.poses.second_frames import below
from ..bridge.read_settings import settings_from_block
from ..data.fields import angle, choice, distance, flag, number, string
from ..data.scene import DIRECTIONS
from ..data.units import sayer
from ..interface.mixins import BaseOperator
from .authoring import AuthoringError, remove_joints, remove_unused
from .conversions import flip, swap_sides
from .editing import (
    connect,
    direction_of,
    into_moving_body,
    merge,
    partner_of,
    reaim,
    separate,
    snap_partner,
)

KINDS = (
    ("WELD", "Weld", "Hold the two bodies together, so that nothing moves"),
    ("PIN", "Pin", "Hold one point of the two bodies together and let them turn"),
    ("HINGE", "Hinge", "Let the active body turn about one axis, like a door"),
    ("SLIDER", "Slider", "Let the active body slide along one axis, like a drawer"),
)
FORGOTTEN = {"SKIP_SAVE"}
"""Blender remembers options of an operator for its next use; these would reverse the next joint."""
BOUNDS = ("angle_min", "angle_max", "distance_min", "distance_max")


class RangeOptions(BaseOperator):
    """Asks for the range of a hinge or a slider."""

    use_range = flag(
        "Limit Range", "Stop the motion at a minimum and a maximum", default=True, options=FORGOTTEN
    )
    angle_min = angle("Minimum", "Smallest angle", options=FORGOTTEN)
    angle_max = angle("Maximum", "Largest angle", default=pi / 2, options=FORGOTTEN)
    distance_min = distance("Minimum", "Smallest distance", options=FORGOTTEN)
    distance_max = distance("Maximum", "Largest distance", default=0.5, options=FORGOTTEN)
    noted_travel = number(options={"HIDDEN", "SKIP_SAVE"})
    noted_range = string(options={"HIDDEN", "SKIP_SAVE"})

    @property
    def said_bounds(self) -> set[str]:
        """The bounds that somebody has said."""
        bounds = {name for name in BOUNDS if self.properties.is_property_set(name)}
        return bounds.difference({"distance_max"} if self.distance_max == self.noted_travel else ())

    def suit_range(self, *, has_one: bool) -> bool:
        """Limit a joint or leave it free as suits it, unless somebody has said it.

        Return whether it has a range that nobody has asked for.
        """
        is_said = self.properties.is_property_set("use_range")
        if is_said and str(self.use_range) != self.noted_range:
            return False
        self.use_range = has_one or bool(self.said_bounds)
        self.noted_range = str(self.use_range)
        return self.use_range and not self.said_bounds

    def suit_travel(self, travel: float) -> None:
        """Let a slider go as far as suits its body, in m, unless somebody has said how far."""
        is_said = self.properties.is_property_set("distance_max")
        if not is_said or self.distance_max == self.noted_travel:
            self.distance_max = travel
            self.noted_travel = self.distance_max

    def range_of(self, kind: str) -> tuple[float, float]:
        """Return the smaller and the larger bound of a kind, in rad or m; infinite if unlimited."""
        bounds = (-inf, inf)
        if self.use_range and kind == "HINGE":
            bounds = (self.angle_min, self.angle_max)
        elif self.use_range and kind == "SLIDER":
            bounds = (self.distance_min, self.distance_max)
        return min(bounds), max(bounds)

    def draw_range(self, layout: UILayout, kind: str) -> None:
        """Draw the bounds of a hinge or a slider."""
        if kind not in {"HINGE", "SLIDER"}:
            return
        layout.prop(self, "use_range")
        column = layout.column(align=True)
        column.active = self.use_range
        unit = "angle" if kind == "HINGE" else "distance"
        column.prop(self, f"{unit}_min")
        column.prop(self, f"{unit}_max")


class JointOperator(BaseOperator):
    """Does one thing to every selected joint, and says which ones refused."""

    done = ""

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for a joint."""
        if context.mode != "OBJECT":
            return "Go to Object Mode first"
        active = context.active_object
        found = (active and any_joint([active])) or any_joint(context.selected_objects)
        return "" if found else "Select a joint, or its second frame"

    def for_each(self, context: Context, action: Callable[[Object], object]) -> set[str]:
        """Do something to each chosen joint."""
        context.view_layer.update()  # adjusting undoes first, after which matrices are old
        done = 0
        with one_look():
            for joint in self.chosen(context):
                try:
                    action(joint)
                    done += 1
                except AuthoringError as error:
                    self.report({"WARNING"}, str(error))
        return self.told(done)

    def chosen(self, context: Context) -> list[Object]:
        """Return the chosen joints that can be changed, and say which ones cannot."""
        joints = chosen_joints(context)
        for joint in joints:
            if not joint.is_editable:
                self.report({"WARNING"}, f"{joint.name} is linked from another file")
        return [joint for joint in joints if joint.is_editable]

    def told(self, done: int, also: str = "") -> set[str]:
        """Say how many joints something was done to, and what else comes of it."""
        said = f"{self.done} {counted(done, 'joint')}{also}"
        return self.finished(said) if done else {"CANCELLED"}


def chosen_joints(context: Context) -> list[Object]:
    """Return the active joint, selected or not, then the selected ones; a partner is its joints."""
    active = context.active_object
    objects = [active] if active else []
    objects += [obj for obj in context.selected_objects if obj != active]
    return joints_from(objects)


class OMI_JOINT_OT_reaim(JointOperator, Operator):
    """Turn the selected joints so that they move along or about another axis, or point their cones along it"""  # noqa: E501

    bl_label = "Change Axis"
    done = "Changed the axis of"

    direction = choice(
        "Axis",
        "The new axis. Local axes are those of the body that holds the joint",
        items=DIRECTIONS,
        default="GLOBAL_Z",
    )

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Take the axis of the sidebar."""
        if not self.properties.is_property_set("direction"):
            self.direction = context.scene.omi_physics_joint.direction
        return self.execute(context)

    def execute(self, context: Context) -> set[str]:
        """Aim each joint; local axes are those of the body above it."""

        def aim(joint: Object) -> None:
            if self.direction == "TOWARDS":
                direction = into_moving_body(joint)
            else:
                direction = direction_of(self.direction, context, joint.parent or joint)
            reaim(joint, direction)

        return self.for_each(context, aim)


class OMI_JOINT_OT_swap_sides(JointOperator, Operator):
    """Move the joint to the other body. Both bodies move as before"""

    bl_label = "Swap Sides"
    done = "Swapped"

    def execute(self, context: Context) -> set[str]:
        """Swap each joint; settings that they share are read once."""
        return self.for_each(context, partial(swap_sides, read=cache(settings_from_block)))


class OMI_JOINT_OT_flip(JointOperator, Operator):
    """Reverse the direction of the selected hinges and sliders: a door that opened inward opens outward"""  # noqa: E501

    bl_label = "Flip Direction"
    done = "Flipped"

    def execute(self, context: Context) -> set[str]:
        """Flip each joint."""
        return self.for_each(context, flip)


class OMI_JOINT_OT_snap_frames(JointOperator, Operator):
    """Put the second frame exactly where the joint is, so that the joint is at rest"""

    bl_label = "Snap Other End to Joint"
    done = "Snapped"

    def execute(self, context: Context) -> set[str]:
        """Snap each joint."""
        return self.for_each(context, snap_partner)


class OMI_JOINT_OT_separate_frames(JointOperator, Operator):
    """Give the second frame an object of its own, or take that away again. The bodies stay"""

    bl_label = "Separate Frames"
    done = "Changed the frames of"

    use_separate = flag("Separate", "Whether the second frame is an object by itself", default=True)

    def execute(self, context: Context) -> set[str]:
        """Do so for each joint; what is left over goes at once."""
        if self.use_separate:
            return self.for_each(context, separate)
        gone: set[Object | None] = set()
        done = self.for_each(context, lambda joint: gone.add(merge(joint)))
        remove_unused(gone)
        return done


class OMI_JOINT_OT_remove(JointOperator, Operator):
    """Remove the selected joints with their second frames. The bodies stay"""

    bl_label = "Remove Joint"
    done = "Removed"

    def execute(self, context: Context) -> set[str]:
        """Remove them all at once, which Blender does ten times as fast as one by one."""
        joints = self.chosen(context)
        bodies = {body: None for joint in joints for body in bodies_of(joint) if body}
        remove_joints(joints)
        with one_look():
            loose = [one.name for one in bodies if is_dynamic(one) and not joints_on(one)]
        return self.told(len(joints), f"; loose now: {some(loose)}" if loose else "")


class OMI_JOINT_OT_connect(BaseOperator, Operator):
    """Connect the joint to the selected body, which becomes its second body"""

    bl_label = "Connect to Body"

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for a joint and a body."""
        chosen = joint_and_body(context)
        if context.mode != "OBJECT" or chosen is None or not chosen[0].is_editable:
            return "In Object Mode, select one joint and the body to connect it to"
        return ""

    def execute(self, context: Context) -> set[str]:
        """Connect it."""
        context.view_layer.update()
        chosen = joint_and_body(context)
        assert chosen is not None
        joint, body = chosen
        try:
            connect(joint, body)
        except AuthoringError as error:
            return self.refused(error, "ERROR")
        other = below(joint) or body
        far = far_apart(body_of(joint) or joint, other, sayer(context.scene))
        return self.finished(f"Connected {joint.name} to {other.name}{far and '. '}{far}")


def joint_and_body(context: Context) -> tuple[Object, Object] | None:
    """Return the one selected joint and the one other object, or None."""
    selected = context.selected_objects
    joints = joints_from(selected)
    if len(joints) != 1:
        return None
    frames = (joints[0], joints[0].omi_physics_joint.connected_node)
    others = [obj for obj in selected if obj not in frames]
    return (joints[0], others[0]) if len(others) == 1 else None


class OMI_JOINT_OT_select_second_frame(BaseOperator, Operator):
    """Select the second frame of the joint, or from there the joint"""

    bl_label = "Select Other End"

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Ask for a frame that has another."""
        obj = context.active_object
        return context.mode == "OBJECT" and obj is not None and partner_of(obj) is not None

    def execute(self, context: Context) -> set[str]:
        """Select it."""
        return select_only(self, context, partner_of(context.active_object))


class OMI_JOINT_OT_select_joint(Operator):
    """Select this joint and make it active"""

    bl_label = "Select Joint"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    object_name = string("Joint", "Name of the object to select", options={"HIDDEN"})
    extend = flag(
        "Extend",
        "Keep what is selected, and leave out what is active already",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    @classmethod
    def description(cls, _context: Context, properties: OperatorProperties) -> str:
        """Say what is selected."""
        return f"Select {properties.object_name}. Ctrl or Shift: keep the others selected"

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Extend the selection with Ctrl or Shift."""
        self.extend = event.ctrl or event.shift
        return self.execute(context)

    def execute(self, context: Context) -> set[str]:
        """Select it."""
        obj = context.scene.objects.get(self.object_name)
        return select_only(self, context, obj, extend=self.extend)


def select_only(
    operator: Operator, context: Context, obj: Object | None, *, extend: bool = False
) -> set[str]:
    """Make an object active and the only selected one, or report why it cannot be.

    To extend keeps the others selected, and leaves out what is active and selected already.
    """
    if obj is None or obj not in set(context.view_layer.objects):  # another may have its name
        operator.report({"WARNING"}, "That object is not in this view layer")
        return {"CANCELLED"}
    if obj.hide_get():
        obj.hide_set(False)
    if extend and obj.select_get() and context.view_layer.objects.active == obj:
        obj.select_set(False)
        return {"FINISHED"}
    for other in () if extend else context.selected_objects:
        other.select_set(False)
    obj.select_set(True)
    context.view_layer.objects.active = obj
    return {"FINISHED"}
