# SPDX-License-Identifier: GPL-3.0-or-later
"""The nodes of a stage: prims that stand somewhere and matter, and the triangles that they show.

A shape that stands alone in the place of the prim above it is no node of its own: it is what that
prim shows, or what makes it solid. So exporters write it, who keep an object and its data apart.
Neither is the prim "World" that only holds all others together.

Triangles are those of meshes as they are, of other shapes as a reader without them draws them.
Their points are in the space of the prim, lengths in m, so that the scale of its node counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import isfinite
from typing import TypeGuard

from ...model.body import MotionType, Vector3
from ...model.contents import PoseKeys
from ...model.geometry.scale import scale_of
from ...model.geometry.surfaces import surface_of
from ...model.geometry.transform import IDENTITY, compose, difference, multiply
from ...model.shape import Box, Capsule, Cylinder, Plane, Shape, Sphere
from ...model.solid import Triangles
from .. import table
from ..prim import Prim, Stage, above
from .builder import StageReading

_CAPSULES, _CYLINDERS = ("Capsule", "Capsule_1"), ("Cylinder", "Cylinder_1", "Cone")
ROUND = ("Sphere", *_CAPSULES, *_CYLINDERS)


def triangles_of(reading: StageReading, prim: Prim) -> Triangles | None:
    """Return the triangles of a prim; None where it has none, or they do not fit together."""
    if prim.type == "Mesh":
        return _of_mesh(reading, prim)
    shape = shape_of(reading, prim)
    surface = None if shape is None else surface_of(shape)
    if surface is None:
        return None
    # From along Z to along another axis: the two that follow it go along.
    first = (axis_of(reading, prim) + 1) % 3
    x, y, z = (-first % 3, (1 - first) % 3, (2 - first) % 3)
    points = tuple((point[x], point[y], point[z]) for point in surface.points)
    return Triangles(points, surface.triangles)


def axis_of(reading: StageReading, prim: Prim) -> int:
    """Return the axis of a shape; Z where it has none."""
    return 2 if prim.type == "Sphere" else reading.axis(prim, table.AXIS)


def radii_of(reading: StageReading, prim: Prim) -> tuple[float, float, float]:
    """Return height, radius at the bottom and at the top of a capsule, cylinder or cone, in m."""
    tall = wide = None
    if prim.type in _CAPSULES:
        tall, wide = table.CAPSULE_HEIGHT, table.CAPSULE_RADIUS
    height = reading.number(prim, table.HEIGHT, default=tall)
    if prim.type.endswith("_1"):
        bottom = reading.number(prim, table.RADIUS_BOTTOM, default=wide)
        return height, bottom, reading.number(prim, table.RADIUS_TOP, default=wide)
    radius = reading.number(prim, table.RADIUS, default=wide)
    return height, radius, 0.0 if prim.type == "Cone" else radius


def shape_of(reading: StageReading, prim: Prim) -> Shape | None:
    """Return what is no mesh as a shape along its axis, without its scale; None of all else."""
    if prim.type == "Cube":
        size = reading.number(prim, table.SIZE)
        return Box((size, size, size))
    if prim.type == "Plane":
        width, length = reading.number(prim, table.WIDTH), reading.number(prim, table.PLANE_LENGTH)
        return Plane(width, length) if axis_of(reading, prim) == 2 else Plane(length, width)
    if prim.type == "Sphere":
        return Sphere(reading.number(prim, table.RADIUS))
    if prim.type in _CAPSULES:
        return Capsule(*radii_of(reading, prim))
    return Cylinder(*radii_of(reading, prim)) if prim.type in _CYLINDERS else None


def _of_mesh(reading: StageReading, prim: Prim) -> Triangles | None:
    """Return the faces of a mesh as triangles, counter-clockwise from outside."""
    points = points_of(reading, prim)
    counts, corners = (
        prim.attributes.get(table.COUNTS.name),
        prim.attributes.get(table.CORNERS.name),
    )
    if not points or not _are_whole(counts) or not _are_whole(corners):
        return None
    if min(counts) < 0 or min(corners) < 0 or max(corners) >= len(points):
        return None
    if sum(counts) != len(corners):
        return None
    holes = prim.attributes.get("holeIndices", ())
    left_out = set(holes) if isinstance(holes, tuple) else set()
    step = -1 if prim.attributes.get("orientation") == "leftHanded" else 1
    faces, start = [], 0
    for index, count in enumerate(counts):
        if count > 2 and index not in left_out:
            faces.append(corners[start : start + count][::step])
        start += count
    fans = tuple((face[0], a, b) for face in faces for a, b in pairwise(face[1:]))
    return Triangles(points, fans) if faces else None


def points_of(reading: StageReading, prim: Prim) -> tuple[Vector3, ...]:
    """Return the points of a prim in m; none where one of them is no point."""
    given = prim.attributes.get(table.POINTS.name, ())
    factor = reading.units.meant(1.0, table.POINTS.unit)
    found: list[Vector3] = []
    for point in given if isinstance(given, tuple) else ():
        if not isinstance(point, tuple) or len(point) != 3 or not isfinite(sum(point)):
            return ()
        x, y, z = point
        found.append((factor * x, factor * y, factor * z))
    return tuple(found)


def _are_whole(numbers: object) -> TypeGuard[tuple[int, ...]]:
    return isinstance(numbers, tuple) and {type(one) for one in numbers} == {int}


PLAIN_TYPES = ("Xform", "SkelRoot")
INSTANCER = "PointInstancer"
SHOWN_TYPES = ("Mesh", "Cube", "Plane", *ROUND)
DRAWN = ("default", "render")
"""Purposes of what a picture shows; "guide" and "proxy" are for those who work on it."""
HOLDER = "World"
NEAR = 1e-6
"""Of poses that count as one: single precision leaves as much."""


def started(stage: Stage) -> StageReading:
    """Return what is read of a stage: its nodes, and no physics yet."""
    reading = StageReading(stage)
    needed = set(_needed(stage)) - set(_mere_holders(stage))
    folded = _folded(reading)
    for prim in stage:
        if prim.type == INSTANCER:
            reading.note("usd-point-instancer", prim)
        if prim.path not in needed:
            continue
        parent = reading.node_at_or_above(prim.parent)
        if prim.path in folded and prim.parent in reading.node_of:
            reading.node_of[prim.path] = reading.node_of[prim.parent]
            continue
        world = reading.units.pose_meant(prim.world)
        if not isfinite(sum(map(sum, world))):
            reading.note("usd-pose", prim)
            world = IDENTITY if parent is None else reading.nodes[parent].world
        reading.node_of[prim.path] = reading.add(prim.title, parent, world, prim)
    return reading


def read_led(reading: StageReading) -> None:
    """Read how animations lead nodes; forces move dynamic bodies instead, whatever leads them."""
    for path, index in reading.node_of.items():
        prim, motion = reading.prims[path], reading.nodes[index].motion
        if not prim.is_animated or prim is not reading.prim_of.get(index):
            continue
        is_moved = motion is not None and motion.type is MotionType.DYNAMIC
        sound = all(isfinite(sum(map(sum, pose))) for _, pose in prim.poses)
        if is_moved or prim.resets or not (prim.poses and sound):
            reading.note("usd-animated-pose", prim)
            continue
        times = tuple(reading.stage.seconds(code) for code, _ in prim.poses)
        poses = tuple(reading.units.pose_meant(pose) for _, pose in prim.poses)
        reading.led[index] = PoseKeys(times, poses)


def read_shown(reading: StageReading) -> None:
    """Give nodes the meshes that they show, without their looks."""
    for path, index in reading.node_of.items():
        prim = reading.prims[path]
        if _is_shown(reading, prim):
            mesh = triangles_of(reading, prim)
            if mesh is None:
                reading.note("usd-mesh", prim)
            else:
                reading.shown[index] = reading.mesh(prim.title, mesh)


def _is_shown(reading: StageReading, prim: Prim) -> bool:
    """Return whether a picture shows a prim: visible with all above it, of a purpose for that."""
    if prim.type not in SHOWN_TYPES:
        return False
    chain = [reading.prims[path] for path in above(prim.path) if path in reading.prims]
    if any(one.attributes.get("visibility") == "invisible" for one in chain):
        return False
    purposes = (one.attributes.get(table.PURPOSE.name) for one in chain)
    return next((word for word in purposes if word is not None), table.PURPOSE.default) in DRAWN


def _needed(stage: Stage) -> Iterator[str]:
    """Yield the paths of prims that become nodes: what has a pose and matters, and what is above.

    Cameras and lights stay behind, unless a body or a shape is below them.
    """
    posed = {prim.path for prim in stage if "Xformable" in prim.kinds and prim.type != INSTANCER}
    for prim in stage:
        is_physical = table.BODY_API in prim.schemas or table.COLLISION_API in prim.schemas
        is_plain = prim.type in PLAIN_TYPES or "Gprim" in prim.kinds
        if is_physical or (is_plain and prim.path in posed):
            yield prim.path
            yield from (one for one in above(prim.parent) if one in posed)


def _mere_holders(stage: Stage) -> Iterator[str]:
    """Yield the prim at the top that only holds all others together."""
    tops = [prim for prim in stage if prim.parent == "/" and "Xformable" in prim.kinds]
    for prim in tops:
        is_bare = not prim.schemas and prim.type == "Xform" and not prim.is_animated
        plain = difference(prim.world, IDENTITY) == 0.0
        is_holder = prim.name == HOLDER and stage.default_prim in ("", HOLDER)
        if is_holder and len(tops) == 1 and is_bare and plain:
            yield prim.path


def _folded(reading: StageReading) -> set[str]:
    """Return shapes that are no nodes of their own, but what the prim above shows or is made of."""
    stage = reading.stage
    holders = {prim.parent for prim in stage}
    ends = (table.BODY0, table.BODY1)
    named = {path for prim in stage for end in ends for path in prim.targets.get(end, ())}
    wanted: dict[tuple[str, str], list[str]] = {}
    found: set[str] = set()
    for prim in stage:
        holder = reading.prims.get(prim.parent)
        roles = () if holder is None else _roles(reading, prim)
        for role in roles:
            wanted.setdefault((prim.parent, role), []).append(prim.path)
        is_leaf = prim.path not in holders and prim.path not in named and not prim.is_animated
        if holder is None or not roles or not is_leaf or table.BODY_API in prim.schemas:
            continue
        if holder.type in PLAIN_TYPES and _is_in_place(prim, needs_size="shown" in roles):
            found.add(prim.path)
    return found - {path for paths in wanted.values() if len(paths) > 1 for path in paths}


def _roles(reading: StageReading, prim: Prim) -> tuple[str, ...]:
    """Return whether a prim is shown, solid, both or neither."""
    may_collide = table.COLLISION_API in prim.schemas
    is_solid = may_collide and reading.flag(prim, table.COLLISION_ENABLED)
    return ("shown",) * _is_shown(reading, prim) + ("solid",) * is_solid


def _is_in_place(prim: Prim, *, needs_size: bool) -> bool:
    """Return whether a shape stands where the prim above it does, perhaps of another size."""
    if prim.resets:
        return False
    local = prim.local or IDENTITY
    if not needs_size and prim.type in ("Cube", *ROUND):
        x, y, z = scale_of(local)
        if min(x, y, z) <= 0.0:
            return False
        local = multiply(local, compose(scale=(1.0 / x, 1.0 / y, 1.0 / z)))
    return difference(local, IDENTITY) <= NEAR
