# SPDX-License-Identifier: GPL-3.0-or-later
"""What nodes show, and what makes them solid or triggers, while a stage is written."""

from __future__ import annotations

from ...model.body import ZERO
from ...model.geometry.frames import is_rigid, rigid_frame
from ...model.geometry.transform import (
    IDENTITY,
    Matrix,
    inverse,
    linear_part,
    matrix_from,
    multiply,
)
from ...model.shape import Convex, Shape, Trimesh
from .. import table
from ..prim import OVER
from ..space import has_space
from .draft import Draft
from .spelling.scene import bind
from .spelling.shapes import MESH, make_solid, solid, spell_mesh, spell_shape
from .writing import Writing

COLLIDER, TRIGGER = "Collider", "Trigger"
RIGID = 1e-12
"""How far from rigid the pose of a node may be whose shapes take no pose of their own."""


def write_shapes(writing: Writing, index: int) -> None:
    """Spell what a node shows, and what makes it solid or a trigger."""
    node, path = writing.contents.mechanism.nodes[index], writing.layout.prims[index]
    shown = _shown(writing, index, path)
    collider, trigger = node.collider, node.trigger
    if collider is not None and collider.shape is not None:
        draft = _shape(writing, index, collider.shape, COLLIDER, shown)
        if draft is not None and collider.physics_material in writing.materials:
            bind(draft, writing.materials[collider.physics_material])
        writing.note_member(draft, collider.collision_filter)
    if trigger is not None and trigger.shape is not None:
        draft = _shape(writing, index, trigger.shape, TRIGGER, None)
        if draft is not None:
            draft.apply(table.PHYSX_TRIGGER_API)
            writing.losses.note("usd-trigger", index)
        writing.note_member(draft, trigger.collision_filter)


def _shown(writing: Writing, index: int, path: str) -> Draft | None:
    """Return the prim of the mesh that a node shows; the one that is there where it is."""
    mesh = writing.contents.shown.get(index)
    if mesh is None:
        return None
    if writing.matches is not None and index in writing.matches.prims:
        there = writing.matches.mesh_below(index)
        own = writing.nodes[index]
        if there == own.path:
            return own
        shown = writing.draft(there) if there else None
    elif (triangles := writing.triangles(mesh)) is not None:
        name = writing.contents.mechanism.meshes[mesh]
        shown = Draft(writing.layout.paths.take(path, name, MESH), writing.numbers, label=name)
        spell_mesh(shown, triangles)
    else:
        return None
    if shown is not None:
        writing.drafts.append(shown)
    return shown


def _shape(
    writing: Writing, index: int, number: int, name: str, shown: Draft | None
) -> Draft | None:
    """Return the prim of a shape, which is what the node shows if it is the same mesh."""
    mechanism = writing.contents.mechanism
    moves = writing.is_carried(index, itself=True)
    shape = solid(mechanism.shapes[number], writing.losses, index, moves=moves)
    mesh = _mesh_of(shape)
    triangles = None if mesh is None else writing.triangles(mesh)
    if mesh is not None and triangles is None:
        writing.losses.note("mesh-not-read", index)
        return None
    draft = shown
    if draft is None or mesh is None or mesh != writing.contents.shown.get(index):
        there = f"{writing.layout.prims[index]}/{name}"
        if not writing.is_there(there):
            there = writing.layout.paths.take(writing.layout.prims[index], name, name)
        draft = writing.draft(there, label="" if mesh is None else mechanism.meshes[mesh])
        if draft.specifier == OVER:
            draft.local = IDENTITY
        spell_shape(draft, shape, triangles)
        if mesh is None:
            draft.local = _unscaled(writing, index, draft.local)
        if writing.contents.shown or writing.matches is not None:
            draft.insist(table.PURPOSE, table.GUIDE)
        writing.drafts.append(draft)
    make_solid(draft, shape)
    return draft


def _unscaled(writing: Writing, index: int, size: Matrix | None) -> Matrix | None:
    """Return the pose of a shape below a node whose scale does not count for it."""
    world = writing.contents.mechanism.nodes[index].world
    if not has_space(world) or is_rigid(world, RIGID):
        return size
    own = linear_part(multiply(inverse(world), rigid_frame(world)))
    pose = matrix_from(own, ZERO)
    return pose if size is None else multiply(pose, size)


def _mesh_of(shape: Shape) -> int | None:
    return shape.mesh if isinstance(shape, Convex | Trimesh) else None
