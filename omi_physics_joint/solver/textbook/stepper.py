# SPDX-License-Identifier: GPL-3.0-or-later
"""An output step in small steps of Runge and Kutta's, up to where something changes.

Poses are scaled displacements D = (x, t) from the start of a step, t rotation vectors: R exp(t).
With scaled velocities V = (v, w) and accelerations a that rows allow (see ``island``)

    x' = v,    t' = dexpinv(t) w,    V' = a

by the classical method of order four (Munthe-Kaas for t). Then pose and velocity are brought onto
the rows, so they hold. When a bound is passed or pulls, or an element begins or ends, is found by
bisection; the step ends just behind, and ``touch`` finds what bears from there on. What comes to
no end goes on by steps of first order.

Such a step ends whatever the rows say: many bounds, rows that contradict. Velocities at its end
answer for everything in it: with V = V_n + h f + E^T l springs are where they will be then and
bounds are not passed, l the impulse of each row (Moreau 1988). Then bodies go there, rows pull the
poses back as well as they allow, and velocities are those that lead there: what swings fast is
damped, and not thrown. In the kernel bodies go without most impulses of rows, as its steps are
longer than these, and get back what projections take of momenta; here not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..engines.engine import Engine, Stepper, StepResult
from ..engines.kernel_structs import REPORT
from ..kinematics.island_rows import Poses, begin_rows
from ..kinematics.rotation import Array, quaternion_of, rate_of_vector, rotation_vector
from ..system import Modes, RowKind, State, System, bounds, rows_off
from .island import AGE, HOLDS, SURE, DenseIsland, Evaluated, solved

TRIES, AGAIN = 12, 4
PASSES, PULLS = 1e-9, 1e-12
"""m or rad, and N s or N m s: what bounds let pass, and what pulls at them."""


def first_order(island: DenseIsland, h: float) -> None:
    """Take a step of h s."""
    n, (place, turn) = island.system.bodies, (one.copy() for one in island.poses)
    island.side[:] = np.where(island.comes_in, island.side, 0)
    poses, _, _, off = island.project(island.poses, island.velocity, 0.0)
    eps = max(SURE**2, min(1e-2, (off / island.size) ** 2))
    acceleration, wrench = _accelerated(island, island.at(poses, island.velocity), h, eps)
    velocity = island.velocity + h * acceleration
    there = island.rows.displaced(island.rows.carried(h, poses), h * velocity)
    for _ in range(AGAIN):
        there, then, _, _ = island.project(there, velocity, h)
        passed = island.passed(then.value, h, PASSES)
        island.side[:] = np.where(island.active, island.side, passed)
    turned = rotation_vector(turn[:, :, :n].swapaxes(-1, -2) @ there[1][:, :, :n])
    led = np.concatenate([(there[0] - place)[:, :, :n], turned], -1) / (h * island.inverse)
    island.go(*island.project(there, led, h, 0)[:3], h, wrench)
    island.first_order += 1


def _accelerated(island: DenseIsland, now: Evaluated, h: float, eps: float) -> tuple[Array, Array]:
    """Return scaled accelerations, and the impulses of joints (m, 6).

    Which rows are active is found by trying: what pulls is let go in the first half of the tries.
    """
    now = now._replace(drift=0.0 * now.drift)  # E V+ = g' is of rates, in which it has no part
    for number in range(TRIES):
        active, bears = island.active, (island.side != 0) & ~island.comes_in
        goal, rate, _ = island.goals(h)
        goal = (np.where(bears, (goal - now.value) / h, rate) - now.rate) / h  # as acceleration
        found, force, own, bend = island.accelerate(now, island.velocity, goal, h, eps)
        rate = now.rate + h * bend
        then = now._replace(value=now.value + h * rate, rate=np.where(active, 0.0, rate))
        may_let_go = number < TRIES // 2
        side = np.where(active, island.side, island.passed(then.value, h, h * PASSES))
        side[bears & (h * force * side > PULLS) & may_let_go] = 0
        mode = island.wanted(then, 0.0 * rate)
        mode = np.where(may_let_go | (mode != 0), mode, island.mode)
        if (island.side == side).all() and (island.mode == mode).all():
            break
        island.side[:], island.mode[:] = side, mode
    return found, h * island.wrenches(now, force, own)


SHORT, TURNS, SPRING = 1.0 / 300.0, 0.05, 0.04
"""No step is longer in s, turns a body farther in rad, or a spring."""
STEPS, EVENTS, STANDING = 4000, 60, 6
"""Of an output step, and in a row without advance, before the rest of it is of first order."""
ROUGH, JUMP, ENOUGH = 1e-6, 1e-6, 1e-10
"""Over the size, of rows that contradict; m/s or rad/s that may jump; m or rad from a change."""
STAGES = ((0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0))
"""c_i and b_i of the classical tableau; all of its a_ij but a_(i, i-1) = c_i are 0."""
TOUCH, STILL, APPROACHES, PASSES_BY, PRESSES = 1e-8, 1e-6, 1e-9, 1e-7, 1e-9
"""m or rad within which a bound is touched; m/s or rad/s, and the last one a second more."""
Step = tuple[bool, float, tuple[Poses, Evaluated, Array], Modes, Array]
"""Whether bounds or elements are otherwise at the end of a step; by how much rows are off there, m
or rad; poses, rows and velocity there; what elements do there; impulses of joints (m, 6)."""


def advance(island: DenseIsland, most: float) -> None:
    """Take an output step, by steps that are no longer than ``most`` s."""
    rest, standing, most = island.dt, 0, min(most, SHORT)
    slip = np.where(island.active, island.now.rate - island.goals(0.0)[1], 0.0)
    if np.abs(slip).max(initial=0.0) > JUMP:
        touch(island)
    while rest > 1e-12 * island.dt:
        h = rest / np.ceil(rest / min(most, _longest(island)) - 1e-9)
        (changes, off, there, mode, wrench), took = _to_change(island, h)
        busy = island.steps > STEPS or island.events > EVENTS or standing > STANDING
        if busy or not off <= ROUGH * island.size:
            parts = int(np.ceil(rest / most - 1e-9))
            for _ in range(parts):
                first_order(island, rest / parts)
            return
        if took > 0.0:
            island.go(*there, took, wrench)
        if changes:
            island.mode[:] = mode
            touch(island)
            island.events += 1
            standing = standing + 1 if took < 1e-2 * island.dt else 0
        rest -= took


def _longest(island: DenseIsland) -> float:
    """Return the longest step that spins and springs allow, s."""
    spin = np.abs(island.velocity[..., 3:] * island.inverse[..., 3:]).max(initial=0.0)
    omega = island.omega[(island.stiff == 0) & (island.mode != 0)].max(initial=0.0)
    return max(1.0 / max(float(spin) / TURNS, float(omega) / SPRING, 1e-9), island.dt / STEPS)


def _to_change(island: DenseIsland, h: float) -> tuple[Step, float]:
    """Return a step of h s or to just behind a change, in which no row goes ENOUGH; and its s."""
    step, low, high, least = _tried(island, h), 0.0, h, 1e-9 * island.dt
    enough = max(ENOUGH / float(np.abs(step[2][1].rate).max(initial=1.0)), 1e-12 * h)
    while step[0] and high - low > enough and high > least:
        middle = 0.5 * (low + high)
        tried = _tried(island, middle)
        if tried[0]:
            step, high = tried, middle
        else:
            low = middle
    return step, 0.0 if step[0] and high <= least else high


def _tried(island: DenseIsland, h: float) -> Step:
    """Take a step of h s; the island stays where it is."""
    start = np.array([0.0 * island.velocity, island.velocity])
    went, slope, wrench = start, 0.0 * start, 0.0 * island.wrench
    for part, weight in STAGES:
        slope, loads = _slope(island, start + part * h * slope, part * h)
        went, wrench = went + weight * h * slope, wrench + weight * h * loads
    poses = island.rows.displaced(island.rows.carried(h, island.poses), went[0])
    poses, now, velocity, off = island.project(poses, went[1], h)
    _, force, _, bend = island.accelerate(now, velocity, island.goals(h)[2])
    pulled = ~island.comes_in & (force * island.side > _pulls(force))
    passed = ~island.active & (island.passed(now.value, h, HOLDS) != 0)
    mode = island.wanted(now, bend)
    changes = (pulled | passed).any() or (mode != island.mode).any()
    return bool(changes), off, (poses, now, velocity), mode, wrench


def _slope(island: DenseIsland, moved: Array, time: float) -> tuple[Array, Array]:
    """Return how displacements and velocities change, and what joints bear, some seconds on."""
    by, velocity = moved
    poses = island.rows.displaced(island.rows.carried(time, island.poses), by)
    goal = island.goals(time)[2]
    if island.system.closed:
        _, now, velocity, _ = island.project(poses, velocity, time, 1)
    else:
        now = island.at(poses, velocity)
    acceleration, force, own, _ = island.accelerate(now, velocity, goal)
    if goal.any():  # what brings in rows is no load
        plain = island.accelerate(now, velocity, 0.0 * goal)[1]
        force = np.where(force == 0.0, 0.0, plain)
    turn, spin = (one[..., 3:] * island.inverse[..., 3:] for one in (by, velocity))
    about = rate_of_vector(turn, spin) / island.inverse[..., 3:]
    way = np.concatenate([velocity[..., :3], about], -1)
    return np.array([way, acceleration]), island.wrenches(now, force, own)


def _pulls(force: Array) -> float:
    """Return from which force on a bound is one that pulls, of forces (r,)."""
    return 1e-12 + 1e-9 * float(np.abs(force).max(initial=0.0))


def touch(island: DenseIsland) -> None:
    """Change velocities and sides where bounds are touched: the impact, and what bears after it.

    Restitution is zero. Impulses l push off bounds and rates c leave them, l c = 0: a linear
    complementarity problem, solved by pivoting: what pulls is let go, what would be passed is held.
    Then the same with forces and accelerations for what is at rest there.
    """
    now, side, before = island.now, island.side, island.side.copy()
    side[:] = touched = island.passed(now.value, 0.0, -TOUCH)
    free = (touched != 0) & ~(island.comes_in & (before != 0) & (island.span[AGE] > 0.0))
    _, rates, bends = island.goals(0.0)
    rate = now.rate - rates  # as the bounds themselves go

    def impulses() -> tuple[Array, Array]:
        force = solved(now.jacobian, island.active, -rate)
        return force, rate + now.jacobian @ (force @ now.jacobian)

    side[free & (touched * rate <= APPROACHES) & (before == 0)] = 0  # not approached, nor borne
    impulse = _pivoted(side, np.where(free, touched, 0), PASSES_BY, impulses)
    island.velocity[:] += now.push(impulse)
    island.wrench += island.wrenches(now, impulse)
    then = island.at(island.poses, island.velocity)

    def forces() -> tuple[Array, Array]:
        _, force, _, bend = island.accelerate(then, island.velocity, island.goals(0.0)[2])
        return force, bend - bends

    rests = np.abs(then.rate - rates) <= STILL
    side[:] = np.where(free & ~rests, 0, touched)
    _pivoted(side, np.where(free & rests, touched, 0), PRESSES, forces)
    island.now = island.at(island.poses, island.velocity)


def _pivoted(
    side: Array, may: Array, slack: float, solve: Callable[[], tuple[Array, Array]]
) -> Array:
    """Of sides in ``may`` (r,) let go what pulls, or else hold what is passed; return forces."""
    for _ in range(4 * len(side) + 4):
        force, after = solve()
        pulled = (side != 0) & (force * may > _pulls(force))
        passed = (side == 0) & (after * may > slack) & ~pulled.any()
        if not (pulled | passed).any():
            break
        side[:] = np.where(pulled, 0, np.where(passed, may, side))
    return force


FRAME = 1.0 / 60.0
"""s, an output step before there was any."""
VIOLATED, PRESSED = 1e-9, 1e-6
"""m or rad, by which rows are not yet violated: at rest, and where bounds are pressed."""


class TextbookStepper(Stepper):
    """Steps islands one after the other."""

    def __init__(self, system: System, state: State) -> None:
        super().__init__(system, state)
        self._each = [(system.one(number), state.one(number)) for number in range(system.islands)]

    def _island(self, number: int, dt: float) -> DenseIsland:
        return DenseIsland(*self._each[number], self.other_velocity[number : number + 1], dt)

    def begin(self, *, continued: bool, time: float = 0.0) -> None:
        """Prepare a state, see ``Stepper``."""
        system, state = self._system, self._state
        begin_rows(system, state, continued=continued)
        low, high = bounds(system, state)
        off = np.maximum(state.value - high, 0.0) + np.minimum(state.value - low, 0.0)
        state.excess[:] = np.where(np.abs(off) > (PRESSED if continued else VIOLATED), off, 0.0)
        state.side[:] = np.where(system.kind == RowKind.LOCK, 0, np.sign(state.excess))
        with np.errstate(all="ignore"):
            for number in range(system.islands):
                island = self._island(number, FRAME)
                island.mode[:] = island.wanted(island.now, 0.0 * island.now.rate)
                if not continued:
                    touch(island)

    def step(self, dt: float, most: float, tolerance: float) -> StepResult:
        """Advance all islands, see ``Stepper``."""
        system, reports = self._system, np.zeros(self._system.islands, REPORT)
        self.wrench[:] = 0.0
        for number, report in enumerate(reports):
            state = self._each[number][1]
            saved = state.copy()
            with np.errstate(all="ignore"):
                try:
                    island = self._island(number, dt)
                    advance(island, most) if most > 0.0 else first_order(island, dt)
                    for name in ("steps", "events", "first_order", "unfollowed"):
                        report[name] = getattr(island, name)
                    self.wrench[number], report["done"] = island.wrench, True
                except np.linalg.LinAlgError:
                    state.take(saved)
                    state.velocity[:] *= 0.5
        reports["gap"] = gap = rows_off(system, self._state).max(-1, initial=0.0)
        off = np.where(reports["done"], gap / np.maximum(system.size, 1.0), np.inf)
        return StepResult(float(off.max()), reports.tobytes())


TEXTBOOK = Engine("textbook", TextbookStepper, quaternion_of)
