# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines and surfaces as plain arrays, and the pen that collects them.

A line says with its role what it means, and with its shape too: colour only repeats it. Dashes are
segments of their own, so that no shader has to know of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum

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
