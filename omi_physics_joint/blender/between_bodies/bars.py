# SPDX-License-Identifier: GPL-3.0-or-later
"""Bars, whatever their section, and the line across two that cross, about which they turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from bpy.types import Object
from mathutils import Vector

from .contact import surface_of
from .descendants import seen_once
from .facing import Floats
from .round_shapes import are_parallel, mostly_positive

SLENDER = 3.0
"""How many times longer than wide a bar or a rail is at least."""
GAP = 1.0
"""Largest share of the mean thickness of bars that a gap between them is: drawn by eye."""
ROUNDING = 1e-4
"""Share of its length by which a bar counts as longer, so that exact ratios are bars anywhere."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A body that is long along one line."""

    way: Floats
    """Unit vector (3,) in the world."""
    middle: Floats
    """(3,) of its room, in m."""
    length: float
    points: Floats
    """Its vertices (n, 3), in m."""


@seen_once
def bar_of(obj: Object) -> Bar | None:
    """Return how a body is a bar, along an axis of its own or of its points; None otherwise."""
    surface = surface_of(obj)
    if surface is None:
        return None
    points = np.array(surface.points)
    _, principal = np.linalg.eigh(np.cov(points.T))
    own = np.array(obj.matrix_world.to_3x3().normalized())
    for ways in (own, principal):
        along = points @ ways
        sizes = np.ptp(along, axis=0)
        longest = int(np.argmax(sizes))
        length = float(sizes[longest])
        if length * (1.0 + ROUNDING) >= SLENDER * float(np.delete(sizes, longest).max()):
            middle = ways @ (0.5 * (along.min(axis=0) + along.max(axis=0)))
            return Bar(ways[:, longest], middle, length, points)
    return None


def across_both(first: Object, second: Object) -> Vector | None:
    """Return the line across two bars that cross and touch, overlap or nearly meet; else None.

    Their middle lines pass each other within the length of both: a leg that stands on a beam ends
    before it gets there.
    """
    one, other = bar_of(first), bar_of(second)
    if one is None or other is None or are_parallel(Vector(one.way), Vector(other.way)):
        return None
    across = np.cross(one.way, other.way)
    apart, square = other.middle - one.middle, float(across @ across)
    reached = [
        abs(np.cross(apart, far.way) @ across) <= 0.5 * near.length * square
        for near, far in ((one, other), (other, one))
    ]
    across /= np.sqrt(square)
    thick = sum(float(np.ptp(bar.points @ across)) for bar in (one, other))
    touch = abs(float(apart @ across)) <= 0.5 * (1.0 + GAP) * thick
    return mostly_positive(Vector(across)) if touch and all(reached) else None
