# SPDX-License-Identifier: GPL-3.0-or-later
"""An output step in small steps of Runge and Kutta's, up to where something changes.

Poses are scaled displacements D = (x, t) from the start of a step, t rotation vectors: R exp(t).
With scaled velocities V = (v, w) and accelerations a that rows allow (see ``island``)

    x' = v,    t' = dexpinv(t) w,    V' = a

by the classical method of order four (Munthe-Kaas for t). Then pose and velocity are brought onto
the rows, so nothing drifts. Where a bound is passed or pulls, or an element begins or ends, the
step is halved again and again until it ends just behind; ``touching`` says what bears from there
on. What comes to no end goes on by steps of first order (``first_order``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..engines.engine import Engine, Stepper, StepResult
from ..engines.kernel_structs import REPORT
from ..kinematics.island_rows import Poses, begin_rows
from ..kinematics.rotation import Array, quaternion_of, rate_of_vector
from ..state import State
from ..system import System
from .first_order import first_order
from .island import HOLDS, DenseIsland, Evaluated, Moving
from .touching import pulls, touch

SHORT = 1.0 / 300.0
"""s: no step is longer,"""
TURN = 0.05
"""rad: nor turns a body farther,"""
SPRING = 0.04
"""nor a spring."""
STEPS, EVENTS, STANDING = 4000, 60, 6
"""Of an output step, and in a row without advance, before the rest of it is of first order."""
ROUGH = 1e-6
"""Over the size: rows that are farther off contradict each other."""
MOVES, JUMP = 1e-3, 1e-6
"""m/s or rad/s: what is slower is where it would be; what may jump unnoticed."""
FRAME = 1.0 / 60.0
"""s, an output step before there was any."""
HALVINGS, ENOUGH = 40, 1e-10
"""Of a step up to a change, and m or rad from it."""
STAGES = ((0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0))
"""Where the method looks, as part of the step, and with what weight."""


class Step(NamedTuple):
    """Where a step leads: poses, velocities, rows and forces there; how far rows are off."""

    poses: Poses
    velocity: Array
    now: Evaluated
    moving: Moving
    off: float
    wrench: Array


class OutputStep:
    """One output step of one island."""

    def __init__(self, island: DenseIsland, dt: float, report: np.void) -> None:
        """Begin an output step of dt seconds."""
        self.island, self.dt, self.report = island, dt, report
        self.wrench = np.zeros((island.system.joints, 6))
        self.omega = island.measure(dt)

    def advance(self, most: float) -> None:
        """Take it, by steps that are no longer than ``most`` s."""
        island, rest, standing = self.island, self.dt, 0
        most = min(most, SHORT)
        now = island.at(island.poses, island.velocity)
        slip = np.where(island.active, now.rate - island.held(0.0).rate, 0.0)
        if np.abs(slip).max(initial=0.0) > JUMP:
            self.wrench += touch(island)
        while rest > 1e-12 * self.dt:
            h = rest / np.ceil(rest / min(most, self._longest()) - 1e-9)
            step, took, changes = self._to_change(h)
            busy = self.report["steps"] > STEPS or self.report["events"] > EVENTS
            if busy or standing > STANDING or not step.off <= ROUGH * island.size:
                self.go_on(rest, most)
                return
            if took > 0.0:
                island.go(step.poses, step.velocity, step.now, took)
                self.wrench += step.wrench
                self.report["steps"] += 1
                self._count_unfollowed(step.now.rate)
            if changes:
                island.mode[:] = island.wanted(step.now, step.moving.bend)
                self.wrench += touch(island)
                self.report["events"] += 1
                standing = standing + 1 if took < 1e-2 * self.dt else 0
            rest -= took

    def go_on(self, time: float, most: float) -> None:
        """Go on for some time by steps of first order that are no longer than ``most`` s."""
        island, report, parts = self.island, self.report, int(np.ceil(time / most - 1e-9))
        for _ in range(parts):
            self.wrench += first_order(island, time / parts)
            self._count_unfollowed(island.at(island.poses, island.velocity).rate)
        report["steps"] += parts
        report["first_order"] += parts

    def _count_unfollowed(self, rates: Array) -> None:
        """Take note of elements that push, move and are too stiff to be followed."""
        island, rate = self.island, rates[self.island.system.element_row]
        lost = (island.stiff != 0) & (island.mode != 0) & (np.abs(rate) > MOVES)
        self.report["unfollowed"] = max(int(self.report["unfollowed"]), int(lost.sum()))

    def _longest(self) -> float:
        """Return the longest step that spins and springs allow, s."""
        island = self.island
        spin = np.abs(island.velocity[..., 3:] * island.inverse[..., 3:]).max(initial=0.0)
        omega = float(self.omega[(island.stiff == 0) & (island.mode != 0)].max(initial=0.0))
        return max(1.0 / max(float(spin) / TURN, omega / SPRING, 1e-9), self.dt / STEPS)

    def _to_change(self, h: float) -> tuple[Step, float, bool]:
        """Return a step of h s or to just behind a change; the s it takes; whether there is one."""
        step = self._tried(h)
        if not self._differs(step, h):
            return step, h, False
        low, high = 0.0, h
        speed = np.abs(step.now.rate).max(initial=1.0)
        for _ in range(HALVINGS):
            if (high - low) * speed < ENOUGH or high <= 1e-9 * self.dt:
                break
            middle = 0.5 * (low + high)
            tried = self._tried(middle)
            if self._differs(tried, middle):
                step, high = tried, middle
            else:
                low = middle
        return step, high if high > 1e-9 * self.dt else 0.0, True

    def _differs(self, step: Step, time: float) -> bool:
        """Return whether bounds or elements are otherwise at the end of a step than before."""
        island, value, force = self.island, step.now.value, step.moving.force
        low, high = island.bounds(time)
        free = ~island.lock & (island.side == 0)
        passed = free & ((value > high + HOLDS) | (value < low - HOLDS))
        pulled = (island.side != 0) & ~island.comes_in & (force * island.side > pulls(force))
        modes = island.wanted(step.now, step.moving.bend)
        return bool((passed | pulled).any() or (modes != island.mode).any())

    def _tried(self, h: float) -> Step:
        """Take a step of h s; the island stays where it is."""
        island = self.island
        way, gain, wrench = 0.0 * island.velocity, 0.0 * island.velocity, 0.0 * self.wrench
        slope, bend = way, gain
        for part, weight in STAGES:
            displaced, velocity = part * h * slope, island.velocity + part * h * bend
            slope, bend, loads = self._slope(displaced, velocity, part * h)
            way, gain = way + weight * h * slope, gain + weight * h * bend
            wrench = wrench + weight * h * loads
        velocity, held = island.velocity + gain, island.held(h)
        poses, now, off = island.project(self._displaced(way, h), velocity, held)
        velocity = island.fit(now, velocity, held)
        now = island.at(poses, velocity)
        return Step(poses, velocity, now, island.accelerate(now, velocity, held), off, wrench)

    def _displaced(self, by: Array, time: float) -> Poses:
        near = self.island.near
        return near.displaced(near.carried(np.full((1, 1), time), self.island.poses), by)

    def _slope(self, by: Array, velocity: Array, time: float) -> tuple[Array, Array, Array]:
        """Return how displacements and velocities change, and what joints bear, some seconds on."""
        island, held, poses = self.island, self.island.held(time), self._displaced(by, time)
        if island.system.closed:
            poses, now, _ = island.project(poses, velocity, held, 1)
            velocity = island.fit(now, velocity, held)
        now = island.at(poses, velocity)
        moving = island.accelerate(now, velocity, held)
        bears = moving.force
        if held.acceleration.any():  # what brings in rows is no load
            plain = island.accelerate(now, velocity, held._replace(acceleration=0.0 * bears))
            bears = np.where(bears == 0.0, 0.0, plain.force)
        turn, spin = (one[..., 3:] * island.inverse[..., 3:] for one in (by, velocity))
        way = velocity.copy()
        way[..., 3:] = rate_of_vector(turn, spin) / island.inverse[..., 3:]
        return way, moving.acceleration, island.wrenches(now, bears, moving.element_force)


class TextbookStepper(Stepper):
    """Steps islands one after the other."""

    def __init__(self, system: System, state: State) -> None:
        super().__init__(system, state)
        each = range(system.islands)
        self._islands = [DenseIsland(system.one(number), state.one(number)) for number in each]

    def begin(self, *, continued: bool, time: float = 0.0) -> None:
        """Prepare a state, see ``Stepper``."""
        begin_rows(self._system, self._state, continued=continued)
        violated = 1e-6 if continued else 1e-9  # m or rad: what presses may lie beyond a bound
        for number, island in enumerate(self._islands):
            island.lead(self.other_velocity[number : number + 1])
            island.begin(violated)
            with np.errstate(all="ignore"):
                island.measure(FRAME)
                island.mode[:] = island.wanted(island.at(island.poses, island.velocity))
                if not continued:
                    touch(island)

    def step(self, dt: float, most: float, tolerance: float) -> StepResult:
        """Advance all islands, see ``Stepper``."""
        return self._went(dt, most)

    def relax(self, dt: float) -> StepResult:
        """Advance all islands to first order, see ``Stepper``."""
        return self._went(dt, 0.0)

    def _went(self, dt: float, most: float) -> StepResult:
        reports, worst = np.zeros(self._system.islands, REPORT), 0.0
        for number, island in enumerate(self._islands):
            island.lead(self.other_velocity[number : number + 1])
            report, saved = reports[number], island.state.copy()
            with np.errstate(all="ignore"):
                try:
                    step = OutputStep(island, dt, report)
                    step.advance(most) if most > 0.0 else step.go_on(dt, dt)
                    self.wrench[number] = step.wrench
                    report["done"] = True
                except np.linalg.LinAlgError:
                    report["done"] = False
            if not report["done"]:
                island.state.take(saved)
                self.wrench[number] = 0.0
                island.state.velocity[:] *= 0.5
            off = np.where(island.active, island.state.value[0] - island.held(0.0).value, 0.0)
            report["gap"] = gap = float(np.abs(off).max(initial=0.0))
            worst = max(worst, gap / max(island.size, 1.0) if report["done"] else np.inf)
        return StepResult(worst, reports.tobytes())


TEXTBOOK = Engine("textbook", TextbookStepper, quaternion_of)
