# SPDX-License-Identifier: GPL-3.0-or-later
"""What is taken over of Blender's rigid bodies is as strong as Bullet has it, at any frame."""

from __future__ import annotations

import bpy
import pytest
from scenes import select

from omi_physics_joint.blender.bodies.takeover import settings_from_constraint, take_over
from omi_physics_joint.blender.bridge.poses.second_frames import second_world
from tests.blender.test_takeover import constrained, joints, settled


def test_constraint_on_what_it_joins_ends() -> None:
    """A constraint may be on one of its two bodies, and on each of them another."""
    first, second, holder = constrained("HINGE")
    bpy.data.objects.remove(holder)
    for obj in (first, second):
        select(obj)
        bpy.ops.rigidbody.constraint_add(type="POINT")
        obj.rigid_body_constraint.object1, obj.rigid_body_constraint.object2 = first, second
    second.location.x = 3.0
    taken = take_over([second, first])
    assert (taken.bodies, taken.joints, taken.sentences) == (2, 2, [])


@pytest.mark.parametrize("frame", [1, 20])
def test_it_is_taken_over_where_the_simulation_begins(frame: int) -> None:
    """At whatever frame: there a constraint has its zero, and bodies have their rest pose."""
    first, second, holder = constrained("HINGE")
    bpy.context.scene.rigidbody_world.effector_weights.gravity = 1.0
    holder.rotation_euler.x = 1.57
    second.location.x = 2.0
    holder.location.z = 0.5
    for at in range(1, frame + 1):
        bpy.context.scene.frame_set(at)
    take_over([first, second, holder])
    assert bpy.context.scene.frame_current == frame
    bpy.context.scene.frame_set(1)
    assert tuple(joints()[0].matrix_world.translation) == pytest.approx((0.0, 0.0, 0.5), abs=1e-5)
    other = second_world(joints()[0])
    assert other is not None
    apart = joints()[0].matrix_world.inverted() @ other
    assert apart.to_quaternion().angle < 1e-4


@pytest.mark.parametrize(("share", "holds"), [(0.98, False), (1.02, True)])
@pytest.mark.parametrize(("fps", "substeps"), [(24, 10), (60, 4)])
def test_joints_break_under_the_load_that_breaks_constraints(
    share: float, holds: bool, fps: int, substeps: int
) -> None:
    """The threshold is an impulse of one of Bullet's steps; what hangs there tells how much."""
    first, second, holder = constrained("POINT")
    scene, constraint = bpy.context.scene, holder.rigid_body_constraint
    scene.rigidbody_world.effector_weights.gravity = 1.0
    scene.render.fps, scene.rigidbody_world.substeps_per_frame = fps, substeps
    second.rigid_body.mass = 10.0
    constraint.use_breaking = True
    constraint.breaking_threshold = share * 98.1 / (fps * substeps)
    take_over([first, second, holder])
    breaking = joints()[0].omi_physics_breaking
    assert breaking.use_breaking
    assert (breaking.force > 98.1) is holds
    assert (settled(first, second).translation.z > -0.1) is holds


@pytest.mark.parametrize("substeps", [1, 10])
def test_motors_are_as_strong_as_those_of_bullet(substeps: int) -> None:
    """What Blender calls an impulse is a force: it speeds 2 kg up by as much, whatever the step."""
    first, second, holder = constrained("MOTOR")
    bpy.context.scene.rigidbody_world.substeps_per_frame = substeps
    constraint = holder.rigid_body_constraint
    second.rigid_body.mass, second.rigid_body.linear_damping = 2.0, 0.0
    constraint.use_motor_lin = True
    constraint.motor_lin_target_velocity, constraint.motor_lin_max_impulse = 100.0, 3.0
    drive = settings_from_constraint(constraint, "Joint").drives[0]
    seconds = 29.0 / bpy.context.scene.render.fps
    way = abs(settled(first, second).translation.x)
    assert drive.max_force / 2.0 * seconds**2 / 2.0 == pytest.approx(way, rel=0.1)


def test_gravity_of_blenders_world_is_that_of_the_bodies() -> None:
    """Its weight of gravity scales what pulls them."""
    first, second, holder = constrained("HINGE")
    bpy.context.scene.rigidbody_world.effector_weights.gravity = 0.25
    take_over([first, second, holder])
    assert second.omi_physics_body.gravity_factor == 0.25
