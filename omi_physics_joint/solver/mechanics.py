# SPDX-License-Identifier: GPL-3.0-or-later
"""What both integrators share: rates and spring forces of rows, and which rows hold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .loads import Loads
from .rotation import Array
from .state import State
from .system import System

Mask = NDArray[np.bool_]
BRINGING_IN = 0.5
"""s: how long a rest pose that violates its bounds takes to meet them."""


class RowForces(NamedTuple):
    """Forces of springs summed over each row, (rows,) each."""

    total: Array
    limits: Array
    """Without drives."""
    stiffness: Array
    """-dF/dvalue."""
    damping: Array
    """-dF/drate."""


class Bounds(NamedTuple):
    """The rigid bounds at a time, (rows,) each."""

    low: Array
    high: Array
    speed: Array
    """How fast they move."""
    sticky: Mask | None
    """Rows that are being brought in, and held meanwhile; None if there are none."""

    def target(self, side: Array) -> Array:
        """Return the bound that holds: the upper where side is positive."""
        return np.where(side > 0.0, self.high, self.low)

    def sides(self, values: Array) -> Array:
        """Return +1 where the upper bound is nearer, -1 where the lower one is."""
        nearer_high = np.abs(values - self.high) <= np.abs(values - self.low)
        return np.where(nearer_high, 1.0, -1.0)


class Mechanics:
    """Rates, spring forces and bounds of one system; and the springs of where a state stands."""

    def __init__(self, system: System, loads: Loads) -> None:
        self.system = system
        self.loads = loads
        self.inertia = system.bodies.inertia[: system.count]
        self.inertia_root = np.sqrt(self.inertia)
        self.size = len(system)
        self.has_springs = len(system.springs) > 0
        self.only_locks = bool(system.rows.locked.all()) and not self.has_springs
        self.still = np.zeros(self.size)
        self.forces = RowForces(self.still, self.still, self.still, self.still)

    def prepare(self, state: State) -> None:
        """Compute gradients and springs of where a state stands."""
        system = self.system
        system.coordinates.reference[:] = state.reference
        state.values, pose = system.values(state.position, state.rotation)
        system.set_gradients(pose)
        system.forget()
        self.scale_springs()
        state.rates = self.rates(state.velocity, state.time, 1e-9)
        self.forces = self.spring_forces(state.values, state.rates)

    def rates(self, velocity: Array, time: float, step: float) -> Array:
        """Return the rates (rows,) at scaled velocities (dynamic bodies, 6)."""
        rates = self.system.pull(velocity)
        if self.loads.movers:
            moving = self.loads.mover_velocities(time, step)
            ends = moving.take(self.system.rows.bodies, 0)
            rates = rates + (self.system.entries * ends).sum((1, 2))
        return rates

    def scale_springs(self) -> None:
        """Set the effective inertia of drives in acceleration mode for where the joints are."""
        springs = self.system.springs
        if self.has_springs and springs.accelerates.any():
            mass = self.system.effective_inertia(springs.row)
            springs.scale = np.where(springs.accelerates, mass, 1.0)

    def spring_forces(self, values: Array, rates: Array, *, capped: bool = True) -> RowForces:
        """Return what springs do to each row; if not capped, motors beyond their largest force."""
        if not self.has_springs:
            return self.forces
        springs = self.system.springs
        force, k, c = springs.law(values, rates, capped=capped)
        limits = np.where(springs.is_drive, 0.0, force)
        return RowForces(
            *(
                np.bincount(springs.row, w, self.size).astype(np.float64)
                for w in (force, limits, k, c)
            )
        )

    def is_at_most(self, state: State) -> bool:
        """Return whether any drive pulls with its largest force."""
        springs = self.system.springs
        force, _, _ = springs.law(state.values, state.rates)
        return bool((np.abs(force) >= springs.max_force).any())

    def full_slopes(self) -> tuple[Array, Array]:
        """Return stiffness and damping of all springs of each row, wherever they are."""
        springs = self.system.springs
        k, c = springs.stiffness * springs.scale, springs.damping * springs.scale
        stiffness = np.bincount(springs.row, k, self.size).astype(np.float64)
        return stiffness, np.bincount(springs.row, c, self.size).astype(np.float64)

    def bounds(self, state: State, time: float) -> Bounds:
        """Return the bounds that hold at a time.

        What was violated at first comes in along 1 - 3 u^2 + 2 u^3, u = t / 0.5 s: it starts and
        ends at rest, so nothing is jerked; and it is held on the way, so nothing is thrown.
        """
        rows = self.system.rows
        u = (time - state.since) / BRINGING_IN
        if u >= 1.0 or state.excess == 0.0:
            return Bounds(rows.low, rows.high, self.still, None)
        rest = 1.0 - 3.0 * u * u + 2.0 * u * u * u
        speed = (6.0 * u * u - 6.0 * u) / BRINGING_IN
        moving = np.where(state.excess_low == 0.0, state.excess_high, state.excess_low)
        return Bounds(
            rows.low + rest * state.excess_low,
            rows.high + rest * state.excess_high,
            moving * speed,
            rows.limited & (moving != 0.0),
        )

    def stored(self, values: Array) -> float:
        """Return the energy in springs in J at some values of the rows."""
        return float(self.system.springs.energy(values)) if self.has_springs else 0.0

    def is_left_alone(self, state: State) -> bool:
        """Whether nothing feeds energy in, so that it must not grow."""
        feeds = self.loads.movers or self.loads.forces or self.system.springs.is_drive.any()
        return not feeds and state.excess == 0.0

    def without_springs(self) -> Mechanics:
        """Return the same mechanics with no spring in it."""
        bare = Mechanics.__new__(Mechanics)
        bare.__dict__.update(self.__dict__)
        bare.has_springs = False
        bare.forces = RowForces(self.still, self.still, self.still, self.still)
        return bare


def slack(multiplier: Array) -> float:
    """Return the force below which a bound does not count as pulling."""
    return 1e-9 * float(np.abs(multiplier).max(initial=0.0))
