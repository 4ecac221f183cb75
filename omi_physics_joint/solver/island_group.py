# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal islands over output steps. Each is stepped on its own, and knows of no other.

Settings may change on the way. What a bound violates comes in along a curve of half a second, from
rest. Bounds that move a little in each output step would begin it again and again and leave bodies
behind. So bodies are put on its end, where (1 - u)^3 of it is left: that much is s, and s goes on
from where the body is.

Godot's steps begin with the last impulses. In Jolt another target, speed or stiffness is told to
the joint that is there; other limits make it anew, and it begins with none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .contacts.touching import TouchingStepper
from .engines.engine import Engine, StepResult
from .kinematics.rotation import Array, Index, Mask
from .reading.assembly import IslandMembers, weight_of
from .reading.bodies import Bodies, KinematicBodies
from .system import BRINGING_IN, State, System, brought_in, scaled, stored_energy

Nodes = tuple[tuple[int, ...], tuple[int, ...]]


class IslandGroup:
    """Equal islands: what they are, where they are, and how they step.

    Attributes:
        system: their bodies and joints.
        state: where they are.
        numbers: of their bodies and joints.
        members: nodes of the bodies and of the joints of each island.
        stepper: what moves them.
        touching: what moves the one island instead, where it touches anything.
    """

    def __init__(
        self,
        system: System,
        state: State,
        numbers: IslandMembers,
        members: Sequence[Nodes],
        engine: Engine,
    ) -> None:
        """Begin with a state that was prepared, or will be."""
        self.system, self.state = system, state
        self.numbers, self.members = numbers, members
        self.stepper = engine.stepper(system, state)
        self._moving: dict[int, Mask] = {}
        self.touching: TouchingStepper | None = None

    @property
    def wrench(self) -> Array:
        """(N, m, 6) impulses of joints during the last step; the next one writes over them."""
        return self.stepper.wrench

    def lead(self, movers: KinematicBodies) -> None:
        """Take over what moves by itself from now on."""
        self.movers = movers
        others = self.numbers.others
        own = movers.movers.keys() & set(others.reshape(-1).tolist())
        self._moving = {body: others == body for body in sorted(own)}
        self.stepper.other_velocity[:] = 0.0

    @property
    def is_led(self) -> bool:
        """Whether bodies that move by themselves lead it."""
        return bool(self._moving)

    @property
    def lies(self) -> bool:
        """Whether it stays where it is in the next step."""
        return self.touching is not None and self.touching.lies

    def begin(self, time: float, *, continued: bool) -> None:
        """Prepare the state at a time in s; ``continued`` as of ``Stepper``."""
        self.place_others(time)
        self.stepper.begin(continued=continued, time=time)

    def _advance(self, dt: float, most: float, tolerance: float) -> StepResult:
        if self.touching is not None:
            return self.touching.step(dt, most, tolerance)
        return self.stepper.step(dt, most, tolerance)

    def step(self, time: float, dt: float, most: float, tolerance: float) -> StepResult:
        """Advance all islands from a time in s, see ``Stepper``."""
        if not self._moving:
            return self._advance(dt, most, tolerance)
        went, wrench, stiff = None, np.zeros_like(self.wrench), np.zeros_like(self.state.stiff)
        for start, length in self.movers.parts(self._moving, time, dt):
            self.place_others(start, length)
            part = self._advance(length, min(most, length), tolerance)
            went = part if went is None else went.then(part)
            wrench += self.wrench
            stiff |= self.state.stiff
        self.wrench[:], self.state.stiff[:] = wrench, stiff
        assert went is not None
        return went

    def relax(self, time: float, dt: float) -> StepResult:
        """Advance all islands by one step of first order."""
        self.place_others(time, dt)
        return self.stepper.relax(dt)

    def place_others(self, start: float, length: float = 0.0) -> None:
        """Put what moves by itself where it is, for ``length`` s with its velocities from there."""
        n = self.system.bodies
        for body, places in self._moving.items():
            mover = self.movers.movers[body]
            origin, turn, _, _ = mover.at(start)
            self.state.position[:, n:][places] = origin
            self.state.rotation[:, n:][places] = turn
            velocities = mover.at(start + 0.5 * length)[2:]
            self.stepper.other_velocity[places] = np.concatenate(velocities)

    def stop(self) -> None:
        """Take all velocities away."""
        self.state.velocity[:] = 0.0
        self.state.forget_step()

    def weigh(self, bodies: Bodies, gravity: Array) -> None:
        """Change gravity, m/s^2."""
        self.system.weight[:] = weight_of(self.numbers, bodies, self.system.roots, gravity)
        self.state.forget_step()

    def velocities(self) -> Array:
        """Return velocities of centres of mass, world axes, and spins, body axes: (N n, 6)."""
        return np.asarray((self.state.velocity / self.system.roots).reshape(-1, 6))

    def unfollowed(self) -> list[tuple[int, ...]]:
        """Return of each island the joints with elements too stiff for the last step."""
        joint = self.system.joint_of_row[self.system.element_row]
        return [
            tuple(dict.fromkeys(nodes[j] for j in joint[own].tolist()))
            for (_, nodes), own in zip(self.members, self.state.stiff != 0, strict=True)
        ]

    def energy(self, *, replaced: bool = False) -> tuple[float, float]:
        """Return the kinetic energy, and the potential one with springs, in J.

        Drives that accelerate count with the inertia that they moved as the last step began.

        The stretch of springs that were ``replaced``, as too stiff for a step, holds nothing then.
        """
        system, state = self.system, self.state
        kinetic = 0.5 * float((state.velocity * state.velocity).sum())
        weights = system.weight[:, :, :3] * system.roots[:, :, :3]
        potential = -float((weights * state.position[:, : system.bodies]).sum())
        if system.elements:
            held = stored_energy(scaled(system, state.scale), state.value)
            potential += float(np.where(replaced & (state.stiff != 0), 0.0, held).sum())
        return kinetic, potential


