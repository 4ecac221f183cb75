# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads bodies, shapes and joints while Blender's importer reads the rest.

Meshes of shapes are those of the importer, or new ones.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Iterator, Set
from contextlib import contextmanager

import bpy
from bpy.types import Mesh, Object, Scene
from io_scene_gltf2.blender.imp.mesh import BlenderMesh
from io_scene_gltf2.io.com.gltf2_io_extensions import Extension

from ....cli.blender_door import uncollected
from ....gltf.dialects import DIALECTS
from ....gltf.document.files import load, mentions
from ....gltf.read import Reading, read_document
from ....gltf.shared.kept import GRAVITY
from ....library.guarded import guarded
from ....model.contents import ContentsError
from ....model.geometry.scale import in_unit
from ....model.issue import Issue, Severity, summary
from ....model.mechanism import Mechanism
from ...bridge.absorbed_frames import absorb
from ...bridge.gravity import take_gravity
from ...bridge.keyed import insert_collision
from ...bridge.write import apply_mechanism
from ...check.diagnosis import bodies_on_bones
from ...check.report import IMPORT, publish
from ...imported import in_scene, link_beside, settle
from ...purpose.chosen import write_alike
from ...simulated.running import played_rigidly
from .. import Untyped
from ..animated_settings import exported_rate
from .nodes import Objects, add_for_bones, spare_frames

EXTENSIONS = (*(name for dialect in DIALECTS for name in dialect.extensions), GRAVITY)


class GltfImport:
    """The part of one import that is ours."""

    def __init__(self) -> None:
        self.extensions = [Extension(name=name, extension={}, required=True) for name in EXTENSIONS]
        self.reading = Reading(Mechanism(), ())
        self.objects: Objects = []
        """Of each node of the mechanism, as soon as all is written onto them."""
        self.spared: set[int] | None = None
        """Second frames that need no object; None before any object is made."""
        self.faults: list[Issue] = []
        """What failed although the file says nothing wrong: one node or settings block each."""

    def gather_import_gltf_before_hook(self, gltf: Untyped) -> None:
        """Read the raw file, and cut what would send the importer round in circles."""
        with _told(gltf):
            if mentions(gltf.filename, "physics"):
                self.reading = read_document(load(gltf.filename))
                _cut_cycles(gltf, self.reading.mechanism)

    def gather_import_node_before_hook(
        self, _vnode: Untyped, _node: Untyped, gltf: Untyped
    ) -> None:
        """Spare the importer second frames, before it makes the first object of all."""
        if self.spared is None:
            self.spared = set()
            unit = 1.0 / bpy.context.scene.unit_settings.scale_length
            with _told(gltf):
                self.spared = spare_frames(gltf, self.reading.mechanism, unit)

    def gather_import_scene_after_nodes_hook(
        self, _gltf_scene: Untyped, blender_scene: Scene, gltf: Untyped
    ) -> None:
        """Write physics onto the objects that the importer made."""
        with _told(gltf):
            self._write(blender_scene, gltf)

    def _write(self, blender_scene: Scene, gltf: Untyped) -> None:
        mechanism = self.reading.mechanism
        physical = any(node.is_physical or node.unknown for node in mechanism.nodes)
        if not (physical or self.reading.issues or mechanism.gravity):
            return
        unit = 1.0 / blender_scene.unit_settings.scale_length
        scaled, rate = in_unit(mechanism, unit), exported_rate(blender_scene)
        objects, options = _objects_of(gltf, mechanism, unit), blender_scene.omi_physics_joint
        meshes = ShapeMeshes(gltf, mechanism, objects)
        spared = self.spared or set()
        apply_mechanism(scaled, objects, meshes.find, self._note_fault, rate, spared)
        self.objects = objects
        if mechanism.unknown:
            options.unknown = json.dumps(mechanism.unknown)
        pulled = take_gravity(blender_scene, scaled.gravity)
        write_alike(blender_scene, self.reading.audience)
        issues = [*self.reading.issues, *_lost_nodes(mechanism, objects, spared), *meshes.issues]
        issues += [*self.faults, *played_rigidly(mechanism), *pulled, *bodies_on_bones(objects)]
        publish(issues, IMPORT, objects=objects)
        if issues:
            first = issues[0]
            outcome = f"{summary(issues)}. {first.where}: {first.message} {first.fix}"
            gltf.log.warning(f"Physics joints: {outcome}", popup=True)

    def _note_fault(self, name: str, node: int | None, error: Exception) -> None:
        """Note a failure, with its cause on standard error for whoever reports it."""
        traceback.print_exception(error, file=sys.stderr)
        message = f"Its physics could not be imported whole: {error!r}."
        fix = "Set what is missing by hand, and report this."
        self.faults.append(Issue(Severity.ERROR, "import-failed", name, message, fix, node))

    def gather_import_scene_after_animation_hook(
        self, _gltf_scene: Untyped, blender_scene: Scene, gltf: Untyped
    ) -> None:
        """Take away second frames that are nothing but that, now that all is known of them.

        Keys of objects are inserted now, since the importer puts away actions that it finds.
        """
        with _told(gltf):
            self._finish(blender_scene, gltf)

    def _finish(self, blender_scene: Scene, gltf: Untyped) -> None:
        mechanism, joints, whole = self.reading.mechanism, [], []
        for index, _, joint in mechanism.joints() if self.objects else ():
            obj = self.objects[index]
            if obj is not None:
                insert_collision(obj, joint.keys, exported_rate(blender_scene))
                joints.append(obj)
                if not _is_bone(gltf, joint.connected_node):
                    whole.append(obj)
        number = {obj: index for index, obj in enumerate(self.objects) if obj is not None}
        gone = absorb(whole, lambda obj: mechanism.nodes[number[obj]].name or obj.name)
        for obj in gone:
            gltf.vnodes.pop(number[obj], None)  # the importer is about to select what it made
        settle(joints, self.objects, gone)


