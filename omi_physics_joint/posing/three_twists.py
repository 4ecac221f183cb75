# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations from their twists about X, Y and Z, and how they turn with each of them.

Of q = (v, s) the twist about axis i has the tangent v_i / s of its half, so with the cosines c and
sines e of half the angles q is a multiple of (e_x c_y c_z, c_x e_y c_z, c_x c_y e_z, c_x c_y c_z).
It is none where two of them are half a turn.
"""

from __future__ import annotations

import numpy as np

from ..solver.kinematics.rotation import Array, cross, matrix_of, quaternion_of

_OWN = np.eye(3, 4, dtype=bool)


def turns_of(angles: Array) -> Array:
    """Return the rotations with three twists: (k, 3) in rad to (k, 3, 3)."""
    return matrix_of(_quaternions(angles)[0])


def angles_of(turns: Array) -> Array:
    """Return the three twists of rotations: (k, 3, 3) to (k, 3) in rad."""
    q = quaternion_of(turns)
    return np.asarray(2.0 * np.arctan2(q[:, :3], q[:, 3:]))


def turn_axes(angles: Array) -> Array:
    """Return the axes, as columns, about which each angle turns: (k, 3, 3).

    They are neither units nor at right angles: q' = w q / 2, so with the derivative q' of that
    multiple of q, which may change its length, w is the vector part of 2 q' conj(q) / |q|^2.
    """
    q, slopes = _quaternions(angles)
    v, s = q[:, None, :3], q[:, None, 3:]
    dv, ds = slopes[:, :, :3], slopes[:, :, 3:]
    axes = s * dv - ds * v + cross(v, dv)
    axes *= (2.0 / (q * q).sum(1))[:, None, None]
    return np.asarray(axes.transpose(0, 2, 1))


def _quaternions(angles: Array) -> tuple[Array, Array]:
    """Return multiples of q (k, 4), and their derivatives by each angle (k, 3, 4)."""
    half = 0.5 * angles[:, :, None]
    cosine, sine = np.cos(half), np.sin(half)
    # Factor i of component k is the sine where k is i, else the cosine.
    factors, slopes = np.where(_OWN, sine, cosine), 0.5 * np.where(_OWN, cosine, -sine)
    return factors.prod(1), slopes * factors[:, [1, 2, 0]] * factors[:, [2, 0, 1]]
