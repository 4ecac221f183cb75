# SPDX-License-Identifier: GPL-3.0-or-later
"""The velocity rows: G V = 0 where a row holds, springs included. The second half of any step.

A bound that is met stops what moves onto it (restitution zero) and never holds it back, so rows
whose impulse would pull are dropped and the rest is solved again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .mechanics import Mechanics
from .rotation import Array
from .state import State
from .system import Inverses, System

Mask = NDArray[np.bool_]
Found = tuple[Array, Array, Array, Array]
"""Scaled velocities, impulses of the solved rows, rates, and impulses of other springs."""
BETA = 1.0 / 12.0
"""Of Newmark's method: see rattle.py."""
ROUNDS = 14
DAMPING_ROUNDS = 12
SETTLED = 1e-10
"""Part of the rates by which the last of those rounds may change them."""


@dataclass(frozen=True, slots=True)
class Mild:
    """Which springs are forces while others are rows."""

    rows: Mask
    others: Array
    """(rows,) impulses of the half step of the others that are no rows either."""


def project_velocities(
    mechanics: Mechanics,
    state: State,
    carried: Array,
    h: float,
    rows: tuple[Array, Mask],
    stiff: Mask | None,
    *,
    springs: bool = True,
) -> None:
    """Give a state the velocities next to those carried over that keep to its rows.

    Args:
        mechanics: with the gradients, and the spring forces of the substep's start.
        state: at its new pose and time; velocity, values, rates, active and impulse are set.
        carried: (dynamic bodies, 6) scaled velocities.
        h: length of the substep in s.
        rows: (rows,) values at the new pose, and (rows,) rigid rows that hold.
        stiff: (rows,) rows whose springs are implicit, or None.
        springs: whether springs act, or have given their impulses by now.
    """
    system, (values, active) = mechanics.system, rows
    springs = springs and mechanics.has_springs
    bounds = mechanics.bounds(state, state.time)
    going: Mask = np.ones(system.islands, bool)
    found: Found | None = None
    for _ in range(ROUNDS):
        solved, compliance, wanted, mild = active, None, bounds.speed, None
        if stiff is not None:
            moves = values, (values - state.values) / h
            solved, compliance, wanted, mild = _implicit(
                mechanics, moves, h, (stiff, active), wanted
            )
        inverse = system.invert(
            None if mechanics.only_locks else solved, compliance, once=not springs
        )
        if springs:
            newer = _with_damping(
                mechanics, state.time, carried, h, (values, wanted, mild), inverse
            )
        else:
            impulse = system.solve(inverse, wanted - mechanics.rates(carried, state.time, h))
            newer = carried + system.push(impulse), impulse, mechanics.still, mechanics.still
        found = newer if found is None else _chosen(system, going, newer, found)
        if mechanics.only_locks:
            break
        held = active & system.rows.limited & np.repeat(going, system.height)
        pull, slack = found[1] * bounds.sides(values), mechanics.slack(found[1])
        pulls = mechanics.pulling(bounds, held, pull, slack)
        if not pulls.any():
            break
        going = np.asarray(pulls.reshape(system.islands, -1).any(1))
        active = active & ~pulls
    assert found is not None  # there is a first round
    velocity, impulse, rates, pushed = found
    if not springs and not mechanics.only_locks:
        rates = mechanics.rates(velocity, state.time, h)
    state.velocity, state.rates, state.values, state.active = velocity, rates, values, active
    state.impulse = state.impulse + impulse + pushed
    if springs:
        drives = mechanics.forces.total - mechanics.forces.limits
        mechanics.forces = mechanics.spring_forces(values, rates)
        drives = drives + mechanics.forces.total - mechanics.forces.limits
        state.impulse = state.impulse - (0.5 * h) * drives


def _chosen(system: System, which: Mask, new: Found, old: Found) -> Found:
    """Return what was found for some islands now, for the others before."""
    chosen = [system.choose(which, one, other) for one, other in zip(new, old, strict=True)]
    return chosen[0], chosen[1], chosen[2], chosen[3]


def _implicit(
    mechanics: Mechanics,
    moves: tuple[Array, Array],
    h: float,
    rows: tuple[Mask, Mask],
    wanted: Array,
) -> tuple[Mask, Array, Array, Mild]:
    """Return which rows are solved for, their compliance and rates, and what other springs do.

    p = h/2 F(e + h e', e') = h/2 (F(e + h r, r) - (k h + c) (e' - r)), r the mean rate of the
    substep. Without a slope, at its largest force, a drive pulls with just that.
    """
    (values, mean), (stiff, active) = moves, rows
    force = mechanics.spring_forces(values + h * mean, mean)
    slope = force.stiffness * h + force.damping
    soft = stiff & ~active & (slope > 0.0)
    safe = np.maximum(slope, 1e-300)
    compliance = np.where(soft, 2.0 / (h * safe), 0.0)
    rates = np.where(soft, force.total / safe + mean, wanted)
    others = (0.5 * h) * np.where(soft, 0.0, force.total)
    return active | soft, compliance, rates, Mild(~stiff | active, others)


def _with_damping(
    mechanics: Mechanics,
    time: float,
    carried: Array,
    h: float,
    targets: tuple[Array, Array, Mild | None],
    inverse: Inverses,
) -> tuple[Array, Array, Array, Array]:
    """Solve with springs that are forces, until their damping agrees with the velocities.

    Returns:
        Scaled velocities, impulses of the solved rows, rates, and impulses of other springs.
    """
    system = mechanics.system
    values, wanted, mild = targets
    estimate = mechanics.rates(carried, time, h)
    going = np.ones(system.islands, bool)
    found: Found | None = None
    for _ in range(DAMPING_ROUNDS):
        force = mechanics.spring_forces(values, estimate).total
        soft = (0.5 * h) * (2.0 * BETA * mechanics.forces.total + (1.0 - 2.0 * BETA) * force)
        if mild is not None:
            soft = np.where(mild.rows, soft, mild.others)
        pushed = carried + system.push(soft)
        impulse = system.solve(inverse, wanted - mechanics.rates(pushed, time, h))
        velocity = pushed + system.push(impulse)
        newer = mechanics.rates(velocity, time, h)
        change = system.most(newer - estimate)
        estimate = newer
        now = velocity, impulse, newer, soft
        found = now if going.all() else _chosen(system, going, now, found or now)
        going &= ~(change < SETTLED * (1.0 + system.most(newer)))
        if not going.any():
            break
    assert found is not None  # there is a first round
    return found
