# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of Gauss collocation with three points, of order six, in maximal coordinates.

At the stages, moments c_i of the step h, with the weights A and b of Gauss (Hairer, Lubich and
Wanner 2006, chapter II), scaled velocities V, accelerations a of the rows' second derivatives:

    V_i = V + h A_ij a_j
    x_i = x + h c_i v + h^2 (A A)_ij a_j
    R_i = R exp(t_i),   t_i = h A_ij dexpinv(t_j) w_j          (Munthe-Kaas 1999)
    a_i = accelerations at (x_i, R_i, V_i)

solved by sweeps, from accelerations that are extrapolated from the step before. In trees the rows
are factored in the first sweep only. A body that spins about a fixed axis is followed exactly.
Where loops are closed the stages' poses are brought onto the rows in every sweep, and their
velocities: at dead centres, where the rows' matrix is singular, sweeps diverge otherwise. The end
of the step is brought onto the rows too, so nothing drifts.

How far accelerations are off a straight line over the stages says whether the step is short
enough. A sweep moves bodies by about the same part of what the one before it did: sweeps end where
the next one would move them by a fifth of the tolerance. They settle with the least work where that
part is e^-2, and it goes with the square of the step: so long the next one should be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from ..kinematics.rotation import Array, Index, Mask, exponential, orthonormalized, rate_of_vector
from ..state import State
from .accelerations import Accelerations, accelerations, borne, joint_loads, shared_evenly, wrenches
from .lanes import HOLDS, Lanes

_ROOT = sqrt(15.0)
C: Array = np.array([0.5 - _ROOT / 10, 0.5, 0.5 + _ROOT / 10])
A: Array = np.array(
    [
        [5 / 36, 2 / 9 - _ROOT / 15, 5 / 36 - _ROOT / 30],
        [5 / 36 + _ROOT / 24, 2 / 9, 5 / 36 - _ROOT / 24],
        [5 / 36 + _ROOT / 30, 2 / 9 + _ROOT / 15, 5 / 36],
    ]
)
B: Array = np.array([5 / 18, 4 / 9, 5 / 18])
TWICE: Array = A @ A
SWEEPS = 14
LEFT = 0.2
"""Of the tolerance: what sweeps may leave. Of a sweep: what the next one is taken for at first."""
LEAST = 1e-3
"""Of the tolerance: how a sweep follows on one that has moved bodies by less tells nothing."""
QUICK = 0.135
"""e^-2."""
HOPELESS = 0.7
"""Of the error before that is left: it would not come to an end."""
LONGER = 10.0
EARLY = 2
"""Sweeps before the errors tell how fast they settle."""
SETTLED = 1e-5
"""m or rad: what may be left at all."""
LAST = 20.0
"""Times what may be left: with so much before it a sweep of closed loops may be the last."""
LOST = 1e3
"""From which there is no return."""
BEND = 1e-2
"""m or rad that accelerations may be off a straight line, as a way, at a tolerance of 1e-6."""
FAR = 1e-3
"""m or rad: an end that is further off its rows is none."""
NEAR = 1e-3
"""Of the tolerance, if that is fine: by which trees may be off their rows."""
PROJECTIONS = 8
UNDAMPED = 4


def weighed(weights: Array, values: Array) -> Array:
    """Return what values (L, nodes, ...) come to with weights (..., T, nodes): (L, T, ...)."""
    flat = values.reshape(len(values), 1, values.shape[1], -1)
    out = (weights[..., None] * flat).sum(2)  # and not by BLAS, which rounds by the number of times
    return np.asarray(out.reshape(*out.shape[:2], *values.shape[2:]))


@dataclass(slots=True)
class Stages:
    """What a sweep leaves, for each lane: (L, 3, ...)."""

    acceleration: Array
    velocity: Array
    theta: Array
    value: Array
    rate: Array
    force: Array
    wrench: Array

    def settled(self, lanes: Mask, sweep: Stages) -> None:
        """Take over the lanes that a sweep has settled."""
        for name in self.__slots__:
            getattr(self, name)[lanes] = getattr(sweep, name)[lanes]


@dataclass(slots=True)
class Step:
    """Where a step led.

    Attributes:
        done: (L,) whether it could be done; all else is worth nothing where it could not.
        ratio: (L,) by how much the step should have been longer.
        state: at the end; the accelerations of its stages are the guess.
        off: (L,) m or rad, by which rows are off at the end.
        stages: what is known there.
        end_rate: (L, r).
        wrench: (L, m, 6) impulses of joints.
    """

    done: Mask
    ratio: Array
    state: State
    off: Array
    stages: Stages
    end_rate: Array
    wrench: Array

    def put(self, lanes: Index, newer: Step) -> None:
        """Let some lanes be as in another step of theirs alone."""
        self.state.put(lanes, newer.state, np.arange(len(lanes)))
        for name in ("done", "ratio", "off", "wrench"):
            getattr(self, name)[lanes] = getattr(newer, name)


