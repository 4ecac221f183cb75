# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that Blender moves too, by constraints or as rigid bodies of its own."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from omi_export import export
from scenes import box, door, issues, select

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.poses.second_frames import second_world
from tests.blender.test_check_bodies import fix, keyed, on_bone, report, report_of, rig


def pulled(obj: bpy.types.Object | bpy.types.PoseBone, target: bpy.types.Object, how: str) -> None:
    """Have a constraint of a type move an object or a bone along with a target."""
    constraint = obj.constraints.new(how)
    if how == "ARMATURE":
        constraint.targets.new().target = target
        constraint.targets[0].subtarget = target.pose.bones[1].name
    elif how == "FOLLOW_PATH":
        constraint.target, constraint.use_curve_follow = target, False
    else:
        constraint.target = target
    bpy.context.view_layer.update()


def path() -> bpy.types.Object:
    """Return a curve on which what follows it goes, by its keyed time of evaluation."""
    bpy.ops.curve.primitive_nurbs_path_add()
    curve = bpy.context.object.data
    for frame, time in ((1, 0.0), (25, 100.0)):
        curve.eval_time = time
        curve.keyframe_insert("eval_time", frame=frame)
    bpy.context.scene.frame_set(1)
    return bpy.context.object


@pytest.mark.parametrize(
    "how", ["CHILD_OF", "COPY_LOCATION", "COPY_TRANSFORMS", "ARMATURE", "FOLLOW_PATH"]
)
@pytest.mark.parametrize("which", ["own", "above", "bone above"])
def test_a_static_body_that_a_constraint_moves_leads_its_joints(how: str, which: str) -> None:
    """It goes where the constraint takes it, as one with keys does, and its door goes along."""
    frame, _, hinge = door()
    if how == "ARMATURE":
        target = rig(is_moved=True)
        keyed(target.pose.bones[0])
    elif how == "FOLLOW_PATH":
        target = path()
    else:
        target = box("Ship")
        keyed(target)
    bearer = frame
    if which == "above":
        frame.parent = bearer = box("Bearer")
    elif which == "bone above":
        armature = rig(is_moved=False)
        on_bone(frame, armature)
        bearer = armature.pose.bones[0]
    pulled(bearer, target, how)
    bpy.context.scene.frame_end = 25
    before = frame.matrix_world.translation.copy()
    assert issues()["static-animated"] == "hint"
    assert bpy.ops.omi_joint.simulate("EXEC_DEFAULT") == {"FINISHED"}
    bpy.context.scene.frame_set(25)
    assert (frame.matrix_world.translation - before).length > 1.0
    apart = hinge.matrix_world.translation - second_world(hinge).translation
    assert apart.length < 2e-3


@pytest.mark.parametrize(
    "why", ["muted", "no influence", "scale alone", "target stands", "circle", "below the leaf"]
)
def test_a_constraint_that_moves_nothing_leads_nothing(why: str) -> None:
    """One that is off or scales, whose target stands, or in a circle of such."""
    frame, leaf, _ = door()
    ship = box("Ship")
    if why not in {"target stands", "circle"}:
        keyed(ship)
    if why == "below the leaf":
        frame.parent = leaf
    pulled(frame, ship, "COPY_SCALE" if why == "scale alone" else "CHILD_OF")
    if why == "circle":
        pulled(ship, frame, "COPY_ROTATION")
    if why == "muted":
        frame.constraints[0].mute = True
    if why == "no influence":
        frame.constraints[0].influence = 0.0
    assert ("static-animated" in issues()) is (why == "below the leaf")


def test_a_static_body_that_follows_a_dynamic_one_by_constraint_is_told_of() -> None:
    """Nobody keyed anything, and it moves all the same."""
    frame, leaf, _ = door()
    post = box("Post", (6.0, 0.0, 0.0))
    select(post)
    bpy.ops.omi_joint.body_add(type="static")
    handle = box("Handle", (2.0, 0.0, 0.0))
    handle.parent = leaf
    pulled(post, handle, "COPY_LOCATION")
    assert [one.object_name for one in report_of("static-animated")] == ["Post"]
    assert frame.omi_physics_body.type == "static"


@pytest.mark.parametrize("why", ["keyed influence", "motion in a file", "target on a ship"])
def test_a_constraint_moves_also_by_itself_or_by_what_its_target_is_below(why: str) -> None:
    """A target that stands is no sign that a body does: these three move it as well."""
    frame, _, _ = door()
    ship, target = box("Ship"), bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    if why == "motion in a file":
        frame.constraints.new("TRANSFORM_CACHE")
    else:
        pulled(frame, target, "CHILD_OF")
    if why == "keyed influence":
        frame.constraints[0].keyframe_insert("influence", frame=1)
    if why == "target on a ship":
        target.parent = ship
        keyed(ship)
        select(ship)
        bpy.ops.omi_joint.body_add(type="kinematic")
    assert [one.object_name for one in report_of("static-animated")] == ["Frame"]


