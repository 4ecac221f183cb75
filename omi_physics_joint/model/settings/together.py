# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds over several axes together, and what is left of them where each axis has its own.

A distance or an angle is never negative: a lower bound up to zero is none, and so is an upper one
of half a turn, beyond which no angle goes. With q = (v, s) the rotation of the connected frame, the
cone angle about k, between the axes k of both frames, is 2 atan2(|v_i v_j|, |v_k s|), and the whole
angle 2 atan2(|v|, |s|). The twist about axis i
is 2 atan2(q_i, w), so q_i = w tan(phi_i / 2). A cone of half angle a about k holds where
q_i^2 + q_j^2 <= sin^2(a / 2), and a whole angle a where q_i^2 + q_j^2 + q_k^2 <= sin^2(a / 2).
With n equal bounds b, and w^2 = 1 less all squares, the corner is at n t^2 / (1 + n t^2), t =
tan(b / 2); it touches where t = tan(a / 2) / sqrt(n).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import atan, atan2, hypot, inf, pi, sqrt, tan

from ..joint import AXES, Freedom, Limit, on_axes

KINDS = {
    (Freedom.LINEAR, 2): "distance from a line",
    (Freedom.LINEAR, 3): "distance from a point",
    (Freedom.ANGULAR, 2): "cone",
    (Freedom.ANGULAR, 3): "whole angle",
}
"""What such a bound is on, by kind and number of axes."""
MEASURES = {
    (Freedom.LINEAR, 2): "distance",
    (Freedom.LINEAR, 3): "distance",
    (Freedom.ANGULAR, 2): "lean",
    (Freedom.ANGULAR, 3): "turn in all",
}
"""The same where it stands before a number."""


@dataclass(frozen=True, slots=True)
class Together:
    """One bound on several axes of a kind."""

    freedom: Freedom
    axes: tuple[int, ...]
    """Two or three, rising."""
    limit: Limit
    """What it was read from."""
    low: float
    """m or rad; -inf is none."""
    high: float
    """m or rad; inf is none."""

    @property
    def left_axis(self) -> int:
        """The axis that two others leave: of the line, or of the cone."""
        return left_of(self.axes)

    @property
    def kind(self) -> str:
        """What it is on, see ``KINDS``."""
        return KINDS[self.freedom, len(self.axes)]

    @property
    def measure(self) -> str:
        """What its number is, see ``MEASURES``."""
        return MEASURES[self.freedom, len(self.axes)]

    def value(self, place: Sequence[float], rotation: Sequence[float]) -> float:
        """Return the distance in m, or the angle in rad.

        Of the connected frame in the joint frame: its place in m, its rotation as x y z w.
        """
        if self.freedom is Freedom.LINEAR:
            return hypot(*(place[axis] for axis in self.axes))
        across = [rotation[axis] for axis in AXES if axis not in self.axes]
        return 2.0 * atan2(
            hypot(*(rotation[axis] for axis in self.axes)), hypot(*across, rotation[3])
        )


def left_of(pair: Sequence[int]) -> int:
    """Return the axis that two others leave."""
    return next(axis for axis in AXES if axis not in pair)


def together_in(limits: Iterable[Limit]) -> tuple[Together, ...]:
    """Return the bounds on several axes together that limits make, in their order."""
    found: list[Together] = []
    for limit in limits:
        if not limit.together or is_centred(limit):
            continue
        for freedom in Freedom:
            axes = tuple(sorted({axis for axis in limit.axes(freedom) if axis in AXES}))
            if len(axes) < 2:
                continue
            low = limit.min if limit.min > 0.0 else -inf
            endless = freedom is Freedom.ANGULAR and limit.max >= pi
            found.append(Together(freedom, axes, limit, low, inf if endless else limit.max))
    return tuple(found)


def is_centred(limit: Limit) -> bool:
    """Return whether nothing but zero is left, which is the same of each axis by itself."""
    return limit.max == 0.0 and limit.min <= 0.0 and not limit.keys


def alone(limit: Limit, freedom: Freedom) -> Limit | None:
    """Return a limit as it bounds each axis of a kind exactly; None if only several together."""
    if not limit.is_together(freedom):
        return limit
    return replace(limit, min=0.0, together=False) if is_centred(limit) else None


def plain(limit: Limit) -> Limit:
    """Return a limit on axes of one kind that are together only where that says something."""
    freedom = Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR
    if not limit.is_together(freedom):
        return replace(limit, together=False) if limit.together else limit
    if limit.keys:
        return limit
    if is_centred(limit):
        return replace(limit, min=0.0, together=False)
    return replace(limit, min=-inf) if limit.min <= 0.0 else limit


def apart(limit: Limit) -> Limit:
    """Return the largest bounds of each axis by itself within such a limit, of one kind of axes.

    A lower bound cannot be kept: what is too near the middle is allowed then.
    """
    freedom = Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR
    count, is_turn = len(limit.axes(freedom)), freedom is Freedom.ANGULAR

    def most(bound: float) -> float:
        if freedom is Freedom.LINEAR:
            return bound / sqrt(count)
        return inf if bound >= pi else 2.0 * atan(tan(bound / 2.0) / sqrt(count))

    keys = tuple(keys for keys in limit.keys if keys.field != "min")
    for upper in [keys for keys in keys if keys.field == "max"]:
        narrow = upper.mapped(lambda bound: min(most(bound), pi if is_turn else bound))
        lower = replace(narrow.mapped(lambda bound: -bound), field="min")
        keys = (*(one for one in keys if one is not upper), narrow, lower)
    return replace(limit, min=-most(limit.max), max=most(limit.max), together=False, keys=keys)


def by_axis(limit: Limit, freedom: Freedom) -> Limit:
    """Return a limit on axes of one kind as it bounds each of them by itself."""
    own = alone(limit, freedom)
    return apart(limit) if own is None else own


def all_apart(limits: Iterable[Limit]) -> tuple[Limit, ...]:
    """Return limits of one kind of axes each, of which none bounds several axes together.

    An axis that has a narrower rigid bound of its own needs no other, which readers that take only
    one of them might choose.
    """
    given = tuple(limits)
    out: list[Limit] = []
    for limit in given:
        if not any(map(limit.is_together, Freedom)):
            out.append(limit)
            continue
        others = [other for other in given if other is not limit]
        for freedom in Freedom:
            part = by_axis(on_axes(limit, freedom, limit.axes(freedom)), freedom)
            axes = [a for a in part.axes(freedom) if not _has_narrower(others, freedom, a, part)]
            if axes:
                out.append(on_axes(part, freedom, tuple(axes)))
    return tuple(out)


def _has_narrower(limits: Iterable[Limit], freedom: Freedom, axis: int, wide: Limit) -> bool:
    """Return whether an axis has a rigid bound of its own within a range."""
    return any(
        axis in own.axes(freedom)
        and not (own.is_soft or own.is_together(freedom) or own.keys or wide.keys)
        and wide.min <= own.min <= own.max <= wide.max
        for own in limits
    )
