# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that are copied with one of their bodies, and what Check says of where they went."""

from __future__ import annotations

from math import pi

import bpy
import pytest
from mathutils import Matrix
from scenes import issues, joined, select, slab

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
    world = frame.matrix_world.copy()
    copy.location.x -= 3.0
    bpy.context.view_layer.update()
    frame.matrix_world = world
    bpy.context.view_layer.update()
    assert [one.object_name for one in report_of("moved-since-joined")] == [frame.name]


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
