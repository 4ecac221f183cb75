# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that stand in a wrong place of a scene: what Check says, what Fix does, what files say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Euler, Matrix
from omi_export import export, reading
from scenes import box, door, issues, joined, numbers, select

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.poses.second_frames import second_world
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.check.fixes import promise
from omi_physics_joint.blender.joints.parts import fault_of
from omi_physics_joint.blender.play.outlook import worded
from omi_physics_joint.blender.play.viewport.screen import heading
from omi_physics_joint.blender.simulated.choice import islands_of
from omi_physics_joint.blender.simulated.reading import faults_of
from omi_physics_joint.blender.simulated.running import why_apart
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.wording.words import metric

NEAR = Matrix.Identity(4)
FAR = Matrix.LocRotScale((20.0, -13.0, 4.0), Euler((0.3, 0.2, 1.1)), None)


def fix(code: str) -> None:
    """Press Fix of the only issue of a code, in a step of undo."""
    found = bpy.context.window_manager.omi_physics_joint.issues
    (index,) = [number for number, one in enumerate(found) if one.code == code]
    assert found[index].can_fix
    assert bpy.ops.omi_joint.issue_fix("EXEC_DEFAULT", True, index=index) == {"FINISHED"}
    bpy.context.view_layer.update()


@pytest.mark.parametrize("below", ["body", "joint"])
@pytest.mark.parametrize("dialect", ["OMI", "KHR"])
def test_a_static_body_below_a_dynamic_one_is_set_free(
    below: str, dialect: str, tmp_path: Path
) -> None:
    """It is an error; Fix leaves it where it is, and the file has both bodies in either dialect."""
    frame, leaf, hinge = door()
    holder = box("Holder")
    holder.location = (0.4, 0.1, 0.0)
    leaf.parent = holder
    frame.parent = leaf if below == "body" else hinge
    frame.rotation_euler = (0.2, 0.4, 0.1)
    bpy.context.view_layer.update()
    before = numbers(frame.matrix_world)
    assert issues()["static-below-dynamic"] == "error"
    fix("static-below-dynamic")
    assert numbers(frame.matrix_world) == pytest.approx(before, abs=1e-6)
    assert frame.parent == holder
    assert "error" not in issues().values()
    bpy.context.scene.omi_physics_joint.dialect = dialect
    mechanism = reading(export(tmp_path / "door.glb")).mechanism
    ((index, _, joint),) = mechanism.joints()
    ends = [mechanism.body_of(index), mechanism.body_of(joint.connected_node)]
    assert [mechanism.nodes[end].name for end in ends] == ["Door", "Frame"]


def keyed(obj: bpy.types.Object | bpy.types.PoseBone, field: str = "location") -> None:
    """Key an object or a bone at two frames, 3 m apart."""
    for frame, x in ((1, 0.0), (25, 3.0)):
        obj.location.x = x
        obj.keyframe_insert(field, frame=frame)
    bpy.context.scene.frame_end = 25
    bpy.context.scene.frame_set(1)


@pytest.mark.parametrize("which", ["body", "parent", "bone"])
def test_an_animated_static_body_leads_its_joints(which: str, tmp_path: Path) -> None:
    """It is kinematic to all who move and write it, Check says so, and Fix makes it what it is."""
    frame, _, hinge = door()
    if which == "bone":
        armature = rig(is_moved=True)
        on_bone(frame, armature)
        keyed(armature.pose.bones[0])
    else:
        frame.parent = box("Ship")
        keyed(frame if which == "body" else frame.parent)
    assert issues()["static-animated"] == "hint"
    gltf = export(tmp_path / "ship.glb")
    mechanism = reading(gltf).mechanism
    (node,) = [one for one in mechanism.nodes if one.name == "Frame"]
    assert node.motion is not None
    assert node.motion.type is MotionType.KINEMATIC
    assert bpy.ops.omi_joint.simulate("EXEC_DEFAULT") == {"FINISHED"}
    bpy.context.scene.frame_set(25)
    apart = hinge.matrix_world.translation - second_world(hinge).translation
    assert frame.matrix_world.translation.x == pytest.approx(3.0)
    assert apart.length < 1e-3
    bpy.context.scene.frame_set(1)
    bpy.ops.omi_joint.free_cache()
    issues()
    fix("static-animated")
    assert frame.omi_physics_body.type == "kinematic"
    assert "static-animated" not in issues()


