# SPDX-License-Identifier: GPL-3.0-or-later
"""What the mouse points at: rays, angles about an axis, distances along one, the nearest handle.

Points are in m in the axes of the model. Pixels have their origin at the bottom left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import atan2, dist, hypot, inf, remainder, tau
from typing import Any

import numpy as np
import numpy.typing as npt

from ...model.body import Vector3
from ...model.geometry.transform import Matrix, dot, minus, normalized, translation_of

Pixel = tuple[float, float]

PARALLEL = 1e-9
"""Sine to a plane, and square of the sine to a line, below which a ray has no crossing with it."""


@dataclass(frozen=True, slots=True)
class Ray:
    """What lies behind one pixel."""

    origin: Vector3
    direction: Vector3
    """Away from the viewer, at length one."""


@dataclass(frozen=True)
class View:
    """A camera: from points to pixels and back."""

    matrix: Matrix
    """Clip space from the world; perspective or orthographic."""
    width: float
    """Of the region in pixels."""
    height: float

    @cached_property
    def _world_from_clip(self) -> npt.NDArray[np.float64]:
        return np.asarray(np.linalg.inv(np.array(self.matrix)), dtype=np.float64)

    def pixel(self, point: Vector3) -> Pixel | None:
        """Return where a point is seen; None behind the viewer."""
        x, y, _, w = (row[3] + dot(row, point) for row in self.matrix)
        if w <= 0.0:
            return None
        return ((x / w + 1.0) * self.width / 2.0, (y / w + 1.0) * self.height / 2.0)

    def ray(self, pixel: Pixel) -> Ray:
        """Return the ray through a pixel, from the near plane of the camera."""
        x, y = 2.0 * pixel[0] / self.width - 1.0, 2.0 * pixel[1] / self.height - 1.0
        # The middle of clip space lies not far behind the near plane, where depth is precise.
        near, behind = (self._world_from_clip @ (x, y, depth, 1.0) for depth in (-1.0, 0.0))
        a, b = near[:3] / near[3], behind[:3] / behind[3]
        return Ray(vector(a), normalized(vector(b - a)))

    def towards(self, point: Vector3) -> Vector3:
        """Return the direction in which the viewer looks at a point."""
        pixel = self.pixel(point)
        return self.ray(pixel or (self.width / 2.0, self.height / 2.0)).direction

    def pixel_size(self, point: Vector3) -> float:
        """Return how many metres a pixel covers at a point; 0 behind the viewer."""
        pixel = self.pixel(point)
        if pixel is None:
            return 0.0
        beside = self.ray((pixel[0] + 1.0, pixel[1]))
        there = on_plane(point, self.ray(pixel).direction, beside)
        return 0.0 if there is None else hypot(*minus(there, point))


def angle_about(frame: Matrix, axis: int, ray: Ray) -> float | None:
    """Return the angle at which a ray meets the plane across an axis of a rigid frame.

    In rad within half a turn, right-handed from the next axis on; None where the ray misses the
    plane or meets it on the axis.
    """
    origin = translation_of(frame)
    point = on_plane(origin, axis_of(frame, axis), ray)
    if point is None:
        return None
    x, y = (dot(minus(point, origin), axis_of(frame, (axis + turn) % 3)) for turn in (1, 2))
    return None if x == y == 0.0 else atan2(y, x)


def distance_along(frame: Matrix, axis: int, ray: Ray) -> float | None:
    """Return where on an axis of a rigid frame a ray comes nearest, in m from its origin.

    None where the ray runs along the axis or leads away from it.
    """
    way = axis_of(frame, axis)
    gap = minus(translation_of(frame), ray.origin)
    cosine = dot(way, ray.direction)
    square = 1.0 - cosine * cosine
    if square < PARALLEL:
        return None
    on_ray = (dot(gap, ray.direction) - cosine * dot(gap, way)) / square
    return None if on_ray < 0.0 else cosine * on_ray - dot(gap, way)


def on_plane(point: Vector3, normal: Vector3, ray: Ray) -> Vector3 | None:
    """Return where a ray meets the plane through a point; None where it does not."""
    slope = dot(normal, ray.direction)
    if abs(slope) < PARALLEL:
        return None
    length = dot(minus(point, ray.origin), normal) / slope
    return None if length < 0.0 else along(ray.origin, ray.direction, length)


def wrapped(angle: float) -> float:
    """Return an angle within half a turn."""
    return remainder(angle, tau)


def nearest(shapes: Sequence[Sequence[Pixel]], mouse: Pixel, reach: float) -> int | None:
    """Return the index of the shape nearest to the mouse; None where none is within reach, pixels.

    A shape is a point, or the corners of a line; nothing where it is not seen. A point wins over
    any line, since lines can be taken hold of elsewhere.
    """
    gaps = [
        (len(shape) > 1, gap, index)
        for index, shape in enumerate(shapes)
        if (gap := distance_to(shape, mouse)) <= reach
    ]
    return min(gaps)[2] if gaps else None


def distance_to(shape: Sequence[Pixel], mouse: Pixel) -> float:
    """Return how far the mouse is from a point or a line, in pixels; infinite from nothing."""
    gaps = [dist(corner, mouse) for corner in shape]
    for (ax, ay), (bx, by) in pairwise(shape):
        x, y = bx - ax, by - ay
        square = x * x + y * y
        if square > 0.0:
            part = min(1.0, max(0.0, ((mouse[0] - ax) * x + (mouse[1] - ay) * y) / square))
            gaps.append(dist((ax + part * x, ay + part * y), mouse))
    return min(gaps, default=inf)


def along(origin: Vector3, direction: Vector3, length: float) -> Vector3:
    """Return the point some way along a direction."""
    (x, y, z), (u, v, w) = origin, direction
    return (x + length * u, y + length * v, z + length * w)


def axis_of(frame: Matrix, axis: int) -> Vector3:
    """Return the direction of an axis of a rigid frame."""
    return (frame[0][axis], frame[1][axis], frame[2][axis])


def vector(array: npt.NDArray[Any]) -> Vector3:
    """Return an array of three as the model has vectors."""
    return (float(array[0]), float(array[1]), float(array[2]))
