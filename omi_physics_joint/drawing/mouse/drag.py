# SPDX-License-Identifier: GPL-3.0-or-later
"""From the way of the mouse to a number or a place: absolute where the view allows, never a jump.

A drag goes by differences: where it begins does not matter, a finer step changes nothing at once,
and turns add up. Seen edge-on an angle has no place on the screen, and seen end-on a distance has
none; there the mouse moves them by its way in pixels. Numbers snap to steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, copysign, floor, hypot, log10, radians

from ...model.body import ZERO, Vector3
from ...model.geometry.transform import Matrix, cross, dot, minus, normalized, translation_of
from ...model.joint import Freedom
from .picking import Pixel, View, along, angle_about, axis_of, distance_along, on_plane, wrapped

STEP_PIXELS = 8.0
"""A step that distances snap to is at least that long."""
SMALLEST_STEP = 1e-6
"""In the unit that is shown."""


def snapped(value: float, step: float) -> float:
    """Return the nearest multiple of a step, never -0.0."""
    return floor(value / step + 0.5) * step + 0.0


def clamped(value: float, low: float, high: float) -> float:
    """Return a number within bounds; the upper one wins where they contradict."""
    return min(max(value, low), high)


def step_of(
    freedom: Freedom, pixel_size: float, *, snap: bool, fine: bool, unit: float = 1.0
) -> float:
    """Return what numbers are multiples of: visibly while snapping, else so that they are tidy.

    Angles snap to 5 degrees, finely to 1. Distances snap to a power of ten of the ``unit`` (m) that
    is shown, finely to a tenth of it: one that can be seen where a pixel covers ``pixel_size`` m.
    """
    if freedom is Freedom.ANGULAR:
        degrees = (1.0 if fine else 5.0) if snap else (0.01 if fine else 0.1)
        return radians(degrees)
    pixels = STEP_PIXELS if snap else 1.0
    exponent = log10(max(pixels * pixel_size / unit, SMALLEST_STEP))
    power = ceil(exponent - 1e-9) if snap else floor(exponent + 1e-9)
    return unit * 10.0 ** (power - 1 if fine else power)


EDGE_ON = 0.15
"""Sine of the angle between view and plane, or view and line, below which pixels count."""
FINE = 0.1
"""How much slower a fine drag is."""


class AxisDrag:
    """Drags a coordinate about or along one axis of a frame."""

    def __init__(self, freedom: Freedom, frame: Matrix, axis: int, arm: Vector3) -> None:
        """Take hold of an angle or a distance, of a rigid frame (world from frame) that stays.

        The arm reaches from the axis to what is taken hold of, in m; its length is what a turn by
        one radian is on the screen where it is seen edge-on.
        """
        self.freedom, self.frame, self.axis, self.arm = freedom, frame, axis, arm
        self._view: View | None = None
        self._mouse: Pixel = (0.0, 0.0)
        self._last: float | None = None
        self._per_pixel: Pixel | None = None

    def moved(self, view: View, mouse: Pixel) -> float:
        """Return by how much the coordinate has changed since the last call; 0 at the first.

        A view that changes starts anew, so that looking around while dragging moves nothing.
        """
        (x, y), self._mouse = self._mouse, mouse
        if view != self._view:
            self._view, self._per_pixel = view, self._rate(view)
            self._last = self._pointed(view, mouse)
            return 0.0
        if self._per_pixel is not None:
            return (mouse[0] - x) * self._per_pixel[0] + (mouse[1] - y) * self._per_pixel[1]
        new, last = self._pointed(view, mouse), self._last
        if new is None:
            return 0.0
        self._last = new
        if last is None:
            return 0.0
        return wrapped(new - last) if self.freedom is Freedom.ANGULAR else new - last

    def _pointed(self, view: View, mouse: Pixel) -> float | None:
        reading = angle_about if self.freedom is Freedom.ANGULAR else distance_along
        return reading(self.frame, self.axis, view.ray(mouse))

    def _rate(self, view: View) -> Pixel | None:
        """Return the change per pixel where the view is too flat to point; None where it is not."""
        origin, axis = translation_of(self.frame), axis_of(self.frame, self.axis)
        ahead = view.towards(origin)
        cosine = dot(axis, ahead)
        if self.freedom is Freedom.LINEAR:
            if hypot(*cross(axis, ahead)) >= EDGE_ON:
                return None
            return (0.0, copysign(view.pixel_size(origin), cosine))
        if abs(cosine) >= EDGE_ON:
            return None
        # The near side of a circle seen edge-on follows the mouse. What is taken hold of on the far
        # side follows as well, so there it is the other way round.
        radius = hypot(*self.arm)
        far = dot(self.arm, ahead) > EDGE_ON * radius
        way = normalized(cross(axis, ahead) if far else cross(ahead, axis))
        start, end = view.pixel(origin), view.pixel(along(origin, way, radius))
        if start is None or end is None or start == end:
            return (0.0, 0.0)
        x, y = end[0] - start[0], end[1] - start[1]
        square = x * x + y * y
        return (x / square, y / square)


class PlaneDrag:
    """Drags a point across the view."""

    def __init__(self, point: Vector3) -> None:
        """Take hold of a point of the world."""
        self.point = point
        self._view: View | None = None
        self._last: Vector3 | None = None

    def moved(self, view: View, mouse: Pixel) -> Vector3:
        """Return by how much the point has moved since the last call, in m; 0 at the first."""
        last = self._last if view == self._view else None
        new = on_plane(self.point, view.towards(self.point), view.ray(mouse))
        self._view, self._last = view, new
        return ZERO if new is None or last is None else minus(new, last)


@dataclass(slots=True)
class Travel:
    """Adds up a number while it is dragged: what the mouse says, and what becomes of it."""

    raw: float
    """What the mouse says, beyond all bounds, so that it is found again on the way back."""

    def add(self, change: float, *, fine: bool) -> None:
        """Go on by a change."""
        self.raw += change * FINE if fine else change

    def value(self, step: float) -> float:
        """Return the number as a multiple of a step."""
        return snapped(self.raw, step)


def is_edge_on(view: View, a: Vector3, b: Vector3, c: Vector3) -> bool:
    """Return whether the plane of three points is seen too flat to point at."""
    across = normalized(cross(minus(b, a), minus(c, a)))
    return abs(dot(across, view.towards(b))) < EDGE_ON
