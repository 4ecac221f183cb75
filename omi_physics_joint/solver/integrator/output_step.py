# SPDX-License-Identifier: GPL-3.0-or-later
"""One output step of equal islands, each with steps of its own.

In each round all that have time left take a step, those in which something changes take it again up
to that moment, and those that cannot go on are brought further at first order.
"""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from ..dynamics.momentum import given_back, momenta_of
from ..dynamics.shape import Shape
from ..engines.engine import Went
from ..engines.kernel_structs import REPORT
from ..kinematics.rotation import Array
from ..state import State
from .collocation import Step, collocate
from .crawl import crawl
from .elements import judge, wanted, wanted_then
from .events import Watch
from .impacts import meet_bounds
from .lanes import Index, Judged, Lanes, Mask, Sides

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
        self.steps, self.events, self.first_order, self.failures = (
            self.reports[name] for name in ("steps", "events", "first_order", "failures")
        )
        self.wrench = np.zeros((count, shape.joints, 6))
        self.saved = [array.copy() for array in _spoilt(state)]
        self.judged: Judged | None = None
        if shape.elements is not None:
            self.judged = judge(self.lanes(None), dt)

    def lanes(self, which: Index | None) -> Lanes:
        """Return some islands as they are now; all for None."""
        give = GIVE * self.dt
        every = Lanes(self.shape, self.state, self.other_velocity, give, self.judged)
        return every if which is None else every.some(which)

    def begin_elements(self) -> None:
        """Say what elements do at first."""
        elements, judged, state = self.shape.elements, self.judged, self.state
        if elements is None or judged is None:
            return
        lanes = self.lanes(None)
        pose = lanes.pose(state.position[:, None], state.rotation[:, None])
        rate = lanes.rate(pose, state.velocity[:, None]).take(elements.row, -1)
        value = pose.value.take(elements.row, -1)
        scale = judged.scale[:, None]
        now = wanted(elements, scale, value, rate)
        mode = np.zeros_like(now)
        then = value + GIVE * self.dt * rate, rate
        later = wanted_then(elements, scale, mode, value, rate, then)
        state.mode[:] = np.where(judged.stiff[:, None], later, now)[:, 0]

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
        lanes, state, shape = self.lanes(None), self.state, self.shape
        pose = lanes.pose(state.position[:, None], state.rotation[:, None])
        rate = lanes.rate(pose, state.velocity[:, None])
        worst = lanes.worst(rate - lanes.held(0.0).rate)[:, 0]
        jumps = np.flatnonzero((state.span[:, 3] <= 0.0) & ~(worst < JUMP))
        if not len(jumps):
            return
        afloat = shape.floats[jumps]
        now = state.position[jumps], state.rotation[jumps]
        if afloat.any():
            some = shape.some(jumps)
            before = momenta_of(some, *now, state.velocity[jumps])
        self._meet_bounds(jumps)
        if afloat.any():
            given = given_back(some, before, *now, state.velocity[jumps])
            state.velocity[jumps] = np.where(afloat[:, None, None], given, state.velocity[jumps])

    def _meet_bounds(self, which: Index) -> None:
        velocity, side, wrench = meet_bounds(self.lanes(which))
        self.state.velocity[which], self.state.side[which] = velocity, side
        self.wrench[which] += wrench
        self.state.span[which, 0] = 0.0

    def _go(self, rest: Array, going: Mask, most: float, tolerance: float) -> Array:
        """Take steps of sixth order as far as they go; return the time that is left."""
        state, dt, count = self.state, self.dt, self.shape.count
        tried = state.span[:, 1]
        h = np.where(going, np.where(tried > 0.0, np.minimum(tried, most), most), tried)
        failed, standing = np.zeros(count, int), np.zeros(count, int)
        longest = self._longest
        while True:
            going = going & (rest > _NOTHING * dt)
            h = np.where(going, longest(h), h)
            h = np.where(going, rest / np.ceil(rest / h - 1e-9), h)
            going &= (failed < FAILURES) & (standing <= STANDING) & ~self._has_enough()
            which = np.flatnonzero(going)
            if not len(which):
                break
            lanes = self.lanes(which)
            took, ratio, event, step = self._try(lanes, h[which], tolerance)
            missed = ~step.done
            fails = which[missed]
            failed[fails] += 1
            h[fails] *= np.where(event[missed], 0.5, np.minimum(0.7, ratio[missed]))
            self._note(which, event, fails[(failed[fails] % 3 == 0) & ~event[missed]], fails)
            rough = step.done & (took > 0.0) & (step.off > ROUGH * lanes.shape.size)
            failed[which[step.done]] = 0
            going[which[rough]] = False
            ok = step.done & ~rough
            self._accept(which, ok & (took > 0.0), step, took)
            changed = ok & event
            at = which[changed]
            if len(at):
                standing[at] = np.where(took[changed] < STAYS * dt, standing[at] + 1, 0)
                if self.modes is not None:
                    state.mode[at] = self.modes[changed]
                self._meet_bounds(at)
            standing[which[ok & ~event]] = 0
            good = which[ok]
            leap = np.minimum(QUICKLY, EASILY * ratio[ok]) * (self.events[good] == 0)
            rest = rest.copy()
            rest[good] -= took[ok]
            h[good] = np.minimum(
                most, h[good] * np.maximum(leap, np.clip(0.9 * ratio[ok], 0.5, SLOWLY))
            )
        state.span[:, 1] = h
        return rest

    def _note(self, which: Index, event: Mask, forget: Index, fails: Index) -> None:
        """Count events and failures; some are to begin again without a guess."""
        self.failures[fails] += 1
        self.state.span[forget, 0] = 0.0
        self.events[which[event]] += 1

    def _try(self, lanes: Lanes, h: Array, tolerance: float) -> tuple[Array, Array, Mask, Step]:
        """Take steps of h seconds, up to where something changes.

        Returns:
            Times (L,) that were taken, ratios, whether something changes, and the steps.
        """
        state = lanes.state
        self.modes: Sides | None = None
        step = collocate(lanes, h, tolerance)
        event = np.zeros(lanes.count, bool)
        if not (len(lanes.shape.bounded) or lanes.shape.elements is not None):
            return h, step.ratio, event, step
        start_rate = None
        if lanes.shape.elements is not None:
            pose = lanes.pose(state.position[:, None], state.rotation[:, None])
            start_rate = lanes.rate(pose, state.velocity[:, None])[:, 0]
        tau, self.modes = Watch(lanes, h, step, state.value, start_rate).first()
        event = step.done & (tau <= 1.0)
        if not event.any():
            return h, step.ratio, event, step
        ratio = step.ratio
        took = np.where(event, tau * h, h)
        moves = event & (took > 1e-9 * self.dt)
        took = np.where(event & ~moves, 0.0, took)
        if moves.any():
            which = np.flatnonzero(moves)
            shorter = lanes.some(which)
            newer = collocate(shorter, took[which], tolerance)
            ratio = ratio.copy()
            ratio[which] = newer.ratio
            step = newer if shorter is lanes else _joined(step, which, newer)
        return took, ratio, event, step

    def _longest(self, h: Array) -> Array:
        """Return the longest step that springs which are followed allow, (L,)."""
        if self.judged is None:
            return h
        omega = self.judged.omega
        on = ~self.judged.stiff & (self.state.mode != 0) & (omega > 0.0)
        return np.asarray(np.minimum(h, np.where(on, SPRING / omega, np.inf).min(-1)))

    def _accept(self, which: Index, ok: Mask, step: Step, took: Array) -> None:
        """Write steps into the state."""
        state = self.state
        if ok.all() and len(which) == self.shape.count:
            part: slice | Mask = slice(None)
            at: slice | Index = slice(None)
        elif ok.any():
            part, at = ok, which[ok]
        else:
            return
        axles = self.shape.axles
        before = axles.rates(state, self.other_velocity)
        for name in ("position", "rotation", "velocity", "value", "half", "guess"):
            getattr(state, name)[at] = getattr(step, name)[part]
        state.span[at, 0] = took[part]
        state.span[at, 2] += took[part]
        self.wrench[at] += step.wrench[part]
        self.steps[at] += 1
        time = np.zeros((self.shape.count, 1))
        time[at, 0] = took[part]
        axles.count(state, 0.5 * time * (before + axles.rates(state, self.other_velocity)))

    def _crawl_on(self, which: Index, time: Array) -> None:
        """Take some steps of first order over a time."""
        for _ in range(CRAWLS):
            self.crawl(which, time / CRAWLS)

    def crawl(self, which: Index, h: Array) -> None:
        """Take a step of first order."""
        state = self.state
        went = crawl(self.lanes(which), h)
        for name in ("position", "rotation", "velocity", "value", "half", "side", "mode"):
            getattr(state, name)[which] = getattr(went, name)
        state.span[which, 0] = 0.0
        state.span[which, 2] += h
        self.wrench[which] += went.wrench
        self.first_order[which] += 1
        self.steps[which] += 1
        axles, time = self.shape.axles, np.zeros((self.shape.count, 1))
        time[which, 0] = h
        axles.count(state, time * axles.rates(state, self.other_velocity))

    def went(self) -> Went:
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
        lanes = self.lanes(None)
        gap = lanes.residual(state.value[:, None], lanes.held(0.0))[:, 0]
        self.reports["done"], self.reports["gap"] = done, gap
        off = np.where(done, gap / np.maximum(self.shape.size, 1.0), np.inf)
        return Went(float(off.max()), self.reports.tobytes())


def _spoilt(state: State) -> tuple[Array, ...]:
    """Return what numbers a step may spoil."""
    return state.position, state.rotation, state.velocity, state.value, state.half, state.turn


def _joined(step: Step, which: Index, newer: Step) -> Step:
    """Return a step with that of some islands taken over from another one."""
    for field in fields(step):
        old, new = getattr(step, field.name), getattr(newer, field.name)
        if old is not None:
            old[which] = new
    return step
