# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies, shapes and joint settings as JSON that every reader understands.

OMI_physics_joint and KHR_physics_rigid_bodies spell them alike, but for limits over several axes.
"""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from typing import Any

from ...model.body import IDENTITY_QUATERNION, ZERO, Motion
from ...model.joint import Drive, JointSettings, Limit
from ...model.settings.canonical import canonical
from ...model.settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Below, Field
from ...model.shape import Box, Capsule, Cylinder, Shape, Sphere, type_of
from ..animated.keyed import spell_keys
from ..document.json_text import Json, JsonObject, members_of, merged
from ..document.numbers import infinite_if_negative, magnitude, number, numbers
from .kept import kept_for

PARTNERS = {"stiffness": "position_target", "damping": "velocity_target"}
"""Strength -> the target without which it is not written."""


def spell_settings(settings: JointSettings, dialect: str = "") -> JsonObject:
    """Return one item of ``physicsJoints``, without its name.

    Limits that cannot be meant (a minimum above the maximum) are left out: Godot reads them as
    free, others refuse the file.
    """
    limits = tuple(_plain(limit, dialect) for limit in settings.limits if limit.min <= limit.max)
    sound = canonical(replace(settings, limits=limits))
    members: JsonObject = {}
    if sound.limits:
        members["limits"] = [spell_limit(limit) for limit in sound.limits]
    drives: list[Json] = [
        spell_drive(replace(drive, unknown=kept_for(dialect, drive.unknown)))
        for drive in sound.drives
    ]
    drives += [foreign for text in sound.foreign_drives if (foreign := members_of(text))]
    if drives:
        members["drives"] = drives
    return merged(members, kept_for(dialect, settings.unknown))


def _plain(limit: Limit, dialect: str) -> Limit:
    """Return a limit in the values that its spelling stands for, so that equals group."""
    numbers: dict[str, Any] = {
        field.name: _meant(field, getattr(limit, field.name)) for field in LIMIT_FIELDS
    }
    return replace(limit, **numbers, unknown=kept_for(dialect, limit.unknown))


def spell_limit(limit: Limit) -> JsonObject:
    """Return one limit, whatever of it the dialect means together."""
    members: JsonObject = {}
    if limit.linear_axes:
        members["linearAxes"] = list(limit.linear_axes)
    if limit.angular_axes:
        members["angularAxes"] = list(limit.angular_axes)
    for field in LIMIT_FIELDS:
        value = getattr(limit, field.name)
        if value != field.default or any(keys.field == field.name for keys in limit.keys):
            members[field.key] = number(value)
    return merged({**members, **spell_keys(limit.keys, LIMIT_FIELDS)}, limit.unknown)


def spell_drive(drive: Drive) -> JsonObject:
    """Return one drive; a target and its strength go together, as KHR's schema wants them."""
    members: JsonObject = {"type": drive.type.value, "mode": drive.mode.value, "axis": drive.axis}
    values = {field.name: _meant(field, getattr(drive, field.name)) for field in DRIVE_FIELDS}
    for field in DRIVE_FIELDS:
        value, partner = values[field.name], PARTNERS.get(field.name)
        goes_along = partner is not None and values[partner] is not None
        goes_along = goes_along or any(keys.field == field.name for keys in drive.keys)
        if value is not None and (value != field.default or goes_along):
            members[field.key] = number(value)
    return merged({**members, **spell_keys(drive.keys, DRIVE_FIELDS)}, drive.unknown)


def _meant(field: Field, value: float | None) -> float | None:
    """Return a value as its spelling is read: no NaN, nothing negative where that is wrong."""
    if value is None or isnan(value):
        return field.default
    if field.below is Below.INFINITE:
        return infinite_if_negative(value)
    return magnitude(value) if field.below is Below.WRONG else value


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
