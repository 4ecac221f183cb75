# SPDX-License-Identifier: GPL-3.0-or-later
"""What is taken over is as strong as Bullet has it, at any frame; what is left out is said."""

from __future__ import annotations

from collections.abc import Callable

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


def turn_body_off(second: bpy.types.Object, _constraint: bpy.types.RigidBodyConstraint) -> None:
    """Take an active body out of the simulation."""
    second.rigid_body.enabled = False


def turn_off(_second: bpy.types.Object, constraint: bpy.types.RigidBodyConstraint) -> None:
    """Take a constraint out of the simulation."""
    constraint.enabled = False


def keyed(_second: bpy.types.Object, constraint: bpy.types.RigidBodyConstraint) -> None:
    """Key what Blender's constraint does."""
    constraint.keyframe_insert("breaking_threshold", frame=1)


def let_go(second: bpy.types.Object, _constraint: bpy.types.RigidBodyConstraint) -> None:
    """Key when a body is let go."""
    second.rigid_body.keyframe_insert("kinematic", frame=1)


def damped(second: bpy.types.Object, _constraint: bpy.types.RigidBodyConstraint) -> None:
    """Have the air brake a body."""
    second.rigid_body.linear_damping = 0.9


def slowed(_second: bpy.types.Object, _constraint: bpy.types.RigidBodyConstraint) -> None:
    """Slow Blender's simulation down."""
    bpy.context.scene.rigidbody_world.time_scale = 0.5


def layered(second: bpy.types.Object, _constraint: bpy.types.RigidBodyConstraint) -> None:
    """Have a body meet those of another collection only."""
    second.rigid_body.collision_collections[:2] = (False, True)


def old_spring(_second: bpy.types.Object, constraint: bpy.types.RigidBodyConstraint) -> None:
    """Use the springs of Blender 2.7, whose damping is a share."""
    constraint.type, constraint.spring_type = "GENERIC_SPRING", "SPRING1"
    constraint.use_spring_x, constraint.spring_damping_x = True, 0.5


def idle_motor(_second: bpy.types.Object, constraint: bpy.types.RigidBodyConstraint) -> None:
    """Make a motor that drives nothing."""
    constraint.type = "MOTOR"


Fault = Callable[[bpy.types.Object, bpy.types.RigidBodyConstraint], None]


@pytest.mark.parametrize(
    ("fault", "word", "made"),
    [
        (turn_body_off, "kinematic", 1),
        (turn_off, "is off", 0),
        (keyed, "Breaking Threshold", 1),
        (let_go, "Kinematic", 1),
        (damped, "damping", 1),
        (layered, "collections", 1),
        (slowed, "Speed of 0.5", 1),
        (old_spring, "damping", 1),
        (idle_motor, "does nothing", 1),
    ],
)
def test_what_is_dropped_is_said(fault: Fault, word: str, made: int) -> None:
    """What has no counterpart is named in one sentence with its object."""
    first, second, holder = constrained("HINGE")
    fault(second, holder.rigid_body_constraint)
    taken = take_over([first, second, holder])
    assert len(joints()) == taken.joints == made
    assert [text for text in taken.sentences if word in text and text.endswith(".")]
