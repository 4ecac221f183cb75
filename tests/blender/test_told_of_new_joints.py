# SPDX-License-Identifier: GPL-3.0-or-later
"""What the report says of new joints: about which axis, and who stands."""

from __future__ import annotations

from math import cos, inf, pi, radians, sin

import bpy
import pytest
from mathutils import Matrix, Vector
from scenes import issues, joined, select, slab

from omi_physics_joint.blender.bridge.read_settings import settings_of
from omi_physics_joint.model.settings.spans import spans_of

HAND = (0.02, 0.01, 0.15)


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
        (90, 30, "local Z of Door"),
        (20, 30, "local Z of Door"),
    ],
)
def test_the_axis_is_called_as_the_world_or_the_body_calls_it(
    tilt: float, turn: float, axis: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Within half a degree."""
    told = said(capfd, "HINGE", radians(tilt + 0.1), radians(turn))
    assert told == f"Added Door Hinge about {axis}; Frame stands"


def test_local_axes_of_many_are_said_once(capfd: pytest.CaptureFixture[str]) -> None:
    """By their letter, with so many names as elsewhere."""
    turned = Matrix.Rotation(0.5, 4, "Z")
    chest = slab("Chest", (0.0, 0.0, 0.8), (0.9, 0.5, 1.6))
    drawers = [slab(f"Drawer {n}", (0, -0.05, 0.2 + 0.35 * n), (0.8, 0.45, 0.3)) for n in range(4)]
    for body in (chest, *drawers):
        body.matrix_world = turned @ body.matrix_world
    select(*drawers, chest)
    bpy.ops.omi_joint.create(kind="SLIDER")
    said = "Added 4 joints along local Y of Drawer 0 and 3 others; Chest stands\n"
    assert said in capfd.readouterr().out


@pytest.mark.parametrize(("tilt", "axis"), [(90, "a level axis"), (20, "a slanted axis")])
def test_an_axis_that_neither_has_is_level_or_slanted(
    tilt: float, axis: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of a door whose mesh is turned in its object, and whose rotation was applied."""
    frame, door = slab("Frame", (-0.55, 0, 1), (0.1, 0.2, 2)), slab("Door", (0, 0, 1), (1, 0.06, 2))
    turned = Matrix.Rotation(0.5, 4, "Z") @ Matrix.Rotation(radians(tilt), 4, "Y")
    for body in (frame, door):
        body.data.transform(turned @ body.matrix_world)
        body.matrix_world = Matrix.Translation((20, -3, 1))
    select(frame, door)
    bpy.ops.omi_joint.create(kind="HINGE")
    assert f"Added Door Hinge about {axis}; Frame stands\n" in capfd.readouterr().out


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


@pytest.mark.parametrize("part_of", ["", "Door", "House"])
def test_what_is_parented_to_what_stays_is_told(
    part_of: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """A handle that was clicked for its door; not a door of a house, as its frame is one too."""
    frame, door = slab("Frame", (-0.55, 0, 1), (0.1, 0.2, 2)), slab("Door", (0, 0, 1), (1, 0.06, 2))
    house, handle = slab("House", (0, 2, 2), (6, 3, 4)), slab("Handle", (0.4, -0.05, 1), (0.1,) * 3)
    below = {"Door": [handle], "House": [frame, door], "": []}[part_of]
    for obj in below:
        obj.parent = bpy.data.objects[part_of]
        obj.matrix_parent_inverse = obj.parent.matrix_world.inverted()
    select(frame, handle if part_of == "Door" else door)
    bpy.ops.omi_joint.create(kind="HINGE")
    told = "Handle is parented to Door, which stays: join Door to move both"
    assert (told in capfd.readouterr().out) is (part_of == "Door")
    assert house.parent is None


def test_a_place_that_the_cursor_has_chosen_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    """It is within a body where something was added last, as often as it was put there."""
    frame, door = slab("Frame", (-0.55, 0, 1), (0.1, 0.2, 2)), slab("Door", (0, 0, 1), (1, 0.06, 2))
    bpy.context.scene.cursor.location = (0.42, 0, 1)
    select(frame, door)
    bpy.ops.omi_joint.create("INVOKE_DEFAULT", kind="HINGE")
    assert "Added Door Hinge about Z at the 3D cursor; Frame stands\n" in capfd.readouterr().out


@pytest.mark.parametrize("off", [0.0, 0.04, 0.3, 0.8])
def test_a_bar_out_of_balance_turns_where_it_is_held(off: float) -> None:
    """A plank on a trestle, which was meant to be at its middle if it nearly is."""
    trestle, plank = (
        slab("Trestle", (0, 0, 0.25), (0.1, 0.4, 0.5)),
        slab("Plank", (off, 0, 0.52), (3, 0.3, 0.04)),
    )
    place = joined("HINGE", trestle, plank).matrix_world.translation
    assert place.x == pytest.approx(off if off < 0.1 else 0.0, abs=0.051)
    assert off >= 0.1 or place.x == pytest.approx(off, abs=1e-6)


def test_a_hand_turns_about_the_middle_of_a_square_clock() -> None:
    """It reaches that, and is no post of the clock, on whose face it lies."""
    clock, hand = slab("Clock", (0, 0, 2), (0.4, 0.03, 0.4)), slab("Hand", (0, -0.02, 2.07), HAND)
    hinge = joined("HINGE", clock, hand)
    across = hinge.matrix_world.col[1].to_3d().normalized().dot(Vector((0, 1, 0)))
    assert abs(across) > 0.999
    assert hinge.matrix_world.translation.z == pytest.approx(2.0, abs=1e-5)
    assert "wrong-one-moves" not in issues()


@pytest.mark.parametrize("is_path", [True, False])
def test_a_joint_of_a_curve_is_where_it_was_found(is_path: bool) -> None:
    """A curve that is a path, as each new one is, moves what is parented to it to its start."""
    bpy.ops.curve.primitive_bezier_curve_add(location=(2, 0, 2), rotation=(0, 0.4, 0.3))
    rope = bpy.context.object
    rope.data.bevel_depth, rope.data.use_path = 0.05, is_path
    bpy.ops.mesh.primitive_cube_add(location=(2, 0, 5))
    beam = bpy.context.object
    bpy.context.scene.cursor.location = place = Vector((1.6, 0.1, 2.2))
    select(beam, rope)
    bpy.ops.omi_joint.create(kind="PIN", place="CURSOR")
    bpy.context.view_layer.update()
    assert (bpy.context.object.matrix_world.translation - place).length < 1e-5


BLIND = ("Blind", (0, 0, 1.55), (1, 0.08, 0.7))
BLADES = ("Blades", (0, 0, 2.8), (1.4, 0.15, 0.03))
TV = ("TV", (0, -0.24, 1.5), (1.4, 0.06, 0.8))
HANGING = [
    (("Arm", (0, 0, 1.5), (0.08, 0.4, 0.08)), TV),
    (("Rail", (0, 0, 2), (1, 0.1, 0.1)), BLIND),
    (("Ceiling", (0, 0, 3), (2, 2, 0.1)), BLADES),
]


@pytest.mark.parametrize(("above", "below"), HANGING)
def test_what_hangs_is_not_said_to_hold(
    above: tuple, below: tuple, capfd: pytest.CaptureFixture[str]
) -> None:
    """A blind below a rail as wide as it is, blades below a small ceiling, a TV on its arm."""
    select(slab(*above), slab(*below))
    bpy.ops.omi_joint.create(kind="HINGE")
    assert "Swap" not in capfd.readouterr().out
    assert "wrong-one-moves" not in issues()


@pytest.mark.parametrize(
    ("drawn", "cuts", "is_told"),
    [("WIRE", True, True), ("WIRE", False, False), ("SOLID", True, False)],
)
def test_a_cutter_that_is_clicked_for_its_wall_is_told(
    drawn: str, cuts: bool, is_told: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """What is drawn as wire and cuts nothing may be meant, and so may what is seen as solid."""
    wall, hole = slab("Wall", (0, 0, 1.5), (4, 0.2, 3)), slab("Hole", (0.5, 0, 1), (1, 0.5, 2.02))
    hole.display_type = drawn
    other = slab("Other", (9, 0, 1), (1, 1, 1))
    wall.modifiers.new("Cut", "BOOLEAN").object = hole if cuts else other
    select(hole, slab("Door", (0.5, 0, 1), (0.98, 0.06, 1.98)))
    bpy.ops.omi_joint.create(kind="HINGE")
    assert ("join Wall instead" in capfd.readouterr().out) is is_told


@pytest.mark.parametrize("turn", [0.0, 0.8])
@pytest.mark.parametrize("at", [0.0, 1.2, 4.0])
def test_a_gondola_hangs_by_its_top_on_a_wheel(at: float, turn: float) -> None:
    """Wherever on the wheel it is; held in its middle it would go round with that."""
    tower = slab("Tower", (0, 0.5, 2), (0.3, 0.3, 4))
    bpy.ops.mesh.primitive_cylinder_add(
        radius=3, depth=0.2, location=(0, 0, 4), rotation=(pi / 2, 0, 0)
    )
    wheel = bpy.context.object
    place = Vector((3 * cos(at), -0.4, 3.6 + 3 * sin(at)))
    gondola = slab("Gondola", place, (0.6, 0.6, 0.8))
    turned = Matrix.Rotation(turn, 4, "Z")
    for obj in (tower, wheel, gondola):
        obj.matrix_world = turned @ obj.matrix_world
    bpy.context.view_layer.update()
    joined("HINGE", tower, wheel)
    hinge = joined("HINGE", wheel, gondola).matrix_world
    place.z, place.y = place.z + 0.4, -0.1
    assert (hinge.translation - turned @ place).length < 1e-4
    assert abs(hinge.col[1].to_3d().normalized().dot(turned.col[1].to_3d())) > 0.999


def joined_meshes(name: str, *parts: tuple) -> bpy.types.Object:
    """Return one object of several boxes."""
    select(*(slab(f"{name} {at}", *part) for at, part in enumerate(parts)))
    bpy.ops.object.join()
    bpy.context.object.name = name
    return bpy.context.object


BEAM = ((0, 0, 2.2), (2, 0.1, 0.1))
STANDS = {"beam": [BEAM], "frame": [BEAM, *(((x, 0, 1.1), (0.1, 0.8, 2.2)) for x in (-1, 1))]}
HANGS = {
    "swing": [
        ((0, 0, 0.5), (0.5, 0.2, 0.04)),
        *(((x, 0, 1.33), (0.02, 0.02, 1.64)) for x in (-0.22, 0.22)),
    ],
    "board": [((0, 0, 1.35), (0.5, 0.02, 1.6))],
}


@pytest.mark.parametrize("turn", [0.0, 0.7])
@pytest.mark.parametrize("stands", STANDS.values(), ids=STANDS)
@pytest.mark.parametrize("hangs", HANGS.values(), ids=HANGS)
def test_what_hangs_along_a_line_swings_across_it(stands: list, hangs: list, turn: float) -> None:
    """Both ways, from a beam alone or the frame of a playground; a portal is no dial of a clock."""
    frame, swing = joined_meshes("Frame", *stands), joined_meshes("Swing", *hangs)
    turned = Matrix.Rotation(turn, 4, "Z")
    for obj in (frame, swing):
        obj.matrix_world = turned @ obj.matrix_world
    bpy.context.view_layer.update()
    hinge = joined("HINGE", frame, swing)
    axis = hinge.matrix_world.col[1].to_3d().normalized()
    assert abs(axis.dot(turned.col[0].to_3d())) > 0.999
    assert hinge.matrix_world.translation.z > 2.1
    span = spans_of(settings_of(hinge).limits)[4]
    assert (span.low, span.high) == (-inf, inf)


@pytest.mark.parametrize("tall", [0.3, 0.8])
def test_a_chest_that_is_joined_to_its_lid_is_no_pendulum(tall: float) -> None:
    """Clicked the wrong way round it has a range too, which Swap keeps."""
    lid, chest = (
        slab("Lid", (0, 0, 0.03), (0.6, 0.6, 0.06)),
        slab("Chest", (0, 0, -tall / 2), (0.6, 0.6, tall)),
    )
    span = spans_of(settings_of(joined("HINGE", lid, chest)).limits)[4]
    assert (span.low, span.high) == pytest.approx((0.0, pi / 2))


@pytest.mark.parametrize("tilt", [0, 90])
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"kind": "HINGE"}, "Hinge about Z, as nothing tells another"),
        ({"kind": "HINGE", "direction": "GLOBAL_Z"}, "Hinge about Z"),
        ({"kind": "WELD"}, "Weld"),
    ],
    ids=["automatic", "chosen", "weld"],
)
def test_an_axis_that_nothing_tells_is_said_to_be_so(
    options: dict[str, str], told: str, tilt: float, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of two leaves with knuckles about one pin, which Z is along only where they stand upright."""
    leaves = []
    for name, side, heights in (("Left", -1, (0.1, 0.5, 0.9)), ("Right", 1, (0.3, 0.7))):
        parts = [slab(name, (0.4 * side, 0, 0.5), (0.6, 0.04, 1.0))]
        for height in heights:
            bpy.ops.mesh.primitive_cylinder_add(radius=0.1, depth=0.2, location=(0, 0, height))
            parts.append(bpy.context.object)
        select(*parts[::-1])
        bpy.ops.object.join()
        leaves.append(bpy.context.object)
    for leaf in leaves:
        leaf.matrix_world = Matrix.Rotation(radians(tilt), 4, "X") @ leaf.matrix_world
    select(*leaves)
    capfd.readouterr()
    bpy.ops.omi_joint.create(**options)
    assert f"Added Right {told}; Left stands\n" in capfd.readouterr().out


@pytest.mark.parametrize("turn", [0.0, 0.6])
@pytest.mark.parametrize("high", [0.22, 0.5])
def test_a_kingpin_at_the_edge_of_a_chassis_is_no_post_of_it(
    high: float, turn: float, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is shorter than that lying plate is wide; a gate stands along its post."""
    chassis = slab("Chassis", (0.0, 0.0, 0.35), (1.8, 0.7, 0.15))
    bpy.ops.mesh.primitive_cylinder_add(radius=0.03, depth=high, location=(0.7, 0.38, 0.3))
    pin = bpy.context.object
    for body in (chassis, pin):
        body.matrix_world = Matrix.Rotation(turn, 4, "Z") @ body.matrix_world
    joined("HINGE", chassis, pin)
    assert "Swap" not in capfd.readouterr().out


@pytest.mark.parametrize("turn", [0.0, 0.5])
def test_another_type_says_its_axis_as_a_new_joint_does(
    turn: float, capfd: pytest.CaptureFixture[str]
) -> None:
    """A drawer that was joined as a hinge about Z would fall along Z."""
    away = "Z" if turn == 0.0 else "local Z of Door"
    said(capfd, "HINGE", turn, turn)
    bpy.ops.omi_joint.change_type(kind="SLIDER")
    assert f"Door Slider is of type Slider along {away} now\n" in capfd.readouterr().out
    bpy.ops.omi_joint.change_type(kind="PIN")
    assert "Door Pin is of type Pin now\n" in capfd.readouterr().out


@pytest.mark.parametrize("last", ["door", "handle"])
@pytest.mark.parametrize(
    ("kind", "size", "moves"),
    [("WELD", HAND, True), ("WELD", (3.0, 1.0, 3.0), False), ("HINGE", HAND, False)],
)
def test_what_is_welded_to_a_door_that_hangs_is_a_part_of_it(
    last: str, kind: str, size: tuple[float, float, float], *, moves: bool
) -> None:
    """Whichever was clicked last, as a handle that stood would hold the door; but no wall."""
    frame, leaf = slab("Frame", (-0.55, 0, 1), (0.1, 0.2, 2)), slab("Door", (0, 0, 1), (1, 0.06, 2))
    joined("HINGE", frame, leaf)
    handle = slab("Handle", (0.4, 0.03 + size[1] / 2.0, 1.0), size)
    first, second = (handle, leaf) if last == "door" else (leaf, handle)
    select(first, second)
    bpy.ops.omi_joint.create(kind=kind)
    assert leaf.omi_physics_body.type == "dynamic"
    assert (handle.omi_physics_body.type == "dynamic") == (moves or last == "handle")
