# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of a stage: its units of length and mass, degrees, and its up axis.

Lengths of a stage are ``metersPerUnit`` metres, masses ``kilogramsPerUnit`` kg, angles degrees, and
times of physics seconds. What is measured per angle is per degree.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

from ..model.geometry.transform import Matrix, linear_part, matrix_from, translation_of
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
