# SPDX-License-Identifier: GPL-3.0-or-later
"""Which handles a joint has and where they are: its bounds, its targets, its frame.

Points and frames are in the axes of the model. Numbers are as the edited list spells them, whose
axes may be others: there a bound keeps its name while its axis, and with it its sign, changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import inf, isfinite, pi, radians

import numpy as np

from ...model.body import Vector3
from ...model.geometry.axes import AxisMap
from ...model.geometry.transform import Matrix, minus, translation_of
from ...model.joint import AXES, Freedom, JointSettings, Limit
from ...model.settings.together import MEASURES, is_centred, left_of
from ...model.wording.describe import sole_axis
from ..layout import arc_point, rail_point
from .picking import vector

TURN_RADIUS = 0.55
"""Radius of the arcs by which a frame is turned, in display radii of the joint."""
TURN_SPAN = (radians(20.0), radians(70.0))
"""Where those arcs begin and end, from the next axis on."""
TURN_CORNERS = 9


class Part(StrEnum):
    """What a handle is taken hold of for."""

    MIN = "min"
    MAX = "max"
    TARGET = "target"
    MOVE = "move"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Handle:
    """One number, or one way to move the frame."""

    part: Part
    index: int
    """Of the limit, or for a target of the drive; for the frame 0."""
    freedom: Freedom
    listed_axis: int
    """As the edited list names it."""
    axis: int
    """Of the frame, in the axes of the model."""
    sign: int = 1
    """Coordinate of the joint = sign times the listed number."""
    value: float = 0.0
    """The listed number in m or rad."""
    is_sole: bool = False
    """Whether the joint moves along or about this axis only, so that it needs no name."""
    together: tuple[int, ...] = ()
    """All listed axes of a bound that several have together; each of them has such a handle."""
    start: float = 0.0
    """Where on its axis the listed number is zero: of a cone, where the axis in it points."""

    @property
    def coordinate(self) -> float:
        """Where on its axis the joint reaches it, in m or rad."""
        return self.start + self.sign * self.value

    @property
    def measure(self) -> str:
        """What a bound on several axes together is on, see ``MEASURES``; empty for all others."""
        return MEASURES[self.freedom, len(self.together)] if self.together else ""

    @property
    def hue(self) -> int | None:
        """The listed axis whose colour it has; None where no axis is more than the others."""
        if len(self.together) == len(AXES):
            return None if self.freedom is Freedom.LINEAR else self.listed_axis
        return left_of(self.together) if self.together else self.listed_axis

    @property
    def name(self) -> tuple[str, int, int]:
        """What tells the handles of a joint apart, wherever they have been dragged."""
        return (self.part, self.index, self.listed_axis)


def handles_of(
    settings: JointSettings, axes: AxisMap, held: tuple[Part, int] | None = None
) -> tuple[Handle, ...]:
    """Return the handles of all finite bounds and targets.

    A lock has none, or welds would bristle with them, unless a single axis is held away from
    zero, as where its bounds were dragged together. What is being dragged keeps its handles.
    """
    found: list[Handle] = []
    sole = sole_axis(settings)
    for index, limit in enumerate(settings.limits):
        dragged = held[0] if held is not None and held[1] == index else None
        if not (_has_handles(limit) or dragged in (Part.MIN, Part.MAX)):
            continue
        for freedom in Freedom:
            if limit.is_together(freedom):
                found += _bounds_together(limit, freedom, index, axes, dragged)
            else:
                found += _bounds(limit, freedom, index, axes, sole)
    for index, drive in enumerate(settings.drives):
        axis, target = drive.axis, drive.position_target
        if target is not None:
            where = (drive.type, axis, axes.axis[axis], axes.sign[axis])
            found.append(Handle(Part.TARGET, index, *where, target, axis == sole))
    return tuple(found)


def frame_handles(axes: AxisMap) -> tuple[Handle, ...]:
    """Return the handles that move the joint as a whole: along the view, and about each axis."""
    return (
        Handle(Part.MOVE, 0, Freedom.LINEAR, 0, 0),
        *(Handle(Part.TURN, 0, Freedom.ANGULAR, a, axes.axis[a], axes.sign[a]) for a in AXES),
    )


def chosen(handles: Iterable[Handle], part: str, index: int, listed_axis: int) -> Handle | None:
    """Return the handle that is named by what identifies it; None where there is none."""
    return next((one for one in handles if one.name == (part, index, listed_axis)), None)


def _has_handles(limit: Limit) -> bool:
    if any(map(limit.is_together, Freedom)):
        return not (limit.is_lock and is_centred(limit))
    single = len(limit.linear_axes) + len(limit.angular_axes) == 1
    return not limit.is_lock or (single and not limit.is_fixed)


def _bounds(
    limit: Limit, freedom: Freedom, index: int, axes: AxisMap, sole: int | None
) -> Iterator[Handle]:
    for axis in limit.axes(freedom):
        for part, value in ((Part.MIN, limit.min), (Part.MAX, limit.max)):
            if isfinite(value):
                new, sign = axes.axis[axis], axes.sign[axis]
                yield Handle(part, index, freedom, axis, new, sign, value, axis == sole)


def _bounds_together(
    limit: Limit, freedom: Freedom, index: int, axes: AxisMap, dragged: Part | None
) -> Iterator[Handle]:
    """Yield handles on each axis of a disc, a sphere or a whole angle, and on the rim of a cone.

    A minimum up to zero bounds nothing, so it has none.
    """
    listed = tuple(sorted(set(limit.axes(freedom))))
    for part, value in ((Part.MIN, limit.min), (Part.MAX, limit.max)):
        if not isfinite(value) or (part is Part.MIN and value <= 0.0 and part is not dragged):
            continue
        for number, axis in enumerate(listed):
            about, sign, start = axes.axis[axis], axes.sign[axis], 0.0
            if freedom is Freedom.ANGULAR and len(listed) < len(AXES):
                # On the rim of a cone one leans to the axis after the cone's, one to the last.
                last = (axes.axis[left_of(listed)] + 2) % 3
                about, sign, start = ((last + 2) % 3, -1, pi / 2.0) if number else (last, 1, 0.0)
            yield Handle(part, index, freedom, axis, about, sign, value, False, listed, start)


def place_of(handle: Handle, frame: Matrix, size: float) -> Vector3:
    """Return where a handle is: of a joint with a rigid frame, and a display radius in m."""
    if handle.part is Part.MOVE:
        return translation_of(frame)
    if handle.part is Part.TURN:
        return arc_of(handle, frame, size)[TURN_CORNERS // 2]
    if handle.freedom is Freedom.ANGULAR:
        return vector(arc_point(frame, handle.axis, handle.coordinate, size))
    return vector(rail_point(frame, handle.axis, handle.coordinate))


def arc_of(handle: Handle, frame: Matrix, size: float) -> tuple[Vector3, ...]:
    """Return the corners of the arc by which the frame is turned."""
    angles = np.linspace(*TURN_SPAN, TURN_CORNERS)
    return tuple(map(vector, arc_point(frame, handle.axis, angles, TURN_RADIUS * size)))


def inward_of(handle: Handle, frame: Matrix) -> Vector3:
    """Return the direction in which a bound leaves room; of a target the growing one."""
    way = -handle.sign if handle.part is Part.MAX else handle.sign
    if handle.freedom is Freedom.LINEAR:
        ahead = rail_point(frame, handle.axis, way)
    else:
        ahead = arc_point(frame, handle.axis, handle.coordinate + way * pi / 2.0, 1.0)
    return minus(vector(ahead), translation_of(frame))


def room_of(part: Part, low: float, high: float) -> tuple[float, float]:
    """Return between which numbers a handle may be dragged: a bound not past the other one."""
    return (low if part is Part.MAX else -inf), (high if part is Part.MIN else inf)


def sense_of(handle: Handle) -> tuple[float, float]:
    """Return between which numbers a bound makes sense: no distance is below zero."""
    if not handle.together:
        return -inf, inf
    return 0.0, pi if handle.freedom is Freedom.ANGULAR else inf


def mirror_room(part: Part) -> tuple[float, float]:
    """Return where a bound may be while the other one mirrors it."""
    return (-inf, 0.0) if part is Part.MIN else (0.0, inf)
