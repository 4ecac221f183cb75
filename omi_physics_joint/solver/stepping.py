# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal islands that step alike: how many substeps they want, and steps by each method."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .gauss import Gauss
from .loads import Loads
from .mechanics import BRINGING_IN, Mechanics
from .rattle import TOLERANCE, Rattle
from .report import Method
from .rotation import Array, orthonormalized
from .state import State
from .stiff import Stiff
from .system import System
from .trees import layout_of
from .velocities import project_velocities

Mask = NDArray[np.bool_]
Index = NDArray[np.intp]
TURN = 0.085
"""rad that a body may turn in one substep."""
TURN_OF_TREES = 0.5
"""rad that a body may turn in one step of trees (gauss.py)."""
SWING = 0.8
"""Largest omega h of the pendulum that the load on a joint makes of a body."""
SPRING = 0.13
"""Largest omega h, and c h / m, of springs that are to be followed exactly."""
CAPPED = 8
"""Substeps while a stiff drive pulls with all that it may: when it stops doing so counts."""
RESOLVED = 2.6
"""omega h of the output step beyond which a spring is not followed but settled: what the most
substeps resolve."""
STIFF = 0.6
"""k h^2 / m or c h / m beyond which a spring is an implicit row in its substep."""
CLOSED = 1e-6
"""m by which joints may be apart that trees close at once, and not along a curve."""
TOUCH = 1e-9
"""m or rad within which a bound counts as reached at the start."""
MOST = 20
"""Substeps that the solver chooses by itself, retries aside."""
GROWTH = 0.004
"""Part of the moving and stored energy that one step may gain where nothing drives."""


