# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion x_j of one joint from its coordinates, and its coordinates from a motion.

Several angles turn about their axes one after the other, each axis carried along by those before:
with axes a, b, c the rotation is R(a, q0) R(b, q1) R(c, q2), as ``eval_fk`` of Newton composes it.
Read back, a rotation about two axes is taken apart about a, a x b and b, and the middle angle,
which the joint locks, is dropped, as ``eval_ik`` does. These are no twists: see
``model.settings.coordinates``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, atan2, hypot

from ..body import Vector3
from ..geometry.transform import (
    IDENTITY_ROTATION,
    Matrix,
    Rotation,
    cross,
    dot,
    linear_part,
    matrix_from,
    multiply,
    quaternion_from_rotation,
    rotation_about,
    rotation_from_quaternion,
    translation_of,
    transpose,
)
from .frames import QUATERNION_TYPES
from .joint_types import JointType
from .joints import ArticulationJoint

POLE = 1e-7
"""Cosine of the middle of three angles below which the outer two are one turn. Poses are off by
less than it, which nobody sees."""


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


def coordinates_in(joint: ArticulationJoint, motion: Matrix) -> tuple[float, ...]:
    """Return the coordinates of a joint at the pose that is nearest in the sense of ``eval_ik``."""
    place, turn = translation_of(motion), linear_part(motion)
    if joint.type in QUATERNION_TYPES:
        q = quaternion_from_rotation(turn)
        return q if joint.type is JointType.BALL else (*place, *q)
    slides = (dot(place, axis.direction) for axis in joint.linear)
    return (*slides, *angles_about([axis.direction for axis in joint.angular], turn))


def angles_about(axes: Sequence[Vector3], turn: Rotation) -> tuple[float, ...]:
    """Return the angles of a rotation about none to three axes."""
    if not axes:
        return ()
    if len(axes) == 1:
        x, y, z, w = quaternion_from_rotation(turn)
        return (2.0 * atan2(dot(axes[0], (x, y, z)), w),)
    if len(axes) == 2:
        first, _, last = _three_angles(axes[0], cross(axes[0], axes[1]), axes[1], turn)
        return (first, last)
    return _three_angles(axes[0], axes[1], axes[2], turn)


def _three_angles(a: Vector3, b: Vector3, c: Vector3, turn: Rotation) -> tuple[float, float, float]:
    """Return the angles about three axes at right angles, of either hand.

    Where the middle one is a quarter turn, only the sum of the others is known: it is the first.
    """
    third = cross(a, b)
    hand = 1.0 if dot(third, c) > 0.0 else -1.0
    r = multiply(multiply((a, b, third), turn), transpose((a, b, third)))
    middle = asin(max(-1.0, min(1.0, r[0][2])))
    if hypot(r[0][0], r[0][1]) < POLE:
        return (atan2(r[2][1], r[1][1]), middle, 0.0)
    return (atan2(-r[1][2], r[2][2]), middle, hand * atan2(-r[0][1], r[0][0]))
