# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine in NumPy: the same steps as the kernel's, and the derivations of what it does."""

from __future__ import annotations

from math import pi
from weakref import WeakKeyDictionary

import numpy as np

from ..dynamics.shape import Shape
from ..integrator.impacts import meet_bounds
from ..integrator.lanes import Lanes
from ..integrator.output_step import GIVE, OutputStep
from ..kinematics.rotation import Array
from ..state import State
from ..system import RowKind, System
from .engine import Went

FRAME = 1.0 / 60.0
"""s: the length of an output step before there was any."""
_NONE: Array = np.zeros(0)


def _on_a_turn(system: System, value: Array) -> Array:
    """Return values (N, r) with twists on the turn on which they are least outside their ranges."""
    twists = (system.kind == RowKind.FREE) & (system.coordinate >= 3)
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


def _outside(value: Array, low: Array, high: Array) -> Array:
    return np.maximum(np.maximum(low - value, value - high), 0.0)


class ReferenceEngine:
    """Steps islands by NumPy."""

    name = "numpy"

    def __init__(self) -> None:
        self._shapes: WeakKeyDictionary[System, Shape] = WeakKeyDictionary()
        self._left: WeakKeyDictionary[State, tuple[Array, Array]] = WeakKeyDictionary()
        """Velocities that a step of sixth order has left, and those of others with them."""

    def begin(
        self, system: System, state: State, other_velocity: Array, *, continued: bool
    ) -> None:
        """Prepare a state, see ``Engine``."""
        shape = self._shape(system)
        violated = 1e-6 if continued else 1e-9  # m or rad: what presses may lie beyond a bound
        state.span[:] = state.excess[:] = 0.0
        state.side[:] = 0
        if not continued:
            state.value[:] = np.where(shape.lock, 0.0, system.hold)
            state.half[:] = (0.0, 0.0, 0.0, 1.0)
        with np.errstate(all="ignore"):
            lanes = Lanes(shape, state, other_velocity, GIVE * FRAME)
            pose = lanes.pose(state.position[:, None], state.rotation[:, None])
            state.value[:], state.half[:] = pose.value[:, 0], pose.half[:, 0]
            if not continued:
                state.value[:] = _on_a_turn(system, state.value)
            v = state.value
            over = np.where(v > system.high, v - system.high, np.minimum(v - system.low, 0.0))
            off = np.where(shape.lock, v, over)
            state.excess[:] = np.where(np.abs(off) > violated, off, 0.0)
            rests = ~shape.lock & (state.excess != 0.0)
            state.side[:] = np.where(rests, np.where(off > 0.0, 1, -1), 0)
            run = OutputStep(shape, state, other_velocity, FRAME)
            run.begin_elements()
            if not continued:
                velocity, side, _ = meet_bounds(run.lanes(None))
                state.velocity[:], state.side[:] = velocity, side

    def step(
        self,
        system: System,
        state: State,
        other_velocity: Array,
        dt: float,
        most: float,
        tolerance: float,
    ) -> Went:
        """Advance all islands, see ``Engine``."""
        with np.errstate(all="ignore"):
            run = OutputStep(self._shape(system), state, other_velocity, dt)
            velocity, others = self._left.get(state, (_NONE, _NONE))
            if not (
                np.array_equal(velocity, state.velocity) and np.array_equal(others, other_velocity)
            ):
                run.start_moving()
            run.advance(min(most, dt), tolerance)
            went = run.went()
            if run.first_order.any():
                self._left.pop(state, None)
            else:
                self._left[state] = state.velocity.copy(), other_velocity.copy()
            return went

    def relax(self, system: System, state: State, other_velocity: Array, dt: float) -> Went:
        """Advance all islands to first order, see ``Engine``."""
        with np.errstate(all="ignore"):
            run = OutputStep(self._shape(system), state, other_velocity, dt)
            run.crawl(np.arange(system.islands), np.full(system.islands, dt))
            return run.went()

    def _shape(self, system: System) -> Shape:
        shape = self._shapes.get(system)
        if shape is None:
            shape = self._shapes[system] = Shape(system)
        return shape
