# SPDX-License-Identifier: GPL-3.0-or-later
"""What play adds to the drawing: forces and torques, broken joints, and the spring of a pull.

All points and vectors are in Blender's world. Nothing here is saved; ``clear`` takes it all away.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Point = tuple[float, float, float]
Kind = Literal["force", "torque"]


@dataclass(slots=True)
class Extras:
    """What is shown beside the joints themselves."""

    forces: tuple[tuple[Point, Point, Kind], ...] = ()
    """Origin in m, vector in N or N m, and which of both it is."""
    broken: frozenset[str] = frozenset()
    """Names of the objects of broken joints."""
    spring: tuple[Point, Point] | None = None
    """Where a pull holds the body, and where the mouse is."""
    version: dict[str, int] = field(default_factory=lambda: {"lines": 0, "broken": 0})
    """Counts the changes of the lines and of the set of broken joints."""


extras = Extras()


def set_forces(forces: Iterable[tuple[Point, Point, Kind]]) -> None:
    """Show arrows of forces in N and torques in N m, each at its origin in m."""
    extras.forces = tuple((tuple(origin), tuple(vector), kind) for origin, vector, kind in forces)
    extras.version["lines"] += 1


def set_broken(names: Iterable[str]) -> None:
    """Show the joints of these objects as broken, and no others."""
    broken = frozenset(names)
    if broken != extras.broken:
        extras.broken = broken
        extras.version["broken"] += 1


def set_spring(held: Point | None, mouse: Point | None = None) -> None:
    """Show the spring of a pull between two points in m, or none."""
    extras.spring = None if held is None or mouse is None else (tuple(held), tuple(mouse))
    extras.version["lines"] += 1


def clear() -> None:
    """Show nothing of all this any more."""
    set_forces(())
    set_broken(())
    set_spring(None)
