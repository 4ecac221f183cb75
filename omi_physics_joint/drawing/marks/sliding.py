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
from ..layout import Floats, rail_offsets
from ..strokes import Pen, Role, axis_role, line_points, zigzag

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


def draw_slides(
    pen: Pen, linear: Spans, size: float, bounded: frozenset[int] = frozenset()
) -> None:
    """Draw what is left of the three distances of a joint, in the joint frame.

    Args:
        pen: takes the strokes.
        linear: the three spans.
        size: display radius in m.
        bounded: axes of which only others' bounds say something, see ``radial_room``.
    """
    moving = [span for span in linear if not is_held(span) and span.axis not in bounded]
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
    axis, role = span.axis, axis_role(span.axis)
    low, high = ends_of(span)
    start, end = drawn_range(span, size)
    if low.is_open or high.is_open:
        ends = rail_offsets(axis, [start, end])
        pen.dashes(line_points(ends[0], ends[1], 2 * DASHES - 1), role, thick=thick)
    else:
        pen.path(rail_offsets(axis, [start, end]), role, thick=thick)
    marks = size if thick else FEW * size
    for bound, at, way in ((low, start, -1.0), (high, end, 1.0)):
        if bound.is_open:
            _arrow(pen, axis, at, way, marks)
        elif bound.soft:
            _spring(pen, axis, bound, way, marks)
        else:
            _plate(pen, axis, at, marks)


def _sides(axis: int) -> tuple[Floats, Floats]:
    return np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]


def _arrow(pen: Pen, axis: int, at: float, way: float, size: float) -> None:
    tip, back = rail_offsets(axis, [at, at - way * 0.16 * size])
    for side in _sides(axis):
        for barb in (0.08 * size * side, -0.08 * size * side):
            pen.path([back + barb, tip], axis_role(axis), thick=True)


def _plate(pen: Pen, axis: int, at: float, size: float) -> None:
    u, w = _sides(axis)
    middle, half = rail_offsets(axis, at), PLATE * size
    corners = [middle + half * (i * u + j * w) for i, j in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    pen.path([*corners, corners[0]], axis_role(axis), thick=True)
    pen.path([corners[0], corners[2]], axis_role(axis))
    pen.path([corners[1], corners[3]], axis_role(axis))
    pen.fan(corners[0], corners[1:], axis_role(axis))


def _spring(pen: Pen, axis: int, end: End, way: float, size: float) -> None:
    role = axis_role(axis)
    room = min(SPRING * size, end.beyond)
    aside = zigzag(TEETH)
    values = end.at + way * room * np.linspace(0.0, 1.0, len(aside))
    for side in _sides(axis):
        points = rail_offsets(axis, values) + 0.7 * PLATE * size * aside[:, None] * side
        pen.path(points, role, thick=True)
    if isfinite(end.beyond):
        last = end.at + way * end.beyond
        gap = rail_offsets(axis, [end.at, last])
        pen.dashes(line_points(gap[0], gap[1], DASHES), role)
        _plate(pen, axis, last, size)


def _box(pen: Pen, linear: Spans, moving: Sequence[int], size: float) -> None:
    """Draw the edges of the room; edges that lie at an open end are none."""
    ends = [ends_of(span) for span in linear]
    ranges = [drawn_range(span, size) for span in linear]
    held = np.array(
        [
            low if is_held(span) and isfinite(low) else 0.0
            for span, (low, _) in zip(linear, ranges, strict=True)
        ]
    )
    for axis in moving:
        others = [other for other in moving if other != axis]
        open_along = ends[axis][0].is_open or ends[axis][1].is_open
        for sides in product((0, 1), repeat=len(others)):
            if any(ends[other][side].is_open for other, side in zip(others, sides, strict=True)):
                continue
            edge = np.stack((held, held))
            edge[:, axis] = ranges[axis]
            for other, side in zip(others, sides, strict=True):
                edge[:, other] = ranges[other][side]
            if open_along:
                pen.dashes(line_points(edge[0], edge[1], 2 * DASHES - 1), Role.BODY, thick=True)
            else:
                pen.path(edge, Role.BODY, thick=True)
    for axis in AXES:
        _face(pen, axis, ends, ranges, held, moving)


def _face(
    pen: Pen,
    axis: int,
    ends: Sequence[tuple[End, End]],
    ranges: Sequence[tuple[float, float]],
    held: Floats,
    moving: Sequence[int],
) -> None:
    """Fill the faces across one axis: at both its bounds, or where it is held."""
    others = [other for other in moving if other != axis]
    if len(others) != 2 or any(end.is_open for other in others for end in ends[other]):
        return
    places = [held[axis]]
    if axis in moving:
        places = [end.at for end in ends[axis] if not end.is_open]
    for place in places:
        corners = np.empty((4, 3))
        corners[:, axis] = place
        corners[:, others[0]] = np.array(ranges[others[0]])[[0, 1, 1, 0]]
        corners[:, others[1]] = np.array(ranges[others[1]])[[0, 0, 1, 1]]
        pen.fan(corners[0], corners[1:], Role.BODY)