STEPS = 2.0
"""Output steps in which what a bound has passed comes in."""
EARLIEST = 0.5
"""Part of the curve behind which bodies are put, however long a step is."""
_Impulses = tuple[int, int, Index, tuple[NDArray[Any], ...]]
"""Of a joint its node, its island, where its impulses stand, and what says its limits."""
Borne = dict[int, tuple[tuple[NDArray[Any], ...], Array]]
"""Limits and last impulses of joints, by node."""


def follow_bounds(group: IslandGroup, step: float, time: float, late: Collection[int]) -> None:
    """Have bodies that bounds came over be where they are on the end of the curve.

    Args:
        group: islands, just built anew on their way.
        step: s of an output step.
        time: s since the rest pose.
        late: joint nodes of islands whose rest pose violated bounds: they take their time.
    """
    excess = group.state.excess
    for island, (_, nodes) in enumerate(group.members):
        if not excess[island].any():
            continue
        u = max(EARLIEST, 1.0 - STEPS * step / BRINGING_IN)
        if not set(nodes).isdisjoint(late):
            u = min(u, time / BRINGING_IN)
        excess[island] /= brought_in(np.array(u))
        group.state.span[island, 2] = u * BRINGING_IN


def coming_in(groups: Collection[IslandGroup]) -> frozenset[int]:
    """Return the joint nodes of islands that violate bounds."""
    return frozenset(
        node
        for group in groups
        for island, (_, nodes) in enumerate(group.members)
        if np.any(group.state.excess[island])
        for node in nodes
    )


def borne_by(groups: Iterable[IslandGroup]) -> Borne:
    """Return what joints bore in the last step."""
    return {
        node: (limits, group.state.impulse[island, at])
        for group in groups
        for node, island, at, limits in _joints(group)
    }


def go_on(groups: Iterable[IslandGroup], borne: Borne) -> None:
    """Have joints of groups that were built anew begin with what those before bore."""
    for group in groups:
        for node, island, at, limits in _joints(group):
            before, impulse = borne.get(node, ((), np.zeros(0)))
            if impulse.size == at.size and all(map(np.array_equal, before, limits)):
                group.state.impulse[island, at] = impulse


def _joints(group: IslandGroup) -> Iterator[_Impulses]:
    system = group.system
    joint_of_element = system.joint_of_row[system.element_row]
    for number in range(system.joints):
        rows = np.arange(system.row_start[number], system.row_start[number + 1])
        at = np.concatenate((rows, system.rows + np.flatnonzero(joint_of_element == number)))
        for island, (_, nodes) in enumerate(group.members):
            bounds = (values[island, rows] for values in (system.hold, system.low, system.high))
            yield nodes[number], island, at, (system.coordinate[rows], system.kind[rows], *bounds)
