# SPDX-License-Identifier: GPL-3.0-or-later
"""What another body holds from two sides or more: a shaft turns about itself, a drawer goes out."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, pi

import bpy
import pytest
from blender.anyhow import axis_of, disc, moved, parallel, whole
from mathutils import Euler, Matrix, Vector
from redo import press
from scenes import joined, select, slab

from omi_physics_joint.blender.create.selection import hangs
from omi_physics_joint.blender.create.slides import lies_on
from omi_physics_joint.blender.joints.authoring import Pair
from tests.blender.test_suited import range_of


@pytest.mark.parametrize("wide", [0.1, 0.3])
def test_a_shaft_in_two_bearings_turns_freely_about_itself(wide: float) -> None:
    """A roller in a fork, or a thin shaft through two blocks, which are one object."""
    stays = whole("Fork", *(((side * 0.5, 0.0, 0.0), (0.1, 0.6, 0.6)) for side in (-1.0, 1.0)))
    shaft = disc("Shaft", Vector(), radius=wide, depth=1.1 if wide < 0.2 else 0.9, axis="X")
    turned = moved(stays, shaft)
    hinge = joined("HINGE", stays, shaft)
    assert parallel(axis_of(hinge), turned.to_3x3() @ Vector((1.0, 0.0, 0.0)))
    place = turned.inverted() @ hinge.matrix_world.translation
    assert (place.y, place.z) == pytest.approx((0.0, 0.0), abs=1e-4)
    assert range_of(hinge) == (-inf, inf)


def test_a_drawer_below_a_desk_slides_out() -> None:
    """It could leave downwards too, as the desk has no bottom, and went up instead."""
    desk = whole(
        "Desk",
        *(((side * 0.55, 0.0, 0.5), (0.1, 0.6, 0.6)) for side in (-1.0, 1.0)),
        ((0.0, 0.0, 0.85), (1.2, 0.6, 0.1)),
        ((0.0, 0.28, 0.5), (1.0, 0.04, 0.6)),
    )
    drawer = slab("Drawer", (0.0, 0.0, 0.6), (0.98, 0.5, 0.3))
    slider = joined("SLIDER", desk, drawer)
    slider.omi_physics_pose.along_x = 0.2
    bpy.context.view_layer.update()
    assert drawer.matrix_world.translation.y == pytest.approx(-0.2, abs=1e-4)


@pytest.mark.parametrize("wide", [0.4, 0.8])
@pytest.mark.parametrize("out", [0.0, 0.03])
@pytest.mark.parametrize("rows", [1, 3])
def test_drawers_of_a_solid_chest_go_out_where_their_fronts_are(
    wide: float, out: float, rows: int
) -> None:
    """Wider than deep or not; their fronts are flush or stand out, and the chest is one block."""
    chest = slab("Chest", (0.0, 0.0, 0.6), (0.9, 0.5, 1.2))
    drawers = [
        slab(f"Drawer {n}", (0.0, -0.025 - out, 0.2 + 0.35 * n), (wide, 0.45, 0.3))
        for n in range(rows)
    ]
    turned = moved(chest, *drawers)
    select(*((*drawers, chest) if rows > 1 else (chest, *drawers)))
    press("omi_joint.create", kind="SLIDER")
    assert chest.omi_physics_body.type == "static"
    for drawer in drawers:
        (slider,) = (one for one in drawer.children if one.omi_physics_joint.is_joint)
        start = drawer.matrix_world.translation.copy()
        slider.omi_physics_pose.along_x = 0.2
        bpy.context.view_layer.update()
        way = turned.to_3x3().inverted() @ (drawer.matrix_world.translation - start)
        assert tuple(way) == pytest.approx((0.0, -0.2, 0.0), abs=1e-3)


def car() -> list[bpy.types.Object]:
    """Return a chassis and four wheels."""
    chassis = slab("Chassis", (0.0, 0.0, 0.6), (3.6, 1.5, 0.5))
    wheels = [
        disc("Wheel", Vector((x, y, 0.4)), radius=0.35, depth=0.2, axis="Y")
        for x in (-1.2, 1.2)
        for y in (-0.9, 0.9)
    ]
    return [chassis, *wheels]


def double_door() -> list[bpy.types.Object]:
    """Return a frame around two doors, and these."""
    jambs = (((side * 1.05, 0.0, 1.0), (0.1, 0.1, 2.1)) for side in (-1.0, 1.0))
    frame = whole("Frame", *jambs, ((0.0, 0.0, 2.06), (2.2, 0.1, 0.1)))
    return [
        frame,
        *(slab("Door", (0.495 * side, 0.0, 1.0), (0.98, 0.04, 1.98)) for side in (-1, 1)),
    ]


def ragdoll() -> list[bpy.types.Object]:
    """Return a torso with limbs."""
    places = ((0.0, 0.8), (-0.5, 0.4), (0.5, 0.4), (-0.15, -0.8), (0.15, -0.8))
    limbs = [slab("Limb", (x, 0.0, 2.0 + z), (0.2, 0.2, 0.4)) for x, z in places]
    return [slab("Torso", (0.0, 0.0, 2.0), (0.6, 0.3, 1.2)), *limbs]


@pytest.mark.parametrize("make", [car, double_door, ragdoll])
def test_several_that_hang_on_one_that_plainly_moves_are_told(
    make: Callable[[], list[bpy.types.Object]],
) -> None:
    """What was clicked last holds the others: the chassis and not a wheel."""
    hub, *others = make()
    moved(hub, *others)
    select(*others, hub)
    press("omi_joint.create", kind="HINGE")
    assert "all of them hang" not in bpy.context.active_operator.noted_warning
    bpy.ops.wm.read_homefile(use_empty=True)
    hub, *others = make()
    moved(hub, *others)
    select(hub, *others)
    press("omi_joint.create", kind="HINGE")
    said = bpy.context.active_operator.noted_warning
    assert ("all of them hang: click" in said) == (make is not ragdoll)


@pytest.mark.parametrize(
    ("kind", "end", "is_told"), [("PIN", -1, True), ("PIN", 0, False), ("HINGE", -1, False)]
)
def test_a_rope_that_stands_on_its_free_end_is_told(kind: str, end: int, is_told: bool) -> None:
    """Its fixed end is clicked last; an arm of hinges may well stand on its lowest part."""
    links = [slab(f"Link {n}", (0.0, 0.0, 2.0 - 0.22 * n), (0.05, 0.05, 0.2)) for n in range(6)]
    first = links.pop(end)
    select(*links, first)
    press("omi_joint.create", kind=kind, chain=True)
    said = bpy.context.active_operator.noted_warning
    assert ("all others are above it: click Link 0 last" in said) == is_told


@pytest.mark.parametrize(
    ("wide", "deep", "does"), [(0.08, 0.08, True), (0.08, 0.2, False), (0.2, 0.08, False)]
)
def test_what_is_low_beside_its_length_does_not_hang(wide: float, deep: float, does: bool) -> None:
    """A truck below a deck is less than half as high as long, whichever way it lies."""
    deck = slab("Deck", (0.0, 0.0, 0.1), (1.0, 1.0, 0.02))
    truck = slab("Truck", (0.0, 0.0, 0.06), (wide, deep, 0.06))
    assert hangs(Pair(deck, truck)) is does


@pytest.mark.parametrize(("wide", "is_dial"), [(1.0, True), (1.3, True), (3.0, False)])
def test_a_hand_that_reaches_the_middle_of_a_dial_turns_about_it(
    wide: float, is_dial: bool
) -> None:
    """A plate that is far wider than high is none: on it a hand turns where it lies."""
    dial = slab("Dial", (0.0, 0.0, 0.0), (wide, 0.05, 1.0))
    hand = slab("Hand", (0.25, -0.035, 0.0), (0.6, 0.02, 0.06))
    way = moved(dial, hand)
    hinge = joined("HINGE", dial, hand)
    assert parallel(axis_of(hinge), way.to_3x3().col[1])
    place = way.inverted() @ hinge.matrix_world.translation
    assert (Vector((place.x, place.z)).length < 1e-4) is is_dial


@pytest.mark.parametrize("off", [-0.8, -0.3, 0.0, 0.3, 0.8])
@pytest.mark.parametrize("wide", [0.3, 1.0])
def test_what_rocks_in_its_middle_rocks_both_ways(off: float, wide: float) -> None:
    """A plank or a platform on a roller; nearer to its end it opens to one side, as a ramp."""
    roller = disc("Roller", Vector((5.0, 0.0, 0.1)), radius=0.1, depth=wide, axis="Y")
    plank = slab("Plank", (5.0 + off, 0.0, 0.225), (2.0, wide, 0.05))
    way = moved(roller, plank, turn=Euler((0.0, 0.0, 1.1)))
    seesaw = joined("HINGE", roller, plank)
    assert parallel(axis_of(seesaw), way.to_3x3().col[1])
    is_free = abs(off) < 0.4
    assert range_of(seesaw) == pytest.approx((-inf, inf) if is_free else (0.0, pi / 2))


@pytest.mark.parametrize("also", [False, True])
def test_an_axis_that_is_across_no_side_of_a_plank_is_none_it_rocks_about(*, also: bool) -> None:
    """Turned anyhow on its post; one beside it that rocks is looked at all the same."""
    post = slab("Post", (0.0, 0.0, 0.5), (2.0, 0.1, 1.0))
    post.omi_physics_body.is_body, post.omi_physics_body.type = True, "static"
    odd, plain = (slab("Plank", (x, 0.0, 1.025), (0.4, 1.2, 0.05)) for x in (-0.6, 0.6))
    turn = Vector((1.0, 1.0, 1.0)).rotation_difference(Vector((1.0, 0.0, 0.0)))
    odd.rotation_euler = turn.to_euler()  # the world's X is along none of its sides
    bpy.context.view_layer.update()
    select(odd, *[plain] * also, post)
    press("omi_joint.create", kind="HINGE", direction="GLOBAL_X")
    ranges = [range_of(hinge) for hinge in bpy.context.selected_objects]
    expected = (-inf, inf) if also else (0.0, pi / 2)
    assert ranges == [pytest.approx(expected)] * (1 + also)


@pytest.mark.parametrize("at", [1.0, -2.0])
@pytest.mark.parametrize("turn", [0.0, 0.5])
def test_a_leg_below_a_wing_folds_along_one_of_its_own_sides(
    at: float, turn: float, capfd: pytest.CaptureFixture[str]
) -> None:
    """The box around a cross lies anyhow, and a leg beside its middle does not hold it there."""
    plane = whole("Plane", ((0.0, 0.0, 1.0), (6.0, 0.8, 0.8)), ((0.5, 0.0, 0.9), (1.2, 8.0, 0.1)))
    leg = slab("Leg", (0.5, at, 0.475), (0.08, 0.08, 0.75))
    turned = Matrix.Translation((20.0, -7.0, 1.0)) @ Matrix.Rotation(turn, 4, "Z")
    for obj in (plane, leg):
        obj.matrix_world = turned @ obj.matrix_world
    hinge = joined("HINGE", plane, leg)
    sides = [turned.to_3x3().col[axis] for axis in (0, 1)]
    assert any(parallel(axis_of(hinge), side) for side in sides)
    assert "Swap" not in capfd.readouterr().out


@pytest.mark.parametrize("turn", [0.0, 0.8])
@pytest.mark.parametrize("kind", ["ball", "box", "turned up", "flap", "lid"])
def test_a_bob_swings_both_ways_whatever_it_hangs_by(kind: str, turn: float) -> None:
    """As a ball of a cradle below its bar; a flap reaches to its hinge, and a lid stands on it."""
    bar = slab("Bar", (0.0, 0.0, 2.0), (3.0, 0.1, 0.1))
    if kind == "ball":
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.25, location=(0.0, 0.0, 1.0))
        bob = bpy.context.object
    elif kind == "turned up":
        bob = slab("Bob", (0.5, 0.0, 1.2), (0.3, 0.3, 0.3))
    else:
        high = {"box": 1.0, "flap": 1.74, "lid": 2.4}[kind]
        bob = slab("Bob", (0.0, 0.0, high), (0.4, 0.3, 0.4))
    spin = Matrix.Translation((20.0, -20.0, 3.0)) @ Matrix.Rotation(turn, 4, "Z")
    for obj in (bar, bob):
        obj.matrix_world = spin @ obj.matrix_world
    bpy.context.view_layer.update()
    bpy.context.scene.cursor.location = spin @ Vector((0.0, 0.0, 2.0))
    hinge = joined("HINGE", bar, bob, place="CURSOR", direction="LOCAL_Y")
    is_free = range_of(hinge) == (-inf, inf)
    assert is_free is (kind in {"ball", "box", "turned up"})


WALLS = [((0.0, 0.95, 0.3), (2.0, 0.1, 0.5)), ((0.95, 0.0, 0.3), (0.1, 2.0, 0.5))]


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize(
    ("walls", "thick", "lies"),
    [(0, 0.1, True), (1, 0.1, False), (2, 0.1, False), (0, 0.9, False)],
)
def test_a_plate_lies_on_what_it_meets_with_its_face_alone(
    walls: int, thick: float, lies: bool, is_turned: bool
) -> None:
    """Not on what is beside it too, as the back of a shelf; and a block is no plate."""
    parts = [slab("Floor", (0.0, 0.0, 0.0), (2.0, 2.0, 0.1))]
    parts += [slab("Wall", *one) for one in WALLS[:walls]]
    select(*parts[::-1])
    bpy.ops.object.join()
    board = slab("Board", (0.0, 0.0, 0.05 + 0.5 * thick), (1.6, 1.6, thick))
    if is_turned:
        moved(parts[0], board)
    assert lies_on(Pair(moving=board, still=parts[0])) is lies


@pytest.mark.parametrize("wings", [2, 3])
@pytest.mark.parametrize("is_round", [True, False])
def test_a_revolving_door_turns_freely_about_its_pole(
    wings: int, is_round: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nobody says that the pole should move, which is as tall and much less."""
    middle = Vector((0.0, 0.0, 1.0))
    pole = slab("Pole", middle, (0.1, 0.1, 2.2))
    if is_round:
        pole = disc("Pole", middle, radius=0.05, depth=2.2, axis="Z")
    made = [slab("Wing", middle, (2.0, 0.04, 2.0)) for _ in range(wings)]
    for at, wing in enumerate(made):
        wing.rotation_euler.z = pi * at / wings
    select(*made)
    bpy.ops.object.transform_apply(location=False)
    bpy.ops.object.join()
    door = bpy.context.object
    door.name = "Door"
    moved(pole, door, turn=Euler((0.0, 0.0, 0.7)))
    hinge = joined("HINGE", pole, door)
    assert range_of(hinge) == (-inf, inf)
    assert "Swap" not in capfd.readouterr().out


def test_a_sign_beside_its_pole_has_a_range() -> None:
    """It is not around that."""
    pole = slab("Pole", (0.0, 0.0, 1.0), (0.1, 0.1, 2.2))
    sign = slab("Sign", (0.45, 0.0, 1.8), (0.8, 0.8, 0.3))
    assert range_of(joined("HINGE", pole, sign)) != (-inf, inf)
