# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies, materials, filters and shapes as JSON. Source: OMI_physics_body, OMI_physics_shape."""

from __future__ import annotations

from collections.abc import Mapping

from ..model.body import CollisionFilter, Motion, MotionType, PhysicsMaterial
from ..model.shape import Box, Capsule, Convex, Shape, Sphere, Trimesh, type_of
from ..model.target import Target
from .json_text import Json, JsonObject, members_of, merged
from .numbers import magnitude, number, numbers

MOTION = Motion(MotionType.STATIC)
MATERIAL = PhysicsMaterial()
"""Hold the defaults of the specification, which are not written."""


def spell_motion(motion: Motion) -> JsonObject:
    """Return the motion of a body."""
    members: JsonObject = {"type": motion.type.value}
    if motion.mass != MOTION.mass:
        members["mass"] = number(motion.mass)
    vectors = (
        ("centerOfMass", motion.center_of_mass, MOTION.center_of_mass),
        ("inertiaDiagonal", motion.inertia_diagonal, MOTION.inertia_diagonal),
        ("inertiaOrientation", motion.inertia_orientation, MOTION.inertia_orientation),
        ("linearVelocity", motion.linear_velocity, MOTION.linear_velocity),
        ("angularVelocity", motion.angular_velocity, MOTION.angular_velocity),
    )
    for key, value, default in vectors:
        if value != default:
            members[key] = numbers(value)
    if motion.gravity_factor != MOTION.gravity_factor:
        members["gravityFactor"] = number(motion.gravity_factor)
    return merged(members, motion.unknown)


def spell_physics_material(material: PhysicsMaterial) -> JsonObject:
    """Return a physics material, without its name."""
    members: JsonObject = {}
    values = (
        ("staticFriction", material.static_friction, MATERIAL.static_friction),
        ("dynamicFriction", material.dynamic_friction, MATERIAL.dynamic_friction),
        ("restitution", material.restitution, MATERIAL.restitution),
    )
    for key, value, default in values:
        if value != default:
            members[key] = magnitude(value)
    if material.friction_combine != MATERIAL.friction_combine:
        members["frictionCombine"] = material.friction_combine.value
    if material.restitution_combine != MATERIAL.restitution_combine:
        members["restitutionCombine"] = material.restitution_combine.value
    return merged(members, material.unknown)


def spell_collision_filter(collision_filter: CollisionFilter) -> JsonObject:
    """Return a collision filter, without its name; of two lists that exclude each other, one."""
    members: JsonObject = {}
    if collision_filter.collision_systems:
        members["collisionSystems"] = list(collision_filter.collision_systems)
    if collision_filter.collide_with_systems:
        members["collideWithSystems"] = list(collision_filter.collide_with_systems)
    elif collision_filter.not_collide_with_systems:
        members["notCollideWithSystems"] = list(collision_filter.not_collide_with_systems)
    return merged(members, collision_filter.unknown)


def spell_shape(
    shape: Shape, mesh_index: Mapping[int, int], target: Target = Target.SPECIFIED
) -> JsonObject | None:
    """Return a shape, without its name; None where its mesh is not in the file.

    All parameters are written, defaults too: Blender's exporter drops empty objects, and a shape
    whose block is gone is refused by most readers. Godot reads one ``radius`` of capsules and
    cylinders, and takes the height of a capsule with both of its ends.
    """
    block: JsonObject
    if isinstance(shape, Box):
        block = {"size": numbers(shape.size)}
    elif isinstance(shape, Sphere):
        block = {"radius": number(shape.radius)}
    elif isinstance(shape, Convex | Trimesh):
        if shape.mesh not in mesh_index:
            return None
        block = {"mesh": mesh_index[shape.mesh]}
    else:
        block = {
            "height": number(shape.height),
            "radiusBottom": number(shape.radius_bottom),
            "radiusTop": number(shape.radius_top),
        }
        if target is Target.GODOT:
            ends = shape.radius_bottom + shape.radius_top
            block["radius"] = number(ends / 2.0)
            if isinstance(shape, Capsule):
                block["height"] = number(shape.height + ends)
    kind = type_of(shape)
    inner: Json = members_of(shape.unknown).get(kind)
    if isinstance(inner, dict):
        block = {**inner, **block}
    return merged({"type": kind, kind: block}, shape.unknown)
