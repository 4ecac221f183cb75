# SPDX-License-Identifier: GPL-3.0-or-later
"""What bounds on several axes together leave: a disc, a sphere, a round cone, arcs, at true size.

A rigid bound is a solid line, one that gives way has a spring beside it. A lower bound is dashed:
the room begins there.

Where two turns have bounds by themselves, an axis of the connected frame may point into a cone that
is no circle: its rim is the image of the rectangle of both angles, point by point.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import pi, tau

import numpy as np
from numpy.typing import ArrayLike

from ...model.joint import AXES
from ...model.settings.spans import Span, Spans
from ...model.settings.together import Together
from ..bounds import FARTHEST, ends_of, is_held
from ..layout import Floats, arc_offsets
from ..strokes import Pen, Role, axis_role, sprung
from .turning import arc_angles

RIBS = 8
SIDE_SPRING = 0.09
"""Width of the spring along a soft side, of the display size."""


def swing_axis(angular: Spans) -> int | None:
    """Return the axis of the connected frame whose directions form a cone, None if none does.

    With one angle held it is that axis, and the cone is exact. With all three free it is Z, and the
    cone is where Z points while the angle about Z itself is zero: with another one, the same angles
    about X and Y are another direction. At half a turn the two no longer say where it points.
    """
    held = [axis for axis in AXES if is_held(angular[axis])]
    if len(held) > 1:
        return None
    pointing = held[0] if held else 2
    for axis in AXES:
        low, high = ends_of(angular[axis])
        if axis != pointing and not (-pi < low.at < high.at < pi):
            return None
    return pointing


def direction(axis: int, x: ArrayLike, y: ArrayLike, z: ArrayLike) -> Floats:
    """Return one axis of the frames that have three angles, in rad of one shape; (..., 3).

    The tangents t of half the angles are v / s of the quaternion, so the axis a goes to
    a + 2 (t x a + t x (t x a)) / (1 + t^2).
    """
    t = np.tan(0.5 * np.stack(np.broadcast_arrays(x, y, z), axis=-1))
    pointing = np.eye(3)[axis]
    across = np.cross(t, pointing)
    factor = 2.0 / (1.0 + (t * t).sum(-1, keepdims=True))
    return np.asarray(pointing + factor * (across + np.cross(t, across)))


def sides(angular: Spans, pointing: int) -> list[tuple[Floats, bool]]:
    """Return the four sides of the cone's rim on the unit sphere, each (n, 3), and which are soft.

    They follow each other round the rim.
    """
    first, second = (axis for axis in AXES if axis != pointing)
    (a0, a1), (b0, b1) = ends_of(angular[first]), ends_of(angular[second])
    a, b = arc_angles(a0.at, a1.at), arc_angles(b0.at, b1.at)
    held = angular[pointing].low if is_held(angular[pointing]) else 0.0

    angles: dict[int, Floats | float] = {pointing: held}
    edges = ((a, b0.at, b0), (a1.at, b, a1), (a[::-1], b1.at, b1), (a0.at, b[::-1], a0))
    found = []
    for along_first, along_second, end in edges:
        angles |= {first: along_first, second: along_second}
        found.append((direction(pointing, *(angles[axis] for axis in AXES)), end.soft))
    return found


def draw_swing(pen: Pen, angular: Spans, pointing: int, size: float) -> None:
    """Draw the cone: its rim, some ribs, its surface; along a side that gives way runs a spring."""
    role = axis_role(pointing)
    around = sides(angular, pointing)
    for edge, soft in around:
        pen.path(size * edge, role, thick=True)
        if soft:
            pen.path(size * sprung(edge, SIDE_SPRING), role)
    draw_cone(pen, size * np.concatenate([edge for edge, _ in around]), role)


def draw_cone(pen: Pen, rim: Floats, role: Role) -> None:
    """Draw the ribs and the surface of a cone from the origin to a rim, (n, 3) m."""
    for index in np.linspace(0, len(rim) - 1, RIBS, endpoint=False).astype(int):
        pen.path([np.zeros(3), rim[index]], role)
    pen.fan(np.zeros(3), rim, role)


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
