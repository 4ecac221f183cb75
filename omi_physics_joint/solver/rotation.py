# SPDX-License-Identifier: GPL-3.0-or-later
"""Many rotations at once: matrices, quaternions (x, y, z, w), rotation vectors.

np.cross costs 50 us a call whatever the size; the few lines here cost a tenth of it.
"""

from __future__ import annotations

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


def dot(a: Array, b: Array) -> Array:
    """Return a . b along the last axis; shapes (..., 3), broadcast."""
    product = a * b
    return np.asarray(product[..., 0] + product[..., 1] + product[..., 2])


def skew(v: Array) -> Array:
    """Return the matrices of ``v x``: (n, 3) to (n, 3, 3)."""
    return (v @ SKEW).reshape(-1, 3, 3)


def cayley(x: Array) -> Array:
    """Return the Cayley turns of rotation-like vectors: (n, 3) to (n, 3, 3).

    cay(x) = 1 + (X + X X / 2) / (1 + |x|^2 / 4), X = skew(x): a rotation about x by 2 atan(|x|/2),
    so x is the rotation vector up to third order, with no trigonometry and no case at zero.
    """
    matrix = (x @ SKEW).reshape(-1, 3, 3)
    scale = 1.0 / (1.0 + 0.25 * ((x * x) @ ONES))
    return np.asarray(EYE + (matrix + 0.5 * (matrix @ matrix)) * scale[:, :, None])


ONES: Array = np.ones((3, 1))
QUARTERS: Array = np.full((3, 1), 0.25)
HALF_SKEW: Array = 0.5 * SKEW


def exponential(x: Array) -> Array:
    """Return the rotations by rotation vectors: (n, 3) to (n, 3, 3).

    With u = |x| / 2, t = tan(u) and G the matrix of t / u times half of x: the Cayley turn by the
    whole angle, exp(x) = 1 + 2 (G + G G) / (1 + t^2). Beyond half a turn t changes its sign, and it
    still holds.
    """
    half = np.sqrt((x * x) @ QUARTERS)
    np.maximum(half, 1e-150, out=half)
    tangent = np.tan(half)
    matrix = ((x * (tangent / half)) @ HALF_SKEW).reshape(-1, 3, 3)
    tangent *= tangent
    tangent += 1.0
    tangent *= 0.5
    out = matrix @ matrix
    out += matrix
    out /= tangent[:, :, None]
    out += EYE
    return np.asarray(out)


def quaternion_of(matrices: Array) -> Array:
    """Return unit quaternions (x, y, z, w), w >= 0: (n, 3, 3) to (n, 4).

    The rows of 4 q q^T, which is linear in the matrix, are q times a number each. The one with the
    largest number is taken, so nothing cancels (Shepperd 1978).
    """
    products = (matrices.reshape(-1, 9) @ _PRODUCTS + _UNITS).reshape(-1, 4, 4)
    best = products.reshape(-1, 16)[:, ::5].argmax(1)
    q = products.reshape(-1, 4).take(best + 4 * np.arange(len(best)), 0)
    length = np.sqrt((q * q) @ _FOUR)
    return np.asarray(q / np.copysign(length, q[:, 3:]))


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
    sine = np.sqrt(dot(vector, vector))
    angle = 2.0 * np.arctan2(sine, q[:, 3])
    factor = np.where(sine > SMALL, angle / np.maximum(sine, 1e-300), 2.0)
    return np.asarray(vector * factor[:, None])


def orthonormalized(matrices: Array) -> Array:
    """Return nearly orthonormal matrices with their rounding taken out (one Newton step)."""
    gram = matrices.transpose(0, 2, 1) @ matrices
    return np.asarray(matrices @ (1.5 * EYE - 0.5 * gram))
