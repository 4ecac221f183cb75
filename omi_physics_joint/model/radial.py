# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds over several axes together, and what is left of them where each axis has its own.

A distance or an angle is never negative: a lower bound up to zero is none. The twist about axis i
is 2 atan2(q_i, w), so q_i = w tan(phi_i / 2). A cone of half angle a about k holds where
q_i^2 + q_j^2 <= sin^2(a / 2), and a whole angle a where q_i^2 + q_j^2 + q_k^2 <= sin^2(a / 2).
With n equal bounds b, and w^2 = 1 less all squares, the corner is at n t^2 / (1 + n t^2), t =
tan(b / 2); it touches where t = tan(a / 2) / sqrt(n).
"""

from __future__ import annotations

from dataclasses import replace
from math import atan, inf, pi, sqrt, tan

from .joint import Freedom, Limit

KINDS = {
    (Freedom.LINEAR, 2): "distance from a line",
    (Freedom.LINEAR, 3): "distance from a point",
    (Freedom.ANGULAR, 2): "cone",
    (Freedom.ANGULAR, 3): "whole angle",
}
"""What such a bound is on, by kind and number of axes."""


def plain(limit: Limit) -> Limit:
    """Return a limit on axes of one kind that are together only where that says something."""
    freedom = Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR
    if not limit.is_radial(freedom):
        return replace(limit, together=False) if limit.together else limit
    if limit.max == 0.0 and limit.min <= 0.0:
        return replace(limit, min=0.0, together=False)
    return replace(limit, min=-inf) if limit.min <= 0.0 else limit


def apart(limit: Limit) -> Limit:
    """Return the largest bounds of each axis by itself within such a limit, of one kind of axes.

    A lower bound cannot be kept: what is too near the middle is allowed then.
    """
    freedom = Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR
    count = len(limit.axes(freedom))
    if freedom is Freedom.LINEAR:
        most = limit.max / sqrt(count)
    elif limit.max >= pi:
        most = inf
    else:
        most = 2.0 * atan(tan(limit.max / 2.0) / sqrt(count))
    return replace(limit, min=-most, max=most, together=False)


def by_axis(limit: Limit, freedom: Freedom) -> Limit:
    """Return a limit as it bounds each of its axes of one kind by itself."""
    if limit.is_fixed or not limit.is_radial(freedom):
        return limit
    if freedom is Freedom.LINEAR:
        return apart(replace(limit, angular_axes=()))
    return apart(replace(limit, linear_axes=()))
