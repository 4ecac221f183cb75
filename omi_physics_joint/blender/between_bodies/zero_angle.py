# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a hinge counts from: at 0° its mark and its arc point into the body that moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, pi

from bpy.types import Object
from mathutils import Matrix, Vector

from .contact import middle_of

SQUARE = 1e-4
"""Cosine from which on two directions are not at right angles."""
MEANT = 2e-4
"""Distance of two unit vectors, found in single precision, that were meant to be one."""
ROUND = 1e-5
"""rad by which what is turned is off a quarter of a turn that was meant: numbers stay round."""


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


def settled(frame: Matrix, axis: int, moving: Object | None, holder: Object | None) -> Matrix:
    """Return the rotation of a rigid frame about one of its axes after which 0° points into a body.

    That is to the nearest axis of the moving body across that one, or of the frame where the body
    is not square to it. Where there is none to point into, or the middle is on the axis, all are as
    good: then they are those of the body that holds the frame, so that no scale of it shears them.
    """
    along, zero = frame.col[axis].to_3d(), frame.to_3x3() @ zero_direction(axis)
    aside, way, body = along.cross(zero), zero, holder
    if moving is not None:
        towards = middle_of(moving) - frame.translation
        towards -= towards.dot(along) * along
        if towards.length > SQUARE * max(*moving.dimensions, 1e-3):
            way, body = towards.normalized(), moving
    across = [] if body is None else [one for one in _axes(body) if abs(one.dot(along)) < SQUARE]
    plain = [] if len(across) == 2 else [zero, aside]
    best = _nearest(way, plain + across)
    angle = atan2(best.dot(aside), best.dot(zero))
    quarters = round(angle / (0.5 * pi)) * 0.5 * pi
    angle = quarters if abs(angle - quarters) < ROUND else angle
    return Matrix.Rotation(angle, 4, Vector([float(one == axis) for one in range(3)]))


def meant(direction: Vector, bodies: Iterable[Object], within: float = MEANT) -> Vector:
    """Return a body's own axis, or its opposite, along a unit vector that is that but for rounding.

    What was read off a mesh is; that of the first body counts.
    """
    for body in bodies:
        nearest = _nearest(direction, _axes(body))
        if (nearest - direction).length <= within:
            return nearest
    return direction


def _nearest(way: Vector, axes: Sequence[Vector]) -> Vector:
    return max((sign * one for one in axes for sign in (1.0, -1.0)), key=way.dot)


def _axes(body: Object) -> list[Vector]:
    return list(body.matrix_world.to_3x3().normalized().col)
