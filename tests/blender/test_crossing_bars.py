# SPDX-License-Identifier: GPL-3.0-or-later
"""New hinges of bars that cross: square, flat or round, side by side or in one plane."""

from __future__ import annotations

from math import cos, pi, sin

import bpy
import pytest
from blender.anyhow import axis_of, disc, moved, parallel
from mathutils import Matrix, Vector
from scenes import joined, select, slab

from omi_physics_joint.blender.between_bodies.forms import across_both
from omi_physics_joint.blender.create.suited import suited_axes
from omi_physics_joint.blender.joints.authoring import Pair
from tests.blender.test_suited import bars


@pytest.mark.parametrize("thick", [0.02, 0.04, 0.06, 0.1, 0.14])
@pytest.mark.parametrize("beside", [0.0, 0.5, 1.0, 1.5, 1.95])
@pytest.mark.parametrize("along", [0.0, 0.9])
def test_bars_that_cross_turn_about_the_line_across_both(
    thick: float, beside: float, along: float
) -> None:
    """Whatever their section, in one plane or side by side, up to a thickness apart, anywhere."""
    ground = slab("Ground", (0.0, 0.0, 0.0), (2.0, thick, 0.1))
    crank = slab("Crank", (along, beside * thick, 0.25), (0.1, thick, 0.6))
    turned = moved(ground, crank)
    for obj in (ground, crank):
        select(obj)
        bpy.ops.object.transform_apply(location=False, rotation=obj is crank, scale=True)
    hinge = joined("HINGE", ground, crank)
    assert parallel(axis_of(hinge), turned.to_3x3() @ Vector((0.0, 1.0, 0.0)))


@pytest.mark.parametrize("lean", [-0.9, -0.4, 0.0, 0.6, 1.1])
def test_bars_that_meet_near_their_ends_cross_at_any_slant(lean: float) -> None:
    """The pivot lies half a width within the ends of both, as artists draw linkages."""
    ground = slab("Ground", (0.0, 0.0, 0.0), (2.1, 0.1, 0.1))
    crank = slab("Crank", (1.0 + 0.4 * sin(lean), 0.1, 0.4 * cos(lean)), (0.1, 0.1, 0.9))
    crank.rotation_euler = (0.0, lean, 0.0)
    bpy.context.view_layer.update()
    turned = moved(ground, crank)
    hinge = joined("HINGE", ground, crank)
    assert parallel(axis_of(hinge), turned.to_3x3() @ Vector((0.0, 1.0, 0.0)))


def test_a_blade_on_a_rod_that_goes_through_it_turns_about_the_rod() -> None:
    """It is flat and held in its middle, so it is a fan, though both are long and cross."""
    rod = slab("Rod", (0.0, 0.0, 0.5), (0.06, 0.06, 1.1))
    blade = slab("Blade", (0.0, 0.0, 0.0), (1.2, 0.12, 0.02))
    turned = moved(rod, blade)
    assert parallel(axis_of(joined("HINGE", rod, blade)), turned.to_3x3() @ Vector((0, 0, 1)))


@pytest.mark.parametrize("support", ["bar", "roller"])
def test_a_plank_turns_about_what_it_lies_on(support: str) -> None:
    """Though both are long and cross: a ramp meets its bar all across, and a seesaw rolls."""
    if support == "bar":
        stays, place = slab("Bar", (0.0, 0.0, 0.0), (0.1, 0.6, 0.1)), (0.8, 0.0, 0.075)
    else:
        stays, place = disc("Roller", Vector(), radius=0.05, depth=0.6, axis="Y"), (0.0, 0.0, 0.06)
    plank = slab("Plank", place, (2.0, 0.5, 0.05))
    turned = moved(stays, plank)
    axis = axis_of(joined("HINGE", stays, plank))
    assert parallel(axis, turned.to_3x3() @ Vector((0.0, 1.0, 0.0)))


def test_round_bars_that_cross_turn_about_the_line_across_both() -> None:
    """A linkage is made of poles as well as of beams."""
    ground = disc("Ground", Vector(), radius=0.05, depth=2.0, axis="X")
    crank = disc("Crank", Vector((0.5, 0.1, 0.25)), radius=0.05, depth=0.6, axis="Z")
    turned = moved(ground, crank)
    axis = axis_of(joined("HINGE", ground, crank))
    assert parallel(axis, turned.to_3x3() @ Vector((0.0, 1.0, 0.0)))


@pytest.mark.parametrize(
    ("moves", "place", "stays"),
    [
        ((0.1, 0.1, 1.0), (0.0, 0.0, 0.55), (2.0, 0.1, 0.1)),
        ((0.1, 0.1, 1.0), (0.0, 0.0, 0.55), (2.0, 2.0, 0.1)),
        ((0.1, 0.1, 1.0), (0.5, 0.0, 0.0), (0.1, 0.1, 1.0)),
        ((0.1, 1.0, 0.1), (0.0, 0.0, 0.3), (2.0, 0.1, 0.1)),
    ],
    ids=["leg on a beam", "post on a plate", "parallel", "apart"],
)
def test_what_does_not_cross_is_no_pair_of_bars(
    moves: tuple[float, ...], place: tuple[float, ...], stays: tuple[float, ...]
) -> None:
    """A bar that ends where it meets the other, that is beside it, or that is not there."""
    still, moving = slab("Still", (0.0, 0.0, 0.0), stays), slab("Moving", place, moves)
    moved(still, moving)
    assert across_both(moving, still) is None
    assert across_both(still, moving) is None


@pytest.mark.parametrize("turned", [None, 0, 1, 2])
def test_only_hinges_that_are_parallel_tell_the_axis_of_a_loop(turned: int | None) -> None:
    """Where one of them, the first or any, is across the others, bodies tell it as without."""
    made = bars()
    closing = Pair(made["Coupler"], made["Rocker"])
    ((axis, why),) = suited_axes("HINGE", [closing])
    assert why != "Loop"
    ways = (("Ground", "Rocker"), ("Ground", "Crank"), ("Crank", "Coupler"))
    hinges = [joined("HINGE", made[still], made[moving]) for still, moving in ways]
    if turned is not None:
        hinges[turned].matrix_world @= Matrix.Rotation(pi / 2.0, 4, "X")
        bpy.context.view_layer.update()
    ((found, reason),) = suited_axes("HINGE", [closing])
    assert parallel(found, axis)
    assert reason == ("Loop" if turned is None else why)
