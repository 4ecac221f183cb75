# SPDX-License-Identifier: GPL-3.0-or-later
"""An assembly as the add-on's own model."""

from __future__ import annotations

from math import inf

import numpy as np

from omi_physics_joint.model.body import Motion, MotionType, Quaternion, Vector3
from omi_physics_joint.model.geometry.transform import Matrix, compose
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node

from .assembly import GROUND, Array, Assembly, Body, Joint, Spring, quaternion_of

SATURATED = 1e4
"""Times the largest force of a drive that its damper would give: the drive is a constant push."""


def mechanism_of(assembly: Assembly) -> Mechanism:
    """Return the mechanism. Node 0 is the ground, body i is node i + 1."""
    nodes = [Node("ground", motion=Motion(MotionType.STATIC))]
    nodes += [_body(number, body) for number, body in enumerate(assembly.bodies)]
    settings: list[JointSettings] = []
    for number, joint in enumerate(assembly.joints):
        own = _settings(joint)
        if own not in settings:
            settings.append(own)
        pose = _pose(joint.place, joint.frame)
        end = len(nodes)
        nodes.append(Node(f"end {number}", _node(joint.b), pose))
        link = JointNode(settings.index(own), end)
        nodes.append(Node(f"joint {number}", _node(joint.a), pose, joint=link))
    return Mechanism(tuple(nodes), tuple(settings))


def joint_node(assembly: Assembly, number: int) -> int:
    """Return the node of a joint."""
    return 1 + len(assembly.bodies) + 2 * number + 1


def _node(body: int) -> int:
    return 0 if body == GROUND else body + 1


def _body(number: int, body: Body) -> Node:
    motion = Motion(
        MotionType.DYNAMIC,
        body.mass,
        inertia_diagonal=_three(body.inertia),
        linear_velocity=_three(body.turn.T @ body.velocity),
        angular_velocity=_three(body.turn.T @ body.spin),
    )
    return Node(f"body {number}", world=_pose(body.place, body.turn), motion=motion)


def _settings(joint: Joint) -> JointSettings:
    linear = tuple(axis for axis in joint.locked if axis < 3)
    angular = tuple(axis - 3 for axis in joint.locked if axis >= 3)
    limits = []
    if linear:
        limits.append(Limit(linear_axes=linear, min=0.0, max=0.0))
    if angular:
        limits.append(Limit(angular_axes=angular, min=0.0, max=0.0))
    limits += [_stop(spring) for spring in joint.springs if spring.is_stop]
    drives = tuple(_drive(spring) for spring in joint.springs if not spring.is_stop)
    return JointSettings("", tuple(limits), drives)


def _stop(spring: Spring) -> Limit:
    axes = {"linear_axes" if spring.axis < 3 else "angular_axes": (spring.axis % 3,)}
    return Limit(
        **axes, min=spring.low, max=spring.high, stiffness=spring.stiffness, damping=spring.damping
    )


def _drive(spring: Spring) -> Drive:
    freedom = Freedom.LINEAR if spring.axis < 3 else Freedom.ANGULAR
    if spring.push:
        speed = float(np.copysign(SATURATED, spring.push))
        return Drive(
            freedom,
            DriveMode.FORCE,
            spring.axis % 3,
            max_force=abs(spring.push),
            velocity_target=speed,
            damping=abs(spring.push),
        )
    return Drive(
        freedom,
        DriveMode.FORCE,
        spring.axis % 3,
        inf,
        spring.target,
        0.0 if spring.damping else None,
        spring.stiffness,
        spring.damping,
    )


def _pose(place: Array, turn: Array) -> Matrix:
    x, y, z, w = quaternion_of(turn).tolist()
    rotation: Quaternion = (x, y, z, w)
    return compose(_three(place), rotation)


def _three(v: Array) -> Vector3:
    return (float(v[0]), float(v[1]), float(v[2]))
