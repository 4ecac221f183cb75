# SPDX-License-Identifier: GPL-3.0-or-later
"""What newcomers did to their bodies and joints, and what Check says of it, tipped and far out."""

from __future__ import annotations

import ast
from pathlib import Path

import bpy
import pytest
from mathutils import Euler, Matrix
from redo import press
from scenes import box, door, four_bar, issues, joined, numbers, select, slab

from omi_physics_joint import blender
from omi_physics_joint.blender.bridge.placed import body_of
from omi_physics_joint.blender.check.fixes import promise
from omi_physics_joint.blender.data.body import _is_trigger
from omi_physics_joint.blender.data.joint import is_frame, is_pickable
from omi_physics_joint.blender.data.scene import _is_body
from omi_physics_joint.blender.joints.editing import hold_by
from tests.blender.test_check_bodies import fix, report, report_of
from tests.blender.test_timeline import simulate

AWAY = Matrix.LocRotScale((20.0, -13.0, 4.0), Euler((0.3, 0.2, 1.1)), None)
WALLS = (
    ((0.0, 0.0, 0.025), (1.0, 0.6, 0.05)),
    ((-0.475, 0.0, 0.3), (0.05, 0.6, 0.55)),
    ((0.475, 0.0, 0.3), (0.05, 0.6, 0.55)),
    ((0.0, -0.275, 0.3), (1.0, 0.05, 0.55)),
    ((0.0, 0.275, 0.3), (1.0, 0.05, 0.55)),
)
"""Middles and sizes of the sides of a chest."""


