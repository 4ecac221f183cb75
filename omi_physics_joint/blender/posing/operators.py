# SPDX-License-Identifier: GPL-3.0-or-later
"""Pose a mechanism by hand, key the pose, and go back."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from bpy.types import Context, Event, Operator

from ...model.joint import Freedom
from ...model.wording.words import counted
from ..data.units import said
from ..interface.mixins import BaseOperator, active_of
from ..interface.text import show_keys
from ..play.viewport.picking import Aim
from .dragging import Drag, take_hold
from .session import (
    PosingSession,
    forget_rest,
    key,
    key_automatically,
    note_rest,
    obstacle_here,
    rest_of,
    session_for,
)

KEYS = (
    ("Confirm", ("MOUSE_LMB", "EVENT_RETURN")),
    ("Cancel", ("MOUSE_RMB", "EVENT_ESC")),
    ("Snap", ("EVENT_CTRL",)),
    ("Lock Rotation", ("EVENT_R",)),
)


def tell(operator: Operator, session: PosingSession) -> None:
    """Report what keeps bodies from where their joints put them."""
    for issue in session.moving.issues[:1]:
        operator.report({"WARNING"}, f"{issue.where}: {issue.message}")


class OMI_JOINT_OT_pose_drag(Operator):
    """Drag a body; all bodies that joints connect to it follow, within their limits"""

    bl_label = "Pose Joints"
    bl_options = {"UNDO", "BLOCKING", "INTERNAL"}

    drag: Drag | None = None

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Ask for a 3D view in Object Mode where nothing plays."""
        area = context.area
        return not obstacle_here(context) and area is not None and area.type == "VIEW_3D"

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Take hold of the body under the mouse; where there is none, leave the click to others."""
        region = context.region
        self.start = (event.mouse_prev_press_x - region.x, event.mouse_prev_press_y - region.y)
        self.drag = take_hold(context, self.start)
        if self.drag is None:
            return {"PASS_THROUGH"}
        self.upright = False
        show_keys(context.workspace, KEYS)
        done = self.guarded(self.follow, context, event)
        if done == {"RUNNING_MODAL"}:
            context.window_manager.modal_handler_add(self)
        return done

    def modal(self, context: Context, event: Event) -> set[str]:
        """Follow the mouse until it is let go, or everything is put back."""
        return self.guarded(self.handled, context, event)

    def guarded(
        self, step: Callable[[Context, Event], set[str]], context: Context, event: Event
    ) -> set[str]:
        """Do a step of the drag; whatever goes wrong in it, nothing stays half-way."""
        try:
            return step(context, event)
        except Exception:
            self.end(context, keep=False)
            raise

    def handled(self, context: Context, event: Event) -> set[str]:
        """Do what an event asks for."""
        if event.type in {"ESC", "RIGHTMOUSE"}:
            return self.end(context, keep=False)
        lets_go = event.type == "LEFTMOUSE" and event.value == "RELEASE"
        if lets_go or event.type in {"RET", "NUMPAD_ENTER"}:
            return self.end(context, keep=True)
        # Letting go of Ctrl alone changes nothing: it may come a moment before the button.
        pressed = event.type if event.value == "PRESS" else ""
        self.upright ^= pressed == "R"
        if event.type == "MOUSEMOVE" or pressed in {"LEFT_CTRL", "RIGHT_CTRL", "R"}:
            return self.follow(context, event)
        return {"RUNNING_MODAL"}

    def follow(self, context: Context, event: Event) -> set[str]:
        """Bring the body to the mouse."""
        drag = self.drag
        assert drag is not None
        mouse = (event.mouse_x - context.region.x, event.mouse_y - context.region.y)
        grip, there = (
            Aim(context.region, at).point_at_depth(drag.place) for at in (self.start, mouse)
        )
        try:
            posed = drag.move(drag.place + there - grip, snap=event.ctrl, upright=self.upright)
        except ReferenceError:
            self.report({"WARNING"}, "A body was deleted: posing stopped")
            return self.end(context, keep=False)
        near = "" if posed.reached else "   (limited by joints)"
        told = f"{drag.story}{near}" if drag.story else drag.obstacle or f"nothing moves{near}"
        context.area.header_text_set(f"Pose Joints: {told}")
        return {"RUNNING_MODAL"}

    def end(self, context: Context, *, keep: bool) -> set[str]:
        """Keep the pose or put it back."""
        if context.area is not None:  # else it was closed
            context.area.header_text_set(None)
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        assert self.drag is not None
        if keep:
            self.drag.confirm(context)
            tell(self, self.drag.session)
            return {"FINISHED"}
        self.drag.cancel()
        return {"CANCELLED"}

    def cancel(self, context: Context) -> None:
        """Put everything back when Blender ends the operator itself."""
        self.end(context, keep=False)


class PoseOperator(BaseOperator):
    """Does something with the mechanism that the active object is part of."""

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for an active object in Object Mode where nothing plays."""
        return obstacle_here(context) or ("" if context.object else "Select a body first")

    def execute(self, context: Context) -> set[str]:
        """Do it, or say that there is no mechanism."""
        context.view_layer.update()  # repeating undoes first, after which matrices are old
        active = active_of(context)
        session = session_for(active, context)
        if session is None:
            return self.refused(f"{active.name} is not part of a joint that moves")
        return self.work(context, session)

    @abstractmethod
    def work(self, context: Context, session: PosingSession) -> set[str]:
        """Do what the operator is for."""

    def settle(self, context: Context, session: PosingSession) -> set[str]:
        """Write a pose and key it where the scene records."""
        session.write()
        key_automatically(context.scene, session.moved)
        if not session.last.reached:
            gap = said(session.last.gap, Freedom.LINEAR, context.scene)
            self.report({"WARNING"}, f"Loops stay open by {gap}")
        tell(self, session)
        return {"FINISHED"}


