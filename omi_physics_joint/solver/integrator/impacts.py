# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds that are touched: velocities after the impact, and which of them bear.

Restitution is zero. Impulses l push off bounds and rates c leave them, l c = 0: a linear
complementarity problem, solved by pivoting: what pulls is let go, what would be passed is held.
Then the same with forces and accelerations for what is at rest there.
"""

from __future__ import annotations

import numpy as np

from ..kinematics.rotation import Array, Mask
from .accelerations import accelerations, shared_evenly, wrenches
from .events import pulls
from .lanes import Lanes, Sides

TOUCH = 1e-8
"""m or rad: within it a bound is touched."""
STILL = 1e-6
"""m/s or rad/s."""
_APPROACH, _PASSES, _PRESSES = 1e-9, 1e-7, 1e-9


def meet_bounds(lanes: Lanes) -> tuple[Array, Sides, Array]:
    """Return velocities (L, n, 6), sides (L, r) and the joints' impulses (L, m, 6) afterwards."""
    shape, state = lanes.shape, lanes.state
    pose = lanes.now()
    value = pose.value[:, 0]
    velocity = state.velocity[:, None]
    before = lanes.rate(pose, velocity)
    low, high = (bound[:, 0] for bound in lanes.bounds(np.zeros((lanes.count, 1))))
    above, below = value >= high - TOUCH, value <= low + TOUCH
    touched = np.where(shape.lock, 0, np.where(above, 1, np.where(below, -1, 0)))
    lanes.set_sides(touched)
    held = lanes.held(0.0)
    # As the bounds themselves go.
    rate = (before - held.rate)[:, 0]
    always = shape.lock | (lanes.comes_in & (state.side != 0) & (state.span[:, 2:3] > 0.0))
    touched = np.where(always, 0, touched)
    free = touched != 0
    active = always | (free & ((touched * rate > _APPROACH) | (state.side != 0)))
    most = 4 * shape.rows + 4
    for _ in range(most):
        change, impulse = lanes.factor(pose, active).solve(0.0, held.rate - before, shape.rounds)
        after = rate + shape.algebra.pull(pose.entry, change)[:, 0]
        if not _pivoted(active, touched, impulse[:, 0], after, free, _PASSES):
            break
    velocity = velocity + change
    lanes.active = active
    wrench = wrenches(lanes, pose, shared_evenly(lanes, pose, impulse, held.off))[:, 0]
    rests = np.abs((lanes.rate(pose, velocity) - held.rate)[:, 0]) <= STILL
    lanes.active = always | (free & rests)
    for _ in range(most):
        now = accelerations(lanes, pose, velocity, held)
        ahead = now.drift - held.acceleration
        after = (ahead + shape.algebra.pull(pose.entry, now.acceleration))[:, 0]
        if not _pivoted(lanes.active, touched, now.force[:, 0], after, free & rests, _PRESSES):
            break
    side = np.where(always, state.side, np.where(lanes.active, touched, 0))
    side = np.where(shape.lock, 0, side)
    return velocity[:, 0], side.astype(np.int32), wrench


def _pivoted(
    active: Mask, touched: Sides, force: Array, after: Array, free: Mask, slack: float
) -> bool:
    """Let go of what pulls, or else hold what is passed; say whether there was any."""
    on = np.where(active, force, 0.0)
    pulled = active & (touched != 0) & (on * touched > pulls(on)[:, None])
    lets_go = pulled.any(-1)
    passed = free & ~active & (after * touched > slack) & ~lets_go[:, None]
    active &= ~pulled
    active |= passed
    return bool(lets_go.any() or passed.any())
