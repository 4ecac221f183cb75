# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a joint stands: its six coordinates, and how far they lie outside the limits.

The coordinates are the pose of the connected frame in the joint frame. Distances are plain. With
two angles locked the third is the turn about its axis, good for the full circle; otherwise the
three angles are those of R = Rx Ry Rz.
"""

from __future__ import annotations

from math import asin, atan2, cos, hypot, isfinite, pi, sin, tau

from .body import Vector3
from .joint import AXES
from .spans import Span, Spans
from .transform import (
    IDENTITY_ROTATION,
    Matrix,
    Rotation,
    apply,
    cross,
    linear_part,
    multiply,
    quaternion_from_rotation,
    translation_of,
    transpose,
)

GIMBAL = 1.0 - 1e-12
"""Sine of the angle about Y from which X and Z turn about the same axis."""


def relative(joint_frame: Matrix, connected_frame: Matrix) -> tuple[Vector3, Rotation]:
    """Return the place and the rotation of the connected frame in the joint frame."""
    joint_from_world = transpose(linear_part(joint_frame))
    (x, y, z), (a, b, c) = translation_of(joint_frame), translation_of(connected_frame)
    place = apply(joint_from_world, (a - x, b - y, c - z))
    return place, multiply(joint_from_world, linear_part(connected_frame))


def coordinates(
    spans: Spans, joint_frame: Matrix, connected_frame: Matrix
) -> tuple[float, float, float, float, float, float]:
    """Return X, Y, Z in m, then the angles about X, Y, Z in rad, of a joint in some pose.

    This is what is drawn, limited, posed and shown in fields. Where a rotation can be read in two
    ways, it is the one that breaks the limits least; angles lie within a turn, and where limits
    allow a turn more, in their range.

    Args:
        spans: what the limits of the joint leave, see ``spans_of``.
        joint_frame: rigid, world from frame.
        connected_frame: likewise.
    """
    place, rotation = relative(joint_frame, connected_frame)
    x, y, z = _within(spans[3:], rotation)
    return (*place, x, y, z)


def excesses(spans: Spans, place: Vector3, rotation: Rotation) -> tuple[float, ...]:
    """Return how far each coordinate, linear then angular, lies above (+) or below (-) its room."""
    linear = [_beyond(span, value) for span, value in zip(spans[:3], place, strict=True)]
    angular = spans[3:]
    if all(span.is_free for span in angular):
        return (*linear, 0.0, 0.0, 0.0)
    angles = _within(angular, rotation)
    return (*linear, *(_beyond(*pair) for pair in zip(angular, angles, strict=True)))


def _within(angular: Spans, rotation: Rotation) -> Vector3:
    """Return the angles that lie least outside their room."""
    readings = []
    for angles in angle_readings(angular, rotation):
        x, y, z = (_turned(*pair) for pair in zip(angular, angles, strict=True))
        readings.append((x, y, z))

    def outside(angles: Vector3) -> float:
        return sum(abs(_beyond(*pair)) for pair in zip(angular, angles, strict=True))

    return min(readings, key=outside)


def angle_readings(angular: Spans, rotation: Rotation) -> tuple[Vector3, ...]:
    """Return the angles about X, Y and Z in rad; in both ways where there are two."""
    locked = [axis for axis in AXES if angular[axis].is_locked and isfinite(angular[axis].low)]
    if len(locked) == 2:
        return (_twist(angular, rotation, next(axis for axis in AXES if axis not in locked)),)
    return _euler(rotation)


def axis_rotation(axis: int, value: float) -> Rotation:
    """Return the rotation by an angle about one axis."""
    c, s = cos(value), sin(value)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    rows = [list(row) for row in IDENTITY_ROTATION]
    rows[j][j] = rows[k][k] = c
    rows[j][k], rows[k][j] = -s, s
    return tuple(tuple(row) for row in rows)


def _twist(angular: Spans, rotation: Rotation, free: int) -> Vector3:
    """Return the turn about the free axis, and about the others how far that axis tilts.

    The angles at which the other two are locked are taken out of the rotation first.
    """
    for axis in AXES[:free]:
        if angular[axis].low != 0.0:
            rotation = multiply(axis_rotation(axis, -angular[axis].low), rotation)
    for axis in reversed(AXES[free + 1 :]):
        if angular[axis].low != 0.0:
            rotation = multiply(rotation, axis_rotation(axis, -angular[axis].low))
    quaternion = quaternion_from_rotation(rotation)
    turned = transpose(rotation)[free]
    tilt_axis = cross(IDENTITY_ROTATION[free], turned)
    sine = hypot(*tilt_axis)
    tilt = atan2(sine, turned[free])
    angles = [angular[axis].low for axis in AXES]
    angles[free] = 2.0 * atan2(quaternion[free], quaternion[3])
    for axis in AXES:
        if axis != free and sine > 0.0:
            angles[axis] += tilt * tilt_axis[axis] / sine
    if sine == 0.0 and tilt > 0.0:  # upside down: any axis across will do
        angles[(free + 1) % 3] += tilt
    return (angles[0], angles[1], angles[2])


def _euler(rotation: Rotation) -> tuple[Vector3, ...]:
    """Return the two triples of angles with R = Rx Ry Rz."""
    sine = max(-1.0, min(1.0, rotation[0][2]))
    if abs(sine) > GIMBAL:
        return ((atan2(rotation[2][1], rotation[1][1]), asin(sine), 0.0),)
    x = atan2(-rotation[1][2], rotation[2][2])
    z = atan2(-rotation[0][1], rotation[0][0])
    y = asin(sine)
    return (x, y, z), (_opposite(x), pi - y if y > 0.0 else -pi - y, _opposite(z))


def _opposite(value: float) -> float:
    return value - pi if value > 0.0 else value + pi


def _beyond(span: Span, value: float) -> float:
    if value > span.high:
        return value - span.high
    return value - span.low if value < span.low else 0.0


def _turned(span: Span, value: float) -> float:
    """Return an angle, by whole turns nearer to a range that has two bounds."""
    turns = (0.0, tau, -tau) if isfinite(span.low) and isfinite(span.high) else (0.0,)
    return min((value + turn for turn in turns), key=lambda turned: abs(_beyond(span, turned)))
