# SPDX-License-Identifier: GPL-3.0-or-later
"""From which side a joint is drawn: its value runs the other way, seen from the connected frame.

The value is the pose of the connected frame in the joint frame. Where the body of the joint frame
is the one that moves, the user sees it move the other way, against a connected frame that stands
still. Such a joint is drawn in the connected frame with bounds, targets and values reversed, where
that says exactly the same.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ..model.joint import AXES, Freedom, JointSettings, Limit, on_axes
from ..model.settings.radial import is_centred
from ..model.settings.spans import Span, spans_of
from .bounds import is_held


@lru_cache(maxsize=4096)
def has_two_sides(settings: JointSettings) -> bool:
    """Return whether a joint can be drawn in its connected frame: whether reversing is exact.

    It is where nothing turns, where one axis turns and at most that axis slides, and where nothing
    but the distance from a point counts of where the bodies are.
    """
    spans = spans_of(settings.limits)
    turning = [span.axis for span in spans[3:] if not is_held(span)]
    if any(span.low != 0.0 for span in spans[3:] if is_held(span)):
        return False
    if len(turning) > 1:
        return _is_sphere(settings)
    return not turning or all(_is_fixed(span) for span in spans[:3] if span.axis != turning[0])


@lru_cache(maxsize=4096)
def reversed_settings(settings: JointSettings) -> JointSettings:
    """Return settings whose values are those of the given ones with the other sign."""
    limits = (one for limit in settings.limits for one in _reversed(limit))
    drives = (
        replace(
            drive,
            position_target=_negated(drive.position_target),
            velocity_target=_negated(drive.velocity_target),
        )
        for drive in settings.drives
    )
    return replace(settings, limits=tuple(limits), drives=tuple(drives))


def _reversed(limit: Limit) -> list[Limit]:
    """Return a limit on values with the other sign; what is on several axes together has none."""
    if not limit.together:
        return [replace(limit, min=0.0 - limit.max, max=0.0 - limit.min)]
    parts = [on_axes(limit, freedom, limit.axes(freedom)) for freedom in Freedom]
    return [
        part
        if any(map(part.is_radial, Freedom))
        else replace(part, min=0.0 - part.max, max=0.0 - part.min)
        for part in parts
        if part.linear_axes or part.angular_axes
    ]


def _is_sphere(settings: JointSettings) -> bool:
    """Return whether distances from a point are all that a joint bounds or drives of places."""
    limits = [limit for limit in settings.limits if limit.linear_axes]
    return (
        bool(limits)
        and all(limit.together and set(limit.linear_axes) == set(AXES) for limit in limits)
        and not any(map(is_centred, limits))
        and not any(drive.type is Freedom.LINEAR for drive in settings.drives)
    )


def _is_fixed(span: Span) -> bool:
    return is_held(span) and span.low == 0.0


def _negated(value: float | None) -> float | None:
    return None if value is None else 0.0 - value
