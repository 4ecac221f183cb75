# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bodies touch while they play, with what forces, and the floor: in Blender's world."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

import numpy as np

from ..layout import Floats
from ..strokes import Pen, Role, Sketch
from .force_arrows import NEAREST, OF_VIEW, Sight

RADIUS = 4.0
"""Of the mark of a point, pixels at a scale of 1."""
HEAD = 0.2
"""Part of an arrow that its head takes."""
AROUND = 1.5
"""How far a floor goes on around what falls on it, as a part of how long that is."""
CELLS = 4
"""A floor has so many cells from side to side at least, and ten times as many at most."""


@dataclass(frozen=True, slots=True)
class TouchMarks:
    """Points where bodies touch."""

    points: Floats
    """(n, 3) m."""
    forces: Floats
    """(n, 3) N."""
    usual: Floats
    """(n,) N of an arrow of half the length."""
    longest: Floats
    """(n,) m that no arrow passes."""


def draw_touches(pen: Pen, touches: TouchMarks, factor: float, sight: Sight, scale: float) -> None:
    """Draw a square at each point, however far away, and its force as an arrow from there.

    ``factor`` is that of the user on forces, ``scale`` that of the interface.
    """
    points, forces = touches.points, touches.forces
    half = (RADIUS * scale * sight.pixel(points))[:, None]
    corners = [points + half * side for side in (sight.right, sight.up, -sight.right, -sight.up)]
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        pen.segments(np.stack((start, end), axis=1), Role.CONTACT)
    size = np.linalg.norm(forces, axis=1)
    longest = np.minimum(factor * touches.longest, OF_VIEW * sight.tall(points))
    drawn = np.isfinite(size) & (size > 0.0)
    length = longest[drawn] / (size[drawn] + touches.usual[drawn])
    start, way = points[drawn], forces[drawn] * length[:, None]
    back, aside = (
        start + (1.0 - HEAD) * way,
        0.5 * HEAD * np.cross(way, np.cross(sight.right, sight.up)),
    )
    for other in (start, back + aside, back - aside):
        pen.segments(np.stack((other, start + way), axis=1), Role.CONTACT, thick=True)


def floor_sketch(low: Floats, high: Floats, height: float) -> Sketch:
    """Return a grid at a height in m under and around a box from corner to corner, (3,) m each."""
    size = max(float(np.linalg.norm(high - low)), NEAREST)
    cell = 10.0 ** floor(log10(2.0 * AROUND * size / CELLS))
    first = np.floor((low[:2] - AROUND * size) / cell)
    last = np.ceil((high[:2] + AROUND * size) / cell)
    pen = Pen()
    for along in (0, 1):
        at = cell * np.arange(first[1 - along], last[1 - along] + 1.0)
        lines = np.full((len(at), 2, 3), height)
        lines[:, :, 1 - along] = at[:, None]
        lines[:, :, along] = cell * np.array((first[along], last[along]))
        pen.segments(lines, Role.FLOOR)
    (a, b), (c, d) = cell * first, cell * last
    corners = [(a, b, height), (c, b, height), (c, d, height), (a, d, height)]
    pen.fan(corners[0], corners[1:], Role.FLOOR)
    return pen.sketch()
