# SPDX-License-Identifier: GPL-3.0-or-later
"""Where parallel faces of two surfaces lie against each other: the area that both cover."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.geometry.transform import cross

Floats = NDArray[np.floating[Any]]
Point = tuple[float, float]

PARALLEL = 1.0 - 1e-6
"""Cosine of the angle between directions that count as the same."""
MOST_COMPARED = 10_000_000
"""Pairs of triangles whose bounds are compared; of larger surfaces no area is found."""
MOST_CLIPPED = 20_000
"""Pairs of triangles that are clipped against each other; likewise."""


@dataclass(frozen=True, slots=True)
class Facing:
    """The area in which faces of two surfaces lie against each other."""

    middle: Floats
    """Centre of the area, half-way between the two surfaces, in m."""
    normal: Floats
    """Unit vector across the area."""
    area: float
    """In m²."""
    along: Floats
    """Unit vector of the direction in which the area is longest."""
    lengths: tuple[float, float]
    """In that direction and across it, in m: those of the rectangle with the same moments."""

    @property
    def corners(self) -> Floats:
        """The corners of that rectangle, (4, 3)."""
        long, short = self.lengths
        sides = 0.5 * np.array(((long, short), (long, -short), (-long, short), (-long, -short)))
        both = np.stack((self.along, np.cross(self.normal, self.along)))
        return self.middle + sides @ both


def facing_area(
    one: Floats, other: Floats, ends: tuple[Floats, Floats], same: float
) -> Facing | None:
    """Return the largest area in which faces of two surfaces lie against each other.

    Where the surfaces touch, faces count that look in opposite directions; across a gap all that
    are at right angles to it.

    Args:
        one: corners of the triangles of one surface, (n, 3, 3), in m.
        other: those of the other one.
        ends: a point of either surface where the two are nearest.
        same: distances that differ by less are the same, in m.
    """
    start, end = ends
    gap = float(np.linalg.norm(end - start))
    normals = _normals(one), _normals(other)
    near = [
        np.abs(np.einsum("ij,ij->i", normal, point - corners[:, 0])) <= same
        for normal, corners, point in zip(normals, (one, other), ends, strict=True)
    ]
    found: Facing | None = None
    for way in np.unique(np.round(normals[0][near[0]], 4), axis=0):
        normal = way / np.linalg.norm(way) if way.any() else way
        if not way.any() or (gap > same and abs(normal @ (end - start)) < PARALLEL * gap):
            continue
        along = normals[0] @ normal, normals[1] @ normal
        first = one[near[0] & (along[0] >= PARALLEL)]
        second = other[near[1] & ((-along[1] if gap <= same else np.abs(along[1])) >= PARALLEL)]
        area = _common(first, second, normal, 0.5 * (start + end))
        if area is not None and (found is None or area.area > found.area):
            found = area
    return found if found is not None and found.area > same * same else None


def axes_across(way: Floats) -> Floats:
    """Return two unit vectors at right angles to a unit vector (3,) and each other, as columns."""
    u = np.array(cross(way.tolist(), np.eye(3)[np.abs(way).argmin()].tolist()))
    u /= np.linalg.norm(u)
    return np.array([*zip(u.tolist(), cross(way.tolist(), u.tolist()), strict=True)])


def crosses(corners: Floats) -> Floats:
    """Return the normals of triangles (n, 3, 3), twice as long as their areas, (n, 3)."""
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _normals(corners: Floats) -> Floats:
    """Return the unit normals of triangles, zero where one has no area."""
    across = crosses(corners)
    length = np.linalg.norm(across, axis=1, keepdims=True)
    normals: Floats = np.divide(across, length, out=np.zeros_like(across), where=length > 0.0)
    return normals


def _common(first: Floats, second: Floats, normal: Floats, between: Floats) -> Facing | None:
    """Return the area that triangles of two parallel planes both cover, seen along the normal."""
    if not len(first) or not len(second) or len(first) * len(second) > MOST_COMPARED:
        return None
    axes = axes_across(normal)
    flat = [(corners - between) @ axes for corners in (first, second)]
    lows, highs = ([part(one, axis=1) for one in flat] for part in (np.min, np.max))
    apart = (lows[0][:, None] > highs[1][None]) | (lows[1][None] > highs[0][:, None])
    pairs = np.argwhere(~apart.any(axis=2))
    if len(pairs) > MOST_CLIPPED:
        return None
    whole, moment, second_moment = 0.0, np.zeros(2), np.zeros((2, 2))
    for a, b in pairs.tolist():
        polygon = _clipped(_ccw(flat[0][a].tolist()), _ccw(flat[1][b].tolist()))
        for corners in ((polygon[0], *two) for two in pairwise(polygon[1:])):
            area, around = 0.5 * _twice_area(*corners), np.array(corners)
            total = around.sum(axis=0)
            whole += area
            moment += area * total / 3.0
            second_moment += area * (around.T @ around + np.outer(total, total)) / 12.0
    if whole <= 0.0:
        return None
    middle = moment / whole
    spread, ways = np.linalg.eigh(second_moment / whole - np.outer(middle, middle))
    short, long = np.sqrt(12.0 * np.maximum(spread, 0.0)).tolist()
    return Facing(between + axes @ middle, normal, whole, axes @ ways[:, 1], (long, short))


def _ccw(corners: list[Point]) -> list[Point]:
    """Return the corners of a triangle counter-clockwise."""
    return corners if _twice_area(*corners) > 0.0 else corners[::-1]


def _twice_area(a: Point, b: Point, c: Point) -> float:
    """Return twice the area of a triangle, negative where it goes round clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _clipped(polygon: list[Point], window: list[Point]) -> list[Point]:
    """Return what of a convex polygon lies in a triangle that goes round counter-clockwise."""
    for index, a in enumerate(window):
        b = window[(index + 1) % 3]
        sides = [_twice_area(a, b, point) for point in polygon]
        kept: list[Point] = []
        for here, point in enumerate(polygon):
            before, side = sides[here - 1], sides[here]
            if (before < 0.0) != (side < 0.0):
                last, share = polygon[here - 1], before / (before - side)
                kept.append(
                    (last[0] + share * (point[0] - last[0]), last[1] + share * (point[1] - last[1]))
                )
            if side >= 0.0:
                kept.append(point)
        polygon = kept
    return polygon
