# SPDX-License-Identifier: GPL-3.0-or-later
"""Momenta of islands that float: steps of first order move bodies onto rows, and give it back.

A motion as of one rigid body, which rows do not feel, is put on top of what bodies do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kinematics.rotation import EYE, Array, skew
from .shape import Shape


@dataclass(slots=True)
class Momenta:
    """Of each lane: mass (L,), centre, linear and angular about it (L, 3), inertia (L, 3, 3)."""

    mass: Array
    centre: Array
    linear: Array
    angular: Array
    inertia: Array


def momenta_of(shape: Shape, position: Array, rotation: Array, velocity: Array) -> Momenta:
    """Return momenta of bodies (L, n, ...) with scaled velocities."""
    n = shape.bodies
    roots = 1.0 / shape.inverse[:, 0]
    position, rotation = position[:, :n], rotation[:, :n]
    masses = roots[..., :1] * roots[..., :1]
    mass = masses.sum((1, 2))
    centre = (masses * position).sum(1) / mass[:, None]
    push = roots[..., :1] * velocity[..., :3]
    arm = skew(position - centre[:, None])
    own = rotation @ (roots[..., 3:] * velocity[..., 3:])[..., None]
    angular = (own + arm @ push[..., None])[..., 0].sum(1)
    principal = rotation * np.square(roots[..., None, 3:])
    inertia = principal @ rotation.swapaxes(-1, -2) - masses[..., None] * (arm @ arm)
    return Momenta(mass, centre, push.sum(1), angular, inertia.sum(1))


def add_weight(shape: Shape, to: Momenta, position: Array, h: Array) -> None:
    """Add what weights do in h (L,) seconds."""
    push = h[:, None, None] * (shape.weight[:, 0] / shape.inverse[:, 0])[..., :3]
    arm = skew(position[:, : shape.bodies] - to.centre[:, None])
    to.linear = to.linear + push.sum(1)
    to.angular = to.angular + (arm @ push[..., None])[..., 0].sum(1)


def with_centre(shape: Shape, before: Momenta, position: Array, h: Array) -> Array:
    """Return positions (L, bodies, 3) of islands whose centre falls as it should in h (L,) seconds.

    By the mean of both speeds, as the weight is constant; ``before`` has what it does by now. All
    bodies move alike, which rows do not feel.
    """
    roots = 1.0 / shape.inverse[:, 0, :, :3]
    masses = roots[..., :1] * roots[..., :1]
    push = h[:, None] * (roots * shape.weight[:, 0, :, :3]).sum(1)
    way = (h / before.mass)[:, None] * (before.linear - 0.5 * push)
    n = shape.bodies
    now = (masses * position[:, :n]).sum(1) / before.mass[:, None]
    moved = position.copy()
    moved[:, :n] += (before.centre + way - now)[:, None]
    return np.where(shape.floats[:, None, None], moved, position)


def given_back(
    shape: Shape, before: Momenta, position: Array, rotation: Array, velocity: Array
) -> Array:
    """Return scaled velocities (L, n, 6) that have the momenta of before."""
    now = momenta_of(shape, position, rotation, velocity)
    n = shape.bodies
    sound = np.abs(np.linalg.det(now.inertia)) > 0.0
    inertia = np.where(sound[:, None, None], now.inertia, EYE)
    lost = (before.angular - now.angular)[..., None]
    spin = (np.linalg.inv(inertia) @ lost)[..., 0][:, None]
    arm = skew(position[:, :n] - now.centre[:, None])
    way = -(arm @ spin[..., None])[..., 0]
    way += ((before.linear - now.linear) / now.mass[:, None])[:, None]
    own = (rotation[:, :n].swapaxes(-1, -2) @ spin[..., None])[..., 0]
    newer = velocity + np.concatenate([way, own], -1) / shape.inverse[:, 0]
    return np.where(sound[:, None, None], newer, velocity)
