# SPDX-License-Identifier: GPL-3.0-or-later
"""What one glTF export contains: the exporter's tree as placed objects, and what it breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import bpy
from bpy.types import Depsgraph, Object
from mathutils import Matrix, Vector

from ....model.issue import Issue, Severity
from ....model.mechanism import Mechanism
from ...bridge.placed import (
    PlacedObject,
    bodies_above,
    body_of,
    is_physical,
    joints_in,
    objects_in,
    plain,
    world_of,
)
from .. import ExportSettings, Untyped


def vnodes_in_order(vtree: Untyped) -> list[Untyped]:
    """Return the nodes of the exporter's tree, parents first."""
    ordered: list[Untyped] = []
    waiting = list(reversed(vtree.roots))
    while waiting:
        vnode = vtree.nodes[waiting.pop()]
        ordered.append(vnode)
        waiting.extend(reversed(vnode.children))
    return ordered


def placed_in_export(
    vtree: Untyped, vnodes: list[Untyped], export_settings: ExportSettings, first: int
) -> list[PlacedObject]:
    """Return the nodes of the exporter's tree as placed objects, numbered from the first."""
    shift = Matrix()
    if export_settings["gltf_collection"] and export_settings["gltf_at_collection_center"]:
        shift.translation = -Vector(export_settings["gltf_collection_center"])
    return placed_in_tree(vtree, vnodes, shift, first)


def placed_in_tree(
    vtree: Untyped, vnodes: list[Untyped], shift: Matrix, first: int = 0
) -> list[PlacedObject]:
    """Return the nodes of the exporter's tree, all of them moved by a shift."""
    index_of = {vnode.uuid: first + i for i, vnode in enumerate(vnodes)}
    depsgraph = bpy.context.view_layer.depsgraph
    placed: list[PlacedObject] = []
    groups: list[tuple[Matrix, int | None]] = []  # of each node: base and index of its instancer
    for vnode in vnodes:
        parent = index_of.get(vnode.parent_uuid)
        above = None if parent is None else vtree.nodes[vnode.parent_uuid]
        base, instance = groups[parent - first] if parent is not None else (shift, None)
        obj = _object_of(vnode)
        if above is not None and above.blender_type == above.INST_COLLECTION:
            if obj is None or obj.parent != above.blender_object:
                collection = above.blender_object.instance_collection
                offset = Matrix.Translation(-collection.instance_offset)
                base, instance = base @ world_of(above.blender_object, depsgraph) @ offset, parent
        elif above is not None and _is_dupli(above):
            base, instance = shift, parent
        groups.append((base, instance))
        world = plain(_world(vnode, obj, above, base, shift, depsgraph))
        placed.append(PlacedObject(obj, parent, world, instance, scene=first))
    return placed


def broken_bodies(placed: list[PlacedObject], export_settings: ExportSettings) -> Iterator[Issue]:
    """Yield an issue for each frame or collider that is not below its body in this export."""
    flattened = export_settings["gltf_flatten_obj_hierarchy"]
    partners = {joint.omi_physics_joint.connected_node for _, joint in joints_in(placed)}
    exported, bodies = {node.object for node in placed}, bodies_above(placed)
    for index, obj in objects_in(placed):
        above = bodies[index]
        if obj.omi_physics_body.is_body:
            continue
        expected = body_of(obj) if is_physical(obj) or obj in partners else None
        if expected is None or (above is not None and placed[above].object == expected):
            continue
        what = "which is not exported"
        fix = "Export the body too, and keep both in the same collection."
        if expected in exported:
            what = "but the way that objects are exported separates the two"
        if expected in exported and flattened:
            what = "but Flatten Object Hierarchy separates the two"
            fix = "Turn Flatten Object Hierarchy off."
        message = f"It belongs to the body {expected.name!r}, {what}."
        yield Issue(Severity.ERROR, "body-lost-in-export", obj.name, message, fix, index)


def without_consequences(
    issues: Iterable[Issue], lost: Iterable[Issue], mechanism: Mechanism
) -> Iterator[Issue]:
    """Yield issues but for those that only say again what ``broken_bodies`` found to be lost."""
    explained = {issue.node for issue in lost}
    for issue in issues:
        joint = None if issue.node is None else mechanism.nodes[issue.node].joint
        if issue.code == "joint-without-body" and issue.node in explained:
            continue
        if issue.code == "connected-without-body" and joint and joint.connected_node in explained:
            continue
        yield issue


def lost_to_instancing(
    placed: list[PlacedObject], export_settings: ExportSettings
) -> Iterator[Issue]:
    """Yield an issue for each physical object that "GPU Instances" would melt into others.

    The exporter replaces children of one node by instances where they share a mesh and have no
    children themselves; the nodes are gone then, and their physics with them.
    """
    if not export_settings["gltf_gpu_instances"]:
        return
    parents = {node.parent for node in placed}
    leaves = {
        index: (placed[index].parent, obj.data.as_pointer())
        for index, obj in objects_in(placed)
        if index not in parents and placed[index].parent is not None and obj.type == "MESH"
    }
    counts = Counter(leaves.values())
    for index, key in leaves.items():
        obj = placed[index].owner
        if counts[key] > 1 and (is_physical(obj) or obj.omi_physics_body.unknown):
            what = "GPU Instances would merge this object with others of the same mesh."
            fix = "Turn GPU Instances off in the export settings."
            yield Issue(Severity.ERROR, "lost-to-gpu-instances", obj.name, what, fix, index)


def unplaced_issue(placed: list[PlacedObject], index: int) -> Issue:
    """Return the issue of a frame that the file cannot hold where it stands."""
    second_of = placed[index].second_of
    where = placed[index if second_of is None else second_of].owner.name
    why = "what it is parented to is scaled to almost nothing"
    what, fix = f"It cannot be written where it stands: {why}.", "Apply the scale of its parents."
    return Issue(Severity.ERROR, "frame-not-placed", where, what, fix, index)


def _object_of(vnode: Untyped) -> Object | None:
    """Return the object of a node; None for bones, collections and geometry instances."""
    if vnode.blender_bone is not None or vnode.blender_type == vnode.COLLECTION:
        return None
    found: Object | None = vnode.blender_object
    return found


def _is_dupli(vnode: Untyped) -> bool:
    """Return whether a node instances its children on vertices or faces."""
    obj = _object_of(vnode)
    return obj is not None and obj.is_instancer and obj.instance_type != "COLLECTION"


def _world(
    vnode: Untyped,
    obj: Object | None,
    above: Untyped,
    base: Matrix,
    shift: Matrix,
    depsgraph: Depsgraph | None,
) -> Matrix:
    """Return where a node is.

    The exporter's own matrix leaves out the offset of instanced collections; it is right for
    everything that is not simply an object where the scene has it.
    """
    posed = hasattr(vnode, "original_matrix_world") or (above is not None and _is_dupli(above))
    if obj is None or posed:
        return shift @ vnode.matrix_world
    return base @ world_of(obj, depsgraph)
