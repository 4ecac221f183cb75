# SPDX-License-Identifier: GPL-3.0-or-later
"""What one glTF export contains: the exporter's tree as placed objects, and what it breaks.

What belongs to the bodies of an export goes along, whatever it leaves out of a scene. It brings its
physics and not its looks: its mesh is in the file only for its shape.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator

import bpy
from bpy.types import Object
from mathutils import Matrix, Vector

from ....model.issue import Issue, Severity
from ....model.mechanism import Mechanism
from ...bridge.placed import (
    Lookup,
    PlacedObject,
    all_objects,
    bodies_above,
    body_of,
    going_along,
    is_out_of_date,
    is_physical,
    joints_in,
    missing_as,
    objects_in,
    plain,
    with_parents,
    world_of,
)
from ...bridge.read_nodes import mesh_of
from .. import ExportSettings, Untyped

OF_MESHES = ("convex", "trimesh")
"""Types of shapes that are meshes."""


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
        # The exporter's own matrix leaves out the offset of instanced collections; it is right for
        # everything that is not simply an object where the scene has it.
        posed = hasattr(vnode, "original_matrix_world") or (above is not None and _is_dupli(above))
        plainly = None if obj is None or posed else base @ world_of(obj, depsgraph)
        world = shift @ vnode.matrix_world if plainly is None else plainly
        placed.append(PlacedObject(obj, parent, plain(world), instance, scene=first))
    return placed


def lying_down(export_settings: ExportSettings) -> Iterator[Issue]:
    """Yield a warning where the file keeps Blender's axes: who reads it takes Y for up."""
    if not export_settings["gltf_yup"]:
        what = "+Y Up is off, so all lies on its side in the file: gravity is along Y there."
        fix = "Turn on Transform > +Y Up in the export, unless who reads it turns it upright."
        yield Issue(Severity.WARNING, "z-up", bpy.context.scene.name, what, fix)


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
        why, fix = missing_as(expected, obj, exports=True)
        what, fix = f"which {why}", f"{fix or 'Export the body too'}."
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


def take_along(vtree: Untyped, export_settings: ExportSettings) -> set[str]:
    """Have the exporter keep what belongs to bodies that it keeps; return ids of what does.

    The exporter has tagged the nodes of its tree and not yet taken out those that it leaves out;
    what goes along is there for its physics alone.
    """
    if export_settings["gltf_hierarchy_full_collections"]:
        _gather_below_bodies(vtree)
    vnodes = vnodes_in_order(vtree)
    kept = {index for index, vnode in enumerate(vnodes) if vnode.keep_tag}
    if len(kept) == len(vnodes):
        return set()
    placed, here = placed_in_tree(vtree, vnodes, Matrix()), all_objects(bpy.context.scene)
    along = [index for index in going_along(placed, kept) if placed[index].object in here]
    for index in along:
        vnodes[index].keep_tag = True
        vnodes[index].force_as_empty = not _has_mesh_for_shape(placed[index].owner)
    return {vnodes[index].uuid for index in along}


def bring_up_to_date(vtree: Untyped) -> None:
    """Have the exporter write physics where it is, also where Blender lets matrices grow old."""
    depsgraph = bpy.context.view_layer.depsgraph
    objects = [(vnode, vnode.blender_object) for vnode in vtree.nodes.values()]
    for vnode, obj in objects:
        if not isinstance(obj, Object) or not is_out_of_date(obj, depsgraph):
            continue
        if vnode.blender_bone is None and any(map(is_physical, with_parents(obj))):
            base = vnode.matrix_world @ obj.matrix_world.inverted_safe()
            vnode.matrix_world = base @ world_of(obj, depsgraph)


def hide_meshes(vnodes: Iterable[Untyped], ids: Collection[str]) -> None:
    """Take the meshes off nodes of the file that are there for their physics alone."""
    for vnode in vnodes:
        if vnode.uuid in ids and vnode.node is not None:
            vnode.node.mesh = vnode.node.skin = vnode.node.weights = None


def _gather_below_bodies(vtree: Untyped) -> None:
    """Put what belongs to a body below it: collections as nodes take them apart.

    An exporter of one collection has not even looked at what is in another one.
    """
    vnodes = vnodes_in_order(vtree)
    placed = placed_in_tree(vtree, vnodes, Matrix())
    lookup, bodies = Lookup(placed), bodies_above(placed)
    parts = _parts_of_bodies(all_objects(bpy.context.scene))
    for index, node in enumerate(placed):
        body = body_of(node.object)
        at = lookup.find(body, index)
        if at == index:
            for part in parts[body]:
                if lookup.find(part, index) is None:
                    _add_below(vtree, vnodes[index], part)
        elif at is not None and bodies[index] != at and node.object in parts[body]:
            _move_below(vtree, vnodes[index], vnodes[at])


def _parts_of_bodies(objects: Iterable[Object]) -> defaultdict[Object | None, list[Object]]:
    """Return what belongs to each body: what is physical itself, and second frames."""
    physical = [obj for obj in objects if is_physical(obj)]
    frames = [obj.omi_physics_joint.connected_node for obj in physical]
    found: defaultdict[Object | None, list[Object]] = defaultdict(list)
    for obj in dict.fromkeys([*physical, *(frame for frame in frames if frame is not None)]):
        if not obj.omi_physics_body.is_body:
            found[body_of(obj)].append(obj)
    return found


def _add_below(vtree: Untyped, vnode: Untyped, obj: Object) -> None:
    """Have the exporter's tree hold an object below a body that it holds, as yet left out."""
    base = vnode.matrix_world @ vnode.blender_object.matrix_world.inverted_safe()
    nobody: defaultdict[Object, list[Object]] = defaultdict(list)
    known = set(vtree.nodes)
    vtree.recursive_node_traverse(obj, None, vnode.uuid, base, False, nobody)
    for uuid in set(vtree.nodes) - known:
        vtree.nodes[uuid].keep_tag = False


def _move_below(vtree: Untyped, vnode: Untyped, body: Untyped) -> None:
    """Put a node of the exporter's tree directly below another one, where it stands."""
    siblings = vtree.roots if vnode.parent_uuid is None else vtree.nodes[vnode.parent_uuid].children
    siblings.remove(vnode.uuid)
    vnode.parent_uuid = body.uuid
    body.children.append(vnode.uuid)
    body.children_type[vnode.uuid] = vnode.CHILDREN_REAL


def _has_mesh_for_shape(obj: Object) -> bool:
    shapes = (shape for shape in obj.omi_physics_body.shapes if shape.type in OF_MESHES)
    return any(mesh_of(obj, shape.mesh) == obj.data is not None for shape in shapes)
