# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads bodies, shapes and joints while Blender's importer reads the rest."""

from __future__ import annotations

import json
import sys
import traceback
from typing import Any

import bpy
from io_scene_gltf2.blender.imp.mesh import BlenderMesh
from io_scene_gltf2.io.com.gltf2_io_extensions import Extension
from mathutils import Matrix

from ...gltf.document import DocumentError, load
from ...gltf.read import Reading, read
from ...model.axes import Z_UP_FROM_Y_UP
from ...model.issue import Issue, summary
from ...model.mechanism import Mechanism
from ...model.sagging import carried_rigidly, held_issues
from ...model.scale import in_unit
from ...model.shape import Convex, Trimesh
from ...model.transform import inverse, multiply
from ..bridge.write import apply_mechanism
from ..preview.running import AS_SPRINGS
from ..report import publish

EXTENSIONS = ("OMI_physics_joint", "OMI_physics_body", "OMI_physics_shape")


class GltfImport:
    """The part of one import that is ours."""

    def __init__(self) -> None:
        """Tell the importer which extensions a file may demand."""
        self.extensions = [Extension(name=name, extension={}, required=True) for name in EXTENSIONS]
        self.reading = Reading(Mechanism(), ())

    def gather_import_gltf_before_hook(self, gltf: Any) -> None:  # noqa: ANN401
        """Read the raw file, and cut what would send the importer round in circles."""
        try:
            self.reading = read(load(gltf.filename).json)
            _cut_cycles(gltf, self.reading.mechanism)
        except DocumentError as error:
            gltf.log.error(str(error), popup=True)
        except Exception as error:  # noqa: BLE001 - the importer would fall over it
            _tell_fault(gltf, error)

    def gather_import_scene_after_nodes_hook(
        self,
        _gltf_scene: Any,  # noqa: ANN401
        blender_scene: bpy.types.Scene,
        gltf: Any,  # noqa: ANN401
    ) -> None:
        """Write physics onto the objects that the importer made."""
        mechanism = self.reading.mechanism
        if not any(node.is_physical for node in mechanism.nodes) and not self.reading.issues:
            return
        try:
            objects = self._objects(gltf, mechanism)
            unit = 1.0 / blender_scene.unit_settings.scale_length
            apply_mechanism(in_unit(mechanism, unit), objects, lambda index: _mesh(gltf, index))
            _point_to_own_meshes(gltf, mechanism, objects)
            if mechanism.unknown:
                blender_scene.omi_physics_joint.unknown = json.dumps(mechanism.unknown)
        except Exception as error:  # noqa: BLE001 - the importer would hide it
            _tell_fault(gltf, error)
            return
        held = held_issues(mechanism, carried_rigidly(mechanism), AS_SPRINGS)
        issues = [*self.reading.issues, *held]
        publish(issues, "Import", objects=objects)
        if issues:
            gltf.log.warning(_outcome(issues), popup=True)

    def _objects(self, gltf: Any, mechanism: Mechanism) -> list[bpy.types.Object | None]:  # noqa: ANN401
        """Return the object of each node; nodes that the file lacks are made here."""
        count = len(gltf.data.nodes or ())
        objects: list[bpy.types.Object | None] = [
            getattr(gltf.vnodes.get(index), "blender_object", None) for index in range(count)
        ]
        for node in mechanism.nodes[count:]:
            obj = bpy.data.objects.new(node.name, None)
            obj.empty_display_size = 0.1
            parent = None if node.parent is None else objects[node.parent]
            local = node.world
            if parent is not None and node.parent is not None:
                local = multiply(inverse(mechanism.nodes[node.parent].world), node.world)
                obj.parent = parent
            obj.matrix_basis = Matrix(Z_UP_FROM_Y_UP.matrix(local))
            home = parent.users_collection if parent is not None else ()
            (home[0] if home else bpy.context.collection).objects.link(obj)
            objects.append(obj)
        return objects


def _tell_fault(gltf: Any, error: Exception) -> None:  # noqa: ANN401
    """Report a fault of ours to the user."""
    traceback.print_exc(file=sys.stderr)
    gltf.log.error(f"Physics joints could not be imported: {error!r}.", popup=True)


def _outcome(issues: list[Issue]) -> str:
    first = issues[0]
    return f"Physics joints: {summary(issues)}. {first.where}: {first.message} {first.fix}"


def _cut_cycles(gltf: Any, mechanism: Mechanism) -> None:  # noqa: ANN401
    """Leave each node only the children that the mechanism gave it."""
    for index, node in enumerate(gltf.data.nodes or ()):
        children = node.children or []
        sound = [
            child
            for child in dict.fromkeys(children)
            if 0 <= child < len(gltf.data.nodes) and mechanism.nodes[child].parent == index
        ]
        if sound != children:
            node.children = sound


def _mesh(gltf: Any, index: int) -> bpy.types.Mesh | None:  # noqa: ANN401
    """Return Blender's mesh of a mesh in the file; made here if no node shows it.

    The importer keeps a mesh by the skin of the node that shows it, and by its weights where it
    has shape keys. Meshes whose weights are animated it does not keep: any object has them.
    """
    if not 0 <= index < len(gltf.data.meshes or ()):
        return None
    source = gltf.data.meshes[index]
    made = source.blender_name
    bare = (None, ()) if source.shapekey_names else (None,)
    name = made.get(bare) or next(iter(made.values()), None)
    if name is not None:
        return bpy.data.meshes.get(name)
    for number, node in enumerate(gltf.data.nodes or ()):
        obj = getattr(gltf.vnodes.get(number), "blender_object", None)
        if node.mesh == index and obj is not None and obj.type == "MESH":
            return obj.data
    mesh = BlenderMesh.create(gltf, index, None)
    made[bare] = mesh.name
    return mesh


def _point_to_own_meshes(
    gltf: Any,  # noqa: ANN401
    mechanism: Mechanism,
    objects: list[bpy.types.Object | None],
) -> None:
    """Clear the mesh of each shape that uses the mesh of its own node.

    The importer makes several of one mesh for different skins and weights, and the shape may have
    been given another one than its object.
    """
    for node, source, obj in zip(mechanism.nodes, gltf.data.nodes or (), objects, strict=False):
        if obj is None or obj.type != "MESH" or source.mesh is None:
            continue
        body = obj.omi_physics_body
        for part, group in ((node.collider, body.collider), (node.trigger, body.trigger)):
            shape = None if part is None or part.shape is None else mechanism.shapes[part.shape]
            if isinstance(shape, Convex | Trimesh) and shape.mesh == source.mesh:
                group.shape.mesh = None
