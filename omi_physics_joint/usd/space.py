# SPDX-License-Identifier: GPL-3.0-or-later
"""The two spaces of a prim that physics uses: its own, which may be scaled, and the rigid one.

Places (of frames, of centres of mass) are in the prim's own space, with its scale. Turns and
velocities are in the rigid one, which has no scale: ``pxr``'s parser takes it from the pose as the
polar decomposition does. A mirrored prim is scaled by negative numbers along all three axes there,
while our rigid frame of a node flips one (``model.frames.rigid_frame``).
"""

from __future__ import annotations

from dataclasses import dataclass

from ..model.body import Quaternion, Vector3
from ..model.geometry.frames import is_sound, rigid_frame
from ..model.geometry.transform import (
    IDENTITY,
    Matrix,
    Rotation,
    apply,
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
    node_turn: Rotation
    """World from the rigid frame of the node that the prim is."""

    @property
    def is_one(self) -> bool:
        """Whether prim and node have the same rigid space, as they do unless they are mirrored."""
        return self.turn is self.node_turn

    def place_said(self, frame: Matrix) -> tuple[Vector3, Quaternion]:
        """Return a rigid frame, given in the world, as a joint names it: in the space of a prim.

        Raises:
            ZeroDivisionError: the prim is flat.
        """
        place = apply(linear_part(inverse(self.world)), self._from_origin(translation_of(frame)))
        turn = multiply(transpose(self.turn), linear_part(frame))
        return place, quaternion_from_rotation(turn)

    def place_meant(self, place: Vector3, rotation: Quaternion) -> Matrix:
        """Return the rigid frame in the world that a joint names in the space of a prim."""
        x, y, z = apply(linear_part(self.world), place)
        a, b, c = translation_of(self.world)
        turn = multiply(self.turn, rotation_from_quaternion(rotation))
        return matrix_from(turn, (a + x, b + y, c + z))

    def centre_said(self, centre: Vector3) -> Vector3:
        """Return a centre of mass, in m along the axes of a node, in the space of its prim.

        Raises:
            ZeroDivisionError: the prim is flat.
        """
        own = linear_part(inverse(self.world))
        return apply(own, apply(self.node_turn, centre))

    def centre_meant(self, centre: Vector3) -> Vector3:
        """Return a centre of mass in the space of a prim in m along the axes of its node."""
        return apply(transpose(self.node_turn), apply(linear_part(self.world), centre))

    def vector_said(self, vector: Vector3) -> Vector3:
        """Return a vector along the axes of a node along those of the rigid space of its prim."""
        if self.is_one:
            return vector
        return apply(transpose(self.turn), apply(self.node_turn, vector))

    def vector_meant(self, vector: Vector3) -> Vector3:
        """Return a vector in the rigid space of a prim along the axes of its node."""
        if self.is_one:
            return vector
        return apply(transpose(self.node_turn), apply(self.turn, vector))

    def turn_said(self, rotation: Quaternion) -> Quaternion:
        """Return axes that are turned in a node as they are turned in its prim."""
        turned = multiply(self.node_turn, rotation_from_quaternion(rotation))
        return quaternion_from_rotation(multiply(transpose(self.turn), turned))

    def turn_meant(self, rotation: Quaternion) -> Quaternion:
        """Return axes that are turned in a prim as they are turned in its node."""
        turned = multiply(self.turn, rotation_from_quaternion(rotation))
        return quaternion_from_rotation(multiply(transpose(self.node_turn), turned))

    def _from_origin(self, point: Vector3) -> Vector3:
        x, y, z = translation_of(self.world)
        return (point[0] - x, point[1] - y, point[2] - z)


def has_space(world: Matrix) -> bool:
    """Return whether a pose is one that a prim can have a space in: sound, and not next to flat."""
    columns = transpose(linear_part(world))
    return is_sound(world) and min(dot(one, one) for one in columns) > SMALLEST_SQUARE


def scale_of(world: Matrix) -> Vector3:
    """Return how long the axes of a pose are."""
    x, y, z = (dot(column, column) ** 0.5 for column in transpose(linear_part(world)))
    return (x, y, z)


def space_of(world: Matrix) -> Space:
    """Return the spaces of a prim.

    Args:
        world: world from prim, lengths in m.

    Raises:
        ZeroDivisionError: the prim is flat.
    """
    linear = linear_part(world)
    if determinant(linear) < 0.0:
        linear = tuple(tuple(-x for x in row) for row in linear)
    u, _, v = singular_values(linear)
    turn, node_turn = multiply(u, transpose(v)), linear_part(rigid_frame(world))
    apart = difference(turn, node_turn)
    return Space(world, node_turn if apart < ROUNDING else turn, node_turn)


WORLD = space_of(IDENTITY)
"""Of a joint that names no prim."""