class OMI_JOINT_OT_pose_zero(PoseOperator, Operator):
    """Move all joints of this mechanism to zero, or as near as their limits allow"""

    bl_label = "Zero Pose"

    def work(self, context: Context, session: PosingSession) -> set[str]:
        """Pose it, and keep where it was as its rest."""
        values = session.values()
        note_rest(values)
        session.take_values(dict.fromkeys(values, (0.0,) * 6))
        return self.settle(context, session)


class OMI_JOINT_OT_pose_reset(PoseOperator, Operator):
    """Return the mechanism to its rest pose"""

    bl_label = "Reset Pose"

    def work(self, context: Context, session: PosingSession) -> set[str]:
        """Pose it as it was, where it was posed at all."""
        rest = rest_of(session.joints)
        if not rest:
            return self.refused("This mechanism was not posed", "INFO")
        session.take_values(rest)
        done = self.settle(context, session)
        forget_rest(session.joints)
        return done


class OMI_JOINT_OT_pose_rest(PoseOperator, Operator):
    """Use the current pose as the rest pose for Reset Pose. Limits are not affected"""

    bl_label = "Set Pose as Rest"

    def work(self, _context: Context, session: PosingSession) -> set[str]:
        """Forget where it was."""
        forget_rest(session.joints)
        return {"FINISHED"}


class OMI_JOINT_OT_pose_key(PoseOperator, Operator):
    """Insert keyframes for the location and rotation of all bodies that joints move here"""

    bl_label = "Key Pose"

    def work(self, context: Context, session: PosingSession) -> set[str]:
        """Key bodies, and the values of joints that hold theirs."""
        count = key(session.bodies)
        key(session.valued)
        bodies = counted(count, "body")
        self.report({"INFO"}, f"Keyed {bodies} at frame {context.scene.frame_current}")
        return {"FINISHED"} if count else {"CANCELLED"}
