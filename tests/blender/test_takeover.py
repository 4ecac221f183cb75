# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own rigid bodies and constraints become ours, with the signs that Bullet really has."""

from __future__ import annotations

from math import inf

import bpy
import pytest
from mathutils import Matrix
from scenes import box, issues, select

from omi_physics_joint.blender.bridge.read_settings import settings_from_tree
from omi_physics_joint.blender.takeover import settings_from_constraint
from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.model.ranges import axis_range


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


def settled(first: bpy.types.Object, second: bpy.types.Object) -> Matrix:
    """Simulate half a second and return the pose of the second body seen from the first."""
    scene = bpy.context.scene
    for frame in range(1, 31):
        scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    a, b = first.evaluated_get(graph), second.evaluated_get(graph)
    return a.matrix_world.inverted() @ b.matrix_world


@pytest.mark.parametrize(
    ("kind", "axis"),
    [("HINGE", 2), ("GENERIC", 0), ("GENERIC", 1), ("GENERIC", 2), ("PISTON", 0)],
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
    settings = settings_from_tree(joint.omi_physics_joint.settings)
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
