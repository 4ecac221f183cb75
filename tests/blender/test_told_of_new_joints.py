# SPDX-License-Identifier: GPL-3.0-or-later
"""What the report says of new joints: about which axis, and who stands."""

from __future__ import annotations

from math import radians

import bpy
import pytest
from mathutils import Matrix
from scenes import select, slab


def said(capfd: pytest.CaptureFixture[str], kind: str, tilt: float, turn: float) -> str:
    """Join a door, whose frame is turned about Y and then Z, and return what the report says."""
    frame, door = slab("Frame", (-0.55, 0, 1), (0.1, 0.2, 2)), slab("Door", (0, 0, 1), (1, 0.06, 2))
    turned = Matrix.Rotation(turn, 4, "Z") @ Matrix.Rotation(tilt, 4, "Y")
    for body in (frame, door):
        body.matrix_world = Matrix.Translation((20, -3, 1)) @ turned @ body.matrix_world
    select(frame, door)
    capfd.readouterr()
    assert bpy.ops.omi_joint.create(kind=kind) == {"FINISHED"}
    return capfd.readouterr().out.split("Info: ")[1].strip()


@pytest.mark.parametrize(
    ("tilt", "turn", "axis"),
    [
        (0, 0, "Z"),
        (90, 0, "X"),
        (90, 90, "Y"),
        (90, 30, "a level axis"),
        (20, 30, "a slanted axis"),
    ],
)
def test_the_axis_is_called_as_the_world_calls_it(
    tilt: float, turn: float, axis: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Within half a degree; others are level or slanted."""
    told = said(capfd, "HINGE", radians(tilt + 0.1), radians(turn))
    assert told == f"Added Door Hinge about {axis}; Frame stands"


@pytest.mark.parametrize(
    ("kind", "told"),
    [("WELD", "Door Weld"), ("PIN", "Door Pin"), ("SLIDER", "Door Slider along Z")],
)
def test_only_what_has_an_axis_names_it(
    kind: str, told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """A weld and a pin have none."""
    assert said(capfd, kind, 0.0, 0.0) == f"Added {told}; Frame stands"


@pytest.mark.parametrize(
    ("type", "told"), [("static", "; A stands"), ("dynamic", "; both move"), ("kinematic", "")]
)
def test_it_says_who_stands(type: str, told: str, capfd: pytest.CaptureFixture[str]) -> None:
    """By what bodies are afterwards; what is animated is neither."""
    one, other = slab("A", (0, 0, 0), (1, 1, 1)), slab("B", (1, 0, 0), (1, 1, 1))
    one.omi_physics_body.is_body, one.omi_physics_body.type = True, type
    select(one, other)
    bpy.ops.omi_joint.create(kind="PIN")
    assert f"Added B Pin{told}\n" in capfd.readouterr().out
