# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinates of joints, and their velocities, from where bodies are and how they move.

A pose is the world from body matrix, rigid, as ``frames.rigid_frame`` makes it of a node. Joints
are read where bodies stand, whether or not their locks hold; what a type cannot say is lost.

Source of velocities: Newton, "Definition of joint_qd"; measured against its ``eval_fk`` and
``eval_ik`` of 1.8.0. A free joint has the velocity of the child's centre of mass, seen from the
parent, then its angular velocity, both in the axes of the parent's joint frame; a ball the latter.
All others have the rates of their coordinates. For what slides along several axes of a parent that
turns, ``eval_ik`` leaves out that the parent carries the child's frame along; here it does, as in
``eval_fk``.

Several angles turn about their axes one after the other, each axis carried along by those before:
with axes a, b, c the rotation is R(a, q0) R(b, q1) R(c, q2), as ``eval_fk`` composes it. Read back,
a rotation about two axes is taken apart about a, a x b and b, and the middle angle, which the joint
locks, is dropped, as ``eval_ik`` does. These are no twists: see ``model.settings.coordinates``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import asin, atan2, hypot
from typing import NamedTuple

from ..body import ZERO, Vector3
from ..geometry.transform import (
    IDENTITY,
    IDENTITY_ROTATION,
    Matrix,
    Rotation,
    apply,
    cross,
    dot,
    inverse,
    linear_part,
    minus,
    multiply,
    plus,
    quaternion_from_rotation,
    rotation_about,
    times,
    translation_of,
    transpose,
)
from ..mechanism import Mechanism
from .joints import QUATERNION_TYPES, Articulation, ArticulationJoint, JointType
from .trees import body_world

POLE = 1e-7
"""Cosine of the middle of three angles below which the outer two are one turn. Poses are off by
less than it, which nobody sees."""


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


Poses = Mapping[int, Matrix]
"""World from body, by node."""


def rest_poses(mechanism: Mechanism, articulations: Iterable[Articulation]) -> dict[int, Matrix]:
    """Return where the bodies of articulations rest."""
    return {body: body_world(mechanism, body) for one in articulations for body in one.bodies}


def coordinates_of(articulations: Iterable[Articulation], poses: Poses) -> tuple[float, ...]:
    """Return the positions of the joints of trees, as ``eval_ik`` reads them."""
    return tuple(
        value
        for articulation in articulations
        for joint in articulation.joints
        for value in joint_coordinates(joint, poses)
    )


def joint_coordinates(joint: ArticulationJoint, poses: Poses) -> tuple[float, ...]:
    """Return the positions of one joint, also of one that closes a loop."""
    parent = IDENTITY if joint.parent is None else poses[joint.parent]
    before = multiply(parent, joint.parent_frame)
    return coordinates_in(
        joint, multiply(inverse(before), multiply(poses[joint.child], joint.child_frame))
    )


class BodyMotion(NamedTuple):
    """How a body moves, in world axes."""

    velocity: Vector3
    """Of its centre of mass, m/s."""
    spin: Vector3
    """rad/s."""
    centre: Vector3
    """Where its centre of mass is, m."""

    def at(self, point: Vector3) -> Vector3:
        """Return the velocity of a point of the body."""
        return plus(self.velocity, cross(self.spin, minus(point, self.centre)))


STANDSTILL = BodyMotion(ZERO, ZERO, ZERO)
WITH_PLACES = frozenset({JointType.FREE, JointType.DISTANCE})
"""Types that bodies may be anywhere by."""
SLOW = 1e-3
"""m/s or rad/s that nobody notices."""


def first_motions(
    mechanism: Mechanism, articulations: Iterable[Articulation]
) -> dict[int, BodyMotion]:
    """Return how bodies of articulations move at the start, as the mechanism says."""
    found = {}
    for body, pose in rest_poses(mechanism, articulations).items():
        motion, turn = mechanism.nodes[body].motion, linear_part(pose)
        assert motion is not None
        spin, arm = apply(turn, motion.angular_velocity), apply(turn, motion.center)
        velocity = plus(apply(turn, motion.linear_velocity), cross(spin, arm))
        found[body] = BodyMotion(velocity, spin, plus(translation_of(pose), arm))
    return found


