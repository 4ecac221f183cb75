# SPDX-License-Identifier: GPL-3.0-or-later
"""What is opened by hand takes the range of its joint along, and Check says so."""

from __future__ import annotations

import bpy
import pytest
from mathutils import Euler, Matrix
from scenes import door, issues, joined, numbers, select, slab

from omi_physics_joint.blender.bridge.poses.second_frames import value_of
from tests.blender.test_check_bodies import fix, report_of
from tests.blender.test_timeline import simulate

AWAY = Matrix.LocRotScale((20.0, -13.0, 4.0), Euler((0.3, 0.2, 1.1)), None)
CODE = "opened-since-joined"
FAR = {"a little": 0.02, "keyed": 0.6}


def opened(kind: str, which: str, how: str, far: float) -> bpy.types.Object:
    """Join two bodies far out and turned, move one along or about their joint, and return that."""
    frame = slab("Frame", (0.0, 0.0, 1.0), (0.1, 0.2, 2.0))
    leaf = slab("Door", (0.55, 0.0, 1.0), (1.0, 0.05, 2.0))
    for obj in (frame, leaf):
        obj.matrix_world = AWAY @ obj.matrix_world
    bpy.context.view_layer.update()
    joint = joined(kind, frame, leaf, use_range=how != "free")
    if how == "target":
        select(joint)
        bpy.ops.omi_joint.change_drive(kind="SPRING")
        limits = joint.omi_physics_joint.settings.limits
        limits.remove(next(at for at, one in enumerate(limits) if sum(one.axes) == 1))
    place = joint.matrix_world.normalized()
    way = Matrix.Rotation(far, 4, "Y") if kind == "HINGE" else Matrix.Translation((far, 0.0, 0.0))
    for obj in (frame, leaf) if which == "both" else (bpy.data.objects[which],):
        obj.matrix_world = place @ way @ place.inverted() @ obj.matrix_world
        if how == "keyed":
            obj.keyframe_insert("location")
            obj.keyframe_insert("location", frame=30)
    bpy.context.view_layer.update()
    return joint


@pytest.mark.parametrize("kind", ["HINGE", "SLIDER"])
@pytest.mark.parametrize("which", ["Door", "Frame"])
@pytest.mark.parametrize("how", ["range", "target"])
def test_what_was_opened_by_hand_is_told_and_fix_poses_it(kind: str, which: str, how: str) -> None:
    """The door by itself or its frame; the joint then has the value that Pose would have given."""
    far = -0.6 if which == "Door" else 0.6
    joint = opened(kind, which, how, far)
    assert value_of(joint) is None
    (found,) = report_of(CODE)
    by = "34.38\N{DEGREE SIGN}" if kind == "HINGE" else "0.6 m"
    assert found.object_name == joint.name
    assert found.message.startswith(f"It was moved by hand by {by} since it was joined")
    assert "moved-since-joined" not in issues()
    fix(CODE)
    value = value_of(joint)
    assert value is not None
    moved = value.to_euler().y if kind == "HINGE" else value.translation.x
    assert abs(moved) == pytest.approx(0.6, abs=1e-4)
    assert CODE not in issues()


@pytest.mark.parametrize("which", ["Door", "both"])
@pytest.mark.parametrize("how", ["a little", "free", "keyed", "range"])
def test_what_takes_no_range_along_is_told_of_nothing(which: str, how: str) -> None:
    """A door that is moved as a whole or slightly, a free hinge, and what is keyed."""
    opened("HINGE", which, how, FAR.get(how, 0.6))
    assert (CODE in issues()) is (which == "Door" and how == "range")


def test_a_closer_shuts_the_door_that_was_opened_by_hand_after_fix() -> None:
    """Before, it pulled to where the door stood: nothing moved."""
    _, leaf, hinge = door()
    select(hinge)
    bpy.ops.omi_joint.change_drive(kind="SERVO")
    shut = numbers(leaf.matrix_world)
    place = hinge.matrix_world.normalized()
    leaf.matrix_world = place @ Matrix.Rotation(-1.0, 4, "Y") @ place.inverted() @ leaf.matrix_world
    bpy.context.view_layer.update()
    issues()
    fix(CODE)
    bpy.context.scene.frame_end = 60
    simulate()
    bpy.context.scene.frame_set(60)
    assert numbers(leaf.matrix_world) == pytest.approx(shut, abs=0.02)


@pytest.mark.parametrize("which", ["all", "the copy"])
@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize("kind", ["HINGE", "SLIDER"])
def test_what_was_mirrored_as_a_whole_was_not_moved(kind: str, applied: bool, which: str) -> None:
    """The other one of two doors is a mirrored copy, far out, turned and of single precision."""
    joint = opened(kind, "Door", "range", 0.0)
    whole = [bpy.data.objects["Frame"], bpy.data.objects["Door"], joint]
    select(*whole)
    if which == "the copy":
        bpy.ops.object.duplicate()
        whole = list(bpy.context.selected_objects)
    mirror = AWAY @ Matrix.Translation((3.0, 0.0, 0.0)) @ Matrix.Scale(-1.0, 4, (1.0, 0.0, 0.0))
    for obj in whole:
        if obj.type == "MESH":  # the joint goes along, below the door
            obj.matrix_world = mirror @ AWAY.inverted() @ obj.matrix_world
    bpy.context.view_layer.update()
    if applied:
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    assert {CODE, "moved-since-joined", "off-since-joined"}.isdisjoint(issues())


def test_a_door_whose_frame_alone_is_mirrored_was_moved() -> None:
    """What is no image of all of it is told as before."""
    opened("HINGE", "Door", "range", 0.0)
    frame = bpy.data.objects["Frame"]
    mirror = Matrix.Translation((3.0, 0.0, 0.0)) @ Matrix.Scale(-1.0, 4, (1.0, 0.0, 0.0))
    frame.matrix_world = AWAY @ mirror @ AWAY.inverted() @ frame.matrix_world
    bpy.context.view_layer.update()
    assert "moved-since-joined" in issues()
