# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mechanism holds, as JSON: the same for glTF files and inside Blender.

Numbers of articulations are those of Newton's arrays; axes are named as glTF has them, Y up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from ...gltf.document.numbers import number
from ...model.articulation.joints import ArticulationJoint, ArticulationView, views_of
from ...model.articulation.kinematics import (
    coordinates_of,
    first_motions,
    rest_poses,
    velocities_of,
)
from ...model.articulation.trees import articulations_of
from ...model.geometry.transform import (
    Matrix,
    linear_part,
    quaternion_from_rotation,
    translation_of,
)
from ...model.joint import AXIS_NAMES, JointNode
from ...model.mechanism import Mechanism
from ...model.wording.describe import sentence, title


class AxisInfo(TypedDict):
    """One degree of freedom."""

    type: str
    """linear or angular."""
    axis: str
    """X, Y or Z of the frame of the joint as it is stored."""
    direction: list[float]
    """In the parent's joint frame."""


class TreeJointInfo(TypedDict):
    """One joint of an articulation."""

    name: str
    """"" for the FREE joint of a root, which no file has."""
    type: str
    parent: str
    """Name of the body; "" is the world."""
    static_parent: str
    """Name of the static body that is the parent as a part of the world; "" where there is none."""
    child: str
    reversed: bool
    """Whether the connected node is the parent's."""
    exact: bool
    """Whether these coordinates say all poses that the joint allows, and no others."""
    q_start: int
    q_count: int
    qd_start: int
    qd_count: int
    axis_count: int
    axes: list[AxisInfo]
    parent_frame: list[float]
    """m, and a quaternion x y z w."""
    child_frame: list[float]


class ArticulationInfo(TypedDict):
    """One articulation; with a pattern, its joints are those that have the name."""

    root: str
    base: str
    """fixed, floating or kinematic."""
    bodies: int
    joint_count: int
    loop_count: int
    q_start: int
    q_count: int
    qd_start: int
    qd_count: int
    joints: list[TreeJointInfo]
    loops: list[TreeJointInfo]


class ArticulationsInfo(TypedDict):
    """All articulations of a mechanism."""

    pattern: str
    joint_q: list[float]
    """Positions at rest, of all trees."""
    joint_qd: list[float]
    """Velocities at the start, likewise."""
    articulations: list[ArticulationInfo]


def articulations_info(mechanism: Mechanism, pattern: str = "*") -> ArticulationsInfo:
    """Return the articulations of a mechanism in glTF axes, ready for JSON.

    The pattern is one of names of joints and bodies, as ``views_of`` takes it.
    """
    every = articulations_of(mechanism)
    poses = rest_poses(mechanism, every)
    velocities = velocities_of(every, poses, first_motions(mechanism, every))
    return {
        "pattern": pattern,
        "joint_q": _numbers(coordinates_of(every, poses)),
        "joint_qd": _numbers(velocities),
        "articulations": [_info(mechanism, view) for view in views_of(mechanism, every, pattern)],
    }


def _info(mechanism: Mechanism, view: ArticulationView) -> ArticulationInfo:
    whole = view.articulation
    return {
        "root": mechanism.name_of(whole.root),
        "base": whole.base.value,
        "bodies": len(whole.bodies),
        "joint_count": len(whole.joints),
        "loop_count": len(whole.loops),
        "q_start": whole.joints[0].q_start,
        "q_count": whole.q_count,
        "qd_start": whole.joints[0].qd_start,
        "qd_count": whole.qd_count,
        "joints": [_tree_joint_info(mechanism, joint) for joint in view.joints],
        "loops": [_tree_joint_info(mechanism, joint) for joint in view.loops],
    }


def _tree_joint_info(mechanism: Mechanism, joint: ArticulationJoint) -> TreeJointInfo:
    q, qd, axes = joint.counts
    return {
        "name": mechanism.name_of(joint.node),
        "type": joint.type.value,
        "parent": mechanism.name_of(joint.parent),
        "static_parent": mechanism.name_of(joint.static_parent),
        "child": mechanism.name_of(joint.child),
        "reversed": joint.is_reversed,
        "exact": joint.is_exact,
        "q_start": joint.q_start,
        "q_count": q,
        "qd_start": joint.qd_start,
        "qd_count": qd,
        "axis_count": axes,
        "axes": [
            {
                "type": axis.freedom.value,
                "axis": AXIS_NAMES[axis.axis],
                "direction": _numbers(axis.direction),
            }
            for axis in joint.axes
        ],
        "parent_frame": _pose(joint.parent_frame),
        "child_frame": _pose(joint.child_frame),
    }


def _pose(matrix: Matrix) -> list[float]:
    return _numbers((*translation_of(matrix), *quaternion_from_rotation(linear_part(matrix))))


def _numbers(values: Sequence[float]) -> list[float]:
    return [number(value) for value in values]


class BodyInfo(TypedDict):
    """One body."""

    name: str
    motion: str
    mass: float
    """kg."""


class JointInfo(TypedDict):
    """One joint; axes are named as glTF has them, Y up."""

    name: str
    title: str
    sentence: str
    settings: int
    """Index into the settings of the same report."""
    body: str
    """Name of the body that holds the joint; "" where there is none."""
    connected_body: str
    enable_collision: bool


class SettingsInfo(TypedDict):
    """Joint settings, and who uses them."""

    name: str
    title: str
    sentence: str
    users: list[str]
    """Names of the joints."""


class Info(TypedDict):
    """All of a mechanism."""

    nodes: int
    colliders: int
    triggers: int
    bodies: list[BodyInfo]
    joints: list[JointInfo]
    settings: list[SettingsInfo]
    articulations: NotRequired[ArticulationsInfo]
    """Where they were asked for."""


def info_of(mechanism: Mechanism, articulations: str | None = None) -> Info:
    """Return what a mechanism in glTF axes holds, ready for JSON.

    Articulations are those of a pattern of names; None leaves them out.
    """
    users: list[list[str]] = [[] for _ in mechanism.settings]
    joints: list[JointInfo] = []
    for index, _, joint in mechanism.joints():
        joints.append(_joint_info(mechanism, index, joint))
        users[joint.settings].append(mechanism.name_of(index))
    info: Info = {
        "nodes": len(mechanism.nodes),
        "colliders": sum(node.collider is not None for node in mechanism.nodes),
        "triggers": sum(node.trigger is not None for node in mechanism.nodes),
        "bodies": [
            {
                "name": mechanism.name_of(index),
                "motion": node.motion.type.value,
                "mass": number(node.motion.mass),
            }
            for index, node in enumerate(mechanism.nodes)
            if node.motion is not None
        ],
        "joints": joints,
        "settings": [
            {
                "name": settings.name,
                "title": title(settings),
                "sentence": sentence(settings),
                "users": names,
            }
            for settings, names in zip(mechanism.settings, users, strict=True)
        ],
    }
    if articulations is not None:
        info["articulations"] = articulations_info(mechanism, articulations)
    return info


def _joint_info(mechanism: Mechanism, index: int, joint: JointNode) -> JointInfo:
    settings = mechanism.settings_of(joint)
    return {
        "name": mechanism.name_of(index),
        "title": title(settings),
        "sentence": sentence(settings),
        "settings": joint.settings,
        "body": mechanism.name_of(mechanism.body_of(index)),
        "connected_body": mechanism.name_of(mechanism.body_of(joint.connected_node)),
        "enable_collision": joint.enable_collision,
    }
