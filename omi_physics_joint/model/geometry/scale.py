# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism in another unit of length, for scenes whose unit is not the metre; in scaled nodes.

Blender's importer multiplies positions by the scene's units per metre; what a joint says of
lengths goes with them. Masses, stiffnesses and angles stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from ..body import Motion
from ..joint import Drive, Freedom, JointSettings, Limit, on_axes
from ..keys import mapped
from ..mechanism import Mechanism
from ..settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Field
from ..shape import SIZES, Box, Shape
from .transform import compose, multiply, times

Part = TypeVar("Part", Limit, Drive)


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
        shapes=tuple(_shape(shape, unit) for shape in mechanism.shapes),
        gravity=None if mechanism.gravity is None else times(mechanism.gravity, unit),
    )


def with_scaled_nodes(mechanism: Mechanism, scale: float) -> Mechanism:
    """Return a mechanism whose nodes are scaled, with bodies and shapes as large as before.

    So what is measured within a node becomes that many times smaller; what meshes hold is left to
    whoever has the meshes.
    """
    if scale == 1.0:
        return mechanism
    larger, within = compose(scale=(scale, scale, scale)), 1.0 / scale
    return replace(
        mechanism,
        nodes=tuple(
            replace(
                node,
                world=multiply(node.world, larger),
                motion=node.motion and node.motion.with_center(lambda at: times(at, within)),
            )
            for node in mechanism.nodes
        ),
        shapes=tuple(_shape(shape, within) for shape in mechanism.shapes),
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


def _shape(shape: Shape, unit: float) -> Shape:
    if isinstance(shape, Box):
        return replace(shape, size=times(shape.size, unit))
    sizes: dict[str, Any] = {name: getattr(shape, name) * unit for name in SIZES[type(shape)]}
    return replace(shape, **sizes)
