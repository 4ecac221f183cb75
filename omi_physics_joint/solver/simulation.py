# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism that moves: what the outside holds in its hands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite

import numpy as np

from ..model.body import Vector3
from ..model.issue import Issue
from ..model.joint import JointSettings, Limit
from ..model.mechanism import Mechanism
from ..model.sagging import all_soft, carried_rigidly
from .bodies import read_bodies
from .build import Build
from .joint_forces import report_joints
from .loads import Force
from .motions import KinematicMotion
from .report import Breaking, Energy, JointReport, Method, SoftLocks, StepReport
from .rotation import Array, cross, quaternion_of
from .state import State
from .stepping import Memory, Stepper
from .system import System


@dataclass(frozen=True, slots=True)
class Options:
    """How to simulate.

    Attributes:
        gravity: m/s^2, glTF axes.
        soft_locks: how limits are read that have a stiffness.
        substeps: in each output step; None leaves it to the solver.
        method: None but AUTO is of use outside of tests and benchmarks.
    """

    gravity: Vector3 = (0.0, -9.81, 0.0)
    soft_locks: SoftLocks = SoftLocks.LITERAL
    substeps: int | None = None
    method: Method = Method.AUTO


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A moment to return to. It belongs to the simulation that made it."""

    state: State
    memory: Memory
    forces: tuple[tuple[int, Vector3, Vector3], ...]
    gravity: Array
    broken: frozenset[int]
    settings: tuple[JointSettings, ...]


Held = Mapping[int, frozenset[Limit]]
_READINGS: dict[SoftLocks, Callable[[Mechanism, tuple[JointSettings, ...]], Held]] = {
    SoftLocks.AUTOMATIC: carried_rigidly,
    SoftLocks.LITERAL: lambda _mechanism, _settings: {},
    SoftLocks.RIGID: all_soft,
}
"""Which soft limits are moved as rigid, by joint node."""


class Simulation:
    """Moves the bodies of a mechanism by its joints. Knows joints, not contacts.

    ``held`` are the soft limits that are moved as rigid, by joint node.
    Nothing in here raises because of what a mechanism says; what cannot be simulated is an issue.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        options: Options = Options(),
        *,
        motions: Mapping[int, KinematicMotion] | None = None,
        breaking: Mapping[int, Breaking] | None = None,
    ) -> None:
        """Read a mechanism.

        Args:
            mechanism: in glTF axes, at rest.
            options: see there.
            motions: prescribed motion of kinematic bodies by node.
            breaking: what joints bear, by joint node.
        """
        self._mechanism = mechanism
        self._options = options
        self._motions = dict(motions or {})
        self._breaking = dict(breaking or {})
        self._settings = mechanism.settings
        self._broken: frozenset[int] = frozenset()
        bodies, issues = read_bodies(mechanism)
        self._rest = bodies
        self._body_issues = issues
        self.body_nodes: tuple[int, ...] = tuple(int(n) for n in bodies.nodes if n >= 0)
        self._row_of_node = {node: row for row, node in enumerate(self.body_nodes)}
        self._forces: list[tuple[int, Vector3, Vector3]] = []
        self._gravity = np.array(options.gravity, dtype=np.float64)
        self._compile(None)
        self.joint_nodes: tuple[int, ...] = self._build.joint_nodes

    def _compile(self, state: State | None) -> None:
        """Build the system anew; a state of the system before is carried over."""
        self.held = _READINGS[self._options.soft_locks](self._mechanism, self._settings)
        self._build = Build(self._mechanism, self._rest, self._settings, self.held, self._broken)
        self.issues: tuple[Issue, ...] = (*self._body_issues, *self._build.issues)
        self._stepper = Stepper(
            self._build, self._gravity, self._motions, self._options.substeps, self._options.method
        )
        self._state = self._build.state(state, getattr(self, "_last_build", None))
        self._last_build = self._build
        self._place_forces()
        self._stepper.arrive(self._state)
        system = self._build.system
        place = self._place = system.place[: len(self.body_nodes)]
        self._from_node = system.bodies.principal[place].transpose(0, 2, 1)
        self._centre = system.bodies.centre[place][:, :, None]
        self._is_plain = not self._centre.any()
        self._is_aligned = bool((self._from_node == np.eye(3)).all())
        if state is None:
            self._stepper.make_consistent(self._state)
        self._span = 0.0

    @property
    def mechanism(self) -> Mechanism:
        """What moves, at rest."""
        return self._mechanism

    @property
    def time(self) -> float:
        """Seconds since the rest pose."""
        return self._state.time

    @property
    def rotations(self) -> Array:
        """World rotations of the body nodes: (n, 4), x y z w."""
        return quaternion_of(self._node_turns())

    @property
    def positions(self) -> Array:
        """World positions of the origins of the body nodes: (n, 3), m."""
        place = self._state.position.take(self._place, 0)
        return place if self._is_plain else place - self._arms()

    @property
    def angular_velocities(self) -> Array:
        """World axes: (n, 3), rad/s."""
        return self._velocities()[1]

    @property
    def linear_velocities(self) -> Array:
        """Of the origins of the body nodes: (n, 3), m/s."""
        velocity, spin = self._velocities()
        return velocity - cross(spin, self._arms())

    def _node_turns(self) -> Array:
        turns = self._state.rotation.take(self._place, 0)
        return turns if self._is_aligned else np.asarray(turns @ self._from_node)

    def _arms(self) -> Array:
        return np.asarray((self._node_turns() @ self._centre)[:, :, 0])

    def _velocities(self) -> tuple[Array, Array]:
        velocity, spin = self._stepper.velocities(self._state)
        return velocity[self._place], spin[self._place]

    def step(self, dt: float) -> StepReport:
        """Advance by one output step of dt seconds."""
        if not (isfinite(dt) and dt > 0.0):
            return StepReport(0, self._options.method, True, 0)
        report, self._state = self._stepper.step(self._state, dt)
        self._span = dt
        if self._breaking:
            self._break()
        return report

    def relax(self, dt: float) -> StepReport:
        """Advance by one L-stable step, for the search of rest."""
        report, self._state = self._stepper.relax(self._state, dt)
        self._span = dt
        return report

    def stop(self) -> None:
        """Take all velocities away."""
        self._state.velocity = np.zeros_like(self._state.velocity)
        self._state.turning = self._state.turning_before = np.zeros_like(self._state.turning)
        self._stepper.arrive(self._state)

    @property
    def system(self) -> System:
        """The rows and groups, for diagnosis."""
        self._stepper.complete(self._state)
        return self._build.system

    @property
    def state(self) -> State:
        """The state in the order of the system, for diagnosis."""
        self._stepper.complete(self._state)
        return self._state

    def energy(self) -> Energy:
        """Return kinetic and potential energy now."""
        return self._stepper.energy(self._state)

    def joint_report(self) -> JointReport:
        """Return how well each joint holds, and what it bore during the last step."""
        self._stepper.complete(self._state)
        return report_joints(
            self._build,
            self._stepper.mechanics,
            self._state,
            self._span,
            self.joint_nodes,
            self._broken,
        )

    def coordinates(self, joint_node: int) -> Array:
        """Return the six coordinates (connected in joint) of a joint: X Y Z in m, X Y Z in rad.

        Raises:
            KeyError: the node has no joint that is simulated.
        """
        number = self._build.joint_number[joint_node]
        return np.asarray(self._build.joint_coordinates(self._state)[number])

    def all_coordinates(self) -> Array:
        """Return the coordinates of all joints in the order of ``joint_nodes``: (joints, 6).

        Joints that broke have none: zero.
        """
        out = np.zeros((len(self.joint_nodes), 6))
        numbers = [self._build.joint_number.get(node, -1) for node in self.joint_nodes]
        held = np.array(numbers, dtype=np.intp) >= 0
        out[held] = self._build.joint_coordinates(self._state)[np.array(numbers, np.intp)[held]]
        return out

    def checkpoint(self) -> Checkpoint:
        """Return this moment."""
        return Checkpoint(
            self._state.copy(),
            self._stepper.remember(),
            tuple(self._forces),
            self._gravity.copy(),
            self._broken,
            self._settings,
        )

    def restore(self, checkpoint: Checkpoint) -> None:
        """Return to a moment; what follows is the same as it was, bit for bit."""
        rebuilt = (checkpoint.broken, checkpoint.settings) != (self._broken, self._settings)
        self._broken, self._settings = checkpoint.broken, checkpoint.settings
        self._gravity = checkpoint.gravity.copy()
        self._forces = list(checkpoint.forces)
        if rebuilt:
            self._compile(None)
        self._state = checkpoint.state.copy()
        self._stepper.loads.set_gravity(self._gravity)
        self._place_forces()
        if len(checkpoint.memory.entries) == len(self._build.system):
            self._stepper.return_to(checkpoint.memory, self._state)

    def set_force(self, body_node: int, point_local: Vector3, force_world: Vector3) -> None:
        """Let a constant force act on a point of a body until ``clear_forces``.

        Args:
            body_node: node of the body.
            point_local: m, in the rigid frame of the node.
            force_world: N, world axes.
        """
        numbers = (*point_local, *force_world)
        if body_node in self._row_of_node and all(isfinite(x) for x in numbers):
            self._stepper.complete(self._state)  # what joints bore until now, they bore without it
            self._forces.append((body_node, point_local, force_world))
            self._place_forces()

    def _place_forces(self) -> None:
        """Hand the forces to the stepper, on the bodies as the system orders them."""
        bodies, system = self._build.system.bodies, self._build.system
        self._stepper.loads.forces = []
        for node, point, force in self._forces:
            place = int(system.place[self._row_of_node[node]])
            if place < system.count:
                arm = bodies.principal[place].T @ (np.array(point) - bodies.centre[place])
                self._stepper.loads.forces.append(
                    Force(place, arm, np.array(force, dtype=np.float64))
                )

    def clear_forces(self) -> None:
        """Take all forces away."""
        self._stepper.complete(self._state)
        self._forces.clear()
        self._place_forces()

    def set_motions(self, motions: Mapping[int, KinematicMotion]) -> None:
        """Let kinematic bodies follow other motions from now on; those of the others stay.

        Args:
            motions: by node; they should begin where the bodies are.
        """
        self._motions.update(motions)
        self._stepper.loads.movers.clear()
        self._stepper.loads.add_movers(self._motions)

    def rejoin(self, mechanism: Mechanism) -> None:
        """Go on with other joints and settings between the same bodies.

        Args:
            mechanism: its rest pose and its bodies are those of the mechanism before; nodes without
                a body and joints may have been added at its end, or taken away there.

        Raises:
            ValueError: its bodies are others.
        """
        before, after = (
            {index: node for index, node in enumerate(one.nodes) if node.motion}
            for one in (self._mechanism, mechanism)
        )
        if before != after:
            message = "other joints need the same bodies"
            raise ValueError(message)
        self._mechanism, self._settings = mechanism, mechanism.settings
        self._compile(self._state)
        self.joint_nodes = tuple(sorted({*self._build.joint_nodes, *self._broken}))

    def set_gravity(self, gravity: Vector3) -> None:
        """Change gravity, m/s^2."""
        self._stepper.complete(self._state)
        self._gravity = np.array(gravity, dtype=np.float64)
        self._stepper.loads.set_gravity(self._gravity)

    def _break(self) -> None:
        """Let go of the joints that bore more than they can."""
        report = self.joint_report()
        gone = set(self._broken)
        for number, node in enumerate(self.joint_nodes):
            limit = self._breaking.get(node)
            if limit is None or node in gone:
                continue
            force = float(np.sqrt((report.force[number] ** 2).sum()))
            torque = float(np.sqrt((report.torque[number] ** 2).sum()))
            if force > limit.force or torque > limit.torque:
                gone.add(node)
        if gone != self._broken:
            self._broken = frozenset(gone)
            self._compile(self._state)