def collocate(lanes: Lanes, h: Array, tolerance: float) -> Step:
    """Take a step of h (L,) seconds from the states of the lanes, which are not changed."""
    stages, done, eased = _swept(lanes, h, tolerance)
    bent = _bend(lanes, stages.acceleration) * h * h
    most = BEND * sqrt(tolerance / 1e-6)
    ratio = np.minimum(eased, np.sqrt(np.sqrt(most / np.maximum(bent, 1e-3 * most))))
    ratio = np.where(done, ratio, np.minimum(0.5, eased))
    done &= ~(bent > most)
    return _arrived(lanes, h, stages, done, ratio, tolerance)


def lagrange(nodes: Array, t: Array) -> tuple[Array, Array]:
    """Return Lagrange's polynomials of nodes at times (L, T), and their slopes: (L, T, nodes)."""
    value = np.ones((*t.shape, len(nodes)))
    slope = np.zeros(value.shape)
    for k, node in enumerate(nodes):
        width = nodes - node
        width[k] = 1.0
        part = (t - node)[..., None] / width
        newer = slope * part + value / width
        newer[..., k] = slope[..., k]
        part[..., k] = 1.0
        slope = newer
        value *= part
    return value, slope


def _predicted(lanes: Lanes, h: Array) -> Array:
    """Return accelerations of the stages, from those of the step before or from the start alone."""
    state, before = lanes.state, lanes.state.span[:, 0]
    known = before > 0.0
    t = 1.0 + C * (h / np.where(known, before, 1.0))[:, None]
    later = weighed(lagrange(C, t)[0], state.guess)
    if known.all():
        return later
    now = accelerations(lanes, lanes.now(), state.velocity[:, None], lanes.held(0.0))
    return np.where(known[:, None, None, None], later, now.acceleration)


class _Sweeps:
    """The search for the accelerations of the stages."""

    def __init__(self, lanes: Lanes, h: Array, tolerance: float) -> None:
        shape, state = lanes.shape, lanes.state
        self.lanes, self.h, self.step = lanes, h, h[:, None, None, None]
        self.least = LEAST * tolerance
        self.time = h[:, None] * C
        self.held = lanes.held(self.time)
        self.start = state.velocity[:, None]
        straight = self.start * shape.inverse * self.time[:, :, None, None]
        self.base = state.position[:, None, : shape.bodies] + straight[..., :3]
        self.theta = straight[..., 3:]
        self.acceleration = _predicted(lanes, h)
        self.near: Accelerations | None = None
        """What the last sweep has found, in trees."""
        self.eased = np.full(lanes.count, LONGER)
        """(L,) by how much the step should be longer."""
        self.off = np.full(lanes.count, np.inf)
        """(L,) m or rad, by how much the last sweep has moved bodies."""
        self.part = np.full(lanes.count, LEFT)
        """(L,) of what the sweep before has moved them by."""

    def left(self) -> Array:
        """Return (L,) m or rad, by how much the next sweep would move bodies."""
        return np.asarray(self.part * self.off)

    def sweep(self) -> tuple[Array, Accelerations]:
        """Find new accelerations; return the velocities that they come from as well."""
        lanes, shape = self.lanes, self.lanes.shape
        old, step = self.acceleration, self.step
        velocity = self.start + step * weighed(A, old)
        for _ in range(2):
            rates = rate_of_vector(self.theta, velocity[..., 3:] * shape.inverse[..., 3:])
            self.theta = step * weighed(A, rates)
        way = (step * step) * weighed(TWICE, old)[..., :3] * shape.inverse[..., :3]
        turned = lanes.state.rotation[:, None, : shape.bodies] @ exponential(self.theta)
        at = lanes.carried(self.time, self.base + way, turned)
        pose = lanes.fit(*at, self.held, 1, 1, 0)[2] if shape.closed else lanes.pose(*at)
        now = accelerations(lanes, pose, velocity, self.held, self.near)
        self.near = None if shape.closed else now
        self.acceleration = now.acceleration
        return velocity, now

    def judge(self, old: Array, number: int, over: Mask) -> tuple[Mask, Mask]:
        """Return which lanes have lost their way, and which would not come to an end."""
        lanes = self.lanes
        change = np.abs(self.acceleration - old) * lanes.shape.inverse
        off = change.reshape(lanes.count, -1).max(-1) * self.h * self.h
        lost = ~(off < LOST) & ~over
        going = ~over & ~lost
        hopeless = np.zeros(lanes.count, bool)
        if number > 0:
            self.part = np.where(
                going, np.minimum(off / np.maximum(self.off, self.least), 1.0), self.part
            )
        if number >= EARLY:
            eased = np.sqrt(QUICK / np.maximum(self.part, 1e-3))
            self.eased = np.where(going, eased, self.eased)
        if number > EARLY:
            hopeless = going & (self.part > HOPELESS) & (off > SETTLED)
        self.off = np.where(over, self.off, off)
        return lost, hopeless


