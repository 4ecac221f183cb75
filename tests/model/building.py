# SPDX-License-Identifier: GPL-3.0-or-later
"""Small mechanisms for tests, and a second, independent way to say what a joint allows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import atan2, cos, hypot, sin, tan
from random import Random
from typing import Any

from omi_physics_joint.model.body import Collider, Motion, MotionType, Quaternion, Vector3
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose, inverse, multiply
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.joint import AXES, Freedom, JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.shape import Box
from omi_physics_joint.model.solid import Bounds


def same_joint(a: JointSettings, b: JointSettings) -> bool:
    """Return whether two settings mean the same, whatever their names and spelling."""
    return canonical(replace(a, name="")) == canonical(replace(b, name=""))


WALL, DOOR, JOINT, ANCHOR = range(4)
"""Nodes of ``pair``: a static body, a dynamic one, the joint below it, the anchor on the wall."""
STATIC, DYNAMIC = Motion(MotionType.STATIC), Motion(MotionType.DYNAMIC)
UPRIGHT = compose((1.0, 2.0, 3.0))


def pair(
    settings: JointSettings, joint_world: Matrix = UPRIGHT, connected_world: Matrix | None = None
) -> Mechanism:
    """Return a dynamic body held to a static one by a sound joint."""
    other = joint_world if connected_world is None else connected_world
    return Mechanism(
        nodes=(
            Node("Wall", motion=STATIC, collider=Collider(shape=0)),
            Node("Door", motion=DYNAMIC, collider=Collider(shape=0)),
            Node("Joint", DOOR, joint_world, joint=JointNode(0, ANCHOR)),
            Node("Anchor", WALL, other),
        ),
        settings=(settings,),
        shapes=(Box(),),
    )


def changed(mechanism: Mechanism, index: int, **changes: Any) -> Mechanism:
    """Return the mechanism with one node changed."""
    nodes = list(mechanism.nodes)
    nodes[index] = replace(nodes[index], **changes)
    return replace(mechanism, nodes=tuple(nodes))


def added(mechanism: Mechanism, *nodes: Node) -> Mechanism:
    """Return the mechanism with more nodes at its end."""
    return replace(mechanism, nodes=(*mechanism.nodes, *nodes))


def codes(issues: Iterable[Issue]) -> set[str]:
    """Return the codes of issues."""
    return {issue.code for issue in issues}


def turn(axis: int, value: float) -> Matrix:
    """Return the motion about one axis by an angle, spelled by its quaternion."""
    vector = [0.0, 0.0, 0.0]
    vector[axis] = sin(value / 2.0)
    return compose(rotation=(vector[0], vector[1], vector[2], cos(value / 2.0)))


def turned(x: float, y: float, z: float) -> Matrix:
    """Return the rotation whose twists about X, Y and Z are these, none of them half a turn."""
    return compose(rotation=(tan(x / 2.0), tan(y / 2.0), tan(z / 2.0), 1.0))


def shift(axis: int, value: float) -> Matrix:
    """Return the motion along one axis."""
    vector = [0.0, 0.0, 0.0]
    vector[axis] = value
    return compose((vector[0], vector[1], vector[2]))


def motion_on(freedom: Freedom, axis: int, value: float) -> Matrix:
    """Return the motion of one degree of freedom."""
    return shift(axis, value) if freedom is Freedom.LINEAR else turn(axis, value)


def knobbed(mechanism: Mechanism, place: float, **knob: Any) -> Mechanism:
    """Return the mechanism with a knob 0.2 m thick that is drawn beside its door of 1 m."""
    bounds = Bounds((-0.1, -0.4, -0.4), (0.1, 0.4, 0.4))
    world = product(mechanism.nodes[DOOR].world, shift(0, place))
    return added(mechanism, replace(Node("Knob", DOOR, world, bounds=bounds), **knob))


def product(*matrices: Matrix) -> Matrix:
    """Return the product of any number of matrices."""
    result = IDENTITY
    for matrix in matrices:
        result = multiply(result, matrix)
    return result


def measured(joint: Matrix, connected: Matrix, freedom: Freedom, axis: int) -> float:
    """Return one coordinate of the connected frame in the joint frame.

    For poses that differ by one degree of freedom only, so that the angle is that of a plane turn.
    """
    relative = multiply(inverse(joint), connected)
    if freedom is Freedom.LINEAR:
        return relative[axis][3]
    j, k = (axis + 1) % 3, (axis + 2) % 3
    return atan2(relative[k][j], relative[j][j])


def allows(settings: JointSettings, joint: Matrix, connected: Matrix) -> bool:
    """Return whether a pose that differs by one degree of freedom keeps all limits."""
    slack = 1e-9
    return all(
        limit.min - slack <= measured(joint, connected, freedom, axis) <= limit.max + slack
        for limit in settings.limits
        for freedom in Freedom
        for axis in limit.axes(freedom)
    )


def random_quaternion(random: Random) -> Quaternion:
    """Return a rotation, evenly spread."""
    while True:
        x, y, z, w = (random.gauss(0.0, 1.0) for _ in range(4))
        length = hypot(x, y, z, w)
        if length > 0.1:
            return (x / length, y / length, z / length, w / length)


def random_vector(random: Random, low: float = -2.0, high: float = 2.0) -> Vector3:
    """Return a vector within a box."""
    return (random.uniform(low, high), random.uniform(low, high), random.uniform(low, high))


def random_rigid(random: Random) -> Matrix:
    """Return a right-handed frame without scale."""
    return compose(random_vector(random), random_quaternion(random))


def random_parent(random: Random, *, mirrored: bool = False) -> Matrix:
    """Return a rotated, unevenly scaled parent below another one: it has shear."""
    matrices = []
    for level in range(2):
        x, y, z = random_vector(random, 0.3, 3.0)
        sign = -1.0 if mirrored and level == 0 else 1.0
        matrices.append(compose(random_vector(random), random_quaternion(random), (sign * x, y, z)))
    return product(*matrices)


def determinant_of(matrix: Matrix) -> float:
    """Return the determinant of the upper left 3 x 3, by Sarrus' rule."""
    return sum(
        matrix[0][i] * matrix[1][(i + 1) % 3] * matrix[2][(i + 2) % 3]
        - matrix[2][i] * matrix[1][(i + 1) % 3] * matrix[0][(i + 2) % 3]
        for i in AXES
    )


def is_rotation(matrix: Matrix, tolerance: float = 1e-12) -> bool:
    """Return whether the upper left 3 x 3 is orthonormal and right-handed."""
    square = all(
        abs(sum(matrix[r][i] * matrix[r][j] for r in range(3)) - (i == j)) < tolerance
        for i in AXES
        for j in AXES
    )
    return square and determinant_of(matrix) > 0.0
