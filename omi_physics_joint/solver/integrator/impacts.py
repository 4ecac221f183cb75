# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds that are touched: velocities after the impact, and which of them bear.

Restitution is zero. Impulses l push off bounds and rates c leave them, l c = 0: a linear
complementarity problem, solved by pivoting: what pulls is let go, what would be passed is held.
Then the same with forces and accelerations for what is at rest there.
"""

from __future__ import annotations

import numpy as np

from ..kinematics.rotation import Array
from .accelerations import accelerations, shared_evenly, wrenches
from .events import pulls
from .lanes import Lanes, Mask, Sides

TOUCH = 1e-8
"""m or rad: within it a bound is touched."""
STILL = 1e-6
"""m/s or rad/s."""
_APPROACH, _PASSES, _PRESSES = 1e-9, 1e-7, 1e-9


def meet_bounds(lanes: Lanes) -> tuple[Array, Sides, Array]:
    """Return velocities (L, n, 6), sides (L, r) and the joints' impulses (L, m, 6) afterwards."""
    shape, state = lanes.shape, lanes.state
    held = lanes.held(0.0)
    pose = lanes.pose(state.position[:, None], state.rotation[:, None])
    value = pose.value[:, 0]
    velocity = state.velocity[:, None]
    before = lanes.rate(pose, velocity)
    rate = before[:, 0]
    sticky = np.zeros(value.shape, bool) if lanes.sticky is None else lanes.sticky
    above, below = value >= shape.high - TOUCH, value <= shape.low + TOUCH
    touched = np.where(above, 1, np.where(below, -1, 0))
    touched = np.where(shape.lock, 0, touched)
    touched = np.where(sticky, np.where(state.excess > 0.0, 1, -1), touched)
    always = shape.lock | sticky
    active = always | ((touched != 0) & ((touched * rate > _APPROACH) | (state.side != 0)))
    algebra = shape.algebra
    entries = algebra.entries(pose.jacobian)
    most = 4 * shape.rows + 4
    for _ in range(most):
        factor = algebra.factor(entries, active, None, shape.little)
        change, impulse = factor.solve(None, held.rate - before, shape.rounds)
        after = rate + algebra.pull(entries, change)[:, 0]
        free = touched != 0
        if not _pivoted(active, touched, sticky, impulse[:, 0], after, free, _PASSES):
            break
    velocity = velocity + change.reshape(velocity.shape)
    lanes.active = active
    wrench = wrenches(lanes, pose, shared_evenly(lanes, pose, impulse, held.off))[:, 0]
    rate = lanes.rate(pose, velocity)[:, 0]
    rests = np.abs(rate) <= STILL
    lanes.active = always | ((touched != 0) & (np.abs(rate) < STILL))
    for _ in range(most):
        now = accelerations(lanes, pose, velocity, held)
        acceleration = now.acceleration.reshape(lanes.count, 1, -1)
        after = now.drift[:, 0] + algebra.pull(entries, acceleration)[:, 0]
        free = (touched != 0) & rests
        if not _pivoted(lanes.active, touched, sticky, now.force[:, 0], after, free, _PRESSES):
            break
    side = np.where(lanes.active & ~shape.lock, touched, 0).astype(np.int32)
    return velocity[:, 0], side, wrench


def _pivoted(
    active: Mask,
    touched: Sides,
    sticky: Mask,
    force: Array,
    after: Array,
    free: Mask,
    slack: float,
) -> bool:
    """Let go of what pulls, or else hold what is passed; say whether there was any."""
    on = np.where(active, force, 0.0)
    pulled = active & (touched != 0) & ~sticky & (on * touched > pulls(on)[:, None])
    lets_go = pulled.any(-1)
    passed = free & ~active & (after * touched > slack) & ~lets_go[:, None]
    active &= ~pulled
    active |= passed
    return bool(lets_go.any() or passed.any())
