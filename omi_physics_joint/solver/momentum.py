# SPDX-License-Identifier: GPL-3.0-or-later
"""Momentum of islands that hang from nothing, and the rigid motion that gives it back to them.

A motion of a whole island as one rigid body changes no coordinate of any of its joints, so it can
be added to whatever the joints allow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .rotation import Array, cross
from .system import System

Index = NDArray[np.intp]


def floating_islands(system: System) -> list[Index]:
    """Return the bodies of every island of which no joint leads to a body that is not dynamic."""
    ends = system.rows.bodies
    held = np.unique(system.islands[(ends >= system.count).any(1)])
    free = np.setdiff1d(np.unique(system.islands), held)
    return [np.unique(ends[system.islands == island]) for island in free]


def restore(
    system: System,
    island: Index,
    before: tuple[Array, Array, Array],
    after: tuple[Array, Array, Array],
) -> None:
    """Give an island the momentum that it had, about the origin, by a rigid motion.

    Args:
        system: of which the island is a part.
        island: its bodies, (m,).
        before: positions (bodies, 3), rotations (bodies, 3, 3), scaled velocities (dynamic, 6).
        after: the same; the velocities are changed.
    """
    linear, angular = _momentum(system, island, before)
    linear_now, angular_now = _momentum(system, island, after)
    position, rotation, velocity = (part[island] for part in after)
    mass = system.bodies.mass[island]
    centre = mass @ position / mass.sum()
    push, arms = linear - linear_now, position - centre
    twist = angular - angular_now - np.cross(centre, push)
    inertia = (rotation * system.bodies.inertia[island][:, None, :]) @ rotation.transpose(0, 2, 1)
    whole = inertia.sum(0) - np.einsum("n,nij->ij", mass, _squared(arms))
    spin = np.linalg.lstsq(whole, twist, rcond=1e-12)[0]
    moved = push / mass.sum() + np.cross(spin, arms)
    turned = (spin @ rotation) / system.inverse_inertia_root[island]
    change = np.concatenate([moved / system.inverse_mass_root[island], turned], 1)
    after[2][island] = velocity + change


def _squared(arms: Array) -> Array:
    """Return [r]^2 of vectors: (n, 3, 3)."""
    squares = (arms * arms).sum(1)[:, None, None]
    return np.asarray(arms[:, :, None] * arms[:, None, :] - squares * np.eye(3))


def _momentum(
    system: System, island: Index, where: tuple[Array, Array, Array]
) -> tuple[Array, Array]:
    """Return linear and angular momentum about the origin, (3,) each."""
    position, rotation, velocity = (part[island] for part in where)
    linear = velocity[:, :3] / system.inverse_mass_root[island]
    spin = velocity[:, 3:] / system.inverse_inertia_root[island]
    turned = (rotation @ spin[:, :, None])[:, :, 0]
    return linear.sum(0), (turned + cross(position, linear)).sum(0)
