# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal islands over output steps. Each is stepped on its own, and knows of no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .dynamics.misses import joints_off
from .engines.engine import Went, engine
from .kinematics.axles import TurnCount, axle_rates
from .kinematics.jacobian import moved_inertia
from .kinematics.rotation import Array
from .reading.assembly import Members, weight_of
from .reading.bodies import Bodies
from .reading.movers import Movers
from .reading.springs import stored_energy
from .report import IslandReport, StepReport
from .state import State
from .system import System

MET = 1e-6
"""m or rad, of islands of up to 1 m; in larger ones a part of their size: rows that are no further
off are met."""
SHORTLY = 1e-6
"""Part of a step: so far within it, what moves by itself has the velocity that it has there."""
Nodes = tuple[tuple[int, ...], tuple[int, ...]]


class IslandGroup:
    """Equal islands: what they are, where they are, and how they step.

    Attributes:
        system: their bodies and joints.
        state: where they are.
        numbers: of their bodies and joints.
        members: nodes of the bodies and of the joints of each island.
        wrench: (N, m, 6) impulses of joints during the last step.
    """

    def __init__(
        self, system: System, state: State, numbers: Members, members: Sequence[Nodes]
    ) -> None:
        """Begin with a state that an engine has prepared, or will."""
        self.system, self.state = system, state
        self.numbers, self.members = numbers, members
        self.wrench = np.zeros((system.islands, system.joints, 6))
        self._still = np.zeros((system.islands, system.others, 6))
        self._moving: dict[int, NDArray[np.bool_]] = {}

    def lead(self, movers: Movers) -> None:
        """Take over what moves by itself from now on."""
        self.movers = movers
        others = self.numbers.others
        own = movers.movers.keys() & set(others.reshape(-1).tolist())
        self._moving = {body: others == body for body in sorted(own)}

    def begin(self, time: float, *, continued: bool) -> None:
        """Prepare the state of which only poses and velocities are known.

        Args:
            time: s.
            continued: whether coordinates and quaternions are known as well.
        """
        velocity = self._others_at(time, 0.0)
        engine().begin(self.system, self.state, velocity, continued=continued)
        if self.state.turn.size:
            self._count = TurnCount(self.system, self.state)
            self._count.look()

    def step(self, time: float, dt: float, most: float, tolerance: float) -> Went:
        """Advance all islands.

        Args:
            time: s, at which the step begins.
            dt: s.
            most: s, no step within it is longer.
            tolerance: m or rad, error of such a step.
        """
        if self.state.turn.size:
            return self._counted(time, dt, lambda: self._step(time, dt, most, tolerance))
        return self._step(time, dt, most, tolerance)

    def _step(self, time: float, dt: float, most: float, tolerance: float) -> Went:
        if not self._moving:
            went = engine().step(self.system, self.state, self._still, dt, most, tolerance)
        else:
            parts = [
                self._part(start, length, most, tolerance)
                for start, length in self.movers.parts(self._moving, time, dt)
            ]
            went = parts[0]
            for part in parts[1:]:
                went = went.then(part)
        self.wrench = went.wrench
        return went

    def _counted(self, time: float, dt: float, step: Callable[[], Went]) -> Went:
        """Advance, and say how far axles have turned."""
        count, before = self._count, np.zeros_like(self.state.turn)
        slow = not self._moving and count.is_slow(dt)
        if not slow:
            count.look()
            before = self._axle_rates(time + SHORTLY * dt)
        went = step()
        if count.stays_near(dt) and slow:
            return went
        mean = 0.5 * (before + self._axle_rates(time + dt - SHORTLY * dt))
        count.look(np.where(went.done[:, None], mean * dt, 0.0))
        return went

    def _axle_rates(self, time: float) -> Array:
        spin = self._still[..., 3:]
        if self._moving:
            spin = spin.copy()
            for body, places in self._moving.items():
                spin[places] = self.movers.velocity(body, time)[3:]
        return axle_rates(self.system, self.state, spin)

    def _part(self, start: float, length: float, most: float, tolerance: float) -> Went:
        """Advance while what moves by itself keeps its velocities."""
        velocity = self._others_at(start, length)
        return engine().step(
            self.system, self.state, velocity, length, min(most, length), tolerance
        )

    def relax(self, time: float, dt: float) -> Went:
        """Advance all islands by one step of first order."""
        if self.state.turn.size:
            return self._counted(time, dt, lambda: self._relax(time, dt))
        return self._relax(time, dt)

    def _relax(self, time: float, dt: float) -> Went:
        velocity = self._others_at(time, dt)
        went = engine().relax(self.system, self.state, velocity, dt)
        self.wrench = went.wrench
        return went

    def place_others(self, time: float) -> None:
        """Put what moves by itself where it is at a time."""
        self._others_at(time, 0.0)

    def _others_at(self, start: float, length: float) -> Array:
        """Put what moves by itself where it is, and return its velocities on the way from there."""
        velocity, n = self._still.copy(), self.system.bodies
        for body, places in self._moving.items():
            origin, turn = self.movers.poses(body, start)
            self.state.position[:, n:][places] = origin
            self.state.rotation[:, n:][places] = turn
            velocity[places] = self.movers.velocity(body, start + 0.5 * length)
        return velocity

    def stop(self) -> None:
        """Take all velocities away."""
        self.state.velocity[:] = 0.0
        self.state.forget_step()
        if self.state.turn.size:
            self._count.forget()

    def moment(self) -> State:
        """Return what ``go_back`` takes."""
        if self.state.turn.size:
            self._count.look()
        return self.state.copy()

    def go_back(self, state: State) -> None:
        """Return to a moment."""
        self.state.take(state)
        if self.state.turn.size:
            self._count = TurnCount(self.system, self.state)

    def weigh(self, bodies: Bodies, gravity: Array) -> None:
        """Change gravity, m/s^2."""
        self.system.weight[:] = weight_of(self.numbers, bodies, self.system.roots, gravity)
        self.state.forget_step()

    def velocities(self) -> Array:
        """Return velocities of centres of mass, world axes, and spins, body axes: (N n, 6)."""
        return np.asarray((self.state.velocity / self.system.roots).reshape(-1, 6))

    def energy(self) -> tuple[float, float]:
        """Return the kinetic energy, and the potential one with springs, in J."""
        system, state = self.system, self.state
        kinetic = 0.5 * float((state.velocity * state.velocity).sum())
        weights = system.weight[:, :, :3] * system.roots[:, :, :3]
        potential = -float((weights * state.position[:, : system.bodies]).sum())
        if system.elements:
            scale = np.ones((system.islands, system.elements))
            if system.accelerates.any():
                inertia = moved_inertia(system, state)
                scale = np.where(system.accelerates != 0, inertia, 1.0)
            potential += float(stored_energy(system, state.value, scale).sum())
        return kinetic, potential

    def reports(self, went: Went) -> Iterator[IslandReport]:
        """Yield how an output step went, island by island."""
        columns: tuple[list[Any], ...] = (
            went.steps.tolist(),
            went.first_order.tolist(),
            self.is_met(went).tolist(),
            went.failures.tolist(),
        )
        met = columns[2]
        off = np.zeros((2, 0, 0)) if all(met) else joints_off(self.system, self.state)
        for i, ((bodies, joints), *one) in enumerate(zip(self.members, *columns, strict=True)):
            lost = () if met[i] else self._lost(i, joints, off[:, i])
            yield IslandReport(bodies, joints, *one, *lost)

    def _lost(
        self, island: int, joints: tuple[int, ...], off: Array
    ) -> tuple[tuple[int, ...], float, float]:
        """Return the joints that are off, farthest first, and the most in m and rad."""
        size = max(float(self.system.size[island]), 1.0)
        most = np.maximum(off[0], off[1])
        named = [j for j in np.argsort(-most, kind="stable").tolist() if most[j] > MET * size]
        far = off[:, named].max(axis=1, initial=0.0).tolist()
        return tuple(joints[j] for j in named), far[0], far[1]

    def is_met(self, went: Went) -> NDArray[np.bool_]:
        """Return for each island whether its rigid rows are met: (N,)."""
        return np.asarray(went.done & (went.gap <= MET * np.maximum(self.system.size, 1.0)))


def step_report(pairs: Sequence[tuple[IslandGroup, Went]]) -> StepReport:
    """Return how an output step of all groups went."""

    def islands() -> list[IslandReport]:
        return [report for group, went in pairs for report in group.reports(went)]

    every = [went for _, went in pairs]
    return StepReport(
        max((int(went.steps.max()) for went in every), default=1),
        max((int(went.first_order.max()) for went in every), default=0),
        all(bool(group.is_met(went).all()) for group, went in pairs),
        max((int(went.failures.max()) for went in every), default=0),
        islands,
    )