class Stepper:
    """Steps states of one system. What it keeps may be lost: it follows from the state at hand."""

    def __init__(self, system: System, loads: Loads) -> None:
        self.system = system
        self.loads = loads
        self.mechanics = Mechanics(system, loads)
        self.rattle = Rattle(self.mechanics)
        self.stiff = Stiff(self.mechanics)

    @cached_property
    def gauss(self) -> Gauss | None:
        """The method of trees, where all islands are trees of ball joints."""
        layout = layout_of(self.system)
        return None if layout is None else Gauss(self.system, layout, self.loads)

    def arrive(self, state: State) -> None:
        """Prepare a state that no step left; of trees, compute what their steps leave out."""
        if self.loads.movers:
            state.position, state.rotation = state.position.copy(), state.rotation.copy()
            self.loads.movers.place(state.time, state.position, state.rotation)
        self.mechanics.prepare(state)
        if self.gauss is not None and state.bare.any():
            self.gauss.bear(state)
            state.turning = state.velocity[:, 3:] * self.system.inverse_inertia_root
            state.turning_before = state.turning
        state.bare = np.zeros_like(state.bare)

    def make_consistent(self, state: State) -> None:
        """Take out of the initial velocities what the joints do not allow."""
        mechanics, all_rows = self.mechanics, self.system.rows
        self.arrive(state)
        if mechanics.size:
            bounds = mechanics.bounds(state, state.time)
            touching = (state.values >= bounds.high - TOUCH) | (state.values <= bounds.low + TOUCH)
            active = all_rows.locked | (all_rows.limited & touching)
            rows = state.values, active
            project_velocities(mechanics, state, state.velocity, 1e-3, rows, None, springs=False)
            mechanics.prepare(state)
        state.impulse = mechanics.still
        state.turning = state.velocity[:, 3:] * self.system.inverse_inertia_root
        state.turning_before = state.turning

    def run(self, state: State, h: float, count: int, method: Method) -> Mask:
        """Advance a state by so many substeps of h seconds.

        Args:
            state: all its islands have had steps of the same lengths.
            h: s.
            count: number of substeps.
            method: STIFF is for an island alone.

        Returns:
            (islands,) for which it went well; the state of others is worth nothing.
        """
        mechanics, before = self.mechanics, self.mechanics.energy(state)
        with np.errstate(all="ignore"):
            if state.bare.any():
                self.arrive(state)
            mechanics.adopt(state)
            state.impulse = mechanics.still
            state.guess_span = np.zeros(self.system.islands)
            self.rattle.stiff = self.stiff_rows(h)
            done = np.ones(self.system.islands, bool)
            for _ in range(count):
                if method is Method.STIFF:
                    done &= self.stiff.step(state, h)
                else:
                    done &= self.rattle.step(state, h)
                if not done.any():
                    return done
            n = self.system.count
            state.rotation = state.rotation.copy()
            state.rotation[:n] = orthonormalized(state.rotation[:n])
            # A sum of squares is no number where one of them is none.
            seen = state.position[:n], state.rotation[:n], state.velocity
            for each in seen:
                done &= np.isfinite((each * each).reshape(len(done), -1).sum(1))
            if method is not Method.STIFF:
                done &= self.keeps_energy(state, before)
        return done

    def keeps_energy(self, state: State, before: tuple[Array, Array]) -> Mask:
        """Return which islands have no more energy than they may have.

        RATTLE's energy swings a little; what explodes doubles it. At the end of a bounce nothing
        moves and all is stored, so both count.
        """
        mechanics = self.mechanics
        left_alone = mechanics.is_left_alone(state)
        if not left_alone.any():
            return ~left_alone
        kinetic, potential = mechanics.energy(state)
        scale = np.maximum(before[0], kinetic) + mechanics.stored(state.values)
        weight = np.abs(self.loads.weight).reshape(len(scale), -1).sum(1)
        noise = 1e-9 + TOLERANCE * weight  # rows hold to that
        gain = (kinetic + potential) - (before[0] + before[1])
        return np.asarray(~left_alone | (gain <= GROWTH * scale + noise))

    def moves_trees(self, state: State) -> Mask:
        """Return which islands hang in trees of ball joints from what stands still."""
        if self.gauss is None:
            return np.zeros(self.system.islands, bool)
        closed = (state.excess <= CLOSED) | (state.time - state.since >= BRINGING_IN)
        return np.asarray(closed & ~self.mechanics.is_moved)

    def substeps_of_trees(self, state: State, dt: float) -> Index:
        """Choose the numbers of steps of trees from how fast things turn: (islands,)."""
        return _counted(self._fastest(state) * dt / TURN_OF_TREES)

    def substeps(self, state: State, dt: float) -> Index:
        """Choose the numbers of substeps from how fast things turn, swing and vibrate: (islands,).

        Args:
            state: of which all are wanted.
            dt: s, length of the output step.
        """
        system, springs = self.system, self.system.springs
        wanted = self._fastest(state) * dt / TURN
        if len(system):
            wanted = np.maximum(wanted, self.swing_rate(state) * dt / SWING)
        if len(springs):
            self.mechanics.adopt(state)
            stiffness, damping = self.spring_rates()
            # Where a force is cut off or sets in, a step errs by more than within a spring.
            kinks = np.where(np.isfinite(springs.max_force), 1.6, 1.0)
            for rate in (np.sqrt(stiffness) * dt, damping * dt):
                near = np.where(rate <= RESOLVED, rate * kinks, 0.0) / SPRING
                wanted = np.maximum(wanted, system.most(near))
                capped = np.isfinite(springs.max_force) & (rate > RESOLVED)
                if capped.any():
                    full = capped.reshape(system.islands, -1).any(1)
                    full &= self.mechanics.is_at_most(state)
                    wanted = np.maximum(wanted, CAPPED * full)
        return _counted(wanted)

    def _fastest(self, state: State) -> Array:
        spin = state.velocity[:, 3:] * self.system.inverse_inertia_root
        return np.asarray(np.sqrt((spin * spin).sum(1).reshape(self.system.islands, -1).max(1)))

    def swing_rate(self, state: State) -> Array:
        """Return the fastest rates at which loads on joints make bodies swing, (islands,) rad/s.

        A body that is pulled with F at an arm r swings with omega^2 = F r / I.
        """
        coordinates = self.system.coordinates
        n, count = self.system.count, coordinates.count
        part = self.system.rows.coordinate < 3
        load = np.zeros(count)
        np.add.at(load, self.system.rows.joint[part], state.multiplier[part] ** 2)
        load = np.sqrt(load)
        arms = np.sqrt((coordinates.anchors[:, :, 0] ** 2).sum(1))
        ends = coordinates.ends
        on = ends < n
        pull = np.zeros(n)
        np.add.at(pull, ends[on], (np.concatenate([load, load]) * arms)[on])
        rate = pull / self.mechanics.inertia.max(1)
        return np.asarray(np.sqrt(rate.reshape(self.system.islands, -1).max(1)))

    def spring_rates(self) -> tuple[Array, Array]:
        """Return k / m and c / m of every spring, m the inertia that it moves."""
        springs = self.system.springs
        inertia = self.system.effective_inertia(springs.row)
        scale = np.where(springs.accelerates, inertia, 1.0) / inertia
        return springs.stiffness * scale, springs.damping * scale

    def stiff_rows(self, h: float) -> Mask | None:
        """Return which rows have springs too stiff for the substep, or None if there are none."""
        springs = self.system.springs
        if not len(springs):
            return None
        stiffness, damping = self.spring_rates()
        hard = stiffness * (h * h) + damping * h > STIFF
        if not hard.any():
            return None
        rows = np.zeros(len(self.system), bool)
        rows[springs.row[hard]] = True
        return rows


def _counted(wanted: Array) -> Index:
    # Numbers whose squares are beyond all numbers want all that there is.
    wanted = np.where(np.isfinite(wanted), wanted, MOST)
    return np.clip(np.ceil(wanted - 1e-9), 1, MOST).astype(np.intp)
