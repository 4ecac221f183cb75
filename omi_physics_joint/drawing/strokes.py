# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines and surfaces as plain arrays, the pen that collects them, and their colours.

A line says with its role what it means, and with its shape too: colour only repeats it. Dashes are
segments of their own, so that no shader has to know of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.geometry.axes import Z_UP_FROM_Y_UP
from .layout import Floats

Bytes = NDArray[np.uint8]


class Role(IntEnum):
    """What a line stands for; the first three are Blender's axes."""

    X = 0
    Y = 1
    Z = 2
    BODY = 3
    """What belongs to no single axis: welds, boxes, links."""
    VALUE = 4
    DRIVE = 5
    VIOLATED = 6
    BROKEN = 7
    FORCE = 8
    TORQUE = 9
    PULL = 10
    SOLE = 11
    """The only axis that a joint moves along or about: whether it is X, Y or Z says nothing."""
    PIN = 12
    """Where a body is pinned while it plays."""
    GHOST = 13
    """Where another motion has a body."""
    CONTACT = 14
    """Where bodies touch, and with what forces."""
    FLOOR = 15
    """A floor that no file has."""


def axis_role(axis: int) -> Role:
    """Return the role of an axis of a frame in glTF's axes."""
    return Role(Z_UP_FROM_Y_UP.axis[axis])


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """Lines and surfaces in the axes of one frame, in m; equal to itself only."""

    lines: Floats
    """(n, 2, 3): both ends of each segment."""
    roles: Bytes
    """(n,): a ``Role`` for each segment."""
    thick: NDArray[np.bool_]
    """(n,)."""
    triangles: Floats
    """(m, 3, 3)."""
    fills: Bytes
    """(m,): a ``Role`` for each triangle."""


def without_axes(sketch: Sketch) -> Sketch:
    """Return a sketch in which no axis has the colour of its letter."""
    roles, fills = (
        np.where(of <= Role.Z, np.uint8(Role.SOLE), of) for of in (sketch.roles, sketch.fills)
    )
    return replace(sketch, roles=roles, fills=fills)


class Pen:
    """Collects strokes and makes a sketch of them."""

    def __init__(self) -> None:
        self._lines: list[tuple[Floats, int, bool]] = [(np.zeros((0, 2, 3)), 0, False)]
        self._triangles: list[tuple[Floats, int]] = [(np.zeros((0, 3, 3)), 0)]

    def segments(self, ends: ArrayLike, role: Role, *, thick: bool = False) -> None:
        """Draw separate segments, shape (n, 2, 3)."""
        self._lines.append((np.asarray(ends, np.float64), role, thick))

    def path(self, points: ArrayLike, role: Role, *, thick: bool = False) -> None:
        """Draw a line through points, shape (n, 3)."""
        self.segments(pieces_of(np.asarray(points, np.float64)), role, thick=thick)

    def dashes(self, points: ArrayLike, role: Role, *, thick: bool = False) -> None:
        """Draw every other piece of a line through points, beginning and ending with one."""
        pieces = pieces_of(np.asarray(points, np.float64))
        chosen = pieces[::2] if len(pieces) % 2 else np.concatenate((pieces[::2], pieces[-1:]))
        self.segments(chosen, role, thick=thick)

    def dashed(self, ends: ArrayLike, pieces: int, role: Role, *, thick: bool = False) -> None:
        """Draw a straight line, shape (2, 3), of which every other of so many pieces is seen."""
        start, end = np.asarray(ends, np.float64)
        steps = np.linspace(0.0, 1.0, pieces + 1)[:, None]
        self.dashes(start + steps * (end - start), role, thick=thick)

    def barbs(self, ends: Iterable[Floats], tip: Floats, role: Role) -> None:
        """Draw the head of an arrow: thick lines from some points to its tip."""
        self.segments([(end, tip) for end in ends], role, thick=True)

    def surface(self, triangles: ArrayLike, role: Role) -> None:
        """Fill triangles, shape (n, 3, 3)."""
        self._triangles.append((np.asarray(triangles, np.float64), role))

    def fan(self, centre: ArrayLike, points: ArrayLike, role: Role) -> None:
        """Fill between a point and a line through points, shape (n, 3)."""
        rim = np.asarray(points, np.float64)
        middle = np.broadcast_to(np.asarray(centre, np.float64), rim[:-1].shape)
        self.surface(np.stack((middle, rim[:-1], rim[1:]), axis=1), role)

    def sketch(self) -> Sketch:
        """Return everything that was drawn."""
        lines, roles, thick = zip(*self._lines, strict=True)
        triangles, fills = zip(*self._triangles, strict=True)
        counts, filled = list(map(len, lines)), list(map(len, triangles))
        return Sketch(
            lines=np.concatenate(lines),
            roles=np.repeat(np.array(roles, np.uint8), counts),
            thick=np.repeat(np.array(thick, np.bool_), counts),
            triangles=np.concatenate(triangles),
            fills=np.repeat(np.array(fills, np.uint8), filled),
        )


