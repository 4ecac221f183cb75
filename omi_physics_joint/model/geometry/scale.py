# SPDX-License-Identifier: GPL-3.0-or-later
"""How large things are: shapes in scaled nodes, and a mechanism in another unit of length.

The sizes of a shape are in the space of its node, whose scale counts, as in
KHR_physics_rigid_bodies: but for its signs, and without making anything oval. A length takes the
scale of its axis; a radius the largest across it, as UsdPhysics has it.

Blender's importer multiplies positions by the scene's units per metre; what a joint says of
lengths goes with them. Masses, stiffnesses and angles stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from ..body import Motion, Vector3
from ..joint import Drive, Freedom, JointSettings, Limit, on_axes
from ..keys import mapped
from ..mechanism import Mechanism
from ..settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Field
from ..shape import SIZES, Box, Capsule, Cylinder, Shape, Sphere
from .transform import Matrix, compose, multiply, times

Part = TypeVar("Part", Limit, Drive)
NEAR = 1e-5
"""Of a scale, which does not count: single precision leaves less."""
EVEN = 1e-4
"""Part by which scales may differ and count as one."""


def scale_of(world: Matrix) -> Vector3:
    """Return how long the axes of a pose are."""
    (a, b, c, _), (d, e, f, _), (g, h, i, _), _ = world
    x, y, z = a * a + d * d + g * g, b * b + e * e + h * h, c * c + f * f + i * i
    return (x**0.5, y**0.5, z**0.5)


def standing(shape: Shape, world: Matrix, up: int = 1) -> Shape:
    """Return a shape as large as it stands in the rigid frame of its node, by the node's pose.

    Meshes are as they are; whose points they are is scaled. What is upright is along ``up``.
    """
    scale = scale_of(world)
    return shape if max(abs(x - 1.0) for x in scale) <= NEAR else stretched(shape, scale, up)


def stretched(shape: Shape, scale: Vector3, up: int = 1) -> Shape:
    """Return a shape by how much longer it gets along each axis, no factor below zero."""
    if isinstance(shape, Box):
        x, y, z = (size * factor for size, factor in zip(shape.size, scale, strict=True))
        return replace(shape, size=(x, y, z))
    first, second = _across(scale, up)
    factors = {"height": scale[up], "size_x": first, "size_z": second, "radius": max(scale)}
    wide = max(first, second)
    sizes: dict[str, Any] = {
        name: getattr(shape, name) * factors.get(name, wide) for name in SIZES[type(shape)]
    }
    return replace(shape, **sizes)


def is_uneven(shape: Shape, scale: Vector3) -> bool:
    """Return whether a shape has one radius for scales that differ."""
    if not isinstance(shape, Sphere | Capsule | Cylinder):
        return False
    several = scale if isinstance(shape, Sphere) else _across(scale, 1)
    return max(several) - min(several) > EVEN * max(several)


def _across(scale: Vector3, up: int) -> tuple[float, float]:
    """Return the scales along the two axes that lie level."""
    return scale[0], scale[3 - up]


def in_unit(mechanism: Mechanism, unit: float) -> Mechanism:
    """Return a mechanism with all lengths but the poses of nodes in units, so many a metre."""
    if unit == 1.0:
        return mechanism
    return replace(
        mechanism,
        nodes=tuple(
            node if node.motion is None else replace(node, motion=_motion(node.motion, unit))
            for node in mechanism.nodes
        ),
        settings=tuple(_settings(settings, unit) for settings in mechanism.settings),
        shapes=tuple(stretched(shape, (unit,) * 3) for shape in mechanism.shapes),
        gravity=None if mechanism.gravity is None else times(mechanism.gravity, unit),
    )


def with_scaled_nodes(mechanism: Mechanism, scale: float) -> Mechanism:
    """Return a mechanism whose nodes are scaled, with shapes as large as before.

    So their sizes become that many times smaller; what meshes hold is left to whoever has the
    meshes.
    """
    if scale == 1.0:
        return mechanism
    larger, within = compose(scale=(scale, scale, scale)), 1.0 / scale
    return replace(
        mechanism,
        nodes=tuple(replace(node, world=multiply(node.world, larger)) for node in mechanism.nodes),
        shapes=tuple(stretched(shape, (within,) * 3) for shape in mechanism.shapes),
    )


def _settings(settings: JointSettings, unit: float) -> JointSettings:
    limits: list[Limit] = []
    for limit in settings.limits:
        if limit.linear_axes:
            linear = on_axes(limit, Freedom.LINEAR, limit.linear_axes)
            limits.append(_resized(linear, LIMIT_FIELDS, unit))
        if limit.angular_axes or not limit.linear_axes:
            limits.append(on_axes(limit, Freedom.ANGULAR, limit.angular_axes))
    drives = tuple(
        _resized(drive, DRIVE_FIELDS, unit) if drive.type is Freedom.LINEAR else drive
        for drive in settings.drives
    )
    return replace(settings, limits=tuple(limits), drives=drives)


def _resized(part: Part, fields: Iterable[Field], unit: float) -> Part:
    """Return a limit or drive along axes with its places and speeds in another unit."""
    names = tuple(field.name for field in fields if field.is_measured)
    values: dict[str, Any] = {name: getattr(part, name) for name in names}
    sized = {name: value * unit for name, value in values.items() if value is not None}
    return replace(part, keys=mapped(part.keys, names, lambda value: unit * value), **sized)


def _motion(motion: Motion, unit: float) -> Motion:
    return replace(
        motion.with_center(lambda at: times(at, unit)),
        inertia_diagonal=times(motion.inertia_diagonal, unit * unit),
        linear_velocity=times(motion.linear_velocity, unit),
    )
