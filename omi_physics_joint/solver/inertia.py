# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertia of bodies that do not say theirs: from their shapes or meshes, at uniform density.

CONVENTIONS: absent or all zero, the inertia comes from the shapes, scaled to the mass of the body;
where no shape has a volume, from the bounds of the meshes; where there are none, it is that of a
solid sphere of 0.1 m. The centre of mass is what the body says, its origin if it says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import pi

import numpy as np

from ..model.frames import is_flat, rigid_frame
from ..model.mechanism import Mechanism, Node
from ..model.shape import Box, Capsule, Cylinder, Shape, Sphere
from ..model.transform import linear_part
from .rotation import Array

THINNEST = 1e-18
"""m^3: a smaller volume is none."""
DEFAULT_RADIUS = 0.1
"""m, of the solid sphere that stands for a body without shapes and meshes."""
SHEET = 0.01
"""Thickness of what is flat, as a part of its longest side."""


def sphere_inertia(mass: float, radius: float = DEFAULT_RADIUS) -> Array:
    """Return the principal inertia of a solid sphere in kg m^2, shape (3,)."""
    return np.full(3, 0.4 * mass * radius * radius)


def volume_and_inertia(shape: Shape) -> tuple[float, Array] | None:
    """Return volume (m^3) and diagonal inertia per density (m^5) about the shape's own centre.

    Tapered capsules and cylinders count with their mean radius. Meshes are not at hand here: None.
    """
    if isinstance(shape, Box):
        x, y, z = (abs(s) for s in shape.size)
        volume = x * y * z
        diagonal = np.array([y * y + z * z, x * x + z * z, x * x + y * y]) / 12.0
        return volume, volume * diagonal
    if isinstance(shape, Sphere):
        volume = 4.0 / 3.0 * pi * shape.radius**3
        return volume, volume * sphere_inertia(1.0, shape.radius)
    if not isinstance(shape, Capsule | Cylinder):
        return None
    r = 0.5 * (shape.radius_bottom + shape.radius_top)
    length = shape.height
    tube = pi * r * r * length
    across, along = tube * (3.0 * r * r + length * length) / 12.0, tube * r * r / 2.0
    if isinstance(shape, Cylinder):
        return tube, np.array([across, along, across])
    # Two half balls: together a ball, each with its centre 3 r / 8 beyond the end of the tube.
    ball = 4.0 / 3.0 * pi * r**3
    offset = ball * (0.4 * r * r + length * length / 4.0 + 3.0 / 8.0 * length * r)
    return tube + ball, np.array([across + offset, along + 0.4 * ball * r * r, across + offset])


def parts_of_bodies(mechanism: Mechanism) -> dict[int, list[int]]:
    """Return the nodes that belong to each body and have a shape or a mesh, by the body's node."""
    parts: dict[int, list[int]] = {}
    for index, node in enumerate(mechanism.nodes):
        has_shape = node.collider is not None and node.collider.shape is not None
        if has_shape or node.bounds is not None:
            body = mechanism.body_of(index)
            if body is not None:
                parts.setdefault(body, []).append(index)
    return parts


def body_inertia(
    mechanism: Mechanism, parts: Iterable[int], mass: float, centre: Array
) -> Array | None:
    """Return the inertia of a body from its shapes, else from the bounds of its meshes.

    Args:
        mechanism: the whole.
        parts: nodes that belong to the body.
        mass: kg.
        centre: world position of its centre of mass, shape (3,).

    Returns:
        World axes, kg m^2, shape (3, 3); None where neither shapes nor meshes have a volume.
    """
    nodes = [mechanism.nodes[part] for part in parts]
    sound = [node for node in nodes if not is_flat(linear_part(node.world))]
    with np.errstate(all="ignore"):  # sizes beyond all numbers count as none
        shapes = [_of_shape(mechanism, node) for node in sound]
        bounds = [_of_bounds(node) for node in sound]
        inertia = _together(shapes, mass, centre)
        return _together(bounds, mass, centre) if inertia is None else inertia


@dataclass(frozen=True, slots=True)
class _Part:
    """A solid of density one."""

    volume: float
    """m^3."""
    centre: Array
    """World, (3,), m."""
    inertia: Array
    """About its centre, world axes, (3, 3), m^5."""


def _of_shape(mechanism: Mechanism, node: Node) -> _Part | None:
    """Return the collision shape of a node; scale does not count for it."""
    shape = None if node.collider is None else node.collider.shape
    if shape is None or not 0 <= shape < len(mechanism.shapes):
        return None
    found = volume_and_inertia(mechanism.shapes[shape])
    if found is None:
        return None
    frame = np.array(rigid_frame(node.world))
    turn = frame[:3, :3]
    return _Part(found[0], frame[:3, 3], turn @ np.diag(found[1]) @ turn.T)


def _of_bounds(node: Node) -> _Part | None:
    """Return the box around the mesh of a node, with its scale and shear.

    A solid of covariance C (the mean of r r^T about its centre) has the inertia tr(C) - C; that of
    a box is the squares of its sides over 12, and a linear map L makes L C L^T of C. What is flat
    counts as a sheet a hundredth as thick as it is long.
    """
    if node.bounds is None:
        return None
    low, high = np.array(node.bounds.low), np.array(node.bounds.high)
    sides = np.maximum(high - low, SHEET * (high - low).max())
    world = np.array(node.world)
    linear = world[:3, :3]
    covariance = linear @ np.diag(sides * sides / 12.0) @ linear.T
    volume = float(sides.prod() * abs(np.linalg.det(linear)))
    centre = linear @ (0.5 * (low + high)) + world[:3, 3]
    return _Part(volume, centre, volume * (np.trace(covariance) * np.eye(3) - covariance))


def _together(parts: Iterable[_Part | None], mass: float, centre: Array) -> Array | None:
    """Return the inertia of several solids of one density about a point, scaled to a mass."""
    total, inertia = 0.0, np.zeros((3, 3))
    for part in parts:
        if part is not None:
            arm = part.centre - centre
            inertia += part.inertia
            inertia += part.volume * (np.dot(arm, arm) * np.eye(3) - np.outer(arm, arm))
            total += part.volume
    if not (np.isfinite(total) and total > THINNEST and np.isfinite(inertia).all()):
        return None
    return np.asarray(inertia * (mass / total))
