# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders and triggers: the shape that a prim has, where it is, how large, and of what material.

Sizes hold the scale of their prim, so a shape stands on the node of its prim only where that is
neither scaled nor turned to another axis; else on a node of its own below it. Meshes are scaled by
their node, as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from math import hypot, isfinite

from ....model.body import ZERO, Collider, Combine, PhysicsMaterial, Trigger, Vector3
from ....model.geometry.frames import SHEAR_TOLERANCE, is_rigid, rigid_frame, shear_of
from ....model.geometry.scale import is_uneven, scale_of, stretched
from ....model.geometry.transform import (
    IDENTITY_ROTATION,
    Rotation,
    compose,
    linear_part,
    matrix_from,
    multiply,
    translation_of,
)
from ....model.shape import Box, Capsule, Convex, Cylinder, MeshShape, Plane, Shape, Sphere, Trimesh
from ....model.solid import Triangles
from ....model.validate.bodies import bad_sizes
from ... import table
from ...prim import Prim
from ...units import has_space
from ..builder import StageReading, pooled
from ..nodes import ROUND, axis_of, points_of, shape_of, triangles_of

SQUARE = 1e-6
"""How far from rigid a node may be that counts as such: single precision leaves as much."""
MOST_POINTS = 256


@dataclass(frozen=True, slots=True)
class PlacedShape:
    """A shape, and where it is in the prim that has it."""

    shape: Shape
    turn: Rotation = IDENTITY_ROTATION
    """From the axes of the shape to those of the prim."""
    place: Vector3 = ZERO
    """In the space of the prim, m before its scale."""


def read_shapes(reading: StageReading) -> dict[int, Prim]:
    """Give nodes their colliders and triggers, and return the prim of each such node."""
    found: dict[int, Prim] = {}
    for path, index in tuple(reading.node_of.items()):
        prim = reading.prims[path]
        if table.COLLISION_API not in prim.schemas:
            continue
        if not reading.flag(prim, table.COLLISION_ENABLED):
            reading.note("usd-collision-disabled", prim)
            continue
        if not has_space(prim.world):
            reading.note("usd-shape-size", prim)
            continue
        scale = scale_of(reading.units.pose_meant(prim.world))
        for placed in _shapes_of(reading, prim, scale):
            found[_put(reading, index, prim, placed)] = prim
    return found


def _put(reading: StageReading, index: int, prim: Prim, placed: PlacedShape) -> int:
    """Put a shape on a node, or on one of its own below, and return which."""
    node = reading.nodes[index]
    world = reading.units.pose_meant(prim.world)
    is_mesh = isinstance(placed.shape, MeshShape)
    if not is_mesh and shear_of(linear_part(world)) > SHEAR_TOLERANCE:
        reading.note("usd-sheared", prim)
    is_plain = placed.turn == IDENTITY_ROTATION and placed.place == ZERO
    is_free = node.collider is None and node.trigger is None
    if not (is_free and is_plain and (is_mesh or is_rigid(node.world, SQUARE))):
        if not is_mesh:
            place = translation_of(multiply(world, compose(placed.place)))
            turned = multiply(linear_part(rigid_frame(world)), placed.turn)
            world = matrix_from(turned, place)
        index = reading.add(f"{node.name} Shape", index, world)
    shape = pooled(reading.shapes, placed.shape)
    if table.PHYSX_TRIGGER_API in prim.schemas:
        reading.change(index, trigger=Trigger(shape))
    else:
        reading.change(index, collider=Collider(shape))
    return index


def _shapes_of(reading: StageReading, prim: Prim, scale: Vector3) -> Iterator[PlacedShape]:
    """Yield the shapes of a prim; none where it has none that is known, or no size."""
    make = _MAKERS.get(prim.type)
    if make is None:
        reading.note("usd-shape", prim, prim.type or "no type")
        return
    found = tuple(make(reading, prim, scale))
    if not found and prim.type != "Mesh":
        reading.note("usd-shape-size", prim)
    yield from found


def _solid(reading: StageReading, prim: Prim, scale: Vector3) -> Iterator[PlacedShape]:
    """Yield a cube, a ball, or what is round about an axis, as large as its scale makes it."""
    shape, axis, turn = shape_of(reading, prim), axis_of(reading, prim), IDENTITY_ROTATION
    assert shape is not None
    if isinstance(shape, Capsule | Cylinder):
        turn = _turn(reading.up, axis)
        scale = (scale[axis - 2], scale[axis], scale[axis - 1])
    if is_uneven(shape, scale):
        reading.note("usd-uneven-scale", prim)
    shape = stretched(shape, scale)
    if not bad_sizes(shape):
        yield PlacedShape(shape, turn)


def _plane(reading: StageReading, prim: Prim, _scale: Vector3) -> Iterator[PlacedShape]:
    """Yield a plane: without end, whatever is drawn of it, as engines take it."""
    yield PlacedShape(Plane(), _turn(reading.up, axis_of(reading, prim)))


def _points(reading: StageReading, prim: Prim, scale: Vector3) -> Iterator[PlacedShape]:
    points = points_of(reading, prim)
    widths = prim.attributes.get("widths", ())
    widths = widths if isinstance(widths, tuple) else ()
    widths = widths * len(points) if len(widths) == 1 else widths
    half = reading.units.meant(0.5, table.SIZE.unit)
    if is_uneven(Sphere(half), scale):
        reading.note("usd-uneven-scale", prim)
    if len(points) > MOST_POINTS:
        reading.note("usd-points-many", prim)
    for point, width in list(zip(points, widths, strict=False))[:MOST_POINTS]:
        if isinstance(width, int | float) and _are_sizes(width):
            yield PlacedShape(Sphere(half * max(scale) * width), place=point)


