# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bodies stand by the coordinates of their joints: the way back from ``coordinates_of``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from omi_physics_joint.model.articulation.joints import (
    QUATERNION_TYPES,
    Articulation,
    ArticulationJoint,
    JointType,
)
from omi_physics_joint.model.geometry.transform import (
    IDENTITY,
    IDENTITY_ROTATION,
    Matrix,
    inverse,
    matrix_from,
    multiply,
    rotation_about,
    rotation_from_quaternion,
)


def poses_of(articulations: Iterable[Articulation], joint_q: Sequence[float]) -> dict[int, Matrix]:
    """Return where bodies stand, as ``eval_fk`` puts them, from the positions of all trees."""
    poses: dict[int, Matrix] = {}
    for articulation in articulations:
        for joint in articulation.joints:
            q = joint_q[joint.q_start : joint.q_start + joint.counts.q]
            parent = IDENTITY if joint.parent is None else poses[joint.parent]
            at_joint = multiply(multiply(parent, joint.parent_frame), motion_of(joint, q))
            poses[joint.child] = multiply(at_joint, inverse(joint.child_frame))
    return poses


def motion_of(joint: ArticulationJoint, q: Sequence[float]) -> Matrix:
    """Return x_j, the child's joint frame in the parent's, from the coordinates of a joint."""
    if joint.type in QUATERNION_TYPES:
        x, y, z = (0.0, 0.0, 0.0) if joint.type is JointType.BALL else q[:3]
        a, b, c, w = q[-4:]
        return matrix_from(rotation_from_quaternion((a, b, c, w)), (x, y, z))
    place, turn = [0.0, 0.0, 0.0], IDENTITY_ROTATION
    for axis, value in zip(joint.linear, q, strict=False):
        place = [p + value * d for p, d in zip(place, axis.direction, strict=True)]
    for axis, value in zip(joint.angular, q[len(joint.linear) :], strict=True):
        turn = multiply(turn, rotation_about(axis.direction, value))
    return matrix_from(turn, (place[0], place[1], place[2]))
