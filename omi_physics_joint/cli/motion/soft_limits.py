# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the soft limits of a joint have given way; the solver itself reports the rigid ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import hypot

from ...model.joint import Freedom, JointSettings, Limit


def soft_limits(settings: JointSettings, held: Collection[Limit]) -> tuple[Limit, ...]:
    """Return the limits of a joint that give way when it is simulated: not those that are held."""
    return tuple(limit for limit in settings.limits if limit.is_soft and limit not in held)


def given_way(limits: Sequence[Limit], coordinates: Sequence[float]) -> tuple[float, float, float]:
    """Return how far soft limits of one joint have given way at its coordinates, m and rad.

    That is the distance along softly locked axes in m, the angle about such axes in rad, and the
    largest excess over any soft bound in m or rad.
    """
    off = {Freedom.LINEAR: [0.0] * 3, Freedom.ANGULAR: [0.0] * 3}
    overshoot = 0.0
    for limit in limits:
        for freedom in Freedom:
            first = 0 if freedom is Freedom.LINEAR else 3
            for axis in limit.axes(freedom):
                value = float(coordinates[first + axis])
                excess = max(0.0, value - limit.max, limit.min - value)
                overshoot = max(overshoot, excess)
                if limit.is_lock:
                    off[freedom][axis] = max(off[freedom][axis], excess)
    return hypot(*off[Freedom.LINEAR]), hypot(*off[Freedom.ANGULAR]), overshoot
