# SPDX-License-Identifier: GPL-3.0-or-later
"""From which side a joint is drawn: its value runs the other way, seen from the connected frame.

The value is the pose of the connected frame in the joint frame. Where the body of the joint frame
is the one that moves, the user sees it move the other way, against a connected frame that stands
still. Such a joint is drawn in the connected frame with bounds, targets and values reversed, where
that says exactly the same.
"""

from __future__ import annotations

from functools import lru_cache

from ..model.joint import AXES, Freedom, JointSettings
from ..model.settings import reversal
from ..model.settings.spans import spans_of
from ..model.settings.together import is_centred
from .bounds import is_held


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
