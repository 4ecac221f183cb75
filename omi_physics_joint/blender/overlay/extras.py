# SPDX-License-Identifier: GPL-3.0-or-later
"""What play adds to the drawing: forces, contacts, broken joints, pulls, pins, outlines, floor.

All points and vectors are in Blender's world. Nothing here is saved.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...drawing.played import Arrow, TouchMarks
from ...drawing.strokes import Role, Sketch

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Outlined:
    """Bodies or triggers in outline."""

    outlines: tuple[Sketch, ...]
    """Each in the axes of its object; the same sketches as long as they are."""
    worlds: NDArray[np.float64]
    """(n, 4, 4)."""
    notes: tuple[tuple[Point, str], ...] = ()
    """What is written, and where."""
    role: Role = Role.GHOST
    """What the notes have the colour of."""


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
    outlined: tuple[Outlined, ...] = ()
    """Where another motion has the bodies, and triggers in which bodies are."""
    touches: TouchMarks | None = None
    """Where bodies touch."""
    floor: Sketch | None = None
    """The floor, the same sketch as long as it is."""
    version: dict[str, int] = field(default_factory=lambda: {"lines": 0, "broken": 0})
    """Counts the changes of the lines and of the set of broken joints."""


extras = Extras()


def show(
    forces: Iterable[Arrow] = (),
    pins: Iterable[Point] = (),
    broken: Iterable[str] = (),
    spring: tuple[Point, Point] | None = None,
    outlined: Iterable[Outlined | None] = (),
    touches: TouchMarks | None = None,
    floor: Sketch | None = None,
) -> None:
    """Show these and no others, see ``Extras``; without anything nothing of it any more."""
    extras.forces, extras.pins = tuple(forces), tuple(pins)
    extras.spring, extras.outlined = spring, tuple(filter(None, outlined))
    extras.touches, extras.floor = touches, floor
    extras.version["lines"] += 1
    names = frozenset(broken)
    if names != extras.broken:
        extras.broken = names
        extras.version["broken"] += 1
