# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine in NumPy: the same steps as the kernel's, and the derivations of what it does."""

from __future__ import annotations

from math import pi

import numpy as np

from ..dynamics.shape import Shape
from ..integrator.impacts import meet_bounds
from ..integrator.lanes import Lanes
from ..integrator.output_step import OutputStep
from ..kinematics.rotation import Array, quaternion_of
from ..state import State
from ..system import RowKind, System
from .engine import Engine, Stepper, StepResult

FRAME = 1.0 / 60.0
"""s: the length of an output step before there was any."""


def on_a_turn(system: System, value: Array) -> Array:
    """Return values (N, r) with twists on the turn on which they are least outside their ranges."""
    twists = (system.kind == RowKind.FREE) & system.twisting
    least, out = np.full(value.shape, np.inf), value
    for turns in (0.0, 2.0 * pi, -2.0 * pi):
        v = value + turns
        off = _outside(v, system.low, system.high)
        for e in np.flatnonzero(system.one_sided):
            row = system.element_row[e]
            off[:, row] += _outside(v[:, row], system.soft_low[:, e], system.soft_high[:, e])
        better = twists & (off < least - 1e-9)
        least, out = np.where(better, off, least), np.where(better, v, out)
    return out


def begin_rows(system: System, shape: Shape, state: State, *, continued: bool) -> None:
    """Prepare a state of which only poses are known: values, quaternions and turns of its rows.

    Where it goes on from others, these are known as well, but for rounding.
    """
    state.span[:] = state.excess[:] = state.impulse[:] = 0.0
    state.side[:] = state.mode[:] = 0
    if not continued:
        state.value[:] = np.where(shape.lock, 0.0, system.hold)
        state.half[:] = (0.0, 0.0, 0.0, 1.0)
        state.turn[:] = 0.0
    pose = Lanes(shape, state, np.zeros((shape.count, shape.others, 6)), 0.0).now()
    state.value[:], state.half[:] = pose.value[:, 0], pose.half[:, 0]
    if not continued:
        state.value[:] = on_a_turn(system, state.value)
    shape.axles.count(state, 0.0)


def _outside(value: Array, low: Array, high: Array) -> Array:
    return np.maximum(np.maximum(low - value, value - high), 0.0)


class ReferenceStepper(Stepper):
    """Steps islands by NumPy."""

    _left: tuple[Array, Array] | None = None
    """Velocities that a step of sixth order has left, and those of others with them."""

    def begin(self, *, continued: bool, time: float = 0.0) -> None:
        """Prepare a state, see ``Stepper``."""
        system, state, shape = self._system, self._state, self.shape
        violated = 1e-6 if continued else 1e-9  # m or rad: what presses may lie beyond a bound
        with np.errstate(all="ignore"):
            begin_rows(system, shape, state, continued=continued)
            v = state.value
            over = np.where(v > system.high, v - system.high, np.minimum(v - system.low, 0.0))
            off = np.where(shape.lock, v, over)
            state.excess[:] = np.where(np.abs(off) > violated, off, 0.0)
            rests = ~shape.lock & (state.excess != 0.0)
            state.side[:] = np.where(rests, np.where(off > 0.0, 1, -1), 0)
            run = OutputStep(shape, state, self.other_velocity, FRAME)
            run.begin_elements()
            if not continued:
                velocity, side, _ = meet_bounds(run.lanes())
                state.velocity[:], state.side[:] = velocity, side

    def step(self, dt: float, most: float, tolerance: float) -> StepResult:
        """Advance all islands, see ``Stepper``."""
        state, other_velocity = self._state, self.other_velocity
        with np.errstate(all="ignore"):
            run = OutputStep(self.shape, state, other_velocity, dt)
            now = state.velocity, other_velocity
            if self._left is None or not all(map(np.array_equal, self._left, now)):
                run.start_moving()
            run.advance(min(most, dt), tolerance)
            went = run.went()
            self.wrench[:] = run.wrench
            self._left = None if run.first_order.any() else (now[0].copy(), now[1].copy())
            return went

    def relax(self, dt: float) -> StepResult:
        """Advance all islands to first order, see ``Stepper``."""
        count = self._system.islands
        with np.errstate(all="ignore"):
            run = OutputStep(self.shape, self._state, self.other_velocity, dt)
            run.crawl(np.arange(count), np.full(count, dt))
            went = run.went()
            self.wrench[:] = run.wrench
            return went


REFERENCE = Engine("numpy", ReferenceStepper, quaternion_of)
