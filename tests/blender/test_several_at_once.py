# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of several stand that are joined at once, and what is told where that looks wrong.

Each thing stands 20 m off, turned about the vertical.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

import bpy
import pytest
from blender.anyhow import disc, moved, whole
from mathutils import Euler, Matrix, Vector
from redo import adjust, press
from scenes import joined, select, slab

ABOUT = Euler((0.0, 0.0, 1.1))
Objects = list[bpy.types.Object]
Made = Callable[[], Objects]


def two(name: str, x: float, place: tuple[float, ...], size: tuple[float, ...]) -> Objects:
    """Return two boxes of one size, x to both sides of a place."""
    a, b, c = place
    return [slab(f"{name} {sign}", (a + sign * x, b, c), size) for sign in (-1, 1)]


def legs(x: float, y: float, size: tuple[float, ...], top: float = 0.5) -> Objects:
    """Return four legs below the corners of a body."""
    return [
        slab("Leg", (a * x, b * y, top - 0.5 * size[2]), size) for a in (-1, 1) for b in (-1, 1)
    ]


def portal(width: float, height: float) -> bpy.types.Object:
    """Return two posts and the beam between them as one object."""
    posts = [((s * 0.5 * width, 0, 0.5 * height), (0.1, 0.1, height)) for s in (-1, 1)]
    return whole("Frame", *posts, ((0, 0, height), (width + 0.1, 0.1, 0.1)))


def cradle() -> Objects:
    """Return the balls of Newton's cradle with their rods, then the frame."""
    balls = [
        whole("Ball", ((x, 0, 0.2), (0.1, 0.1, 0.1)), ((x, 0, 0.6), (0.01, 0.01, 0.7)))
        for x in (-0.2, -0.1, 0.0, 0.1, 0.2)
    ]
    return [*balls, portal(1.0, 1.0)]


def pendulums() -> Objects:
    """Return two thin rods, each with a bob that is thicker than what they hang from."""
    parts = (((0, 0, 1.475), (0.01, 0.01, 0.95)), ((0, 0, 0.9), (0.2, 0.2, 0.2)))
    return [
        whole("Pendulum", *(((x, y, z), size) for (_, y, z), size in parts)) for x in (-0.5, 0.5)
    ]


def clock() -> Objects:
    """Return two hands and their dial."""
    hands = [slab("Hour", (0, -0.035, 1.1), (0.04, 0.02, 0.3))]
    hands.append(slab("Minute", (0, -0.06, 1.15), (0.03, 0.02, 0.4)))
    return [*hands, disc("Dial", Vector((0, 0, 1)), radius=0.5, depth=0.05, axis="Y")]


STANDING: dict[str, tuple[str, Made]] = {
    f"{name}, {kind.lower()}": (kind, make)
    for name, make in {
        "lamps": lambda: [
            *two("Lamp", 1.0, (0, 0, 2.6), (0.1, 0.1, 0.7)),
            slab("Ceiling", (0, 0, 3), (4, 4, 0.1)),
        ],
        "ropes": lambda: [
            *two("Rope", 0.5, (0, 0, 1.2), (0.03, 0.03, 1.6)),
            slab("Beam", (0, 0, 2.05), (2, 0.1, 0.1)),
        ],
        "ropes that go round their beam": lambda: [
            *two("Rope", 0.5, (0, 0, 1.3), (0.03, 0.12, 1.7)),
            slab("Beam", (0, 0, 2.05), (2, 0.1, 0.1)),
        ],
        "swing": lambda: [*two("Rope", 0.5, (0, 0, 1.2), (0.03, 0.03, 1.5)), portal(2, 2)],
        "cradle": cradle,
        "pendulums": lambda: [*pendulums(), slab("Beam", (0, 0, 2), (2, 0.2, 0.1))],
    }.items()
    for kind in ("PIN", "HINGE")
}
STANDING["hands of a clock"] = ("HINGE", clock)


def limbs() -> Objects:
    """Return two arms and two legs, then their torso."""
    arms = two("Arm", 0.26, (0, 0, 0.05), (0.1, 0.1, 0.6))
    return [*arms, *two("Leg", 0.1, (0, 0, -0.7), (0.12, 0.12, 0.7)), torso()]


def torso() -> bpy.types.Object:
    """Return a torso."""
    return slab("Torso", (0, 0, 0), (0.4, 0.2, 0.7))


