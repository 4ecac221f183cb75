# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to the bodies of an export goes along, whatever it leaves out of a scene.

What goes along brings its physics and not its looks: its mesh is in the file only for its shape.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

import bpy
from bpy.types import Object
from mathutils import Matrix

from ...bridge.placed import (
    Lookup,
    all_objects,
    bodies_above,
    body_of,
    going_along,
    is_out_of_date,
    is_physical,
    with_parents,
    world_of,
)
from ...bridge.read_nodes import mesh_of
from .. import ExportSettings, Untyped
from .scope import placed_in_tree, vnodes_in_order

OF_MESHES = ("convex", "trimesh")
"""Types of shapes that are meshes."""


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
        body = None if node.object is None else body_of(node.object)
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
