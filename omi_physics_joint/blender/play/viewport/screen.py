# SPDX-License-Identifier: GPL-3.0-or-later
"""What a play takes of a window, all given back at once, and what it shows beside the bodies.

It takes a timer, the status bar and the header; it shows loads, what broke, pins and the pull.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from math import inf
from time import perf_counter

import numpy as np
from bpy.types import Context, Object

from ....drawing.played import Arrow, TouchMarks
from ...bridge.poses.frame_users import joints_from
from ...data.units import ROUGH, sayer
from ...interface.redrawing import redraw
from ...interface.text import show_keys
from ...overlay import extras
from ...simulated.reading import TOLD
from ..outlook import worded
from ..session import STEP, PlaySession

KEYS = (
    ("Stop", ("EVENT_ESC",)),
    ("Pause", ("EVENT_SPACEKEY",)),
    ("Reset", ("EVENT_R",)),
    ("Pull", ("MOUSE_LMB_DRAG",)),
    ("Pin", ("EVENT_SHIFT", "MOUSE_LMB_DRAG", "EVENT_P")),
    ("Click on Pin: Let Go", ("MOUSE_LMB",)),
)
NOT_IN_FILES = "The floor is not in the file"
REFUSAL = "Esc first"
"""Answers keys that do nothing while joints play."""
ANSWERED = 2.0
"""s that an answer stays in the header."""
OFTEN = 0.2
"""s between two changes of text."""
SLOW = 0.9
"""Part of the wanted speed below which the header says how fast it really is."""
OF_MECHANISM = 0.2
"""How long the arrow of a force may be, as a part of the mechanism."""
OF_WEIGHT = 0.25
"""Part of the weight of a mechanism that is usual at one point where it lies."""
MOST_NOTES = 30
"""Joints at which it is written how far they are from the exact motion: those that are farthest."""


class Screen:
    """The window that a session plays in; its timer and its texts are ours until that is over."""

    def __init__(self, context: Context, session: PlaySession) -> None:
        manager, workspace = context.window_manager, context.workspace
        self._area = context.area
        self._session = session
        self._joints = joints_from(context.selected_objects)
        self._marks: tuple[object, ...] = ()
        timer = manager.event_timer_add(STEP, window=context.window)
        show_keys(workspace, KEYS)
        self._taken = ExitStack()
        if self._area is not None:
            self._taken.callback(lambda: self._area.header_text_set(None))
        self._taken.callback(lambda: workspace.status_text_set(None))
        self._taken.callback(lambda: manager.event_timer_remove(timer))
        self._taken.callback(extras.show)
        self._last = self._told = perf_counter()
        self._refused = -inf
        session.at_end.append(self._give_back)
        self._tell()

    def tick(self) -> None:
        """Let the session go on by the time that has passed, and draw it."""
        now = perf_counter()
        elapsed, self._last = now - self._last, now
        moved, marks = self._session.tick(elapsed), self._session.marks
        if (moved or marks != self._marks) and not self._session.is_over:
            self._marks = marks
            show_extras(self._session, self._joints)
            redraw({"VIEW_3D"}, {"WINDOW"})
        if now - self._told >= OFTEN and not self._session.is_over:
            self._told = now
            self._tell()
            redraw({"VIEW_3D"}, {"UI"})

    def refuse(self) -> None:
        """Say that a key does nothing just now."""
        self._refused = perf_counter()
        self._tell()

    def _tell(self) -> None:
        """Say in the header how it goes, and what is most to be known of it."""
        if self._area is not None:
            is_answer = perf_counter() - self._refused < ANSWERED
            answer = (REFUSAL,) if is_answer else ()
            self._area.header_text_set("   ".join((*answer, heading(self._session))))

    def _give_back(self) -> None:
        """Give everything back; a window that was closed has taken it along."""
        with suppress(ReferenceError):
            self._taken.close()
        redraw({"VIEW_3D"})


def headline(session: PlaySession) -> str:
    """Return how a session goes, in one line."""
    word = "Paused" if session.is_paused else "Playing"
    text = f"{word} {session.time:.1f} s"
    if not session.is_paused and session.rate < SLOW * session.settings.speed:
        text += f" ({session.rate:.2f}x)"
    elif session.settings.speed != 1.0:
        text += f" ({session.settings.speed:.2f}x)"
    return text


def heading(session: PlaySession) -> str:
    """Return the headline and what is worst: the panel that says all may be off the screen."""
    issues = worded([one for one in session.issues if one.code in TOLD])
    worst = [*session.troubles, *session.remarks, *issues][:1]
    floor = NOT_IN_FILES if session.has_floor else ""
    told = (headline(session), floor, session.simulated.hidden, *worst)
    return "   ".join(filter(None, told))


def show_extras(session: PlaySession, joints: Sequence[Object]) -> None:
    """Show loads of some joints, what broke, pins, the pull, contacts, and triggers with bodies."""
    spring, touching = session.run.spring, session.settings.show_contacts
    extras.show(
        _arrows(session, joints) if session.settings.show_forces else (),
        (tuple(point.tolist()) for point in session.run.pins.values()),
        (name for name, _ in session.broken),
        spring and (tuple(spring[0].tolist()), tuple(spring[1].tolist())),
        (_ghost(session), session.triggers.outlined(session.run) if touching else None),
        _touches(session) if touching else None,
        session.floor if session.has_floor else None,
    )


def _touches(session: PlaySession) -> TouchMarks | None:
    """Return where bodies touch, with arrows as large as suits the mechanism of one that moves."""
    touching = session.run.touching()
    if not len(touching.nodes):
        return None
    usual = session.simulated.usual  # of what moves, and one of each two does
    ends = [usual.get(two) or usual[one] for one, two in touching.nodes.tolist()]
    sizes = [(OF_WEIGHT * one.force, OF_MECHANISM * one.length) for one in ends]
    force, length = np.array(sizes).T
    return TouchMarks(touching.points, touching.forces, force, length)


def _ghost(session: PlaySession) -> extras.Outlined | None:
    """Return the exact motion as it is drawn, where it is wanted, with notes at joints."""
    ghost = session.ghost if session.wants_ghost else None
    worlds = None if ghost is None else ghost.worlds()
    if ghost is None or worlds is None:
        return None
    notes = []
    for one in ghost.differences()[:MOST_NOTES]:
        frame = session.simulated.placed[one.joint].owner.matrix_world
        notes.append((tuple(frame.translation), one.words(sayer(session.scene, ROUGH))))
    return extras.Outlined(ghost.outlines.sketches, worlds, tuple(notes))


def _arrows(session: PlaySession, joints: Sequence[Object]) -> Iterator[Arrow]:
    """Yield what joints bear, as large as suits the mechanism that each belongs to."""
    for load in session.loads_of(joints):
        usual = session.simulated.usual[load.joint]
        longest = OF_MECHANISM * usual.length
        origin = tuple(session.simulated.placed[load.joint].owner.matrix_world.translation)
        force, torque = (tuple(vector.tolist()) for vector in (load.force, load.torque))
        yield Arrow(origin, force, "force", usual.force, longest)
        yield Arrow(origin, torque, "torque", usual.torque, longest)
