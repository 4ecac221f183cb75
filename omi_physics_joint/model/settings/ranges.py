# SPDX-License-Identifier: GPL-3.0-or-later
"""What all limits of a joint together leave of one degree of freedom."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from ..joint import AXES, Freedom, JointSettings, Limit
from .together import alone, together_in


def limits_on(settings: JointSettings, freedom: Freedom, axis: int) -> list[Limit]:
    """Return the limits that bound one axis by itself, in their order."""
    named = (alone(one, freedom) for one in settings.limits if axis in one.axes(freedom))
    return [one for one in named if one is not None]


def intersection(limits: Iterable[Limit]) -> tuple[float, float, bool]:
    """Return what limits leave together, low and high, and whether some exclude each other.

    One that would leave nothing of those before it is left out: the first wins.
    """
    low, high, contradiction = -inf, inf, False
    for limit in limits:
        new_low, new_high = max(low, limit.min), min(high, limit.max)
        if new_low <= new_high:
            low, high = new_low, new_high
        elif limit.min <= limit.max:
            contradiction = True
    return low, high, contradiction


def axis_range(settings: JointSettings, freedom: Freedom, axis: int) -> tuple[float, float]:
    """Return the range of one axis in m or rad: all limits on it intersected."""
    return intersection(limits_on(settings, freedom, axis))[:2]


def is_locked(settings: JointSettings, freedom: Freedom, axis: int) -> bool:
    """Return whether one axis is held at a single value."""
    low, high = axis_range(settings, freedom, axis)
    return low == high


def is_free(settings: JointSettings, freedom: Freedom, axis: int) -> bool:
    """Return whether one axis has no bound at all, neither by itself nor with others."""
    return axis_range(settings, freedom, axis) == (-inf, inf) and not any(
        one.freedom is freedom and axis in one.axes for one in together_in(settings.limits)
    )


def locked_axes(settings: JointSettings, freedom: Freedom) -> tuple[int, ...]:
    """Return the axes that are held at a single value."""
    return tuple(axis for axis in AXES if is_locked(settings, freedom, axis))
