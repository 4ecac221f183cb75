# SPDX-License-Identifier: GPL-3.0-or-later
"""Many rotations at once: matrices, quaternions (x, y, z, w), rotation vectors.

Leading axes are free. Calls cost more than numbers here: np.cross takes 50 us whatever the size,
the few lines below a tenth of it. Every product is a stack of small matrices of one shape, never
one matrix whose height is the number of bodies: BLAS rounds those differently for different
heights, and then a body's motion would depend, in the last bit, on how many others there are.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_NEXT = np.array([1, 2, 0])
_AFTER = np.array([2, 0, 1])

SKEW_ROWS: Array = np.zeros((9, 3))
"""Constant with ``(SKEW_ROWS @ v).reshape(3, 3)`` the matrix of ``v x``."""
for _row, _column, _sign in ((1, 2, -1), (2, 1, 1), (3, 2, 1), (5, 0, -1), (6, 1, -1), (7, 0, 1)):
    SKEW_ROWS[_row, _column] = _sign
SKEW: Array = np.ascontiguousarray(SKEW_ROWS.T)
EYE: Array = np.eye(3)
_QUARTERS: Array = np.full((3, 3), 0.25)
_ONES: Array = np.ones((3, 3))
_ROOT_SKEW: Array = sqrt(0.5) * SKEW
_ROOT_TWO = sqrt(2.0)
_NEWTON: Array = 1.5 * EYE
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
STRAIGHT = 1e-9
"""Sine of half an angle, below which it is the half angle."""
_SMALL = 1e-6
"""rad^2: below it f is that of this square, since what it is times is that small."""


def cross(a: Array, b: Array) -> Array:
    """Return a x b along the last axis; shapes (..., 3), broadcast."""
    return np.asarray(
        a.take(_NEXT, -1) * b.take(_AFTER, -1) - a.take(_AFTER, -1) * b.take(_NEXT, -1)
    )


def skew(vectors: Array) -> Array:
    """Return the matrices of ``v x``: (..., 3) to (..., 3, 3)."""
    return np.asarray((vectors @ SKEW).reshape(*vectors.shape, 3))


def exponential(vectors: Array) -> Array:
    """Return the rotations by rotation vectors: (..., n, 3) to (..., n, 3, 3).

    With u = |x| / 2 and G the matrix of sin(u) / u times half of x, by Rodrigues' formula in half
    angles exp(x) = 1 + 2 cos(u) G + 2 G G. G here is times the root of two.
    """
    half = (vectors * vectors) @ _QUARTERS  # u^2, three times in a row
    np.sqrt(half, half)
    np.maximum(half, 1e-150, out=half)
    axis = np.sin(half)
    axis *= vectors
    axis /= half
    flat = axis @ _ROOT_SKEW
    matrix = flat.reshape(*vectors.shape, 3)
    out = matrix @ matrix
    cosine = np.cos(half[..., :1])
    cosine *= _ROOT_TWO
    flat *= cosine
    out += matrix
    out += EYE
    return np.asarray(out)


def rate_of_vector(vectors: Array, spins: Array) -> Array:
    """Return the rates of rotation vectors t of what turns with w, body axes.

    The inverse of the differential of the exponential, w + t x w / 2 + f t x (t x w), with
    f = (1 - u / tan u) / |t|^2 and u = |t| / 2.
    """
    square = np.maximum((vectors * vectors) @ _ONES, _SMALL)
    half = np.sqrt(square)
    half *= 0.5
    factor = np.tan(half)
    np.divide(half, factor, out=factor)
    np.subtract(1.0, factor, out=factor)
    factor /= square
    cross = skew(vectors)
    once = cross @ spins[..., None]
    twice = (cross @ once)[..., 0]
    twice *= factor
    twice += spins
    once *= 0.5
    twice += once[..., 0]
    return np.asarray(twice)


def quaternion_of(matrices: Array) -> Array:
    """Return unit quaternions (x, y, z, w), w >= 0: (..., n, 3, 3) to (..., n, 4).

    The rows of 4 q q^T, which is linear in the matrix, are q times a number each. The one with the
    largest number is taken, so nothing cancels (Shepperd 1978).
    """
    lead = matrices.shape[:-2]
    if lead == (1,):  # BLAS rounds a vector times a matrix otherwise than it does many
        return quaternion_of(np.concatenate([matrices, matrices]))[:1]
    products = matrices.reshape(*lead, 9) @ _PRODUCTS
    products += _UNITS
    flat = products.reshape(-1, 16)
    best = flat[:, ::5].argmax(1)
    best += np.arange(0, 4 * len(best), 4)
    q = flat.reshape(-1, 4).take(best, 0)
    squares = q * q
    length = squares[:, :1] + squares[:, 1:2]
    length += squares[:, 2:3]
    length += squares[:, 3:]
    np.sqrt(length, length)
    q /= np.copysign(length, q[:, 3:])
    return np.asarray(q.reshape(*lead, 4))


def matrix_of(q: Array) -> Array:
    """Return the rotations of quaternions of any length but zero: (n, 4) to (n, 3, 3)."""
    vector, w = q[:, :3], q[:, 3]
    scale = 2.0 / (q * q).sum(1)
    matrix = skew(vector)
    return np.asarray(EYE + scale[:, None, None] * (w[:, None, None] * matrix + matrix @ matrix))


def rotation_vector(matrices: Array) -> Array:
    """Return rotation vectors of length at most pi: (..., n, 3, 3) to (..., n, 3)."""
    q = quaternion_of(matrices)
    sine = np.sqrt((q[..., :3] * q[..., :3]) @ _ONES)
    angle = 2.0 * np.arctan2(sine, q[..., 3:])
    factor = np.where(sine > STRAIGHT, angle / np.maximum(sine, 1e-300), 2.0)
    return np.asarray(q[..., :3] * factor)


def orthonormalized(matrices: Array) -> Array:
    """Return nearly orthonormal matrices with their rounding taken out (one Newton step)."""
    gram = matrices.swapaxes(-1, -2) @ matrices
    gram *= -0.5
    gram += _NEWTON
    return np.asarray(matrices @ gram)
