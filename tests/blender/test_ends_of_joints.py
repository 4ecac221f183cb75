# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told where a joint reaches past something, to far away, or has both ends at one place."""

from __future__ import annotations

import bpy
import pytest
from blender.anyhow import disc
from mathutils import Vector
from redo import press
from scenes import box, door, joined, select, separated, slab

from tests.blender.test_presets import apply
from tests.blender.test_several_at_once import Made, Objects, created


def bicycle() -> Objects:
    """Return the fork, the wheel that it holds, and the frame that holds the fork."""
    fork = slab("Fork", (0.55, 0, 0.6), (0.06, 0.12, 0.7))
    wheel = disc("Wheel", Vector((0.55, 0, 0.35)), radius=0.33, depth=0.05, axis="Y")
    return [fork, wheel, slab("Frame", (0, 0, 0.8), (1, 0.05, 0.05))]


def rope(last: int) -> Objects:
    """Return the links of a rope, one of them last."""
    links = [slab(f"Link {n}", (0, 0, 3 - 0.22 * n), (0.05, 0.05, 0.2)) for n in range(9)]
    return [*links[:last], *links[last + 1 :], links[last]]


@pytest.mark.parametrize(
    ("make", "chain", "told"),
    [
        (bicycle, False, "Wheel is joined to Frame, but Fork is between them: join it to Fork"),
        (bicycle, True, ""),
        (lambda: rope(4), True, "Link 3 is joined to Link 8, but Link 4 is between them"),
        (lambda: rope(0), True, ""),
        (lambda: rope(0), False, "or Chain joins each to its nearest"),
    ],
)
def test_what_is_joined_past_what_is_between_is_told_so_and_nothing_else(
    make: Made, chain: bool, told: str
) -> None:
    """Of a rope that begins in its middle nobody says that it hangs or is a ring."""
    created("PIN", make(), chain=chain)
    said = bpy.context.active_operator.noted_warning
    assert told in said
    assert said.count(". ") == 0
    assert bool(said) is bool(told)


@pytest.mark.parametrize("far", [4.0, 50.0])
def test_a_joint_that_is_connected_to_what_is_far_away_says_so(
    far: float, capfd: pytest.CaptureFixture[str]
) -> None:
    """As Add does of two."""
    hinge = joined("HINGE", box("Frame"), box("Door", (2.0, 0.0, 0.0)))
    select(box("Wall", (far, 0.0, 0.0)), hinge)
    capfd.readouterr()
    press("omi_joint.connect")
    assert ("Door and Wall are 46 m apart" in capfd.readouterr().out) is (far > 4.0)


@pytest.mark.parametrize("name", ["Rope", "Strut", "Distance Joint", "Cone", "Door"])
@pytest.mark.parametrize("apart", [False, True])
def test_what_bounds_a_distance_asks_for_two_ends(
    name: str, apart: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """Both are at one place in a pin that becomes a rope, and it sags by all of that distance."""
    _, _, hinge = door()
    if apart:
        separated(hinge)
    select(hinge)
    capfd.readouterr()
    apply(name)
    asks = not apart and name in {"Rope", "Strut", "Distance Joint"}
    assert ("press Separate Frames" in capfd.readouterr().out) is asks
