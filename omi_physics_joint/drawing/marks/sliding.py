# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint leaves of sliding: a rail, a rectangle or a box, at true length.

A rigid bound ends in a plate. A soft one ends in a spring. Where there is no bound, the rail goes
on in dashes and ends in an arrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import isfinite

import numpy as np

from ...model.joint import AXES
from ...model.settings.spans import Span, Spans
from ..bounds import End, ends_of, is_held
from ..layout import Floats, directions, rail_offsets
from ..strokes import Pen, Role, axis_role, zigzag

REACH = 1.5
"""How far an open rail is drawn, of the display size."""
PLATE = 0.14
"""Half the size of an end plate, of the display size."""
SPRING = 0.35
"""Length of a spring beyond a soft bound, of the display size, unless a stop is nearer."""
TEETH = 4
FEW = 0.55
"""Size of the ends of rails in a box, against the ends of a single rail."""
DASHES = 11


def draw_slides(pen: Pen, linear: Spans, size: float, shared: Sequence[Span]) -> None:
    """Draw what is left of the three distances of a joint, in the joint frame.

    Of spans that are ``shared`` only others' bounds say something, see ``discs_and_cones``.
    """
    moving = [span for span in linear if not is_held(span) and span not in shared]
    for span in moving:
        _rail(pen, span, size, thick=len(moving) == 1)
    if len(moving) > 1:
        _box(pen, linear, [span.axis for span in moving], size)


def drawn_range(span: Span, size: float) -> tuple[float, float]:
    """Return from where to where a rail is drawn in m: its bounds, or some way where it is open."""
    low, high = ends_of(span)
    start = low.at if not low.is_open else min(0.0, high.at) - REACH * size
    end = high.at if not high.is_open else max(0.0, low.at) + REACH * size
    return start, end


def _rail(pen: Pen, span: Span, size: float, *, thick: bool) -> None:
    axis, (low, high) = span.axis, ends_of(span)
    start, end = drawn_range(span, size)
    is_open = low.is_open or high.is_open
    _edge(pen, rail_offsets(axis, [start, end]), axis_role(axis), is_open=is_open, thick=thick)
    marks = size if thick else FEW * size
    for bound, at, way in ((low, start, -1.0), (high, end, 1.0)):
        if bound.is_open:
            _arrow(pen, axis, at, way, marks)
        elif bound.soft:
            _spring(pen, axis, bound, way, marks)
        else:
            _plate(pen, axis, at, marks)


def _edge(pen: Pen, ends: Floats, role: Role, *, is_open: bool, thick: bool = True) -> None:
    """Draw a line that is dashed if it goes on beyond."""
    if is_open:
        pen.dashed(ends, 2 * DASHES - 1, role, thick=thick)
    else:
        pen.path(ends, role, thick=thick)


def _arrow(pen: Pen, axis: int, at: float, way: float, size: float) -> None:
    tip, back = rail_offsets(axis, [at, at - way * 0.16 * size])
    sides = 0.08 * size * directions(axis)[1:]
    pen.barbs([back + sign * side for side in sides for sign in (1, -1)], tip, axis_role(axis))


def _plate(pen: Pen, axis: int, at: float, size: float) -> None:
    role = axis_role(axis)
    _, u, w = PLATE * size * directions(axis)
    a, b, c, d = rail_offsets(axis, at) + np.array((u + w, w - u, -u - w, u - w))
    pen.path([a, b, c, d, a], role, thick=True)
    pen.path([a, c], role)
    pen.path([b, d], role)
    pen.fan(a, [b, c, d], role)


def _spring(pen: Pen, axis: int, end: End, way: float, size: float) -> None:
    role, aside = axis_role(axis), zigzag(TEETH)
    room = min(SPRING * size, end.beyond)
    values = end.at + way * room * np.linspace(0.0, 1.0, len(aside))
    for side in directions(axis)[1:]:
        points = rail_offsets(axis, values) + 0.7 * PLATE * size * aside[:, None] * side
        pen.path(points, role, thick=True)
    if isfinite(end.beyond):
        last = end.at + way * end.beyond
        pen.dashed(rail_offsets(axis, [end.at, last]), DASHES, role)
        _plate(pen, axis, last, size)


def _box(pen: Pen, linear: Spans, moving: Sequence[int], size: float) -> None:
    """Draw the edges of the room; edges that lie at an open end are none."""
    ends = [ends_of(span) for span in linear]
    ranges = np.array([drawn_range(span, size) for span in linear])
    held = np.where([is_held(span) for span in linear], ranges[:, 0], 0.0)
    for axis in moving:
        others = [other for other in moving if other != axis]
        is_open = any(end.is_open for end in ends[axis])
        for sides in product((0, 1), repeat=len(others)):
            if any(ends[other][side].is_open for other, side in zip(others, sides, strict=True)):
                continue
            edge = np.stack((held, held))
            edge[:, axis] = ranges[axis]
            edge[:, others] = ranges[others, sides]
            _edge(pen, edge, Role.BODY, is_open=is_open)
    for axis in AXES:
        # The faces across one axis: at both its bounds, or where it is held.
        others = [other for other in moving if other != axis]
        if len(others) != 2 or any(end.is_open for other in others for end in ends[other]):
            continue
        bounds = [end.at for end in ends[axis] if not end.is_open]
        for place in bounds if axis in moving else [held[axis]]:
            corners = np.full((4, 3), place)
            corners[:, others[0]] = ranges[others[0], [0, 1, 1, 0]]
            corners[:, others[1]] = ranges[others[1], [0, 0, 1, 1]]
            pen.fan(corners[0], corners[1:], Role.BODY)
