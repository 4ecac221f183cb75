# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong uses that end in a sentence: another order of clicks, bodies far apart, other units."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest
from blender.anyhow import axis_of, moved, parallel
from mathutils import Euler, Matrix, Vector
from redo import adjust, press
from scenes import box, issues, joined, select, slab

from omi_physics_joint.blender import play
from omi_physics_joint.blender.create.panels import what_is_joined
from omi_physics_joint.blender.play.outlook import outlook
from omi_physics_joint.gltf.document.files import load
from tests.blender.test_timeline import simulate

AWAY = Matrix.LocRotScale((20.0, -13.0, 4.0), Euler((0.0, 0.0, 1.1)), None)
TIPPED = Matrix.Rotation(1.2, 4, "X")
Bodies = tuple[bpy.types.Object, bpy.types.Object]


def post_and_door() -> Bodies:
    """Return a post and a door that touches it."""
    return slab("Post", (0.0, 0.0, 1.0), (0.1, 0.1, 2.0)), slab(
        "Door", (0.5, 0.0, 1.0), (0.9, 0.05, 2.0)
    )


def frame_and_door() -> Bodies:
    """Return three sides of a frame as one object, and the door in it."""
    sides = [slab(f"Side {x}", (0.55 * x, 0.0, 1.0), (0.1, 0.2, 2.2)) for x in (-1.0, 1.0)]
    frame = slab("Frame", (0.0, 0.0, 2.05), (1.2, 0.2, 0.1))
    select(*sides, frame)
    bpy.ops.object.join()
    return frame, slab("Door", (0.0, 0.0, 1.0), (0.98, 0.05, 1.98))


def floor_and_box() -> Bodies:
    """Return a floor and what stands on it."""
    return slab("Floor", (0.0, 0.0, -0.05), (10.0, 10.0, 0.1)), slab(
        "Box", (0.0, 0.0, 0.5), (1.0, 1.0, 1.0)
    )


def stand_and_fan() -> Bodies:
    """Return a stand and blades before it."""
    return slab("Stand", (0.0, 0.0, 1.0), (0.4, 0.4, 2.0)), slab(
        "Blades", (0.0, -0.25, 1.7), (1.4, 0.1, 0.12)
    )


def wall_and_door(wide: float = 3.9) -> Bodies:
    """Return a piece of wall, and a door that touches it."""
    wall = slab("Wall", (-0.5 * wide, 0.0, 1.25), (wide, 0.2, 2.5))
    return wall, slab("Door", (0.45, 0.0, 1.0), (0.9, 0.06, 2.0))


WALLS = (wall_and_door, lambda: wall_and_door(8.0))
MADE = (post_and_door, frame_and_door, floor_and_box, stand_and_fan, *WALLS)


def moving() -> set[str]:
    """Return the names of dynamic bodies."""
    bodies = [obj for obj in bpy.data.objects if obj.omi_physics_body.is_body]
    return {obj.name for obj in bodies if obj.omi_physics_body.type == "dynamic"}


@pytest.mark.parametrize("make", MADE)
def test_what_plainly_stands_is_said_and_swapped_by_one_click(
    make: Callable[[], Bodies], capfd: pytest.CaptureFixture[str]
) -> None:
    """Wherever it stands: in the report and in the redo box, whose Swap makes it right."""
    stands, moves = make()
    for obj in (stands, moves):
        obj.matrix_world = AWAY @ obj.matrix_world
    bpy.context.view_layer.update()
    names = stands.name, moves.name
    select(moves, stands)
    press("omi_joint.create", kind="HINGE")
    said = f"Swap lets {names[1]} move"
    assert said in bpy.context.active_operator.noted_warning
    assert said in capfd.readouterr().out
    assert moving() == {names[0]}
    adjust(swap=True)
    assert moving() == {names[1]}
    assert not bpy.context.active_operator.noted_warning
    assert [obj.name for obj in bpy.context.selected_objects] == [f"{names[1]} Hinge"]
    adjust(swap=False)
    assert moving() == {names[0]}


@pytest.mark.parametrize("make", MADE)
def test_the_right_order_is_told_nothing(
    make: Callable[[], Bodies], capfd: pytest.CaptureFixture[str]
) -> None:
    """Nor is one where a body has been made before: that is meant."""
    stands, moves = make()
    select(stands, moves)
    press("omi_joint.create", kind="HINGE")
    assert "Swap" not in capfd.readouterr().out
    assert moving() == {moves.name}


