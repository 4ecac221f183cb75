# SPDX-License-Identifier: GPL-3.0-or-later
"""PyBullet's multibodies in generalised coordinates, from a robot description made here."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pybullet

from ..rotations import conjugate, product, turned
from ..scene import DOWN, Array, Joint, Kind, Scene
from .engine import NotHereError, Snapshot

MOST_COORDINATES = 127
"""Beyond this many in one tree PyBullet cannot tell where links are; a ball has four."""
TYPES = {Kind.BALL: "spherical", Kind.HINGE: "continuous", Kind.SLIDER: "prismatic"}
FAR = 1e6


class PybulletEngine:
    """PyBullet, directly, without its motors and its damping."""

    def __init__(self) -> None:
        self.name = "PyBullet"
        self.version = pybullet.__dict__.get("__version__", "") or _version()

    def build(self, scene: Scene, substeps: int) -> PybulletRun:
        """Build a scene at rest."""
        width = {joint.child: 4 if joint.kind is Kind.BALL else 1 for joint in scene.joints}
        if max(sum(width[body] for body in tree) for tree in _trees(scene)) > MOST_COORDINATES:
            message = f"it tells no more than {MOST_COORDINATES} coordinates of one tree"
            raise NotHereError(message)
        return PybulletRun(scene, substeps)


class PybulletRun:
    """One scene in PyBullet."""

    def __init__(self, scene: Scene, substeps: int) -> None:
        self.scene, self.substeps = scene, substeps
        self.client = pybullet.connect(pybullet.DIRECT)
        pybullet.setGravity(*DOWN, physicsClientId=self.client)
        pybullet.setTimeStep(1.0 / (scene.fps * substeps), physicsClientId=self.client)
        self.places: dict[int, tuple[int, int]] = {}
        """Of a body: its multibody and its link."""
        for tree in _trees(scene):
            multibody = self._load(tree)
            self.places |= {body: (multibody, link) for link, body in enumerate(tree)}
        self.springs = [j for j in scene.joints if j.stiffness]
        self._free_joints()
        for joint in scene.joints:
            if joint.closes_loop:
                self._close_loop(joint)

    def frame(self) -> None:
        """Advance by one output frame."""
        client = self.client
        for _ in range(self.substeps):
            for joint in self.springs:
                self._pull(joint)
            pybullet.stepSimulation(client)

    def snapshot(self) -> Snapshot:
        """Return where everything is."""
        client = self.client
        states = [
            pybullet.getLinkState(*self.places[body], 1, 1, client)
            for body in range(self.scene.count)
        ]
        columns = [np.array([state[i] for state in states]) for i in (0, 1, 6, 7)]
        return Snapshot(*columns)

    def close(self) -> None:
        """Leave the engine."""
        pybullet.disconnect(self.client)

    def _load(self, tree: list[int]) -> int:
        """Load one tree of bodies; without contacts a link needs no shape."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scene.urdf"
            path.write_text(_description(self.scene, tree), encoding="utf-8")
            flags = pybullet.URDF_USE_INERTIA_FROM_FILE | pybullet.URDF_MAINTAIN_LINK_ORDER
            multibody = pybullet.loadURDF(
                str(path), useFixedBase=True, flags=flags, physicsClientId=self.client
            )
        assert isinstance(multibody, int)
        return multibody

    def _free_joints(self) -> None:
        """Take away the motors that every joint is born with, and all damping."""
        for place in self.places.values():
            pybullet.changeDynamics(
                *place,
                linearDamping=0.0,
                angularDamping=0.0,
                jointDamping=0.0,
                maxJointVelocity=1e6,
                physicsClientId=self.client,
            )
        for joint in self.scene.joints:
            if joint.closes_loop:
                continue
            if joint.kind is Kind.BALL:
                pybullet.setJointMotorControlMultiDof(
                    *self.places[joint.child],
                    pybullet.POSITION_CONTROL,
                    targetPosition=[0, 0, 0, 1],
                    positionGain=0,
                    velocityGain=0,
                    force=[0, 0, 0],
                    physicsClientId=self.client,
                )
            else:
                pybullet.setJointMotorControl2(
                    *self.places[joint.child],
                    pybullet.VELOCITY_CONTROL,
                    force=0,
                    physicsClientId=self.client,
                )

    def _close_loop(self, joint: Joint) -> None:
        points = [np.array(joint.anchor)]
        if joint.kind is Kind.HINGE:
            points.append(points[0] + 0.1 * np.array(joint.axis))
        for point in points:
            made = pybullet.createConstraint(
                *self.places[joint.parent],
                *self.places[joint.child],
                pybullet.JOINT_POINT2POINT,
                [0, 0, 0],
                list(_local(self.scene, joint.parent, point)),
                list(_local(self.scene, joint.child, point)),
                physicsClientId=self.client,
            )
            pybullet.changeConstraint(made, maxForce=1e9, physicsClientId=self.client)

    def _pull(self, joint: Joint) -> None:
        """Apply a spring as a force: PyBullet's own motors know no newtons per metre."""
        place, speed = pybullet.getJointState(*self.places[joint.child], self.client)[:2]
        pybullet.setJointMotorControl2(
            *self.places[joint.child],
            pybullet.TORQUE_CONTROL,
            force=-joint.stiffness * place - joint.damping * speed,
            physicsClientId=self.client,
        )


