# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints play in the viewport, and nothing is left of it."""

from __future__ import annotations

from math import degrees

import bpy
import pytest

from omi_physics_joint.blender import preview
from tests.scenes import door, relative

FRAME = 1.0 / 60.0


def play(session: preview.Session, seconds: float) -> None:
    """Let a session play as the timer of a window would."""
    for _ in range(round(seconds / FRAME)):
        assert session.tick(FRAME), session.reason


def hatch() -> tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]:
    """Return a frame, a flap that falls, and the hinge between them, about global Y."""
    return door(direction="GLOBAL_Y")


def angle(joint: bpy.types.Object) -> float:
    """Return the angle of a hinge about its Z axis in degrees, as the objects stand."""
    return degrees(relative(joint).to_euler().z)


def test_a_hatch_falls_to_its_bound() -> None:
    """Gravity swings the flap until the limit stops it, and stop puts it back."""
    _, flap, hinge = hatch()
    before = flap.matrix_world.copy()
    session = preview.start(bpy.context.scene)
    play(session, 2.0)
    assert session.time == pytest.approx(2.0)
    print(relative(hinge), angle(hinge))
    assert flap.matrix_world != before
    preview.stop()
    assert flap.matrix_world == before
