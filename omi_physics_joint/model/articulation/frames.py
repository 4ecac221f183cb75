# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint frames in which locked axes stand at zero, and the axes of what is left.

An angle phi that is held about axis i says v_i cos(phi / 2) = s sin(phi / 2) of the rotation (v, s)
(``settings.coordinates``). Such conditions leave a subspace of quaternions, spanned by the free
axes e_k and, at right angles to them, by u, proportional to (tan(phi_i / 2), 1) with zeros for free
axes. So each rotation that is left is one about the axes e_k conj(u), after the constant u: a hinge
whose other angles are held at 20 degrees is a hinge about a tilted axis.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt, tan
from typing import NamedTuple

from ..body import IDENTITY_QUATERNION, Quaternion, Vector3
from ..geometry.transform import UNITS, Matrix, compose, cross, inverse, multiply, plus, times
from ..joint import AXES, Freedom
from .joints import JointAxis, JointType, Room

QUATERNION_TYPES = frozenset({JointType.BALL, JointType.DISTANCE, JointType.FREE})
"""Types whose turning is a quaternion; their axes are X, Y and Z of the parent's frame."""
SIX_AXES = tuple(JointAxis(freedom, axis, UNITS[axis]) for freedom in Freedom for axis in AXES)
"""Those of a body that nothing holds."""


class Frames(NamedTuple):
    """Where a joint is in its two bodies, and along what it moves."""

    parent: Matrix
    child: Matrix
    axes: tuple[JointAxis, ...]


def frames_of(room: Room, stored: tuple[Matrix, Matrix], *, is_reversed: bool) -> Frames:
    """Return the frames and axes of a joint in a tree, reversed: with the connected body as parent.

    Stored are those of the joint's node in its body, and of the connected node in its body.
    """
    joint, connected = stored
    place, u = room.held[:3], _constant(room.held[3:])
    if any(place):
        joint = multiply(joint, compose(place))
    if u != IDENTITY_QUATERNION:
        connected = multiply(connected, inverse(compose(rotation=u)))
    axes = tuple(JointAxis(*one, _direction(*one, u)) for one in room.free)
    if not is_reversed:
        return Frames(joint, connected, axes)
    if room.type not in QUATERNION_TYPES:
        axes = _backwards(axes)
    return Frames(connected, joint, axes)


def _constant(held: tuple[float, ...]) -> Quaternion:
    """Return u, the rotation about all angles that are held."""
    x, y, z = (tan(angle / 2.0) for angle in held)
    length = sqrt(x * x + y * y + z * z + 1.0)
    return (x / length, y / length, z / length, 1.0 / length)


def _direction(freedom: Freedom, axis: int, u: Quaternion) -> Vector3:
    """Return the direction of an axis in the frame from which locked axes stand at zero."""
    own = UNITS[axis]
    return own if freedom is Freedom.LINEAR else plus(times(own, u[3]), cross(u[:3], own))


def _backwards(axes: tuple[JointAxis, ...]) -> tuple[JointAxis, ...]:
    """Return axes for the inverse motion, so that coordinates stay what they are."""
    turned = [replace(one, direction=times(one.direction, -1.0)) for one in axes]
    linear = [one for one in turned if one.freedom is Freedom.LINEAR]
    return (*linear, *(one for one in reversed(turned) if one.freedom is Freedom.ANGULAR))
