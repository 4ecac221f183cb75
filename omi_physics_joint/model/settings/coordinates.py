# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a joint stands: its six coordinates, and how far they lie outside the limits.

The coordinates are the pose of the connected frame in the joint frame. Distances are plain. Of the
rotation, q = (v, s) as a quaternion, the angle about axis i is its twist 2 atan2(v_i, s), whatever
the other two are: what would be left about that axis if the rotation were split into a turn about
it and a swing across it. There is no order of axes. The inverse rotation has the same angles with
the other sign.

An axis that is held at an angle phi reads phi + 2 asin(c v_i - e s), c = cos(phi / 2),
e = sin(phi / 2). It is phi exactly where the twist is, and the twist itself where nothing else
turns; but where a hinge stands at half a turn, v_i and s are both zero, and the twist about an axis
that does not turn would be anything.
"""

from __future__ import annotations

from math import asin, atan2, cos, isfinite, sin, tau

from ..body import Quaternion, Vector3
from ..geometry.transform import (
    IDENTITY_ROTATION,
    Matrix,
    Rotation,
    apply,
    linear_part,
    multiply,
    quaternion_from_rotation,
    translation_of,
    transpose,
)
from .spans import Span, Spans


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

    This is what is drawn, limited, posed and shown in fields. Angles lie within half a turn either
    way, and where limits allow a turn more, in their range. Frames are rigid, world from frame.
    """
    place, rotation = relative(joint_frame, connected_frame)
    x, y, z = angles_of(spans[3:], rotation)
    return (*place, x, y, z)


def excesses(spans: Spans, place: Vector3, rotation: Rotation) -> tuple[float, ...]:
    """Return how far each coordinate, linear then angular, lies above (+) or below (-) its room."""
    linear = [_beyond(span, value) for span, value in zip(spans[:3], place, strict=True)]
    angular = spans[3:]
    if all(span.is_free for span in angular):
        return (*linear, 0.0, 0.0, 0.0)
    angles = angles_of(angular, rotation)
    return (*linear, *(_beyond(*pair) for pair in zip(angular, angles, strict=True)))


def angles_of(angular: Spans, rotation: Rotation) -> Vector3:
    """Return the angles about X, Y and Z in rad, by whole turns nearest to their room."""
    q = quaternion_from_rotation(rotation)
    x, y, z = (_angle(span, q) for span in angular)
    return x, y, z


def _angle(span: Span, q: Quaternion) -> float:
    v, s = q[span.axis], q[3]
    held = span.held_at
    if held is None:
        return _turned(span, 2.0 * atan2(v, s))
    c, e = cos(held / 2.0), sin(held / 2.0)
    sine = max(-1.0, min(1.0, c * v - e * s))
    return held + 2.0 * asin(sine if c * s + e * v >= 0.0 else -sine)


def axis_rotation(axis: int, value: float) -> Rotation:
    """Return the rotation by an angle about one axis."""
    c, s = cos(value), sin(value)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    rows = [list(row) for row in IDENTITY_ROTATION]
    rows[j][j] = rows[k][k] = c
    rows[j][k], rows[k][j] = -s, s
    return tuple(tuple(row) for row in rows)


def _beyond(span: Span, value: float) -> float:
    if value > span.high:
        return value - span.high
    return value - span.low if value < span.low else 0.0


def _turned(span: Span, value: float) -> float:
    """Return an angle, by whole turns nearer to a range that has two bounds."""
    turns = (0.0, tau, -tau) if isfinite(span.low) and isfinite(span.high) else (0.0,)
    return min((value + turn for turn in turns), key=lambda turned: abs(_beyond(span, turned)))
