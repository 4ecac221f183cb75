# SPDX-License-Identifier: GPL-3.0-or-later
"""Pose a mechanism by hand, key the pose, and go back."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property
from math import radians

import bpy
from bpy.types import Context, Event, Object, Operator
from mathutils import Vector

from ...drawing.mouse.drag import snapped, step_of
from ...model.joint import Freedom
from ...model.wording.words import counted, some
from ...posing import Posed
from ..bridge.placed import body_of
from ..data.units import said, sayer, unit_length
from ..handles.places import in_model, view_of
from ..interface.mixins import BaseOperator, active_of
from ..interface.text import show_keys
from ..play.outlook import locked
from ..play.viewport.picking import Aim
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
from .stands import freedom_of, stand_of

ANGLE_STEP = radians(5.0)
"""rad: whole steps that angles snap to."""
CHANGED = 1e-5
"""m or rad by which a value must differ to be named."""


class Drag:
    """One body that is dragged by one of its points."""

    def __init__(
        self, session: PosingSession, body: Object, place: Vector, length_step: float
    ) -> None:
        """Take hold of a body at a place of the world.

        Distances snap to whole ``length_step``, in Blender's own unit.
        """
        self.session = session
        self._steps = (length_step,) * 3 + (ANGLE_STEP,) * 3
        self.body = body
        self.place = place.copy()
        self._point = session.local(body, place)
        self._start = session.values()
        stands = {joint: stand_of(joint) for joint in self._start}
        self._names = {
            joint: [stand.name(number).lower() if stand else "" for number in range(6)]
            for joint, stand in stands.items()
        }
        self.story = ""
        """What the joints do, as it is shown, in a few words; "" where nothing moves."""

    def move(self, target: Vector, *, snap: bool = False, upright: bool = False) -> Posed:
        """Bring the point to a place of the world and show it; ``upright`` keeps the rotation.

        Raises:
            ReferenceError: an object was deleted meanwhile.
        """
        session = self.session
        posed = session.drag(self.body, self._point, target, upright=upright)
        pose = session.posing.pose()
        if snap:
            session.take_values(self._whole_steps())
        session.write()
        self.story = self._story()
        if snap:
            session.posing.take(pose)  # snapping must not add up from move to move
        return posed

    def _whole_steps(self) -> dict[Object, tuple[float, ...]]:
        """Return the values of the joints that move, each at the nearest whole step."""
        values = self.session.values()
        return {
            joint: tuple(
                snapped(value, step) for value, step in zip(values[joint], self._steps, strict=True)
            )
            for joint, _, _ in self._changed()
        }

    def _changed(self) -> Iterator[tuple[Object, int, float]]:
        """Yield joint, number and value of what is another than at the beginning."""
        for joint, values in self.session.values().items():
            for number, (now, then) in enumerate(zip(values, self._start[joint], strict=True)):
                if abs(now - then) > CHANGED:
                    yield joint, number, now

    def _story(self) -> str:
        """Return what the joints do, in a few words, for the header."""
        parts = []
        for joint, number, value in self._changed():
            amount = said(value, freedom_of(number), bpy.context.scene)
            parts.append(f"{joint.name}: {self._names[joint][number]} {amount}")
        if len(parts) > 2:
            return f"{len(parts)} joint values"
        return ", ".join(parts)

    @cached_property
    def obstacle(self) -> str:
        """Why nothing in the mechanism can move from where it was taken hold of, if that is so."""
        return "".join(locked(self.session.mechanism, sayer(bpy.context.scene))[:1])

    def confirm(self, context: Context) -> None:
        """Keep the pose, select the body, and key what moved where the scene records."""
        note_rest(self._start)
        for other in context.selected_objects:
            other.select_set(False)
        self.body.select_set(True)
        context.view_layer.objects.active = self.body
        key_automatically(context.scene, self.session.moved)

    def cancel(self) -> None:
        """Put everything back bit by bit."""
        self.session.restore()


def take_hold(context: Context, mouse: tuple[float, float]) -> Drag | None:
    """Take hold of the body under the mouse (pixels); None where there is none that joints move."""
    region, view = context.region, context.region_data
    graph = context.evaluated_depsgraph_get()
    hit, place, _, _, obj, matrix = context.scene.ray_cast(graph, *Aim(region, mouse).ray())
    if not hit or matrix != obj.original.matrix_world:
        return None  # nothing, or an instance: the object itself stands elsewhere
    session, body = session_for(obj.original, context), body_of(obj.original)
    if session is None or body not in session.bodies:
        return None
    pixel = view_of(region, view).pixel_size(in_model(place))
    unit = unit_length(context.scene)
    step = step_of(Freedom.LINEAR, pixel, snap=True, fine=False, unit=unit)
    return Drag(session, body, place, step)


KEYS = (
    ("Confirm", ("MOUSE_LMB", "EVENT_RETURN")),
    ("Cancel", ("MOUSE_RMB", "EVENT_ESC")),
    ("Snap", ("EVENT_CTRL",)),
    ("Lock Rotation", ("EVENT_R",)),
)


def tell(operator: Operator, session: PosingSession) -> None:
    """Report what keeps bodies from where their joints put them."""
    if session.linked:
        names = some(session.linked)
        operator.report({"WARNING"}, f"Linked from another file, so left behind: {names}")
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
