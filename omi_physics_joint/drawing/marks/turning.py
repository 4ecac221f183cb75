# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint leaves of one turn: an arc with its ends, or a ring.

A rigid bound ends in a solid stop. A soft one has a dashed spoke, and goes on as a spring. Where
there is no bound, the arc is open: dashed, with an arrow; a free turn is a ring with arrows.
"""

from __future__ import annotations

from math import ceil, pi, tau

import numpy as np

from ...model.settings.spans import Span
from ..bounds import End, ends_of
from ..layout import Floats, arc_offsets
from ..strokes import Pen, axis_role, zigzag

STEP = pi / 36.0
"""Angle between two points of an arc in rad."""
OPEN = 1.5 * pi
"""How much is drawn of an arc that has only one end, in rad."""
SPRING = 0.30
"""Length of a spring beyond a soft bound in rad, unless a stop is nearer."""
STOP = 0.13
"""Half the size of a stop, of the display size."""
TEETH = 4


def draw_turn(pen: Pen, span: Span, size: float, *, alone: bool) -> None:
    """Draw what is left of the turn about one axis, in the joint frame, at a display radius in m.

    The only turn of a joint is thick, filled and has spokes.
    """
    axis, role = span.axis, axis_role(span.axis)
    along = np.eye(3)[axis] * size
    pen.dashed((-0.75 * along, 0.75 * along), 13, role)
    low, high = ends_of(span)
    if low.is_open and high.is_open:
        pen.path(arc_offsets(axis, arc_angles(0.0, tau), size), role, thick=alone)
        for at in (0.25 * pi, 1.25 * pi):
            _arrow_on_arc(pen, axis, at, 1.0, size)
            _arrow_on_arc(pen, axis, at - 0.3, -1.0, size)
        return
    if low.is_open or high.is_open:  # it leaves its one end and never arrives
        start, way = (low.at, 1.0) if high.is_open else (high.at, -1.0)
        last = start + way * OPEN
        pen.dashes(arc_offsets(axis, arc_angles(start, last), size), role, thick=True)
        _arrow_on_arc(pen, axis, last, way, size)
    elif high.at > low.at:
        whole = high.at - low.at >= tau
        angles = arc_angles(0.0, tau) if whole else arc_angles(low.at, high.at)
        rim = arc_offsets(axis, angles, size)
        pen.path(rim, role, thick=alone)
        if alone:
            pen.fan(np.zeros(3), rim, role)
    for end, way in ((low, -1.0), (high, 1.0)):
        if not end.is_open:
            _end(pen, axis, size, end, way, spoke=alone)


def arc_angles(start: float, end: float) -> Floats:
    """Return angles from one to another, both exactly, in even steps of at most ``STEP``."""
    return np.linspace(start, end, max(2, ceil(abs(end - start) / STEP) + 1))


def _arrow_on_arc(pen: Pen, axis: int, at: float, way: float, size: float) -> None:
    """Draw the head of an arrow along an arc of radius ``size``; ``way`` is 1 or -1."""
    barbs = arc_offsets(axis, [at - way * 0.11] * 2, np.array([0.93, 1.07]) * size)
    pen.barbs(barbs, arc_offsets(axis, at, size), axis_role(axis))


def _end(pen: Pen, axis: int, size: float, end: End, way: float, *, spoke: bool) -> None:
    role = axis_role(axis)
    bound = arc_offsets(axis, end.at, size)
    if not end.soft:
        if spoke:
            pen.path([np.zeros(3), bound], role)
        _stop(pen, axis, end.at, size)
        return
    if spoke:
        pen.dashed((np.zeros(3), bound), 11, role)
    aside = zigzag(TEETH)
    angles = end.at + way * min(SPRING, end.beyond) * np.linspace(0.0, 1.0, len(aside))
    pen.path(arc_offsets(axis, angles, size * (1.0 + 0.6 * STOP * aside)), role, thick=True)
    if end.beyond < pi:
        last = end.at + way * end.beyond
        pen.dashes(arc_offsets(axis, arc_angles(end.at, last), size), role)
        _stop(pen, axis, last, size)


def _stop(pen: Pen, axis: int, at: float, size: float) -> None:
    """Draw a solid stop: a cross that stands on the arc, so that it shows from every side."""
    role, up = axis_role(axis), STOP * size * np.eye(3)[axis]
    radii = size * np.array([1.0 - STOP, 1.0, 1.0 + STOP])
    inner, bound, outer = arc_offsets(axis, [at] * 3, radii)
    pen.path([inner, outer], role, thick=True)
    pen.path([bound - up, bound + up], role, thick=True)