def hexapod(long: float, thick: float) -> Objects:
    """Return six legs around the lower end of a body, then that."""
    made = [slab("Leg", (0.2 + 0.5 * long, 0, 1), (long, 0.06, 0.06)) for _ in range(6)]
    for index, leg in enumerate(made):
        leg.matrix_world = Matrix.Rotation(index * pi / 3, 4, "Z") @ leg.matrix_world
    place = Vector((0, 0, 0.95 + 0.5 * thick))
    return [*made, disc("Body", place, radius=0.2, depth=thick, axis="Z")]


def skateboard() -> Objects:
    """Return four wheels below their deck."""
    wheels = [
        disc("Wheel", Vector((x, y, 0.05)), radius=0.03, depth=0.03, axis="Y")
        for x in (-0.28, 0.28)
        for y in (-0.08, 0.08)
    ]
    return [*wheels, slab("Deck", (0, 0, 0.1), (0.8, 0.2, 0.02))]


def carriage(depth: float) -> Objects:
    """Return two axles that look like wheels in the middle of a deck, or trucks, then that."""
    return [
        *two("Truck", 0.28, (0, 0, 0.065), (0.1, depth, 0.05)),
        slab("Deck", (0, 0, 0.1), (0.8, 0.2, 0.02)),
    ]


MOVING: dict[str, tuple[str, Made]] = {
    "torso with limbs, pinned": ("PIN", limbs),
    "torso with limbs": ("HINGE", limbs),
    "torso with legs": (
        "PIN",
        lambda: [*two("Leg", 0.1, (0, 0, -0.7), (0.12, 0.12, 0.7)), torso()],
    ),
    "torso with arms": ("PIN", lambda: [*two("Arm", 0.26, (0, 0, 0), (0.1, 0.1, 0.7)), torso()]),
    "hips with legs": (
        "HINGE",
        lambda: [
            *two("Leg", 0.2, (0, 0, 0.6), (0.12, 0.12, 0.7)),
            slab("Hips", (0, 0, 1.03), (0.6, 0.16, 0.16)),
        ],
    ),
    "dog, pinned": (
        "PIN",
        lambda: [*legs(0.25, 0.08, (0.04, 0.04, 0.3)), slab("Dog", (0, 0, 0.6), (0.6, 0.2, 0.2))],
    ),
    "dog": (
        "HINGE",
        lambda: [*legs(0.25, 0.08, (0.04, 0.04, 0.3)), slab("Dog", (0, 0, 0.6), (0.6, 0.2, 0.2))],
    ),
    "robot with a plate for a body": (
        "HINGE",
        lambda: [*legs(0.4, 0.2, (0.08, 0.08, 0.5)), slab("Robot", (0, 0, 0.55), (1, 0.5, 0.1))],
    ),
    "hexapod": ("HINGE", lambda: hexapod(1.0, 0.1)),
    "hexapod with a tall body": ("HINGE", lambda: hexapod(0.7, 1.2)),
    "slender torso with legs": (
        "PIN",
        lambda: [
            *two("Leg", 0.05, (0, 0, -0.8), (0.08, 0.08, 0.7)),
            slab("Torso", (0, 0, 0), (0.2, 0.2, 0.9)),
        ],
    ),
    "masts on a raft": (
        "PIN",
        lambda: [
            *two("Mast", 0.5, (0, 0, 0.6), (0.1, 0.1, 1)),
            slab("Raft", (0, 0, 0.05), (2, 1, 0.1)),
        ],
    ),
    "skateboard": ("HINGE", skateboard),
    "trucks of a skateboard": ("HINGE", lambda: carriage(0.15)),
}


def created(kind: str, objects: Objects, **options: object) -> None:
    """Join objects, the last of them active, somewhere else."""
    moved(*objects, turn=ABOUT)
    select(*objects)
    press("omi_joint.create", kind=kind, **options)


def motions(objects: Objects) -> list[str]:
    """Return how bodies move."""
    return [obj.omi_physics_body.type for obj in objects]


