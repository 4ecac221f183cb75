# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertia of bodies that do not say theirs: from their shapes, at uniform density.

CONVENTIONS: absent or all zero, the inertia comes from the shapes, scaled to the mass of the body;
where no shape has a volume, it is that of a solid sphere of 0.1 m.
"""

from __future__ import annotations

from math import pi

import numpy as np

from ..model.frames import is_flat, rigid_frame
from ..model.mechanism import Mechanism
from ..model.shape import Box, Capsule, Cylinder, Shape, Sphere
from ..model.transform import linear_part
from .rotation import Array

THINNEST = 1e-18
"""m^3: a smaller volume is none."""
DEFAULT_RADIUS = 0.1
"""m, of the solid sphere that stands for a body without shapes."""


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


def body_inertia(mechanism: Mechanism, body: int, mass: float, centre: Array) -> Array | None:
    """Return the inertia of a body from the shapes that belong to it.

    Args:
        mechanism: the whole.
        body: index of the body's node.
        mass: kg.
        centre: world position of its centre of mass, shape (3,).

    Returns:
        World axes, kg m^2, shape (3, 3); None where no shape has a volume.
    """
    total, inertia = 0.0, np.zeros((3, 3))
    for index, node in enumerate(mechanism.nodes):
        collider = node.collider
        if collider is None or collider.shape is None or mechanism.body_of(index) != body:
            continue
        if not 0 <= collider.shape < len(mechanism.shapes) or is_flat(linear_part(node.world)):
            continue
        found = volume_and_inertia(mechanism.shapes[collider.shape])
        if found is None:
            continue
        volume, diagonal = found
        frame = np.array(rigid_frame(node.world))
        turn, arm = frame[:3, :3], frame[:3, 3] - centre
        inertia += turn @ np.diag(diagonal) @ turn.T
        inertia += volume * (np.dot(arm, arm) * np.eye(3) - np.outer(arm, arm))
        total += volume
    if not (np.isfinite(total) and total > THINNEST and np.isfinite(inertia).all()):
        return None
    return np.asarray(inertia * (mass / total))
