# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders and triggers: the shape that a prim has, where it is, and how large with its scale.

Sizes hold the scale of their prim, so a shape stands on the node of its prim only where that is
neither scaled nor turned to another axis; else on a node of its own below it. Meshes are scaled by
their node, as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite

from ....model.body import ZERO, Collider, Trigger, Vector3
from ....model.geometry.frames import SHEAR_TOLERANCE, is_rigid, rigid_frame, shear_of
from ....model.geometry.transform import (
    IDENTITY_ROTATION,
    Matrix,
    Rotation,
    apply,
    dot,
    linear_part,
    matrix_from,
    multiply,
    translation_of,
    transpose,
)
from ....model.shape import Box, Capsule, Convex, Cylinder, Plane, Shape, Sphere, Trimesh
from ... import decomposition
from ...prim import Prim
from ...space import has_space
from ...table import (
    APPROXIMATION,
    COLLISION_API,
    COLLISION_ENABLED,
    HULL,
    MESH_API,
    RADIUS,
    SIZE,
    SUBDIVISION,
)
from ...table import PHYSX_TRIGGER_API as TRIGGER_API
from ...triangles import AXIS_OF, axis_of, points_of, radii_of, triangles_of
from ..reading import StageReading, pooled

EVEN = 1e-4
"""Part by which scales may differ and count as one."""
SQUARE = 1e-6
"""How far from rigid a node may be that counts as such: single precision leaves as much."""
MOST_POINTS = 256
_AS_IT_IS = ("none", "")


@dataclass(frozen=True, slots=True)
class PlacedShape:
    """A shape, and where it is in the prim that has it."""

    shape: Shape
    turn: Rotation = IDENTITY_ROTATION
    """From the axes of the shape to those of the prim."""
    place: Vector3 = ZERO
    """In the space of the prim, m before its scale."""


def read_shapes(reading: StageReading) -> dict[int, Prim]:
    """Give nodes their colliders and triggers.

    Returns:
        The prim of each node with one of them.
    """
    found: dict[int, Prim] = {}
    for path, index in tuple(reading.node_of.items()):
        prim = reading.values.prims[path]
        if COLLISION_API not in prim.schemas:
            continue
        if not reading.values.flag(prim, COLLISION_ENABLED):
            reading.findings.note("usd-collision-disabled", path)
            continue
        if not has_space(prim.world):
            reading.findings.note("usd-shape-size", path)
            continue
        scale = _scale(reading.values.units.pose_meant(prim.world))
        for placed in _shapes_of(reading, prim, scale):
            found[_put(reading, index, prim, placed)] = prim
    return found


def _scale(world: Matrix) -> Vector3:
    x, y, z = (dot(column, column) ** 0.5 for column in transpose(linear_part(world)))
    return (x, y, z)


def _put(reading: StageReading, index: int, prim: Prim, placed: PlacedShape) -> int:
    """Put a shape on a node, or on one of its own below, and return which."""
    own = reading.nodes[index].world
    world = reading.values.units.pose_meant(prim.world)
    is_mesh = isinstance(placed.shape, Convex | Trimesh)
    if not is_mesh and shear_of(linear_part(world)) > SHEAR_TOLERANCE:
        reading.findings.note("usd-sheared", prim.path)
    is_plain = placed.turn == IDENTITY_ROTATION and placed.place == ZERO
    if not (is_plain and (is_mesh or is_rigid(own, SQUARE))) or _is_taken(reading, index):
        linear, origin = linear_part(world), translation_of(world)
        if not is_mesh:
            turned = multiply(linear_part(rigid_frame(world)), placed.turn)
            x, y, z = apply(linear, placed.place)
            world = matrix_from(turned, (origin[0] + x, origin[1] + y, origin[2] + z))
        index = reading.add(f"{reading.nodes[index].name} Shape", index, world)
    shape = pooled(reading.shapes, placed.shape)
    if TRIGGER_API in prim.schemas:
        reading.change(index, trigger=Trigger(shape))
    else:
        reading.change(index, collider=Collider(shape))
    return index


def _is_taken(reading: StageReading, index: int) -> bool:
    node = reading.nodes[index]
    return node.collider is not None or node.trigger is not None


def _shapes_of(reading: StageReading, prim: Prim, scale: Vector3) -> Iterator[PlacedShape]:
    """Yield the shapes of a prim; none where it has none that is known, or no size."""
    make = _MAKERS.get(prim.type)
    if make is None:
        reading.findings.note("usd-shape", prim.path, prim.type or "no type")
        return
    found = tuple(make(reading, prim, scale))
    if not found and prim.type != "Mesh":
        reading.findings.note("usd-shape-size", prim.path)
    yield from found


def _cube(reading: StageReading, prim: Prim, scale: Vector3) -> Iterator[PlacedShape]:
    size = reading.values.number(prim, SIZE)
    if _are_sizes(size):
        yield PlacedShape(Box((size * scale[0], size * scale[1], size * scale[2])))


def _sphere(reading: StageReading, prim: Prim, scale: Vector3) -> Iterator[PlacedShape]:
    radius = reading.values.number(prim, RADIUS) * _even(reading, prim, scale)
    if _are_sizes(radius):
        yield PlacedShape(Sphere(radius))


