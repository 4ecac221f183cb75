# SPDX-License-Identifier: GPL-3.0-or-later
"""To which side doors and flaps open, and at which of their edges they are hinged."""

from __future__ import annotations

from math import pi

import bpy
import pytest
from blender.anyhow import moved, whole
from mathutils import Euler, Matrix
from redo import press
from scenes import joined, select, slab

PORTAL = [((side * 1.15, 0.0, 1.0), (0.3, 0.2, 2.0)) for side in (-1.0, 1.0)]
LINTEL = ((0.0, 0.0, 2.1), (2.6, 0.2, 0.2))
BODY = ((0.0, 1.2, 1.0), (2.6, 2.0, 2.0))
"""Behind a portal: what the leaves close is deep."""
LEAVES = [((side * 0.5, 0.0, 1.0), (0.99, 0.05, 1.98)) for side in (-1.0, 1.0)]
FLOOR = [((side * 1.5, 0.0, 0.0), (1.0, 3.0, 0.1)) for side in (-1.0, 1.0)]
FLOOR += [((0.0, side * 1.25, 0.0), (2.0, 0.5, 0.1)) for side in (-1.0, 1.0)]
FLAPS = [((side * 0.5, 0.0, 0.0), (0.99, 1.98, 0.06)) for side in (-1.0, 1.0)]
DOWN = (0.0, 0.0, -1.0)


def opened(leaves: list[bpy.types.Object], way: Matrix) -> list[tuple[float, ...]]:
    """Return which way the middles of leaves go as their joints turn by a little, as made."""
    found = []
    for leaf in leaves:
        (hinge,) = (one for one in leaf.children if one.omi_physics_joint.is_joint)
        start = leaf.matrix_world.translation.copy()
        hinge.omi_physics_pose.about_y = 0.01
        bpy.context.view_layer.update()
        gone = (leaf.matrix_world.translation - start).normalized()
        found.append(tuple(way.to_3x3().inverted() @ gone))
    return found


@pytest.mark.parametrize("turn", [0.0, 2.5])
@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(
    ("frame", "parts", "side"),
    [
        ([*PORTAL, LINTEL], LEAVES, (0.0, 1.0, 0.0)),
        (PORTAL, LEAVES, (0.0, 1.0, 0.0)),
        ([*PORTAL, LINTEL, BODY], LEAVES, (0.0, -1.0, 0.0)),
        (FLOOR, FLAPS, DOWN),
    ],
    ids=["portal", "posts", "flush with a front", "floor"],
)
def test_leaves_open_to_one_side_whichever_their_edge(
    frame: list[tuple[tuple[float, ...], tuple[float, ...]]],
    parts: list[tuple[tuple[float, ...], tuple[float, ...]]],
    side: tuple[float, ...],
    turn: float,
    *,
    at_once: bool,
) -> None:
    """All those of one plane do, one by one or at once, whichever way they themselves look.

    What is around them stands, though it was clicked last.
    """
    stays, leaves = whole("Frame", *frame), [slab("Leaf", *part) for part in parts]
    leaves[1].matrix_world = leaves[1].matrix_world @ Matrix.Rotation(pi, 4, "Z")
    way = moved(stays, *leaves, turn=Euler((0.0, 0.0, turn)))
    if at_once:
        select(*leaves, stays)
        press("omi_joint.create", kind="HINGE")
    else:
        for leaf in leaves:
            joined("HINGE", stays, leaf)
    assert stays.omi_physics_body.type == "static"
    for gone in opened(leaves, way):
        assert gone == pytest.approx(side, abs=0.05)


@pytest.mark.parametrize("count", [2, 3])
def test_shutters_beside_each_other_are_hinged_at_their_outer_edges(count: int) -> None:
    """Where their wall is wider: no leaf turns at an edge that the next one is at."""
    wall = slab("Wall", (0.0, 0.0, 1.0), (4.0, 0.3, 3.0))
    leaves = [slab("Leaf", (0.6 * n, -0.17, 1.0), (0.59, 0.04, 1.2)) for n in range(count)]
    way = moved(wall, *leaves, turn=Euler((0.0, 0.0, 2.5)))
    select(*leaves, wall)
    press("omi_joint.create", kind="HINGE")
    hinges = {leaf: next(one for one in leaf.children) for leaf in leaves}
    aside = [
        (way.inverted() @ hinge.matrix_world.translation).x - 0.6 * n
        for n, hinge in enumerate(hinges.values())
    ]
    assert (aside[0], aside[-1]) == pytest.approx((-0.295, 0.295), abs=1e-3)
    assert opened(leaves, way)[-1] == pytest.approx((0.0, -1.0, 0.0), abs=0.1)


@pytest.mark.parametrize("edge", [-1.0, 1.0])
def test_a_lid_goes_up_at_whichever_of_its_edges(edge: float) -> None:
    """What lies on another body opens away from it."""
    back = ((edge * 0.52, 0.0, 0.5), (0.04, 0.6, 1.0))
    chest = whole("Chest", ((0.0, 0.0, 0.4), (1.0, 0.6, 0.8)), back)
    lid = slab("Lid", (0.0, 0.0, 0.82), (0.99, 0.6, 0.04))
    way = moved(chest, lid, turn=Euler((0.0, 0.0, 2.5)))
    joined("HINGE", chest, lid)
    assert opened([lid], way)[0] == pytest.approx((0.0, 0.0, 1.0), abs=0.1)


@pytest.mark.parametrize(("height", "thick"), [(0.0, 0.1), (0.02, 0.04), (0.0, 0.2)])
def test_a_flap_that_fills_a_hole_is_not_told_to_stand(
    height: float, thick: float, capfd: pytest.CaptureFixture[str]
) -> None:
    """It moves as it was clicked last, and no floor turns about the flap in its middle."""
    floor = whole("Floor", *FLOOR)
    flap = slab("Flap", (0.0, 0.0, height), (1.98, 1.98, thick))
    moved(floor, flap, turn=Euler((0.0, 0.0, 2.5)))
    joined("HINGE", floor, flap)
    assert f"; {floor.name} stands\n" in capfd.readouterr().out
