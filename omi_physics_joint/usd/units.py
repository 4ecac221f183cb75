# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of a stage, its units of length and mass, degrees and up axis; and the spaces of a prim.

Lengths of a stage are ``metersPerUnit`` metres, masses ``kilogramsPerUnit`` kg, angles degrees, and
times of physics seconds. What is measured per angle is per degree.

Places (of frames, of centres of mass) are in the prim's own space, which may be scaled. Turns and
velocities are in the rigid one, which has no scale: ``pxr``'s parser takes it from the pose as the
polar decomposition does. A mirrored prim is scaled by negative numbers along all three axes there,
while our rigid frame of a node flips one (``model.geometry.frames.rigid_frame``).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

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
from ..model.joint import DriveMode, Freedom
from ..model.settings.fields import Quantity

DEGREES = 180.0 / pi


@dataclass(frozen=True, slots=True)
class Unit:
    """What a number measures, as powers of mass, length and angle; times are seconds always."""

    mass: int = 0
    length: int = 0
    angle: int = 0


PLAIN = Unit()
MASS = Unit(mass=1)
LENGTH = Unit(length=1)
ANGLE = Unit(angle=1)
DENSITY = Unit(mass=1, length=-3)
INERTIA = Unit(mass=1, length=2)
FORCE = Unit(mass=1, length=1)
TORQUE = Unit(mass=1, length=2)

_OF_FORCE = {
    Quantity.POSITION: (LENGTH, ANGLE),
    Quantity.VELOCITY: (LENGTH, ANGLE),
    Quantity.STIFFNESS: (MASS, Unit(mass=1, length=2, angle=-1)),
    Quantity.DAMPING: (MASS, Unit(mass=1, length=2, angle=-1)),
    Quantity.FORCE: (FORCE, TORQUE),
}
"""Along an axis, and about it."""
_PER_MASS = {Quantity.STIFFNESS, Quantity.DAMPING}
"""What acceleration mode measures without mass: accelerations about an axis are in rad/s^2 still,
per degree, as Newton and PhysX have them."""
_SOFT = (Quantity.STIFFNESS, Quantity.DAMPING)


def unit_of(quantity: Quantity, freedom: Freedom, mode: DriveMode = DriveMode.FORCE) -> Unit:
    """Return the unit of a number of a limit or a drive."""
    about = freedom is Freedom.ANGULAR
    if mode is DriveMode.ACCELERATION and quantity in _PER_MASS:
        return Unit(angle=-1) if about else PLAIN
    return _OF_FORCE[quantity][about]


def unit_of_limit(quantity: Quantity, freedom: Freedom) -> Unit:
    """Return the unit of a number of a limit.

    PhysX, whose attributes say how soft one is, takes them per radian, as measured; what drives and
    Newton's limits have is per degree.
    """
    if freedom is Freedom.ANGULAR and quantity in _SOFT:
        return TORQUE
    return unit_of(quantity, freedom)


@dataclass(frozen=True, slots=True)
class Units:
    """The units of one stage."""

    meters: float = 1.0
    """m in a unit of length."""
    kilograms: float = 1.0
    """kg in a unit of mass."""

    def factor(self, unit: Unit) -> float:
        """Return by what a number in SI is to be multiplied to be one of the stage."""
        of_mass = self.kilograms**-unit.mass
        return of_mass * self.meters**-unit.length * DEGREES**unit.angle

    def meant(self, value: float, unit: Unit) -> float:
        """Return a number of the stage in SI."""
        return value / self.factor(unit)

    def pose_said(self, pose: Matrix) -> Matrix:
        """Return a pose in m as the stage has it.

        Lengths inside of what is posed are in units of the stage too, so scales stay as they are.
        """
        x, y, z = translation_of(pose)
        return matrix_from(linear_part(pose), (x / self.meters, y / self.meters, z / self.meters))

    def pose_meant(self, pose: Matrix) -> Matrix:
        """Return a pose of the stage in m; lengths inside of what is posed are to be in m too."""
        x, y, z = translation_of(pose)
        return matrix_from(linear_part(pose), (x * self.meters, y * self.meters, z * self.meters))


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
