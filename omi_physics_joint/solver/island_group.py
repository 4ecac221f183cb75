# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal islands over output steps: each with its own plans, retries, leniency and failure.

Islands that would be stepped alike (by one method, in as many substeps, after steps of the same
lengths) are one batch; all others are batches of their own. In a batch each goes exactly as it
would go alone, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .loads import Force, Loads
from .motions import KinematicMotion
from .report import IslandReport, Method, StepReport
from .rotation import Array
from .state import State
from .stepping import Stepper
from .system import System

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
HOLD = 6
"""Steps after a retry that begin where it ended, before less is tried again."""
MOST_PARTS = 256
"""Batches that are remembered."""


class Plan(NamedTuple):
    """One way to do an output step."""

    times: int
    """Substeps, as a multiple of what is chosen; 0 is one alone."""
    method: Method
    is_lenient: bool = False


TREES = tuple(Plan(2**i, Method.TREES) for i in range(5))
EXACT = tuple(Plan(2**i, Method.GENERIC) for i in range(3))
FIRST_ORDER = tuple(Plan(2**i, Method.STIFF) for i in range(3))
SETTLING = (Plan(1, Method.STIFF), Plan(4, Method.STIFF))
LENIENT = (Plan(0, Method.STIFF, is_lenient=True),)


class Tries(NamedTuple):
    """How an output step went, for each island: (islands,)."""

    substeps: Index
    method: list[Method]
    converged: Mask
    retries: Index