def velocities_of(
    articulations: Iterable[Articulation], poses: Poses, motions: Mapping[int, BodyMotion]
) -> tuple[float, ...]:
    """Return the velocities of the joints of trees, in the layout of ``joint_qd``."""
    return tuple(
        value
        for articulation in articulations
        for joint in articulation.joints
        for value in _velocities(joint, poses, motions)
    )


def _velocities(
    joint: ArticulationJoint, poses: Poses, motions: Mapping[int, BodyMotion]
) -> tuple[float, ...]:
    velocity, spin, turn = _relative(joint, poses, motions)
    if joint.type is JointType.BALL:
        return spin
    if joint.type in WITH_PLACES:
        return (*velocity, *spin)
    slides = (dot(velocity, axis.direction) for axis in joint.linear)
    return (*slides, *_rates([axis.direction for axis in joint.angular], turn, spin))


def is_at_odds(joint: ArticulationJoint, poses: Poses, motions: Mapping[int, BodyMotion]) -> bool:
    """Return whether bodies move as a joint does not allow: along or about what it locks."""
    if joint.type in WITH_PLACES:
        return False
    velocity, spin, turn = _relative(joint, poses, motions)
    turns = [axis.direction for axis in joint.angular]
    stuck = list(_without(velocity, [axis.direction for axis in joint.linear]))
    if len(turns) == 2:
        stuck.append(_rates((turns[0], cross(*turns), turns[1]), turn, spin)[1])
    elif joint.type is not JointType.BALL:
        stuck += _without(spin, turns)
    return max(map(abs, stuck)) > SLOW


def _without(vector: Vector3, axes: Iterable[Vector3]) -> Vector3:
    """Return what of a vector is at right angles to axes, which are so to each other."""
    for axis in axes:
        vector = minus(vector, times(axis, dot(vector, axis)))
    return vector


def _relative(
    joint: ArticulationJoint, poses: Poses, motions: Mapping[int, BodyMotion]
) -> tuple[Vector3, Vector3, Matrix]:
    """Return velocity and spin of the child seen from the parent, and how it is turned there."""
    parent, pose = STANDSTILL, IDENTITY
    if joint.parent is not None:
        parent, pose = motions[joint.parent], poses[joint.parent]
    child, before = motions[joint.child], multiply(pose, joint.parent_frame)
    after = multiply(poses[joint.child], joint.child_frame)
    local = transpose(linear_part(before))
    point = child.centre if joint.type in WITH_PLACES else translation_of(after)
    velocity = apply(local, minus(child.at(point), parent.at(point)))
    spin = apply(local, minus(child.spin, parent.spin))
    return velocity, spin, linear_part(multiply(inverse(before), after))


def _rates(axes: Sequence[Vector3], turn: Matrix, spin: Vector3) -> tuple[float, ...]:
    """Return how fast the angles about none to three axes grow; at a pole nobody can say it."""
    if len(axes) < 2:
        return tuple(dot(spin, axis) for axis in axes)
    if len(axes) == 2:
        first, _, last = _rates((axes[0], cross(axes[0], axes[1]), axes[1]), turn, spin)
        return (first, last)
    carried, before = [], IDENTITY_ROTATION
    for axis, angle in zip(axes, angles_about(axes, turn), strict=True):
        carried.append(apply(before, axis))
        before = multiply(before, rotation_about(axis, angle))
    a, b, c = carried
    volume = dot(a, cross(b, c))
    if abs(volume) < POLE:
        return (0.0, 0.0, 0.0)
    duals = (cross(b, c), cross(c, a), cross(a, b))
    return tuple(dot(spin, dual) / volume for dual in duals)