@pytest.mark.parametrize("how", ["static", "kinematic", "passive"])
def test_what_stands_already_does_not_move_though_clicked_last(how: str) -> None:
    """A body that no force moves, ours or Blender's, is the one that stays: the panel says so."""
    frame, leaf = box("Frame"), box("Door", (2.0, 0.0, 0.0))
    if how == "passive":
        select(frame)
        bpy.ops.rigidbody.object_add(type="PASSIVE")
    else:
        frame.omi_physics_body.is_body = True
        frame.omi_physics_body.type = how
    select(leaf, frame)
    assert what_is_joined(bpy.context) == "Door, on Frame"
    press("omi_joint.create", kind="HINGE")
    hinge = bpy.context.object
    assert moving() == {"Door"}
    assert (hinge.name, hinge.parent.name) == ("Door Hinge", "Door")


def test_two_that_both_stand_are_told_that_nothing_moves(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The joint is made, as the user may be about to make one of them dynamic."""
    frame, leaf = box("Frame"), box("Door", (2.0, 0.0, 0.0))
    for obj in (frame, leaf):
        obj.omi_physics_body.is_body = True
        obj.omi_physics_body.type = "static"
    select(frame, leaf)
    press("omi_joint.create", kind="HINGE")
    assert "so nothing can move" in capfd.readouterr().out


@pytest.mark.parametrize(("scale", "said"), [(1.0, "48 m"), (0.01, "0.48 m")])
def test_bodies_that_are_far_apart_are_told_so(
    scale: float, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """When they are joined, and by Check, in units of the scene. What is near is told nothing."""
    bpy.context.scene.unit_settings.scale_length = scale
    frame, leaf = box("Frame"), box("Door", (50.0, 0.0, 0.0))
    select(frame, leaf)
    press("omi_joint.create", kind="HINGE")
    assert f"Door and Frame are {said} apart" in bpy.context.active_operator.noted_warning
    assert f"Door and Frame are {said} apart" in capfd.readouterr().out
    assert issues()["bodies-apart"] == "hint"
    bpy.ops.ed.undo()
    frame, leaf = (bpy.data.objects[name] for name in ("Frame", "Door"))
    leaf.location.x = 4.0
    bpy.context.view_layer.update()
    select(frame, leaf)
    press("omi_joint.create", kind="HINGE")
    assert " apart" not in capfd.readouterr().out
    assert "bodies-apart" not in issues()


def test_links_that_all_hang_on_one_are_told_of_chain() -> None:
    """A rope is a star until Chain is ticked: its far links are not to be moved together."""
    links = [box(f"Link {number}", (0.0, 0.0, 2.5 * number)) for number in range(6)]
    select(*links)
    press("omi_joint.create", kind="PIN")
    assert "Chain joins each to its nearest" in bpy.context.active_operator.noted_warning
    bpy.ops.ed.undo()
    select(*(bpy.data.objects[f"Link {number}"] for number in range(6)))
    press("omi_joint.create", kind="PIN", chain=True)
    assert bpy.context.active_operator.noted_warning == ""


@pytest.mark.parametrize(
    ("system", "scale", "said"),
    [
        ("METRIC", 0.01, "0.01 m"),
        ("IMPERIAL", 0.3048, "1'"),
        ("METRIC", 1.0, ""),
        ("NONE", 0.01, ""),
    ],
)
def test_a_scene_that_shows_other_lengths_than_its_file_has_is_told(
    system: str, scale: float, said: str, tmp_path: Path
) -> None:
    """A file has 2 m where the scene shows 2 cm, as play and mass have; all say so."""
    units = bpy.context.scene.unit_settings
    units.system, units.scale_length = system, scale
    frame, leaf = post_and_door()
    joined("HINGE", frame, leaf)
    assert leaf.omi_physics_body.mass == pytest.approx(90.0)
    assert ("unit-scale" in issues()) is bool(said)
    for issue in bpy.context.window_manager.omi_physics_joint.issues:
        if issue.code == "unit-scale":
            assert f"as {said} is 1 m" in issue.message
    session = play.start(bpy.context.scene)
    for told in (outlook(bpy.context.scene), session.remarks):
        assert [one.split(". ")[0] for one in told if "shows as" in one] == [
            f"What this scene shows as {said} is 1 m in Play, in files and for masses"
        ] * bool(said)
    play.stop()
    bpy.context.scene.frame_end = 3
    bpy.context.window_manager.omi_physics_joint.issues.clear()
    simulate()
    told = [one.code for one in bpy.context.window_manager.omi_physics_joint.issues]
    without_kernel = ["contacts-lacking"]  # the textbook lets nothing touch
    assert [one for one in told if one not in without_kernel] == ["unit-scale"] * bool(said)
    path = tmp_path / "door.glb"
    bpy.ops.export_scene.gltf(filepath=str(path))
    (door,) = (node for node in load(path).json["nodes"] if node["name"] == "Door")
    assert door["translation"] == pytest.approx([0.5, 1.0, 0.0])


def left_as_it_is(_objects: Bodies) -> None:
    """Change nothing."""


def applied(objects: Bodies) -> None:
    """Press Ctrl A > All Transforms."""
    select(*objects)
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)


def origin_to_edge(objects: Bodies) -> None:
    """Move the origin of the door to the edge that its hinge is to be on."""
    select(objects[1])
    bpy.context.scene.cursor.location = AWAY @ TIPPED @ Vector((0.05, 0.0, 1.0))
    bpy.ops.object.origin_set(type="ORIGIN_CURSOR")


def hinged(before: Callable[[Bodies], None] = left_as_it_is) -> bpy.types.Object:
    """Return a door that falls about a level hinge, after something was done to both objects."""
    objects = post_and_door()
    for obj in objects:
        obj.matrix_world = AWAY @ TIPPED @ obj.matrix_world
    bpy.context.view_layer.update()
    before(objects)
    select(*objects)
    press("omi_joint.create", kind="HINGE", use_range=False)
    return objects[1]


def swung(leaf: bpy.types.Object) -> list[float]:
    """Return where the corners of a door are after half a second."""
    simulate()
    bpy.context.scene.frame_set(12)
    places = [leaf.matrix_world @ vertex.co for vertex in leaf.data.vertices]
    return [part for place in places for part in place]


@pytest.mark.parametrize("before", [applied, origin_to_edge])
def test_an_origin_beside_a_door_does_not_change_how_it_swings(
    before: Callable[[Bodies], None],
) -> None:
    """Its mass is in its middle, wherever applied transforms and Set Origin leave the origin."""
    expected = swung(hinged())
    bpy.ops.wm.read_homefile(use_empty=True)
    leaf = hinged(before)
    assert not {"center-outside", "center-on-hinge"} & issues().keys()
    assert swung(leaf) == pytest.approx(expected, abs=1e-3)


def test_transforms_that_are_applied_to_joined_bodies_are_told_and_mended() -> None:
    """The mass stays behind at what is the origin now: Check says it, and Fix puts it back."""
    expected = swung(hinged())
    bpy.ops.wm.read_homefile(use_empty=True)
    leaf = hinged()
    assert "center-outside" not in issues()
    applied((leaf, leaf))
    assert issues()["center-outside"] == "hint"
    lines = bpy.context.window_manager.omi_physics_joint.issues
    index = next(index for index, one in enumerate(lines) if one.code == "center-outside")
    assert bpy.ops.omi_joint.issue_fix(index=index) == {"FINISHED"}
    assert "center-outside" not in issues()
    assert swung(leaf) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("first", ["Frame", "Door"])
@pytest.mark.parametrize("above", ["Frame", "Door"])
def test_what_is_parented_to_the_other_is_joined_where_they_meet(above: str, first: str) -> None:
    """Also below a hinge plate of the other, clicked in either order: it is not yet a body."""
    frame = slab("Frame", (0.0, 0.0, 1.0), (0.1, 0.1, 2.0))
    leaf = slab("Door", (0.0, 0.55, 1.0), (0.1, 1.0, 2.0))
    top, low = (frame, leaf) if above == "Frame" else (leaf, frame)
    plate = slab("Plate", (0.0, 0.0, 1.8), (0.02, 0.05, 0.05))
    for child, parent in ((plate, top), (low, plate)):
        child.parent, child.matrix_parent_inverse = parent, parent.matrix_world.inverted()
    way = moved(top)
    select(*((frame, leaf) if first == "Frame" else (leaf, frame)))
    bpy.ops.omi_joint.create("INVOKE_DEFAULT", kind="HINGE")
    hinge = bpy.context.object
    place = way @ Vector((0.0, 0.05, 1.0))
    assert (hinge.matrix_world.translation - place).length < 1e-4
    assert parallel(axis_of(hinge), way.to_3x3() @ Vector((0.0, 0.0, 1.0)))


@pytest.mark.parametrize("mode", ["EDIT", "SCULPT"])
def test_outside_object_mode_the_panel_says_to_go_there(mode: str) -> None:
    """Nobody can Shift-click another object there."""
    select(box("Door"))
    bpy.ops.object.mode_set(mode=mode)
    assert what_is_joined(bpy.context) == "Go to Object Mode first"


@pytest.mark.parametrize("kinds", [("HINGE", "HINGE"), ("WELD", "HINGE"), ("HINGE", "PIN")])
@pytest.mark.parametrize("apart", [False, True])
def test_a_second_joint_where_one_is_is_told(
    kinds: tuple[str, str], apart: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """A button pressed twice locks, or does nothing; a door on two hinges is meant so."""
    post, door = post_and_door()
    for obj in (post, door):
        obj.matrix_world = AWAY @ obj.matrix_world
    bpy.context.view_layer.update()
    first = joined(kinds[0], post, door)
    if apart:
        first.matrix_world = Matrix.Translation((0.0, 0.0, 0.5)) @ first.matrix_world
        bpy.context.view_layer.update()
    capfd.readouterr()
    joined(kinds[1], post, door)
    said = f"{first.name} joins Door and Post there already: undo, or remove one"
    assert (said in capfd.readouterr().out) is not apart


def leaf_and_handle(wide: float = 0.1, handle: bool = True) -> list[bpy.types.Object]:
    """Return a post, or another leaf as wide as the door, and the door with its handle."""
    frame = slab("Frame", (-0.5 - 0.5 * wide, 0, 1), (wide, 0.06, 2))
    made = [frame, slab("Door", (0, 0, 1), (1, 0.06, 2))]
    if handle:
        made.append(slab("Handle", (0.4, -0.08, 1), (0.1, 0.1, 0.05)))
    moved(*made, turn=Euler((0.0, 0.0, 1.1)))
    return made


@pytest.mark.parametrize(("kind", "wide"), [("WELD", 0.1), ("HINGE", 0.1), ("WELD", 1.0)])
def test_a_door_that_stands_since_its_handle_was_joined_is_told_and_swapped(
    kind: str, wide: float, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its frame would move; Swap lets the door do so, with its handle."""
    frame, leaf, handle = leaf_and_handle(wide)
    joined(kind, leaf, handle)
    select(frame, leaf)
    capfd.readouterr()
    press("omi_joint.create", kind="HINGE")
    assert "Door is static already, so Frame moves: Swap lets Door move" in capfd.readouterr().out
    adjust(swap=True)
    assert moving() == {"Door", "Handle"}
    assert bpy.data.objects["Door"].omi_physics_body.mass > 50.0
    assert not bpy.context.active_operator.noted_warning


def test_a_third_that_is_welded_to_what_stands_is_told_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Whichever was clicked last: a weld lets neither move on the other."""
    one, two_, three = (slab("Block", (x, 0.0, 0.0), (1, 1, 1)) for x in (0.0, 1.0, -1.0))
    joined("WELD", one, two_)
    select(three, one)
    capfd.readouterr()
    press("omi_joint.create", kind="WELD")
    assert "Swap" not in capfd.readouterr().out


@pytest.mark.parametrize("kind", ["HINGE", "WELD"])
@pytest.mark.parametrize("sign", [False, True])
def test_what_was_made_static_and_stands_is_told_nothing(
    kind: str, sign: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """It was clicked last, as is meant, also a wall that a sign was welded to."""
    wall, leaf = leaf_and_handle(handle=False)
    if sign:
        wall.scale = (0.4, 4.0, 3.0)
        bpy.context.view_layer.update()
        joined("WELD", wall, slab("Sign", wall.location + Vector((0.0, 0.0, 3.0)), (0.1, 0.1, 0.1)))
    wall.omi_physics_body.is_body = True
    wall.omi_physics_body.type = "static"
    select(leaf, wall)
    capfd.readouterr()
    press("omi_joint.create", kind=kind)
    assert "Swap" not in capfd.readouterr().out
    assert wall.name not in moving()
    assert leaf.name in moving()


def test_settings_of_a_hinge_that_are_copied_to_a_drawer_are_told(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """As a preset of another type is: the drawer turns from there on."""
    drawer = joined("SLIDER", box("Cabinet", (9.0, 0.0, 0.0)), box("Drawer", (9.0, -2.0, 0.0)))
    lid = joined("HINGE", box("Chest", (-9.0, 0.0, 0.0)), box("Lid", (-9.0, 0.0, 2.0)))
    door = joined("HINGE", box("Frame"), box("Door", (2.0, 0.0, 0.0)))
    select(drawer, lid, door)
    bpy.ops.omi_joint.settings_copy()
    assert "Copied to 2 joints, no Slider any more" in capfd.readouterr().out
    lid.omi_physics_joint.settings = lid.omi_physics_joint.settings.copy()
    lid.omi_physics_joint.settings.limits[0].linear_max = 0.0
    select(lid, door)
    bpy.ops.omi_joint.settings_copy(share=True)
    assert "any more" not in capfd.readouterr().out
