# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of properties as values of the model, in Blender's axes.

Blender keeps single precision, the model double: numbers are read as the artist typed them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np
from bpy.types import bpy_prop_collection
from numpy.typing import DTypeLike, NDArray

from ...gltf.document.numbers import endless
from ...model.body import CollisionFilter, Combine, Motion, MotionType, PhysicsMaterial
from ...model.joint import Breaking
from ...model.shape import SHAPE_TYPES, SIZES, Box, Plane, Shape
from ..data.body import (
    OMI_JOINT_PG_body,
    OMI_JOINT_PG_collision_filter,
    OMI_JOINT_PG_physics_material,
    OMI_JOINT_PG_shape,
)
from ..data.joint import OMI_JOINT_PG_breaking


@lru_cache(maxsize=4096)  # most values are zero, one, or the same in a whole scene
def typed(value: float) -> float:
    """Return the shortest decimal that Blender would store as this value: 0.3, not 0.30000001."""
    return float(str(np.float32(value)))


def typed_vector(values: Iterable[float]) -> tuple[float, float, float]:
    """Return three numbers as they were typed."""
    x, y, z = map(typed, values)
    return (x, y, z)


def motion_from(body: OMI_JOINT_PG_body) -> Motion:
    """Return the motion of a body in Blender's axes; imported numbers may be too large for it."""
    w, x, y, z = map(typed, body.inertia_orientation)
    moments = zip(typed_vector(body.inertia_diagonal), body.infinite_inertia, strict=True)
    first, second, third = (inf if infinite else endless(part) for part, infinite in moments)
    return Motion(
        type=MotionType(body.type),
        mass=inf if body.infinite_mass else endless(typed(body.mass)),
        center_of_mass=None if body.computed_center else typed_vector(body.center_of_mass),
        inertia_diagonal=(first, second, third),
        inertia_orientation=(x, y, z, w),
        linear_velocity=typed_vector(body.linear_velocity),
        angular_velocity=typed_vector(body.angular_velocity),
        gravity_factor=typed(body.gravity_factor),
        starts_asleep=body.starts_asleep,
        unknown=body.motion_unknown,
    )


def primitive_from(group: OMI_JOINT_PG_shape) -> Shape:
    """Return a box, sphere, plane, capsule or cylinder in Blender's axes."""
    if group.type == "box":
        return Box(typed_vector(group.size), group.label, group.unknown)
    if group.type == "plane":
        sides = zip(typed_vector(group.size), group.use_size, strict=False)
        x, y = (size if ends else inf for size, ends in sides)
        return Plane(x, y, group.double_sided, group.label, group.unknown)
    sizes = [typed(getattr(group, name)) for name in SIZES[SHAPE_TYPES[group.type]]]
    kind: Callable[..., Shape] = SHAPE_TYPES[group.type]
    return kind(*sizes, group.label, group.unknown)


def material_from(group: OMI_JOINT_PG_physics_material) -> PhysicsMaterial:
    """Return a physics material."""
    return PhysicsMaterial(
        name=group.label,
        static_friction=typed(group.static_friction),
        dynamic_friction=typed(group.dynamic_friction),
        restitution=typed(group.restitution),
        friction_combine=Combine(group.friction_combine),
        restitution_combine=Combine(group.restitution_combine),
        unknown=group.unknown,
    )


def filter_from(group: OMI_JOINT_PG_collision_filter) -> CollisionFilter:
    """Return a collision filter."""
    others = names_from(group.others) or None  # an empty list says nothing
    return CollisionFilter(
        name=group.label,
        collision_systems=names_from(group.collision_systems),
        collide_with_systems=others if group.mode == "only" else None,
        not_collide_with_systems=others if group.mode == "not" else None,
        unknown=group.unknown,
    )


def breaking_from(group: OMI_JOINT_PG_breaking) -> Breaking | None:
    """Return what a joint bears, single precision as it was typed."""
    if not group.use_breaking:
        return None
    force = typed(group.force) if group.use_force else inf
    return Breaking(force, typed(group.torque) if group.use_torque else inf)


def names_from(text: str) -> tuple[str, ...]:
    """Return the names in a text that separates them by commas.

    After a backslash a comma, a space or another backslash is a part of the name.
    """
    names: list[list[str]] = [[]]
    for token in re.findall(r"\\[\\,\s]|.", text, re.DOTALL):
        if token == ",":
            names.append([])
        else:
            names[-1].append(token)
    return tuple(name for tokens in names if (name := _name_of(tokens)))


def _name_of(tokens: list[str]) -> str:
    """Return a name without the spaces around it, but for those that a backslash keeps."""
    solid = [index for index, token in enumerate(tokens) if not token.isspace()]
    return "".join(token[-1] for token in tokens[solid[0] : solid[-1] + 1]) if solid else ""


def rows_in(
    items: bpy_prop_collection[Any], field: str, width: int, kind: DTypeLike = np.float32
) -> NDArray[Any]:
    """Return a field of all items of a collection as rows of numbers, of Blender's own kind."""
    rows = np.empty((len(items), width), kind)
    items.foreach_get(field, rows.ravel())
    return rows
