# SPDX-License-Identifier: GPL-3.0-or-later
"""What the meshes of collision shapes hold, for the inertia of bodies that do not say theirs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import nan, sqrt
from typing import Any

import bpy
import bmesh
import numpy as np
from bpy.types import Mesh, Object, bpy_prop_collection
from numpy.typing import NDArray

from ...drawing.layout import BLENDER_FROM_GLTF
from ...model.mechanics.masses import Mass
from ...model.mechanism import Mechanism
from ...model.shape import MeshShape
from ...model.solid import MeshSolids, Triangles
from ...solver.kinematics.rotation import Array
from ...weighing.inertia import guessed_bodies, meshes_of, with_solids, with_surfaces
from ...weighing.solids import enclosed, enclosed_by_mesh
from .placed import PlacedObject
from .read_groups import rows_in
from .read_nodes import WITH_MESHES, MeshSource, SceneReading

WEIGHTS = np.sqrt(np.arange(2.0, 14.0))
"""For the numbers of a matrix, so that no two that are turned alike have the same sum."""


def measured_mechanism(
    reading: SceneReading,
    placed: Sequence[PlacedObject],
    bodies: Container[int] | None = None,
    *,
    touching: bool = False,
) -> Mechanism:
    """Return the mechanism of a reading with what the collision meshes of some bodies hold.

    Without nodes of bodies it is those that leave their centre of mass or their inertia open. With
    the triangles of all collision meshes, if bodies are to touch.
    """

    def measure(index: int) -> MeshSolids:
        with _shown(reading.meshes[index], placed) as mesh:
            return measured_mesh(mesh)

    mechanism = reading.mechanism
    wanted = guessed_bodies(mechanism) if bodies is None else bodies
    found = with_solids(mechanism, meshes_of(mechanism, wanted), measure)
    if not touching:
        return found
    return with_surfaces(found, lambda index: _surface(reading.meshes[index], placed))


@contextmanager
def _shown(source: MeshSource, placed: Sequence[PlacedObject]) -> Iterator[Mesh]:
    """Hand over a mesh as its object shows it, with modifiers."""
    obj = None if source.owner is None else placed[source.owner].object
    if obj is None or not obj.modifiers:
        yield source.mesh
        return
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    try:
        yield evaluated.to_mesh()
    finally:
        evaluated.to_mesh_clear()


def triangles_of(source: MeshSource, placed: Sequence[PlacedObject]) -> Triangles | None:
    """Return the triangles of a mesh as its object shows it, in glTF axes; None of an empty one."""
    found = _surface(source, placed)
    return found if found.triangles else None


def _surface(source: MeshSource, placed: Sequence[PlacedObject]) -> Triangles:
    """Return the same of any mesh; one of points alone has a hull."""
    with _shown(source, placed) as mesh:
        corners = tuple(map(tuple, triangles_in(mesh).tolist()))
        points = tuple(map(tuple, _points(mesh.vertices).tolist()))
    return Triangles(points, corners)


def measured_mesh(mesh: Mesh) -> MeshSolids:
    """Return what a mesh holds, in glTF axes; the hull is made by Blender's own operator."""
    points = _points(mesh.vertices)
    if not len(points) or not np.isfinite(points).all():
        return MeshSolids()
    return MeshSolids(_hull(points), enclosed_by_mesh(points, triangles_in(mesh)))


def hull_in_world(obj: Object) -> Mass | None:
    """Return the convex hull of an object in the world, at density one; None of what is flat."""
    points, world = _shown_points(obj), np.array(obj.matrix_world)
    points = points @ world[:3, :3].T + world[:3, 3]
    return _hull(points) if len(points) and np.isfinite(points).all() else None


def _shown_points(obj: Object) -> Array:
    """Return the places of what an object shows, in its own axes, (n, 3)."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    if evaluated.type not in WITH_MESHES:
        return np.zeros((0, 3))
    points = rows_in(evaluated.to_mesh().vertices, "co", 3).astype(np.float64)
    evaluated.to_mesh_clear()
    return points


def mark_of_object(obj: Object) -> float:
    """Return the mark of a body that is one object with its own mesh; see ``mark_of_body``."""
    return _mark(_shown_points(obj), np.array(obj.matrix_world))


def mark_of_body(
    reading: SceneReading, placed: Sequence[PlacedObject], parts: Iterable[int]
) -> float:
    """Return a number that is another once the meshes of a body hold more or less, or elsewhere.

    It is soon found, and NaN, which is never the same, where its parts have other shapes.
    """
    total, mechanism = 0.0, reading.mechanism
    for part in parts:
        node, owner = mechanism.nodes[part], mechanism.nodes[mechanism.body_of(part) or 0]
        shape = mechanism.shape_of(node)
        if shape is None:
            continue
        if not isinstance(shape, MeshShape):
            return nan
        with _shown(reading.meshes[shape.mesh], placed) as mesh:
            mark = _mark(rows_in(mesh.vertices, "co", 3).astype(np.float64), np.array(node.world))
        total += mark * _place_of(np.array(owner.world), np.array(node.world))
    return total or nan


def _place_of(body: Array, part: Array) -> float:
    """Return a number above zero for where a part lies in its body: 1 for the body itself."""
    apart = np.linalg.pinv(body) @ part - np.eye(4)
    return float(np.exp(0.1 * np.arcsinh(apart[:3].ravel() @ WEIGHTS)))


def _mark(points: Array, world: Array) -> float:
    size = float((points * points).sum()) / max(len(points), 1)
    lean = float((points @ WEIGHTS[:3]).sum()) / max(len(points), 1)  # two halves lean apart
    return (size + 0.25 * sqrt(size) * lean) * float(abs(np.linalg.det(world[:3, :3])))


def _points(vertices: bpy_prop_collection[Any]) -> Array:
    """Return the places of vertices in glTF's axes, (n, 3)."""
    return np.asarray(rows_in(vertices, "co", 3) @ BLENDER_FROM_GLTF, dtype=np.float64)


def triangles_in(mesh: Mesh) -> NDArray[np.intp]:
    """Return the triangles of a mesh by the numbers of their corners, (n, 3)."""
    mesh.calc_loop_triangles()
    return rows_in(mesh.loop_triangles, "vertices", 3, np.int32).astype(np.intp)


def _hull(points: Array) -> Mass | None:
    """Return what the convex hull of points (n, 3) holds; None where they are flat."""
    shell = bmesh.new()
    try:
        for point in points.tolist():
            shell.verts.new(point)
        bmesh.ops.convex_hull(shell, input=shell.verts, use_existing_faces=False)
        shell.verts.index_update()
        faces = [[vertex.index for vertex in face.verts] for face in shell.faces]
        corners = np.array([vertex.co for vertex in shell.verts], dtype=np.float64)
    finally:
        shell.free()
    return enclosed(corners, np.array(faces, dtype=np.intp).reshape(-1, 3))
