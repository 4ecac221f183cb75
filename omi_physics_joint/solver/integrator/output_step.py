# SPDX-License-Identifier: GPL-3.0-or-later
"""One output step of equal islands, each with steps of its own.

In each round all that have time left take a step, those in which something changes take it again up
to that moment, and those that cannot go on are brought further at first order.
"""

from __future__ import annotations

import numpy as np

from ..dynamics.momentum import given_back, momenta_of
from ..dynamics.shape import Shape
from ..engines.engine import StepResult
from ..engines.kernel_structs import REPORT
from ..kinematics.rotation import Array, Index, Mask
from ..state import State
from .collocation import Step, collocate
from .crawl import crawl
from .elements import judge, wanted
from .events import EventSearch
from .impacts import meet_bounds
from .lanes import Lanes, Sides

SPRING = 0.6
"""rad that a spring may turn in a step."""
FAILURES = 8
"""In a row, before a part is done at first order."""
STANDING = 6
"""Events in a row without advance, before it is."""
STAYS = 1e-2
"""Of an output step: an event so soon after another is no advance."""
SLOWLY, QUICKLY, EASILY = 1.5, 2.5, 0.6
"""How much longer a step is than the last; without events, and far from too long (as a part of what
it might be), enough for one step a frame after two."""
PART = 32
"""Parts of an output step."""
CRAWLS = PART // 8
STEPS = 400
"""That an output step may take."""
EVENTS = 24
"""Likewise, and one for each row."""
PATIENCE = 6
"""Output steps at first order before more is tried."""
ROUGH = 1e-6
"""Over the size: rows that are further off contradict each other."""
GIVE = 0.5
"""Of an output step, in which what is too stiff gives way."""
LARGEST = 1e30
"""m, m/s, N and so on, that a step may lead to."""
MOVES = 1e-3
"""m/s or rad/s; an element that is slower is where it would be if it were followed."""
JUMP = 1e-6
"""m/s or rad/s by which what moves by itself may jump unnoticed."""
_NOTHING = 1e-12
"""Part of an output step that is none."""