def pieces_of(points: Floats) -> Floats:
    """Return the segments of lines through points: (..., n, 3) to (..., n - 1, 2, 3)."""
    return np.stack((points[..., :-1, :], points[..., 1:, :]), axis=-2)


def zigzag(teeth: int) -> Floats:
    """Return how far aside a spring is at 0, 1, ... steps of its length: 0, 1, -1, ..., 0."""
    aside = np.zeros(2 * teeth + 2)
    aside[1:-1:2], aside[2:-1:2] = 1.0, -1.0
    return aside


def sprung(points: Floats, width: float) -> Floats:
    """Return a rim (n, 3) as the spring beside it: every other point is so much farther out."""
    out = points.copy()
    out[1::2] *= 1.0 + width
    return out


RGB = tuple[float, float, float]

MUTED = 3
OPACITY = (0.55, 0.95, 1.0, 0.25)
"""By emphasis: 0 dimmed, 1 selected, 2 active, 3 switched off."""
GREYING = (0.35, 0.0, 0.0, 1.0)
"""How much of a colour is taken out of what is dimmed; of what is off, all of it."""
WARNINGS = (
    *(Role.VIOLATED, Role.BROKEN, Role.FORCE, Role.TORQUE),
    *(Role.PULL, Role.PIN, Role.GHOST, Role.CONTACT),
)
"""What is never dimmed."""


@dataclass(frozen=True, slots=True)
class Theme:
    """What the user's theme says, each component 0 to 1."""

    axes: tuple[RGB, RGB, RGB] = ((0.96, 0.26, 0.33), (0.53, 0.80, 0.13), (0.20, 0.55, 0.95))
    selected: RGB = (0.93, 0.34, 0.0)
    active: RGB = (1.0, 0.63, 0.16)


FIXED: dict[int, RGB] = {
    Role.VALUE: (0.98, 0.98, 0.98),
    Role.DRIVE: (0.85, 0.45, 1.0),
    Role.VIOLATED: (1.0, 0.08, 0.08),
    Role.BROKEN: (1.0, 0.20, 0.10),
    Role.FORCE: (1.0, 0.85, 0.10),
    Role.TORQUE: (0.20, 0.90, 0.90),
    Role.PULL: (1.0, 1.0, 1.0),
    Role.PIN: (1.0, 0.30, 0.65),
    Role.GHOST: (0.45, 0.85, 1.0),
    Role.CONTACT: (0.55, 1.0, 0.30),
    Role.FLOOR: (0.60, 0.75, 0.90),
    Role.SOLE: (0.93, 0.78, 0.50),
}
BODY_DIMMED: RGB = (0.70, 0.70, 0.70)


@lru_cache(maxsize=4)
def palette(theme: Theme) -> NDArray[np.float32]:
    """Return RGBA by emphasis and role, shape (4, roles, 4)."""
    colours = np.ones((len(OPACITY), len(Role), 4), np.float32)
    bodies = (BODY_DIMMED, theme.selected, theme.active, BODY_DIMMED)
    for emphasis, (opacity, share) in enumerate(zip(OPACITY, GREYING, strict=True)):
        own = FIXED | dict(enumerate(theme.axes)) | {Role.BODY: bodies[emphasis]}
        for role, colour in own.items():
            colours[emphasis, role, :3] = colour
            if role not in WARNINGS or emphasis == MUTED:
                grey = sum(colour) / len(colour)
                greyed = [(1.0 - share) * c + share * grey for c in colour]
                colours[emphasis, role] = (*greyed, opacity)
    return colours