def _mesh(reading: StageReading, prim: Prim, scale: Vector3) -> Iterator[PlacedShape]:
    """Yield what the approximation of a mesh asks for."""
    mesh = triangles_of(reading, prim)
    if mesh is None:
        reading.note("usd-mesh", prim)
        return
    if prim.attributes.get(table.SUBDIVISION.name, "none") != "none":
        reading.note("usd-subdivision", prim)
    asked = reading.token(prim, table.APPROXIMATION) if table.MESH_API in prim.schemas else "none"
    if asked in ("boundingCube", "boundingSphere"):
        yield from _bounding(mesh.points, scale, is_ball=asked == "boundingSphere")
        return
    if asked == "convexDecomposition":
        parts = _convex_parts(mesh)
        for number, part in enumerate(parts):
            yield PlacedShape(Convex(reading.mesh(f"{prim.title} part {number + 1}", part)))
        if parts:
            return
        reading.note("usd-decomposition", prim)
        asked = table.HULL
    own = reading.mesh(prim.title, mesh)
    if asked not in ("none", "", table.HULL):
        reading.note("usd-approximation", prim, asked)
    yield PlacedShape(Convex(own) if asked == table.HULL else Trimesh(own))


def _convex_parts(mesh: Triangles) -> tuple[Triangles, ...]:
    """Return convex parts, by ``coacd`` where it is installed; none where it is not, or fails."""
    if find_spec("coacd") is None:
        return ()
    import coacd
    import numpy as np

    coacd.set_log_level("error")
    try:
        parts = coacd.run_coacd(
            coacd.Mesh(np.array(mesh.points), np.array(mesh.triangles, dtype=np.int32))
        )
    except (RuntimeError, ValueError):
        return ()
    return tuple(
        Triangles(
            tuple((float(x), float(y), float(z)) for x, y, z in points),
            tuple((int(a), int(b), int(c)) for a, b, c in triangles),
        )
        for points, triangles in parts
    )


def _bounding(
    points: tuple[Vector3, ...], scale: Vector3, *, is_ball: bool
) -> Iterator[PlacedShape]:
    """Yield the box along the axes of a prim around points, or the ball about its middle."""
    low, high = (tuple(map(pick, zip(*points, strict=True))) for pick in (min, max))
    middle = (0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]))
    if is_ball:
        reach = max(
            hypot(*(s * (p - m) for s, p, m in zip(scale, point, middle, strict=True)))
            for point in points
        )
        if _are_sizes(reach):
            yield PlacedShape(Sphere(reach), place=middle)
        return
    x, y, z = (s * (b - a) for s, a, b in zip(scale, low, high, strict=True))
    if _are_sizes(x, y, z):
        yield PlacedShape(Box((x, y, z)), place=middle)


def _turn(up: int, axis: int) -> Rotation:
    """Return the turn that takes the up axis to another one, and the next ones likewise."""
    rows = [[0.0] * 3 for _ in range(3)]
    for step in range(3):
        rows[(axis + step) % 3][(up + step) % 3] = 1.0
    return tuple(map(tuple, rows))


def _are_sizes(*sizes: float) -> bool:
    return all(isfinite(one) and one > 0.0 for one in sizes)


_MAKERS: dict[str, Callable[[StageReading, Prim, Vector3], Iterator[PlacedShape]]] = {
    **dict.fromkeys(("Cube", *ROUND), _solid),
    "Plane": _plane,
    "Points": _points,
    "Mesh": _mesh,
}


_COMBINES = {word: Combine(name) for name, word in table.COMBINE_WORDS.items()}


def read_materials(reading: StageReading, colliders: Mapping[int, Prim]) -> None:
    """Give colliders their materials."""
    subsets: dict[str, list[Prim]] = {}
    for prim in reading.stage:
        if prim.type == "GeomSubset":
            subsets.setdefault(prim.parent, []).append(prim)
    for index, prim in colliders.items():
        parts = subsets.get(prim.path, ())
        if any(_material_of(reading, one) for one in parts) and any(
            one.physics_material != prim.physics_material for one in parts
        ):
            reading.note("usd-subset-materials", prim)
        collider, material = reading.nodes[index].collider, _material_of(reading, prim)
        if collider is not None and material is not None:
            surface = pooled(reading.materials, _surface(reading, material))
            reading.change(index, collider=replace(collider, physics_material=surface))


def density_of(reading: StageReading, prim: Prim) -> float:
    """Return the density of the material of a prim in kg/m^3; 0 where it has none."""
    material = _material_of(reading, prim)
    return 0.0 if material is None else reading.amount(material, table.BODY_DENSITY)


def _material_of(reading: StageReading, prim: Prim) -> Prim | None:
    """Return the material that is bound to a prim, if it says anything of physics."""
    material = reading.prims.get(prim.physics_material)
    return material if material is not None and table.MATERIAL_API in material.schemas else None


def _surface(reading: StageReading, prim: Prim) -> PhysicsMaterial:
    return PhysicsMaterial(
        prim.title,
        reading.amount(prim, table.STATIC_FRICTION),
        reading.amount(prim, table.DYNAMIC_FRICTION),
        reading.amount(prim, table.RESTITUTION),
        _COMBINES.get(reading.token(prim, table.FRICTION_COMBINE), Combine.AVERAGE),
        _COMBINES.get(reading.token(prim, table.RESTITUTION_COMBINE), Combine.AVERAGE),
    )
