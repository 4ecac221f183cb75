# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of bodies from the coordinates of their joints; coordinates and velocities from bodies.

A pose is the world from body matrix, rigid, as ``frames.rigid_frame`` makes it of a node. Joints
are read where bodies stand, whether or not their locks hold; what a type cannot say is lost.

Source of velocities: Newton, "Definition of joint_qd"; measured against its ``eval_fk`` and
``eval_ik`` of 1.8.0. A free joint has the velocity of the child's centre of mass, seen from the
parent, then its angular velocity, both in the axes of the parent's joint frame; a ball the latter.
All others have the rates of their coordinates. For what slides along several axes of a parent that
turns, ``eval_ik`` leaves out that the parent carries the child's frame along; here it does, as in
``eval_fk``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..body import ZERO, Vector3
from ..geometry.transform import (
    IDENTITY,
    IDENTITY_ROTATION,
    Matrix,
    apply,
    cross,
    dot,
    inverse,
    linear_part,
    minus,
    multiply,
    plus,
    rotation_about,
    times,
    translation_of,
    transpose,
)
from ..mechanism import Mechanism
from .joint_types import JointType
from .joints import Articulation, ArticulationJoint
from .motion import POLE, angles_about, coordinates_in, motion_of
from .reading import body_world

Poses = Mapping[int, Matrix]
"""World from body, by node."""


def rest_poses(mechanism: Mechanism, articulations: Iterable[Articulation]) -> dict[int, Matrix]:
    """Return where the bodies of articulations rest."""
    return {body: body_world(mechanism, body) for one in articulations for body in one.bodies}


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
