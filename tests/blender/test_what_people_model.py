# SPDX-License-Identifier: GPL-3.0-or-later
"""What people model, joined by Automatic: its axis, and who of two is told to be the wrong one.

Each thing stands 20 m off, turned about the vertical, its transforms applied or not, and is joined
in the right order and in the wrong one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi

import bpy
import pytest
from blender.anyhow import axis_of, disc, moved, parallel, whole
from mathutils import Euler, Matrix, Vector
from scenes import joined, select, slab

Parts = tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]
Made = Callable[[str], bpy.types.Object]
ABOUT = Euler((0.0, 0.0, 1.1))
X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0))


def boxes(*parts: tuple[tuple[float, ...], tuple[float, ...]]) -> Made:
    """Return what makes boxes, each at a place and of a size, as one object."""
    return lambda name: whole(name, *parts)


def box(place: tuple[float, ...], size: tuple[float, ...]) -> Made:
    """Return what makes a box."""
    return lambda name: slab(name, place, size)


def wheel(place: tuple[float, ...], radius: float, depth: float, axis: str) -> Made:
    """Return what makes a cylinder."""
    return lambda name: disc(name, Vector(place), radius=radius, depth=depth, axis=axis)


def with_part(make: Made, part: tuple[tuple[float, ...], tuple[float, ...]]) -> Made:
    """Return what makes something with a box that is parented to it."""

    def made(name: str) -> bpy.types.Object:
        obj, child = make(name), slab("Part", *part)
        child.parent = obj
        child.matrix_parent_inverse = obj.matrix_world.inverted()
        bpy.context.view_layer.update()
        return obj

    return made


def prism(name: str) -> bpy.types.Object:
    """Make a fulcrum with its ridge along y."""
    mesh = bpy.data.meshes.new(name)
    corners = [(-0.3, -0.3, 0), (0.3, -0.3, 0), (0.3, 0.3, 0), (-0.3, 0.3, 0)]
    corners += [(0, -0.3, 0.4), (0, 0.3, 0.4)]
    faces = [(3, 2, 1, 0), (0, 1, 4), (1, 2, 5, 4), (2, 3, 5), (3, 0, 4, 5)]
    mesh.from_pydata(corners, [], faces)
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    return obj


def dome(name: str) -> bpy.types.Object:
    """Make the upper half of a cylinder that lies along x."""
    obj = disc(name, Vector((0, 0, 1.0)), radius=0.3, depth=0.8, axis="X")
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.bisect(plane_co=(0, 0, 1.0), plane_no=(0, 0, 1), clear_inner=True, use_fill=True)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    return obj


@dataclass(frozen=True)
class Thing:
    """What stays, what moves, along which axis, and where on the others where that is plain."""

    stays: Made
    moves: Made
    axis: Vector
    place: tuple[float | None, float | None, float | None] = (None, None, None)
    is_told: bool = True
    """Whether the wrong order is told."""


FRAME = (
    ((-0.5525, 0, 1), (0.1, 0.12, 2.1)),
    ((0.5525, 0, 1), (0.1, 0.12, 2.1)),
    ((0, 0, 2.0525), (1.2, 0.12, 0.1)),
)
SASHES = (
    ((-0.55, 0, 0.5), (0.1, 0.1, 1.2)),
    ((0.55, 0, 0.5), (0.1, 0.1, 1.2)),
    ((0, 0, 1.05), (1, 0.1, 0.1)),
    ((0, 0, -0.05), (1, 0.1, 0.1)),
)
CHEST = box((0, 0, 0.5), (0.8, 0.6, 1.0))
DOOR = ((0, 0, 1), (1, 0.04, 2))
BLADES = boxes(((0, 0, 2), (1.6, 0.2, 0.04)), ((0, 0, 2), (0.2, 1.6, 0.04)))
HINGES = {
    "door": Thing(boxes(*FRAME), boxes(DOOR), Z, (None, 0, 1)),
    "door with its handle at the left": Thing(
        boxes(*FRAME), boxes(DOOR, ((-0.42, -0.06, 1), (0.1, 0.08, 0.03))), Z, (0.5, 0, None)
    ),
    "door with its handle at the right": Thing(
        boxes(*FRAME), boxes(DOOR, ((0.42, -0.06, 1), (0.1, 0.08, 0.03))), Z, (-0.5, 0, None)
    ),
    "door with hinges at the right": Thing(
        boxes(*FRAME),
        boxes(DOOR, *(((0.49, -0.03, z), (0.02, 0.02, 0.1)) for z in (0.2, 1.8))),
        Z,
        (0.5, None, None),
    ),
    "door that is thicker at its left half": Thing(
        boxes(*FRAME),
        boxes(DOOR, ((-0.26, -0.08, 1), (0.48, 0.16, 2))),
        Z,
        (-0.5, None, None),
    ),
    "window sash": Thing(boxes(*SASHES), box((0, 0, 0.5), (0.98, 0.04, 0.98)), Z, (None, 0, 0.5)),
    "gate that overlaps its post": Thing(
        box((0, 0, 0.6), (0.1, 0.1, 1.2)), box((0.53, 0, 0.6), (1, 0.04, 1)), Z
    ),
    "oven": Thing(
        box((0, 0, 0.4), (0.6, 0.6, 0.8)),
        boxes(((0, -0.31, 0.4), (0.58, 0.02, 0.5)), ((0, -0.34, 0.6), (0.5, 0.04, 0.02))),
        X,
        (None, -0.3, 0.15),
    ),
    "domed lid": Thing(CHEST, dome, X, (None, 0.3, 1)),
    "thick lid": Thing(CHEST, box((0, 0, 1.2), (0.8, 0.6, 0.4)), X, (None, 0.3, 1)),
    "seat before a cistern": Thing(
        boxes(((0, 0, 0.2), (0.36, 0.46, 0.4)), ((0, 0.32, 0.4), (0.4, 0.16, 0.8))),
        box((0, 0, 0.42), (0.36, 0.46, 0.02)),
        X,
        (None, 0.235, None),
    ),
    "folding seat with its back at the right": Thing(
        boxes(((0, 0, 0.2), (0.5, 0.5, 0.4)), ((0.275, 0, 0.5), (0.05, 0.5, 1.0))),
        box((0, 0, 0.43), (0.5, 0.5, 0.06)),
        Y,
        (0.25, None, None),
    ),
    "laptop that stands open": Thing(
        box((0, 0, 0.01), (0.34, 0.24, 0.02)),
        box((0, 0.125, 0.14), (0.34, 0.01, 0.24)),
        X,
        (None, 0.12, 0.02),
        is_told=False,
    ),
    "tailgate": Thing(
        box((0, 0, 0.5), (1.8, 2, 0.4)), box((0, -1.03, 0.75), (1.8, 0.06, 0.5)), X, is_told=False
    ),
    "turret": Thing(
        box((0, 0, 0.5), (2, 4, 1)),
        box((0, 0, 1.25), (1.2, 1.6, 0.5)),
        Z,
        (0, 0, None),
        is_told=False,
    ),
    "lever": Thing(
        box((0, 0, 0.05), (0.3, 0.2, 0.1)), box((0, 0, 0.35), (0.03, 0.03, 0.5)), Y, is_told=False
    ),
    "knee": Thing(
        box((0, 0, 0.75), (0.12, 0.15, 0.45)), box((0, 0, 0.3), (0.1, 0.12, 0.45)), X, is_told=False
    ),
    "pendulum": Thing(
        box((0, 0, 2), (1, 0.1, 0.1)), box((0, 0, 1.45), (0.05, 0.05, 1)), Y, is_told=False
    ),
    "plank on a prism": Thing(
        prism, box((0, 0, 0.43), (3, 0.3, 0.06)), Y, (0, None, 0.4), is_told=False
    ),
    "plank on a roll": Thing(
        wheel((0, 0, 0.2), 0.2, 0.4, "Y"), box((0, 0, 0.43), (3, 0.3, 0.06)), Y, is_told=False
    ),
    "propeller": Thing(
        box((0, 0, 1), (0.8, 4, 0.8)), box((0, -2.05, 1), (1.6, 0.05, 0.15)), Y, (0, None, 1)
    ),
    "picture on its nail": Thing(
        wheel((0, 0, 2), 0.01, 0.1, "Y"),
        box((0, -0.03, 1.7), (0.8, 0.03, 0.6)),
        Y,
        (0, None, 2),
        is_told=False,
    ),
    "sign below its bracket": Thing(
        box((0, 0, 2), (0.1, 0.1, 0.1)),
        box((0, 0, 1.6), (0.6, 0.6, 0.7)),
        Z,
        is_told=False,
    ),
    "carousel on its post": Thing(
        wheel((0, 0, 1.47), 0.15, 2.94, "Z"), wheel((0, 0, 3), 2, 0.1, "Z"), Z
    ),
    "rod below the middle of a ceiling": Thing(
        wheel((0, 0, 3), 2, 0.1, "Z"), box((0, 0, 2.45), (0.02, 0.02, 1)), Z, is_told=False
    ),
    "lamp below the middle of a ceiling": Thing(
        box((0, 0, 3), (4, 4, 0.1)), box((0, 0, 2.75), (0.3, 0.3, 0.4)), Z
    ),
    "ceiling fan": Thing(box((0, 0, 2.3), (0.06, 0.06, 0.56)), BLADES, Z, (0, 0, None)),
    "hand of a clock": Thing(
        wheel((0, 0, 1), 0.5, 0.05, "Y"),
        box((0, -0.035, 1.15), (0.04, 0.02, 0.4)),
        Y,
        (0, None, 1),
        is_told=False,
    ),
    "crank on the end of a shaft": Thing(
        wheel((0, 0, 1), 0.1, 1, "Y"), box((0.3, -0.55, 1), (0.8, 0.1, 0.15)), Y, is_told=False
    ),
    "wheel with its valve": Thing(
        box((0, 0.2, 0.8), (0.1, 0.1, 1)),
        with_part(wheel((0, 0, 0.4), 0.4, 0.15, "Y"), ((0.5, 0, 0.4), (0.3, 0.1, 0.1))),
        Y,
    ),
    "hub with one blade": Thing(
        box((0, 0.4, 1), (0.3, 0.3, 2)),
        with_part(wheel((0, 0, 1.9), 0.15, 0.5, "Y"), ((0.8, -0.2, 1.9), (1.4, 0.05, 0.2))),
        Y,
        (0, None, 1.9),
    ),
    "barrier": Thing(
        box((0, 0, 0.5), (0.3, 0.3, 1)), box((1.6, 0.19, 0.9), (3.4, 0.08, 0.1)), Y, is_told=False
    ),
    "wheel": Thing(
        box((0, 0, 0.6), (4, 1.6, 0.5)),
        wheel((1.4, -0.95, 0.4), 0.35, 0.2, "Y"),
        Y,
        (1.4, None, 0.4),
    ),
    "wheel of a skateboard": Thing(
        box((0, 0, 0.1), (0.8, 0.2, 0.02)), wheel((0.28, 0.08, 0.05), 0.03, 0.03, "Y"), Y
    ),
}
DESK = (
    ((0, 0, 0.6), (0.7, 0.56, 0.02)),
    ((-0.34, 0, 0.4), (0.02, 0.56, 0.4)),
    ((0.34, 0, 0.4), (0.02, 0.56, 0.4)),
    ((0, 0.27, 0.4), (0.7, 0.02, 0.4)),
)
DRAWER = (
    ((0, 0, 0.45), (0.5, 0.5, 0.01)),
    ((-0.25, 0, 0.5), (0.01, 0.5, 0.1)),
    ((0.25, 0, 0.5), (0.01, 0.5, 0.1)),
    ((0, -0.25, 0.5), (0.51, 0.01, 0.1)),
)
SHAFT = (
    ((-0.65, 0, 3), (0.1, 1.4, 6)),
    ((0.65, 0, 3), (0.1, 1.4, 6)),
    ((0, 0.65, 3), (1.2, 0.1, 6)),
    ((0, 0, 0.05), (1.2, 1.2, 0.1)),
    ((0, 0, 5.95), (1.2, 1.2, 0.1)),
)
DOORS = {"Left": -0.3, "Right": 0.3}
BLOCK = box((0, 0, 0.5), (0.6, 0.5, 0.8))
SLIDERS = {
    "drawer": Thing(boxes(*DESK, ((0, 0, 0.43), (0.7, 0.56, 0.02))), boxes(*DRAWER), Y),
    "drawer below a desk without a bottom": Thing(boxes(*DESK), boxes(*DRAWER), Y),
    "front of a drawer": Thing(BLOCK, box((0, -0.26, 0.6), (0.5, 0.02, 0.2)), Y),
    "front that is sunk": Thing(BLOCK, box((0, -0.245, 0.6), (0.5, 0.02, 0.2)), Y),
    "sliding door along a wall": Thing(
        box((0, 0, 1.1), (4, 0.2, 2.4)), box((-0.5, -0.12, 1), (1, 0.04, 2)), X
    ),
    "sliding door below a rail": Thing(
        box((0, 0, 2.1), (2.4, 0.08, 0.08)), box((-0.5, 0, 1.03), (1, 0.04, 2.04)), X
    ),
    "lift in a shaft that is open in front": Thing(
        boxes(*SHAFT), box((0, 0, 1.2), (1.1, 1.1, 2)), Z
    ),
    "drawer in a tall cupboard": Thing(boxes(*SHAFT), box((0, -0.05, 3), (1.1, 1.2, 0.5)), Y),
    "sash that goes up": Thing(boxes(*SASHES), box((0, 0, 0.25), (1, 0.03, 0.5)), Z),
    "button": Thing(box((0, 0, 0), (0.4, 0.3, 0.05)), wheel((0, 0, 0.03), 0.03, 0.03, "Z"), Z),
    "carriage": Thing(box((0, 0, 0.5), (2, 0.1, 0.1)), box((0.3, 0, 0.6), (0.3, 0.3, 0.1)), X),
    "suspension": Thing(
        box((0, 0, 0.6), (4, 1.6, 0.3)), box((1.4, -0.9, 0.4), (0.15, 0.15, 0.15)), Z
    ),
    "piston": Thing(wheel((0, 0, 0.5), 0.2, 1, "Z"), wheel((0, 0, 1.1), 0.1, 0.8, "Z"), Z),
}
CASES = [("HINGE", name) for name in HINGES] + [("SLIDER", name) for name in SLIDERS]


@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize(("kind", "name"), CASES)
def test_what_people_model_moves_as_it_looks(
    kind: str, name: str, applied: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """In the right order, and then nobody is told that it is the wrong one."""
    thing = (HINGES | SLIDERS)[name]
    stays, moves = thing.stays("Stays"), thing.moves("Moves")
    stays.name, moves.name = "Stays", "Moves"
    back = moved(stays, moves, turn=ABOUT).inverted()
    if applied:
        select(stays, moves)
        bpy.ops.object.transform_apply(location=False, rotation=True, scale=True)
    capfd.readouterr()
    joint = joined(kind, stays, moves)
    assert "clicked last" not in capfd.readouterr().out
    assert parallel(back.to_3x3() @ axis_of(joint), thing.axis)
    place = back @ joint.matrix_world.translation
    for found, expected in zip(place, thing.place, strict=True):
        assert expected is None or found == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_the_wrong_one_that_moves_is_told(
    kind: str, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """And where it cannot be told, as of two bars, nothing is said."""
    thing = (HINGES | SLIDERS)[name]
    stays, moves = thing.stays("Stays"), thing.moves("Moves")
    stays.name, moves.name = "Stays", "Moves"
    moved(stays, moves, turn=ABOUT)
    joined(kind, moves, stays)
    said = "and moves, as it was clicked last: Swap lets Moves move"
    assert (said in capfd.readouterr().out) == thing.is_told


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("kind", ["HINGE", "SLIDER"])
def test_what_carries_doors_or_drawers_stands_though_it_was_clicked_last(
    kind: str, swapped: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """It says so, and one choice in the redo box lets it move."""
    if kind == "HINGE":
        frame = whole("Wardrobe", ((0, 0, 1), (1.2, 0.6, 2)))
        parts = [slab(name, (x, -0.31, 1), (0.58, 0.02, 1.96)) for name, x in DOORS.items()]
    else:
        frame = slab("Wardrobe", (0, 0, 0.5), (1.2, 0.5, 0.8))
        parts = [slab(name, (x, -0.26, 0.6), (0.5, 0.02, 0.2)) for name, x in DOORS.items()]
    moved(frame, *parts, turn=ABOUT)
    capfd.readouterr()
    select(*parts, frame)
    options = {"active_motion": "dynamic"} if swapped else {}
    assert bpy.ops.omi_joint.create(kind=kind, **options) == {"FINISHED"}
    assert frame.omi_physics_body.type == ("dynamic" if swapped else "static")
    assert [one.omi_physics_body.type for one in parts] == ["dynamic", "dynamic"]
    said = "; Wardrobe stands\n"
    assert (said in capfd.readouterr().out) is not swapped


@pytest.mark.parametrize("round_wheels", [False, True])
def test_a_car_moves_with_its_wheels(round_wheels: bool) -> None:
    """Though a wheel lies on its flank as a hatch does."""
    car = slab("Car", (0, 0, 0.6), (4, 1.6, 0.5))
    sides = (-1.0, 1.0)
    wheels = [
        disc("Wheel", Vector((1.4, side * 0.9, 0.4)), radius=0.35, depth=0.2, axis="Y")
        if round_wheels
        else slab("Leg", (1.4, side * 0.85, 0.4), (0.1, 0.1, 0.6))
        for side in sides
    ]
    moved(car, *wheels, turn=ABOUT)
    select(*wheels, car)
    assert bpy.ops.omi_joint.create(kind="HINGE") == {"FINISHED"}
    assert car.omi_physics_body.type == "dynamic"


@pytest.mark.parametrize("last", ["Pole", "Blade"])
def test_blades_of_a_fan_that_turn_one_by_one_are_told(
    last: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Their pole stands; and three that stick out of one side, as shelves, are no fan."""
    pole = disc("Pole", Vector((0, 0, 2.5)), radius=0.08, depth=1.0, axis="Z")
    blades = [slab("Blade", (0.7, 0, 2.1), (1.2, 0.2, 0.03)) for _ in range(4)]
    for index, blade in enumerate(blades):
        blade.matrix_world = Matrix.Rotation(0.5 * pi * index, 4, "Z") @ blade.matrix_world
    moved(pole, *blades, turn=ABOUT)
    capfd.readouterr()
    select(*blades, pole) if last == "Pole" else select(pole, *blades)
    assert bpy.ops.omi_joint.create(kind="HINGE") == {"FINISHED"}
    said = capfd.readouterr().out
    if last == "Blade":
        assert "click Pole last instead" in said
        return
    assert "Blade and 3 others turn one by one: join them first (Ctrl J)" in said
    assert pole.omi_physics_body.type == "static"


@pytest.mark.parametrize("gap", [False, True])
def test_a_ring_that_a_chain_leaves_open_is_told(
    gap: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its last link is beside the first; with a gap of two it is a necklace that is open."""
    beads = []
    for index in range(8 if gap else 10):
        way = Matrix.Rotation(0.2 * pi * index, 4, "Z")
        beads.append(slab("Bead", way @ Vector((1.0, 0, 1.0)), (0.3, 0.3, 0.3)))
    moved(*beads, turn=ABOUT)
    capfd.readouterr()
    select(*beads[1:], beads[0])
    assert bpy.ops.omi_joint.create(kind="PIN", chain=True) == {"FINISHED"}
    said = "is not joined to Bead: join these two to close the ring"
    assert (said in capfd.readouterr().out) is not gap
