# SPDX-License-Identifier: GPL-3.0-or-later
"""What all limits of a joint leave of each of its six degrees of freedom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, isfinite

from ..joint import AXES, Freedom, JointSettings, Limit
from .together import all_apart, alone, together_in


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


@dataclass(frozen=True, slots=True)
class Span:
    """The room of one degree of freedom, in m or rad."""

    freedom: Freedom
    axis: int
    limits: tuple[Limit, ...] = ()
    """The limits that name this axis, in their order."""
    low: float = -inf
    high: float = inf
    """All limits, soft ones too, intersected."""
    rigid_low: float = -inf
    rigid_high: float = inf
    """Those that do not give way."""
    contradiction: bool = False
    """Whether rigid limits leave nothing."""

    @property
    def holds_zero(self) -> bool:
        """Whether coinciding frames are within it."""
        return self.low <= 0.0 <= self.high

    @property
    def is_free(self) -> bool:
        """Whether there is no bound at all."""
        return self.low == -inf and self.high == inf

    @property
    def is_locked(self) -> bool:
        """Whether the axis is held at one value, if softly."""
        return self.low == self.high

    @property
    def is_bounded(self) -> bool:
        """Whether the axis moves, and not without an end."""
        return not (self.is_locked or self.is_free)

    @property
    def is_keyed(self) -> bool:
        """Whether any of its limits changes with time."""
        return any(limit.keys for limit in self.limits)

    @property
    def opinions(self) -> int:
        """How many of its limits say different things."""
        return len({(x.min, x.max, x.stiffness, x.damping) for x in self.limits})

    @property
    def is_rigidly_locked(self) -> bool:
        """Whether the axis is held at one value and cannot give way."""
        return self.rigid_low == self.rigid_high

    @property
    def held_at(self) -> float | None:
        """The value that the axis is held at, rigidly or softly; None where it may move."""
        for low, high in ((self.rigid_low, self.rigid_high), (self.low, self.high)):
            if low == high and isfinite(low):
                return low
        return None

    @property
    def is_one_sided(self) -> bool:
        """Whether exactly one bound is there."""
        return (self.low == -inf) != (self.high == inf)

    @property
    def reach(self) -> float:
        """How far it goes from zero, whichever way."""
        return max(abs(self.low), abs(self.high))

    @property
    def is_lopsided(self) -> bool:
        """Whether the two directions differ."""
        return self.low != -self.high


Spans = tuple[Span, ...]
"""Linear X, Y, Z, then angular X, Y, Z."""


def span_on(spans: Spans, freedom: Freedom, axis: int) -> Span:
    """Return one degree of freedom."""
    return spans[axis + (3 if freedom is Freedom.ANGULAR else 0)]


def spans_of(limits: Iterable[Limit]) -> Spans:
    """Return the room that all limits leave of each axis by itself.

    Bounds on several axes together are not among them: see ``together.together_in``.
    """
    named: list[list[Limit]] = [[] for _ in _FREE]
    for limit in limits:
        for freedom, first in ((Freedom.LINEAR, 0), (Freedom.ANGULAR, 3)):
            own = alone(limit, freedom)
            if own is not None:
                for axis in {*own.axes(freedom)}.intersection(AXES):
                    named[first + axis].append(own)
    return tuple(
        _span(free, here) if here else free for free, here in zip(_FREE, named, strict=True)
    )


def axis_range(settings: JointSettings, freedom: Freedom, axis: int) -> tuple[float, float]:
    """Return the range of one axis in m or rad: all limits on it intersected."""
    span = span_on(spans_of(settings.limits), freedom, axis)
    return span.low, span.high


def is_free(settings: JointSettings, freedom: Freedom, axis: int) -> bool:
    """Return whether one axis has no bound at all, neither by itself nor with others."""
    return axis_range(settings, freedom, axis) == (-inf, inf) and not any(
        one.freedom is freedom and axis in one.axes for one in together_in(settings.limits)
    )


def locked_axes(settings: JointSettings, freedom: Freedom) -> tuple[int, ...]:
    """Return the axes that are held at a single value."""
    spans = spans_of(settings.limits)
    return tuple(span.axis for span in spans if span.freedom is freedom and span.is_locked)


def spans_within(limits: Iterable[Limit]) -> Spans:
    """Return the same for readers that bound no axes together: the largest room within."""
    return spans_of(all_apart(limits))


def _span(free: Span, limits: list[Limit]) -> Span:
    low, high, contradiction = intersection(limits)
    rigid_low, rigid_high = low, high
    if any(limit.is_soft for limit in limits):
        rigid = [limit for limit in limits if not limit.is_soft]
        rigid_low, rigid_high, contradiction = intersection(rigid)
    return Span(
        free.freedom, free.axis, tuple(limits), low, high, rigid_low, rigid_high, contradiction
    )


_FREE = tuple(Span(freedom, axis) for freedom in Freedom for axis in AXES)