def _version() -> str:
    from importlib.metadata import version

    return version("pybullet")


def _local(scene: Scene, body: int, point: Array) -> Array:
    """Return a point in the frame of a body's centre of mass."""
    return turned(conjugate(scene.rotations[body]), point - scene.positions[body])


def _trees(scene: Scene) -> list[list[int]]:
    """Return the bodies of every tree that hangs on the world, parents first."""
    root: dict[int, int] = {}
    trees: dict[int, list[int]] = {}
    for joint in scene.joints:
        if not joint.closes_loop:
            root[joint.child] = root.get(joint.parent, joint.child)
            trees.setdefault(root[joint.child], []).append(joint.child)
    return list(trees.values())


def _description(scene: Scene, tree: list[int]) -> str:
    """Return a tree as URDF: a link's frame lies at its joint, turned as its body."""
    holding = {j.child: j for j in scene.joints if not j.closes_loop}
    lines = ['<?xml version="1.0"?><robot name="scene"><link name="world"/>']
    for body in tree:
        lines += _link(scene, body, holding[body])
    for body in tree:
        lines += _joint(scene, holding[body], holding.get(holding[body].parent))
    return "\n".join([*lines, "</robot>"])


def _link(scene: Scene, index: int, joint: Joint) -> Iterator[str]:
    own = conjugate(scene.rotations[index])
    centre = turned(own, scene.positions[index] - np.array(joint.anchor))
    x, y, z = scene.inertias()[index]
    yield f'<link name="b{index}"><inertial><origin xyz="{_text(centre)}"/>'
    yield f'<mass value="{scene.masses[index]!r}"/>'
    yield f'<inertia ixx="{x!r}" iyy="{y!r}" izz="{z!r}" ixy="0" ixz="0" iyz="0"/>'
    yield "</inertial></link>"


def _joint(scene: Scene, joint: Joint, above: Joint | None) -> Iterator[str]:
    anchor, turn = np.array(joint.anchor), scene.rotations[joint.child]
    parent = "world"
    if above is not None:
        parent = f"b{joint.parent}"
        back = conjugate(scene.rotations[joint.parent])
        anchor = turned(back, anchor - np.array(above.anchor))
        turn = product(back, turn)
    axis = turned(conjugate(scene.rotations[joint.child]), np.array(joint.axis))
    bounded = joint.kind is Kind.HINGE and joint.is_limited
    kind = "revolute" if bounded else TYPES[joint.kind]
    yield f'<joint name="j{joint.child}" type="{kind}"><parent link="{parent}"/>'
    yield f'<child link="b{joint.child}"/>'
    yield f'<origin xyz="{_text(anchor)}" rpy="{_text(_roll_pitch_yaw(turn))}"/>'
    yield f'<axis xyz="{_text(axis)}"/>'
    low, high = max(joint.low, -FAR), min(joint.high, FAR)
    yield f'<limit lower="{low}" upper="{high}" effort="1e9" velocity="1e9"/></joint>'


def _text(v: Array) -> str:
    return " ".join(f"{x:.17g}" for x in v)


def _roll_pitch_yaw(q: Array) -> Array:
    x, y, z, w = q
    return np.array(
        [
            np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
            np.arcsin(np.clip(2.0 * (w * y - z * x), -1.0, 1.0)),
            np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)),
        ]
    )
