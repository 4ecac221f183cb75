# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of a limit and of a drive: names, units, defaults, and what files call them.

Whoever goes through all of them goes through these tables: reading, writing, Blender's properties,
and what tells two files apart. A member more is a row here and an attribute in ``joint``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf
from types import MappingProxyType

from ..joint import Freedom
from ..keys import BOUNDS


class Quantity(StrEnum):
    """What a number measures; with a freedom, this is its unit."""

    POSITION = "position"
    VELOCITY = "velocity"
    STIFFNESS = "stiffness"
    DAMPING = "damping"
    FORCE = "force"


class Below(StrEnum):
    """What a negative number means."""

    ITSELF = "itself"
    WRONG = "wrong"
    """It is an error, and read as zero."""
    INFINITE = "infinite"


UNITS = MappingProxyType(
    {
        Quantity.POSITION: ("m", "rad"),
        Quantity.VELOCITY: ("m/s", "rad/s"),
        Quantity.STIFFNESS: ("N/m", "N m/rad"),
        Quantity.DAMPING: ("N s/m", "N m s/rad"),
        Quantity.FORCE: ("N", "N m"),
    }
)
"""Units along an axis, and about it; in acceleration mode strengths are 1/s^2 and 1/s instead."""


@dataclass(frozen=True, slots=True)
class Field:
    """One number of a limit or a drive.

    Attributes:
        name: of the attribute in ``Limit`` or ``Drive``, and of the property in Blender.
        key: what OMI_physics_joint and KHR_physics_rigid_bodies call it.
        label: in a sentence.
        quantity: what it measures.
        default: of a member that is missing; None: it says nothing then.
        below: what a negative number means.
    """

    name: str
    key: str
    label: str
    quantity: Quantity
    default: float | None
    below: Below = Below.ITSELF

    @property
    def is_measured(self) -> bool:
        """Whether it is a place or a speed.

        Then it goes with the unit of length along an axis, and Blender has a property of it for
        each freedom.
        """
        return self.quantity in (Quantity.POSITION, Quantity.VELOCITY)

    def property_on(self, freedom: str) -> str:
        """Return what Blender calls it: ``linear_min``, ``stiffness``."""
        return f"{freedom}_{self.name}" if self.is_measured else self.name

    def unit(self, freedom: Freedom) -> str:
        """Return its unit on an axis of a kind."""
        return UNITS[self.quantity][freedom is Freedom.ANGULAR]


LIMIT_FIELDS = (
    Field("min", "min", "lower bound", Quantity.POSITION, -inf),
    Field("max", "max", "upper bound", Quantity.POSITION, inf),
    Field("stiffness", "stiffness", "stiffness", Quantity.STIFFNESS, inf, Below.INFINITE),
    Field("damping", "damping", "damping", Quantity.DAMPING, 0.0, Below.WRONG),
)
BESIDE_BOUNDS = tuple(field for field in LIMIT_FIELDS if field.name not in BOUNDS)
"""How a limit holds its bounds: what limits share that differ in nothing but their bounds."""
TARGETS = ("position_target", "velocity_target")
"""Numbers of a drive that have a sign."""
DRIVE_FIELDS = (
    Field("max_force", "maxForce", "greatest force", Quantity.FORCE, inf, Below.INFINITE),
    Field("position_target", "positionTarget", "target position", Quantity.POSITION, None),
    Field("velocity_target", "velocityTarget", "target velocity", Quantity.VELOCITY, None),
    Field("stiffness", "stiffness", "stiffness", Quantity.STIFFNESS, 0.0, Below.WRONG),
    Field("damping", "damping", "damping", Quantity.DAMPING, 0.0, Below.WRONG),
)
