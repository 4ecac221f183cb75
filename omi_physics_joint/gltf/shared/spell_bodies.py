# SPDX-License-Identifier: GPL-3.0-or-later
"""What all dialects say of bodies and their shapes alike, as JSON.

Source: OMI_physics_body, OMI_physics_shape, KHR_physics_rigid_bodies, KHR_implicit_shapes.
"""

from __future__ import annotations

from ...model.body import IDENTITY_QUATERNION, ZERO, Motion
from ...model.shape import Box, Capsule, Cylinder, Shape, Sphere, type_of
from ..document.json_text import JsonObject, members_of, merged
from ..document.numbers import number, numbers
from .kept import kept_for


def spell_motion_of(motion: Motion, own: JsonObject, dialect: str) -> JsonObject:
    """Return a motion of which a dialect has spelled type, mass and moments as its own."""
    vectors = (
        ("inertiaOrientation", motion.inertia_orientation, IDENTITY_QUATERNION),
        ("linearVelocity", motion.linear_velocity, ZERO),
        ("angularVelocity", motion.angular_velocity, ZERO),
    )
    members = own | {key: numbers(value) for key, value, usual in vectors if value != usual}
    if motion.gravity_factor != 1.0:
        members["gravityFactor"] = number(motion.gravity_factor)
    return merged(members, kept_for(dialect, motion.unknown))


def sizes_of(shape: Box | Sphere | Capsule | Cylinder) -> JsonObject:
    """Return the block of a shape.

    All parameters are written, defaults too: Blender's exporter drops empty objects, and a shape
    whose block is gone is refused by most readers.
    """
    if isinstance(shape, Box):
        return {"size": numbers(shape.size)}
    if isinstance(shape, Sphere):
        return {"radius": number(shape.radius)}
    return {
        "height": number(shape.height),
        "radiusBottom": number(shape.radius_bottom),
        "radiusTop": number(shape.radius_top),
    }


def spell_shape_of(shape: Shape, block: JsonObject, dialect: str) -> JsonObject:
    """Return a shape by its block, without its name, with what the dialect keeps of both."""
    kind, unknown = type_of(shape), kept_for(dialect, shape.unknown)
    inner = members_of(unknown).get(kind)
    if isinstance(inner, dict):
        block = {**inner, **block}
    return merged({"type": kind, kind: block}, unknown)
