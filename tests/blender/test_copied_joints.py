# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that are copied with one of their bodies, and what Check says of where they went."""

from __future__ import annotations

from math import pi

import bpy
import pytest
from mathutils import Matrix
from scenes import issues, joined, select, slab

from omi_physics_joint.blender.check.fixes import FIXES
from tests.blender.test_check_bodies import report_of


def car_and_wheel(motion: str) -> tuple[bpy.types.Object, ...]:
    """Return a car that is a body, a wheel at a corner of it, and the joint between them."""
    car = slab("Car", (20.0, -13.0, 1.0), (4.0, 1.6, 0.5))
    wheel = slab("Wheel", (21.5, -12.0, 0.7), (0.6, 0.2, 0.6))
    bpy.context.view_layer.update()
    select(car)
    bpy.ops.omi_joint.body_add(type=motion)
    joint = joined("HINGE", car, wheel, direction="GLOBAL_Y")
    assert joint.parent == (wheel if motion == "static" else car)
    return car, wheel, joint


def assert_told_once_taken_away(body: bpy.types.Object, frame: bpy.types.Object) -> None:
    """Move a body alone, and hold that its joint is said to be apart from it."""
    world = frame.matrix_world.copy()
    body.location.x -= 3.0
    bpy.context.view_layer.update()
    frame.matrix_world = world
    bpy.context.view_layer.update()
    assert [one.object_name for one in report_of("moved-since-joined")] == [frame.name]


@pytest.mark.parametrize("is_first", [False, True])
@pytest.mark.parametrize("is_linked", [False, True])
def test_a_wheel_that_was_copied_with_its_joint_was_joined_there(
    is_first: bool, is_linked: bool
) -> None:
    """The copy is at another corner of the same car; the joint is on the car or on the wheel."""
    _, wheel, joint = car_and_wheel("static" if is_first else "dynamic")
    select(wheel, joint)
    bpy.ops.object.duplicate(linked=is_linked)
    for one in bpy.context.selected_objects:
        if one.parent not in bpy.context.selected_objects:
            one.location.x -= 3.0
    bpy.context.view_layer.update()
    assert "moved-since-joined" not in issues()
    wheel.location.z += 0.5
    bpy.context.view_layer.update()
    assert joint.name in {one.object_name for one in report_of("moved-since-joined")}


@pytest.mark.parametrize("is_first", [False, True])
def test_a_wheel_that_was_copied_with_its_joint_and_moved_without_it_is_told(
    is_first: bool,
) -> None:
    """It is held from afar by the joint that stayed, or went with the car."""
    _, wheel, joint = car_and_wheel("static" if is_first else "dynamic")
    select(wheel, joint)
    bpy.ops.object.duplicate()
    (copy,) = (one for one in bpy.context.selected_objects if one.omi_physics_body.is_body)
    frame = next(one for one in bpy.context.selected_objects if one != copy)
    assert_told_once_taken_away(copy, frame)


@pytest.mark.parametrize("how", ["motor", "flipped", "other settings", "free", "moved"])
def test_a_motor_that_was_copied_and_turned_round_is_told_until_it_is_flipped(how: str) -> None:
    """Two such wheels hold a car still; a wheel that was moved along, or turns freely, does not."""
    car, wheel, joint = car_and_wheel("dynamic")
    if how != "free":
        bpy.ops.omi_joint.change_drive(kind="MOTOR")
    select(wheel, joint)
    bpy.ops.object.duplicate()
    place = Matrix.Translation(car.location)
    turn = place @ Matrix.Rotation(pi, 4, "Z") @ place.inverted()
    for one in bpy.context.selected_objects:
        if one.parent not in bpy.context.selected_objects:
            there = Matrix.Translation((0, -2, 0)) if how == "moved" else turn
            one.matrix_world = there @ one.matrix_world
    bpy.context.view_layer.update()
    copy = next(one for one in bpy.context.selected_objects if one.omi_physics_joint.is_joint)
    select(copy)
    if how == "flipped":
        bpy.ops.omi_joint.flip()
    if how == "other settings":
        copy.omi_physics_joint.settings = copy.omi_physics_joint.settings.copy()
    bpy.context.view_layer.update()
    found = [one.object_name for one in report_of("turned-round")]
    assert found == [copy.name] * (how == "motor")


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("first", ["stays", "cleared", "gone"])
def test_joints_of_instances_that_were_made_real_go_to_their_own_body(
    first: str, count: int
) -> None:
    """Each to the lid that came along, flush with others; where that is gone, to nobody's."""
    rim, lid = slab("Rim", (-0.55, 0, 1), (0.1, 1, 0.2)), slab("Lid", (0, 0, 1), (1, 0.9, 0.1))
    joint = joined("HINGE", rim, lid)
    gate = bpy.data.collections.new("Gate")
    bpy.context.scene.collection.children.link(gate)
    for one in (rim, lid, joint):
        one.users_collection[0].objects.unlink(one)
        gate.objects.link(one)
    before, own = set(bpy.data.objects), lid.matrix_world.inverted() @ joint.matrix_world
    for at in range(1, count + 1):
        bpy.ops.object.collection_instance_add(collection="Gate", location=(1.1 * at, 0.0, 0.0))
        bpy.context.object.rotation_euler.x = 0.4 * at
    bpy.context.view_layer.update()
    select(*(one for one in bpy.data.objects if one.instance_collection == gate))
    bpy.ops.object.duplicates_make_real()
    made = [one for one in bpy.data.objects if one not in before]
    joints = [joint, *(one for one in made if one.omi_physics_joint.is_joint)]
    lids = [one for one in made if one.name.startswith("Lid.")]
    if first == "cleared":
        select(joint)
        bpy.ops.object.parent_clear(type="CLEAR_KEEP_TRANSFORM")
    if first == "gone":
        bpy.data.objects.remove(lids.pop())
    bpy.context.view_layer.update()
    for one in joints:
        bereft = [i for i in report_of("joint-without-body") if i.object_name == one.name]
        assert len(bereft) == (one.parent is None)
        if bereft and "not parented to" in bereft[0].message:
            FIXES["joint-without-body"].mend(one)
            bpy.context.view_layer.update()
            there = one.parent.matrix_world @ own
            assert (there.translation - one.matrix_world.translation).length < 1e-4
            lids = [lid for lid in lids if lid != one.parent]
    assert (lids, joint.parent) == ([], lid)
    assert len(report_of("joint-without-body")) == (first == "gone")


@pytest.mark.parametrize("is_first", [False, True])
@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_a_wheel_that_is_mirrored_with_its_joint_was_joined_there(
    axis: tuple[int, ...], *, is_first: bool
) -> None:
    """Before and after its scale is applied; the one that is moved alone is told of."""
    car, wheel, joint = car_and_wheel("static" if is_first else "dynamic")
    select(wheel, joint)
    bpy.ops.object.duplicate()
    copies = list(bpy.context.selected_objects)
    (copy,) = (one for one in copies if one.omi_physics_body.is_body)
    place = Matrix.Translation(car.location)
    mirror = place @ Matrix.Scale(-1.0, 4, axis) @ place.inverted()
    for one in copies:
        if one.parent not in copies:
            one.matrix_world = mirror @ one.matrix_world
    bpy.context.view_layer.update()
    assert "moved-since-joined" not in issues()
    select(copy)
    bpy.ops.object.transform_apply(location=False, rotation=False)
    assert "moved-since-joined" not in issues()
    (frame,) = (one for one in copies if one != copy)
    assert_told_once_taken_away(copy, frame)
