# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines and surfaces as plain arrays, and the pen that collects them.

A line says with its role what it means, and with its shape too: colour only repeats it. Dashes are
segments of their own, so that no shader has to know of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .layout import Floats, blender_axis

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


def axis_role(axis: int) -> Role:
    """Return the role of an axis of a frame in glTF's axes."""
    return Role(blender_axis(axis))


@dataclass(frozen=True, slots=True)
class Sketch:
    """Lines and surfaces in the axes of one frame, in m."""

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
        """Start with an empty sheet."""
        self._lines: list[tuple[Floats, int, bool]] = []
        self._triangles: list[tuple[Floats, int]] = []

    def segments(self, ends: ArrayLike, role: Role, *, thick: bool = False) -> None:
        """Draw separate segments, shape (n, 2, 3)."""
        self._lines.append((np.asarray(ends, np.float64).reshape(-1, 2, 3), role, thick))

    def path(self, points: ArrayLike, role: Role, *, thick: bool = False) -> None:
        """Draw a line through points, shape (n, 3)."""
        through = np.asarray(points, np.float64)
        self.segments(np.stack((through[:-1], through[1:]), axis=1), role, thick=thick)

    def dashes(self, points: ArrayLike, role: Role, *, thick: bool = False) -> None:
        """Draw every other piece of a line through points, beginning and ending with one."""
        through = np.asarray(points, np.float64)
        pieces = np.stack((through[:-1], through[1:]), axis=1)
        chosen = pieces[::2] if len(pieces) % 2 else np.concatenate((pieces[::2], pieces[-1:]))
        self.segments(chosen, role, thick=thick)

    def surface(self, triangles: ArrayLike, role: Role) -> None:
        """Fill triangles, shape (n, 3, 3)."""
        self._triangles.append((np.asarray(triangles, np.float64).reshape(-1, 3, 3), role))

    def fan(self, centre: ArrayLike, points: ArrayLike, role: Role) -> None:
        """Fill between a point and a line through points, shape (n, 3)."""
        rim = np.asarray(points, np.float64)
        middle = np.broadcast_to(np.asarray(centre, np.float64), rim[:-1].shape)
        self._triangles.append((np.stack((middle, rim[:-1], rim[1:]), axis=1), role))

    def sketch(self) -> Sketch:
        """Return everything that was drawn."""
        counts = [len(ends) for ends, _, _ in self._lines]
        filled = [len(triangles) for triangles, _ in self._triangles]
        return Sketch(
            lines=_joined([ends for ends, _, _ in self._lines], (2, 3)),
            roles=np.repeat(np.array([r for _, r, _ in self._lines], np.uint8), counts),
            thick=np.repeat(np.array([t for _, _, t in self._lines], np.bool_), counts),
            triangles=_joined([triangles for triangles, _ in self._triangles], (3, 3)),
            fills=np.repeat(np.array([r for _, r in self._triangles], np.uint8), filled),
        )


def line_points(start: ArrayLike, end: ArrayLike, pieces: int) -> Floats:
    """Return evenly spaced points on a straight line, both ends included: (pieces + 1, 3)."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    return a + np.linspace(0.0, 1.0, pieces + 1)[:, None] * (b - a)


def zigzag(teeth: int) -> Floats:
    """Return how far aside a spring is at 0, 1, ... steps of its length: 0, 1, -1, ..., 0."""
    aside = np.zeros(2 * teeth + 2)
    aside[1:-1:2], aside[2:-1:2] = 1.0, -1.0
    return aside


def _joined(parts: list[Floats], shape: tuple[int, int]) -> NDArray[np.floating[Any]]:
    return np.concatenate(parts) if parts else np.zeros((0, *shape))
