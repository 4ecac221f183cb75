# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns and poses as these formats spell them."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt

from ..model.body import IDENTITY_QUATERNION, ZERO, Quaternion, Vector3
from ..model.geometry.transform import (
    IDENTITY,
    IDENTITY_ROTATION,
    UNITS,
    Matrix,
    Rotation,
    apply,
    cross,
    difference,
    dot,
    linear_part,
    matrix_from,
    multiply,
    normalized,
    quaternion_from_rotation,
    rotation_about,
    rotation_from_quaternion,
    translation_of,
    transpose,
)

SHORTEST = 1e-12
"""Length below which a direction points nowhere."""
NOISE = 1e-6
"""Part of a direction that single precision has made of nothing."""


def by_euler(angles: Sequence[float], order: str) -> Rotation:
    """Return turns by angles in rad one after the other, in an order as ``xyz`` or ``XYZ``.

    Small letters are about turned axes, capital ones about fixed.
    """
    turn = IDENTITY_ROTATION
    for letter, angle in zip(order, angles, strict=True):
        step = rotation_about(UNITS["xyz".index(letter.lower())], angle)
        turn = multiply(turn, step) if letter.islower() else multiply(step, turn)
    return turn


def along_z(direction: Vector3) -> Rotation:
    """Return the least turn that brings Z into a direction."""
    z = normalized(direction)
    if z == ZERO:
        return IDENTITY_ROTATION
    axis = cross(UNITS[2], z)
    sine = sqrt(dot(axis, axis))
    if sine < SHORTEST:
        return IDENTITY_ROTATION if z[2] > 0.0 else rotation_about(UNITS[0], pi)
    q = (axis[0], axis[1], axis[2], 1.0 + z[2])  # half the angle: of length 2 cos(angle / 2)
    return rotation_from_quaternion(q)


def from_axes(x: Vector3, y: Vector3) -> Rotation:
    """Return the turn with an X axis, and a Y axis that is made square to it."""
    first = normalized(x)
    along = dot(first, y)
    second = normalized(tuple(b - along * a for a, b in zip(first, y, strict=True)))
    return transpose((first, second, cross(first, second)))


def pose(turn: Rotation, place: Vector3 = ZERO) -> Matrix:
    """Return the matrix of a turn and a place."""
    return matrix_from(turn, place)


def turned(m: Matrix, v: Vector3) -> Vector3:
    """Return a direction through a matrix."""
    return apply(linear_part(m), v)


def moved(m: Matrix, p: Vector3) -> Vector3:
    """Return a point through a matrix."""
    x, y, z = turned(m, p)
    a, b, c = translation_of(m)
    return (x + a, y + b, z + c)


def around(anchor: Vector3, turn: Rotation) -> Matrix:
    """Return the turn about a point."""
    return multiply(pose(turn, anchor), shifted(negative(anchor)))


def shifted(way: Vector3) -> Matrix:
    """Return the move by a vector."""
    return pose(IDENTITY_ROTATION, way)


def negative(a: Vector3) -> Vector3:
    """Return the other way."""
    return (-a[0], -a[1], -a[2])


def quaternion_of(m: Matrix) -> Quaternion:
    """Return the turn of a rigid matrix."""
    return quaternion_from_rotation(linear_part(m))


def wxyz(q: Quaternion) -> Quaternion:
    """Return x y z w as w x y z, as MJCF has it."""
    return (q[3], q[0], q[1], q[2])


def from_wxyz(numbers: Sequence[float]) -> Quaternion:
    """Return four numbers of MJCF as a turn: none where all are zero."""
    w, x, y, z = numbers
    return (x, y, z, w) if any(numbers) else IDENTITY_QUATERNION


def unit(v: Vector3, default: Vector3 = UNITS[2]) -> Vector3:
    """Return a direction at length one."""
    direction = normalized(v)
    return default if direction == ZERO else direction


def tidy(v: Vector3) -> Vector3:
    """Return a direction of length one without what is noise in it."""
    x, y, z = (0.0 if abs(part) < NOISE else part for part in v)
    return unit((x, y, z))


def is_none(m: Matrix, tolerance: float = 1e-12) -> bool:
    """Return whether a pose is the identity."""
    return difference(m, IDENTITY) <= tolerance
