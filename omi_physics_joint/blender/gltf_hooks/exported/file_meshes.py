# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of convex and trimesh shapes in the file: of colliders, triggers and gravity.

Most shapes use the mesh of their own object, which the exporter writes anyway. A mesh that only a
shape uses is handed to the exporter inside an extension of the scene: there it becomes an index.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import bpy
from io_scene_gltf2.io.com.gltf2_io_extensions import Extension

try:  # Blender 5.2 moved it
    from io_scene_gltf2.blender.exp.obj_data import gather_mesh
except ModuleNotFoundError:
    from io_scene_gltf2.blender.exp.mesh import gather_mesh

from ....model.issue import Issue, Severity
from ....model.wording.words import some
from ...bridge.placed import PlacedObject
from ...bridge.read_nodes import MeshSource, SceneReading
from .. import ExportSettings, Untyped

CARRIER = "OMI_physics_shape"
"""Extension of the scene that carries meshes through the exporter; removed again at the end."""


def gather_meshes(
    scene: Untyped, sources: list[MeshSource], export_settings: ExportSettings
) -> None:
    """Have the exporter write the meshes that no exported object has as its own."""
    loose = {str(index): source for index, source in enumerate(sources) if source.owner is None}
    gathered = {index: _gather(source, export_settings) for index, source in loose.items()}
    meshes = {index: mesh for index, mesh in gathered.items() if mesh is not None}
    if meshes:
        scene.extensions = {**(scene.extensions or {}), CARRIER: Extension(CARRIER, meshes, False)}


def mesh_indices(
    gltf: Untyped, sources: list[MeshSource], vnodes: Sequence[Untyped]
) -> dict[int, int]:
    """Return the index in the file of each mesh, and remove the carriers."""
    found: dict[int, int] = {}
    for index, source in enumerate(sources):
        if source.owner is not None:
            mesh = getattr(vnodes[source.owner].node, "mesh", None)
            if isinstance(mesh, int):
                found[index] = mesh
    for scene in gltf.scenes:
        carried = (scene.extensions or {}).pop(CARRIER, {})
        found |= {int(index): mesh for index, mesh in carried.items()}
    return found


def lost_meshes(
    reading: SceneReading, found: Mapping[int, int], placed: Sequence[PlacedObject]
) -> Iterator[Issue]:
    """Yield an issue for each object whose shape names a mesh that the exporter left out."""
    lost = set(range(len(reading.meshes))) - set(found)
    for index in range(len(reading.mechanism.nodes)):
        if lost.intersection(reading.mechanism.meshes_of(index)):
            where = placed[index].owner.name
            what = "The exporter left the mesh of its shape out, as it has no faces."
            fix = "Check its modifiers, or choose another kind of shape."
            yield Issue(Severity.ERROR, "mesh-not-exported", where, what, fix, index)


def without_modifiers(
    reading: SceneReading, placed: Sequence[PlacedObject], export_settings: ExportSettings
) -> Iterator[Issue]:
    """Yield one warning of shapes whose meshes play has with modifiers and the file has not.

    What an armature moves is at rest in both.
    """
    if export_settings["gltf_apply"]:
        return
    owners = (placed[one.owner].object for one in reading.meshes if one.owner is not None)
    names = {
        obj.name
        for obj in owners
        if obj is not None
        and any(own.show_viewport and own.type != "ARMATURE" for own in obj.modifiers)
    }
    if names:
        count = f"{len(names)} shapes are" if len(names) > 1 else "1 shape is"
        what = (
            f"{count} in the file without modifiers ({some(sorted(names))}): inertia and "
            "contacts are other than here."
        )
        fix = "Turn on Mesh > Apply Modifiers in the export."
        yield Issue(Severity.WARNING, "modifiers-left-out", bpy.context.scene.name, what, fix)


def _gather(source: MeshSource, export_settings: ExportSettings) -> Untyped:
    """Return the exporter's mesh of mesh data that no object shows."""
    materials = tuple(source.mesh.materials)
    identifiers = export_settings.setdefault("material_identifiers", {})
    identifiers |= {id(material): material for material in materials if material is not None}
    return gather_mesh(source.mesh, None, None, None, materials, None, export_settings)
