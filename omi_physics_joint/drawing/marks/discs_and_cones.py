# SPDX-License-Identifier: GPL-3.0-or-later
"""What bounds on several axes together leave: a disc, a sphere, a round cone, arcs, at true size.

A rigid bound is a solid line, one that gives way has a spring beside it. A lower bound is dashed:
the room begins there.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import pi, tau

import numpy as np

from ...model.joint import AXES
from ...model.settings.spans import Span, Spans
from ...model.settings.together import Together
from ..bounds import FARTHEST
from ..layout import Floats, arc_offsets
from ..strokes import Pen, Role, axis_role, sprung
from .turning import arc_angles
from .two_angles import draw_cone

SPRING = 0.06
"""Width of the spring along a bound that gives way, of its radius."""
SPOKE_DASHES = 11
CROSS = 0.08
"""Half the size of the mark in the middle, of the display size."""


def shared_spans(spans: Spans, together: Iterable[Together]) -> list[Span]:
    """Return what is bounded with others and not by itself."""
    named = {(one.freedom, axis) for one in together if _drawn(one.high) for axis in one.axes}
    return [span for span in spans if span.is_free and (span.freedom, span.axis) in named]


def draw_together(pen: Pen, one: Together, size: float) -> None:
    """Draw one bound, in the joint frame."""
    draw = {"cone": _draw_cone, "whole angle": _draw_whole}.get(one.kind, _draw_distance)
    for value, lower in ((one.high, False), (one.low, True)):
        if _drawn(value):
            draw(pen, one, value, size, lower=lower)


def _drawn(value: float) -> bool:
    return 0.0 < value <= FARTHEST


def _draw_distance(pen: Pen, one: Together, value: float, size: float, *, lower: bool) -> None:
    """Draw a disc about the line, or three circles of a sphere."""
    flat = len(one.axes) < len(AXES)
    for axis in (one.left_axis,) if flat else AXES:
        role = axis_role(axis) if flat else Role.BODY
        rim = arc_offsets(axis, arc_angles(0.0, tau), value)
        _rim(pen, rim, role, one, lower=lower)
        if not lower:
            tick = np.eye(3)[axis] * (size if flat else CROSS * size)
            pen.path([-tick, tick], role)
        if flat and not lower:
            pen.fan(np.zeros(3), rim, role)


def _draw_cone(pen: Pen, one: Together, value: float, size: float, *, lower: bool) -> None:
    """Draw where the axis of the connected frame may point: round, and true to its angle."""
    axis, angle = one.left_axis, min(value, pi)
    rim = arc_offsets(axis, arc_angles(0.0, tau), size * np.sin(angle))
    rim = rim + size * np.cos(angle) * np.eye(3)[axis]
    _rim(pen, rim, axis_role(axis), one, lower=lower)
    if not lower:
        draw_cone(pen, rim, axis_role(axis))


def _draw_whole(pen: Pen, one: Together, value: float, size: float, *, lower: bool) -> None:
    """Draw how far it may turn, or must, about each axis, if about no other."""
    for axis in AXES:
        if lower:
            for end in arc_offsets(axis, [-value, value], size):
                pen.dashed((np.zeros(3), end), SPOKE_DASHES, axis_role(axis), thick=True)
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
        pen.path(sprung(points, SPRING), role)