def _round(reading: StageReading, prim: Prim, scale: Vector3) -> Iterator[PlacedShape]:
    axis = _axis(reading, prim)
    height, bottom, top = radii_of(reading.values, prim)
    wide = _even(reading, prim, tuple(scale[i] for i in range(3) if i != axis))
    height, bottom, top = height * scale[axis], bottom * wide, top * wide
    is_capsule = prim.type.startswith("Capsule")
    if not _are_sizes(max(bottom, top)) or min(bottom, top) < 0.0 or not isfinite(height):
        return
    if height > 0.0 or (is_capsule and height == 0.0):
        shape = (Capsule if is_capsule else Cylinder)(height, bottom, top)
        yield PlacedShape(shape, _turn(reading.up, axis))


def _plane(reading: StageReading, prim: Prim, _scale: Vector3) -> Iterator[PlacedShape]:
    """Yield a plane: without end, whatever is drawn of it, as engines take it."""
    yield PlacedShape(Plane(), _turn(reading.up, _axis(reading, prim)))


def _points(reading: StageReading, prim: Prim, scale: Vector3) -> Iterator[PlacedShape]:
    points = points_of(reading.values, prim)
    widths = prim.attributes.get("widths", ())
    widths = widths if isinstance(widths, tuple) else ()
    widths = widths * len(points) if len(widths) == 1 else widths
    factor = reading.values.units.meant(0.5, SIZE.unit) * _even(reading, prim, scale)
    if len(points) > MOST_POINTS:
        reading.findings.note("usd-points-many", prim.path)
    for point, width in list(zip(points, widths, strict=False))[:MOST_POINTS]:
        if isinstance(width, int | float) and _are_sizes(width):
            yield PlacedShape(Sphere(factor * width), place=point)


def _mesh(reading: StageReading, prim: Prim, scale: Vector3) -> Iterator[PlacedShape]:
    """Yield what the approximation of a mesh asks for."""
    mesh = triangles_of(reading.values, prim)
    if mesh is None:
        reading.findings.note("usd-mesh", prim.path)
        return
    if (
        reading.values.is_said(prim, SUBDIVISION)
        and reading.values.token(prim, SUBDIVISION) != "none"
    ):
        reading.findings.note("usd-subdivision", prim.path)
    asked = reading.values.token(prim, APPROXIMATION) if MESH_API in prim.schemas else "none"
    if asked in ("boundingCube", "boundingSphere"):
        yield from _bounding(mesh.points, scale, is_ball=asked == "boundingSphere")
        return
    if asked == "convexDecomposition":
        parts = decomposition.convex_parts(mesh) if decomposition.is_available() else ()
        for number, part in enumerate(parts):
            yield PlacedShape(
                Convex(reading.mesh(f"{prim.label or prim.name} part {number + 1}", part))
            )
        if parts:
            return
        reading.findings.note("usd-decomposition", prim.path)
        asked = HULL
    own = reading.mesh(prim.label or prim.name, mesh)
    if asked not in (*_AS_IT_IS, HULL):
        reading.findings.note("usd-approximation", prim.path, asked)
    yield PlacedShape(Convex(own) if asked == HULL else Trimesh(own))


def _bounding(
    points: tuple[Vector3, ...], scale: Vector3, *, is_ball: bool
) -> Iterator[PlacedShape]:
    """Yield the box along the axes of a prim around points, or the ball about its middle."""
    low, high = (tuple(pick(column) for column in zip(*points, strict=True)) for pick in (min, max))
    middle = (0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]))
    if is_ball:
        reach = max(
            sum((s * (p - m)) ** 2 for s, p, m in zip(scale, point, middle, strict=True))
            for point in points
        )
        if _are_sizes(reach):
            yield PlacedShape(Sphere(reach**0.5), place=middle)
        return
    x, y, z = (s * (b - a) for s, a, b in zip(scale, low, high, strict=True))
    if _are_sizes(x, y, z):
        yield PlacedShape(Box((x, y, z)), place=middle)


def _even(reading: StageReading, prim: Prim, scale: tuple[float, ...]) -> float:
    """Return the largest of scales, and note where they differ."""
    if max(scale) - min(scale) > EVEN * max(scale):
        reading.findings.note("usd-uneven-scale", prim.path)
    return max(scale)


def _axis(reading: StageReading, prim: Prim) -> int:
    return AXIS_OF.get(axis_of(reading.values, prim), 2)


def _turn(up: int, axis: int) -> Rotation:
    """Return the turn that takes the up axis to another one, and the next ones likewise."""
    rows = [[0.0] * 3 for _ in range(3)]
    for step in range(3):
        rows[(axis + step) % 3][(up + step) % 3] = 1.0
    return tuple(map(tuple, rows))


def _are_sizes(*sizes: float) -> bool:
    return all(isfinite(one) and one > 0.0 for one in sizes)


_MAKERS: dict[str, Callable[[StageReading, Prim, Vector3], Iterator[PlacedShape]]] = {
    "Cube": _cube,
    "Sphere": _sphere,
    **dict.fromkeys(("Capsule", "Capsule_1", "Cylinder", "Cylinder_1", "Cone"), _round),
    "Plane": _plane,
    "Points": _points,
    "Mesh": _mesh,
}
