# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of the shapes of an imported file: those of the importer, or new ones."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from bpy.types import Mesh, Object
from io_scene_gltf2.blender.imp.mesh import BlenderMesh

from ....model.issue import Issue, Severity
from ....model.mechanism import Mechanism
from ....model.shape import MeshShape
from .. import Untyped


class ShapeMeshes:
    """Finds meshes by their index in the file, and has an issue for each that cannot be read."""

    def __init__(self, gltf: Untyped, mechanism: Mechanism) -> None:
        self._gltf, self._mechanism = gltf, mechanism
        self._unreadable: set[int] = set()
        self.issues: list[Issue] = []

    def find(self, index: int) -> Mesh | None:
        """Return Blender's mesh of a mesh in the file; None where it has none or a damaged one."""
        if index in self._unreadable or not 0 <= index < len(self._gltf.data.meshes or ()):
            return None
        before, nodes = set(bpy.data.meshes), self._mechanism.nodes
        try:
            return _mesh(self._gltf, index)
        except Exception as error:  # noqa: BLE001 - damage has many names, and costs one shape
            for half in set(bpy.data.meshes) - before:
                bpy.data.meshes.remove(half)
            self._unreadable.add(index)
            users = (i for i in range(len(nodes)) if index in self._mechanism.meshes_of(i))
            node = next(users, None)
            name = f"Mesh {index}" if node is None else nodes[node].name
            why = f"{error}".strip().rstrip(".") or type(error).__name__
            message = f"The mesh of its shape cannot be read: {why}."
            fix = "Choose a mesh for the shape, or another type of shape."
            told = Issue(Severity.ERROR, "shape-mesh-unreadable", name, message, fix, node)
            self.issues.append(told)
            return None


def _mesh(gltf: Untyped, index: int) -> Mesh:
    """Return Blender's mesh of a mesh in the file; made here if no node shows it.

    The importer keeps a mesh by the skin of the node that shows it, and by its weights where it
    has shape keys. Meshes whose weights are animated it does not keep: any object has them.
    """
    source = gltf.data.meshes[index]
    made = source.blender_name
    bare = (None, ()) if source.shapekey_names else (None,)
    name = made.get(bare) or next(iter(made.values()), None)
    if name is not None and name in bpy.data.meshes:
        return bpy.data.meshes[name]
    for number, node in enumerate(gltf.data.nodes or ()):
        obj = getattr(gltf.vnodes.get(number), "blender_object", None)
        if node.mesh == index and obj is not None and obj.type == "MESH":
            own: Mesh = obj.data
            return own
    mesh: Mesh = BlenderMesh.create(gltf, index, None)
    made[bare] = mesh.name
    return mesh


def point_to_own_meshes(
    gltf: Untyped, mechanism: Mechanism, objects: Sequence[Object | None]
) -> None:
    """Clear the mesh of each shape that uses the mesh of its own node.

    The importer makes several of one mesh for different skins and weights, and the shape may have
    been given another one than its object.
    """
    for node, source, obj in zip(mechanism.nodes, gltf.data.nodes or (), objects, strict=False):
        if obj is None or obj.type != "MESH" or source.mesh is None:
            continue
        body = obj.omi_physics_body
        shapes = (
            (node.collider.shape if node.collider else None, body.collider.shape),
            (node.trigger.shape if node.trigger else None, body.trigger.shape),
            (node.gravity_shape, body.gravity_shape),
        )
        for at, group in shapes:
            shape = mechanism.shape_at(at)
            if isinstance(shape, MeshShape) and shape.mesh == source.mesh:
                group.mesh = None
