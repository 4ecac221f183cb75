# SPDX-License-Identifier: GPL-3.0-or-later
"""One step within bounds and along equations: a small quadratic programme."""

from __future__ import annotations

import numpy as np

from ..solver.kinematics.rotation import Array, Mask

REDUNDANT = 1e-5
"""Singular values of a loop below this part of the largest say nothing new."""
PIVOTS = 10
"""Rounds in which bounds are let go as well. With 5 58 of 100 random steps of 80 unknowns are not
the best, with 10 or 100 all are; more in loops only go in circles."""
Bounds = tuple[Array, Array]
"""(n,) how far each unknown may fall, none above 0, and rise, none below."""


def bounded_step(slope: Array, curvature: Array, rates: Array, gaps: Array, room: Bounds) -> Array:
    """Return the x with least slope . x + x . curvature . x / 2 and rates x = -gaps, within bounds.

    Bounds are taken in and let go by the signs of their forces, all at once (block pivoting), and
    if that goes in circles taken in only. The curvature (n, n) is positive definite, rates (k, n)
    may be redundant.
    """
    low, high = room
    at, side = np.zeros_like(slope), np.zeros_like(slope)
    held = high - low <= 0.0
    tolerance = 1e-12 * (1.0 + float(np.abs(slope).max(initial=0.0)))
    for turn in range(PIVOTS + len(slope)):
        x, force = _equality_step(slope, curvature, rates, gaps, held, at)
        under, over = ~held & (x < low), ~held & (x > high)
        letting = held & (side * force < -tolerance) & (turn < PIVOTS)
        if not (under | over | letting).any():
            break
        held = (held | under | over) & ~letting
        side = np.where(under, 1.0, np.where(over, -1.0, np.where(letting, 0.0, side)))
        at = np.where(under, low, np.where(over, high, np.where(letting, 0.0, at)))
    return np.clip(x, low, high)


def _equality_step(
    slope: Array, curvature: Array, rates: Array, gaps: Array, held: Mask, at: Array
) -> tuple[Array, Array]:
    """Return the step with some unknowns held, and the slope that is left at those."""
    free = np.flatnonzero(~held)
    x = np.where(held, at, 0.0)
    inner = curvature[np.ix_(free, free)] if len(free) < len(x) else curvature
    if not len(rates):
        x[free] = np.linalg.solve(inner, -(slope + curvature @ x)[free])
        return x, slope + curvature @ x
    left, sizes, across, along = ranges(rates[:, free])
    inverse = across @ (left / sizes).T
    x[free] = -inverse @ (gaps + rates @ x)
    x[free] -= along @ np.linalg.solve(
        along.T @ inner @ along, along.T @ (slope + curvature @ x)[free]
    )
    rest = slope + curvature @ x
    return x, rest - rates.T @ (inverse.T @ rest[free])


def ranges(rows: Array) -> tuple[Array, Array, Array, Array]:
    """Return what rows say as left, sizes and right, and a basis of what they do not see."""
    left, sizes, right = np.linalg.svd(rows)
    rank = int((sizes > REDUNDANT * sizes.max(initial=1e-30)).sum())
    return left[:, :rank], sizes[:rank], right[:rank].T, right[rank:].T


def pressed(slope: Array, room: Bounds) -> Mask:
    """Return which unknowns a slope presses on the bounds at which they are."""
    low, high = room
    return np.asarray(((low >= 0.0) & (slope > 0.0)) | ((high <= 0.0) & (slope < 0.0)))


def leave_out(full: Array, plain: Array, which: Mask) -> None:
    """Take unknowns that will not move out of a curvature, lest they spoil it for the others."""
    full[which] = 0.0
    full[:, which] = 0.0
    full[which, which] = plain[which, which]


def is_positive(matrix: Array) -> bool:
    """Whether a symmetric matrix is positive definite."""
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True
