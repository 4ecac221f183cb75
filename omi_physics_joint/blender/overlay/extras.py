# SPDX-License-Identifier: GPL-3.0-or-later
"""What play adds to the drawing: forces and torques, broken joints, pulls, pins, and a ghost.

All points and vectors are in Blender's world. Nothing here is saved; ``clear`` takes it all away.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...drawing.played.force_arrows import Arrow
from ...drawing.strokes import Sketch

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Ghost:
    """Where another motion has the bodies."""

    outlines: tuple[Sketch, ...]
    """Of the bodies, each in the axes of its object; the same sketches as long as they are."""
    worlds: NDArray[np.float64]
    """(n, 4, 4)."""
    notes: tuple[tuple[Point, str], ...] = ()
    """What is written, and where."""


@dataclass(slots=True)
class Extras:
    """What is shown beside the joints themselves."""

    forces: tuple[Arrow, ...] = ()
    """What joints bear."""
    pins: tuple[Point, ...] = ()
    """Where bodies are pinned."""
    broken: frozenset[str] = frozenset()
    """Names of the objects of broken joints."""
    spring: tuple[Point, Point] | None = None
    """Where a pull holds the body, and where the mouse is."""
    ghost: Ghost | None = None
    """Where another motion has the bodies."""
    version: dict[str, int] = field(default_factory=lambda: {"lines": 0, "broken": 0})
    """Counts the changes of the lines and of the set of broken joints."""


extras = Extras()


def set_forces(forces: Iterable[Arrow]) -> None:
    """Show arrows of forces and torques, and no others."""
    extras.forces = tuple(forces)
    extras.version["lines"] += 1


def set_pins(points: Iterable[Point]) -> None:
    """Show a pin at each of these points in m, and no others."""
    extras.pins = tuple(points)
    extras.version["lines"] += 1


def set_broken(names: Iterable[str]) -> None:
    """Show the joints of these objects as broken, and no others."""
    broken = frozenset(names)
    if broken != extras.broken:
        extras.broken = broken
        extras.version["broken"] += 1


def set_spring(held: Point | None, mouse: Point | None = None) -> None:
    """Show the spring of a pull between two points in m, or none."""
    extras.spring = None if held is None or mouse is None else ((*held,), (*mouse,))
    extras.version["lines"] += 1


def set_ghost(ghost: Ghost | None) -> None:
    """Show where another motion has the bodies, or nothing of that."""
    extras.ghost = ghost


def clear() -> None:
    """Show nothing of all this any more."""
    set_forces(())
    set_broken(())
    set_pins(())
    set_spring(None)
    set_ghost(None)
