# SPDX-License-Identifier: GPL-3.0-or-later
"""The velocity rows: G V = 0 where a row holds, springs included. The second half of any step.

A bound that is met stops what moves onto it (restitution zero) and never holds it back, so rows
whose impulse would pull are dropped and the rest is solved again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .mechanics import Bounds, Mechanics, slack
from .rotation import Array
from .state import State

Mask = NDArray[np.bool_]
BETA = 1.0 / 12.0
"""Of Newmark's method: see rattle.py."""
ROUNDS = 14
DAMPING_ROUNDS = 12


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
    values: Array,
    active: Mask,
    stiff: Mask | None,
) -> None:
    """Give a state the velocities next to those carried over that keep to its rows.

    Args:
        mechanics: with the gradients, and the spring forces of the substep's start.
        state: at its new pose and time; velocity, values, rates, active and impulse are set.
        carried: (dynamic bodies, 6) scaled velocities.
        h: length of the substep in s.
        values: (rows,) at the new pose.
        active: (rows,) rigid rows that hold.
        stiff: (rows,) rows whose springs are implicit, or None.
    """
    system, rows = mechanics.system, mechanics.system.rows
    bounds = mechanics.bounds(state, state.time)
    velocity, impulse, rates = carried, mechanics.still, mechanics.still
    pushed = mechanics.still
    mean = (values - state.values) / h
    for _ in range(ROUNDS):
        solved, compliance, wanted = active, None, bounds.speed
        mild = None
        if stiff is not None:
            # p = h/2 F(e + h e', e') = h/2 (F(e + h r, r) - (k h + c) (e' - r)), r the mean rate of
            # the substep. Without a slope, at its largest force, a drive pulls with just that.
            force = mechanics.spring_forces(values + h * mean, mean)
            slope = force.stiffness * h + force.damping
            soft = stiff & ~active & (slope > 0.0)
            solved = active | soft
            safe = np.maximum(slope, 1e-300)
            compliance = np.where(soft, 2.0 / (h * safe), 0.0)
            wanted = np.where(soft, force.total / safe + mean, wanted)
            at_most = np.where(soft, 0.0, force.total)
            mild = Mild(~stiff | active, (0.5 * h) * at_most)
        inverse = system.invert(
            None if mechanics.only_locks else solved, compliance, once=not mechanics.has_springs
        )
        if mechanics.has_springs:
            velocity, impulse, rates, pushed = _with_damping(
                mechanics, state.time, carried, h, (values, wanted, mild), inverse
            )
        else:
            rates = mechanics.rates(carried, state.time, h)
            impulse = system.solve(inverse, wanted - rates)
            velocity = carried + system.push(impulse)
        if mechanics.only_locks:
            break
        pulls = _pulling(bounds, values, impulse, active & rows.limited)
        if not pulls.any():
            break
        active = active & ~pulls
    if not mechanics.only_locks and not mechanics.has_springs:
        rates = mechanics.rates(velocity, state.time, h)
    state.velocity, state.rates, state.values, state.active = velocity, rates, values, active
    state.impulse = state.impulse + impulse + pushed
    if mechanics.has_springs:
        drives = mechanics.forces.total - mechanics.forces.limits
        mechanics.forces = mechanics.spring_forces(values, rates)
        drives = drives + mechanics.forces.total - mechanics.forces.limits
        state.impulse = state.impulse - (0.5 * h) * drives


def _pulling(bounds: Bounds, values: Array, impulse: Array, held: Mask) -> Mask:
    """Return which held bounds would pull."""
    pulls = held & (impulse * bounds.sides(values) > slack(impulse))
    return pulls if bounds.sticky is None else pulls & ~bounds.sticky


def _with_damping(
    mechanics: Mechanics,
    time: float,
    carried: Array,
    h: float,
    targets: tuple[Array, Array, Mild | None],
    inverse: object,
) -> tuple[Array, Array, Array, Array]:
    """Solve with springs that are forces, until their damping agrees with the velocities.

    Returns:
        Scaled velocities, impulses of the solved rows, rates, and impulses of other springs.
    """
    system = mechanics.system
    values, wanted, mild = targets
    estimate = mechanics.rates(carried, time, h)
    velocity, impulse, soft = carried, mechanics.still, mechanics.still
    for _ in range(DAMPING_ROUNDS):
        force = mechanics.spring_forces(values, estimate).total
        soft = (0.5 * h) * (2.0 * BETA * mechanics.forces.total + (1.0 - 2.0 * BETA) * force)
        if mild is not None:
            soft = np.where(mild.rows, soft, mild.others)
        pushed = carried + system.push(soft)
        impulse = system.solve(inverse, wanted - mechanics.rates(pushed, time, h))  # type: ignore[arg-type]
        velocity = pushed + system.push(impulse)
        newer = mechanics.rates(velocity, time, h)
        change = float(np.abs(newer - estimate).max(initial=0.0))
        estimate = newer
        if change < 1e-10 * (1.0 + float(np.abs(newer).max(initial=0.0))):
            break
    return velocity, impulse, estimate, soft