@pytest.mark.parametrize("name", STANDING)
def test_what_several_hang_on_stands_though_it_was_clicked_last(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """It says so and nothing else, and one choice in the redo box lets it move."""
    kind, make = STANDING[name]
    made = make()
    created(kind, made)
    assert motions(made) == ["dynamic"] * (len(made) - 1) + ["static"]
    said = capfd.readouterr().out
    assert f"Added {len(made) - 1} joints" in said
    assert f"; {made[-1].name} stands\n" in said
    last = made[-1].name
    adjust(active_motion="dynamic")
    assert bpy.data.objects[last].omi_physics_body.type == "dynamic"


@pytest.mark.parametrize("name", MOVING)
def test_a_body_moves_with_its_limbs_or_wheels(name: str) -> None:
    """Though they are below it: nothing hangs from it."""
    kind, make = MOVING[name]
    made = make()
    created(kind, made)
    assert set(motions(made)) == {"dynamic"}


@pytest.mark.parametrize("count", [3, 5])
def test_what_is_so_of_one_of_several_alike_is_not_said(
    count: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of arms on a post the middle one is at its middle, where a post might turn on it."""
    post = slab("Post", (0, 0, 1), (0.2, 0.2, 2))
    arms = [slab("Arm", (0.6, 0, 0.5 + i / (count - 1)), (1, 0.05, 0.05)) for i in range(count)]
    created("HINGE", [*arms, post])
    assert (
        f"Added {count} joints about Z, as nothing tells another; all move\n"
        in capfd.readouterr().out
    )


def bridge(height: float, thick: float) -> Objects:
    """Return a post, planks at a height, and another post."""
    first, last = two("Post", 1.5, (0, 0, 1), (thick, 1, 2))
    planks = [slab("Plank", (-1.2 + 0.3 * i, 0, height), (0.28, 0.9, 0.05)) for i in range(9)]
    return [first, *planks, last]


def nunchaku() -> Objects:
    """Return two handles with a chain between them, which lie."""
    first, last = two("Handle", 0.3, (0, 0, 0), (0.4, 0.05, 0.05))
    return [first, *(slab("Link", (x, 0, 0), (0.04, 0.02, 0.02)) for x in (-0.06, 0, 0.06)), last]


def stepper() -> Objects:
    """Return two feet, two shins and hips."""
    first, last = two("Foot", 0.2, (0, 0, 0.05), (0.1, 0.25, 0.1))
    shins = two("Leg", 0.2, (0, 0, 0.5), (0.12, 0.12, 0.8))
    return [first, shins[0], slab("Hips", (0, 0, 0.95), (0.5, 0.2, 0.1)), shins[1], last]


@pytest.mark.parametrize("kind", ["HINGE", "PIN"])
@pytest.mark.parametrize("height", [0.9, 1.9])
def test_both_posts_of_a_bridge_stand(
    height: float, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The far one as the active one, and one choice in the redo box lets both of them move."""
    made = bridge(height, 0.2)
    created(kind, made, chain=True)
    assert motions(made) == ["static", *["dynamic"] * 9, "static"]
    assert f"; {made[-1].name} and {made[0].name} stand\n" in capfd.readouterr().out
    names = [obj.name for obj in made]
    adjust(active_motion="dynamic")
    assert set(motions([bpy.data.objects[name] for name in names])) == {"dynamic"}


@pytest.mark.parametrize("kind", ["HINGE", "PIN"])
@pytest.mark.parametrize("make", [nunchaku, stepper])
def test_what_ends_a_chain_and_does_not_reach_to_the_ground_moves(make: Made, kind: str) -> None:
    """Or is no larger than what is between, as feet are not."""
    made = make()
    created(kind, made, chain=True)
    assert motions(made) == [*["dynamic"] * (len(made) - 1), "static"]


def excavator() -> Objects:
    """Return the cab, the boom, the stick and the bucket."""
    cab, boom = slab("Cab", (0, 0, 1), (1.5, 1.2, 1.5)), slab("Boom", (1.7, 0, 1.5), (2, 0.2, 0.2))
    stick = slab("Stick", (2.8, 0, 1), (0.2, 0.2, 1.2))
    return [cab, boom, stick, slab("Bucket", (3, 0, 0.3), (0.5, 0.6, 0.4))]


def desk_lamp() -> Objects:
    """Return the base, two arms and the head."""
    base = disc("Base", Vector((0, 0, 0.015)), radius=0.15, depth=0.03, axis="Z")
    lower, upper = (slab("Arm", (0, 0, 0.23), (0.02, 0.02, 0.4)) for _ in range(2))
    upper.matrix_world = (
        Matrix.Translation((0, 0, 0.43))
        @ Matrix.Rotation(1.2, 4, "Y")
        @ Matrix.Translation((0, 0, -0.03))
        @ upper.matrix_world
    )
    place = Vector((0.4 * sin(1.2), 0, 0.43 + 0.4 * cos(1.2)))
    return [base, lower, upper, slab("Head", place, (0.12, 0.1, 0.14))]


def trapeze() -> Objects:
    """Return a hook, its rope, and the seat that hangs there."""
    hook, rope = (
        slab("Hook", (0, 0, 2), (0.1, 0.1, 0.1)),
        slab("Rope", (0, 0, 1.2), (0.03, 0.03, 1.5)),
    )
    return [hook, rope, slab("Seat", (0, 0, 0.44), (0.5, 0.2, 0.03))]


def wrecking_ball() -> Objects:
    """Return a hook, its rope, and the ball that hangs there."""
    hook, rope, _ = trapeze()
    bpy.data.objects.remove(bpy.data.objects["Seat"])
    return [hook, rope, slab("Ball", (0, 0, 0.2), (0.5, 0.5, 0.5))]


@pytest.mark.parametrize("make", [excavator, desk_lamp])
def test_an_arm_that_begins_at_its_wrong_end_is_told(
    make: Made, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its base is much larger, or lies below all others; begun there, nothing is said."""
    made = make()
    created("HINGE", made, chain=True)
    base, head = made[0].name, made[-1].name
    assert f"and {head} stays: click {base} last instead" in capfd.readouterr().out
    bpy.ops.ed.undo()
    made = [bpy.data.objects[obj] for obj in [base, head]]
    others = [obj for obj in bpy.data.objects if obj.type == "MESH" and obj not in made]
    select(made[1], *others, made[0])
    press("omi_joint.create", kind="HINGE", chain=True)
    assert "instead" not in capfd.readouterr().out


@pytest.mark.parametrize("make", [trapeze, wrecking_ball])
def test_what_hangs_plumb_at_the_end_of_a_chain_is_no_base(
    make: Made, capfd: pytest.CaptureFixture[str]
) -> None:
    """However large it is."""
    created("HINGE", make()[::-1], chain=True)
    assert "instead" not in capfd.readouterr().out


@pytest.mark.parametrize("count", [3, 4])
@pytest.mark.parametrize("square", [False, True])
def test_loose_blades_before_their_pole_are_told(
    square: bool, count: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever the pole is, which stands."""
    blades = []
    for index in range(count):
        blades.append(slab("Blade", (0.4, 0.08, 0), (0.7, 0.04, 0.15)))
        turn = Matrix.Rotation(2 * pi * index / count, 4, "Y")
        blades[-1].matrix_world = Matrix.Translation((0, 0, 1.8)) @ turn @ blades[-1].matrix_world
    pole = (
        slab("Pole", (0, 0.2, 1), (0.2, 0.2, 2))
        if square
        else slab("House", (0, 1.1, 1), (2, 2, 2))
    )
    created("HINGE", [*blades, pole])
    assert "turn one by one: join them first (Ctrl J) if they are to turn" in capfd.readouterr().out
    assert pole.omi_physics_body.type == "static"


def hatch() -> Objects:
    """Return a slanted roof and the hatch at its edge."""
    made = [slab("Roof", (0, 0.75, 0), (2, 0.5, 0.1)), slab("Hatch", (0, 0, 0), (1, 1, 0.06))]
    for obj in made:
        obj.matrix_world = Matrix.Rotation(0.6, 4, "X") @ obj.matrix_world
    return made


def flag() -> Objects:
    """Return a bar and the flag below it."""
    return [slab("Bar", (0, 0, 2), (2, 0.1, 0.1)), slab("Flag", (0, 0, 1.45), (1, 0.05, 1))]


def drum() -> Objects:
    """Return a drum without ends and the leaves that turn in it."""
    bpy.ops.mesh.primitive_cylinder_add(
        radius=1.1, depth=2.2, location=(0, 0, 1.1), end_fill_type="NOTHING"
    )
    around = bpy.context.object
    return [around, whole("Leaves", ((0, 0, 1.1), (2, 0.05, 2)), ((0, 0, 1.1), (0.05, 2, 2)))]


@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize("make", [hatch, flag, drum])
def test_a_plate_is_no_axle_of_what_it_meets(
    make: Made, applied: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """With its edge, nor what turns in a drum one of that: the right order is told nothing."""
    made = make()
    moved(*made, turn=ABOUT)
    if applied:
        select(*made)
        bpy.ops.object.transform_apply(location=False, rotation=True, scale=True)
    capfd.readouterr()
    joined("HINGE", *made)
    assert "Swap" not in capfd.readouterr().out


@pytest.mark.parametrize("kind", ["PIN", "WELD"])
def test_what_is_small_holds_what_is_large(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    """A hook a chandelier: nobody is told to let the hook move."""
    hook = slab("Hook", (0, 0, 3), (0.05, 0.05, 0.1))
    created(kind, [hook, slab("Chandelier", (0, 0, 2.45), (1, 1, 1))])
    assert "Swap" not in capfd.readouterr().out
