# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the soft limits of a joint have given way; the solver itself reports the rigid ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import hypot

from ...model.joint import Freedom, JointSettings, Limit


@dataclass(frozen=True, slots=True)
class GivenWay:
    """What soft limits let through in one pose."""

    separation: float = 0.0
    """Distance of the frames along softly locked axes, m."""
    misalignment: float = 0.0
    """Angle about softly locked axes, rad."""
    overshoot: float = 0.0
    """Largest excess over any soft bound, m or rad."""


def soft_limits(settings: JointSettings, held: Collection[Limit]) -> tuple[Limit, ...]:
    """Return the limits of a joint that give way when it is simulated: not those that are held."""
    return tuple(limit for limit in settings.limits if limit.is_soft and limit not in held)


def given_way(limits: Sequence[Limit], coordinates: Sequence[float]) -> GivenWay:
    """Return how far soft limits have given way.

    Args:
        limits: soft limits of one joint.
        coordinates: of the same joint: X Y Z in m, X Y Z in rad.
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
    return GivenWay(hypot(*off[Freedom.LINEAR]), hypot(*off[Freedom.ANGULAR]), overshoot)
