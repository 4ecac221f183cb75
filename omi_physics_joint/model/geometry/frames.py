# SPDX-License-Identifier: GPL-3.0-or-later
"""Attachment frames: from any world matrix to a rigid frame, and from there into glTF nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, sqrt

from ..body import IDENTITY_QUATERNION, ZERO, Quaternion, Vector3
from ..joint import AXES, Freedom, JointSettings
from ..settings.spans import axis_range
from .transform import (
    IDENTITY_ROTATION,
    ONE,
    Matrix,
    Rotation,
    cross,
    determinant,
    dot,
    inverse,
    linear_part,
    matrix_from,
    multiply,
    normalized,
    quaternion_from_rotation,
    singular_values,
    translation_of,
    transpose,
)

SHEAR_TOLERANCE = 1e-5
"""Largest cosine between two axes of a matrix that still counts as square."""
ROUNDING = 1e-14
"""By which the scale of a node may differ from one that needs not be said: 45 roundings; files, of
single precision, hold nothing between them and 1e-7."""
SINGLE_NODE_TOLERANCE = 2e-6
"""Largest cosine that one glTF node may swallow; beyond it a frame takes two nodes.

It is what single precision leaves of an evenly scaled body, and a fifth of what a frame may be
off (1e-5 rad)."""
NEARLY_SQUARE = 1e-3
"""Largest cosine from which two steps of an iteration lead to a rotation in double precision; with
less only more frames take the slower way there."""
FLAT_VOLUME = 1e-12
"""Volume between three axes of length one below which they lie in a plane. Rounding leaves
2e-16 of what does; single precision 1e-8, and such axes are sheared instead."""


@lru_cache(4096)  # as most nodes of a scene are turned alike, and each is asked several times
def shear_of(linear: Rotation) -> float:
    """Return the largest cosine between two columns: 0 is square, 1 is flat."""
    columns = [normalized(column) for column in transpose(linear)]
    return max(abs(dot(columns[i], columns[j])) for i, j in ((0, 1), (0, 2), (1, 2)))


@lru_cache(4096)
def is_flat(linear: Rotation) -> bool:
    """Return whether a scale of zero leaves no direction to speak of."""
    columns = tuple(normalized(column) for column in transpose(linear))
    return not abs(determinant(columns)) > FLAT_VOLUME


def is_sound(world: Matrix) -> bool:
    """Return whether a world matrix is a pose: of finite numbers, with directions to speak of."""
    return isfinite(sum(map(sum, world))) and not is_flat(linear_part(world))


def mirrored_axis(settings: JointSettings | None) -> int:
    """Return the axis of a frame that flips when its parent mirrors it.

    A mirrored frame is left-handed, and no rotation is. One axis must flip to make it right-handed
    again, and the joint should then move as the mirror image does. With axis f flipped, motion is
    the mirror image for angles about f and for distances along the other two axes; angles about
    the other two and distances along f run the other way. So f is the axis on which the fewest
    lopsided ranges and targets end up wrong. Symmetric ranges do not care. Ties go to Z, then Y,
    then X, since a plain hinge turns about Z in glTF axes and a slider slides along X.
    """
    if settings is None:
        return 2

    def wrong(flipped: int) -> int:
        turned = [a for a in AXES if a != flipped and is_lopsided(settings, Freedom.ANGULAR, a)]
        return len(turned) + is_lopsided(settings, Freedom.LINEAR, flipped)

    return min((2, 1, 0), key=wrong)


def is_lopsided(settings: JointSettings, freedom: Freedom, axis: int) -> bool:
    """Return whether the two directions of a degree of freedom differ."""
    low, high = axis_range(settings, freedom, axis)
    driven = any(
        drive.type is freedom
        and drive.axis == axis
        and ((drive.position_target or 0.0) != 0.0 or (drive.velocity_target or 0.0) != 0.0)
        for drive in settings.drives
    )
    return low != -high or driven


def is_rigid(world: Matrix, tolerance: float) -> bool:
    """Return whether a matrix is right-handed, unscaled and square, but for rounding."""
    x, y, z = transpose(linear_part(world))
    lengths = (dot(x, x) - 1.0, dot(y, y) - 1.0, dot(z, z) - 1.0)
    cosines = (dot(x, y), dot(x, z), dot(y, z))
    even = max(map(abs, lengths)) <= 2.0 * tolerance and max(map(abs, cosines)) <= tolerance
    return even and dot(x, cross(y, z)) > 0.0


def rigid_frame(world: Matrix, settings: JointSettings | None = None) -> Matrix:
    """Return the right-handed, unscaled frame that a node stands for.

    Scale is dropped, shear is taken out evenly (the nearest rotation), and a mirrored frame has
    the axis of ``mirrored_axis`` flipped. Distances of a joint are metres in the world, whatever
    the scale of the bodies.

    Raises:
        ZeroDivisionError: the node is flat (see ``is_flat``).
    """
    linear = linear_part(world)
    if determinant(linear) < 0.0:
        axis = mirrored_axis(settings)
        linear = tuple(
            tuple(-x if column == axis else x for column, x in enumerate(row)) for row in linear
        )
    rotation = _nearest_rotation(tuple(normalized(column) for column in transpose(linear)))
    return matrix_from(rotation, translation_of(world))


def frame_along(axis: int, direction: Vector3, origin: Vector3 = ZERO) -> Matrix:
    """Return the rigid frame at an origin whose axis points along a direction.

    The other two axes stay as near as they can to the next world axes, so that a frame made along
    a world axis is a plain one.

    Raises:
        ValueError: the direction has no length.
    """
    along = normalized(direction)
    if along == ZERO:
        message = "a direction of length zero points nowhere"
        raise ValueError(message)
    second = min(((axis + 1) % 3, (axis + 2) % 3), key=lambda i: abs(along[i]))
    third = 3 - axis - second
    sign = 1.0 if (axis + 1) % 3 == second else -1.0
    hint = IDENTITY_ROTATION[second]
    columns = {axis: along}
    columns[third] = normalized(tuple(sign * x for x in cross(along, hint)))
    columns[second] = normalized(tuple(sign * x for x in cross(columns[third], along)))
    rows = transpose(tuple(columns[i] for i in range(3)))
    return matrix_from(rows, origin)


def _nearest_rotation(columns: tuple[Vector3, ...]) -> Rotation:
    """Return the rotation nearest to a right-handed frame, given by columns of length one.

    Nearly square ones, such as single precision leaves, take two steps of Newton's iteration
    R (3 - R^T R) / 2, which squares the error each time; others their singular vectors.
    """
    x, y, z = columns
    if max(abs(dot(x, y)), abs(dot(x, z)), abs(dot(y, z))) > NEARLY_SQUARE:
        u, _, v = singular_values(transpose(columns))
        return multiply(u, transpose(v))
    for _ in range(2):
        xy, xz, yz = 0.5 * dot(x, y), 0.5 * dot(x, z), 0.5 * dot(y, z)
        xx, yy, zz = (1.5 - 0.5 * dot(column, column) for column in (x, y, z))
        x, y, z = (
            _mixed(xx, x, -xy, y, -xz, z),
            _mixed(-xy, x, yy, y, -yz, z),
            _mixed(-xz, x, -yz, y, zz, z),
        )
    return transpose((x, y, z))


def _mixed(a: float, x: Vector3, b: float, y: Vector3, c: float, z: Vector3) -> Vector3:
    return (
        a * x[0] + b * y[0] + c * z[0],
        a * x[1] + b * y[1] + c * z[1],
        a * x[2] + b * y[2] + c * z[2],
    )


@dataclass(frozen=True, slots=True)
class Placement:
    """Translation, rotation and scale of one glTF node under its parent."""

    translation: Vector3 = ZERO
    rotation: Quaternion = IDENTITY_QUATERNION
    scale: Vector3 = ONE


def _length(column: Sequence[float]) -> float:
    """Return the length of a column, one where it is that but for rounding."""
    length = sqrt(dot(column, column))
    return 1.0 if abs(length - 1.0) <= ROUNDING else length


def placements(parent_world: Matrix, frame: Matrix) -> tuple[Placement, ...]:
    """Return the nodes, outermost first, that put a rigid frame exactly where it is.

    Under a parent that is scaled unevenly and turned, the local matrix of a rigid frame has shear,
    which one glTF node cannot hold. Any matrix is a rotation, a scale and another rotation
    (singular values), so two nested nodes always can.

    Raises:
        ZeroDivisionError: the parent is flat, or so small that nothing can be placed below it.
    """
    local = multiply(inverse(parent_world), frame)
    linear = linear_part(local)
    if not all(isfinite(x * x) for row in local for x in row):
        message = "the parent is too small"
        raise ZeroDivisionError(message)
    translation = translation_of(local)
    x, y, z = columns = transpose(linear)
    a, b, c = scale = (_length(x), _length(y), _length(z))
    shear = max(abs(dot(x, y)) / (a * b), abs(dot(x, z)) / (a * c), abs(dot(y, z)) / (b * c))
    if shear <= SINGLE_NODE_TOLERANCE:
        if dot(x, cross(y, z)) < 0.0:
            scale = (a, b, -c)
        rotation = transpose(
            tuple((i / r, j / r, k / r) for (i, j, k), r in zip(columns, scale, strict=True))
        )
        return (Placement(translation, quaternion_from_rotation(rotation), scale),)
    u, values, v = singular_values(linear)
    outer = Placement(translation, quaternion_from_rotation(u), values)
    inner = Placement(rotation=quaternion_from_rotation(transpose(v)))
    return (outer, inner)
