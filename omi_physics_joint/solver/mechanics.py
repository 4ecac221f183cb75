# SPDX-License-Identifier: GPL-3.0-or-later
"""What integrators share: rates and spring forces of rows, which rows hold, and energies."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .loads import Loads
from .rotation import Array
from .state import State
from .system import System

Mask = NDArray[np.bool_]
SLACK = 1e-9
"""Part of the largest multiplier of an island."""
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
    """Rates, spring forces and bounds of one system; and the springs of where a state stands.

    What is kept here and in the system follows from a state, and is renewed where it is not that
    of the state at hand.
    """

    def __init__(self, system: System, loads: Loads) -> None:
        self.system = system
        self.loads = loads
        self.inertia = system.bodies.inertia[: system.count]
        self.inertia_root = np.sqrt(self.inertia)
        self.size = len(system)
        self.has_springs = len(system.springs) > 0
        self.only_locks = bool(system.rows.locked.all()) and not self.has_springs
        self.still = np.zeros(self.size)
        self.is_ready = False
        self.forces = self.no_forces = RowForces(self.still, self.still, self.still, self.still)
        self.is_fed = self._fed()
        """(islands,) whether energy may come from outside."""

    def _fed(self) -> Mask:
        """Return which islands are driven, pulled, or hang from what moves by itself."""
        system, loads = self.system, self.loads
        fed = np.zeros(system.islands, dtype=bool)
        if len(system.springs):
            fed |= self._gives().reshape(system.islands, -1).any(1)
        for force in loads.forces:
            fed[force.body // system.width] = True
        return fed | self.is_moved

    def _gives(self) -> Mask:
        """Return which drives may give more energy than they took.

        They may if they have a speed, or a stiffness, where looking is only worth while for angles
        that leap near half a turn, and what is left to try otherwise is worse.
        """
        springs = self.system.springs
        leaps = self.system.leaps.take(springs.row)
        pulls = (springs.stiffness > 0.0) & (springs.accelerates | ~leaps)
        runs = (springs.damping > 0.0) & (springs.speed != 0.0)
        return np.asarray(springs.is_drive & (pulls | runs))

    @cached_property
    def is_moved(self) -> Mask:
        """(islands,) whether joints lead to what moves by itself."""
        moving = [mover.body for mover in self.loads.movers.movers]
        ends = np.isin(self.system.frames.ends, moving).reshape(2, self.system.islands, -1)
        return np.asarray(ends.any((0, 2)))

    def prepare(self, state: State) -> None:
        """Compute values, rates and gradients of where a state stands, with none before."""
        system = self.system
        system.coordinates.reference[:] = state.reference
        state.values, pose = system.values(state.position, state.rotation)
        system.set_gradients(pose)
        system.forget()
        state.gradients = state.gradients_before = system.entries
        self.is_ready = True
        self.scale_springs()
        state.rates = self.rates(state.velocity, state.time, 1e-9)
        self.forces = self.spring_forces(state.values, state.rates)

    def adopt(self, state: State) -> None:
        """Take over gradients and springs of where a state stands, if they are not here."""
        system = self.system
        here = system.entries is state.gradients and system.before is state.gradients_before
        if here and self.is_ready:
            return
        self.is_ready = True
        system.coordinates.reference[:] = state.reference
        system.take_gradients(state.gradients_before)
        system.take_gradients(state.gradients)
        self.scale_springs()
        self.forces = self.spring_forces(state.values, state.rates)

    def rates(self, velocity: Array, time: float, step: float) -> Array:
        """Return the rates (rows,) at scaled velocities (dynamic bodies, 6)."""
        rates = self.system.pull(velocity)
        if self.loads.movers:
            moving = self.loads.movers.velocities(time, step)
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
            return self.no_forces
        springs = self.system.springs
        force, k, c = springs.law(values, rates, capped=capped)
        limits = np.where(springs.is_drive, 0.0, force)
        return RowForces(
            *(
                np.bincount(springs.row, w, self.size).astype(np.float64)
                for w in (force, limits, k, c)
            )
        )

    def is_at_most(self, state: State) -> Mask:
        """Return which islands have a drive that pulls with its largest force."""
        springs = self.system.springs
        force, _, _ = springs.law(state.values, state.rates)
        full = np.abs(force) >= springs.max_force
        return np.asarray(full.reshape(self.system.islands, -1).any(1))

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
        if u >= 1.0 or not state.excess.any():
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

    def stored(self, values: Array) -> Array:
        """Return the energy in the springs of each island in J at some values of the rows."""
        if not self.has_springs:
            return np.zeros(self.system.islands)
        held = self.system.springs.energy(values)
        return np.asarray(held.reshape(self.system.islands, -1).sum(1))

    def energy(self, state: State) -> tuple[Array, Array]:
        """Return the kinetic energy of each island, and the potential one with springs, in J."""
        velocity = state.velocity
        kinetic = 0.5 * (velocity * velocity).reshape(self.system.islands, -1).sum(1)
        fallen = self.loads.weight * state.position[: self.system.count]
        fallen = fallen.reshape(self.system.islands, -1).sum(1)
        return kinetic, self.stored(state.values) - fallen

    def is_left_alone(self, state: State) -> Mask:
        """Return for which islands nothing feeds energy in, so that it must not grow."""
        return np.asarray(~self.is_fed & (state.excess == 0.0))

    def slack(self, multiplier: Array) -> Array:
        """Return for each row the force below which a bound does not count as pulling."""
        return np.repeat(SLACK * self.system.most(multiplier), self.system.height)

    def pulling(self, bounds: Bounds, held: Mask, pull: Array, slack: Array) -> Mask:
        """Return which held bounds pull by more than the slack, and may let go.

        Args:
            bounds: at the time.
            held: (rows,) rigid bounds that hold.
            pull: (rows,) multipliers, positive where they pull.
            slack: (rows,).
        """
        pulls = held & (pull > slack)
        return pulls if bounds.sticky is None else pulls & ~bounds.sticky
