# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds as they are drawn: where they end, whether they give way, from which side they are seen.

The value of a joint is the pose of the connected frame in the joint frame. Where the body of the
joint frame is the one that moves, the user sees it move the other way, against a connected frame
that stands still. Such a joint is drawn in the connected frame with bounds, targets and values
reversed, where that says exactly the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf, isfinite, isnan

import numpy as np

from ..model.joint import AXES, Freedom, JointSettings
from ..model.settings import reversal
from ..model.settings.spans import Span, spans_of
from ..model.settings.together import is_centred, together_in
from .layout import Floats

FARTHEST = 1e6
"""m or rad: what lies beyond is as good as not bounded, and single precision would lose it."""

TOLERANCE = 1e-4
"""m or rad beyond a bound that count as on it: what single precision leaves of a pose."""


@dataclass(frozen=True, slots=True)
class End:
    """One bound of a span."""

    at: float
    """m or rad; infinite is open."""
    soft: bool = False
    beyond: float = inf
    """Distance from a soft bound to the rigid one behind it, at least 0."""

    @property
    def is_open(self) -> bool:
        """Whether there is no bound."""
        return not isfinite(self.at)


def ends_of(span: Span) -> tuple[End, End]:
    """Return the lower and the upper end; what makes no sense counts as open."""
    low, high = _within_reach(span.low), _within_reach(span.high)
    if low == inf or high == -inf or low > high:
        return End(-inf), End(inf)
    soft_low, soft_high = span.rigid_low < low, span.rigid_high > high
    return (
        End(low, soft_low and isfinite(low), low - span.rigid_low if isfinite(low) else inf),
        End(high, soft_high and isfinite(high), span.rigid_high - high if isfinite(high) else inf),
    )


def is_held(span: Span) -> bool:
    """Return whether nothing of this degree of freedom is worth drawing: it cannot move."""
    return span.is_rigidly_locked and isfinite(span.rigid_low)


def is_free_pin(settings: JointSettings) -> bool:
    """Return whether a joint holds a place and nothing else: no turn of it tells anything."""
    if settings.drives or together_in(settings.limits):
        return False
    spans = spans_of(settings.limits)
    return all(map(is_held, spans[:3])) and all(span.is_free for span in spans[3:])


def beyond(at: Floats, low: Floats, high: Floats) -> Floats:
    """Return how far values lie above (+) or below (-) their bounds; 0 is inside."""
    out = at - np.clip(at, low, high)
    return np.where(np.abs(out) > TOLERANCE, out, 0.0)


def _within_reach(value: float) -> float:
    if isnan(value):
        return inf
    if abs(value) <= FARTHEST:
        return value
    return inf if value > 0.0 else -inf


@lru_cache(maxsize=4096)
def has_two_sides(settings: JointSettings) -> bool:
    """Return whether a joint can be drawn in its connected frame: whether reversing is exact.

    It is where nothing turns, where one axis turns and at most that axis slides, and where nothing
    but the distance from a point counts of where the bodies are.
    """
    spans = spans_of(settings.limits)
    turning = [span.axis for span in spans[3:] if not is_held(span)]
    away = {span.axis for span in spans[:3] if not (is_held(span) and span.low == 0.0)}
    if any(span.low != 0.0 for span in spans[3:] if is_held(span)):
        return False
    if len(turning) > 1:
        return _is_sphere(settings)
    return not turning or away <= {*turning}


reversed_settings = lru_cache(maxsize=4096)(reversal.reversed_settings)


def _is_sphere(settings: JointSettings) -> bool:
    """Return whether distances from a point are all that a joint bounds or drives of places."""
    limits = [limit for limit in settings.limits if limit.linear_axes]
    return (
        bool(limits)
        and all(limit.together and set(limit.linear_axes) == set(AXES) for limit in limits)
        and not any(map(is_centred, limits))
        and not any(drive.type is Freedom.LINEAR for drive in settings.drives)
    )
