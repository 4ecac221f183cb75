# SPDX-License-Identifier: GPL-3.0-or-later
"""What the viewport shows of a play beside the bodies: loads, what broke, pins and the pull."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import bpy

from ...drawing.played.force_arrows import Arrow
from ..data.units import ROUGH, sayer
from ..overlay import extras
from .session import PlaySession

OF_MECHANISM = 0.2
"""How long the arrow of a force may be, as a part of the mechanism."""
MOST_NOTES = 30
"""Joints at which it is written how far they are from the exact motion: those that are farthest."""


def show_extras(session: PlaySession, joints: Sequence[bpy.types.Object]) -> None:
    """Show the loads of some joints, all that broke, all pins, and the spring of the pull."""
    extras.set_forces(_arrows(session, joints) if session.settings.show_forces else ())
    extras.set_broken(name for name, _ in session.broken)
    extras.set_pins(tuple(point.tolist()) for point in session.run.pins.values())
    spring = session.run.spring
    held, mouse = (None, None) if spring is None else (tuple(p.tolist()) for p in spring)
    extras.set_spring(held, mouse)
    extras.set_ghost(_ghost(session))


def _ghost(session: PlaySession) -> extras.Ghost | None:
    """Return the exact motion as it is drawn, where it is wanted, with notes at joints."""
    ghost = session.ghost if session.wants_ghost else None
    worlds = None if ghost is None else ghost.worlds()
    if ghost is None or worlds is None:
        return None
    notes = []
    for one in ghost.differences()[:MOST_NOTES]:
        frame = session.simulated.placed[one.joint].owner.matrix_world
        notes.append((tuple(frame.translation), one.words(sayer(session.scene, ROUGH))))
    return extras.Ghost(ghost.outlines.sketches, worlds, tuple(notes))


def _arrows(session: PlaySession, joints: Sequence[bpy.types.Object]) -> Iterator[Arrow]:
    """Yield what joints bear, as large as suits the mechanism that each belongs to."""
    for load in session.loads_of(joints):
        usual = session.simulated.usual[load.joint]
        longest = OF_MECHANISM * usual.length
        origin = tuple(session.simulated.placed[load.joint].owner.matrix_world.translation)
        force, torque = (tuple(vector.tolist()) for vector in (load.force, load.torque))
        yield Arrow(origin, force, "force", usual.force, longest)
        yield Arrow(origin, torque, "torque", usual.torque, longest)
