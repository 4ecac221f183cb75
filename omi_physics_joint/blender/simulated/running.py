# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of a simulation from the rest pose, with what the user holds meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from bpy.types import Scene
from numpy.typing import NDArray

from ...model.body import PhysicsMaterial, Vector3
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.issue import Issue
from ...model.joint import JointSettings
from ...model.mechanics.sagging import carried_rigidly, held_issues
from ...model.mechanism import Mechanism
from ...model.wording.describe import BLENDER_AXES
from ...solver import (
    Floor,
    IslandReport,
    KinematicMotion,
    Options,
    Simulation,
    SoftLocks,
    Steps,
    Touching,
)
from ...solver.engines.kernel import kernel
from ..bridge.poses.moving import BLENDER_FROM_GLTF
from .following import Pose
from .holding import Grip, Holding, Pin, local_point, world_point
from .properties import OMI_JOINT_PG_preview
from .reading import PlayError, SimulatedScene

Array = NDArray[np.float64]
AS_SPRINGS = (
    "To use their stiffness literally, choose Play > Options > Soft Limits > Simulate as Springs."
)
"""What to do where soft limits are played as rigid."""


def why_apart(settings: OMI_JOINT_PG_preview) -> str:
    """Return in a sentence why bodies do not touch; nothing where they do."""
    if not settings.use_contacts:
        return "Bodies pass through each other: Contacts is off"
    if settings.steps != "exact":
        return "Bodies pass through each other: Steps: As Godot has no contacts"
    if kernel().library is None:
        return "Bodies pass through each other: contacts need the compiled solver"
    return ""


def options_of(settings: OMI_JOINT_PG_preview, scene: Scene) -> Options:
    """Return what settings, and the gravity of a scene, ask of a run."""
    pulls = settings.use_gravity and scene.use_gravity
    contacts = not why_apart(settings)
    rubs = settings.floor_friction
    material = PhysicsMaterial("", rubs, rubs, settings.floor_restitution)
    return Options(
        Y_UP_FROM_Z_UP.vector(tuple(scene.gravity) if pulls else (0.0, 0.0, 0.0)),
        SoftLocks(settings.soft_locks),
        settings.substeps if settings.use_substeps else None,
        steps=Steps(settings.steps),
        breaks=settings.use_breaking,
        words=BLENDER_AXES,
        contacts=contacts,
        floor=Floor(material=material) if contacts and settings.use_floor else None,
    )


def holds_by_itself(options: Options) -> bool:
    """Return whether soft limits that cannot hold are rigid though nobody asked for it."""
    return options.soft_locks is SoftLocks.AUTOMATIC and options.steps is Steps.EXACT


@dataclass(frozen=True, slots=True)
class Load:
    """What a joint bears: on the connected body, at the joint's frame, in Blender's axes."""

    joint: int
    """Node of the joint."""
    force: Array
    """(3,) N."""
    torque: Array
    """(3,) N m."""


def played_rigidly(mechanism: Mechanism) -> list[Issue]:
    """Return a hint where soft limits will be moved as rigid that nobody asked to be."""
    return held_issues(mechanism, carried_rigidly(mechanism), AS_SPRINGS)


def held_issues_of(simulation: Simulation, options: Options) -> list[Issue]:
    """Return a hint where soft limits are moved as rigid that nobody asked to be."""
    held = simulation.held if holds_by_itself(options) else {}
    return held_issues(simulation.mechanism, held, AS_SPRINGS)


