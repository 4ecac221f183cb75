# SPDX-License-Identifier: GPL-3.0-or-later
"""Attachment frames: from any world matrix to a rigid frame, and from there into glTF nodes."""

from __future__ import annotations

from dataclasses import dataclass

from .body import IDENTITY_QUATERNION, ZERO, Quaternion, Vector3
from .joint import AXES, Freedom, JointSettings
from .ranges import axis_range
from .transform import (
    ONE,
    Matrix,
    Rotation,
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
SINGLE_NODE_TOLERANCE = 1e-7
"""Largest cosine that one glTF node may swallow; beyond it a frame takes two nodes."""


def shear_of(linear: Rotation) -> float:
    """Return the largest cosine between two columns: 0 is square, 1 is flat."""
    columns = [normalized(column) for column in transpose(linear)]
    return max(abs(dot(columns[i], columns[j])) for i, j in ((0, 1), (0, 2), (1, 2)))


def is_flat(linear: Rotation) -> bool:
    """Return whether a scale of zero leaves no direction to speak of."""
    lengths = [dot(column, column) for column in transpose(linear)]
    product = lengths[0] * lengths[1] * lengths[2]
    return not determinant(linear) ** 2 > 1e-24 * product or product == 0.0


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
    columns = transpose(linear)
    lengths = [dot(column, column) ** 0.5 for column in columns]
    unit = tuple(tuple(row[j] / lengths[j] for j in range(3)) for row in linear)
    u, _, v = singular_values(unit)
    return matrix_from(multiply(u, transpose(v)), translation_of(world))


@dataclass(frozen=True, slots=True)
class Placement:
    """Translation, rotation and scale of one glTF node under its parent."""

    translation: Vector3 = ZERO
    rotation: Quaternion = IDENTITY_QUATERNION
    scale: Vector3 = ONE


def placements(parent_world: Matrix, frame: Matrix) -> tuple[Placement, ...]:
    """Return the nodes, outermost first, that put a rigid frame exactly where it is.

    Under a parent that is scaled unevenly and turned, the local matrix of a rigid frame has shear,
    which one glTF node cannot hold. Any matrix is a rotation, a scale and another rotation
    (singular values), so two nested nodes always can.

    Raises:
        ZeroDivisionError: the parent is flat.
    """
    local = multiply(inverse(parent_world), frame)
    linear = linear_part(local)
    translation = translation_of(local)
    if shear_of(linear) <= SINGLE_NODE_TOLERANCE:
        lengths = [dot(column, column) ** 0.5 for column in transpose(linear)]
        if determinant(linear) < 0.0:
            lengths[2] = -lengths[2]
        rotation = tuple(tuple(row[j] / lengths[j] for j in range(3)) for row in linear)
        scale = (lengths[0], lengths[1], lengths[2])
        return (Placement(translation, quaternion_from_rotation(rotation), scale),)
    u, values, v = singular_values(linear)
    outer = Placement(translation, quaternion_from_rotation(u), values)
    inner = Placement(rotation=quaternion_from_rotation(transpose(v)))
    return (outer, inner)
