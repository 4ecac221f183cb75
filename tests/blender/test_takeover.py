# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own rigid bodies and constraints become ours, with the signs that Bullet really has."""

from __future__ import annotations

from math import inf

import bpy
import pytest
from mathutils import Matrix
from scenes import box, issues, select, separated

from omi_physics_joint.blender.bodies.takeover import (
    FREE_AXES,
    settings_from_constraint,
    take_over,
)
from omi_physics_joint.blender.bridge.read_settings import settings_from_block
from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.model.settings.spans import axis_range

GENERIC = ("GENERIC", "GENERIC_SPRING")


def rigid(obj: bpy.types.Object, kind: str = "ACTIVE") -> bpy.types.Object:
    """Give an object Blender's own rigid body."""
    if bpy.context.scene.rigidbody_world is None:
        bpy.ops.rigidbody.world_add()
    select(obj)
    bpy.ops.rigidbody.object_add(type=kind)
    return obj


def constrained(kind: str) -> tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]:
    """Return a passive and an active body at one place with a constraint between them."""
    first, second = rigid(box("First"), "PASSIVE"), rigid(box("Second"))
    bpy.context.scene.rigidbody_world.effector_weights.gravity = 0.0
    holder = bpy.data.objects.new("Constraint", None)
    bpy.context.scene.collection.objects.link(holder)
    select(holder)
    bpy.ops.rigidbody.constraint_add(type=kind)
    constraint = holder.rigid_body_constraint
    constraint.object1, constraint.object2 = first, second
    constraint.disable_collisions = True
    return first, second, holder


def joints() -> list[bpy.types.Object]:
    """Return all joint frames."""
    return [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]


def bound(
    constraint: bpy.types.RigidBodyConstraint, part: str, low: float = 0.4, high: float = 0.8
) -> None:
    """Set the bounds of one axis of a constraint, such as "ang_x"."""
    setattr(constraint, f"use_limit_{part}", True)
    setattr(constraint, f"limit_{part}_lower", low)
    setattr(constraint, f"limit_{part}_upper", high)


def settled(first: bpy.types.Object, second: bpy.types.Object) -> Matrix:
    """Simulate half a second and return the pose of the second object seen from the first."""
    scene = bpy.context.scene
    for frame in range(1, 31):
        scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    a, b = first.evaluated_get(graph), second.evaluated_get(graph)
    return a.matrix_world.inverted() @ b.matrix_world


@pytest.mark.parametrize(
    ("kind", "axis"),
    [("HINGE", 2), *((kind, axis) for kind in GENERIC for axis in range(3)), ("PISTON", 0)],
)
def test_angles_are_where_bullet_puts_them(kind: str, axis: int) -> None:
    """Bullet moves a body into lopsided bounds; it is inside ours, not inside a naive copy."""
    first, second, holder = constrained(kind)
    constraint = holder.rigid_body_constraint
    name = f"ang_{'xyz'[axis]}"
    setattr(constraint, f"use_limit_{name}", True)
    setattr(constraint, f"limit_{name}_lower", 0.4)
    setattr(constraint, f"limit_{name}_upper", 0.8)
    settings = settings_from_constraint(constraint, "Joint")
    low, high = axis_range(settings, Freedom.ANGULAR, axis)
    angle = settled(first, second).to_euler()[axis]
    assert low - 0.05 <= angle <= high + 0.05
    naive = 0.35 <= angle <= 0.85
    assert naive == (kind == "PISTON")


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_distances_are_where_bullet_puts_them(axis: int) -> None:
    """Bullet moves a body into lopsided linear bounds, and ours are the same."""
    first, second, holder = constrained("GENERIC")
    constraint = holder.rigid_body_constraint
    name = f"lin_{'xyz'[axis]}"
    setattr(constraint, f"use_limit_{name}", True)
    setattr(constraint, f"limit_{name}_lower", 0.5)
    setattr(constraint, f"limit_{name}_upper", 0.7)
    settings = settings_from_constraint(constraint, "Joint")
    low, high = axis_range(settings, Freedom.LINEAR, axis)
    distance = settled(first, second).translation[axis]
    assert low - 0.05 <= distance <= high + 0.05


