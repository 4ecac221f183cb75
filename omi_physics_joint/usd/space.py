# SPDX-License-Identifier: GPL-3.0-or-later
"""The two spaces of a prim that physics uses: its own, which may be scaled, and the rigid one.

Places (of frames, of centres of mass) are in the prim's own space, with its scale. Turns and
velocities are in the rigid one, which has no scale: ``pxr``'s parser takes it from the pose as the
polar decomposition does. A mirrored prim is scaled by negative numbers along all three axes there,
while our rigid frame of a node flips one (``model.geometry.frames.rigid_frame``).
"""

from __future__ import annotations

from dataclasses import dataclass

from ..model.body import Quaternion, Vector3
from ..model.geometry.frames import is_sound, rigid_frame
from ..model.geometry.transform import (
    IDENTITY,
    IDENTITY_ROTATION,
    Matrix,
    Rotation,
    apply,
    compose,
    determinant,
    difference,
    dot,
    inverse,
    linear_part,
    matrix_from,
    multiply,
    quaternion_from_rotation,
    rotation_from_quaternion,
    singular_values,
    translation_of,
    transpose,
)

SMALLEST_SQUARE = 1e-60
"""Of the length of an axis; below it a prim is as good as flat."""
ROUNDING = 1e-12
"""Sines of angles that only rounding has made."""


@dataclass(frozen=True, slots=True)
class Space:
    """Where a prim is, in m: made by ``space_of``."""

    world: Matrix
    """World from prim."""
    turn: Rotation
    """World from the rigid space of the prim."""
    flip: Rotation
    """That space from the rigid frame of the node that the prim is: they differ if mirrored."""

    def place_said(self, frame: Matrix) -> tuple[Vector3, Quaternion]:
        """Return a rigid frame, given in the world, as a joint names it: in the space of a prim.

        Raises:
            ZeroDivisionError: the prim is flat.
        """
        ends = zip(translation_of(frame), translation_of(self.world), strict=True)
        place = apply(linear_part(inverse(self.world)), [a - b for a, b in ends])
        return place, quaternion_from_rotation(multiply(transpose(self.turn), linear_part(frame)))

    def place_meant(self, place: Vector3, rotation: Quaternion) -> Matrix:
        """Return the rigid frame in the world that a joint names in the space of a prim."""
        origin = translation_of(multiply(self.world, compose(place)))
        return matrix_from(multiply(self.turn, rotation_from_quaternion(rotation)), origin)

    def centre_said(self, centre: Vector3) -> Vector3:
        """Return a centre of mass, in m along the axes of a node, in the space of its prim.

        Raises:
            ZeroDivisionError: the prim is flat.
        """
        along = apply(self.turn, apply(self.flip, centre))
        return apply(linear_part(inverse(self.world)), along)

    def centre_meant(self, centre: Vector3) -> Vector3:
        """Return a centre of mass in the space of a prim in m along the axes of its node."""
        along = apply(linear_part(self.world), centre)
        return apply(transpose(self.flip), apply(transpose(self.turn), along))

    def vector_said(self, vector: Vector3) -> Vector3:
        """Return a vector along the axes of a node along those of the rigid space of its prim."""
        return apply(self.flip, vector)

    def vector_meant(self, vector: Vector3) -> Vector3:
        """Return a vector in the rigid space of a prim along the axes of its node."""
        return apply(transpose(self.flip), vector)

    def turn_said(self, rotation: Quaternion) -> Quaternion:
        """Return axes that are turned in a node as they are turned in its prim."""
        return quaternion_from_rotation(multiply(self.flip, rotation_from_quaternion(rotation)))

    def turn_meant(self, rotation: Quaternion) -> Quaternion:
        """Return axes that are turned in a prim as they are turned in its node."""
        turned = multiply(transpose(self.flip), rotation_from_quaternion(rotation))
        return quaternion_from_rotation(turned)


def has_space(world: Matrix) -> bool:
    """Return whether a pose is one that a prim can have a space in: sound, and not next to flat."""
    columns = transpose(linear_part(world))
    return is_sound(world) and min(dot(one, one) for one in columns) > SMALLEST_SQUARE


def space_of(world: Matrix) -> Space:
    """Return the spaces of a prim, by its pose in the world in m.

    Raises:
        ZeroDivisionError: the prim is flat.
    """
    linear = linear_part(world)
    if determinant(linear) < 0.0:
        linear = tuple(tuple(-x for x in row) for row in linear)
    u, _, v = singular_values(linear)
    turn, node_turn = multiply(u, transpose(v)), linear_part(rigid_frame(world))
    if difference(turn, node_turn) < ROUNDING:
        return Space(world, node_turn, IDENTITY_ROTATION)
    return Space(world, turn, multiply(transpose(turn), node_turn))


WORLD = space_of(IDENTITY)
"""Of a joint that names no prim."""