@pytest.mark.parametrize(
    ("options", "is_written"),
    [
        ({}, False),
        ({"export_animations": False}, False),
        ({"export_bake_animation": True}, True),
        ({"export_animation_mode": "SCENE"}, True),
    ],
)
def test_what_a_file_leaves_standing_that_constraints_move_is_said(
    options: dict[str, object], tmp_path: Path, *, is_written: bool
) -> None:
    """Blender writes what constraints move only if all is baked; else the body stands still."""
    frame, _, _ = door()
    ship = box("Ship")
    keyed(ship)
    pulled(frame, ship, "CHILD_OF")
    document = export(tmp_path / "ship.glb", **options)
    moved = {
        document["nodes"][channel["target"]["node"]]["name"]
        for animation in document.get("animations", ())
        for channel in animation["channels"]
    }
    assert ("Frame" in moved) is is_written
    found = [one for one in report().issues if one.code == "body-not-led"]
    assert len(found) == 1 - is_written
    assert all("its mode Scene" in one.fix for one in found)


@pytest.mark.parametrize("how", ["keys", "constraint", "body below cart", "values"])
def test_what_moves_a_joint_on_its_body_is_told_of(how: str) -> None:
    """Its place is that at rest, whatever moves it; it goes where its body goes, and has values."""
    frame, _, hinge = door()
    cart = box("Cart")
    keyed(cart)
    if how == "keys":
        keyed(hinge)
    elif how == "constraint":
        pulled(hinge, cart, "COPY_LOCATION")
    elif how == "values":
        hinge.keyframe_insert("omi_physics_joint.connected_rotation", frame=1)
    else:
        frame.parent = cart
        hinge.parent, hinge.omi_physics_joint.connected_body = frame, hinge.parent
    told = [(one.object_name, one.severity) for one in report_of("joint-animated")]
    assert told == ([(hinge.name, "warning")] if how in {"keys", "constraint"} else [])


@pytest.mark.parametrize("how", ["own", "delta", "above", "delta above", "color"])
def test_a_body_that_is_to_change_its_size_is_told_of(how: str) -> None:
    """No engine scales a body as it goes, whatever it is scaled by."""
    _, leaf, _ = door()
    leaf.parent = box("Bearer")
    owner = leaf.parent if "above" in how else leaf
    path = "color" if how == "color" else "delta_scale" if "delta" in how else "scale"
    owner.keyframe_insert(path, frame=1)
    told = [(one.object_name, one.severity) for one in report_of("scale-animated")]
    assert told == ([] if how == "color" else [("Door", "warning")])


@pytest.mark.parametrize("how", ["constraints", "drivers"])
def test_what_pulls_at_a_dynamic_body_is_told_of_by_check_as_in_play(how: str) -> None:
    """Joints and constraints or drivers both move it: a warning, once, and Fix mutes these."""
    _, leaf, _ = door()
    ship = box("Ship")
    keyed(ship)
    if how == "constraints":
        pulled(leaf, ship, "CHILD_OF")
    else:
        leaf.driver_add("rotation_euler", 2).driver.expression = "0.5"
    (found,) = report_of("constraint-on-body")
    assert (found.severity, how in found.message) == ("warning", True)
    assert ("dynamic-animated" in issues()) is (how == "drivers")
    session = play.start(bpy.context.scene)
    assert [one.message for one in session.issues if one.code == found.code] == [found.message]
    play.stop()
    fix("constraint-on-body")
    assert [*leaf.constraints, *(leaf.animation_data.drivers if how == "drivers" else ())][0].mute
    assert {"constraint-on-body", "dynamic-animated"}.isdisjoint(issues())


@pytest.mark.parametrize("ours", ["Frame", "Door"])
def test_a_rigid_body_of_blenders_too_is_told_of_and_taken_away(ours: str) -> None:
    """Blender's moves it whenever frames go, static or not; Fix leaves our body alone with it."""
    door()
    body, other = bpy.data.objects[ours], box("Other", (0.0, 9.0, 0.0))
    bpy.ops.rigidbody.world_add()
    select(body)
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    select(other)
    (found,) = report_of("rigid-body-too")
    assert (found.object_name, found.severity) == (ours, "warning")
    assert bpy.ops.omi_joint.simulate("EXEC_DEFAULT") == {"FINISHED"}
    assert "rigid-body-too" in [one.code for one in report().issues]
    bpy.ops.omi_joint.free_cache()
    issues()
    fix("rigid-body-too")
    assert body.rigid_body is None
    assert body.omi_physics_body.is_body
    assert report_of("rigid-body-too") == []
    assert bpy.context.object == other


@pytest.mark.parametrize("why", ["passive", "animated", "off", "world off"])
def test_a_rigid_body_that_moves_nothing_is_no_matter(why: str) -> None:
    """One that stands, that follows keys, or that is switched off with its world or alone."""
    _, leaf, _ = door()
    bpy.ops.rigidbody.world_add()
    select(leaf)
    bpy.ops.rigidbody.object_add(type="PASSIVE" if why == "passive" else "ACTIVE")
    leaf.rigid_body.kinematic = why == "animated"
    leaf.rigid_body.enabled = why != "off"
    bpy.context.scene.rigidbody_world.enabled = why != "world off"
    assert report_of("rigid-body-too") == []
