# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes over Blender's own rigid bodies and rigid body constraints.

Blender measures the angles of HINGE, GENERIC and GENERIC_SPRING constraints from the second
object to the first, against the specification: their bounds are negated and swapped on the way.
Distances, and both of PISTON, agree with it (all measured).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, radians

import bpy
from mathutils import Matrix, Vector

from ..model.canonical import on_axes
from ..model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from .authoring import add_frame, body_of
from .bridge.write import new_settings

REVERSED_ANGLES = frozenset({"HINGE", "GENERIC", "GENERIC_SPRING"})
SHAPES = {
    "BOX": "box",
    "SPHERE": "sphere",
    "CAPSULE": "capsule",
    "CYLINDER": "cylinder",
    "CONE": "cylinder",
    "CONVEX_HULL": "convex",
    "MESH": "trimesh",
    "COMPOUND": "none",
}


FREE_AXES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "FIXED": ((), ()),
    "POINT": ((), AXES),
    "HINGE": ((), (2,)),
    "SLIDER": ((0,), ()),
    "PISTON": ((0,), (0,)),
}
"""The linear and angular axes that a kind of constraint does not simply hold."""


def take_over(objects: Sequence[bpy.types.Object]) -> tuple[int, int, list[str]]:
    """Take over rigid bodies and constraints of objects; Blender's own stay as they are.

    Returns:
        How many bodies and joints there are now, and one sentence for each that could not be.
    """
    bodies = [obj for obj in objects if obj.rigid_body is not None]
    for obj in bodies:
        _take_body(obj)
    refused: list[str] = []
    joints = 0
    for obj in objects:
        if obj.rigid_body_constraint is not None:
            reason = _take_constraint(obj)
            joints += not reason
            refused += [reason] if reason else []
    return len(bodies), joints, refused


def _take_body(obj: bpy.types.Object) -> None:
    """Copy the rigid body of one object; shapes get the size of its mesh without its scale."""
    rigid, body = obj.rigid_body, obj.omi_physics_body
    body.is_body = True
    if rigid.type == "PASSIVE":
        body.type = "kinematic" if rigid.kinematic else "static"
    else:
        body.type = "kinematic" if rigid.kinematic or not rigid.enabled else "dynamic"
    body.mass = rigid.mass
    body.use_collider = True
    collider = body.collider
    collider.use_physics_material = True
    material = collider.physics_material
    material.static_friction = material.dynamic_friction = rigid.friction
    material.restitution = rigid.restitution
    shape = collider.shape
    shape.type = SHAPES[rigid.collision_shape]
    corners = [Vector(corner) for corner in obj.bound_box]
    size = Vector([max(c[i] for c in corners) - min(c[i] for c in corners) for i in AXES])
    radius = 0.5 * max(size.x, size.y)
    shape.size = size
    shape.radius = 0.5 * max(size)
    shape.radius_bottom = radius
    shape.radius_top = 0.0 if rigid.collision_shape == "CONE" else radius
    is_capsule = rigid.collision_shape == "CAPSULE"
    shape.height = max(0.0, size.z - 2.0 * radius) if is_capsule else size.z


def _take_constraint(obj: bpy.types.Object) -> str:
    """Make a joint of one constraint; return why not, or nothing."""
    constraint = obj.rigid_body_constraint
    first, second = constraint.object1, constraint.object2
    if first is None or second is None:
        return f"{obj.name}: its constraint joins only one object; a joint needs two bodies."
    holder, other = body_of(first), body_of(second)
    if holder is None or other is None or holder == other:
        return f"{obj.name}: {first.name} and {second.name} are not two bodies yet."
    frame = Matrix.LocRotScale(*obj.matrix_world.decompose()[:2], None)
    size = max(0.05, obj.empty_display_size)
    joint = add_frame(f"{obj.name} Joint", holder, frame, "ARROWS", size)
    partner = add_frame(f"{obj.name} Joint Partner", other, frame, "PLAIN_AXES", 0.5 * size)
    data = joint.omi_physics_joint
    data.is_joint = True
    data.connected_node = partner
    data.enable_collision = not constraint.disable_collisions
    data.settings = new_settings(settings_from_constraint(constraint, obj.name))
    return ""


def settings_from_constraint(constraint: bpy.types.RigidBodyConstraint, name: str) -> JointSettings:
    """Return the settings of a constraint, in Blender's axes."""
    limits: list[Limit] = []
    for freedom in Freedom:
        for axis in AXES:
            bounds = _bounds(constraint, freedom, axis)
            if bounds is not None:
                limit = Limit(min=bounds[0], max=bounds[1])
                limits.append(on_axes(limit, freedom, (axis,)))
    return JointSettings(name, tuple(limits), tuple(_drives(constraint)))


def _bounds(
    constraint: bpy.types.RigidBodyConstraint, freedom: Freedom, axis: int
) -> tuple[float, float] | None:
    """Return the bounds of one axis; None is free."""
    linear = freedom is Freedom.LINEAR
    kind = constraint.type
    free_linear, free_angular = FREE_AXES.get(kind, (AXES, AXES))
    if axis not in (free_linear if linear else free_angular):
        return (0.0, 0.0)
    if kind in {"POINT", "MOTOR"}:
        return None
    part = f"{'lin' if linear else 'ang'}_{'xyz'[axis]}"
    if not getattr(constraint, f"use_limit_{part}"):
        return None
    low = getattr(constraint, f"limit_{part}_lower")
    high = getattr(constraint, f"limit_{part}_upper")
    if low > high:
        return None  # Bullet takes an upside-down range for a free axis
    if not linear and kind in REVERSED_ANGLES:
        low, high = -high, -low
    return (low + 0.0, high + 0.0)


def _drives(constraint: bpy.types.RigidBodyConstraint) -> Iterator[Drive]:
    """Yield the springs and motors of a constraint."""
    if constraint.type == "GENERIC_SPRING":
        for freedom, prefix in ((Freedom.LINEAR, ""), (Freedom.ANGULAR, "ang_")):
            for axis in AXES:
                letter = "xyz"[axis]
                if getattr(constraint, f"use_spring_{prefix}{letter}"):
                    yield Drive(
                        freedom,
                        DriveMode.FORCE,
                        axis,
                        position_target=0.0,
                        stiffness=getattr(constraint, f"spring_stiffness_{prefix}{letter}"),
                        damping=getattr(constraint, f"spring_damping_{prefix}{letter}"),
                    )
    if constraint.type == "MOTOR":
        for freedom, prefix in ((Freedom.LINEAR, "lin"), (Freedom.ANGULAR, "ang")):
            if getattr(constraint, f"use_motor_{prefix}"):
                yield _motor(constraint, freedom, prefix)


def _motor(constraint: bpy.types.RigidBodyConstraint, freedom: Freedom, prefix: str) -> Drive:
    """Return a motor along or about X: as strong as its largest impulse in one step of 1/60 s."""
    speed = getattr(constraint, f"motor_{prefix}_target_velocity")
    impulse = getattr(constraint, f"motor_{prefix}_max_impulse")
    return Drive(
        freedom,
        DriveMode.FORCE,
        0,
        max_force=impulse * 60.0 if impulse < inf else inf,
        velocity_target=speed,
        damping=impulse * 60.0 / max(abs(speed), radians(1.0)),
    )
