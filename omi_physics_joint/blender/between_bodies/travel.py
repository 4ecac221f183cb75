# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a new slider lets a body slide, where nobody has said it."""

from __future__ import annotations

from math import floor, log10

from bpy.types import Object
from mathutils import Vector

from .contact import bounds_of

USUAL = 0.5
"""In m."""
SHARES = (0.1, 1.0)
"""Between which shares of the length of a body that is a range for it."""


def travel_of(body: Object, direction: Vector) -> float:
    """Return how far a body slides along a direction at first, in m.

    That is half a metre for what is about as long. What is modelled in other units, or is much
    smaller or larger, slides by half its own length, in a round number.
    """
    low, high = bounds_of(body)
    length = sum(abs(part * size) for part, size in zip(direction, high - low, strict=True))
    if length <= 0.0 or SHARES[0] * length <= USUAL <= SHARES[1] * length:
        return USUAL
    return _round(0.5 * length)


def _round(length: float) -> float:
    """Return the nearest of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** floor(log10(length))
    steps = (power, 2.0 * power, 5.0 * power, 10.0 * power)
    return min(steps, key=lambda step: abs(log10(step / length)))
