# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps as Godot takes them with Jolt, on our own rows: first order, sixty a second.

A step damps velocities, adds weights, finds the impulses of joints where the bodies are (see
``impulses``), moves the bodies at those velocities and pulls them back onto the rows
(semi-implicit Euler). There are no gyroscopic torques: a free body keeps its spin, not its angular
momentum. Steps come every 1/60 s, whatever an output step is; in between nothing moves.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..engines.engine import Engine, Stepper, StepResult
from ..engines.kernel_structs import REPORT
from ..kinematics.coordinates import Kinematics
from ..kinematics.island_rows import IslandRows, begin_rows, wrenches
from ..kinematics.rotation import Array, orthonormalized, quaternion_of
from ..system import RowKind, State, System
from .impulses import Impulses, Runs

TICK, FINE_TICK = 1.0 / 60.0, 1.0 / 960.0
"""s of a step: Godot's default, and such that a free pendulum is where the exact one is."""
DAMPING = 0.1
"""1/s of all velocities, linear and angular: Godot's default."""
FASTEST, FASTEST_SPIN = 500.0, 0.25 * np.pi * 60.0
"""m/s and rad/s: Jolt's."""
DRIFT = 0.15
"""Over the size: by so much rows are off where steps of this kind merely lag behind. Of 280 sound
mechanisms nine were off by 0.05 to 0.1, and one by more: its motor spins at more than 47 rad/s."""
_DUE = 1e-6
"""Part of a step that may be lacking: a clock has 1e-10 of one by rounding after hours."""


class GodotStepper(Stepper):
    """Steps islands at first order, as often as a clock says."""

    tick, damping = TICK, DAMPING

    def __init__(self, system: System, state: State) -> None:
        super().__init__(system, state)
        self._borne = self.wrench.copy()
        """N and N m, during the last step."""

    @cached_property
    def _runs(self) -> Runs:
        return Runs(self._system)

    @cached_property
    def _kinematics(self) -> Kinematics:
        return Kinematics(self._system)

    def _rows(self, state: State) -> IslandRows:
        return IslandRows(self._kinematics, state, self.other_velocity)

    def begin(self, *, continued: bool, time: float = 0.0) -> None:
        """Prepare a state, see ``Stepper``; Godot's velocities stay what they are."""
        state = self._state
        with np.errstate(all="ignore"):
            begin_rows(self._system, state, continued=continued)
        state.span[:, 3] = time - int(time / self.tick + _DUE) * self.tick

    def step(self, dt: float, most: float, tolerance: float) -> StepResult:
        """Advance all islands by as many steps as are due, see ``Stepper``."""
        span = self._state.span
        waited = float(span[0, 3])
        ticks = int((waited + dt) / self.tick + _DUE)
        span[:, 3] = waited + dt - ticks * self.tick
        return self._took([(i * self.tick - waited, self.tick) for i in range(ticks)], dt)

    def relax(self, dt: float) -> StepResult:
        """Advance all islands by one step, see ``Stepper``."""
        return self._took([(0.0, dt)], dt)

    def _took(self, steps: list[tuple[float, float]], dt: float) -> StepResult:
        """Take steps, each with the time in s at which it begins; say how they went."""
        state, n = self._state, self._system.bodies
        saved = state.copy()
        with np.errstate(all="ignore"):
            for number, (start, h) in enumerate(steps):
                self._carry(saved, start)
                borne = self._step(h)
                self._borne = borne if number == 0 else self._borne + borne
            self._borne /= max(len(steps), 1)
            parts = (state.velocity, state.position[:, :n], state.rotation[:, :n], self._borne)
            total = sum(np.abs(part).reshape(len(part), -1).sum(-1) for part in parts)
        done = np.isfinite(total)
        if not done.all():
            lost = np.flatnonzero(~done)
            for name in ("position", "rotation", "value", "half", "angle"):
                getattr(state, name)[lost] = getattr(saved, name)[lost]
            state.velocity[lost] = state.impulse[lost] = self._borne[lost] = 0.0
        self.wrench[:] = self._borne * dt
        return self._said(len(steps), done)

    def _said(self, steps: int, done: Array) -> StepResult:
        """Return how steps went: what merely drifts counts as met."""
        system = self._system
        size, lock = np.maximum(system.size, 1.0), system.kind == RowKind.LOCK
        off = np.where(lock, np.abs(self._state.value), 0.0).max(-1, initial=0.0)
        gap = np.where(off > DRIFT * size, off, 0.0)
        reports = np.zeros(system.islands, REPORT)
        reports["steps"], reports["done"], reports["gap"] = steps, done, gap
        return StepResult(float(np.where(done, gap / size, np.inf).max()), reports.tobytes())

    def _carry(self, start: State, time: float) -> None:
        """Put what moves by itself where it is some seconds after the start of an output step."""
        if self.other_velocity.any():
            state = self._state
            here = state.position[:, None], state.rotation[:, None]
            position, rotation = self._rows(start).carried(np.full((len(here[0]), 1), time), here)
            state.position[:], state.rotation[:] = position[:, 0], rotation[:, 0]

    def _step(self, h: float) -> Array:
        """Take one step of h seconds; return forces (N, m, 6) of joints without drives."""
        system, state, rows = self._system, self._state, self._rows(self._state)
        n, inverse = system.bodies, self._kinematics.inverse[:, 0]
        velocity = _bounded(inverse, state.velocity * max(1.0 - self.damping * h, 0.0))
        velocity = _bounded(inverse, velocity + h * system.weight)
        impulses = Impulses(self._runs, system, rows, h, velocity, state.impulse)
        impulses.solve()
        velocity = _bounded(inverse, impulses.velocities)
        state.impulse[:] = impulses.total
        force = impulses.total[:, None, : system.rows] / h
        borne = wrenches(self._kinematics, impulses.pose, force)[:, 0]
        here = state.position[:, None], state.rotation[:, None]
        went = rows.carried(np.full((system.islands, 1), h), here)
        went = rows.displaced(went, h * velocity[:, None])
        (position, rotation), pose = impulses.pulled_back(went)
        rotation[:, :, :n] = orthonormalized(rotation[:, :, :n])
        spin = velocity[..., 3:] * inverse[..., 3:]
        turn = rotation[:, 0, :n].swapaxes(-1, -2) @ went[1][:, 0, :n]
        # Spins stay what they are in the world.
        velocity[..., 3:] = (turn @ spin[..., None])[..., 0] / inverse[..., 3:]
        rows.go((position, rotation), pose, velocity, h)
        return borne


class FineGodotStepper(GodotStepper):
    """The same without damping, in short steps: what is left is what Jolt does otherwise."""

    tick, damping = FINE_TICK, 0.0


GODOT = Engine("godot", GodotStepper, quaternion_of)
GODOT_FINE = Engine("godot, fine", FineGodotStepper, quaternion_of)


def _bounded(inverse: Array, velocity: Array) -> Array:
    """Return scaled velocities (N, n, 6) that are no faster than Jolt lets anything be."""
    out = velocity.copy()
    for part, most in ((slice(0, 3), FASTEST), (slice(3, 6), FASTEST_SPIN)):
        real = velocity[..., part] * inverse[..., part]
        speed = np.sqrt(np.square(real).sum(-1, keepdims=True))
        out[..., part] *= np.minimum(1.0, most / np.maximum(speed, most))
    return out
