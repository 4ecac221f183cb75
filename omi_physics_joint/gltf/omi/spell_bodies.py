# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies and shapes as JSON. Source: OMI_physics_body, OMI_physics_shape."""

from __future__ import annotations

from collections.abc import Mapping

from ...model.body import ZERO, Motion, MotionType
from ...model.shape import Box, MeshShape, Plane, Shape, Sphere, slab, type_of
from ..document.json_text import Json, JsonObject, members_of, merged
from ..document.numbers import number, numbers
from ..shared.kept import kept_for
from .names import BODY, SHAPE

MOTION = Motion(MotionType.STATIC)
"""Holds the defaults of the specification, which are not written."""


def spell_motion(motion: Motion) -> JsonObject:
    """Return the motion of a body."""
    members: JsonObject = {"type": motion.type.value}
    if motion.mass != MOTION.mass:
        members["mass"] = number(motion.mass)
    vectors = (
        ("centerOfMass", motion.center, ZERO),
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
    return merged(members, kept_for(BODY, motion.unknown))


def spell_shape(shape: Shape, mesh_index: Mapping[int, int]) -> JsonObject | None:
    """Return a shape, without its name; None where its mesh is not in the file.

    All parameters are written, defaults too: Blender's exporter drops empty objects, and a shape
    whose block is gone is refused by most readers.
    """
    block: JsonObject
    if isinstance(shape, Plane):
        shape = slab(shape)
    if isinstance(shape, Box):
        block = {"size": numbers(shape.size)}
    elif isinstance(shape, Sphere):
        block = {"radius": number(shape.radius)}
    elif isinstance(shape, MeshShape):
        if shape.mesh not in mesh_index:
            return None
        block = {"mesh": mesh_index[shape.mesh]}
    else:
        block = {
            "height": number(shape.height),
            "radiusBottom": number(shape.radius_bottom),
            "radiusTop": number(shape.radius_top),
        }
    kind = type_of(shape)
    unknown = kept_for(SHAPE, shape.unknown)
    inner: Json = members_of(unknown).get(kind)
    if isinstance(inner, dict):
        block = {**inner, **block}
    return merged({"type": kind, kind: block}, unknown)
