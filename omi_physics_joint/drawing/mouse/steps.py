# SPDX-License-Identifier: GPL-3.0-or-later
"""Which numbers a drag snaps to, and what bounds leave of them."""

from __future__ import annotations

from math import ceil, floor, log10, radians

from ...model.joint import Freedom

STEP_PIXELS = 8.0
"""A step that distances snap to is at least that long."""
SMALLEST_STEP = 1e-6
"""In the unit that is shown."""


def snapped(value: float, step: float) -> float:
    """Return the nearest multiple of a step, never -0.0."""
    return floor(value / step + 0.5) * step + 0.0


def clamped(value: float, low: float, high: float) -> float:
    """Return a number within bounds; the upper one wins where they contradict."""
    return min(max(value, low), high)


def step_of(
    freedom: Freedom, pixel_size: float, *, snap: bool, fine: bool, unit: float = 1.0
) -> float:
    """Return what numbers are multiples of: visibly while snapping, else so that they are tidy.

    Angles snap to 5 degrees, finely to 1. Distances snap to a power of ten of the ``unit`` (m) that
    is shown, finely to a tenth of it: one that can be seen where a pixel covers ``pixel_size`` m.
    """
    if freedom is Freedom.ANGULAR:
        degrees = (1.0 if fine else 5.0) if snap else (0.01 if fine else 0.1)
        return radians(degrees)
    pixels = STEP_PIXELS if snap else 1.0
    exponent = log10(max(pixels * pixel_size / unit, SMALLEST_STEP))
    power = ceil(exponent - 1e-9) if snap else floor(exponent + 1e-9)
    return unit * 10.0 ** (power - 1 if fine else power)