class IslandGroup:
    """Equal islands: what they are, where they are, and how they step.

    Attributes:
        system: their bodies and joints.
        state: where they are.
        bodies: nodes of the bodies of each island.
        joints: nodes of its joints.
    """

    def __init__(
        self,
        system: System,
        state: State,
        members: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
        method: Method,
        substeps: int | None,
    ) -> None:
        """Begin; nothing can be done before ``load``.

        Args:
            system: of the islands.
            state: of the same.
            members: nodes of bodies and of joints of each island.
            method: as asked for.
            substeps: as asked for, or None.
        """
        self.system, self.state, self.members = system, state, members
        self.method, self.fixed_substeps = method, substeps
        self._all = np.arange(system.islands)
        rows = FIRST_ORDER if method is Method.STIFF else EXACT + SETTLING
        self._ladders = rows + LENIENT, TREES + rows + LENIENT
        """Plans of other islands and of trees, in the order in which they are tried."""

    def load(
        self, gravity: Array, motions: Mapping[int, KinematicMotion], forces: Sequence[Force]
    ) -> None:
        """Take over what acts from outside; forces on bodies as the system numbers them."""
        self._gravity, self._motions, self._forces = gravity, motions, forces
        self.stepper = Stepper(self.system, Loads(self.system.bodies, gravity, motions, forces))
        self._parts: dict[bytes, Stepper] = {}

    def step(self, dt: float) -> Tries:
        """Advance all islands by dt as planned; those that fail by other plans.

        They are, from exact to lenient: as planned, with halved substeps, L-stable, and as well as
        contradictions allow; the last is reported as not converged. What even that cannot do stays
        where it is. Trees of ball joints have plans of their own before these.

        Halving whole steps, and not single substeps, keeps substeps equal: the method gains energy
        where they change all the time. What a step needed, the next ones begin with.

        Args:
            dt: s.
        """
        start, count = self.state, self.system.islands
        trees = self._moves_trees()
        unknown = np.zeros(count, dtype=np.intp)
        of_trees = self._chosen(self.stepper.substeps_of_trees, dt) if trees.any() else unknown
        of_rows = unknown if trees.all() else self._chosen(self.stepper.substeps, dt)
        tops = np.where(trees, len(self._ladders[1]) - 1, len(self._ladders[0]) - 1)
        first = np.minimum(start.level, tops)
        level, pending = first.copy(), self._all
        tries = Tries(unknown.copy(), [Method.STIFF] * count, np.zeros(count, bool), level)
        while len(pending):
            failed: list[Index] = []
            if of_rows is unknown and (level[pending] >= len(TREES)).any():
                of_rows = self._chosen(self.stepper.substeps, dt)
            for which in self._batches(pending, (trees, level, of_trees, of_rows)):
                one = which[0]
                plan = self._ladders[int(trees[one])][level[one]]
                base = of_trees if plan.method is Method.TREES else of_rows
                substeps = max(plan.times * int(base[one]), 1)
                tries.substeps[which] = substeps
                for island in which.tolist():
                    tries.method[island] = plan.method
                went, tries.converged[which] = self._run(which, start.time, dt, substeps, plan)
                if not went.all():
                    failed.append(which[~went])
            again = np.concatenate(failed) if failed else self._all[:0]
            level[again] += 1
            given_up = level[again] > tops[again]
            if given_up.any():
                self._stay(again[given_up], start.time, dt)
                tries.converged[again[given_up]] = False
            pending = np.sort(again[~given_up])
        retries = level - first
        self.note(np.minimum(level, tops), retries, level <= tops)
        return tries._replace(retries=retries)

    def _chosen(self, count: object, dt: float) -> Index:
        if self.fixed_substeps is not None:
            return np.full(self.system.islands, max(1, self.fixed_substeps))
        chosen: Index = count(self.state, dt)  # type: ignore[operator]
        return chosen

    def _moves_trees(self) -> Mask:
        if self.method not in (Method.AUTO, Method.TREES):
            return np.zeros(self.system.islands, bool)
        return self.stepper.moves_trees(self.state)

    def _batches(self, pending: Index, plans: Sequence[NDArray[Any]]) -> Iterator[Index]:
        """Yield islands that step alike: by the same plan, after steps of the same lengths."""
        if len(pending) == 1:
            yield pending
            return
        state = self.state
        keys = np.stack([*plans, state.last_step, state.guess_span, state.bare], 1)[pending]
        if (keys == keys[0]).all():
            yield pending
            return
        batches: dict[tuple[float, ...], list[int]] = {}
        for island, key in zip(pending.tolist(), keys.tolist(), strict=True):
            batches.setdefault(tuple(key), []).append(island)
        for islands in batches.values():
            yield np.array(islands, dtype=np.intp)

    def _run(
        self, which: Index, start: float, dt: float, count: int, plan: Plan
    ) -> tuple[Mask, Mask]:
        """Do one plan for some islands; return which went well, and which met all their rows."""
        if plan.method is Method.STIFF and len(which) > 1:
            each = [self._run(one[None], start, dt, count, plan) for one in which]
            return np.concatenate([one[0] for one in each]), np.concatenate(
                [one[1] for one in each]
            )
        stepper, state = self._part(which, start)
        met = np.ones(len(which), bool)
        if plan.method is Method.TREES:
            assert stepper.gauss is not None  # its plan is only for trees
            with np.errstate(all="ignore"):
                done = stepper.gauss.advance(state, dt / count, count)
        else:
            stepper.stiff.lenient = plan.is_lenient
            done = stepper.run(state, dt / count, count, plan.method)
            met[:] = stepper.stiff.met or not plan.is_lenient
        state.time = start + dt
        self._take(which, done, state)
        return done, met

    def _part(self, which: Index, time: float) -> tuple[Stepper, State]:
        """Return stepper and state of some islands at a time: others may be ahead."""
        if len(which) == self.system.islands:
            state = self.state.kept()
            state.time = time
            return self.stepper, state
        key = which.tobytes()
        if key not in self._parts:
            if len(self._parts) >= MOST_PARTS:
                self._parts.clear()
            system = self.system.part(which)
            island, body = np.divmod([force.body for force in self._forces], self.system.width)
            forces = [
                Force(
                    int(np.flatnonzero(which == i)[0]) * system.width + int(b), one.arm, one.force
                )
                for i, b, one in zip(island, body, self._forces, strict=True)
                if i in which
            ]
            loads = Loads(system.bodies, self._gravity, self._motions, forces)
            self._parts[key] = Stepper(system, loads)
        state = self.state.part(self.system.places(which))
        state.time = time
        return self._parts[key], state

    def _take(self, which: Index, done: Mask, state: State) -> None:
        """Take over where islands have come to that went well."""
        if done.all() and len(which) == self.system.islands:
            self.state = state
        elif done.any():
            if not done.all():
                system = self.system if len(which) == self.system.islands else self._system(which)
                state = state.part(system.places(np.flatnonzero(done)))
            self.state = self.state.having(self.system.places(which[done]), state)

    def _system(self, which: Index) -> System:
        return self._parts[which.tobytes()].system

    def _stay(self, which: Index, start: float, dt: float) -> None:
        """Leave islands where they are, slower."""
        stepper, state = self._part(which, start)
        state.velocity = 0.5 * state.velocity
        state.time += dt
        stepper.arrive(state)
        self._take(which, np.ones(len(which), bool), state)

    def note(self, level: Index, retries: Index, went: Mask) -> None:
        """Note which plans went well; after a while the next simpler one gets its chance."""
        state = self.state
        hold = np.where(retries > 0, HOLD, np.maximum(state.hold - 1, 0))
        simpler = (level > 0) & (hold == 0)
        state.level = np.where(went, level - simpler, np.minimum(state.level, level))
        state.hold = np.where(went, np.where(simpler, HOLD, hold), state.hold)

    def relax(self, dt: float) -> bool:
        """Advance each island by one L-stable step of dt; whether all converged."""
        self.complete()
        start, well = self.state.time, True
        for island in range(self.system.islands):
            which = self._all[island : island + 1]
            done, _ = self._run(which, start, dt, 1, Plan(1, Method.STIFF))
            if not done.all():
                self._stay(which, start, dt)
                well = False
        return well

    def complete(self) -> None:
        """Compute what steps of trees leave out."""
        bare = np.flatnonzero(self.state.bare)
        if len(bare):
            stepper, state = self._part(bare, self.state.time)
            stepper.arrive(state)
            self._take(bare, np.ones(len(bare), bool), state)
        self.stepper.mechanics.adopt(self.state)

    def stop(self) -> None:
        """Take all velocities away."""
        state = self.state = self.state.kept()
        state.velocity = np.zeros_like(state.velocity)
        state.turning = state.turning_before = np.zeros_like(state.turning)
        state.bare = np.zeros_like(state.bare)
        self.stepper.arrive(state)

    def reports(self, tries: Tries) -> Iterator[IslandReport]:
        """Yield how an output step went, island by island."""
        columns = (
            tries.substeps.tolist(),
            tries.method,
            tries.converged.tolist(),
            tries.retries.tolist(),
        )
        for (bodies, joints), *went in zip(self.members, *columns, strict=True):
            yield IslandReport(bodies, joints, *went)


ORDER = (Method.TREES, Method.GENERIC, Method.STIFF)
"""Methods from the highest order to the lowest."""


def step_report(pairs: Sequence[tuple[IslandGroup, Tries]]) -> StepReport:
    """Return how an output step of all groups went."""

    def islands() -> list[IslandReport]:
        return [report for group, tries in pairs for report in group.reports(tries)]

    every = [tries for _, tries in pairs]
    methods = {method for tries in every for method in set(tries.method)}
    return StepReport(
        max((int(tries.substeps.max()) for tries in every), default=1),
        max(methods, key=ORDER.index, default=Method.GENERIC),
        all(bool(tries.converged.all()) for tries in every),
        max((int(tries.retries.max()) for tries in every), default=0),
        islands,
    )