class Run:
    """Bodies in motion.

    Attributes:
        broke: joints that gave way, by node, with the time in s at which they did.
        not_met: mechanisms that could not meet their joints in the last step.
        frames: steps taken.
        left_out: points of contact for which there was no room, most in a step.
        rough: nodes of the joints of those that were computed to first order, with in how many.
        stiff: nodes of the joints that had something too stiff to be followed, with in how many,
            in steps of ``stiff_step`` s.
    """

    def __init__(self, simulated: SimulatedScene, options: Options) -> None:
        self._simulated = simulated
        self.options = options
        self._holding = Holding(simulated.mechanism)
        self.simulation = Simulation(self._holding.mechanism, options)
        self._rows = simulated.moving.rows_of(self.simulation.body_nodes)
        self._row = {node: row for row, node in enumerate(self.simulation.body_nodes)}
        self.broke: dict[int, float] = {}
        self.not_met: list[IslandReport] = []
        self.frames = self.left_out = 0
        self.rough: Counter[tuple[int, ...]] = Counter()
        self.stiff: Counter[int] = Counter()
        self.stiff_step = 0.0
        self._replaced: list[IslandReport] = []
        """What was not followed in the last step."""
        self.issues = (*self.simulation.issues, *held_issues_of(self.simulation, options))

    @property
    def time(self) -> float:
        """Seconds since the rest pose."""
        return self.simulation.time

    def set_gravity(self, gravity: Vector3) -> None:
        """Change gravity, m/s^2, which alone can change on the way."""
        self.options = replace(self.options, gravity=gravity)
        self.simulation.set_gravity(gravity)

    @property
    def settings(self) -> tuple[JointSettings, ...]:
        """Settings of the joints that play, as they are now."""
        return self._holding.base.settings

    def retune(self, settings: tuple[JointSettings, ...]) -> None:
        """Go on with other settings of the joints that play."""
        if settings != self.settings:
            self._holding.base = replace(self._holding.base, settings=settings)
            self.simulation.retune(self._holding.mechanism.settings)

    def lead(self, motions: dict[int, KinematicMotion], end: float) -> None:
        """Say how kinematic bodies go until a time in s; the hand comes nearer to the mouse."""
        grip = self._holding.grip
        if grip is not None:
            motion = grip.move_hand(self.time, end, *self._point(grip))
            motions = {**motions, self._holding.hand: motion}
        if motions:
            self.simulation.set_motions(motions)

    def step(self, dt: float) -> None:
        """Advance by dt seconds."""
        report = self.simulation.step(dt)
        self.frames += 1
        self.not_met = report.not_met
        self.left_out = max(self.left_out, report.left_out)
        self.rough.update(one.named for one in report.first_order)
        self._replaced = report.not_followed
        if self._replaced:
            self.stiff.update(node for one in self._replaced for node in one.unfollowed)
            self.stiff_step = dt
        for node in self.simulation.broken:
            self.broke.setdefault(node, self.time)

    def poses(self) -> tuple[Array, Array]:
        """Return positions (n, 3) and rotations (n, 4) of the bodies that are moved.

        Raises:
            PlayError: they are not numbers.
        """
        positions = self.simulation.positions[self._rows]
        rotations = self.simulation.rotations[self._rows]
        if not (np.isfinite(positions).all() and np.isfinite(rotations).all()):
            raise PlayError("Stopped: the simulation became unstable. Check the joints")
        return positions, rotations

    def loads(self, joints: Sequence[int]) -> list[Load]:
        """Return what joints bore in the last step.

        Those that are not simulated are left out, and those of islands that were not followed.
        """
        replaced = {node for one in self._replaced for node in one.joints}
        joints = [node for node in joints if node not in replaced]
        if not joints:
            return []
        report = self.simulation.joint_report()
        number = {node: i for i, node in enumerate(self.simulation.joint_nodes)}
        return [
            Load(node, *(_in_blender(one[number[node]]) for one in (report.force, report.torque)))
            for node in joints
            if node in number
        ]

    def touching(self) -> Touching:
        """Return where bodies touched at the end of the last step, in Blender's axes."""
        found = self.simulation.touching()
        points, forces = (one @ BLENDER_FROM_GLTF[:3, :3].T for one in (found.points, found.forces))
        return Touching(found.nodes, points, forces)

    def _pose(self, node: int) -> Pose:
        row = self._row[node]
        return self.simulation.positions[row], self.simulation.rotations[row]

    def _point(self, grip: Grip) -> tuple[Array, Array]:
        """Return where the grabbed point is, m, and how fast, m/s: (3,) each, glTF axes."""
        row, pose = self._row[grip.body], self._pose(grip.body)
        point = world_point(pose, grip.local)
        spin = self.simulation.angular_velocities[row]
        return point, self.simulation.linear_velocities[row] + np.cross(spin, point - pose[0])

    # What the user holds

    def grab(self, node: int, point: Sequence[float]) -> None:
        """Take hold of a body at a point of the world in Blender's axes."""
        place = np.array(Y_UP_FROM_Z_UP.vector(tuple(point)))
        mass = self._holding.mass_of(self._simulated.islands.members(node))
        local = local_point(self._pose(node), place)
        self._holding.pins.pop(node, None)
        self._holding.grip = Grip(node, local, mass, place, place.copy())
        self.lead({}, self.time)
        self._rejoin()

    def drag(self, point: Sequence[float]) -> None:
        """Pull the grabbed body to a point of the world in Blender's axes."""
        if self._holding.grip is not None:
            self._holding.grip.target = np.array(Y_UP_FROM_Z_UP.vector(tuple(point)))

    def let_go(self) -> None:
        """Let go of the grabbed body."""
        if self._holding.grip is not None:
            self._holding.grip = None
            self._rejoin()

    def pin(self, node: int) -> None:
        """Hold a body where it is now, by the point that is grabbed; the hand lets go."""
        grip = self._holding.grip
        local = grip.local if grip is not None and grip.body == node else (0.0, 0.0, 0.0)
        self._holding.grip = None
        self._holding.pins[node] = Pin(self._pose(node), local)
        self._rejoin()

    def unpin(self, node: int) -> None:
        """Let go of a pinned body."""
        if self._holding.pins.pop(node, None) is not None:
            self._rejoin()

    def hold_as(self, other: Run) -> None:
        """Hold the bodies that another run of the same scene holds, by the same points."""
        own, its = self._holding, other._holding
        mine, wanted = (one and (one.body, one.local) for one in (own.grip, its.grip))
        if mine != wanted:
            own.grip = None
            if its.grip is not None:
                hand = world_point(self._pose(its.grip.body), its.grip.local)
                own.grip = replace(its.grip, hand=hand, speed=np.zeros(3))
            self.lead({}, self.time)
            self._rejoin()
        elif own.grip is not None and its.grip is not None:
            own.grip.target = its.grip.target
        if list(own.pins.values()) != list(its.pins.values()):
            own.pins = dict(its.pins)
            self._rejoin()

    def _rejoin(self) -> None:
        """Have the simulation go on with what is held now."""
        self.simulation.rejoin(self._holding.mechanism)

    @property
    def grabbed(self) -> int | None:
        """Node of the body that is pulled."""
        return None if self._holding.grip is None else self._holding.grip.body

    @property
    def pins(self) -> dict[int, Array]:
        """The pinned points by node of the body: (3,) each, m, Blender's axes."""
        return {node: _in_blender(pin.point) for node, pin in self._holding.pins.items()}

    @property
    def spring(self) -> tuple[Array, Array] | None:
        """The grabbed point and where the mouse pulls it: (3,) each, m, Blender's axes."""
        grip = self._holding.grip
        if grip is None:
            return None
        point = world_point(self._pose(grip.body), grip.local)
        return _in_blender(point), _in_blender(grip.target)


def _in_blender(vector: Array) -> Array:
    """Return a vector (3,) of the model in Blender's axes."""
    return np.asarray(BLENDER_FROM_GLTF[:3, :3] @ vector)
