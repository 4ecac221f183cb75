# SPDX-License-Identifier: GPL-3.0-or-later
"""Dragging a handle of a joint in the 3D view."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist

import bpy

from ...drawing.mouse.handles import Handle, Part, chosen
from ..bridge.poses.away import is_anything_away
from ..data.fields import choice, integer
from ..data.limits import AXES
from ..data.units import after_key
from ..interface.signals import signals
from ..interface.text import show_keys
from ..joints.authoring import AuthoringError
from . import held
from .frames import FrameDrag
from .held import Drag
from .places import handles_allowed, joint_at_hand, placed_handles, tip_of, view_of
from .values import HeldKeys, ValueDrag

PASSED = ("MIDDLEMOUSE", "WHEEL", "NDOF", "TRACKPAD", "TIMER", "WINDOW")
"""How events begin that look around, which dragging leaves to the view."""
MOVES = ("MOUSE", "INBETWEEN", "LEFT_", "RIGHT_")
"""How events begin that move the mouse or change what its motion means."""
KEY_HINTS = (
    ("Confirm", ("MOUSE_LMB", "EVENT_RETURN")),
    ("Cancel", ("MOUSE_RMB", "EVENT_ESC")),
    ("Snap", ("EVENT_CTRL",)),
    ("Fine", ("EVENT_SHIFT",)),
)
MORE_HINTS = {
    Part.MIN: (("Both Limits", ("EVENT_ALT",)),),
    Part.MAX: (("Both Limits", ("EVENT_ALT",)),),
    Part.MOVE: (("Axis", ("EVENT_X", "EVENT_Y", "EVENT_Z")),),
}


class OMI_JOINT_OT_drag(bpy.types.Operator):
    """Drag a limit, a target or the frame of the active joint"""

    bl_label = "Drag Joint Handle"
    bl_options = {"INTERNAL"}

    part = choice("Handle", "What is dragged", items=[(one, one.title(), "") for one in Part])
    index = integer("Index", "Of the limit or drive in its list", min=0)
    axis = choice("Axis", "Which axis of the limit is dragged", items=AXES)

    @classmethod
    def description(
        cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties
    ) -> str:
        """Say what the handle is and stands at."""
        joint = joint_at_hand(context)
        handle = _chosen(properties, joint) if joint else None
        return tip_of(handle) if handle else str(cls.__doc__)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Ask for a joint and a view."""
        if context.region_data is None or not handles_allowed(context):
            cls.poll_message_set("Handles are dragged in a 3D view in Object Mode")
            return False
        return joint_at_hand(context) is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Take hold."""
        joint = joint_at_hand(context)
        assert joint is not None
        try:
            handle = _chosen(self, joint)
            if handle is None:
                raise AuthoringError(f"{joint.name} has no such handle any more")
            self._drag = begin(context, joint, handle)
        except AuthoringError as error:
            self.report({"WARNING"}, str(error))
            return {"CANCELLED"}
        self._text, self._is_wrong = "", False
        self._at, self._is_down, self._is_dragged = _mouse(event), True, False
        self._hints = (*KEY_HINTS, *MORE_HINTS.get(handle.part, ()), ("0-9  Number", ("BLANK1",)))
        held.take(self._drag)
        self._follow(context, event)
        self._show(context)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Follow the mouse and the keys; whatever goes wrong, nothing stays half-way."""
        try:
            return self._handled(context, event)
        except Exception:
            self.cancel(context)
            raise

    def _handled(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if event.type in {"ESC", "RIGHTMOUSE"} and event.value == "PRESS":
            self.cancel(context)
            return {"CANCELLED"}
        if event.type in {"RET", "NUMPAD_ENTER"} and event.value == "PRESS":
            return self._confirm(context)
        if event.type == "LEFTMOUSE":
            return self._clicked(context, event)
        if event.type.startswith(PASSED):
            return {"PASS_THROUGH"}
        if event.value == "PRESS" and not event.type.startswith(MOVES):
            self._pressed(context, event)
        else:
            self._follow(context, event)
        self._show(context)
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Put everything back."""
        held.give_up()
        self._end(context)

    def _clicked(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """End the drag when the button is let go; a typed number keeps hold, and so does Ctrl.

        With Ctrl that is a click: numbers can be typed after it, and the mouse moves nothing.
        """
        if event.value == "RELEASE":
            self._is_down = False
            keeps = bool(self._text) or (event.ctrl and not self._is_dragged)
        else:
            keeps = event.value not in {"PRESS", "DOUBLE_CLICK"}
        return {"RUNNING_MODAL"} if keeps else self._confirm(context)

    def _pressed(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Type a number, or choose an axis."""
        if event.type in {"X", "Y", "Z"} and not self._text and isinstance(self._drag, FrameDrag):
            self._drag.constrain(event.type)
            return
        is_back = event.type == "BACK_SPACE"
        text = self._text[:-1] if is_back else after_key(self._text, event.unicode)
        if text is not None:
            self._text, self._is_wrong = text, bool(text) and not self._drag.typed(text)
            self._follow(context, event)

    def _follow(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Follow the mouse while the button drags it, unless a number is typed."""
        mouse = _mouse(event)
        if self._is_down and (self._is_dragged or dist(mouse, self._at) > _threshold(context)):
            self._at, self._is_dragged = mouse, True
        if not self._text:
            view = view_of(context.region, context.region_data)
            snap = event.ctrl and self._is_dragged
            keys = HeldKeys(snap=snap, fine=event.shift, mirror=event.alt)
            self._drag.moved(context, view, self._at, keys)

    def _confirm(self, context: bpy.types.Context) -> set[str]:
        """Keep what is there, as one step to undo."""
        if self._is_wrong:
            return {"RUNNING_MODAL"}
        self._end(context)
        return {"FINISHED"} if confirm(self._drag) else {"CANCELLED"}

    def _show(self, context: bpy.types.Context) -> None:
        """Say in the header what is going on, and in the status bar which keys count."""
        text = self._drag.summary()
        if self._text:
            wrong = "  is no number yet" if self._is_wrong else ""
            text = f"{text}    [{self._text}|]{wrong}"
        context.area.header_text_set(text)
        show_keys(context.workspace, self._hints)
        context.area.tag_redraw()

    def _end(self, context: bpy.types.Context) -> None:
        held.let_go()
        if context.area is not None:
            context.area.header_text_set(None)
            context.area.tag_redraw()
        if context.workspace is not None:
            context.workspace.status_text_set(None)


def begin(context: bpy.types.Context, joint: bpy.types.Object, handle: Handle) -> Drag:
    """Take hold of a handle of a joint.

    Raises:
        AuthoringError: it cannot be dragged here; the message says why.
    """
    if handle.part in (Part.MOVE, Part.TURN):
        return FrameDrag(joint, handle, context.scene)
    return ValueDrag(joint, handle, context.scene)


def confirm(drag: Drag) -> bool:
    """Keep what a drag has done, as one step to undo; False where it has done nothing."""
    if not drag.changed:
        drag.restore()
        return False
    bpy.ops.ed.undo_push(message=drag.name)
    signals.edits += 1
    return True


def _chosen(
    choice: bpy.types.OperatorProperties | OMI_JOINT_OT_drag, joint: bpy.types.Object
) -> Handle | None:
    """Return the handle that an operator's properties name."""
    handles = (place.handle for place in placed_handles(joint, frame=not is_anything_away()))
    return chosen(handles, choice.part, choice.index, int(choice.axis))


def _threshold(context: bpy.types.Context) -> float:
    """Return by how many pixels the mouse moves at most in a click."""
    preferences = context.preferences
    return float(preferences.inputs.drag_threshold_mouse * preferences.system.ui_scale)


def _mouse(event: bpy.types.Event) -> tuple[float, float]:
    return (float(event.mouse_region_x), float(event.mouse_region_y))


def while_on() -> Iterator[None]:
    """Give up a drag at the end: Blender drops a running operator without asking it to cancel."""
    yield
    if held.give_up():
        for window in bpy.context.window_manager.windows:
            window.workspace.status_text_set(None)
            for area in window.screen.areas:
                area.header_text_set(None)
