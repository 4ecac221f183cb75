# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a hinge counts from: at 0° its mark and its arc point into the body that moves."""

from __future__ import annotations

from math import atan2, pi

import bpy
from mathutils import Matrix, Vector

from .contact import middle_of

SQUARE = 1e-4
"""Cosine from which on two directions are not at right angles."""
BETTER = 1e-3
"""How much nearer, as a cosine, an axis of the body must point than one of the world."""


def zero_axis(axis: int) -> int:
    """Return the axis of a frame at which turns about an axis are drawn to begin; both Blender's.

    It is the next axis in the model, see ``drawing.layout``, where Y and Z have changed places.
    """
    return (axis + 2) % 3


def half_turn(axis: int) -> Matrix:
    """Return a rotation after which an axis points the other way, and turns begin where they did.

    Args:
        axis: Blender's.
    """
    return Matrix.Rotation(pi, 4, "XYZ"[zero_axis(axis)])


def into_body(frame: Matrix, axis: int, body: bpy.types.Object) -> Matrix:
    """Return the rotation of a frame about its own axis after which 0° points into a body.

    That is to the nearest of the frame's other axes, so that numbers stay round, or to one of the
    body's own where that is nearer. Where the axis goes through the middle of the body all are as
    good.

    Args:
        frame: rigid, world from frame.
        axis: the axis that is turned about.
        body: the body that moves.
    """
    along, zero = frame.col[axis].to_3d(), frame.col[zero_axis(axis)].to_3d()
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
