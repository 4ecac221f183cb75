# SPDX-License-Identifier: GPL-3.0-or-later
"""A step of first order that ends whatever the rows say: many bounds, rows that contradict.

Velocities at its end answer for everything in it: with V = V_n + h f + E^T l springs are where they
will be then and bounds are not passed, l the impulse of each row (Moreau 1988). Then bodies go
there, rows pull the poses back as well as they allow, and velocities are those that lead there:
what swings fast is damped, and not thrown. In the kernel bodies go without most impulses of rows,
as its steps are longer than these, and get back what projections take of momenta; here not.
"""

from __future__ import annotations

import numpy as np

from ..kinematics.rotation import Array, rotation_vector
from .island import SURE, DenseIsland, Evaluated

TRIES, AGAIN = 12, 4
PASSES, PULLS = 1e-9, 1e-12
"""m or rad, and N s or N m s: what bounds let pass, and what pulls at them."""


def first_order(island: DenseIsland, h: float) -> None:
    """Take a step of h s."""
    n, (place, turn) = island.system.bodies, (one.copy() for one in island.poses)
    island.side[:] = np.where(island.comes_in, island.side, 0)
    poses, _, _, off = island.project(island.poses, island.velocity, 0.0)
    eps = max(SURE**2, min(1e-2, (off / island.size) ** 2))
    acceleration, wrench = _accelerated(island, island.at(poses, island.velocity), h, eps)
    velocity = island.velocity + h * acceleration
    there = island.rows.displaced(island.rows.carried(h, poses), h * velocity)
    for _ in range(AGAIN):
        there, then, _, _ = island.project(there, velocity, h)
        passed = island.passed(then.value, h, PASSES)
        island.side[:] = np.where(island.active, island.side, passed)
    turned = rotation_vector(turn[:, :, :n].swapaxes(-1, -2) @ there[1][:, :, :n])
    led = np.concatenate([(there[0] - place)[:, :, :n], turned], -1) / (h * island.inverse)
    island.go(*island.project(there, led, h, 0)[:3], h, wrench)
    island.first_order += 1


def _accelerated(island: DenseIsland, now: Evaluated, h: float, eps: float) -> tuple[Array, Array]:
    """Return scaled accelerations, and the impulses of joints (m, 6).

    Which rows are active is found by trying: what pulls is let go in the first half of the tries.
    """
    now = now._replace(drift=0.0 * now.drift)  # E V+ = g' is of rates, in which it has no part
    for number in range(TRIES):
        active, bears = island.active, (island.side != 0) & ~island.comes_in
        goal, rate, _ = island.goals(h)
        goal = (np.where(bears, (goal - now.value) / h, rate) - now.rate) / h  # as acceleration
        found, force, own, bend = island.accelerate(now, island.velocity, goal, h, eps)
        rate = now.rate + h * bend
        then = now._replace(value=now.value + h * rate, rate=np.where(active, 0.0, rate))
        may_let_go = number < TRIES // 2
        side = np.where(active, island.side, island.passed(then.value, h, h * PASSES))
        side[bears & (h * force * side > PULLS) & may_let_go] = 0
        mode = island.wanted(then, 0.0 * rate)
        mode = np.where(may_let_go | (mode != 0), mode, island.mode)
        if (island.side == side).all() and (island.mode == mode).all():
            break
        island.side[:], island.mode[:] = side, mode
    return found, h * island.wrenches(now, force, own)
