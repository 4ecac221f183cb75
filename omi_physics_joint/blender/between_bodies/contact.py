# SPDX-License-Identifier: GPL-3.0-or-later
"""The room that bodies take in the world, and where two of them touch or come nearest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import takewhile
from math import inf
from operator import itemgetter

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree
from mathutils.geometry import intersect_ray_tri

from ...model.geometry.extent import Corners, diagonal, distance
from ...model.joint import Freedom
from ...model.wording.words import Say
from ..bridge.placed import body_of, with_parents
from ..bridge.read_nodes import WITH_MESHES
from .descendants import descendants, joined_now, seen_once
from .facing import Facing, Floats, facing_area

WORLD = Matrix.Identity(4)
MOST_POINTS = 4000
"""Vertices of one body that are asked for the nearest point of the other; of more, some."""
MOST_CROSSINGS = 4000
"""Pairs of triangles of which the crossing is looked for."""
MOST_REFINED = 100
"""Of the nearest ones, how many are refined where few corners touch."""
STEPS = 30
"""How often a pair of nearest points is refined, from one surface to the other and back."""
SAME = 1e-4
"""Distances that differ by less than this share of the bodies' size count as the same."""


@dataclass(frozen=True, slots=True)
class BodySurface:
    """The triangles of a body in the world."""

    points: list[Vector]
    triangles: list[tuple[int, int, int]]
    tree: BVHTree

    @property
    def corners(self) -> Floats:
        """Those of its triangles, (n, 3, 3), in m."""
        found: Floats = np.array(self.points)[np.array(self.triangles)]
        return found

    def has_inside(self, point: Vector) -> bool:
        """Return whether a point is behind the nearest of its faces."""
        there, normal, *_ = self.tree.find_nearest(point)
        return there is not None and bool((point - there).dot(normal) < 0.0)


@dataclass(frozen=True, slots=True)
class Contact:
    """Where two bodies cross, touch or come nearest."""

    place: Vector
    """Its middle."""
    points: Sequence[Vector] = ()
    """Where they meet; of an area its corners. None where one of them has no faces."""
    area: Facing | None = None
    """The area in which faces of both lie against each other, if they meet nowhere else."""


def parts_of(obj: Object) -> list[Object]:
    """Return an object and those below it that move with it: what is seen of a body."""
    own = body_of(obj)

    def is_seen(part: Object) -> bool:
        if (part.type == "EMPTY" and not part.is_instancer) or body_of(part) not in (own, None):
            return False
        return joined_now().isdisjoint(takewhile(lambda one: one != obj, with_parents(part)))

    return [obj, *filter(is_seen, descendants(obj))]


def _placed_parts(obj: Object) -> Iterator[tuple[Object, Matrix]]:
    """Yield what is seen of a body and where it is: objects, and what they show of collections."""
    waiting = [(part, part.matrix_world) for part in parts_of(obj)]
    while waiting:
        part, world = waiting.pop(0)
        yield part, world
        collection = part.instance_collection if part.instance_type == "COLLECTION" else None
        if collection is not None:
            origin = world @ Matrix.Translation(-collection.instance_offset)
            seen = [one for one in collection.all_objects if not one.omi_physics_body.is_body]
            waiting += [(one, origin @ one.matrix_world) for one in seen]


def bounds_of(obj: Object, space: Matrix = WORLD) -> tuple[Vector, Vector]:
    """Return the lowest and the highest corner of the room that a body takes, in m.

    With a space, which is not scaled, these are along its axes.
    """
    seen = space.inverted()
    corners = [
        seen @ world @ Vector(corner)
        for part, world in _placed_parts(obj)
        if part.type != "EMPTY"
        for corner in part.bound_box
    ]
    return _extent(corners or [seen @ obj.matrix_world.translation])


def middle_of(obj: Object) -> Vector:
    """Return the middle of the room that a body takes."""
    low, high = bounds_of(obj)
    return 0.5 * (low + high)


def room_of(obj: Object, space: Matrix = WORLD) -> Corners:
    """Return the room that a body takes, as the model has it."""
    low, high = bounds_of(obj, space)
    return low.to_tuple(), high.to_tuple()


def far_apart(one: Object, other: Object, say: Say) -> str:
    """Say that two bodies are farther apart than one of them is long; else nothing."""
    ways = [obj.matrix_world.to_quaternion().to_matrix().to_4x4() for obj in (one, other)]
    apart = max(distance(room_of(one, way), room_of(other, way)) for way in (WORLD, *ways))
    rooms = map(room_of, (one, other), ways)
    long = min(filter(None, map(diagonal, rooms)), default=inf)
    far = f"{one.name} and {other.name} are {say(apart, Freedom.LINEAR)} apart"
    return far if long < apart else ""


def width_along(obj: Object, way: Vector) -> float:
    """Return how wide the surface of a body is along a unit vector, in m; 0 without faces."""
    surface = surface_of(obj)
    return 0.0 if surface is None else float(np.ptp(np.array(surface.points) @ np.array(way)))


