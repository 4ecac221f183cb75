# SPDX-License-Identifier: GPL-3.0-or-later
"""What several hold that are joined at once, and the hinges of an arm."""

from __future__ import annotations

import bpy
import pytest
from blender.anyhow import axis_of, disc, moved
from mathutils import Vector
from redo import press
from scenes import select, slab

from tests.blender.test_several_at_once import ABOUT, Made, Objects, created, excavator, two


def gate(high: float) -> Objects:
    """Return two posts and the gate between them."""
    posts = two("Post", 0.56, (0, 0, 0.5 * high), (0.1, 0.2, high))
    return [*posts, slab("Gate", (0, 0, 1.1), (1, 0.06, 2))]


def knuckles() -> Objects:
    """Return the two knuckles of the hinges of a gate, and that."""
    made = [
        disc(f"Knuckle {z}", Vector((-0.52, 0, z)), radius=0.02, depth=0.1, axis="Z")
        for z in (1, 2)
    ]
    return [*made, slab("Gate", (0, 0, 1.5), (1, 0.06, 2))]


def mill() -> Objects:
    """Return two bearings, and a wheel on its axle between them as one object."""
    wheel = disc("Wheel", Vector((0, 0, 1)), radius=0.8, depth=0.3, axis="Y")
    select(disc("Axle", Vector((0, 0, 1)), radius=0.05, depth=1.3, axis="Y"), wheel)
    bpy.ops.object.join()
    blocks = [slab(f"Bearing {y}", (0, y, 1), (0.2, 0.1, 0.2)) for y in (-0.6, 0.6)]
    return [*blocks, wheel]


@pytest.mark.parametrize(
    ("kind", "make"),
    [
        ("SLIDER", lambda: gate(4.0)),
        ("HINGE", lambda: gate(2.2)),
        ("HINGE", knuckles),
        ("HINGE", mill),
    ],
)
def test_what_several_hold_is_told_to_be_joined_on_its_own(
    kind: str, make: Made, capfd: pytest.CaptureFixture[str]
) -> None:
    """A gate or a wheel, clicked last; as told, it is held, and nothing more is said."""
    made = make()
    created(kind, made)
    first, second, last = names = [obj.name for obj in made]
    told = f"{first} and {second} hold {last}: join it to one, or to each on its own, clicked last"
    assert told in capfd.readouterr().out
    bpy.ops.ed.undo()
    for name in names[:2]:
        select(bpy.data.objects[name], bpy.data.objects[last])
        press("omi_joint.create", kind=kind)
        assert "last" not in capfd.readouterr().out
        assert bpy.data.objects[name].omi_physics_body.type == "static"


@pytest.mark.parametrize("chain", [False, True])
def test_hinges_of_an_arm_are_as_the_one_that_is_told(chain: bool) -> None:
    """The boom of an excavator and its bucket tip as its stick does; several on one do not."""
    made = excavator()
    way = moved(*made, turn=ABOUT).to_3x3() @ Vector((0, 1, 0))
    select(*made[1:], made[0])
    press("omi_joint.create", kind="HINGE", chain=chain)
    level = [abs(axis_of(one).dot(way)) > 0.999 for one in bpy.context.selected_objects]
    assert level == [True] * 3 if chain else level.count(True) < 3
