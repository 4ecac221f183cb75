# SPDX-License-Identifier: GPL-3.0-or-later
"""One output step: how many substeps, by which method, and what if they do not converge."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isfinite, sqrt

import numpy as np

from .build import Build
from .gauss import Gauss
from .loads import Loads
from .mechanics import BRINGING_IN, Mechanics, RowForces
from .motions import KinematicMotion
from .rattle import TOLERANCE, Rattle
from .report import Energy, Method, StepReport
from .rotation import ONES, Array, orthonormalized
from .state import State
from .stiff import Stiff
from .velocities import project_velocities

TURN = 0.085
"""rad that a body may turn relative to others in one substep."""
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
HALVINGS_OF_TREES = 4
"""How often steps of trees are halved before the generic method has its turn."""
HOLD = 6
"""Steps after a retry that begin where it ended, before less is tried again."""
GROWTH = 0.004
"""Part of the moving and stored energy that one step may gain where nothing drives."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Gradients and spring forces of where a state stands, and the gradients before."""

    gradients: tuple[tuple[Array, ...], ...]
    entries: Array
    forces: RowForces
    scale: Array


class Stepper:
    """Steps states of one build."""

    def __init__(
        self,
        build: Build,
        gravity: Array,
        motions: dict[int, KinematicMotion],
        substeps: int | None,
        method: Method,
    ) -> None:
        self.system = build.system
        self.loads = Loads(build.system.bodies, build.system.count, gravity)
        self.loads.add_movers(motions)
        self.substeps = substeps
        self.method = method
        self.mechanics = Mechanics(build.system, self.loads)
        self.rattle = Rattle(self.mechanics)
        self.stiff = Stiff(self.mechanics)
        self.gauss = Gauss(build.system)
        bodies = build.system.bodies
        pulled = bodies.gravity_factor != 0.0  # an infinite mass may float
        weight = np.where(pulled, bodies.mass, 0.0) * bodies.gravity_factor
        self.weight = weight[: build.system.count]

    def arrive(self, state: State) -> None:
        """Prepare for stepping from a state that the last step did not leave."""
        self.loads.place_movers(state.time, state.position, state.rotation)
        self.mechanics.prepare(state)
        if state.bare:
            state.bare = False
            self.gauss.bear(state)
            state.turning = state.velocity[:, 3:] * self.system.inverse_inertia_root
            state.turning_before = state.turning

    def complete(self, state: State) -> None:
        """Compute what a step of trees leaves out."""
        if state.bare:
            self.arrive(state)

    def remember(self) -> Memory:
        """Return what the next step would find beside the state."""
        system = self.system
        return Memory(
            tuple(group.remember() for group in system.groups),
            system.entries.copy(),
            self.mechanics.forces,
            system.springs.scale.copy(),
        )

    def return_to(self, memory: Memory, state: State) -> None:
        """Put back what ``remember`` gave, so that a step is the same bit for bit."""
        system = self.system
        for group, kept in zip(system.groups, memory.gradients, strict=True):
            group.return_to(kept)
        system.entries = memory.entries.copy()
        self.mechanics.forces = memory.forces
        system.springs.scale = memory.scale.copy()
        system.coordinates.reference[:] = state.reference

    def make_consistent(self, state: State) -> None:
        """Take out of the initial velocities what the joints do not allow."""
        mechanics, rows = self.mechanics, self.system.rows
        if mechanics.size:
            bounds = mechanics.bounds(state, state.time)
            touching = (state.values >= bounds.high - TOUCH) | (state.values <= bounds.low + TOUCH)
            active = rows.locked | (rows.limited & touching)
            bare = mechanics.without_springs()
            project_velocities(bare, state, state.velocity, 1e-3, state.values, active, None)
            mechanics.prepare(state)
        state.impulse = np.zeros(mechanics.size)
        state.turning = state.velocity[:, 3:] * self.system.inverse_inertia_root
        state.turning_before = state.turning.copy()

    def step(
        self, state: State, dt: float, substeps: int | None = None
    ) -> tuple[StepReport, State]:
        """Advance by dt as planned; if that fails by other plans, from exact to lenient.

        They are: as planned, with halved substeps, L-stable, and as well as contradictions allow;
        the last is reported as not converged. What even that cannot do stays where it is. Trees of
        ball joints have plans of their own before these.

        Halving whole steps, and not single substeps, keeps substeps equal: the method gains energy
        where they change all the time. What a step needed, the next ones begin with.
        """
        tried = 0
        if self.moves_trees(state):
            number = substeps or self.substeps or self.substeps_of_trees(state, dt)
            tried = HALVINGS_OF_TREES + 1
            end = state.time + dt
            for level in range(state.level, tried):
                count = number * 2**level
                if self._run_trees(state, dt / count, count):
                    state.time = end
                    return self._went_well(state, level, (count, Method.TREES)), state
        return self._step_rows(state, dt, substeps, tried)

    def _step_rows(
        self, state: State, dt: float, substeps: int | None, tried: int
    ) -> tuple[StepReport, State]:
        """Advance any mechanism by dt, when so many plans for trees did not fit."""
        plans = self.plans(state, dt, substeps)
        state.level = min(state.level, tried + len(plans) - 1)
        first = max(state.level - tried, 0)
        # A step replaces arrays and writes into none, so what was is kept by keeping them.
        before = state.kept()
        energy = self.energy(before)
        for level in range(first, len(plans)):
            count, method = plans[level]
            self.stiff.lenient = level == len(plans) - 1
            done = self._run(state, dt, count, method, energy)
            met = self.stiff.met or not self.stiff.lenient
            self.stiff.lenient = False
            if done:
                state.time = before.time + dt
                return self._went_well(state, tried + level, plans[level], met), state
            state = before.copy()
            self.arrive(state)
        state.time = before.time + dt
        state.velocity = 0.5 * state.velocity
        self.arrive(state)
        retries = tried + len(plans) - state.level
        return StepReport(plans[-1][0], Method.STIFF, False, retries), state

    @staticmethod
    def _went_well(
        state: State, level: int, plan: tuple[int, Method], met: bool = True
    ) -> StepReport:
        """Note which plan went well; after a while the next simpler one gets its chance."""
        retries = level - state.level
        state.hold = HOLD if retries else max(state.hold - 1, 0)
        state.level = level
        if level and not state.hold:
            state.level, state.hold = level - 1, HOLD
        return StepReport(*plan, met, retries)

    def plans(self, state: State, dt: float, substeps: int | None) -> list[tuple[int, Method]]:
        """Return what to try, in order: numbers of substeps and methods; the last is lenient."""
        number = substeps or self.substeps_for(state, dt)
        exact = Method.STIFF if self.method is Method.STIFF else Method.GENERIC
        plans = [(number * 2**i, exact) for i in range(3)]
        if exact is Method.GENERIC:
            plans += [(number, Method.STIFF), (number * 4, Method.STIFF)]
        return [*plans, (1, Method.STIFF)]

    def moves_trees(self, state: State) -> bool:
        """Whether all that moves hangs in trees of ball joints from what stands still."""
        if not self.gauss or self.method not in (Method.AUTO, Method.TREES) or self.loads.movers:
            return False
        return state.excess <= CLOSED or state.time - state.since >= BRINGING_IN

    def substeps_of_trees(self, state: State, dt: float) -> int:
        """Choose the number of steps of trees from how fast things turn."""
        spin = state.velocity[:, 3:] * self.system.inverse_inertia_root
        fastest = sqrt(float(((spin * spin) @ ONES).max()))
        if not isfinite(fastest):
            return MOST
        return int(min(max(1, ceil(fastest * dt / TURN_OF_TREES - 1e-9)), MOST))

    def relax(self, state: State, dt: float) -> tuple[StepReport, State]:
        """Advance by one L-stable step of dt."""
        self.complete(state)
        before = state.copy()
        done = self._run(state, dt, 1, Method.STIFF, self.energy(state))
        if not done:
            state = before
            state.velocity = 0.5 * state.velocity
            state.time += dt
            self.arrive(state)
        return StepReport(1, Method.STIFF, done, 0), state

    def _run(self, state: State, dt: float, count: int, method: Method, before: Energy) -> bool:
        """Do one plan; whether it went well."""
        with np.errstate(all="ignore"):
            if not self._run_rows(state, dt / count, count, method):
                return False
            if not state.is_finite():
                return False
            if self.mechanics.is_left_alone(state) and method is not Method.STIFF:
                after = self.energy(state)
                # RATTLE's energy swings a little; what explodes doubles it. At the end of a bounce
                # nothing moves and all is stored, so both count.
                scale = max(before.kinetic, after.kinetic) + self.mechanics.stored(state.values)
                noise = 1e-9 + TOLERANCE * self.loads.weight  # rows hold to that
                return after.total - before.total <= GROWTH * scale + noise
        return True

    def _run_trees(self, state: State, h: float, count: int) -> bool:
        """Step trees of ball joints; whether the sweeps settled."""
        with np.errstate(all="ignore"):
            return self.gauss.advance(state, self.loads, h, count)

    def _run_rows(self, state: State, h: float, count: int, method: Method) -> bool:
        """Step any mechanism; whether every substep converged."""
        self.complete(state)
        state.impulse = np.zeros_like(state.impulse)
        state.guess = state.guess[:0]
        stepper = self.rattle if method is Method.GENERIC else self.stiff
        self.rattle.stiff = self.stiff_rows(h)
        done = all(stepper.step(state, h) for _ in range(count))
        n = self.system.count
        state.rotation[:n] = orthonormalized(state.rotation[:n])
        return done

    def substeps_for(self, state: State, dt: float) -> int:
        """Choose the number of substeps from how fast things turn, swing and vibrate."""
        if self.substeps is not None:
            return max(1, self.substeps)
        system = self.system
        if not system.count:
            return 1
        spin = state.velocity[:, 3:] * system.inverse_inertia_root
        fastest = float(np.sqrt((spin * spin).sum(1).max()))
        wanted = fastest * dt / TURN
        if len(system):
            wanted = max(wanted, self.swing_rate(state) * dt / SWING)
        if len(system.springs):
            stiffness, damping = self.spring_rates()
            for rate in (np.sqrt(stiffness) * dt, damping * dt):
                # Where a force is cut off or sets in, a step errs by more than within a spring.
                kinks = np.where(np.isfinite(self.system.springs.max_force), 1.6, 1.0)
                near = (rate * kinks)[rate <= RESOLVED]
                wanted = max(wanted, float(near.max(initial=0.0)) / SPRING)
                if np.isfinite(self.system.springs.max_force[rate > RESOLVED]).any():
                    wanted = max(wanted, CAPPED * self.mechanics.is_at_most(state))
        if not isfinite(wanted):  # numbers whose squares are beyond all numbers
            return MOST
        return int(min(max(1, ceil(wanted - 1e-9)), MOST))

    def swing_rate(self, state: State) -> float:
        """Return the fastest rate at which loads on joints make bodies swing, in rad/s.

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
        return float(np.sqrt((pull / self.mechanics.inertia.max(1)).max()))

    def spring_rates(self) -> tuple[Array, Array]:
        """Return k / m and c / m of every spring, m the inertia that it moves."""
        springs = self.system.springs
        inertia = self.system.effective_inertia(springs.row)
        scale = np.where(springs.accelerates, inertia, 1.0) / inertia
        return springs.stiffness * scale, springs.damping * scale

    def stiff_rows(self, h: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]] | None:
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

    def velocities(self, state: State) -> tuple[Array, Array]:
        """Return velocities of centres of mass and angular ones, (bodies, 3), world axes."""
        n = self.system.count
        out = self.loads.mover_velocities(state.time, 1e-3)
        out[:n, :3] = state.velocity[:, :3] * self.system.inverse_mass_root
        out[:n, 3:] = state.velocity[:, 3:] * self.system.inverse_inertia_root
        return out[:, :3], (state.rotation @ out[:, 3:, None])[:, :, 0]

    def energy(self, state: State) -> Energy:
        """Return the energy of a state."""
        velocity = state.velocity.reshape(-1)
        kinetic = 0.5 * float(velocity @ velocity)
        moment = self.weight @ state.position[: self.system.count]
        potential = -float(moment @ self.loads.gravity)
        return Energy(kinetic, potential + self.mechanics.stored(state.values))