@pytest.mark.parametrize("apart", [True, False])
def test_bodies_collide_as_they_did(apart: bool) -> None:
    """Constraints say who does not, joints who does."""
    holder = constrained("HINGE")[2]
    holder.rigid_body_constraint.disable_collisions = apart
    bpy.ops.omi_joint.from_rigid_body()
    (joint,) = joints()
    assert joint.omi_physics_joint.enable_collision is not apart


def test_button_takes_bodies_and_joints_over() -> None:
    """One button makes bodies, colliders, materials and a joint of what Blender has."""
    first, second, holder = constrained("POINT")
    second.rigid_body.mass = 3.5
    second.rigid_body.friction = 0.25
    second.rigid_body.collision_shape = "BOX"
    select(first, second, holder)
    assert bpy.ops.omi_joint.from_rigid_body() == {"FINISHED"}
    bpy.context.view_layer.update()
    body = second.omi_physics_body
    assert (first.omi_physics_body.type, body.type) == ("static", "dynamic")
    assert body.mass == pytest.approx(3.5)
    assert body.collider.shape.type == "box"
    assert tuple(body.collider.shape.size) == pytest.approx((2.0, 2.0, 2.0))
    assert body.collider.physics_material.static_friction == pytest.approx(0.25)
    joint = bpy.data.objects["Constraint Joint"]
    settings = settings_from_block(joint.omi_physics_joint.settings)
    assert axis_range(settings, Freedom.LINEAR, 0) == (0.0, 0.0)
    assert axis_range(settings, Freedom.ANGULAR, 0) == (-inf, inf)
    assert "error" not in issues().values()
    assert second.rigid_body is not None, "Blender's own settings stay"


def test_constraint_of_one_object_is_named() -> None:
    """A constraint that joins only one object is a sentence, and the bodies are still taken."""
    first, second, holder = constrained("FIXED")
    holder.rigid_body_constraint.object2 = None
    select(first, second, holder)
    assert bpy.ops.omi_joint.from_rigid_body() == {"FINISHED"}
    assert not any(obj.omi_physics_joint.is_joint for obj in bpy.data.objects)


def test_nothing_to_take_over() -> None:
    """Plain objects are refused with a sentence."""
    select(box("Plain"))
    assert bpy.ops.omi_joint.from_rigid_body() == {"CANCELLED"}


MOVING = [
    ("HINGE", "ang_z", ()),
    ("SLIDER", "lin_x", ()),
    ("PISTON", "ang_x", ("lin_x",)),
    ("GENERIC", "ang_y", ("lin_x", "lin_y", "lin_z", "ang_x", "ang_z")),
    ("GENERIC", "lin_z", ("lin_x", "lin_y", "ang_x", "ang_y", "ang_z")),
]


@pytest.mark.parametrize("moving", ["First", "Second"])
@pytest.mark.parametrize(("kind", "part", "held"), MOVING)
def test_joint_goes_under_the_dynamic_body(
    kind: str, part: str, held: tuple[str, ...], moving: str
) -> None:
    """Whichever side is dynamic holds the joint, and Bullet moves it into the joint's bounds."""
    first, second, holder = constrained(kind)
    if moving == "First":
        first.rigid_body.type, second.rigid_body.type = "ACTIVE", "PASSIVE"
    for other in held:
        bound(holder.rigid_body_constraint, other, 0.0, 0.0)
    bound(holder.rigid_body_constraint, part)
    taken = take_over([first, second, holder])
    assert (taken.bodies, taken.joints, taken.sentences) == (2, 1, [])
    joint = joints()[0]
    assert joint.parent.name == moving
    partner = separated(joint)
    settings = settings_from_block(joint.omi_physics_joint.settings)
    freedom = Freedom.LINEAR if part.startswith("lin") else Freedom.ANGULAR
    axis = "xyz".index(part[-1])
    low, high = axis_range(settings, freedom, axis)
    assert high - low == pytest.approx(0.4, abs=1e-5)
    pose = settled(joint, partner)
    value = pose.translation[axis] if freedom is Freedom.LINEAR else pose.to_euler()[axis]
    assert low - 0.05 <= value <= high + 0.05


