# SPDX-License-Identifier: GPL-3.0-or-later
"""What the viewport shows of a play beside the bodies: loads, what broke, and the pull."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..overlay import extras
from .session import Session


def show_extras(session: Session, joints: Sequence[bpy.types.Object]) -> None:
    """Show the loads of some joints, all that broke, and the spring of the pull.

    Args:
        session: with objects where the run has them.
        joints: frames of joints.
    """
    arrows = []
    for load in session.loads_of(joints):
        origin = tuple(session.scenery.placed[load.joint].object.matrix_world.translation)
        arrows.append((origin, tuple(load.force.tolist()), "force"))
        arrows.append((origin, tuple(load.torque.tolist()), "torque"))
    extras.set_forces(arrows)
    extras.set_broken(name for name, _ in session.broken)
    spring = session.run.spring
    held, mouse = (None, None) if spring is None else (tuple(p.tolist()) for p in spring)
    extras.set_spring(held, mouse)
