# SPDX-License-Identifier: GPL-3.0-or-later
"""A step of first order that ends whatever the rows say: many bounds, rows that contradict.

Velocities at its end answer for everything in it: with V = V_n + h f + E^T l springs are where they
will be then and bounds are not passed, l the impulse of each row (Moreau 1988). Then bodies go
there, rows pull the poses back as well as they allow, and velocities are those that lead there:
what swings fast is damped, and not thrown.
"""

from __future__ import annotations

import numpy as np

from ..kinematics.rotation import Array, rotation_vector
from .island import DenseIsland, Evaluated, solved

TRIES, AGAIN = 12, 4
PASSES, PULLS = 1e-9, 1e-12
"""m or rad, and N s or N m s: what bounds let pass, and what pulls at them."""
SURE = 1e-8
"""Part of the square of each row: singular values below 1e-4 do not count."""


def first_order(island: DenseIsland, h: float) -> Array:
    """Take a step of h s; return the impulses of joints (m, 6)."""
    n, (place, turn) = island.system.bodies, island.poses
    place, turn = place[:, :, :n].copy(), turn[:, :, :n].copy()
    island.side[:] = np.where(island.comes_in, island.side, 0)
    poses, _, off = island.project(island.poses, island.velocity, island.held(0.0))
    little = max(SURE, min(1e-2, (off / island.size) ** 2))
    velocity = island.velocity + h * island.free_forces(island.velocity)
    change, wrench = _impulses(island, island.at(poses, velocity), h, little)
    velocity = velocity + change
    there = island.near.displaced(island.near.carried(np.full((1, 1), h), poses), h * velocity)
    for _ in range(AGAIN):
        held = island.held(h)
        there, then, _ = island.project(there, velocity, held)
        sides = _passed(island, then.value, h, PASSES)
        if (sides == island.side).all():
            break
        island.side[:] = sides
    turned = rotation_vector(turn.swapaxes(-1, -2) @ there[1][:, :, :n])
    led = np.concatenate([there[0][:, :, :n] - place, turned], -1) / (h * island.inverse)
    newest = island.fit(island.at(there, led), led, held)
    island.go(there, newest, island.at(there, newest), h)
    return wrench


def _passed(island: DenseIsland, value: Array, time: float, slack: float) -> Array:
    """Return sides (r,) with those of bounds that free rows would pass some seconds from now."""
    low, high = island.bounds(time)
    free = ~island.lock & (island.side == 0)
    over, under = free & (value > high + slack), free & (value < low - slack)
    return np.where(over, 1, np.where(under, -1, island.side))


def _impulses(island: DenseIsland, now: Evaluated, h: float, little: float) -> tuple[Array, Array]:
    """Return by how much velocities change, and the impulses of joints (m, 6).

    Which rows are held is found by trying: what pulls is let go in the first half of the tries.
    """
    lock, comes_in, rows = island.lock, island.comes_in, island.system.element_row
    held_rate, (low, high) = island.held(h).rate, island.bounds(h)
    ahead_by = np.where(island.stiff != 0, max(h, island.horizon), h)
    for number in range(TRIES):
        side, mode = island.side.copy(), island.mode.copy()
        on = lock | (side != 0)
        gives = (np.abs(mode) == 1) & ~on[rows]
        load, ahead, resist = (h * one for one in island.on_rows(now, mode, gives, ahead_by))
        yields = resist > 0.0
        soft = np.where(yields, 1.0 / np.maximum(resist, 1e-300), 0.0)
        left = np.where(side > 0, high - now.value, low - now.value) / h
        target = np.where((side != 0) & ~comes_in, left, held_rate) - now.rate
        wanted = np.where(yields, ahead * soft, target) - now.jacobian @ (load @ now.jacobian)
        impulse = solved(now.jacobian, on | yields, wanted, soft, little)
        change = island.pushed(now, impulse + load)
        rate = now.rate + now.jacobian @ change.reshape(-1)
        then = now._replace(value=now.value + h * rate, rate=np.where(on, 0.0, rate))
        island.side[:] = _passed(island, then.value, h, h * PASSES)
        may_let_go = number < TRIES // 2
        island.side[(side != 0) & ~comes_in & (impulse * side > PULLS) & may_let_go] = 0
        modes = island.wanted(then)
        island.mode[:] = np.where(may_let_go | (modes != 0), modes, mode)
        if (island.side == side).all() and (island.mode == mode).all():
            break
    later = island.element_forces(now._replace(rate=rate), mode, ahead_by)
    return change, island.wrenches(now, np.where(yields, 0.0, impulse), h * later)