@seen_once
def contact_between(first: Object, second: Object) -> Contact:
    """Return where two bodies cross or touch, or where they come nearest."""
    one, other = surface_of(first), surface_of(second)
    if one is None or other is None:
        return Contact(_between_points(first, one, second, other))
    rooms = [bounds_of(obj) for obj in (first, second)]
    same = SAME * max(max(high - low) for low, high in rooms)
    pairs = [*_from_points(one, other), *_from_points(other, one)]
    touching = [0.5 * (a + b) for length, a, b in pairs if length <= same]
    met = [*_crossings(one, other), *touching]
    nearest, start, _ = min(pairs, key=itemgetter(0))
    ends = _refined(one, other, start)
    nearest = min(nearest, (ends[1] - ends[0]).length)
    if not met:
        met = [0.5 * (a + b) for away, a, b in pairs if away <= nearest + same]
    if len(met) < 2:  # an edge lies on a face, or two edges cross, with no corner there
        starts = [point for _, point, _ in nsmallest(MOST_REFINED, pairs, key=itemgetter(0))]
        more = [_refined(one, other, point) for point in starts]
        met += [0.5 * (a + b) for a, b in more if (b - a).length <= nearest + same]
    area = _facing(one, other, ends, met, same)
    if area is not None:
        return Contact(Vector(area.middle), [Vector(corner) for corner in area.corners], area)
    low, high = _extent(met or ends)
    return Contact(0.5 * (low + high), met or ends)


@seen_once
def surface_of(obj: Object) -> BodySurface | None:
    """Return the triangles of a body with its modifiers; None where it has no faces."""
    return _surface_of(_placed_parts(obj))


@seen_once
def own_surface_of(obj: Object) -> BodySurface | None:
    """Return the triangles of an object without those of what is below it."""
    return _surface_of([(obj, obj.matrix_world)])


def longest_part(obj: Object) -> float:
    """Return how long the longest mesh below a body is that is seen of it, in m; 0 without."""
    sides = (
        (world.to_3x3().col[at] * (part.bound_box[6][at] - part.bound_box[0][at])).length
        for part, world in _placed_parts(obj)
        if part.type != "EMPTY" and part != obj
        for at in range(3)
    )
    return max(sides, default=0.0)


def _surface_of(parts: Iterable[tuple[Object, Matrix]]) -> BodySurface | None:
    points: list[Vector] = []
    triangles: list[tuple[int, int, int]] = []
    depsgraph = bpy.context.evaluated_depsgraph_get()
    for part, world in parts:
        if part.type not in WITH_MESHES:
            continue
        evaluated = part.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        first = len(points)
        points += [world @ vertex.co for vertex in mesh.vertices]
        mesh.calc_loop_triangles()
        is_mirrored = world.determinant() < 0.0
        for triangle in mesh.loop_triangles:
            a, b, c = (first + corner for corner in triangle.vertices)
            triangles.append((c, b, a) if is_mirrored else (a, b, c))
        evaluated.to_mesh_clear()
    if not triangles:
        return None
    tree = BVHTree.FromPolygons(points, triangles, all_triangles=True)
    return BodySurface(points, triangles, tree)


def _between_points(
    first: Object, one: BodySurface | None, second: Object, other: BodySurface | None
) -> Vector:
    """Return the middle where at least one of two has no faces: that one is its origin."""
    start, end = first.matrix_world.translation, second.matrix_world.translation
    if one is not None:
        start = one.tree.find_nearest(end)[0] or start
    if other is not None:
        end = other.tree.find_nearest(start)[0] or end
    return start.lerp(end, 0.5)


def _crossings(one: BodySurface, other: BodySurface) -> list[Vector]:
    """Return the points where edges of one surface go through triangles of the other."""
    found: list[Vector] = []
    for a, b in one.tree.overlap(other.tree)[:MOST_CROSSINGS]:
        corners = [one.points[index] for index in one.triangles[a]]
        others = [other.points[index] for index in other.triangles[b]]
        found += [*_through(corners, others), *_through(others, corners)]
    return found


def _through(edges: Sequence[Vector], triangle: Sequence[Vector]) -> Iterator[Vector]:
    """Yield where the three edges of one triangle go through another."""
    for index in range(3):
        start, way = edges[index], edges[(index + 1) % 3] - edges[index]
        hit = intersect_ray_tri(*triangle, way, start, True)
        if hit is not None and (hit - start).dot(way) <= way.length_squared:
            yield hit


def _facing(
    one: BodySurface,
    other: BodySurface,
    ends: tuple[Vector, Vector],
    met: Sequence[Vector],
    same: float,
) -> Facing | None:
    """Return the area in which two surfaces lie against each other.

    None where there is no such area, or where they meet outside of its plane too, as a box in a
    corner does.
    """
    found = facing_area(one.corners, other.corners, (np.array(ends[0]), np.array(ends[1])), same)
    if found is None:
        return None
    middle, normal = Vector(found.middle), Vector(found.normal)
    return None if any(abs((point - middle).dot(normal)) > same for point in met) else found


def _from_points(one: BodySurface, other: BodySurface) -> Iterator[tuple[float, Vector, Vector]]:
    """Yield the distance from points of one surface to the other, with both ends."""
    step = max(1, len(one.points) // MOST_POINTS)
    for point in one.points[::step]:
        there, _, _, length = other.tree.find_nearest(point)
        if there is not None:
            yield length, point, there


def _refined(one: BodySurface, other: BodySurface, start: Vector) -> tuple[Vector, Vector]:
    """Return where one goes, from one surface to the other and back, until nothing gets nearer."""
    here, length = start, float("inf")
    there = here
    for _ in range(STEPS):
        there = other.tree.find_nearest(here)[0]
        here, _, _, now = one.tree.find_nearest(there)
        if now >= length * (1.0 - 1e-6):
            break
        length = now
    return here, there


def _extent(points: Sequence[Vector]) -> tuple[Vector, Vector]:
    """Return the lowest and the highest corner of the room that points take."""
    axes = list(zip(*points, strict=True))
    return Vector([min(axis) for axis in axes]), Vector([max(axis) for axis in axes])