def _objects_of(gltf: Untyped, mechanism: Mechanism, unit: float) -> Objects:
    """Return the object of each node; nodes that are bones or that the file lacks are made here."""
    count = len(gltf.data.nodes or ())
    objects: Objects = [
        getattr(gltf.vnodes.get(index), "blender_object", None) for index in range(count)
    ]
    add_for_bones(gltf, mechanism, objects, unit)
    for node in mechanism.nodes[count:]:
        obj = bpy.data.objects.new(node.name, None)
        obj.empty_display_size = 0.1 * unit
        parent = None if node.parent is None else objects[node.parent]
        place = in_scene(node.world, unit)
        if parent is not None and node.parent is not None:
            obj.parent = parent
            place = in_scene(mechanism.nodes[node.parent].world, unit).inverted_safe() @ place
        obj.matrix_basis = place
        link_beside(obj, parent)
        objects.append(obj)
    return objects


def _is_bone(gltf: Untyped, index: int) -> bool:
    """Return whether a node of the file has become a bone, and no object."""
    vnode = gltf.vnodes.get(index)
    return vnode is not None and getattr(vnode, "blender_object", None) is None


def _lost_nodes(mechanism: Mechanism, objects: Objects, spared: Set[int]) -> Iterator[Issue]:
    """Yield an error for each node whose physics has no object to be on, or to refer to."""
    for index, node in enumerate(mechanism.nodes):
        name = node.name or f"Node {index}"
        if objects[index] is None:
            if node.is_physical or node.unknown:
                yield _lost(name, "Blender's importer made no object of this node", "its physics")
            continue
        other = None if node.joint is None else node.joint.connected_node
        if other is not None and other not in spared and objects[other] is None:
            yield _lost(name, "Blender's importer made no object of its other side", "the joint")
        parts = () if node.trigger is None else node.trigger.nodes
        if any(objects[part] is None for part in parts):
            yield _lost(name, "Blender's importer made no object of a part of it", "that part")


def _lost(where: str, why: str, what: str) -> Issue:
    fix = "Change the file so that the node is in its scene and is neither a bone nor a camera."
    return Issue(Severity.ERROR, "node-not-imported", where, f"{why}, so {what} is left out.", fix)


@contextmanager
def _told(gltf: Untyped) -> Iterator[None]:
    """Say in a sentence what fails: the importer would fall over it, or hide it."""
    try:
        with guarded(), uncollected():
            yield
    except ContentsError as error:
        gltf.log.error(f"Physics joints could not be imported: {error}", popup=True)


def _cut_cycles(gltf: Untyped, mechanism: Mechanism) -> None:
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


class ShapeMeshes:
    """Finds meshes by their index in the file, and has an issue for each that cannot be read."""

    def __init__(self, gltf: Untyped, mechanism: Mechanism, objects: Objects) -> None:
        self._gltf, self._mechanism = gltf, mechanism
        shown = zip(objects, gltf.data.nodes or (), strict=False)
        self._own = {obj: node.mesh for obj, node in shown if obj and obj.type == "MESH"}
        self._unreadable: set[int] = set()
        self.issues: list[Issue] = []

    def find(self, index: int, obj: Object) -> Mesh | None:
        """Return Blender's mesh of a mesh in the file; None where it has none or a damaged one.

        It is the object's own where its node shows that mesh: the importer makes several of one
        for different skins and weights.
        """
        if self._own.get(obj) == index:
            own: Mesh = obj.data
            return own
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
