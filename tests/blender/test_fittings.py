# SPDX-License-Identifier: GPL-3.0-or-later
"""What is small and parented to a bar, a plate or a wheel changes nothing of how that is joined."""

from __future__ import annotations

from math import inf

import bpy
import pytest
from blender.anyhow import axis_of, disc, moved, parallel
from blender.test_suited import range_of
from blender.test_what_people_model import FRAME, Made, box, boxes, wheel
from mathutils import Euler, Vector
from scenes import joined, select, slab

ABOUT = Euler((0.0, 0.0, 1.1))
CHASSIS, BEAM = box((0, 0, 0.6), (2, 0.8, 0.3)), box((0, 0, 3.05), (1, 0.1, 0.1))
WHEEL = wheel((0.7, 0.5, 0.4), 0.4, 0.15, "Y")
ROD, BAR = wheel((0, 0, 2.5), 0.03, 1, "Z"), box((0, 0, 2.5), (0.05, 0.05, 1))
LEAF = box((0, 0, 1), (1, 0.04, 2))
FITTED = {
    "wheel with a valve on its face": (CHASSIS, WHEEL, wheel((0.7, 0.58, 0.7), 0.01, 0.03, "Y")),
    "wheel with a long valve": (CHASSIS, WHEEL, wheel((0.8, 0.6, 0.65), 0.02, 0.1, "Y")),
    "wheel with a valve at its rim": (CHASSIS, WHEEL, box((1.15, 0.5, 0.4), (0.2, 0.04, 0.04))),
    "hand wheel with its handle": (CHASSIS, WHEEL, wheel((0.7, 0.7, 0.7), 0.03, 0.3, "Y")),
    "rod with a block": (BEAM, ROD, box((0, 0, 1.85), (0.3, 0.3, 0.3))),
    "rod with a drum": (BEAM, ROD, wheel((0, 0, 1.85), 0.2, 0.4, "Z")),
    "rod with a disc": (BEAM, ROD, wheel((0, 0, 1.85), 0.15, 0.05, "Y")),
    "rod with a weight beside it": (BEAM, ROD, box((0.13, 0, 2.1), (0.2, 0.2, 0.2))),
    "bar with a block": (BEAM, BAR, box((0, 0, 1.85), (0.3, 0.3, 0.3))),
    "plank with a weight": (
        wheel((0, 0, 0.2), 0.2, 0.4, "Y"),
        box((0, 0, 0.43), (3, 0.3, 0.06)),
        box((1.3, 0, 0.66), (0.4, 0.3, 0.4)),
    ),
    "door with a handle": (boxes(*FRAME), LEAF, box((0, -0.1, 1), (0.1, 0.16, 0.1))),
    "lid with a knob": (
        box((0, 0, 0.5), (0.8, 0.6, 1)),
        box((0, 0, 1.02), (0.8, 0.6, 0.04)),
        box((0, -0.25, 1.14), (0.2, 0.1, 0.2)),
    ),
}


def hinge_of(stays: Made, moves: Made, part: Made | None, *, applied: bool) -> tuple[Vector, ...]:
    """Return axis and place of a hinge, and clear the scene."""
    found = stays("Stays"), moves("Moves")
    if part is not None:
        child = part("Part")
        child.parent = found[1]
        child.matrix_parent_inverse = found[1].matrix_world.inverted()
        bpy.context.view_layer.update()
    back = moved(*found, turn=ABOUT).inverted()
    if applied:
        select(*found)
        bpy.ops.object.transform_apply(location=False, rotation=True, scale=True)
    joint = joined("HINGE", *found)
    result = back.to_3x3() @ axis_of(joint), back @ joint.matrix_world.translation
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    return result


@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize("name", FITTED)
def test_a_fitting_changes_neither_axis_nor_place(name: str, applied: bool) -> None:
    """Of what is round, a bar or a plate by itself, wherever the fitting is on it."""
    stays, moves, part = FITTED[name]
    bare = hinge_of(stays, moves, None, applied=applied)
    axis, place = hinge_of(stays, moves, part, applied=applied)
    assert parallel(axis, bare[0])
    assert (place - bare[1]).length < 1e-3


SPUN = {
    "propeller of a shaft": (BEAM, ROD, box((0, 0, 2.1), (0.5, 0.06, 0.04))),
    "fan below its rod": (BEAM, ROD, box((0, 0, 2.1), (1.4, 0.2, 0.04))),
    "wings of a revolving door": (BEAM, ROD, box((0, 0, 2.5), (0.8, 0.02, 0.9))),
}


@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize("name", SPUN)
def test_blades_on_a_rod_turn_about_it(name: str, applied: bool) -> None:
    """Which are thin along it, or as large as it is long, unlike the bob of a pendulum."""
    axis, place = hinge_of(*SPUN[name], applied=applied)
    assert parallel(axis, Vector((0.0, 0.0, 1.0)))
    assert place.xy.length < 1e-3


@pytest.mark.parametrize(
    ("start", "held", "spins"),
    [
        (-0.1, 0.2, True),
        (-0.05, 0.2, True),
        (-0.2, 0.2, True),
        (0.05, 0.2, False),
        (0.1, 0.2, False),
    ],
)
@pytest.mark.parametrize("turn", [0.0, 1.1])
def test_a_shaft_that_sticks_in_a_block_turns_about_itself(
    start: float, held: float, spins: bool, turn: float, capfd: pytest.CaptureFixture[str]
) -> None:
    """Where much of it is in there; a limb in its socket, or one that only touches, does not."""
    block = slab("Bearing", (0, 0, 1), (held, 0.3, 0.3))
    shaft = disc("Shaft", Vector((start + 0.5, 0, 1)), radius=0.05, depth=1.0, axis="X")
    back = moved(block, shaft, turn=Euler((0.0, 0.0, turn))).inverted()
    capfd.readouterr()
    joint = joined("HINGE", block, shaft)
    said = capfd.readouterr().out
    assert parallel(back.to_3x3() @ axis_of(joint), Vector((1.0, 0.0, 0.0))) is spins
    if spins:
        assert "in its middle" not in said
        assert range_of(joint) == (-inf, inf)
        _, y, z = back @ joint.matrix_world.translation
        assert (y, z) == pytest.approx((0.0, 1.0), abs=1e-3)