def test_keys_of_a_dynamic_body_are_said_to_be_ignored_wherever_it_moves() -> None:
    """Check, Play before and while it plays, and Simulate say the same; Fix takes them off."""
    scene = bpy.context.scene
    _, leaf, _ = door()
    keyed(leaf, "rotation_euler")
    assert issues()["dynamic-animated"] == "warning"
    (found,) = [one for one in report().issues if one.code == "dynamic-animated"]
    said = f"Door: {found.message} {found.fix}"
    assert play.outlook(scene) == [said]
    session = play.start(scene)
    assert worded([one for one in session.issues if one.code == "dynamic-animated"]) == [said]
    assert heading(session).endswith(said)
    play.stop()
    assert bpy.ops.omi_joint.simulate("EXEC_DEFAULT") == {"FINISHED"}
    apart = why_apart(scene.omi_physics_preview)  # where there is no kernel
    assert [one.message for one in report().issues] == [
        found.message,
        *([f"{apart}."] * bool(apart)),
    ]
    bpy.ops.omi_joint.free_cache()
    issues()
    action = leaf.animation_data.action
    fix("dynamic-animated")
    assert leaf.omi_physics_body.type == "dynamic"  # else its hinge would move nothing
    assert leaf.animation_data.action is None
    assert action.use_fake_user
    assert "dynamic-animated" not in issues()


def rig(*, is_moved: bool) -> bpy.types.Object:
    """Return an armature of two bones, the first of which has keys that move it, or others."""
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.armature.extrude_move(TRANSFORM_OT_translate={"value": (0.0, 0.0, 1.0)})
    bpy.ops.object.mode_set(mode="OBJECT")
    bone = armature.pose.bones[0]
    bone.name = 'Upper "arm"'
    bone.keyframe_insert("location" if is_moved else "scale", frame=1)
    return armature


def on_bone(obj: bpy.types.Object, armature: bpy.types.Object) -> None:
    """Parent an object to the second bone of an armature, where it stands."""
    world = obj.matrix_world.copy()
    obj.parent, obj.parent_type = armature, "BONE"
    obj.parent_bone = armature.pose.bones[1].name
    obj.matrix_world = world
    bpy.context.view_layer.update()


@pytest.mark.parametrize("which", ["parent", "bone", "body", "other keys"])
def test_what_moves_a_dynamic_body_from_above_is_told_as_its_own_keys(which: str) -> None:
    """An animated parent, or a bone above; an animated body above is meant to move what it has."""
    _, leaf, _ = door()
    if which in {"bone", "other keys"}:
        on_bone(leaf, rig(is_moved=which == "bone"))
    else:
        leaf.parent = box("Ship")
        keyed(leaf.parent)
    if which == "body":
        select(leaf.parent)
        bpy.ops.omi_joint.body_add(type="kinematic")
    bpy.context.view_layer.update()
    assert ("dynamic-animated" in issues()) is (which in {"parent", "bone"})


def report() -> Any:
    """Return what was found last."""
    return bpy.context.window_manager.omi_physics_joint


def report_of(code: str) -> list[Any]:
    """Return the issues of a code that Check finds."""
    issues()
    return [one for one in report().issues if one.code == code]


def test_other_keys_lead_nothing() -> None:
    """A static body whose color is keyed stands still; so does one below a keyed dynamic one."""
    frame, leaf, _ = door()
    frame.keyframe_insert("color", frame=1)
    leaf.keyframe_insert("scale", frame=1)
    assert "dynamic-animated" not in issues()
    keyed(leaf)
    post = box("Post")
    select(post)
    bpy.ops.omi_joint.body_add(type="static")
    post.parent = leaf
    assert "static-animated" not in issues()


