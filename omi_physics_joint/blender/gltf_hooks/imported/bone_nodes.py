# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects for nodes of an imported file that became bones: bones hold no physics, objects do.

A body on a bone becomes an empty that follows the bone, at the node's place. What is rigid with the
body in the file (its frames, colliders and triggers) goes below that empty, so that it belongs to
the body in Blender as well.
"""

from __future__ import annotations

import bpy
from bpy.types import Object
from mathutils import Matrix

from ....model.mechanism import Mechanism
from ...bridge.placed import with_parents
from ...imported import in_scene
from .. import Untyped

Objects = list[Object | None]
"""By node; None for bones and for what was not imported."""


def add_for_bones(gltf: Untyped, mechanism: Mechanism, objects: Objects, unit: float) -> None:
    """Add an empty for each bone that takes part in physics, in the gaps of the objects.

    The scene has so many units a metre.
    """
    wanted = sorted(
        _involved(mechanism, len(objects)), key=lambda node: len(list(mechanism.ancestry(node)))
    )
    bones = [node for node in wanted if node < len(objects) and _is_bone(gltf, objects, node)]
    if not bones:
        return
    bpy.context.view_layer.update()
    for node in bones:
        told = mechanism.nodes[node]
        objects[node] = _empty(gltf, told.name, node, in_scene(told.world, unit))
    bpy.context.view_layer.update()
    for node in wanted:
        body = mechanism.body_of(node)
        if body in bones and body != node and node < len(objects):
            _put_below(objects[node], objects[body])
    bpy.context.view_layer.update()


def _involved(mechanism: Mechanism, count: int) -> set[int]:
    """Return the nodes that are physical, or that physics refers to.

    So many nodes are in the file; the others are made below some of these.
    """
    found: set[int] = set()
    for index, node in enumerate(mechanism.nodes):
        if index >= count and node.parent is not None:
            found.add(node.parent)
        if node.is_physical or node.unknown:
            found.add(index)
        if node.joint is not None:
            found.add(node.joint.connected_node)
        if node.trigger is not None:
            found.update(node.trigger.nodes)
    return found


def _is_bone(gltf: Untyped, objects: Objects, node: int) -> bool:
    return objects[node] is None and hasattr(gltf.vnodes.get(node), "blender_bone_name")


def _empty(gltf: Untyped, name: str, node: int, world: Matrix) -> Object:
    """Return a new empty that follows the bone of a node, with no transform of its own."""
    vnode = gltf.vnodes[node]
    armature = gltf.vnodes[vnode.bone_arma].blender_object
    obj = bpy.data.objects.new(name or vnode.blender_bone_name, None)
    obj.empty_display_size = 0.25 * vnode.bone_length
    for collection in armature.users_collection:
        collection.objects.link(obj)
    obj.parent, obj.parent_type, obj.parent_bone = armature, "BONE", vnode.blender_bone_name
    bone = armature.pose.bones[vnode.blender_bone_name]
    tip = Matrix.Translation((0.0, bone.bone.length, 0.0))
    follows = armature.matrix_world @ bone.matrix @ tip
    obj.matrix_parent_inverse = follows.inverted_safe() @ world
    return obj


def _put_below(obj: Object | None, body: Object | None) -> None:
    """Put an object below a body that it is not below yet, and leave it where it is.

    Its own transform stays, since an animation of the file may write it.
    """
    if obj is None or body is None or body in with_parents(obj):
        return
    space = obj.matrix_world @ obj.matrix_basis.inverted_safe()
    obj.parent, obj.parent_type, obj.parent_bone = body, "OBJECT", ""
    obj.matrix_parent_inverse = body.matrix_world.inverted_safe() @ space
