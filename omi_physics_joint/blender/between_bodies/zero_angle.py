# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a hinge counts from: at 0° its mark and its arc point into the body that moves."""

from __future__ import annotations

from math import atan2, pi

from bpy.types import Object
from mathutils import Matrix, Vector

from .contact import middle_of

SQUARE = 1e-4
"""Cosine from which on two directions are not at right angles."""
BETTER = 1e-3
"""How much nearer, as a cosine, an axis of the body must point than one of the world."""


def zero_direction(axis: int) -> Vector:
    """Return where in its frame turns about an axis are drawn to begin; both Blender's.

    It is the next axis in the model, see ``drawing.layout``, whose Z is minus Blender's Y.
    """
    return Vector(((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0))[axis])


def relabelling(old: int, new: int) -> Matrix:
    """Return the rotation after which one axis of a frame points and counts as another did."""
    before, after = (_by_axis(axis) for axis in (old, new))
    return (before @ after.transposed()).to_4x4()


def _by_axis(axis: int) -> Matrix:
    """Return a rotation with an axis, where it counts from, and the third as its columns."""
    along = Vector([float(one == axis) for one in range(3)])
    zero = zero_direction(axis)
    return Matrix((along, zero, along.cross(zero))).transposed()


def half_turn(axis: int) -> Matrix:
    """Return a rotation after which an axis points back, and turns begin where they did."""
    return Matrix.Rotation(pi, 4, zero_direction(axis))


def into_body(frame: Matrix, axis: int, body: Object | None) -> Matrix:
    """Return the rotation of a rigid frame about one of its axes after which 0° points into a body.

    That is to the nearest of the frame's other axes, so that numbers stay round, or to one of the
    body's own where that is nearer. Where there is no body, or the axis goes through its middle,
    all are as good.
    """
    if body is None:
        return Matrix.Identity(4)
    along, zero = frame.col[axis].to_3d(), frame.to_3x3() @ zero_direction(axis)
    aside = along.cross(zero)
    way = middle_of(body) - frame.translation
    way -= way.dot(along) * along
    if way.length <= SQUARE * max(*body.dimensions, 1e-3):
        return Matrix.Identity(4)
    way.normalize()
    own = [column.to_3d().normalized() for column in body.matrix_world.col[:3]]
    plain = [zero, aside, -zero, -aside]
    others = [sign * one for one in own if abs(one.dot(along)) < SQUARE for sign in (1.0, -1.0)]
    best = max(plain, key=way.dot)
    nearer = max(others, key=way.dot, default=best)
    if way.dot(nearer) > way.dot(best) + BETTER:
        best = nearer
    angle = atan2(best.dot(aside), best.dot(zero))
    return Matrix.Rotation(angle, 4, Vector([float(one == axis) for one in range(3)]))