@pytest.mark.parametrize("below", [False, True])
def test_a_body_that_was_joined_into_another_object_is_found_again(below: bool) -> None:
    """The mesh that is selected since is its joint's body, where it stands; with none it goes."""
    _, leaf, hinge = door()
    holder, handle = box("Holder", (0.0, 3.0, 1.0)), box("Handle", (3.0, -1.2, 0.0))
    handle.scale, handle.rotation_euler = (0.1, 0.1, 0.2), (0.3, -0.5, 0.9)
    if below:
        handle.parent = holder
    select(leaf, handle)
    bpy.ops.object.join()
    bpy.context.view_layer.update()
    hinge = bpy.data.objects["Door Hinge"]
    before = numbers(hinge.matrix_world)
    assert issues()["joint-without-body"] == "error"
    (lost,) = [
        one
        for one in bpy.context.window_manager.omi_physics_joint.issues
        if one.code == "joint-without-body"
    ]
    assert lost.message == (
        "Its parent was cleared, or its body was deleted or joined into another object."
    )
    assert promise(lost.code, hinge) == (
        "Fix: make 'Handle' a dynamic body, with this joint below it"
    )
    bpy.context.view_layer.objects.active = bpy.data.objects["Frame"]
    assert promise(lost.code, hinge).startswith("Fix: remove the joint")
    select(handle)
    fix("joint-without-body")
    assert hinge.parent == handle
    assert handle.omi_physics_body.type == "dynamic"
    assert numbers(hinge.matrix_world) == pytest.approx(before, abs=1e-6)
    assert not {"error", "warning"} & set(issues().values())


@pytest.mark.parametrize("place", [NEAR, FAR], ids=["near", "far"])
def test_a_leaf_that_was_joined_into_the_other_leaf_is_found_again(place: Matrix) -> None:
    """Its joint goes to that body, though it is one already; to none that is elsewhere."""
    leaves = [box(name, (x, 0.0, 0.0)) for name, x in (("Left", -1.0), ("Right", 1.0))]
    posts = [box(name, (x, 0.0, 0.0)) for name, x in (("Post L", -3.0), ("Post R", 3.0))]
    elsewhere = box("Elsewhere", (0.0, 9.0, 0.0))
    for one in (*leaves, *posts, elsewhere):
        one.matrix_world = place @ one.matrix_world
    for pair in zip(posts, leaves, strict=True):
        joined("HINGE", *pair)
    select(elsewhere)
    bpy.ops.omi_joint.body_add(type="dynamic")
    select(*leaves)
    bpy.ops.object.join()
    bpy.context.view_layer.update()
    hinge = bpy.data.objects["Left Hinge"]
    before = numbers(hinge.matrix_world)
    assert issues()["joint-without-body"] == "error"
    for one in (elsewhere, posts[0]):
        select(one)
        assert promise("joint-without-body", hinge).startswith("Fix: remove the joint")
    select(leaves[1])
    assert promise("joint-without-body", hinge) == "Fix: put this joint below 'Right'"
    fix("joint-without-body")
    assert hinge.parent == leaves[1]
    assert numbers(hinge.matrix_world) == pytest.approx(before, abs=1e-5)
    assert "error" not in issues().values()


@pytest.mark.parametrize("how", ["separated", "duplicated"])
def test_a_part_that_became_a_body_is_found(how: str) -> None:
    """What Separate and Duplicate leave has no joint: a part goes back, a copy is no body."""
    _, leaf, _ = door()
    assert "body-without-joint" not in issues()
    select(leaf)
    if how == "separated":
        bpy.ops.mesh.primitive_cube_add(location=(0.0, 0.0, 5.0))
        select(bpy.context.object, leaf)
        bpy.ops.object.join()
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.separate(type="LOOSE")
        bpy.ops.object.mode_set(mode="OBJECT")
    else:
        bpy.ops.object.duplicate()
        bpy.context.object.location.x += 4.0
    bpy.context.view_layer.update()
    part = bpy.data.objects["Door.001"]
    before = numbers(part.matrix_world)
    assert issues()["body-without-joint"] == "hint"
    fix("body-without-joint")
    assert not part.omi_physics_body.is_body
    assert part.parent == (leaf if how == "separated" else None)
    assert numbers(part.matrix_world) == pytest.approx(before, abs=1e-6)
    assert "body-without-joint" not in issues()


def test_a_deleted_part_of_a_trigger_leaves_its_list() -> None:
    """Fix takes off what a user deleted, though the list itself keeps it in the file; no other."""
    trigger, *parts = (box(name) for name in ("Trigger", "Left", "Right"))
    trigger.omi_physics_body.use_trigger = True
    for part in parts:
        part.parent = trigger
        part.omi_physics_body.use_trigger = True
        trigger.omi_physics_body.trigger.nodes.add().object = part
    select(parts[0])
    bpy.ops.object.delete()
    assert "trigger-part-missing" in issues()
    select(trigger)
    fix("trigger-part-missing")
    left = trigger.omi_physics_body.trigger.nodes
    assert [one.object.name for one in left] == ["Right"]
    assert "trigger-part-missing" not in issues()


