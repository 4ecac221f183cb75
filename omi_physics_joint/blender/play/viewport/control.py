# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user does while joints play, from events to the session."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable

import bpy
from bpy.types import Context, Event

from ..session import PlaySession, current, start
from .events import Meaning, RegionAt, meaning_of, region_at
from .picking import Aim, Picked, pick, pin_under
from .screen import Screen

KEPT = {"RUNNING_MODAL"}
PASSED = {"PASS_THROUGH"}
"""Still modal: together with RUNNING_MODAL Blender would keep the event from everybody."""
OVER = {"FINISHED", "PASS_THROUGH"}


class Control:
    """Listens in one window for a session; only one has the screen, and with it the timer."""

    def __init__(self, session: PlaySession, screen: Screen | None) -> None:
        self.session = session
        self._screen = screen
        self._picked: Picked | None = None
        self._place: RegionAt | None = None
        self._answers: dict[Meaning, Callable[[Context, Event], set[str]]] = {
            Meaning.TICK: self._tick,
            Meaning.PASS: lambda *_: PASSED,
            Meaning.NOTHING: lambda *_: KEPT,
            Meaning.STOP: self._stop,
            Meaning.UNDO: self._undo,
            Meaning.SAVE: self._save,
            Meaning.PAUSE: self._pause,
            Meaning.RESET: self._reset,
            Meaning.GRAB: self._grab,
            Meaning.DRAG: self._drag,
            Meaning.LET_GO: self._let_go,
            Meaning.PIN: self._pin,
        }

    @classmethod
    def begin(cls, context: Context) -> Control:
        """Start a session in the current window.

        Raises:
            PlayError: nothing can be played.
        """
        if context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
        session = start(context.scene, context.selected_objects)
        return cls(session, Screen(context, session))

    @classmethod
    def watch(cls) -> Control | None:
        """Listen in one more window; None where nothing plays."""
        session = current()
        return None if session is None else cls(session, None)

    @property
    def is_over(self) -> bool:
        """Whether the session is."""
        return self.session.is_over

    def handle(self, context: Context, event: Event) -> set[str]:
        """Do what an event means, and return what becomes of it for Blender."""
        if self.is_over:
            return self._end(OVER)
        try:
            meaning = meaning_of(context, event, pulling=self._picked is not None)
            result = self._answers[meaning](context, event)
        except Exception as error:  # noqa: BLE001 - Blender would drop us, and nobody would stop it
            traceback.print_exc(file=sys.stderr)
            self.session.stop(f"Stopped by an error: {error}")
            return self._end(OVER)
        if self.session.is_over:
            return self._end(OVER if result is PASSED else {"FINISHED"})
        return result

    def _end(self, result: set[str]) -> set[str]:
        """Make one undo step of the settings that were changed on the way, now all is at rest."""
        if self.session.settings_changed and self._screen is not None:
            bpy.ops.ed.undo_push(message="Settings of Play")
        return result

    def _tick(self, *_: object) -> set[str]:
        if self._screen is not None:
            self._screen.tick()
        return PASSED

    def _stop(self, *_: object) -> set[str]:
        self.session.stop()
        return KEPT

    def _undo(self, *_: object) -> set[str]:
        self.session.stop()  # settings that were changed on the way are the first to be undone
        return PASSED

    def _save(self, *_: object) -> set[str]:
        if not bpy.data.filepath:
            self.session.stop()  # Blender asks for a name, and needs the window for that
        return PASSED

    def _pause(self, *_: object) -> set[str]:
        self.session.is_paused = not self.session.is_paused
        return KEPT

    def _reset(self, *_: object) -> set[str]:
        self._picked = None
        self.session.want_reset()
        return KEPT

    def _grab(self, context: Context, event: Event) -> set[str]:
        self._place = region_at(context.window, event.mouse_x, event.mouse_y)
        scale = context.preferences.system.ui_scale
        pinned = pin_under(self.session.run.pins, scale, self._aim(event))
        if pinned is not None:
            self.session.run.unpin(pinned)
            return KEPT
        picked = pick(self.session.simulated, context, self._aim(event))
        if picked is None:
            return KEPT
        if picked.node in self.session.run.pins:
            self.session.run.unpin(picked.node)
        else:
            self._picked = picked
            self.session.run.grab(picked.node, picked.point)
        return KEPT

    def _drag(self, _context: Context, event: Event) -> set[str]:
        if self._picked is not None:
            self.session.run.drag(self._aim(event).point_at_depth(self._picked.point))
        return PASSED

    def _let_go(self, _context: Context, event: Event) -> set[str]:
        if self._picked is not None and event.shift:
            return self._pin()
        self._picked = None
        self.session.run.let_go()
        return KEPT

    def _pin(self, *_: object) -> set[str]:
        node = self.session.run.grabbed
        if node is not None:
            self._picked = None
            self.session.run.pin(node)
        return KEPT

    def _aim(self, event: Event) -> Aim:
        """Return the place of the mouse in the view where it was pressed."""
        assert self._place is not None
        region = self._place.region
        assert region is not None
        return Aim(region, region.data, event.mouse_x - region.x, event.mouse_y - region.y)