@pytest.mark.parametrize(
    ("kind", "holder_name"), [("POINT", "Second"), ("FIXED", "Second"), ("GENERIC", "Second")]
)
def test_free_and_locked_joints_change_sides(kind: str, holder_name: str) -> None:
    """What is entirely free or held is the same from either side, so the dynamic body holds it."""
    first, second, holder = constrained(kind)
    taken = take_over([first, second, holder])
    assert taken.sentences == []
    assert joints()[0].parent.name == holder_name
    assert "error" not in issues().values()


def test_joint_of_several_axes_stays_and_says_so() -> None:
    """Bounds on several axes mean something else from the other side: the first object holds."""
    first, second, holder = constrained("GENERIC")
    bound(holder.rigid_body_constraint, "ang_x")
    taken = take_over([first, second, holder])
    assert joints()[0].parent == first
    assert [text for text in taken.sentences if "several axes" in text]


def test_springs_change_sides() -> None:
    """A spring along one axis pulls to the same place from the other side."""
    first, second, holder = constrained("GENERIC_SPRING")
    constraint = holder.rigid_body_constraint
    for part in ("lin_y", "lin_z", "ang_x", "ang_y", "ang_z"):
        bound(constraint, part, 0.0, 0.0)
    constraint.use_spring_x, constraint.spring_stiffness_x = True, 12.0
    take_over([first, second, holder])
    joint = joints()[0]
    assert joint.parent == second
    assert joint.omi_physics_joint.connected_body == first
    drive = settings_from_block(joint.omi_physics_joint.settings).drives[0]
    assert (drive.position_target, drive.stiffness) == (0.0, 12.0)


@pytest.mark.parametrize("ends", [("ang_z",), ("ang_x", "ang_y", "ang_z")])
def test_bounds_change_sides(ends: tuple[str, ...]) -> None:
    """What only turns has the opposite angles from the other side, about each axis."""
    first, second, holder = constrained("GENERIC")
    constraint = holder.rigid_body_constraint
    for part in ("lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"):
        bound(constraint, part, 0.0, 0.0)
    for part in ends:
        bound(constraint, part, -0.25, 1.0)
    asked = settings_from_constraint(constraint, "Joint")
    taken = take_over([first, second, holder])
    (joint,) = joints()
    assert (joint.parent, taken.sentences) == (second, [])
    settings = settings_from_block(joint.omi_physics_joint.settings)
    for axis, part in enumerate(("ang_x", "ang_y", "ang_z")):
        low, high = axis_range(asked, Freedom.ANGULAR, axis)
        assert (low < high) is (part in ends)
        assert axis_range(settings, Freedom.ANGULAR, axis) == pytest.approx((-high, -low))


@pytest.mark.parametrize("part", ["lin", "ang"])
def test_motors_run_the_way_that_bullet_runs_them(part: str) -> None:
    """The speed that Bullet gives a motor has the sign of our target."""
    first, second, holder = constrained("MOTOR")
    constraint = holder.rigid_body_constraint
    setattr(constraint, f"use_motor_{part}", True)
    setattr(constraint, f"motor_{part}_target_velocity", 1.0)
    setattr(constraint, f"motor_{part}_max_impulse", 100.0)
    drive = settings_from_constraint(constraint, "Joint").drives[0]
    pose = settled(first, second)
    value = pose.translation.x if part == "lin" else pose.to_euler().x
    assert abs(value) > 0.2
    assert (value > 0.0) == (drive.velocity_target > 0.0)


def test_pressing_twice_makes_no_joint_twice() -> None:
    """A constraint whose joint is there already is passed over with a sentence."""
    first, second, holder = constrained("HINGE")
    select(first, second, holder)
    assert bpy.ops.omi_joint.from_rigid_body() == {"FINISHED"}
    assert bpy.ops.omi_joint.from_rigid_body() == {"FINISHED"}
    assert len(joints()) == 1
    select(holder)
    assert bpy.ops.omi_joint.from_rigid_body() == {"CANCELLED"}
    taken = take_over([holder])
    assert (taken.bodies, taken.joints) == (0, 0)
    assert "already" in taken.sentences[0]


def test_second_constraint_elsewhere_is_taken() -> None:
    """A constraint of the same two bodies at another place becomes a joint of its own."""
    first, second, holder = constrained("POINT")
    take_over([first, second, holder])
    other = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(other)
    select(other)
    bpy.ops.rigidbody.constraint_add(type="POINT")
    constraint = other.rigid_body_constraint
    constraint.object1, constraint.object2 = second, first
    other.location.x = 1.0
    assert bpy.ops.omi_joint.from_rigid_body() == {"FINISHED"}
    assert take_over([other, holder]).joints == 0
    assert len(joints()) == 2