class OutputStep:
    """One output step of all islands of a system."""

    def __init__(self, shape: Shape, state: State, other_velocity: Array, dt: float) -> None:
        self.shape, self.state, self.other_velocity, self.dt = shape, state, other_velocity, dt
        count = shape.count
        self.reports = np.zeros(count, REPORT)
        self.steps, self.events, self.first_order, self.failures, self.unfollowed = (
            self.reports[name]
            for name in ("steps", "events", "first_order", "failures", "unfollowed")
        )
        self.wrench = np.zeros((count, shape.joints, 6))
        self.saved = [array.copy() for array in _spoilt(state)]
        self.elements = shape.elements
        self.elements = judge(self.lanes(), dt)
        state.scale[:], state.stiff[:] = self.elements.scale[:, 0], self.elements.stiff[:, 0]

    def lanes(self) -> Lanes:
        """Return all islands as they are now."""
        give = GIVE * self.dt
        return Lanes(self.shape, self.state, self.other_velocity, give, self.elements)

    def begin_elements(self) -> None:
        """Say what elements do at first."""
        lanes, elements, state = self.lanes(), self.elements, self.state
        pose = lanes.now()
        rate = lanes.rate(pose, state.velocity[:, None]).take(elements.row, -1)
        value = pose.value.take(elements.row, -1)
        then = np.where(elements.stiff, value + GIVE * self.dt * rate, value)
        mode = np.zeros_like(state.mode)[:, None]
        state.mode[:] = wanted(elements, mode, (value, rate), (then, rate))[:, 0]

    def advance(self, most: float, tolerance: float) -> None:
        """Take the output step."""
        state, dt = self.state, self.dt
        rest = np.full(self.shape.count, dt)
        patient = state.span[:, 3] > 0.0
        if patient.any():
            which = np.flatnonzero(patient)
            state.span[which, 3] -= 1.0
            self._crawl_on(which, np.full(len(which), dt))
            rest[which] = 0.0
        while (going := rest > _NOTHING * dt).any():
            rest = self._go(rest, going, most, tolerance)
            left = np.flatnonzero(rest > _NOTHING * dt)
            if not len(left):
                break
            part = np.minimum(rest[left], dt / PART)
            self.crawl(left, part)
            rest[left] -= part
            state.span[left, 1] = 2.0 * part
            often = left[self.first_order[left] > CRAWLS]
            state.span[often, 3] = PATIENCE
            ends = left[(self._has_enough() | (self.first_order > CRAWLS))[left]]
            late = ends[rest[ends] > 0.0]
            if len(late):
                self._crawl_on(late, rest[late])
            rest[ends] = 0.0

    def _has_enough(self) -> Mask:
        """Return (L,) whether there were so many steps or events that the rest is to be short."""
        return (self.steps > STEPS) | (self.events > EVENTS + self.shape.rows)

    def start_moving(self) -> None:
        """Pass on at once that what moves by itself does so at another speed than before.

        Where others go on as they did, what a step has left fits them.
        """
        lanes, state = self.lanes(), self.state
        rate = lanes.rate(lanes.now(), state.velocity[:, None])
        worst = lanes.worst(rate - lanes.held(0.0).rate)[:, 0]
        jumps = np.flatnonzero((state.span[:, 3] <= 0.0) & ~(worst < JUMP))
        if not len(jumps):
            return
        some, now = self.shape.some(jumps), (state.position[jumps], state.rotation[jumps])
        before = momenta_of(some, *now, state.velocity[jumps])
        self._meet_bounds(jumps)
        met = state.velocity[jumps]
        given = given_back(some, before, *now, met)
        state.velocity[jumps] = np.where(some.floats[:, None, None], given, met)

    def _meet_bounds(self, which: Index) -> None:
        velocity, side, wrench = meet_bounds(self.lanes().some(which))
        self.state.velocity[which], self.state.side[which] = velocity, side
        self.wrench[which] += wrench
        self.state.span[which, 0] = 0.0

    def _go(self, rest: Array, going: Mask, most: float, tolerance: float) -> Array:
        """Take steps of sixth order as far as they go; return the time that is left."""
        state, dt, count = self.state, self.dt, self.shape.count
        tried = state.span[:, 1]
        h = np.where(going, np.where(tried > 0.0, np.minimum(tried, most), most), tried)
        failed, standing = np.zeros(count, int), np.zeros(count, int)
        while True:
            going = going & (rest > _NOTHING * dt)
            h = np.where(going, self._longest(h), h)
            h = np.where(going, rest / np.ceil(rest / h - 1e-9), h)
            going &= (failed < FAILURES) & (standing <= STANDING) & ~self._has_enough()
            which = np.flatnonzero(going)
            if not len(which):
                break
            lanes = self.lanes().some(which)
            step, event, modes, took = self._try(lanes, h[which], tolerance)
            ratio, missed = step.ratio, ~step.done
            fails = which[missed]
            failed[fails] += 1
            h[fails] *= np.where(event, 0.5, np.minimum(0.7, ratio))[missed]
            self.failures[fails] += 1
            state.span[which[missed & ~event & (failed[which] % 3 == 0)], 0] = 0.0
            self.events[which[event]] += 1
            rough = step.done & (took > 0.0) & (step.off > ROUGH * lanes.shape.size)
            failed[which[step.done]] = 0
            going[which[rough]] = False
            ok = step.done & ~rough
            self._accept(which, ok & (took > 0.0), step, took)
            changed = ok & event
            at = which[changed]
            if len(at):
                standing[at] = np.where(took[changed] < STAYS * dt, standing[at] + 1, 0)
                state.mode[at] = modes[changed]
                self._meet_bounds(at)
            standing[which[ok & ~event]] = 0
            good = which[ok]
            leap = np.minimum(QUICKLY, EASILY * ratio[ok]) * (self.events[good] == 0)
            rest[good] -= took[ok]
            longer = np.maximum(leap, np.clip(0.9 * ratio[ok], 0.5, SLOWLY))
            h[good] = np.minimum(most, h[good] * longer)
        state.span[:, 1] = h
        return rest

    def _try(self, lanes: Lanes, h: Array, tolerance: float) -> tuple[Step, Mask, Sides, Array]:
        """Take steps of h (L,) seconds, up to where something changes.

        Return them, whether something changes then, what elements do from then on, and s taken.
        """
        state = lanes.state
        step = collocate(lanes, h, tolerance)
        if not len(lanes.shape.bounded) and not len(self.elements.row):
            return step, np.zeros(lanes.count, bool), state.mode, h
        start_rate = lanes.rate(lanes.now(), state.velocity[:, None])[:, 0]
        tau, modes = EventSearch(lanes, h, step, start_rate).first()
        event = step.done & (tau <= 1.0)
        took = np.where(event, tau * h, h)
        took[event & (took <= 1e-9 * self.dt)] = 0.0
        shorter = np.flatnonzero(event & (took > 0.0))
        if len(shorter):
            newer = collocate(lanes.some(shorter), took[shorter], tolerance)
            step.put(shorter, newer)
        return step, event, modes, took

    def _longest(self, h: Array) -> Array:
        """Return the longest step that springs which are followed allow, (L,)."""
        omega = self.elements.omega[:, 0]
        on = ~self.elements.stiff[:, 0] & (self.state.mode != 0) & (omega > 0.0)
        limits = np.where(on, SPRING / np.where(on, omega, 1.0), np.inf)
        return np.asarray(np.minimum(h, limits.min(-1, initial=np.inf)))

    def _accept(self, which: Index, ok: Mask, step: Step, took: Array) -> None:
        """Write steps into the state."""
        at, part = which[ok], np.flatnonzero(ok)
        spin = self._spins()
        self.state.put(at, step.state, part)
        moves = np.abs(step.end_rate[part].take(self.elements.row, -1)) > MOVES
        lost = self.elements.stiff[at, 0] & (self.state.mode[at] != 0) & moves
        self.unfollowed[at] = np.maximum(self.unfollowed[at], lost.sum(-1))
        self.state.span[at, 0] = took[part]
        self._arrived(at, took[part], step.wrench[part])
        self._turned(at, took[part], 0.5 * (spin + self._spins()))

    def _crawl_on(self, which: Index, time: Array) -> None:
        """Take some steps of first order over a time."""
        for _ in range(CRAWLS):
            self.crawl(which, time / CRAWLS)

    def crawl(self, which: Index, h: Array) -> None:
        """Take a step of first order."""
        end, wrench = crawl(self.lanes().some(which), h)
        self.state.put(which, end, np.arange(len(which)))
        self.state.span[which, 0] = 0.0
        self.first_order[which] += 1
        self._arrived(which, h, wrench)
        self._turned(which, h, self._spins())

    def _arrived(self, which: Index, h: Array, wrench: Array) -> None:
        """Take note that some islands have gone on for h seconds."""
        self.state.span[which, 2] += h
        self.wrench[which] += wrench
        self.steps[which] += 1

    def _spins(self) -> Array:
        return self.shape.axles.rates(self.state, self.other_velocity)

    def _turned(self, which: Index, h: Array, rates: Array) -> None:
        time = np.zeros((self.shape.count, 1))
        time[which, 0] = h
        self.shape.axles.count(self.state, time * rates)

    def went(self) -> StepResult:
        """Return how it went; what went wrong is as if it had not been tried, and slower."""
        state, n = self.state, self.shape.bodies
        parts = (state.velocity, state.position[:, :n], state.rotation[:, :n], self.wrench)
        total = sum(np.abs(part).reshape(self.shape.count, -1).sum(-1) for part in parts)
        done = np.asarray(total < LARGEST)
        if not done.all():
            lost = np.flatnonzero(~done)
            for array, saved in zip(_spoilt(state), self.saved, strict=True):
                array[lost] = saved[lost]
            state.velocity[lost] *= 0.5
            self.wrench[lost] = 0.0
            state.span[lost, :2] = 0.0
        lanes = self.lanes()
        gap = lanes.residual(state.value[:, None], lanes.held(0.0))[:, 0]
        self.reports["done"], self.reports["gap"] = done, gap
        off = np.where(done, gap / np.maximum(self.shape.size, 1.0), np.inf)
        return StepResult(float(off.max()), self.reports.tobytes())


def _spoilt(state: State) -> tuple[Array, ...]:
    """Return what numbers a step may spoil."""
    return state.position, state.rotation, state.velocity, state.value, state.half, state.turn
