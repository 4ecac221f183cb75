# SPDX-License-Identifier: GPL-3.0-or-later
"""Many rotations at once: matrices, quaternions (x, y, z, w), rotation vectors.

Leading axes are free. Every product is a stack of small matrices of one shape, never one matrix
whose height is the number of islands: BLAS rounds those differently for different heights, and then
a motion would depend, in the last bit, on how many others there are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

_NEXT, _AFTER = np.array([1, 2, 0]), np.array([2, 0, 1])
SKEW: Array = np.zeros((3, 9))
"""Constant with ``(v @ SKEW).reshape(3, 3)`` the matrix of ``v x``."""
SKEW[range(3), 3 * _AFTER + _NEXT], SKEW[range(3), 3 * _NEXT + _AFTER] = 1.0, -1.0
EYE: Array = np.eye(3)
STRAIGHT = 1e-9
"""Sine of half an angle, below which it is the half angle: to the last bit up to 1e-8."""
_SMALL = 1e-6
"""rad^2: below it f is that of this square, since what it is times is that small. Ten times as much
costs 1e-13 of a spin."""


def cross(a: Array, b: Array) -> Array:
    """Return a x b along the last axis; shapes (..., 3), broadcast."""
    return np.asarray(
        a.take(_NEXT, -1) * b.take(_AFTER, -1) - a.take(_AFTER, -1) * b.take(_NEXT, -1)
    )


def skew(vectors: Array) -> Array:
    """Return the matrices of ``v x``: (..., 3) to (..., 3, 3)."""
    return np.asarray((vectors @ SKEW).reshape(*vectors.shape, 3))


def exponential(vectors: Array) -> Array:
    """Return the rotations by rotation vectors: (..., 3) to (..., 3, 3).

    With u = |x| / 2 and G the matrix of sin(u) / u times half of x, by Rodrigues' formula in half
    angles exp(x) = 1 + 2 cos(u) G + 2 G G.
    """
    half = 0.5 * np.sqrt((vectors * vectors).sum(-1, keepdims=True))
    axis = skew(0.5 * np.sinc(half / np.pi) * vectors)
    return np.asarray(EYE + 2.0 * (np.cos(half)[..., None] * axis + axis @ axis))


def rate_of_vector(vectors: Array, spins: Array) -> Array:
    """Return the rates of rotation vectors t of what turns with w, body axes.

    The inverse of the differential of the exponential, w + t x w / 2 + f t x (t x w), with
    f = (1 - u / tan u) / |t|^2 and u = |t| / 2.
    """
    square = np.maximum((vectors * vectors).sum(-1, keepdims=True), _SMALL)
    half = 0.5 * np.sqrt(square)
    once = cross(vectors, spins)
    factor = (1.0 - half / np.tan(half)) / square
    return np.asarray(spins + 0.5 * once + factor * cross(vectors, once))


def quaternion_of(matrices: Array) -> Array:
    """Return unit quaternions (x, y, z, w), w >= 0: (..., 3, 3) to (..., 4).

    The rows of 4 q q^T, which is linear in the matrix, are q times a number each. The one with the
    largest number is taken, so nothing cancels (Shepperd 1978).
    """
    turned = matrices.swapaxes(-1, -2)
    trace = matrices[..., 0, 0, None] + matrices[..., 1, 1, None] + matrices[..., 2, 2, None]
    products = np.empty((*matrices.shape[:-2], 4, 4))
    products[..., :3, :3] = matrices + turned + (1.0 - trace[..., None]) * EYE
    products[..., 3, :3] = products[..., :3, 3] = (matrices - turned)[..., _AFTER, _NEXT]
    products[..., 3, 3:] = 1.0 + trace
    flat = products.reshape(-1, 16)
    best = flat[:, ::5].argmax(1)  # of the diagonals
    q = flat.reshape(-1, 4)[np.arange(0, 4 * len(flat), 4) + best]
    q /= np.copysign(np.sqrt((q * q).sum(1)), q[:, 3])[:, None]
    return np.asarray(q.reshape(*matrices.shape[:-2], 4))


def matrix_of(q: Array) -> Array:
    """Return the rotations of quaternions of any length but zero: (n, 4) to (n, 3, 3)."""
    vector, w = q[:, :3], q[:, 3]
    scale = 2.0 / (q * q).sum(1)
    matrix = skew(vector)
    return np.asarray(EYE + scale[:, None, None] * (w[:, None, None] * matrix + matrix @ matrix))


def rotation_vector(matrices: Array) -> Array:
    """Return rotation vectors of length at most pi: (..., n, 3, 3) to (..., n, 3)."""
    q = quaternion_of(matrices)
    sine = np.sqrt((q[..., :3] * q[..., :3]).sum(-1, keepdims=True))
    angle = 2.0 * np.arctan2(sine, q[..., 3:])
    factor = np.where(sine > STRAIGHT, angle / np.maximum(sine, 1e-300), 2.0)
    return np.asarray(q[..., :3] * factor)


def orthonormalized(matrices: Array) -> Array:
    """Return nearly orthonormal matrices with their rounding taken out (one Newton step)."""
    return np.asarray(matrices @ (1.5 * EYE - 0.5 * (matrices.swapaxes(-1, -2) @ matrices)))