def test_hinge_and_its_motor_at_one_place() -> None:
    """Two constraints at one place, as Blender needs them for a driven hinge, become two joints."""
    first, second, hinge = constrained("HINGE")
    motor = hinge.copy()
    bpy.context.scene.collection.objects.link(motor)
    select(motor)
    if motor.rigid_body_constraint is None:
        bpy.ops.rigidbody.constraint_add(type="MOTOR")
    constraint = motor.rigid_body_constraint
    constraint.type, constraint.use_motor_ang = "MOTOR", True
    constraint.object1, constraint.object2 = first, second
    for _ in range(2):
        take_over([hinge, motor])
        assert len(joints()) == 2


def test_constraint_alone_brings_its_bodies() -> None:
    """With only the constraint selected its two objects are taken over as well."""
    first, second, holder = constrained("HINGE")
    select(holder)
    assert bpy.ops.omi_joint.from_rigid_body() == {"FINISHED"}
    assert first.omi_physics_body.is_body
    assert second.omi_physics_body.is_body
    assert len(joints()) == 1


@pytest.mark.parametrize("is_body", [True, False])
def test_constraint_alone_leaves_physics_of_ours(is_body: bool) -> None:
    """What is not selected and has physics of ours keeps it, be that a collider alone."""
    first, _, holder = constrained("HINGE")
    ours = first.omi_physics_body
    ours.is_body, ours.use_collider, ours.mass = is_body, True, 42.0
    ours.collider.shape.type = "capsule"
    take_over([holder])
    assert (ours.is_body, ours.mass, ours.collider.shape.type) == (is_body, 42.0, "capsule")
    assert len(joints()) == is_body


@pytest.mark.parametrize("chosen", ["Whole", "Part 1"])
def test_parts_of_a_compound_become_colliders(chosen: str) -> None:
    """Children of a compound body are solid parts of it, not bodies, whichever is selected."""
    whole = rigid(box("Whole"))
    parts = [rigid(box(f"Part {index}", (3.0 * index, 0.0, 0.0))) for index in (1, 2)]
    for part in parts:
        part.parent = whole
        part.rigid_body.collision_shape = "BOX"
        part.rigid_body.friction = 0.125
    whole.rigid_body.collision_shape = "COMPOUND"
    taken = take_over([bpy.data.objects[chosen]])
    assert (taken.bodies, taken.parts) == (1, 2)
    assert whole.omi_physics_body.is_body
    assert whole.omi_physics_body.collider.shape.type == "none"
    for part in parts:
        body = part.omi_physics_body
        assert (body.is_body, body.use_collider) == (False, True)
        assert body.collider.shape.type == "box"
        assert body.collider.physics_material.static_friction == 0.125
    assert "error" not in issues().values()


@pytest.mark.parametrize("kind", ["HINGE", "SLIDER", "PISTON", *GENERIC])
@pytest.mark.parametrize("ends", [(-0.25, 0.5), (0.5, -0.25), (0.5, 0.5)])
def test_a_range_that_is_upside_down_is_none(kind: str, ends: tuple[float, float]) -> None:
    """Of every axis that a constraint can bound; one value is a lock there."""
    constraint = constrained(kind)[2].rigid_body_constraint
    free_linear, free_angular = FREE_AXES.get(kind, ((0, 1, 2), (0, 1, 2)))
    bounded = 0
    for freedom, part, free in (
        (Freedom.LINEAR, "lin", free_linear),
        (Freedom.ANGULAR, "ang", free_angular),
    ):
        for axis in free:
            name = f"{part}_{'xyz'[axis]}"
            setattr(constraint, f"use_limit_{name}", True)
            for end, value in zip(("lower", "upper"), ends, strict=True):
                setattr(constraint, f"limit_{name}_{end}", value)
            settings = settings_from_constraint(constraint, "Joint")
            assert all(limit.min <= limit.max for limit in settings.limits)
            low, high = axis_range(settings, freedom, axis)
            assert (high - low) == (inf if ends[0] > ends[1] else ends[1] - ends[0])
            bounded += 1
    assert bounded
