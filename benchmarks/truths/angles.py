# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints with two free angles, in numbers that Rapier and the add-on's model both read."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, radians

from omi_physics_joint.model.body import Motion, MotionType, Vector3
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node

NO_TURN = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Rod:
    """A body of 1 kg whose axes are the world's."""

    place: Vector3
    inertia: Vector3
    velocity: Vector3 = (0.0, 0.0, 0.0)
    spin: Vector3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Ball:
    """A joint that holds a point, some angles, and others between bounds; a motor on one."""

    a: int
    """0 is the ground, 1 the first body."""
    b: int
    place: Vector3
    locked: tuple[int, ...] = ()
    bounds: dict[int, tuple[float, float]] = field(default_factory=dict)
    """rad, by axis."""
    motor: tuple[int, float, float, float] | None = None
    """Axis, target in rad, N m/rad, N m s/rad."""


Scene = tuple[list[Rod], list[Ball]]


def universal() -> Scene:
    """Return a rod on a universal joint, thrown about both its axes."""
    rod = Rod((0.3, 0.0, 0.0), (0.004, 0.03, 0.02), (0.0, 0.0, -0.9), (2.0, 3.0, 0.0))
    return [rod], [Ball(0, 1, (0.0, 0.0, 0.0), (2,))]


def shoulder() -> Scene:
    """Return an upper arm that swings in two angles and does not twist."""
    rod = Rod((0.15, 0.0, 0.0), (0.01, 0.02, 0.02), (0.0, 0.3, -0.15), (0.0, 1.0, 2.0))
    return [rod], [Ball(0, 1, (0.0, 0.0, 0.0), (0,))]


def bounded_shoulder() -> Scene:
    """Return the same arm; it meets bounds of both angles within a second."""
    rods, _free = shoulder()
    bounds = {1: (-radians(10.0), radians(60.0)), 2: (-radians(70.0), radians(60.0))}
    return rods, [Ball(0, 1, (0.0, 0.0, 0.0), (0,), bounds)]


def knuckle() -> Scene:
    """Return a wheel carrier that steers by a motor on an arm that falls; its camber has bounds.

    Rapier's motor pulls by 2 asin(q_i) along the axis of the frame, ours by the twist along its
    gradient, as bounds do in both: where only the steering is free they are 0.03 degrees apart.
    """
    arm = Rod((0.2, 0.0, 0.0), (0.002, 0.02, 0.02))
    carrier = Rod((0.5, 0.05, 0.0), (0.02, 0.01, 0.012))
    bounds = {2: (-radians(20.0), radians(20.0))}
    steering = Ball(1, 2, (0.4, 0.0, 0.0), (0,), bounds, (1, 0.3, 1.0, 0.05))
    return [arm, carrier], [Ball(0, 1, (0.0, 0.0, 0.0), (0, 1)), steering]


SCENES = {
    "universal": universal,
    "shoulder": shoulder,
    "shoulder within bounds": bounded_shoulder,
    "knuckle": knuckle,
}


def mechanism_of(scene: Scene) -> Mechanism:
    """Return a scene as the model. Node 0 is the ground, body i node i."""
    rods, balls = scene
    nodes = [Node("ground", motion=Motion(MotionType.STATIC))]
    for number, rod in enumerate(rods):
        motion = Motion(
            MotionType.DYNAMIC,
            1.0,
            inertia_diagonal=rod.inertia,
            linear_velocity=rod.velocity,
            angular_velocity=rod.spin,
        )
        nodes.append(Node(f"body {number}", world=compose(rod.place, NO_TURN), motion=motion))
    settings = []
    for ball in balls:
        limits = [Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0)]
        if ball.locked:
            limits.append(Limit(angular_axes=ball.locked, min=0.0, max=0.0))
        limits += [
            Limit(angular_axes=(axis,), min=low, max=high)
            for axis, (low, high) in ball.bounds.items()
        ]
        settings.append(JointSettings("", tuple(limits), _drives(ball)))
        pose, end = compose(ball.place, NO_TURN), len(nodes)
        nodes.append(Node(f"end {end}", ball.b, pose))
        nodes.append(Node(f"joint {end}", ball.a, pose, joint=JointNode(len(settings) - 1, end)))
    return Mechanism(tuple(nodes), tuple(settings))


def _drives(ball: Ball) -> tuple[Drive, ...]:
    if ball.motor is None:
        return ()
    axis, target, stiffness, damping = ball.motor
    drive = Drive(
        Freedom.ANGULAR, DriveMode.FORCE, axis, inf, target, 0.0, stiffness, damping
    )  # fmt: skip
    return (drive,)