@pytest.mark.parametrize("how", ["check", "play", "glb", "usda"])
def test_a_second_body_that_is_none_is_named_and_no_frame_that_nobody_sees(
    how: str, tmp_path: Path
) -> None:
    """Check, Play and exports speak of the body that can be chosen, as the panel does."""
    frame, leaf, hinge = door()
    frame.omi_physics_body.is_body = False
    assert fault_of(hinge, bpy.context.scene) == "Frame is no physics body"
    what, todo = told_by(how, "connected-without-body", tmp_path)
    assert what == "Its second body 'Frame' is no physics body."
    assert todo == "Make it one, static to hold to the world, or choose another second body."
    frame.omi_physics_body.is_body = True
    hinge.omi_physics_joint.connected_body = leaf
    what, todo = told_by(how, "same-body", tmp_path)
    assert what == "Both ends of this joint belong to the body Door, so the joint is ignored."
    assert todo == "Choose another second body."


def told_by(how: str, code: str, folder: Path) -> tuple[str, str]:
    """Return what is said of a fault, and what is to be done, by who says it."""
    if how == "play":
        placed = placed_in_scene(bpy.context.scene)
        reading = mechanism_from_placed(placed)
        found = faults_of(reading, islands_of(reading.mechanism), placed, metric)
    else:
        if how == "check":
            bpy.ops.omi_joint.check()
        elif how == "glb":
            bpy.ops.export_scene.gltf(filepath=str(folder / "door.glb"))
        else:
            bpy.ops.wm.usd_export(filepath=str(folder / "door.usda"))
        found = bpy.context.window_manager.omi_physics_joint.issues
    (told,) = (one for one in found if one.code == code)
    return told.message, told.fix


def test_a_body_whose_joint_is_in_another_scene_is_found() -> None:
    """Said where it would fall, with what to bring; never of what stands, or where the joint is."""
    frame, leaf, hinge = door()
    assert "held-elsewhere" not in issues()
    bpy.context.window.scene = other = bpy.data.scenes.new("Other")
    other.collection.objects.link(frame)
    assert "held-elsewhere" not in issues()
    other.collection.objects.link(leaf)
    assert issues()["held-elsewhere"] == "hint"
    (said,) = bpy.context.window_manager.omi_physics_joint.issues
    assert said.object_name == "Door"
    assert said.message == "In another scene 'Door Hinge' holds it, which is not here."
    second = hinge.copy()
    bpy.data.scenes["Scene"].collection.objects.link(second)
    assert "held-elsewhere" in issues()
    (said,) = bpy.context.window_manager.omi_physics_joint.issues
    both = "'Door Hinge' and 'Door Hinge.001'"
    assert said.message == f"In another scene {both} hold it, which are not here."
    second.omi_physics_joint.mute = True  # which holds nothing there
    assert "held-elsewhere" in issues()
    (said,) = bpy.context.window_manager.omi_physics_joint.issues
    assert said.message == "In another scene 'Door Hinge' holds it, which is not here."
    for joint in (hinge, second):
        other.collection.objects.link(joint)
    assert "held-elsewhere" not in issues()


@pytest.mark.parametrize("kind", ["curve", "text", "surface", "metaball", "mesh", "empty"])
def test_what_stands_and_is_no_mesh_is_told(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Things fall through a curve that stands as a track: the button says so, and Check."""
    make = {
        "curve": bpy.ops.curve.primitive_bezier_curve_add,
        "text": bpy.ops.object.text_add,
        "surface": bpy.ops.surface.primitive_nurbs_surface_sphere_add,
        "metaball": lambda: bpy.ops.object.metaball_add(type="BALL"),
        "mesh": bpy.ops.mesh.primitive_plane_add,
        "empty": bpy.ops.object.empty_add,
    }
    make[kind]()
    if kind == "curve":
        bpy.context.object.data.bevel_depth = 0.1
    is_told = kind not in {"mesh", "empty"}
    bpy.ops.omi_joint.body_add(type="static")
    assert ("without a collider" in capfd.readouterr().out) is is_told
    assert ("body-without-collider" in issues()) is is_told
    if is_told:
        bpy.ops.object.convert(target="MESH")
        bpy.ops.omi_joint.body_add(type="static")
        assert "body-without-collider" not in issues()
