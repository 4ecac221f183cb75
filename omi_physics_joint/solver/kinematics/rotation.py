# SPDX-License-Identifier: GPL-3.0-or-later
"""Many rotations at once: matrices, quaternions (x, y, z, w), rotation vectors.

Calls cost more than numbers here. np.cross takes 50 us whatever the size, the few lines below a
tenth of it; ``a.dot(b)`` of two matrices a third of ``a @ b``, and arrays of one shape a third of
what broadcast ones take.
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_NEXT = np.array([1, 2, 0])
_AFTER = np.array([2, 0, 1])

SKEW: Array = np.zeros((3, 9))
"""Constant with ``(v @ SKEW).reshape(3, 3)`` the matrix of ``v x``."""
SKEW[2, 1] = SKEW[0, 5] = SKEW[1, 6] = -1.0
SKEW[2, 3] = SKEW[0, 7] = SKEW[1, 2] = 1.0
EYE: Array = np.eye(3)
_NEWTON: Array = 1.5 * EYE
_FOUR: Array = np.ones((4, 1))
_UNITS: Array = np.eye(4).reshape(16)
"""Constants with ``matrix.reshape(9) @ _PRODUCTS + _UNITS`` 4 q q^T, q = (x, y, z, w)."""
_PRODUCTS: Array = np.zeros((3, 3, 4, 4))
for _i in range(3):
    for _k in range(4):
        _PRODUCTS[_i, _i, _k, _k] = 1.0 if _k in (_i, 3) else -1.0
    _j, _k = (_i + 1) % 3, (_i + 2) % 3
    _PRODUCTS[_i, _j, [_i, _j], [_j, _i]] = _PRODUCTS[_j, _i, [_i, _j], [_j, _i]] = 1.0
    _PRODUCTS[_k, _j, [_i, 3], [3, _i]] = 1.0
    _PRODUCTS[_j, _k, [_i, 3], [3, _i]] = -1.0
_PRODUCTS = _PRODUCTS.reshape(9, 16)
SMALL = 1e-9
"""rad: below it the sine is the angle."""


def cross(a: Array, b: Array) -> Array:
    """Return a x b along the last axis; shapes (..., 3), broadcast."""
    return np.asarray(
        a.take(_NEXT, -1) * b.take(_AFTER, -1) - a.take(_AFTER, -1) * b.take(_NEXT, -1)
    )


def skew(v: Array) -> Array:
    """Return the matrices of ``v x``: (n, 3) to (n, 3, 3)."""
    return np.asarray(v.dot(SKEW).reshape(-1, 3, 3))


_QUARTERS: Array = np.full((3, 3), 0.25)
_ROOT_SKEW: Array = sqrt(0.5) * SKEW
_ROOTS: Array = np.zeros((3, 9))
_ROOTS[0] = sqrt(2.0)


def exponential(x: Array) -> Array:
    """Return the rotations by rotation vectors: (n, 3) to (n, 3, 3).

    With u = |x| / 2 and G the matrix of sin(u) / u times half of x, by Rodrigues' formula in half
    angles exp(x) = 1 + 2 cos(u) G + 2 G G. Here u is three times in a row, and G times the root of
    two, so that nothing is broadcast.
    """
    half = (x * x).dot(_QUARTERS)
    np.sqrt(half, half)
    np.maximum(half, 1e-150, out=half)
    axis = x * np.sin(half)
    axis /= half
    flat = axis.dot(_ROOT_SKEW)
    matrix = flat.reshape(-1, 3, 3)
    out = matrix @ matrix
    flat *= np.cos(half, half).dot(_ROOTS)
    out += matrix
    out += EYE
    return np.asarray(out)


def quaternion_of(matrices: Array) -> Array:
    """Return unit quaternions (x, y, z, w), w >= 0: (n, 3, 3) to (n, 4).

    The rows of 4 q q^T, which is linear in the matrix, are q times a number each. The one with the
    largest number is taken, so nothing cancels (Shepperd 1978).
    """
    flat = matrices.reshape(-1, 9)
    if len(flat) == 1:  # BLAS rounds a vector times a matrix otherwise than it does many
        return quaternion_of(np.concatenate([flat, flat]))[:1]
    products = flat.dot(_PRODUCTS)
    products += _UNITS
    best = products[:, ::5].argmax(1)
    best += _firsts(len(best))
    q = products.reshape(-1, 4).take(best, 0)
    length = (q * q).dot(_FOUR)
    np.sqrt(length, length)
    q /= np.copysign(length, q[:, 3:])
    return np.asarray(q)


@lru_cache(maxsize=16)
def _firsts(count: int) -> NDArray[np.intp]:
    """Return 0, 4, 8 and so on: where the rows of a batch of 4 x 4 matrices begin."""
    return 4 * np.arange(count)


def matrix_of(q: Array) -> Array:
    """Return the rotations of quaternions of any length but zero: (n, 4) to (n, 3, 3)."""
    vector, w = q[:, :3], q[:, 3]
    scale = 2.0 / (q * q).sum(1)
    matrix = skew(vector)
    return np.asarray(EYE + scale[:, None, None] * (w[:, None, None] * matrix + matrix @ matrix))


def rotation_vector(matrices: Array) -> Array:
    """Return rotation vectors of length at most pi: (n, 3, 3) to (n, 3)."""
    q = quaternion_of(matrices)
    vector = q[:, :3]
    sine = np.sqrt((vector * vector).sum(1))
    angle = 2.0 * np.arctan2(sine, q[:, 3])
    factor = np.where(sine > SMALL, angle / np.maximum(sine, 1e-300), 2.0)
    return np.asarray(vector * factor[:, None])


def orthonormalized(matrices: Array) -> Array:
    """Return nearly orthonormal matrices with their rounding taken out (one Newton step)."""
    gram = matrices.transpose(0, 2, 1) @ matrices
    gram *= -0.5
    gram += _NEWTON
    return np.asarray(matrices @ gram)
