# SPDX-License-Identifier: GPL-3.0-or-later
"""What bounds on several axes together leave: a disc, a sphere, a round cone, arcs, at true size.

A rigid bound is a solid line, one that gives way has a spring beside it. A lower bound is dashed:
the room begins there.
"""

from __future__ import annotations

from math import isfinite, pi, tau

import numpy as np

from ...model.joint import AXES, Freedom, JointSettings
from ...model.settings.radial import Together, together_in
from ...model.settings.spans import Spans
from ..bounds import FARTHEST
from ..layout import Floats, arc_offsets
from ..strokes import Pen, Role, axis_role, line_points
from .turning import arc_angles

RIBS = 8
SPRING = 0.06
"""Width of the spring along a bound that gives way, of its radius."""
SPOKE_DASHES = 11
CROSS = 0.08
"""Half the size of the mark in the middle, of the display size."""


def bounded_axes(
    spans: Spans, together: tuple[Together, ...]
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the axes, linear and angular, that are bounded with others and not by themselves."""
    found: dict[Freedom, set[int]] = {freedom: set() for freedom in Freedom}
    for one in together:
        if _drawn(one.high):
            found[one.freedom] |= set(one.axes)
    return (
        frozenset(span.axis for span in spans[:3] if span.is_free) & found[Freedom.LINEAR],
        frozenset(span.axis for span in spans[3:] if span.is_free) & found[Freedom.ANGULAR],
    )


def is_marked_as_one(one: Together) -> bool:
    """Return whether a pose is shown by one mark: of a whole angle, each axis has its arc."""
    return one.freedom is Freedom.LINEAR or len(one.axes) < len(AXES)


def cone_axis(settings: JointSettings) -> int | None:
    """Return the axis of the connected frame that points into a round cone, None if none does."""
    for one in together_in(settings.limits):
        if one.freedom is Freedom.ANGULAR and len(one.axes) < len(AXES):
            return one.left_axis
    return None


def draw_together(pen: Pen, one: Together, size: float) -> None:
    """Draw one bound, in the joint frame."""
    for value, lower in ((one.high, False), (one.low, True)):
        if not _drawn(value):
            continue
        if one.freedom is Freedom.LINEAR:
            _draw_distance(pen, one, value, size, lower=lower)
        elif len(one.axes) < len(AXES):
            _draw_cone(pen, one, value, size, lower=lower)
        else:
            _draw_whole(pen, one, value, size, lower=lower)


def _drawn(value: float) -> bool:
    return isfinite(value) and 0.0 < value <= FARTHEST


def _draw_distance(pen: Pen, one: Together, value: float, size: float, *, lower: bool) -> None:
    """Draw a disc about the line, or three circles of a sphere."""
    flat = len(one.axes) < len(AXES)
    middle = CROSS * size
    for axis in (one.left_axis,) if flat else AXES:
        rim = arc_offsets(axis, arc_angles(0.0, tau), value)
        _rim(pen, rim, axis_role(axis) if flat else Role.BODY, one, lower=lower)
        if not lower:
            tick = np.eye(3)[axis] * (size if flat else middle)
            pen.path([-tick, tick], axis_role(axis) if flat else Role.BODY)
    if flat and not lower:
        pen.fan(np.zeros(3), rim, axis_role(one.left_axis))


def _draw_cone(pen: Pen, one: Together, value: float, size: float, *, lower: bool) -> None:
    """Draw where the axis of the connected frame may point: round, and true to its angle."""
    axis, angle = one.left_axis, min(value, pi)
    role = axis_role(axis)
    rim = arc_offsets(axis, arc_angles(0.0, tau), size * np.sin(angle))
    rim = rim + size * np.cos(angle) * np.eye(3)[axis]
    _rim(pen, rim, role, one, lower=lower)
    if lower:
        return
    for index in np.linspace(0, len(rim) - 1, RIBS, endpoint=False).astype(int):
        pen.path([np.zeros(3), rim[index]], role)
    pen.fan(np.zeros(3), rim, role)


def _draw_whole(pen: Pen, one: Together, value: float, size: float, *, lower: bool) -> None:
    """Draw how far it may turn, or must, about each axis, if about no other."""
    for axis in AXES:
        if lower:
            for end in arc_offsets(axis, [-value, value], size):
                pen.dashes(line_points(np.zeros(3), end, SPOKE_DASHES), axis_role(axis), thick=True)
            continue
        arc = arc_offsets(axis, arc_angles(-value, value), size)
        _rim(pen, arc, axis_role(axis), one, lower=False)
        pen.fan(np.zeros(3), arc, axis_role(axis))


def _rim(pen: Pen, points: Floats, role: Role, one: Together, *, lower: bool) -> None:
    if lower:
        pen.dashes(points, role, thick=True)
        return
    pen.path(points, role, thick=True)
    if one.limit.is_soft:
        aside = np.ones(len(points))
        aside[1::2] += SPRING
        pen.path(aside[:, None] * points, role)
