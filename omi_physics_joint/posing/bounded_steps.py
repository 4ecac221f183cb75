# SPDX-License-Identifier: GPL-3.0-or-later
"""One step within bounds and along equations: a small quadratic programme."""

from __future__ import annotations

import numpy as np

from ..solver.rotation import Array
from .spanning_tree import Mask

REDUNDANT = 1e-5
"""Singular values of a loop below this part of the largest say nothing new."""
PIVOTS = 5
"""Rounds in which bounds are let go as well; more only go in circles."""


def bounded_step(
    slope: Array, curvature: Array, rates: Array, gaps: Array, room: tuple[Array, Array]
) -> Array:
    """Return the x with least slope . x + x . curvature . x / 2 and rates x = -gaps, within bounds.

    Bounds are taken in and let go by the signs of their forces, all at once (block pivoting), and
    if that goes in circles taken in only.

    Args:
        slope: (n,).
        curvature: (n, n) positive definite.
        rates: (k, n), may be redundant.
        gaps: (k,).
        room: (n,) lower bounds, none above 0, and (n,) upper ones, none below.
    """
    low, high = room
    size = len(slope)
    at = np.zeros(size)
    held = high - low <= 0.0
    side = np.zeros(size)
    tolerance = 1e-12 * (1.0 + float(np.abs(slope).max(initial=0.0)))
    for turn in range(PIVOTS + size):
        x, force = _equality_step(slope, curvature, rates, gaps, (held, at))
        under, over = ~held & (x < low), ~held & (x > high)
        letting = (
            held & (side * force < -tolerance) if turn < PIVOTS else np.zeros(size, dtype=bool)
        )
        if not (under | over | letting).any():
            break
        held = (held | under | over) & ~letting
        side = np.where(under, 1.0, np.where(over, -1.0, np.where(letting, 0.0, side)))
        at = np.where(under, low, np.where(over, high, np.where(letting, 0.0, at)))
    return np.clip(x, low, high)


def _equality_step(
    slope: Array, curvature: Array, rates: Array, gaps: Array, held: tuple[Mask, Array]
) -> tuple[Array, Array]:
    """Return the step with some unknowns held, and the slope that is left at those."""
    mask, at = held
    free = np.flatnonzero(~mask)
    x = np.where(mask, at, 0.0)
    if not len(free):
        return x, slope + curvature @ x
    inner = curvature[np.ix_(free, free)] if len(free) < len(x) else curvature
    if not len(rates):
        x[free] = np.linalg.solve(inner, -(slope + curvature @ x)[free])
        return x, slope + curvature @ x
    left, sizes, right = np.linalg.svd(rates[:, free])
    rank = int((sizes > REDUNDANT * max(float(sizes.max(initial=0.0)), 1e-30)).sum())
    across, along = right[:rank].T, right[rank:].T
    wanted = -(gaps + rates @ x)
    x[free] = across @ ((left[:, :rank].T @ wanted) / sizes[:rank])
    if along.shape[1]:
        rest = (slope + curvature @ x)[free]
        x[free] += along @ np.linalg.solve(along.T @ inner @ along, -(along.T @ rest))
    left_over = slope + curvature @ x
    pull = left[:, :rank] @ ((across.T @ left_over[free]) / sizes[:rank])
    return x, left_over - rates.T @ pull


def pressed(slope: Array, room: tuple[Array, Array]) -> Mask:
    """Return which unknowns a slope presses on the bounds at which they are."""
    low, high = room
    return np.asarray(((low >= 0.0) & (slope > 0.0)) | ((high <= 0.0) & (slope < 0.0)))


def leave_out(full: Array, plain: Array, which: Mask) -> None:
    """Take unknowns that will not move out of a curvature, lest they spoil it for the others."""
    full[which] = 0.0
    full[:, which] = 0.0
    at = np.flatnonzero(which)
    full[at, at] = plain[at, at]


def is_positive(matrix: Array) -> bool:
    """Whether a symmetric matrix is positive definite."""
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


def null_space(rows: Array) -> Array:
    """Return a basis, as columns, of what some rows do not see."""
    if not len(rows):
        return np.eye(rows.shape[1])
    _, sizes, right = np.linalg.svd(rows)
    rank = int((sizes > REDUNDANT * max(float(sizes.max(initial=0.0)), 1e-30)).sum())
    return np.asarray(right[rank:].T)
