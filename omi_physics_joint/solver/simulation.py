# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism that moves: what the outside holds in its hands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from ..model.body import Vector3
from ..model.godot.settings import moved
from ..model.issue import Issue
from ..model.joint import JointSettings, Limit
from ..model.mechanics.sagging import all_soft, carried_rigidly
from ..model.mechanism import EARTH, Mechanism
from ..model.wording.describe import GLTF_AXES, AxisWords
from .body_readings import BodyReadings
from .contacts.contacts import NO_TOUCHING, Contacts, Remembered, Touching
from .contacts.overlapping import hole_issues
from .contacts.surfaces import Floor
from .engines.compiled import engine
from .engines.engine import StepResult
from .engines.kernel import kernel
from .godot_steps.stepper import GODOT, GODOT_FINE
from .island_group import borne_by, coming_in, follow_bounds, go_on
from .kinematics.island_rows import coordinates_of
from .kinematics.rotation import Array
from .reading.bodies import KinematicBodies, KinematicMotion, read_bodies
from .reading.build import Bonds, Build, Moment
from .reading.mending import Mended
from .report import (
    Energy,
    JointReport,
    SoftLocks,
    StepReport,
    Steps,
    coordinates_in,
    poses_in,
    report_joints,
)
from .system import State

THROWN = 3
"""So many times a step is taken again, at most, as something was thrown farther than was looked."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to simulate.

    Attributes:
        gravity: m/s^2, glTF axes.
        soft_locks: how limits are read that have a stiffness.
        substeps: at least so many in each output step; None leaves it to the solver.
        accuracy: m or rad, how far a step may be off.
        steps: with those of Godot all before but gravity means nothing, nor do soft locks.
        breaks: whether joints break that bear more than they can.
        words: what axes are called in issues.
        contacts: whether colliders touch; without the kernel they do not.
        floor: of no file, which catches what no joint holds to anything that stands.
    """

    gravity: Vector3 = EARTH
    soft_locks: SoftLocks = SoftLocks.LITERAL
    substeps: int | None = None
    accuracy: float = 1e-6
    steps: Steps = Steps.EXACT
    breaks: bool = True
    words: AxisWords = GLTF_AXES
    contacts: bool = False
    floor: Floor | None = None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A moment to return to. It belongs to the simulation that made it."""

    states: tuple[State, ...]
    time: float
    gravity: Vector3
    broken: frozenset[int]
    settings: tuple[JointSettings, ...]
    known: Remembered | None


Held = Mapping[int, frozenset[Limit]]
_READINGS: dict[SoftLocks, Callable[[Mechanism, tuple[JointSettings, ...]], Held]] = {
    SoftLocks.AUTOMATIC: carried_rigidly,
    SoftLocks.LITERAL: lambda _mechanism, _settings: {},
    SoftLocks.RIGID: all_soft,
}
"""Which soft limits are moved as rigid, by joint node."""


class Simulation(BodyReadings):
    """Moves the bodies of a mechanism by its joints, and by what they touch if that is asked for.

    Nothing in here raises because of what a mechanism says; what cannot be simulated is an issue.

    Attributes:
        mechanism: what moves, at rest.
        held: the soft limits that are moved as rigid, by joint node.
        joint_nodes: nodes of the joints that are simulated.
        issues: why others are not.
        broken: nodes of the joints that gave way.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        options: Options = Options(),
        *,
        motions: Mapping[int, KinematicMotion] | None = None,
    ) -> None:
        """Read a mechanism in glTF axes, at rest, with motions of kinematic bodies by node."""
        self.mechanism, self._options, self._motions = mechanism, options, dict(motions or {})
        self._bear = {
            index: joint.breaking
            for index, _, joint in mechanism.joints()
            if options.breaks and joint.breaking is not None
        }
        self._settings = mechanism.settings
        self._own = len(mechanism.nodes)
        self.broken: frozenset[int] = frozenset()
        self._mended: Mapping[int, Mended] | None = None
        rest, self._body_issues = read_bodies(mechanism)
        super().__init__(rest, KinematicBodies(rest, self._motions))
        self._gravity = np.array(options.gravity, dtype=np.float64)
        self._parts = max(1, options.substeps or 1)
        library = kernel().library
        self._contacts: Contacts | None = None
        if options.contacts and options.steps is Steps.EXACT and library is not None:
            say = options.words.say
            self._contacts = Contacts(library, mechanism, rest, self._movers, options.floor, say)
        self._compile(None)
        self._last, self._late = 0.0, coming_in(self.groups)
        self.joint_nodes: tuple[int, ...] = self._build.joint_nodes

    def __getstate__(self) -> dict[str, object]:
        """Return what can still be asked of it in another process, where nothing is computed."""
        return {name: getattr(self, name) for name in ("issues", "held", "body_nodes")}

    def _compile(self, moment: Moment | None) -> None:
        """Build the groups of islands anew, at rest or at a moment."""
        words, mechanism, settings = self._options.words, self.mechanism, self._settings
        moves = engine()
        self.held = _READINGS[self._options.soft_locks](mechanism, settings)
        if self._options.steps is not Steps.EXACT:
            mechanism = moved(mechanism, settings, carried_rigidly(mechanism, settings), self._own)
            settings, self.held = mechanism.settings, {}
            moves = GODOT if self._options.steps is Steps.GODOT else GODOT_FINE
        if self._contacts:
            self._contacts.let_fall(self.broken)
        bonds = Bonds(self.broken, self._contacts.links if self._contacts else ())
        build = Build(mechanism, self._rest, settings, self.held, bonds, words, self._mended)
        self._build, self._mended = build, build.mended
        touching = self._contacts.issues if self._contacts else ()
        self.issues: tuple[Issue, ...] = (*self._body_issues, *build.issues, *touching)
        self.groups = build.groups(self._gravity, self._movers, moment, moves)
        self._arrive(0.0 if moment is None else moment.time, 0.0)

    def _moment(self) -> Moment:
        """Return where all bodies are, for islands that are built anew."""
        position, rotation = self._gathered()
        velocity, joints = np.zeros((len(position), 6)), {}
        for group in self.groups:
            velocity[group.numbers.bodies] = group.state.velocity
            read = coordinates_of(group.system, group.state)
            for island, (_, nodes) in enumerate(group.members):
                for number, node in enumerate(nodes):
                    joints[node] = (read[island, number], group.state.half[island, number])
        return Moment(self.time, position, rotation, velocity, joints)

    def step(self, dt: float) -> StepReport:
        """Advance by one output step of dt seconds."""
        if not (isfinite(dt) and dt > 0.0):
            return StepReport()
        report = self._stepped(dt) if self._contacts is None else self._touched(self._contacts, dt)
        if self._bear:
            self._break()
        return report

    def _stepped(self, dt: float) -> StepReport:
        time, most, accuracy = self.time, dt / self._parts, self._options.accuracy
        return self._went(dt, [one.step(time, dt, most, accuracy) for one in self.groups])

    def _touched(self, contacts: Contacts, dt: float) -> StepReport:
        """Step together what may touch within dt seconds; once more where something was thrown."""
        time, way = self.time, contacts.surfaces.speeds(*self._speeds(dt)) * dt
        for tries in range(THROWN, -1, -1):
            if contacts.look(time, self._frames(), way):
                self._compile(self._moment())
            contacts.lead(self.groups)
            awake = [group.state for group in self.groups if not group.lies]
            before = [state.copy() for state in awake] if tries else []
            report = self._stepped(dt)
            farther = contacts.missed(self._frames()) if tries else None
            if farther is None:
                break
            way = farther
            for state, moment in zip(awake, before, strict=True):
                state.take(moment)
            self._arrive(time, dt)
        contacts.note(self._gathered())
        return report

    def _frames(self) -> tuple[Array, Array]:
        """Return the frames of all bodies now."""
        return self._movers.frames(self.time, *self._gathered())

    def _speeds(self, dt: float) -> tuple[Array, Array]:
        """Return how fast bodies may be within dt seconds: (n,) m/s and rad/s."""
        velocity = np.zeros((len(self._rest.nodes), 6))
        for group in self.groups:
            velocity[group.numbers.bodies] = group.state.velocity / group.system.roots
        linear, spin = np.linalg.norm(velocity.reshape(-1, 2, 3), axis=-1).T
        linear[self._rest.dynamic] += float(np.linalg.norm(self._gravity)) * dt
        for body, mover in self._movers.movers.items():
            linear[body], spin[body] = map(np.linalg.norm, mover.at(self.time)[2:])
        return linear, spin

    @property
    def floor(self) -> float | None:
        """How high the floor is, m along Y; None where there is none."""
        return self._contacts.floor if self._contacts else None

    def touching(self) -> Touching:
        """Return where bodies touched at the end of the last step."""
        return self._contacts.touching() if self._contacts else NO_TOUCHING

    def hole_issues(self) -> tuple[Issue, ...]:
        """Return what hulls fill that is hollow, as others have met it by now.

        Whoever wants to know of a whole run asks after each of its steps.
        """
        met = self._contacts.look_into_holes(self._frames()) if self._contacts else ()
        return tuple(hole_issues(self.mechanism, met))

    def inside(self) -> list[tuple[int, int]]:
        """Return the nodes of triggers, and of bodies that are in them now, in order."""
        if self._contacts is None:
            return []
        return self._contacts.inside(self._frames())

    def relax(self, dt: float) -> StepReport:
        """Advance by one step of first order, for the search of rest."""
        self._wake()
        return self._went(dt, [one.relax(self.time, dt) for one in self.groups])

    def _went(self, dt: float, went: list[StepResult]) -> StepReport:
        self._last = dt
        self._arrive(self.time + dt, dt)
        return StepReport(self.groups, went)

    def stop(self) -> None:
        """Take all velocities away."""
        self._wake()
        for group in self.groups:
            group.stop()

    def energy(self) -> Energy:
        """Return kinetic and potential energy now."""
        parts = [group.energy(replaced=self._span > 0.0) for group in self.groups]
        return Energy(sum(one[0] for one in parts), sum(one[1] for one in parts))

    def joint_report(self) -> JointReport:
        """Return how well each joint holds, and what it bore during the last step."""
        return report_joints(self.groups, self._span, self.joint_nodes, self.broken)

    def coordinates(self, joint_node: int) -> Array:
        """Return the six coordinates (connected in joint) of a joint: X Y Z in m, X Y Z in rad.

        Raises:
            KeyError: the node has no joint that is simulated.
        """
        nodes = self._build.joint_nodes
        number = {node: i for i, node in enumerate(nodes)}[joint_node]
        return np.asarray(coordinates_in(self.groups, nodes)[number])

    def all_coordinates(self) -> Array:
        """Return the coordinates of all joints in the order of ``joint_nodes``: (joints, 6).

        Joints that broke have none: zero.
        """
        return coordinates_in(self.groups, self.joint_nodes)

    def joint_poses(self) -> tuple[Array, Array]:
        """Return where connected frames are in joint frames, in the order of ``joint_nodes``.

        That is (joints, 3) in m, and unit quaternions (joints, 4), x y z w; NaN where they broke.
        """
        return poses_in(self.groups, self.joint_nodes)

    def checkpoint(self) -> Checkpoint:
        """Return this moment."""
        x, y, z = self._gravity.tolist()
        states = tuple(group.state.copy() for group in self.groups)
        known = self._contacts.known if self._contacts else None
        return Checkpoint(states, self.time, (x, y, z), self.broken, self._settings, known)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Return to a moment; what follows is the same as it was, bit for bit."""
        self.set_gravity(checkpoint.gravity)
        rebuilt = (checkpoint.broken, checkpoint.settings) != (self.broken, self._settings)
        self.broken, self._settings = checkpoint.broken, checkpoint.settings
        if self._contacts and checkpoint.known:
            before, self._contacts.known = self._contacts.links, checkpoint.known
            rebuilt = rebuilt or self._contacts.links != before
        if rebuilt:
            self._compile(None)
        for group, state in zip(self.groups, checkpoint.states, strict=True):
            group.state.take(state)
        self._arrive(checkpoint.time, self._span)

    def set_motions(self, motions: Mapping[int, KinematicMotion]) -> None:
        """Let kinematic bodies follow other motions from now on, by node; others keep theirs.

        They should begin where the bodies are.
        """
        self._wake()
        self._motions.update(motions)
        self._movers = KinematicBodies(self._rest, self._motions)
        for group in self.groups:
            group.lead(self._movers)

    def rejoin(self, mechanism: Mechanism) -> None:
        """Go on with other joints and settings between the same bodies, with the same rest pose.

        Nodes without a body and joints may have been added at the end, or taken away there.

        Raises:
            ValueError: the bodies are others.
        """
        before, after = (
            {index: node for index, node in enumerate(one.nodes) if node.motion}
            for one in (self.mechanism, mechanism)
        )
        if before != after:
            message = "other joints need the same bodies"
            raise ValueError(message)
        self.mechanism, self._settings = mechanism, mechanism.settings
        self._wake()
        self._compile(self._moment())
        self.joint_nodes = tuple(sorted({*self._build.joint_nodes, *self.broken}))

    def retune(self, settings: tuple[JointSettings, ...]) -> None:
        """Go on with other settings of the same joints, in the order of those before."""
        if settings != self._settings:
            borne = borne_by(self.groups)
            self.rejoin(replace(self.mechanism, settings=settings))
            go_on(self.groups, borne)
            for group in self.groups:
                follow_bounds(group, self._last or 1.0 / 60.0, self.time, self._late)

    def set_gravity(self, gravity: Vector3) -> None:
        """Change gravity, m/s^2."""
        if gravity == tuple(self._gravity.tolist()):
            return
        self._wake()
        self._gravity = np.array(gravity, dtype=np.float64)
        for group in self.groups:
            group.weigh(self._rest, self._gravity)

    def _wake(self) -> None:
        if self._contacts:
            self._contacts.wake()

    def _break(self) -> None:
        """Let go of the joints that bore more than they can."""
        report = self.joint_report()
        force, torque = (np.sqrt((one**2).sum(-1)) for one in (report.force, report.torque))
        gone = {
            node
            for number, node in enumerate(self.joint_nodes)
            if (limit := self._bear.get(node)) is not None
            and (force[number] > limit.force or torque[number] > limit.torque)
        }
        if not gone <= self.broken:
            self.broken |= gone
            self._compile(self._moment())
