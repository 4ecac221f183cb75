# SPDX-License-Identifier: GPL-3.0-or-later
"""What a drive within a loop has to move: all bodies of the loop, each as fast as its levers say.

Velocities that the locks leave are a linear space, V = N x. Of those in which the driven coordinate
goes at one, g x = 1, bodies take the one of least kinetic energy x^T H x / 2, as nothing else leads
them: x = H^-1 g / (g H^-1 g). Twice that energy is the inertia that the drive feels, by virtual
work (Featherstone, Rigid Body Dynamics Algorithms, chapter 8).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..model.mechanics.masses import Mass
from .hull import Array

SMALL = 1e-5
"""Part of rows of unit size that counts as none: places in single precision are off by 1e-7."""


class Held(NamedTuple):
    """A joint between two bodies by number, of which None stands still."""

    ends: tuple[int | None, int | None]
    place: Array
    """(3,), m."""
    axes: Array
    """(3, 3), of unit length, as columns."""
    locked: Sequence[int]
    """Coordinates that it holds: 0 to 2 distances, 3 to 5 angles."""


class Moved(NamedTuple):
    """What a drive moves."""

    inertia: float
    """kg, or kg m^2 of an angle."""
    pull: Array
    """(3,), what a gravity of 1 m/s^2 along each axis does to it: N or N m."""


def moved_by(bodies: Sequence[Mass], joints: Sequence[Held], coordinate: int) -> Moved | None:
    """Return what a coordinate of the first joint moves; None where the locks do not let it go."""
    centres = np.array([body.centre for body in bodies])
    places = np.array([*centres, *(held.place for held in joints)])
    size = max(float(np.ptp(places, 0).max()), SMALL)
    locks = np.concatenate([_rates(held, held.locked, centres, size) for held in joints])
    asked, ways = np.linalg.eigh(locks.T @ locks)
    free = ways[:, asked < SMALL**2]
    goes = _rates(joints[0], [coordinate], centres, size)[0] @ free
    if np.linalg.norm(goes) <= SMALL:
        return None
    masses = np.zeros((len(bodies), 6, 6))
    for own, body in zip(masses, bodies, strict=True):
        own[:3, :3], own[3:, 3:] = body.mass * np.eye(3), np.array(body.inertia) / size**2
    velocities = free.reshape(len(bodies), 6, -1)
    energy = np.einsum("bix,bij,bjy->xy", velocities, masses, velocities)
    way = np.linalg.solve(energy, goes)
    inertia = 1.0 / float(goes @ way)
    pull = np.array([body.mass for body in bodies]) @ (velocities[:, :3] @ way) * inertia
    unit = 1.0 if coordinate < 3 else size
    return Moved(inertia * unit**2, pull * unit)


def _rates(held: Held, coordinates: Sequence[int], centres: Array, size: float) -> Array:
    """Return what makes rates of coordinates of velocities (n, 6 bodies), all in m/s.

    Turning is times a size, that of bodies and that of coordinates.
    """
    rates = np.zeros((len(coordinates), len(centres), 6))
    for rate, coordinate in zip(rates, coordinates, strict=True):
        axis = held.axes[:, coordinate % 3]
        for end, sign in zip(held.ends, (-1.0, 1.0), strict=True):
            if end is not None and coordinate < 3:
                rate[end, :3] += sign * axis
                rate[end, 3:] += sign * np.cross(held.place - centres[end], axis) / size
            elif end is not None:
                rate[end, 3:] += sign * axis
    return rates.reshape(len(coordinates), -1)
