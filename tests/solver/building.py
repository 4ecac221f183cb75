# SPDX-License-Identifier: GPL-3.0-or-later
"""Small mechanisms for the solver's tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from omi_physics_joint.model.body import (
    IDENTITY_QUATERNION,
    ZERO,
    Motion,
    MotionType,
    Quaternion,
    Vector3,
)
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import Breaking, JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Simulation

Array = NDArray[np.float64]


class Builder:
    """Collects nodes; poses are world poses, in glTF axes."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.settings: list[JointSettings] = []

    def body(
        self,
        position: Vector3 = ZERO,
        rotation: Quaternion = IDENTITY_QUATERNION,
        *,
        kind: MotionType = MotionType.DYNAMIC,
        **motion: object,
    ) -> int:
        """Add a body and return its node."""
        motion.setdefault("mass", 1.0)
        if kind is MotionType.DYNAMIC:
            motion.setdefault("inertia_diagonal", (0.01, 0.01, 0.01))
        self.nodes.append(
            Node(
                f"body{len(self.nodes)}",
                world=compose(position, rotation),
                motion=Motion(kind, **motion),  # type: ignore[arg-type]
            )
        )
        return len(self.nodes) - 1

    def ground(self) -> int:
        """Add a static body at the origin."""
        return self.body(kind=MotionType.STATIC)

    def joint(
        self,
        body: int,
        connected: int,
        settings: JointSettings,
        place: Vector3 = ZERO,
        rotation: Quaternion = IDENTITY_QUATERNION,
        *,
        connected_place: Vector3 | None = None,
        connected_rotation: Quaternion | None = None,
    ) -> int:
        """Add a joint under one body, connected to another, and return its node."""
        self.settings.append(settings)
        index = len(self.nodes)
        other = compose(connected_place or place, connected_rotation or rotation)
        joint = JointNode(len(self.settings) - 1, index + 1)
        self.nodes.append(Node(f"joint{index}", body, world=compose(place, rotation), joint=joint))
        self.nodes.append(Node(f"end{index}", connected, world=other))
        return index

    def mechanism(self) -> Mechanism:
        """Return what was collected."""
        return Mechanism(tuple(self.nodes), tuple(self.settings))


def rod_inertia(length: float, mass: float = 1.0) -> Vector3:
    """Return the inertia of a rod along X, a tenth as thick as long."""
    thick = 0.01 * length * length
    across = mass * length * length * 1.01 / 12.0
    return (mass * 2.0 * thick / 12.0, across, across)


def chain(count: int, link: float = 0.2, weight: float = 1.0) -> Mechanism:
    """Return a horizontal chain of rods on pins; the last one weighs `weight` kg."""
    made = Builder()
    before = made.ground()
    for i in range(count):
        mass = weight if i == count - 1 else 1.0
        body = made.body(
            ((i + 0.5) * link, 0.0, 0.0), mass=mass, inertia_diagonal=rod_inertia(link, mass)
        )
        made.joint(before, body, recipes.pin(), (i * link, 0.0, 0.0))
        before = body
    return made.mechanism()


def slider_with(settings: JointSettings, **motion: object) -> Mechanism:
    """Return one body at the origin on a joint to the ground."""
    made = Builder()
    ground = made.ground()
    made.joint(ground, made.body(**motion), settings)  # type: ignore[arg-type]
    return made.mechanism()


def bearing(mechanism: Mechanism, joint: int, most: Breaking) -> Mechanism:
    """Return a mechanism in which a joint bears only so much."""
    nodes = list(mechanism.nodes)
    told = nodes[joint].joint
    assert told is not None
    nodes[joint] = replace(nodes[joint], joint=replace(told, breaking=most))
    return replace(mechanism, nodes=tuple(nodes))


def run(simulation: Simulation, seconds: float, fps: float = 60.0) -> list[Array]:
    """Step and return the positions of every frame, the rest pose first."""
    frames = [simulation.positions]
    for _ in range(round(seconds * fps)):
        simulation.step(1.0 / fps)
        frames.append(simulation.positions)
    return frames
