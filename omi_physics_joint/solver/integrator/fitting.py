# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses onto rows that may contradict each other, as well as they allow (Levenberg, Marquardt).

Never worse than before: a move that does not bring rows nearer is halved. Rows may pull bodies over
bounds that were not met before: those are held as well.
"""

from __future__ import annotations

import numpy as np

from ..kinematics.coordinates import Rows
from ..kinematics.rotation import Array, Mask
from .lanes import HOLDS, Held, Lanes, Sides

SURE = 1e-8
"""Part of the square of each row: singular values below 1e-4 do not count."""
FITS = 16
HALVINGS = 5
FARTHEST = 0.5
"""m over the size, or rad, that a fit may move a body at once."""
AGAIN = 4
PASSES = 1e-9
"""m or rad, and a second."""


def fit_well(
    lanes: Lanes, position: Array, rotation: Array, held: Held
) -> tuple[Array, Array, Array]:
    """Return the pose onto the rows as well as can be, and how far (L,) it is off."""
    shape = lanes.shape
    count = lanes.count
    best = np.full(count, np.inf)
    kept, pose = (position, rotation), lanes.pose(position, rotation)
    halvings = np.zeros(count, int)
    going = np.ones(count, bool)
    by = np.zeros((count, 1, shape.bodies, 6))
    for done in range(FITS + 1):
        off = lanes.residual(pose.value, held)[:, 0]
        better = going & (off < best)
        kept = _chosen(better, position, kept[0]), _chosen(better, rotation, kept[1])
        best = np.where(better, off, best)
        halvings = np.where(better, 0, halvings + 1)
        going &= ~(better & (off < HOLDS)) & (halvings <= HALVINGS)
        if done == FITS or not going.any():
            break
        little = np.maximum(SURE, np.square(off / shape.size))
        newer, _ = lanes.factor(pose, little=little[:, None]).solve(0.0, held.value - pose.value, 1)
        way = np.abs(newer * shape.inverse)
        way[..., :3] /= shape.size[:, None, None, None]
        most = way.reshape(count, -1).max(-1)
        newer *= np.where(most > FARTHEST, FARTHEST / most, 1.0)[:, None, None, None]
        by = _chosen(better, newer, 0.5 * by)
        position, rotation = lanes.displaced(*kept, by * going[:, None, None, None])
        pose = lanes.pose(position, rotation)
    return *kept, best


def onto_rows(
    lanes: Lanes, position: Array, rotation: Array, side: Sides, h: Array
) -> tuple[Array, Array, Rows, Held]:
    """Return the pose on the rows, and what they are held at, after h (L,) seconds.

    Rows may pull bodies over bounds that were not met before: these are held as well, in side.
    """
    shape = lanes.shape
    passed = np.ones(lanes.count, bool)
    for _ in range(AGAIN):
        lanes.set_sides(side)
        held = lanes.held(h[:, None])
        there, turned, _ = fit_well(lanes, position, rotation, held)
        position, rotation = _chosen(passed, there, position), _chosen(passed, turned, rotation)
        pose = lanes.pose(position, rotation)
        value = pose.value[:, 0]
        low, high = (bound[:, 0] for bound in lanes.bounds(h[:, None]))
        over, under = value > high + PASSES, value < low - PASSES
        free = (side == 0) & ~shape.lock & (over | under)
        passed = free.any(-1)
        if not passed.any():
            break
        side[free] = np.where(over, 1, -1)[free]
    return position, rotation, pose, held


def _chosen(which: Mask, one: Array, other: Array) -> Array:
    """Return one where a lane is chosen, else the other."""
    return np.where(which.reshape(-1, *([1] * (one.ndim - 1))), one, other)
