# SPDX-License-Identifier: GPL-3.0-or-later
"""What limits on single axes and on several together leave of each other.

With t = tan(phi / 2) of each twist, a cone angle c about k has sin^2(c / 2) = (t_i^2 + t_j^2) /
(1 + t_i^2 + t_j^2 + t_k^2), and a whole angle the same with k above too: all grow with twists about
axes in them, and a cone angle falls with that about its own axis. So within a cone, the twist about
i goes up to t_i = tan(c / 2) sqrt(1 + t_k^2), and within a whole angle up to that angle.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan, atan2, hypot, inf, pi, sqrt, tan

from ..joint import AXES, Freedom, Limit
from .canonical import is_idle
from .spans import Span, Spans, spans_of
from .together import Together, together_in

EXACTLY = 1e-9
"""m or rad: bounds that touch each other are apart by less."""


def idle_limits(limits: Sequence[Limit]) -> tuple[int, ...]:
    """Return which limits are never reached, because others together with them stop before.

    They may all be left out at once. None of them is animated, and at least one of what stops
    before it is on several axes together: of limits on single axes nobody complains.
    """
    kept = list(range(len(limits)))
    while True:
        for index in kept:
            others = [limits[other] for other in kept if other != index]
            if _is_idle(limits[index], others):
                kept.remove(index)
                break
        else:
            return tuple(index for index in range(len(limits)) if index not in kept)


def left_by(one: Together, others: Sequence[Limit]) -> tuple[float, float]:
    """Return the least and the largest distance or angle that other rigid limits leave of it."""
    rigid = [limit for limit in others if not limit.is_soft]
    low, high = _left_by_axes(one, spans_of(rigid))
    for other in together_in(rigid):
        if other.freedom is not one.freedom:
            continue
        if set(one.axes) <= set(other.axes):
            high = min(high, other.high)
        if set(one.axes) >= set(other.axes):
            low = max(low, other.low)
    return low, high


def most_about(freedom: Freedom, axis: int, others: Sequence[Limit]) -> float:
    """Return how far an axis goes, either way, within rigid bounds on several axes together."""
    rigid = [limit for limit in others if not limit.is_soft]
    spans, most = spans_of(rigid), inf
    for one in together_in(rigid):
        if one.freedom is freedom and axis in one.axes and one.high >= 0.0:
            most = min(most, _most_within(one, spans))
    return most


def _is_idle(limit: Limit, others: Sequence[Limit]) -> bool:
    bounds = together_in((limit,))
    if any(one.keys for one in (limit, *others)) or is_idle(limit) or not limit.min <= limit.max:
        return False
    if bounds:
        return all(_holds(one, left_by(one, others)) for one in bounds)
    reaches = [
        most_about(freedom, axis, others) for freedom in Freedom for axis in limit.axes(freedom)
    ]
    return all(limit.min <= EXACTLY - most and most - EXACTLY <= limit.max for most in reaches)


def _holds(one: Together, left: tuple[float, float]) -> bool:
    """Return whether all that is left is within a bound, and anything is."""
    low, high = left
    return low <= high and one.low <= low + EXACTLY and high - EXACTLY <= one.high


def _left_by_axes(one: Together, spans: Spans) -> tuple[float, float]:
    own = spans[:3] if one.freedom is Freedom.LINEAR else spans[3:]
    sizes = [_sizes(span) for span in own]
    least, most = ([size[end] for size in sizes] for end in (0, 1))
    if one.freedom is Freedom.LINEAR:
        return hypot(*(least[axis] for axis in one.axes)), hypot(*(most[axis] for axis in one.axes))
    left = [axis for axis in AXES if axis not in one.axes]
    near = 2.0 * atan2(_across(least, one.axes), hypot(1.0, _across(most, left)))
    far = _across(most, one.axes)
    over = hypot(1.0, _across(least, left))
    return near, pi if far == inf else 2.0 * atan2(far, over)


def _sizes(span: Span) -> tuple[float, float]:
    """Return how near to zero and how far from it an axis may be; an angle at most half a turn."""
    low, high = span.rigid_low, span.rigid_high
    near = 0.0 if low <= 0.0 <= high else min(abs(low), abs(high))
    far = max(abs(low), abs(high))
    if span.freedom is Freedom.ANGULAR and far > pi:
        return (0.0, pi)
    return near, far


def _across(angles: Sequence[float], axes: Sequence[int]) -> float:
    """Return the root of the sum of t^2 about some axes."""
    return hypot(*(inf if angles[a] >= pi - EXACTLY else tan(0.5 * angles[a]) for a in axes))


def _most_within(one: Together, spans: Spans) -> float:
    if one.freedom is Freedom.LINEAR or len(one.axes) == len(AXES):
        return one.high
    _, most = _sizes(spans[3 + one.left_axis])
    if one.high >= pi - EXACTLY:
        return inf
    turned = inf if most >= pi - EXACTLY else tan(0.5 * most)
    return 2.0 * atan(tan(0.5 * one.high) * sqrt(1.0 + turned * turned))
