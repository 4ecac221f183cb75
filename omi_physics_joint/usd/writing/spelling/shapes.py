# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes as prims of geometry, and what makes them solid."""

from __future__ import annotations

from math import isfinite

from ....model.contents import Triangles
from ....model.geometry.transform import compose
from ....model.shape import Box, Capsule, Convex, Cylinder, Plane, Shape, Sphere, Trimesh, slab
from ... import table
from ..draft import Draft
from ..losses import Losses

MESH = "Mesh"


def solid(shape: Shape, losses: Losses, node: int, *, moves: bool) -> Shape:
    """Return a shape as a stage can have it: a plane that has edges or moves as a box."""
    if not isinstance(shape, Plane):
        return shape
    is_box = moves or isfinite(shape.size_x) or isfinite(shape.size_z)
    if is_box or shape.double_sided:
        losses.note("usd-plane", node)
    return slab(shape) if is_box else shape


def spell_shape(draft: Draft, shape: Shape, triangles: Triangles | None) -> None:
    """Make a prim a shape about its origin; a box is a cube with a scale."""
    up = draft.numbers.up
    if isinstance(shape, Box):
        draft.type = "Cube"
        draft.insist(table.SIZE, 1.0 / draft.numbers.units.factor(table.SIZE.unit))
        factor = draft.numbers.units.factor(table.SIZE.unit)
        x, y, z = shape.size
        draft.local = compose(scale=(x * factor, y * factor, z * factor))
    elif isinstance(shape, Sphere):
        draft.type = "Sphere"
        draft.insist(table.RADIUS, shape.radius)
    elif isinstance(shape, Capsule | Cylinder):
        _spell_round(draft, shape)
    elif isinstance(shape, Plane):
        draft.type = "Plane"
        draft.insist(table.AXIS, up)
    elif triangles is not None:
        spell_mesh(draft, triangles)


def spell_mesh(draft: Draft, mesh: Triangles) -> None:
    """Make a prim a mesh."""
    draft.type = MESH
    draft.insist(table.POINTS, mesh.points)
    draft.insist(table.COUNTS, (3,) * len(mesh.triangles))
    draft.insist(table.CORNERS, tuple(corner for one in mesh.triangles for corner in one))
    draft.insist(table.SUBDIVISION, "none")
    if mesh.points:
        columns = list(zip(*mesh.points, strict=True))
        draft.insist(table.EXTENT, (tuple(map(min, columns)), tuple(map(max, columns))))


def make_solid(draft: Draft, shape: Shape) -> None:
    """Make a prim that is geometry a collider."""
    draft.apply(table.COLLISION_API)
    if isinstance(shape, Convex | Trimesh):
        draft.apply(table.MESH_API)
        draft.say(table.APPROXIMATION, table.HULL if isinstance(shape, Convex) else "none")


def _spell_round(draft: Draft, shape: Capsule | Cylinder) -> None:
    """Spell a capsule or cylinder: in the older type where it has one radius, or as a cone."""
    draft.insist(table.AXIS, draft.numbers.up)
    draft.insist(table.HEIGHT, shape.height)
    kind = type(shape).__name__
    if shape.radius_top == shape.radius_bottom:
        draft.type = kind
        draft.insist(table.RADIUS, shape.radius_top)
    elif shape.radius_top == 0.0 and isinstance(shape, Cylinder):
        draft.type = "Cone"
        draft.insist(table.RADIUS, shape.radius_bottom)
    else:
        draft.type = f"{kind}_1"
        draft.insist(table.RADIUS_TOP, shape.radius_top)
        draft.insist(table.RADIUS_BOTTOM, shape.radius_bottom)
