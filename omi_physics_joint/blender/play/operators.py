# SPDX-License-Identifier: GPL-3.0-or-later
"""Play the joints, and stop. All work is done by ``session``; here events are handed to it.

It stops before anything happens that must not see it: undo and redo replace objects, a file
replaces all, and a render shows what the file holds. Saves are the business of ``away``.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from bpy.app import handlers
from bpy.types import Context, Event, Operator

from ..interface import playing
from ..interface.mixins import BaseOperator, OperatorMixin
from ..registration import on
from ..simulated.reading import PlayError
from .session import current
from .viewport.control import Control


class OMI_JOINT_OT_play(BaseOperator, Operator):
    """Play the joints in the viewport"""

    bl_label = "Play Joints"
    bl_description = (
        "Play the joints in the viewport, with gravity, motors and animated bodies.\n"
        "Everything goes back to where it was when it stops: nothing is edited, keyed or saved"
    )
    bl_options = set()  # never an undo step: it would hold the played pose

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for a window and for object mode."""
        if context.window is None or bpy.app.background:
            return "Playing needs a window"
        ready = context.mode == "OBJECT" or playing.is_playing()
        return "" if ready else "Go to Object Mode first"

    def execute(self, context: Context) -> set[str]:
        """Start, or stop what plays."""
        if playing.is_playing():
            playing.stop()
            return {"FINISHED"}
        try:
            self._control = Control.begin(context)
        except PlayError as error:
            return self.refused(error, "ERROR")
        context.window_manager.modal_handler_add(self)
        for window in context.window_manager.windows:
            if window != context.window:
                with context.temp_override(window=window, area=None, region=None):
                    bpy.ops.omi_joint.play_guard("INVOKE_DEFAULT")
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        """Hand an event on."""
        result = self._control.handle(context, event)
        session = self._control.session
        if session.is_over and session.reason:
            self.report({"WARNING"}, session.reason)
        return result

    def cancel(self, _context: Context) -> None:
        """Put everything back when the window is closed."""
        playing.stop()


class OMI_JOINT_OT_play_guard(Operator):
    """Keep another window from editing while joints play"""

    bl_label = "Guard a Window While Joints Play"
    bl_options = {"INTERNAL"}

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Listen."""
        session = current()
        if session is None:
            return {"CANCELLED"}
        self._control = Control(session, None)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        """Hand an event on."""
        return self._control.handle(context, event)


class WhilePlaying(OperatorMixin):
    """Does something with what plays."""

    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: Context) -> bool:
        """Ask for something that plays."""
        return current() is not None


class OMI_JOINT_OT_play_pause(WhilePlaying, Operator):
    """Pause playing, or go on"""

    bl_label = "Pause"

    def execute(self, _context: Context) -> set[str]:
        """Pause or go on."""
        if session := current():
            session.is_paused = not session.is_paused
        return {"FINISHED"}


class OMI_JOINT_OT_play_reset(WhilePlaying, Operator):
    """Start again from the rest pose, without pins and with broken joints whole"""

    bl_label = "Reset"

    def execute(self, _context: Context) -> set[str]:
        """Begin again."""
        if session := current():
            session.want_reset()
        return {"FINISHED"}


@on(handlers.undo_pre, handlers.redo_pre, handlers.load_pre)
def stop_quietly(*_arguments: object) -> None:
    """Stop because the user does something else."""
    playing.stop()


@on(handlers.render_init)
def stop_for_render(*_arguments: object) -> None:
    """Stop and say why: nobody pressed a key."""
    playing.stop("Stopped: pictures are rendered of the rest pose")


def while_on() -> Iterator[None]:
    """Register the shortcut, which users can change like any other; at the end, stop playing."""
    config = bpy.context.window_manager.keyconfigs.addon
    if config is not None:  # there is none without a window
        items = config.keymaps.new("3D View", space_type="VIEW_3D").keymap_items
        item = items.new(OMI_JOINT_OT_play.bl_idname, "SPACE", "PRESS", shift=True, alt=True)
    yield
    playing.stop()
    if config is not None:
        items.remove(item)
