# SPDX-License-Identifier: GPL-3.0-or-later
"""The axis of what is round, as wheels, of what is flat, as blades, and of bars of any section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np
from bpy.types import Object
from mathutils import Vector
from mathutils.geometry import box_fit_2d

from .contact import BodySurface, longest_part, own_surface_of, surface_of, width_along
from .descendants import descendants, seen_once
from .facing import Floats, axes_across, crosses

ROUND = 0.9
"""Smallest share of its largest radius that an outline has where it is round: an octagon has
0.92, a hexagon 0.87."""
ASKEW = 0.02
"""Largest share of their spread by which points are askew about an axis of theirs."""
DIRECTIONS = 32
"""In which half of an outline is measured."""
ANGLES = np.arange(DIRECTIONS) * pi / DIRECTIONS
TURNED = np.stack((np.cos(ANGLES), np.sin(ANGLES)), axis=1)
"""Unit vectors (DIRECTIONS, 2) in these."""
DISC = 1.5
"""How long, as a multiple of its diameter, a wheel is at most."""
FLAT = 0.5
"""Largest share of its width that something flat is thick."""
SAME_THICKNESS = 1.05
"""How many times thicker along its own axis a shape is at most as flat as along another."""
PLATE = 0.5
"""Largest share of its other sizes that a plate is thick."""
FILLED = 0.7
"""Smallest share of the box around it, seen across it, that a base fills."""
PARALLEL = 0.999
"""Cosine of the angle between axes that are one."""
STEEP = 0.5
"""Smallest part that is vertical of what is no longer level."""
SLENDER = 3.0
"""How many times longer than wide a bar or a rail is at least."""
GAP = 1.0
"""Largest share of the mean thickness of bars that a gap between them is: drawn by eye."""
AROUND = 0.7
"""Smallest width of what is about as wide as deep, as a share of its depth."""
OFF_POLE = 0.1
"""How far from its middle, as a share of half its width, the pole is that something is around."""
FITTING = 0.6
"""Largest share of the size of what it is on that a fitting is long, as a valve or a bob."""
BLADE = 0.25
"""Largest share of the width of fittings on a shaft that they are thick, as its blades."""
ROUNDING = 1e-4
"""Share of its length by which a bar counts as longer, so that exact ratios are bars anywhere."""


@dataclass(frozen=True, slots=True)
class RoundShape:
    """What is round about one axis, or flat across it."""

    axis: Vector
    """Unit vector, of both ways the mostly positive one."""
    middle: Vector
    """On the axis, half-way along it."""
    radius: float
    """The largest one, in m."""
    length: float
    """Along the axis, in m."""

    @property
    def is_disc(self) -> bool:
        """Whether it is a wheel rather than a shaft or a limb."""
        return self.length <= DISC * 2.0 * self.radius

    def on_axis(self, point: Vector) -> Vector:
        """Return the point of the axis that is nearest to another one."""
        return self.middle + (point - self.middle).project(self.axis)


def are_parallel(a: Vector, b: Vector) -> bool:
    """Return whether two unit vectors are of one axis, either way."""
    return bool(abs(a.dot(b)) > PARALLEL)


@seen_once
def round_shape(obj: Object) -> RoundShape | None:
    """Return how a body is round; None where it is not, or is so about several axes, as a ball.

    A hub with its blades, which are below it, is as round as it is alone.
    """
    for surface in (form_of(obj), own_surface_of(obj) if descendants(obj) else None):
        found = None if surface is None else _round(obj, np.array(surface.points))
        if found is not None:
            return found
    return None


@seen_once
def form_of(obj: Object) -> BodySurface | None:
    """Return the surface of a body without its fittings; None where it has no faces.

    Fittings are below a mesh that is itself a bar, a plate or round, and plainly smaller. What is
    below anything else, or large, is as much of the body as its own mesh.
    """
    own = own_surface_of(obj) if descendants(obj) else None
    if own is None:
        return surface_of(obj)
    points = np.array(own.points)
    box = _box_around(obj, points)
    size = 2.0 * float(box.half[0] if box.is_bar else box.half[1])
    is_form = box.is_bar or box.is_plate() or _round(obj, points) is not None
    return own if is_form and longest_part(obj) < FITTING * size else surface_of(obj)


def _round(obj: Object, points: Floats) -> RoundShape | None:
    """Return the one axis about which points (n, 3) are round."""
    found: list[RoundShape] = []
    for axis in axes_of(obj, points):
        is_known = any(are_parallel(axis, other.axis) for other in found)
        shape = None if is_known else _round_about(points, axis)
        if shape is not None:
            found.append(shape)
    if len(found) > 1:  # a thick disc looks nearly round from some other direction, too
        found = [shape for shape in found if _is_principal(points, shape.axis)]
    return found[0] if len(found) == 1 else None


def _is_principal(points: Floats, axis: Vector) -> bool:
    """Return whether points are spread along an axis as well as across it, and not askew."""
    spread = np.cov(points.T)
    along = spread @ np.array(axis)
    askew = along - np.array(axis) * (along @ np.array(axis))
    return bool(np.linalg.norm(askew) <= ASKEW * np.trace(spread))


def is_hub(obj: Object, hub: RoundShape) -> bool:
    """Return whether what is below a round body reaches far out of it, as blades of a hub.

    Fittings of a shaft, as small ones are, do so as blades where they are thin along it.
    """
    whole, form = surface_of(obj), form_of(obj)
    if whole is None or form is None:
        return False
    arms = np.array(whole.points) - np.array(hub.middle)
    along = arms @ np.array(hub.axis)
    out = np.linalg.norm(arms - np.outer(along, hub.axis), axis=1)
    is_far = out > SLENDER * hub.radius
    is_whole = len(form.points) == len(whole.points)
    return bool(is_far.any() and (is_whole or np.ptp(along[is_far]) <= BLADE * 2.0 * out.max()))


def flat_shape(obj: Object, across: Sequence[float] | None = None) -> RoundShape | None:
    """Return how a body is flat about the middle of its surface; None where it is not.

    That is across a direction, or else across the one along which it is thinnest.
    """
    surface = form_of(obj)
    if surface is None:
        return None
    points = np.array(surface.points)
    axes = axes_of(obj, points) if across is None else [Vector(across)]
    thick = [float(np.ptp(points @ np.array(axis))) for axis in axes]
    thinnest = next(at for at, one in enumerate(thick) if one <= SAME_THICKNESS * min(thick))
    length, axis = thick[thinnest], np.array(axes[thinnest])
    corners = surface.corners
    areas = np.linalg.norm(crosses(corners), axis=1)
    middle = np.average(corners.mean(axis=1), axis=0, weights=areas + np.finfo(float).tiny)
    arms = points - middle
    radius = float(np.linalg.norm(arms - np.outer(arms @ axis, axis), axis=1).max())
    if length > FLAT * 2.0 * radius:
        return None
    return RoundShape(mostly_positive(Vector(axis)), Vector(middle), radius, length)


def mostly_positive(way: Vector) -> Vector:
    """Return a direction or its opposite: the mostly positive one."""
    return -way if max(way, key=abs) < 0.0 else way


def axes_of(obj: Object, points: Floats) -> list[Vector]:
    """Return directions about which a body may be round: its own, and those of its points."""
    _, principal = np.linalg.eigh(np.cov(points.T))
    columns = [Vector(column) for column in (*obj.matrix_world.to_3x3().col, *principal.T)]
    return [column.normalized() for column in columns if column.length > 0.0]


def _round_about(points: Floats, way: Vector) -> RoundShape | None:
    """Return how points (n, 3) are round if their outline along an axis is nearly a circle."""
    axis = np.array(mostly_positive(way))
    sides = axes_across(axis)
    along = points @ (TURNED @ sides.T).T
    low, high = along.min(axis=0), along.max(axis=0)
    middle = 0.5 * (low + high)[[0, DIRECTIONS // 2]]
    off = TURNED @ middle
    radii = np.concatenate((high - off, off - low))
    if not radii.min() >= ROUND * radii.max() > 0.0:
        return None
    ends = points @ axis
    centre = 0.5 * (ends.min() + ends.max()) * axis + middle @ sides.T
    return RoundShape(Vector(axis), Vector(centre), float(radii.max()), float(np.ptp(ends)))


@dataclass(frozen=True, slots=True)
class FittedBox:
    """The smallest box around a body."""

    ways: Floats
    """Its axes (3, 3) in the world, in columns; the body is thinnest along the last."""
    middle: Floats
    """(3,), in m."""
    half: Floats
    """Half its sizes (3,), in m."""

    @property
    def way(self) -> Vector:
        """Unit vector along which it is longest."""
        return Vector(self.ways[:, 0])

    @property
    def is_bar(self) -> bool:
        """Whether it is long along one line."""
        return bool(self.half[0] * (1.0 + ROUNDING) >= SLENDER * self.half[1])

    def is_plate(self, share: float = PLATE) -> bool:
        """Return whether it is no thicker than a share of its other sizes."""
        return bool(self.half[2] <= share * (1.0 + ROUNDING) * min(self.half[:2]) > 0.0)


@seen_once
def fitted_box(obj: Object) -> FittedBox | None:
    """Return the box around a body across one of its own axes, or those of its points.

    Its own, all three, where no other is plainly smaller. None where it has no faces.
    """
    surface = form_of(obj)
    return None if surface is None else _box_around(obj, np.array(surface.points))


def _box_around(obj: Object, points: Floats) -> FittedBox:
    found = []
    own = obj.matrix_world.to_3x3().normalized()
    if abs(own.determinant()) > PARALLEL:
        found.append(np.array(own))
    for way in axes_of(obj, points):
        sides = axes_across(np.array(way))
        angle = box_fit_2d(((points - points.mean(axis=0)) @ sides).tolist())
        first = sides @ (np.cos(angle), -np.sin(angle))
        found.append(np.stack((first, np.cross(way, first), way), axis=1))
    sizes = [np.ptp(points @ ways, axis=0) for ways in found]
    volumes = [float(np.prod(one + ROUNDING * one.max())) for one in sizes]
    ways = found[next(i for i, one in enumerate(volumes) if one <= SAME_THICKNESS * min(volumes))]
    along = points @ ways
    low, high = along.min(axis=0), along.max(axis=0)
    order = np.argsort(low - high, kind="stable")
    half = 0.5 * (high - low)
    return FittedBox(ways[:, order], ways @ (0.5 * (low + high)), half[order])


def fills_box(obj: Object) -> bool:
    """Return whether a body fills most of the box around it, seen across it: blades do not."""
    box, surface = fitted_box(obj), form_of(obj)
    if box is None or surface is None:
        return False
    seen = 0.25 * float(abs(crosses(surface.corners) @ box.ways[:, 2]).sum())
    return bool(seen >= FILLED * 4.0 * box.half[0] * box.half[1])


def bar_of(obj: Object) -> FittedBox | None:
    """Return the box around a body that is a bar; None around any other."""
    box = fitted_box(obj)
    return box if box is not None and box.is_bar else None


def across_both(first: Object, second: Object) -> Vector | None:
    """Return the line across two bars that cross and touch, overlap or nearly meet; else None.

    Their middle lines pass each other within the length of both: a leg that stands on a beam ends
    before it gets there.
    """
    one, other = bar_of(first), bar_of(second)
    if one is None or other is None or are_parallel(one.way, other.way):
        return None
    across, apart = one.way.cross(other.way), Vector(other.middle - one.middle)
    for near, far in ((one, other), (other, one)):
        if abs(apart.cross(far.way).dot(across)) > near.half[0] * across.length_squared:
            return None
    across.normalize()
    thick = width_along(first, across) + width_along(second, across)
    return mostly_positive(across) if abs(apart.dot(across)) <= 0.5 * (1.0 + GAP) * thick else None


def is_around_pole(obj: Object, pole: Object) -> bool:
    """Return whether an object is around an upright bar, about as wide as deep: a revolving door.

    It is much wider than that, which limbs on each other are not.
    """
    box, bar = fitted_box(obj), fitted_box(pole)
    if box is None or bar is None or not bar.is_bar or abs(bar.ways[2, 0]) < STEEP:
        return False
    across = np.abs(box.ways[2]) < STEEP
    off, half = np.abs((bar.middle - box.middle) @ box.ways)[across], box.half[across]
    least = max(AROUND * half.max(initial=0.0), SLENDER * bar.half[1])
    is_square = half.size == 2 and half.min() >= least
    return bool(is_square and (off <= OFF_POLE * half).all())
