# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user does while joints play, from events to the session."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable

import bpy
from bpy.types import Context, Event, Region

from ..session import PlaySession, start
from .events import Meaning, meaning_of, region_at
from .picking import Aim, Picked, pick, pin_under
from .screen import Screen

PASSED_ON = {Meaning.PASS, Meaning.TICK, Meaning.UNDO, Meaning.SAVE, Meaning.DRAG}
"""What Blender gets as well; all else is kept from it."""


class Control:
    """Listens in one window for a session; only one has the screen, and with it the timer."""

    def __init__(self, session: PlaySession, screen: Screen | None) -> None:
        self.session = session
        self._screen = screen
        self._picked: Picked | None = None
        self._region: Region | None = None
        self._does: dict[Meaning, Callable[[Context, Event], None]] = {
            Meaning.STOP: lambda *_: session.stop(),
            Meaning.UNDO: lambda *_: session.stop(),
            Meaning.SAVE: self._save,
            Meaning.PAUSE: self._pause,
            Meaning.RESET: self._reset,
            Meaning.GRAB: self._grab,
            Meaning.DRAG: self._drag,
            Meaning.LET_GO: self._let_go,
            Meaning.PIN: self._pin,
        }
        if screen is not None:
            self._does[Meaning.TICK] = lambda *_: screen.tick()
            self._does[Meaning.REFUSED] = lambda *_: screen.refuse()

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

    def handle(self, context: Context, event: Event) -> set[str]:
        """Do what an event means, and return what becomes of it for Blender."""
        passed, undoes = True, False
        try:
            if not self.session.is_over:
                meaning = meaning_of(context, event, pulling=self._picked is not None)
                passed, undoes = meaning in PASSED_ON, meaning is Meaning.UNDO
                if meaning in self._does:
                    self._does[meaning](context, event)
        except Exception as error:  # noqa: BLE001 - Blender would drop us, and nobody would stop it
            traceback.print_exc(file=sys.stderr)
            self.session.stop(f"Stopped by an error: {error}")
            passed = True
        if not self.session.is_over:
            # Still modal: together with RUNNING_MODAL Blender would keep the event from everybody.
            return {"PASS_THROUGH"} if passed else {"RUNNING_MODAL"}
        if self.session.settings_changed and self._screen is not None and not undoes:
            # One undo step of the settings that were changed on the way, now all is at rest. Undo
            # is for the edit before the play, and would take back that step instead.
            bpy.ops.ed.undo_push(message="Settings of Play")
        return {"FINISHED", "PASS_THROUGH"} if passed else {"FINISHED"}

    def _save(self, *_: object) -> None:
        if not bpy.data.filepath:
            self.session.stop()  # Blender asks for a name, and needs the window for that

    def _pause(self, *_: object) -> None:
        self.session.is_paused = not self.session.is_paused

    def _reset(self, *_: object) -> None:
        self._picked = None
        self.session.want_reset()

    def _grab(self, context: Context, event: Event) -> None:
        run, aim = self.session.run, self._aim_in_view(context, event)
        if aim is None:
            return
        node = pin_under(run.pins, context.preferences.system.ui_scale, aim)
        picked = pick(self.session.simulated, context, aim) if node is None else None
        if picked is not None and picked.node not in run.pins:
            self._picked = picked
            run.grab(picked.node, picked.point)
        elif picked is not None:
            run.unpin(picked.node)
        elif node is not None:
            run.unpin(node)

    def _drag(self, _context: Context, event: Event) -> None:
        if self._picked is not None:
            self.session.run.drag(self._aim(event).point_at_depth(self._picked.point))

    def _let_go(self, context: Context, event: Event) -> None:
        if event.shift:
            self._pin(context, event)
        else:
            self._picked = None
            self.session.run.let_go()

    def _pin(self, context: Context, event: Event) -> None:
        """Pin the body in hand; without one, that under the mouse, by the point there."""
        run = self.session.run
        aim = self._aim_in_view(context, event) if run.grabbed is None else None
        picked = pick(self.session.simulated, context, aim) if aim is not None else None
        if picked is not None and picked.node not in run.pins:
            run.grab(picked.node, picked.point)
        if run.grabbed is not None:
            self._picked = None
            run.pin(run.grabbed)

    def _aim_in_view(self, context: Context, event: Event) -> Aim | None:
        """Return the place of the mouse in the view under it, in which it aims from now on."""
        place = region_at(context.window, event.mouse_x, event.mouse_y)
        if place is None or not place.is_view:
            return None
        self._region = place.region
        return self._aim(event)

    def _aim(self, event: Event) -> Aim:
        """Return the place of the mouse in the view where it was pressed."""
        region = self._region
        assert region is not None
        return Aim(region, (event.mouse_x - region.x, event.mouse_y - region.y))
