# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes as prims of geometry: what nodes show, and what makes them solid or triggers."""

from __future__ import annotations

from math import isfinite

from ....model.body import ZERO
from ....model.geometry.frames import is_rigid, rigid_frame
from ....model.geometry.scale import standing
from ....model.geometry.transform import (
    IDENTITY,
    Matrix,
    compose,
    inverse,
    linear_part,
    matrix_from,
    multiply,
)
from ....model.shape import Box, Capsule, Convex, Cylinder, MeshShape, Plane, Shape, Sphere, slab
from ....model.solid import Triangles
from ... import table
from ...units import has_space
from ..draft import Draft, Writing
from .scene import bind

MESH = "Mesh"
RIGID = 1e-12
"""How far from rigid the pose of a node may be whose shapes take no pose of their own."""


def spell_shapes(writing: Writing, index: int) -> None:
    """Spell what a node shows, and what makes it solid or a trigger."""
    node = writing.mechanism.nodes[index]
    shown = _shown(writing, index)
    collider, trigger = node.collider, node.trigger
    if collider is not None and collider.shape is not None:
        draft = _solid(writing, index, collider.shape, "Collider", shown)
        if draft is not None:
            if collider.physics_material in writing.materials:
                bind(draft, writing.materials[collider.physics_material])
            writing.note_member(draft, collider.collision_filter)
            body = writing.mechanism.body_of(index)
            if body is not None:
                writing.solids.setdefault(body, []).append(draft)
    if trigger is not None and trigger.shape is not None:
        draft = _solid(writing, index, trigger.shape, "Trigger", None)
        if draft is not None:
            draft.apply(table.PHYSX_TRIGGER_API)
            writing.note("usd-trigger", index)
            writing.note_member(draft, trigger.collision_filter)


def _shown(writing: Writing, index: int) -> Draft | None:
    """Return the prim of the mesh that a node shows; the one that is there where it is."""
    mesh = writing.contents.shown.get(index)
    if mesh is None:
        return None
    own = writing.nodes[index]
    if writing.matches is not None and index in writing.matches.prims:
        there = writing.matches.mesh_below(index)
        if there == own.path:
            return own
        return writing.draft(there) if there else None
    triangles = writing.triangles(mesh)
    if triangles is None:
        writing.note("mesh-not-read", index)
        return None
    name = writing.mechanism.meshes[mesh]
    shown = writing.new(own.path, name, MESH, label=name)
    _spell_mesh(shown, triangles)
    return shown


def _solid(
    writing: Writing, index: int, number: int, name: str, shown: Draft | None
) -> Draft | None:
    """Return the prim of a shape, which is what the node shows if it is the same mesh."""
    up = 2 if writing.stage.up_axis == "Z" else 1
    shape = standing(writing.mechanism.shapes[number], writing.mechanism.nodes[index].world, up)
    if isinstance(shape, Plane):
        is_box = writing.is_carried(index) or isfinite(shape.size_x) or isfinite(shape.size_z)
        if is_box or shape.double_sided:
            writing.note("usd-plane", index)
        shape = slab(shape) if is_box else shape
    mesh = shape.mesh if isinstance(shape, MeshShape) else None
    triangles = None if mesh is None else writing.triangles(mesh)
    if mesh is not None and triangles is None:
        writing.note("mesh-not-read", index)
        return None
    draft = shown
    if draft is None or mesh is None or mesh != writing.contents.shown.get(index):
        above = writing.nodes[index].path
        if writing.is_there(f"{above}/{name}"):
            draft = writing.draft(f"{above}/{name}")
            draft.local = IDENTITY
        else:
            label = "" if mesh is None else writing.mechanism.meshes[mesh]
            draft = writing.new(above, name, name, label=label)
        _spell_shape(draft, shape, triangles)
        if mesh is None:
            draft.local = _unscaled(writing, index, draft.local)
        if writing.contents.shown or writing.matches is not None:
            draft.insist(table.PURPOSE, table.GUIDE)
    draft.apply(table.COLLISION_API)
    if mesh is not None:
        draft.apply(table.MESH_API)
        draft.say(table.APPROXIMATION, table.HULL if isinstance(shape, Convex) else "none")
    return draft


def _unscaled(writing: Writing, index: int, size: Matrix | None) -> Matrix | None:
    """Return the pose of a shape, which has the scale of its node already, below that."""
    world = writing.mechanism.nodes[index].world
    if not has_space(world) or is_rigid(world, RIGID):
        return size
    own = linear_part(multiply(inverse(world), rigid_frame(world)))
    return multiply(matrix_from(own, ZERO), size or IDENTITY)


def _spell_shape(draft: Draft, shape: Shape, triangles: Triangles | None) -> None:
    """Make a prim a shape about its origin; a box is a cube with a scale."""
    if isinstance(shape, Box):
        draft.type = "Cube"
        factor = draft.stage.units.factor(table.SIZE.unit)
        draft.insist(table.SIZE, 1.0 / factor)
        x, y, z = shape.size
        draft.local = compose(scale=(x * factor, y * factor, z * factor))
    elif isinstance(shape, Sphere):
        draft.type = "Sphere"
        draft.insist(table.RADIUS, shape.radius)
    elif isinstance(shape, Capsule | Cylinder):
        _spell_round(draft, shape)
    elif isinstance(shape, Plane):
        draft.type = "Plane"
        draft.insist(table.AXIS, draft.stage.up_axis)
    elif triangles is not None:
        _spell_mesh(draft, triangles)


def _spell_mesh(draft: Draft, mesh: Triangles) -> None:
    draft.type = MESH
    draft.insist(table.POINTS, mesh.points)
    draft.insist(table.COUNTS, (3,) * len(mesh.triangles))
    draft.insist(table.CORNERS, tuple(corner for one in mesh.triangles for corner in one))
    draft.insist(table.SUBDIVISION, "none")
    if mesh.points:
        columns = list(zip(*mesh.points, strict=True))
        draft.insist(table.EXTENT, (tuple(map(min, columns)), tuple(map(max, columns))))


def _spell_round(draft: Draft, shape: Capsule | Cylinder) -> None:
    """Spell a capsule or cylinder: in the older type where it has one radius, or as a cone."""
    draft.insist(table.AXIS, draft.stage.up_axis)
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
