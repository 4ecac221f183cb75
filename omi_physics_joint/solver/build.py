# SPDX-License-Identifier: GPL-3.0-or-later
"""From a mechanism to groups of equal islands, each with its first state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..model.islands import Island
from ..model.joint import JointSettings, Limit
from ..model.mechanism import Mechanism
from .bodies import Bodies
from .coordinates import Coordinates, frames_of
from .island_group import IslandGroup
from .islands import alike
from .joints import Joint, read_joints
from .rattle import is_round
from .report import Method
from .rotation import Array
from .state import POINTS, State
from .system import System, build_of, coordinates_of, is_large, system_of

VIOLATED = 1e-9
"""m or rad by which a bound must be passed to count as violated."""
PRESSED = 1e-6
"""The same on the way, where what presses on a bound may lie beyond it by as much as is allowed."""


@dataclass(slots=True)
class Moment:
    """Where all bodies are, whatever islands they belong to.

    Attributes:
        time: s.
        position, rotation: (bodies, 3) and (bodies, 3, 3), in the order of ``read_bodies``.
        velocity: (bodies, 6) scaled, zero for what is not dynamic.
        turns: where the three angles of each joint go on from, by node.
    """

    time: float
    position: Array
    rotation: Array
    velocity: Array
    turns: dict[int, Array]


class Build:
    """Groups of islands, and how they belong to their mechanism."""

    def __init__(
        self,
        mechanism: Mechanism,
        rest: Bodies,
        settings: tuple[JointSettings, ...],
        held: Mapping[int, frozenset[Limit]],
        broken: frozenset[int],
    ) -> None:
        body_index = {int(node): i for i, node in enumerate(rest.nodes) if node >= 0}
        joints, self.issues = read_joints(
            mechanism,
            settings,
            body_index,
            len(rest.nodes) - 1,
            frozenset(int(i) for i in np.flatnonzero(rest.dynamic)),
            held=held,
        )
        self.rest = rest
        self.joints = [joint for joint in joints if joint.node not in broken]
        self.joint_nodes = tuple(sorted(joint.node for joint in self.joints))
        self.joint_number = {joint.node: i for i, joint in enumerate(self.joints)}
        self._ends = [joint.bodies for joint in self.joints]
        rows = [len(coordinates_of(joint)) for joint in self.joints]

        def kind(island: Island[int]) -> object:
            own = np.array(island.bodies)
            factors = rest.gravity_factor[own]
            closes = island.closes(self._ends)
            alone = is_large(sum(rows[j] for j in island.joints), closes=closes)
            even = bool((factors == factors[0]).all())
            return is_round(rest.inertia[own]), even, island.bodies[0] if alone else -1

        dynamic = [int(i) for i in np.flatnonzero(rest.dynamic)]
        self.islands = alike(dynamic, self._ends, lambda j: build_of(self.joints[j]), kind)
        self.rows_of = [
            np.array([body for island in group for body in island.bodies], dtype=np.intp)
            for group in self.islands
        ]
        """Bodies of each group, in the order of ``read_bodies``."""
        self.numbers_of = [
            np.array([joint for island in group for joint in island.joints], dtype=np.intp)
            for group in self.islands
        ]
        """Joints of each group, as in ``joints``."""

    def groups(
        self, moment: Moment | None, method: Method, substeps: int | None
    ) -> list[IslandGroup]:
        """Return the groups at rest, or at a moment of the same bodies."""
        return [
            self._group(number, moment, method, substeps) for number in range(len(self.islands))
        ]

    def _group(
        self, number: int, moment: Moment | None, method: Method, substeps: int | None
    ) -> IslandGroup:
        islands, moving = self.islands[number], self.rows_of[number]
        joints = [self.joints[j] for j in self.numbers_of[number]]
        ends = {body for joint in joints for body in joint.bodies}
        fixed = sorted(body for body in ends if not self.rest.dynamic[body])
        order = np.concatenate([moving, np.array(fixed, dtype=np.intp)])
        place = {int(body): i for i, body in enumerate(order)}
        renumbered = [
            replace(joint, bodies=(place[joint.bodies[0]], place[joint.bodies[1]]))
            for joint in joints
        ]
        closes = islands[0].closes(self._ends)
        bodies = self.rest.ordered(order)
        system = system_of(len(islands), bodies, renumbered, closes=closes)
        node_of = self.rest.nodes.tolist()
        members = [
            (
                tuple(node_of[body] for body in island.bodies),
                tuple(self.joints[j].node for j in island.joints),
            )
            for island in islands
        ]
        state = _state(system, renumbered, order, moment)
        return IslandGroup(system, state, members, method, substeps)

    def joint_coordinates(self, position: Array, rotation: Array, turns: Array) -> Array:
        """Return the six coordinates of every joint in the sense of its settings: (joints, 6).

        Args:
            position: of all bodies.
            rotation: of all bodies.
            turns: (joints, 3) turns that angles have made.
        """
        every = self._every
        every.reference[every.start[:, 1, None] + np.arange(3)] = turns
        values, _ = every.values(position, rotation)
        return np.asarray(values[(every.start[:, :, None] + np.arange(3)).reshape(-1, 6)])

    @cached_property
    def _every(self) -> Coordinates:
        """All six coordinates of all joints, whether anything acts on them or not."""
        frames = frames_of(self.joints, self.rest, everything=True)
        return Coordinates(frames, self.rest, everything=True)


def turns_of(coordinates: Coordinates, reference: Array) -> Array:
    """Return the turns that the angles of joints have made, (joints, 3), zero without angles."""
    padded = np.concatenate([reference, np.zeros(3)])
    start = coordinates.start[:, 1]
    start = np.where(start < 0, len(reference), start)
    return np.asarray(padded[start[:, None] + np.arange(3)])


def _state(
    system: System, joints: Sequence[Joint], order: NDArray[np.intp], moment: Moment | None
) -> State:
    """Return the rest pose, or where the bodies are at a moment."""
    bodies, n, rows, islands = system.bodies, system.count, len(system), system.islands
    coordinates = system.coordinates
    position, rotation = bodies.position.copy(), bodies.rotation.copy()
    velocity = np.zeros((n, 6))
    velocity[:, :3] = bodies.velocity[:n] * np.sqrt(bodies.mass[:n, None])
    velocity[:, 3:] = bodies.spin[:n] * np.sqrt(bodies.inertia[:n])
    time = 0.0
    reference = np.zeros_like(coordinates.reference)
    if moment is not None:
        position, rotation = moment.position[order], moment.rotation[order]
        velocity, time = moment.velocity[order[:n]], moment.time
        for number, joint in enumerate(joints):
            start = int(coordinates.start[number, 1])
            turns = moment.turns.get(joint.node)
            if start >= 0 and turns is not None:
                reference[start : start + 3] = turns
    turning = velocity[:, 3:] / np.sqrt(bodies.inertia[:n])
    coordinates.reference[:] = reference
    values, pose = system.values(position, rotation)
    system.remember_turns(values, pose)
    low = np.minimum(values - system.rows.low, 0.0)
    high = np.maximum(values - system.rows.high, 0.0)
    least = VIOLATED if moment is None else PRESSED
    low, high = (np.where(np.abs(x) > least, x, 0.0) for x in (low, high))
    locked = system.rows.locked
    low, high = np.where(locked, low + high, low), np.where(locked, low + high, high)
    still, none = np.zeros(rows), np.zeros(islands, dtype=np.intp)
    gradients = np.zeros((rows, 2, 6))
    return State(
        time=time,
        since=time,
        position=position,
        rotation=rotation,
        velocity=velocity,
        turning=turning,
        turning_before=turning,
        multiplier=still,
        multiplier_before=still,
        rise_before=still,
        active=locked,
        values=values,
        rates=still,
        reference=coordinates.reference.copy(),
        excess_low=low,
        excess_high=high,
        impulse=still,
        gradients=gradients,
        gradients_before=gradients,
        last_step=np.zeros(islands),
        excess=np.maximum(high, -low).reshape(islands, -1).max(1, initial=0.0),
        level=none,
        hold=none,
        guess=np.zeros((POINTS, n, 3)),
        guess_span=np.zeros(islands),
        bare=np.zeros(islands, dtype=bool),
        velocity_before=velocity,
        span=np.zeros(islands),
    )