def _swept(lanes: Lanes, h: Array, tolerance: float) -> tuple[Stages, Mask, Array]:
    """Return the stages, (L,) whether they settled, and by how much the step should be longer."""
    sweeps = _Sweeps(lanes, h, tolerance)
    kept: Stages | None = None
    over, failed = np.zeros(lanes.count, bool), np.zeros(lanes.count, bool)
    eased = np.full(lanes.count, 0.5)
    for number in range(SWEEPS):
        old, last = sweeps.acceleration, number == SWEEPS - 1
        tells = (sweeps.part * sweeps.left() < LAST * LEFT * tolerance) | (not lanes.shape.closed)
        velocity, now = sweeps.sweep()
        lost, hopeless = sweeps.judge(old, number, over)
        newly = ~over & (((sweeps.left() < LEFT * tolerance) & tells) | lost | hopeless | last)
        if not newly.any():
            continue
        stages = _stages(sweeps, velocity, now)
        if kept is None:
            kept = stages
        else:
            kept.settled(newly, stages)
        failed |= lost | hopeless
        eased = np.where(newly & ~lost, sweeps.eased, eased)
        over = over | newly
        if over.all():
            break
    assert kept is not None
    ends = sweeps.left() < max(SETTLED, tolerance)
    return kept, ends & ~failed, np.where(ends | failed, eased, 0.5)


def _stages(sweeps: _Sweeps, velocity: Array, now: Accelerations) -> Stages:
    """Return all that a sweep has found."""
    lanes = sweeps.lanes
    held = sweeps.held
    evenly = shared_evenly(lanes, now.pose, borne(lanes, now, held), held.off)
    force = joint_loads(lanes, now.pose, evenly, now.element_force)
    return Stages(
        now.acceleration,
        velocity,
        sweeps.theta,
        now.pose.value,
        now.rate,
        now.force,
        wrenches(lanes, now.pose, force),
    )


def _bend(lanes: Lanes, acceleration: Array) -> Array:
    """Return how far accelerations of the stages are off a straight line, (L,)."""
    off = np.abs(acceleration[:, 0] - 2.0 * acceleration[:, 1] + acceleration[:, 2])
    off *= lanes.shape.inverse[:, 0]
    off[..., :3] /= lanes.shape.size[:, None, None]
    return np.asarray(off.reshape(lanes.count, -1).max(-1))


def _arrived(
    lanes: Lanes, h: Array, stages: Stages, done: Mask, ratio: Array, tolerance: float
) -> Step:
    """Return the end of the step, brought onto the rows."""
    shape, state, step = lanes.shape, lanes.state, h[:, None, None, None]
    start, once, twice = state.velocity[:, None], B[None], (B @ A)[None]
    rates = rate_of_vector(stages.theta, stages.velocity[..., 3:] * shape.inverse[..., 3:])
    way = step * start + step * step * weighed(twice, stages.acceleration)
    place = state.position[:, None, : shape.bodies] + (way * shape.inverse)[..., :3]
    turn = exponential(step * weighed(once, rates))
    turn = orthonormalized(state.rotation[:, None, : shape.bodies] @ turn)
    velocity = start + step * weighed(once, stages.acceleration)
    held = lanes.held(h[:, None])
    # Small islands are held to their own size, as they are where steps are judged.
    near = NEAR * min(tolerance, SETTLED) * np.minimum(shape.size, 1.0)[:, None]
    enough = np.full_like(near, HOLDS) if shape.closed else near
    position, rotation, pose, off, before, factor = lanes.fit(
        *lanes.carried(h[:, None], place, turn), held, PROJECTIONS, UNDAMPED, shape.rounds, enough
    )
    there = before[:, 0] < FAR * np.maximum(shape.size, 1.0)
    rate = lanes.rate(pose, velocity)
    missing = held.rate - rate
    slips = lanes.worst(missing) > enough
    if shape.closed or factor is None:
        by, _ = lanes.factor(pose).solve(0.0, missing, shape.rounds)
    else:
        by = shape.algebra.push(pose.entry, factor.once(0.0, missing))
    by = np.where(slips[..., None, None], by, 0.0)
    velocity = velocity + by
    end = replace(
        state,
        position=position[:, 0],
        rotation=rotation[:, 0],
        velocity=velocity[:, 0],
        value=pose.value[:, 0],
        half=pose.half[:, 0],
        guess=stages.acceleration,
    )
    return Step(
        done & there,
        np.where(done & ~there, 0.5, ratio),
        end,
        off[:, 0],
        stages,
        (rate + shape.algebra.pull(pose.entry, by))[:, 0],
        (step * weighed(once, stages.wrench))[:, 0],
    )
