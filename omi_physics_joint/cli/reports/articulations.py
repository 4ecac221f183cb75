# SPDX-License-Identifier: GPL-3.0-or-later
"""The articulations of a mechanism, as JSON.

Numbers are those of Newton's arrays; axes are named as glTF has them, Y up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

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
from ...model.joint import AXIS_NAMES
from ...model.mechanism import Mechanism


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
        "joints": [_joint_info(mechanism, joint) for joint in view.joints],
        "loops": [_joint_info(mechanism, joint) for joint in view.loops],
    }


def _joint_info(mechanism: Mechanism, joint: ArticulationJoint) -> TreeJointInfo:
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
