# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds that are touched: velocities after the impact, and which of them bear.

Restitution is zero. Impulses l push off bounds and rates c leave them, l c = 0: a linear
complementarity problem, solved by pivoting: what pulls is let go, what would be passed is held.
Then the same with forces and accelerations for what is at rest there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..kinematics.rotation import Array, Mask
from .island import DenseIsland, solved

TOUCH = 1e-8
"""m or rad: within it a bound is touched."""
STILL, APPROACHES, PASSES_BY, PRESSES = 1e-6, 1e-9, 1e-7, 1e-9
"""m/s or rad/s, and the last one a second more."""


def pulls(force: Array) -> float:
    """Return from which force on a bound is one that pulls, of forces (r,)."""
    return 1e-12 + 1e-9 * float(np.abs(force).max(initial=0.0))


def touch(island: DenseIsland) -> Array:
    """Change velocities and sides of an island; return impulses of joints (m, 6)."""
    now, lock, before = island.at(island.poses, island.velocity), island.lock, island.side.copy()
    low, high = island.bounds(0.0)
    above, below = now.value >= high - TOUCH, now.value <= low + TOUCH
    island.side[:] = touched = np.where(lock, 0, np.where(above, 1, np.where(below, -1, 0)))
    always = lock | (island.comes_in & (before != 0) & (island.span[2] > 0.0))
    touched = np.where(always, 0, touched)
    free, held = touched != 0, island.held(0.0)
    rate = now.rate - held.rate  # as the bounds themselves go
    active = always | (free & ((touched * rate > APPROACHES) | (before != 0)))

    def impulses(on: Mask) -> tuple[Array, Array]:
        force = solved(now.jacobian, on, -rate)
        return force, rate + now.jacobian @ (force @ now.jacobian)

    def hold(on: Mask) -> None:
        island.side[:] = np.where(on & free, touched, np.where(always & ~lock, before, 0))

    impulse = _pivoted(active, touched, free, PASSES_BY, impulses)
    island.state.velocity[:] += island.pushed(now, impulse)[0]
    hold(active)
    wrench = island.wrenches(now, impulse, np.zeros(island.system.elements))
    then = island.at(island.poses, island.velocity)
    rests = free & (np.abs(then.rate - held.rate) <= STILL)
    active = always | rests

    def forces(on: Mask) -> tuple[Array, Array]:
        hold(on)
        moving = island.accelerate(then, island.velocity, island.held(0.0))
        ahead = then.drift - held.acceleration
        return moving.force, then.jacobian @ moving.acceleration.reshape(-1) + ahead

    _pivoted(active, touched, rests, PRESSES, forces)
    hold(active)
    return wrench


def _pivoted(
    active: Mask,
    touched: Array,
    free: Mask,
    slack: float,
    solve: Callable[[Mask], tuple[Array, Array]],
) -> Array:
    """Let go of what pulls, or else hold what is passed, in ``active``; return the forces then."""
    for _ in range(4 * len(active) + 4):
        force, after = solve(active)
        pulled = active & (touched != 0) & (force * touched > pulls(force))
        passed = free & ~active & (after * touched > slack) & ~pulled.any()
        if not (pulled | passed).any():
            break
        active ^= pulled | passed
    return force
