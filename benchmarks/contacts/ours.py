# SPDX-License-Identifier: GPL-3.0-or-later
"""Our own solver, with default settings."""

from __future__ import annotations

from math import inf

import numpy as np

from omi_physics_joint.model.body import Collider, Motion, MotionType, PhysicsMaterial
from omi_physics_joint.model.geometry.frames import frame_along
from omi_physics_joint.model.geometry.transform import Matrix, compose, multiply
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Convex, Shape
from omi_physics_joint.model.solid import MeshSolids, Triangles
from omi_physics_joint.solver import Floor, Options, Simulation
from omi_physics_joint.weighing.hull import hull
from omi_physics_joint.weighing.solids import measured

from ..solver.rotations import conjugate, turned
from ..solver.scene import WORLD, Array, point
from .scene import FPS, Body, Hull, Kind, Link, Scene

HELD: dict[Kind, tuple[tuple[int, ...], tuple[int, ...]]] = {
    Kind.BALL: ((0, 1, 2), ()),
    Kind.HINGE: ((0, 1, 2), (0, 1)),
    Kind.SLIDER: ((0, 1), (0, 1, 2)),
    Kind.WHEEL: ((0, 2), (0, 1)),
}
"""Axes along and about which a joint holds; its own axis is Z, and Y that of a wheel's spring."""


class Ours:
    """One scene in our solver."""

    name = "ours"

    def __init__(self, scene: Scene) -> None:
        """Build it at rest."""
        material = PhysicsMaterial("", scene.friction, scene.friction, scene.restitution)
        options = Options(scene.gravity, contacts=True, floor=Floor(0.0, material))
        self.simulation = Simulation(_Making(scene, material).mechanism(), options)

    def frame(self) -> None:
        """Advance by one output frame."""
        self.simulation.step(1.0 / FPS)

    def snapshot(self) -> tuple[Array, Array, Array, Array]:
        """Return where everything is, and how fast."""
        now = self.simulation
        return now.positions, now.rotations, now.linear_velocities, now.angular_velocities


class _Making:
    """Collects the parts of a mechanism; bodies are its first nodes."""

    def __init__(self, scene: Scene, material: PhysicsMaterial) -> None:
        self.scene, self.material = scene, material
        self.nodes: list[Node] = [_body(body) for body in scene.bodies]
        self.shapes: list[Shape] = []
        self.settings: list[JointSettings] = []
        self.meshes: list[Triangles] = []
        self.solids: list[MeshSolids] = []

    def mechanism(self) -> Mechanism:
        """Return all of it."""
        for number, body in enumerate(self.scene.bodies):
            for part in body.parts:
                collider = Collider(self._shape(part.form), 0)
                own = compose(part.place, part.turned)
                world = multiply(self.nodes[number].world, own)
                self.nodes.append(Node("", number, world, collider=collider))
        for link in self.scene.links:
            self._join(link)
        return Mechanism(
            tuple(self.nodes), tuple(self.settings), tuple(self.shapes), (self.material,),
            meshes=("",) * len(self.meshes), solids=tuple(self.solids), surfaces=tuple(self.meshes),
        )  # fmt: skip

    def _shape(self, form: object) -> int:
        if isinstance(form, Hull):
            corners, faces = hull(np.array(form.points))
            points, triangles = map(tuple, corners.tolist()), map(tuple, faces.tolist())
            self.meshes.append(Triangles(tuple(points), tuple(triangles)))
            self.solids.append(measured(corners, faces))
            form = Convex(len(self.meshes) - 1)
        self.shapes.append(form)  # type: ignore[arg-type]
        return len(self.shapes) - 1

    def _join(self, link: Link) -> None:
        frame = frame_along(2, link.axis, link.anchor)
        if link.kind is Kind.WHEEL:
            axis, up = np.array(link.axis), np.array([0.0, 1.0, 0.0])
            frame = _frame(np.stack([np.cross(up, axis), up, axis], 1), np.array(link.anchor))
        first, second = (None if i == WORLD else i for i in (link.first, link.second))
        index = len(self.nodes)
        self.settings.append(settings_of(link))
        joint = JointNode(len(self.settings) - 1, index + 1)
        self.nodes.append(Node("", first, frame, joint=joint))
        self.nodes.append(Node("", second, frame))


def settings_of(link: Link) -> JointSettings:
    """Return what a joint holds, bounds and drives."""
    linear, angular = HELD[link.kind]
    limits = [Limit(linear, angular, 0.0, 0.0)]
    slides = link.kind is Kind.SLIDER
    if (link.low, link.high) != (-inf, inf):
        own = ((2,), ()) if slides else ((), (2,))
        limits.append(Limit(*own, link.low, link.high))
    drives = []
    if link.stiffness or link.damping:
        along = slides or link.kind is Kind.WHEEL
        freedom = Freedom.LINEAR if along else Freedom.ANGULAR
        axis = 1 if link.kind is Kind.WHEEL else 2
        law = {"position_target": 0.0, "velocity_target": 0.0, "damping": link.damping}
        drives.append(Drive(freedom, DriveMode.FORCE, axis, stiffness=link.stiffness, **law))
    if link.torque:
        drives.append(
            Drive(
                Freedom.ANGULAR, DriveMode.FORCE, 2, link.torque,
                velocity_target=link.speed, damping=link.gain,
            )
        )  # fmt: skip
    return JointSettings("", tuple(limits), tuple(drives))


def _body(body: Body) -> Node:
    back = conjugate(np.array(body.turned))
    velocity, spin = (point(turned(back, np.array(v))) for v in (body.velocity, body.spin))
    kind = MotionType.DYNAMIC if body.mass else MotionType.STATIC
    motion = Motion(kind, body.mass, linear_velocity=velocity, angular_velocity=spin)
    return Node("", world=compose(body.place, body.turned), motion=motion)


def _frame(axes: Array, place: Array) -> Matrix:
    world = np.eye(4)
    world[:3, :3], world[:3, 3] = axes, place
    return tuple(map(tuple, world.tolist()))