def chest_and_lid() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return a chest of five boards and the lid on it, tipped, 20 m from the origin."""
    sides = [slab("Chest", *wall) for wall in WALLS]
    select(*sides[1:], sides[0])
    bpy.ops.object.join()
    chest, lid = bpy.context.object, slab("Lid", (0.0, 0.0, 0.6), (1.0, 0.6, 0.05))
    for obj in (chest, lid):
        obj.matrix_world = AWAY @ obj.matrix_world
    bpy.context.view_layer.update()
    return chest, lid


def hinged(*order: bpy.types.Object) -> bpy.types.Object:
    """Select objects in an order and press Hinge."""
    select(*order)
    press("omi_joint.create", kind="HINGE")
    bpy.context.view_layer.update()
    return bpy.context.object


def opened(lid: bpy.types.Object) -> list[float]:
    """Return where a lid is half a second after it was pushed one way, then the other."""
    found: list[float] = []
    bpy.context.scene.use_gravity = False
    for speed in (2.0, -2.0):
        lid.omi_physics_body.angular_velocity = (speed,) * 3
        simulate()
        bpy.context.scene.frame_set(12)
        found += numbers(lid.matrix_world @ lid.data.vertices[0].co)
        bpy.ops.omi_joint.free_cache()
    return found


def test_a_lid_that_was_clicked_before_its_chest_is_told_and_swapped() -> None:
    """As it is joined and by Check; Fix makes of it what the other order would have made."""
    chest, lid = chest_and_lid()
    place = numbers(hinged(chest, lid).matrix_world.translation)
    mass = lid.omi_physics_body.mass
    assert "wrong-one-moves" not in issues()
    expected = opened(lid)
    assert expected[:3] != pytest.approx(expected[3:], abs=0.05)
    bpy.ops.wm.read_homefile(use_empty=True)
    chest, lid = chest_and_lid()
    hinged(lid, chest)
    assert "Chest is covered by Lid and moves" in bpy.context.active_operator.noted_warning
    (found,) = report_of("wrong-one-moves")
    assert found.message == "Chest moves and Lid stands, though Chest is covered by Lid."
    assert found.severity == "hint"
    fix("wrong-one-moves")
    assert (chest.omi_physics_body.type, lid.omi_physics_body.type) == ("static", "dynamic")
    assert lid.omi_physics_body.mass == pytest.approx(mass)
    assert {one.code for one in report().issues} == {"collider-scaled"}
    (joint,) = (obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint)
    assert body_of(joint) == lid
    assert numbers(joint.matrix_world.translation) == pytest.approx(place, abs=1e-5)
    assert opened(lid) == pytest.approx(expected, abs=1e-4)


WHAT_IS_APPLIED = ("location", "rotation", "scale")


@pytest.mark.parametrize("why", ["right order", "base", "axle", "kinematic", "two joints"])
def test_what_stands_though_small_is_told_of_nothing(why: str) -> None:
    """A base below, an axle within, what moves by keys, and what is a part of more."""
    chest, lid = chest_and_lid()
    if why == "base":
        lid.matrix_world = (
            AWAY @ Matrix.Translation((0, 0, -0.6)) @ AWAY.inverted() @ (lid.matrix_world)
        )
    if why == "axle":
        lid.matrix_world = AWAY @ Matrix.LocRotScale((0.0, 0.0, 0.3), None, (0.02, 0.3, 0.02))
    bpy.context.view_layer.update()
    order = (chest, lid) if why == "right order" else (lid, chest)
    joint = hinged(*order)
    if why == "axle":
        joint.matrix_world = AWAY @ Matrix.Translation((0.0, 0.0, 0.3))
    if why == "kinematic":
        lid.omi_physics_body.type = "kinematic"
    if why == "two joints":
        knob = slab("Knob", (0.0, 0.0, 0.0), (0.1, 0.1, 0.1))
        knob.matrix_world = AWAY @ Matrix.LocRotScale((0.0, -0.3, 0.3), None, (0.05,) * 3)
        joined("WELD", chest, knob)
    bpy.context.view_layer.update()
    assert "wrong-one-moves" not in issues()


@pytest.mark.parametrize("which", ["Lid", "Chest"])
def test_a_lid_or_its_chest_that_was_moved_later_is_told_until_it_is_connected_anew(
    which: str,
) -> None:
    """Its joint goes along with the lid, or stays with it, and so holds it from a meter away."""
    hinged(*chest_and_lid())
    joint, moved = bpy.context.object, bpy.data.objects[which]
    assert "moved-since-joined" not in issues()
    moved.location += AWAY.to_3x3().col[0]
    bpy.context.view_layer.update()
    (found,) = report_of("moved-since-joined")
    assert found.object_name == "Lid Hinge"
    assert found.message.startswith("Lid and Chest were moved apart since they were joined: by 1 m")
    select(bpy.data.objects["Chest"], joint)
    press("omi_joint.connect")
    bpy.context.view_layer.update()
    assert "moved-since-joined" not in issues()
    moved.location += AWAY.to_3x3().col[2]
    bpy.context.view_layer.update()
    assert "moved-since-joined" in issues()


@pytest.mark.parametrize(("axis", "told"), [("X", True), ("Y", True), ("Z", False)])
def test_a_frame_that_was_turned_as_its_door_does_not_is_told(axis: str, told: bool) -> None:
    """About the joint itself, which takes nothing away from there; as the door turns it may."""
    frame, leaf, hinge = door()
    for body in (frame, leaf):
        body.matrix_world = AWAY @ body.matrix_world
    bpy.context.view_layer.update()
    assert "moved-since-joined" not in issues()
    place = Matrix.Translation(hinge.matrix_world.translation) @ AWAY.to_3x3().to_4x4()
    frame.matrix_world = (
        place @ Matrix.Rotation(0.6, 4, axis) @ place.inverted() @ frame.matrix_world
    )
    bpy.context.view_layer.update()
    assert ("moved-since-joined" in issues()) is told


@pytest.mark.parametrize(
    "how", ["both", "opened", "drawer", "joint", "beads", "held by another", "a little"]
)
def test_what_was_moved_as_its_joint_allows_or_lies_apart_by_design_is_told_of_nothing(
    how: str,
) -> None:
    """A lid opened by hand, a drawer pulled out, a joint beside what it holds."""
    chest, lid = chest_and_lid()
    if how == "beads":
        lid.location += AWAY.to_3x3().col[0] * 3.0
    bpy.context.view_layer.update()
    joint = joined("SLIDER" if how == "drawer" else "HINGE", chest, lid)
    if how == "beads":
        joint.matrix_world = lid.matrix_world
    bpy.context.view_layer.update()
    axis = joint.matrix_world.to_3x3().col[0 if how == "drawer" else 1].copy()
    at = Matrix.Translation(joint.matrix_world.translation)
    if how in {"opened", "held by another"}:
        lid.matrix_world = at @ Matrix.Rotation(-1.2, 4, axis) @ at.inverted() @ lid.matrix_world
    if how == "held by another":
        select(slab("Handle", (20.0, -13.0, 9.0), (0.1, 0.1, 0.1)))
        bpy.ops.omi_joint.body_add(type="dynamic")
        hold_by(joint, bpy.data.objects["Handle"])
    if how == "drawer":
        lid.location += 0.8 * axis
    if how == "a little":
        lid.location += 0.1 * axis
    if how == "joint":
        joint.location += 0.8 * axis
    for one in (chest, lid) if how == "both" else ():
        one.matrix_world = AWAY @ one.matrix_world
    bpy.context.view_layer.update()
    assert "moved-since-joined" not in issues()


@pytest.mark.parametrize("which", ["Lid", "Chest", "both"])
@pytest.mark.parametrize("what", ["location", "rotation", "scale"])
def test_an_origin_that_is_applied_later_moves_nothing_apart(which: str, what: str) -> None:
    """Apply puts the origin of a body elsewhere, and leaves the body where it is."""
    chest, lid = chest_and_lid()
    hinged(chest, lid)
    select(*[one for one in (chest, lid) if which in {one.name, "both"}])
    bpy.ops.object.transform_apply(**{name: name == what for name in WHAT_IS_APPLIED})
    bpy.context.view_layer.update()
    assert "moved-since-joined" not in issues()


@pytest.mark.parametrize("how", ["slid", "turned"])
def test_a_door_that_was_moved_off_its_hinge_by_hand_is_told(how: str) -> None:
    """By 0.4 m, or turned 45 degrees about its own middle, 20 m from the origin."""
    frame = slab("Frame", (20.0, -13.0, 1.0), (0.1, 0.2, 2.0))
    door = slab("Door", (20.55, -13.0, 1.0), (1.0, 0.05, 2.0))
    bpy.context.view_layer.update()
    joined("HINGE", frame, door)
    assert "moved-since-joined" not in issues()
    if how == "slid":
        door.location.x += 0.4
    else:
        door.rotation_euler.z += 0.785
    bpy.context.view_layer.update()
    (found,) = report_of("moved-since-joined")
    assert found.object_name == "Door Hinge"


@pytest.mark.parametrize("copied", [False, True])
def test_what_is_scaled_as_a_whole_is_not_moved_apart(copied: bool) -> None:
    """Its bodies are nearer to each other, and as near for their size as before."""
    chest, lid = chest_and_lid()
    joint = hinged(chest, lid)
    select(chest, lid, joint)
    if copied:
        bpy.ops.object.duplicate()
    for one in bpy.context.selected_objects:
        if one.parent not in bpy.context.selected_objects:
            one.matrix_world = Matrix.Scale(0.4, 4) @ one.matrix_world
    bpy.context.view_layer.update()
    assert "moved-since-joined" not in issues()


def test_bars_that_are_shorter_than_their_linkage_are_told_of_nothing() -> None:
    """Their hinges lie beside their meshes."""
    four_bar()
    assert "moved-since-joined" not in issues()


@pytest.mark.parametrize("how", ["CLEAR", "CLEAR_KEEP_TRANSFORM"])
def test_a_joint_whose_parent_was_cleared_is_told_so_and_put_back(how: str) -> None:
    """It names the body that is still there; Fix puts it below that again, where it stands."""
    chest, lid = chest_and_lid()
    joint = hinged(chest, lid)
    select(joint)
    bpy.ops.object.parent_clear(type=how)
    bpy.context.view_layer.update()
    before = numbers(joint.matrix_world)
    (found,) = report_of("joint-without-body")
    assert found.message == "It is not parented to Lid any more: its parent was cleared."
    assert promise(found.code, joint) == "Fix: put this joint below 'Lid' again"
    fix("joint-without-body")
    assert joint.parent == lid
    assert numbers(joint.matrix_world) == pytest.approx(before, abs=1e-5)
    assert "joint-without-body" not in issues()


def test_a_body_that_is_in_no_scene_any_more_is_nothing_to_go_back_to() -> None:
    """Unlinked it stays in the file as long as something names it, as deleted ones do too."""
    chest, lid = chest_and_lid()
    joint = hinged(chest, lid)
    lid.use_fake_user = True
    select(joint)
    bpy.ops.object.parent_clear(type="CLEAR_KEEP_TRANSFORM")
    bpy.context.scene.collection.objects.unlink(lid)
    (found,) = report_of("joint-without-body")
    assert "Lid" not in found.message
    assert promise("joint-without-body", joint) == "Fix: remove the joint; Undo brings it back"


def test_a_joint_that_was_parented_to_a_root_is_put_back() -> None:
    """All selected, Ctrl P to an empty: its body is still the lid, and not the empty."""
    chest, lid = chest_and_lid()
    joint = hinged(chest, lid)
    bpy.ops.object.empty_add()
    root = bpy.context.object
    root.name = "Root"
    select(chest, lid, joint, root)
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
    before = numbers(joint.matrix_world)
    (found,) = report_of("joint-without-body")
    assert found.message == "It is not parented to Lid any more: it is below Root."
    fix("joint-without-body")
    assert (joint.parent, root.omi_physics_body.is_body) == (lid, False)
    assert numbers(joint.matrix_world) == pytest.approx(before, abs=1e-5)
    assert "joint-without-body" not in issues()


def test_instances_of_a_collection_are_told_apart() -> None:
    """By the object that shows each; that is selected, and the collection is mended by hand."""
    _, leaf, hinge = door()
    hinge.omi_physics_joint.settings.limits[2].angular_min = 3.0
    inner, outer = (bpy.data.collections.new(name) for name in ("Doors", "House"))
    for obj in (leaf, hinge, bpy.data.objects["Frame"]):
        bpy.context.scene.collection.objects.unlink(obj)
        inner.objects.link(obj)
    for name, of, home in (
        ("Door Set", inner, outer),
        ("House", outer, None),
        ("Flat", outer, None),
    ):
        empty = bpy.data.objects.new(name, None)
        empty.instance_type, empty.instance_collection = "COLLECTION", of
        (home or bpy.context.scene.collection).objects.link(empty)
    bpy.context.view_layer.update()
    hinge.omi_physics_joint.connected_body = None
    found = report_of("joint-without-partner")
    assert [one.where for one in found] == [
        "Door Hinge in Door Set in House",
        "Door Hinge in Door Set in Flat",
    ]
    assert [one.object_name for one in found] == ["House", "Flat"]
    assert not any(one.can_fix for one in found)
    index = list(report().issues).index(found[1])
    assert bpy.ops.omi_joint.issue_select(index=index) == {"FINISHED"}
    assert bpy.context.object.name == "Flat"


@pytest.mark.parametrize("kind", ["CLOTH", "SOFT_BODY"])
@pytest.mark.parametrize("body", ["dynamic", "static"])
def test_a_body_that_blender_bends_too_is_told_of_and_stiff_again(kind: str, body: str) -> None:
    """Cloth and Soft Body bend what Play and files keep stiff; Fix switches them off."""
    _, leaf, _ = door()
    leaf.omi_physics_body.type = body
    modifier = leaf.modifiers.new("Curtain", kind)
    (found,) = report_of("soft-body-too")
    assert (found.object_name, found.severity) == ("Door", "warning")
    assert "Curtain" in found.message
    assert promise(found.code, leaf).startswith("Fix: switch Cloth and Soft Body off")
    fix("soft-body-too")
    assert not modifier.show_viewport
    assert not modifier.show_render
    assert report_of("soft-body-too") == []


def test_other_modifiers_bend_nothing() -> None:
    """A bevel is no cloth, and what is neither seen nor rendered bends nothing."""
    _, leaf, _ = door()
    leaf.modifiers.new("Bevel", "BEVEL")
    off = leaf.modifiers.new("Cloth", "CLOTH")
    off.show_viewport = off.show_render = False
    assert report_of("soft-body-too") == []


def test_pickers_offer_no_camera() -> None:
    """The eyedropper asks the same: each field that takes an object says which it may take."""
    folder = Path(blender.__file__).parent
    calls = (
        (path.name, call)
        for path in folder.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "pointer"
    )
    shown = [
        (name, {word.arg for word in call.keywords})
        for name, call in calls
        if call.args and "type=Object" in ast.unparse(call)
    ]
    assert len(shown) == 4
    assert [name for name, words in shown if "poll" not in words] == []
    _, leaf, hinge = door()
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.parent = leaf
    for poll in (is_frame, is_pickable, _is_body, _is_trigger):
        assert not poll(hinge.omi_physics_joint, camera)
    assert is_pickable(hinge.omi_physics_joint, leaf)
    assert is_frame(hinge.omi_physics_joint, bpy.data.objects.new("Second", None))


@pytest.mark.parametrize("how", ["list", "button"])
def test_what_stood_and_is_to_move_gets_shape_and_mass_of_what_moves(how: str) -> None:
    """A torso that was clicked first is static; made dynamic later it weighed 1 kg beside 8 t."""
    torso, head = box("Torso"), box("Head", (0.0, 0.0, 2.0))
    joined("PIN", torso, head)
    body = torso.omi_physics_body
    assert (body.mass, body.collider.shape.type) == (1.0, "trimesh")
    if how == "button":
        select(torso)
        bpy.ops.omi_joint.body_add(type="dynamic")
    else:
        body.type = "dynamic"
        assert "trimesh-moves" in issues()
        fix("trimesh-moves")
    assert body.collider.shape.type == "convex"
    assert body.mass == pytest.approx(8000.0, rel=1e-3)
    assert not {"trimesh-moves", "mass-ratio", "mass-ratio-large"} & issues().keys()
