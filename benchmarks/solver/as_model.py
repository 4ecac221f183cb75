# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene as a mechanism of the model: what our own solver is given."""

from __future__ import annotations

from dataclasses import replace

from omi_physics_joint.model.body import Motion, MotionType, Vector3
from omi_physics_joint.model.geometry.frames import frame_along
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings import recipes

from .scene import WORLD, Array, Joint, Kind, Scene

FRAME_AXIS = {Kind.BALL: 2, Kind.HINGE: 2, Kind.SLIDER: 0}


def mechanism_of(scene: Scene) -> Mechanism:
    """Return the mechanism: a static body, the bodies, then two nodes for every joint.

    The joint node lies on the child and the connected node on the parent, so a coordinate of the
    joint is the parent's motion relative to the child: bounds change sign.
    """
    nodes = [Node("world", motion=Motion(MotionType.STATIC))]
    nodes += [_body(scene, i) for i in range(scene.count)]
    settings: list[JointSettings] = []
    index: dict[JointSettings, int] = {}
    for number, joint in enumerate(scene.joints):
        own = _settings(joint)
        if own not in index:
            index[own] = len(settings)
            settings.append(own)
        frame = frame_along(FRAME_AXIS[joint.kind], joint.axis, joint.anchor)
        connected = len(nodes)
        parent = 0 if joint.parent == WORLD else joint.parent + 1
        nodes.append(Node(f"socket {number}", parent, frame))
        joint_node = JointNode(index[own], connected)
        nodes.append(Node(f"joint {number}", joint.child + 1, frame, joint=joint_node))
    return Mechanism(tuple(nodes), tuple(settings))


def _body(scene: Scene, i: int) -> Node:
    motion = Motion(
        MotionType.DYNAMIC, float(scene.masses[i]), inertia_diagonal=_plain(scene.inertias()[i])
    )
    x, y, z, w = map(float, scene.rotations[i])
    return Node(f"body {i}", world=compose(_plain(scene.positions[i]), (x, y, z, w)), motion=motion)


def _settings(joint: Joint) -> JointSettings:
    axis = FRAME_AXIS[joint.kind]
    if joint.kind is Kind.BALL:
        return recipes.pin()
    make = recipes.hinge if joint.kind is Kind.HINGE else recipes.slider
    settings = make(axis, 0.0 - joint.high, 0.0 - joint.low)
    if joint.stiffness == joint.damping == 0.0:
        return settings
    freedom = Freedom.ANGULAR if joint.kind is Kind.HINGE else Freedom.LINEAR
    drive = Drive(
        freedom,
        DriveMode.FORCE,
        axis,
        position_target=0.0,
        velocity_target=0.0,
        stiffness=joint.stiffness,
        damping=joint.damping,
    )
    return replace(settings, drives=(drive,))


def _plain(v: Array) -> Vector3:
    return (float(v[0]), float(v[1]), float(v[2]))
