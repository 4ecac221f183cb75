# SPDX-License-Identifier: GPL-3.0-or-later
"""The rigid motion that gives an island that hangs from nothing its momentum back.

A motion of a whole island as one rigid body changes no coordinate of any of its joints, so it can
be added to whatever the joints allow.
"""

from __future__ import annotations

import numpy as np

from .rotation import Array, cross
from .system import System


def restore(
    system: System, before: tuple[Array, Array, Array], after: tuple[Array, Array, Array]
) -> None:
    """Give an island the momentum that it had, about the origin, by a rigid motion.

    Args:
        system: of the island.
        before: positions (bodies, 3), rotations (bodies, 3, 3), scaled velocities (dynamic, 6).
        after: the same; the velocities are changed.
    """
    linear, angular = _momentum(system, before)
    linear_now, angular_now = _momentum(system, after)
    n = system.count
    position, rotation, velocity = after[0][:n], after[1][:n], after[2]
    mass = system.bodies.mass[:n]
    centre = mass @ position / mass.sum()
    push, arms = linear - linear_now, position - centre
    twist = angular - angular_now - np.cross(centre, push)
    inertia = (rotation * system.bodies.inertia[:n][:, None, :]) @ rotation.transpose(0, 2, 1)
    whole = inertia.sum(0) - np.einsum("n,nij->ij", mass, _squared(arms))
    spin = np.linalg.lstsq(whole, twist, rcond=1e-12)[0]
    moved = push / mass.sum() + np.cross(spin, arms)
    turned = (spin @ rotation) / system.inverse_inertia_root
    change = np.concatenate([moved / system.inverse_mass_root, turned], 1)
    velocity += change


def _squared(arms: Array) -> Array:
    """Return [r]^2 of vectors: (n, 3, 3)."""
    squares = (arms * arms).sum(1)[:, None, None]
    return np.asarray(arms[:, :, None] * arms[:, None, :] - squares * np.eye(3))


def _momentum(system: System, where: tuple[Array, Array, Array]) -> tuple[Array, Array]:
    """Return linear and angular momentum about the origin, (3,) each."""
    n, velocity = system.count, where[2]
    position, rotation = where[0][:n], where[1][:n]
    linear = velocity[:, :3] / system.inverse_mass_root
    spin = velocity[:, 3:] / system.inverse_inertia_root
    turned = (rotation @ spin[:, :, None])[:, :, 0]
    return linear.sum(0), (turned + cross(position, linear)).sum(0)
