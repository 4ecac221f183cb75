# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of an imported file of which Blender's importer makes no objects: bones, and second frames.

Bones hold no physics, objects do. A body on a bone becomes an empty that follows the bone, at the
node's place. What is rigid with the body in the file (its frames, colliders and triggers) goes
below that empty, so that it belongs to the body in Blender as well.

Second frames of joints that say nothing but where the joint is are spared: ``absorbed_frames``
would take them away again, which costs Blender a walk over all objects for each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import bpy
from bpy.types import Object
from io_scene_gltf2.blender.imp.vnode import VNode
from mathutils import Matrix

from ....model.mechanism import Mechanism
from ...bridge.absorbed_frames import is_same_place
from ...bridge.placed import with_parents
from ...imported import in_scene
from .. import Untyped

Objects = list[Object | None]
"""By node; None for bones and for what was not imported."""
SAID_BY_PLACES = {"name", "children", "translation", "rotation", "scale", "matrix", "animations"}
"""Members of a node that an empty has anyway; the importer gives animations, be it none, to all."""


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


def spare_frames(gltf: Untyped, mechanism: Mechanism, unit: float) -> set[int]:
    """Take second frames out of what Blender's importer is about to make; return which ones.

    They are plain, belong to one joint and coincide with it; the body above them is known.
    """
    joints = list(mechanism.all_joints())
    users = Counter(joint.connected_node for _, _, joint in joints)
    users.update(part for node in mechanism.nodes if node.trigger for part in node.trigger.nodes)
    animated = set(_animated_nodes(gltf))
    spared = set()
    for index, _, joint in joints:
        frame = joint.connected_node
        if users[frame] > 1 or joint.keys or not animated.isdisjoint((index, frame)):
            continue
        if not _is_plain(gltf, mechanism, frame) or not _is_below_object(gltf, index):
            continue
        body = mechanism.nodes[frame].parent
        if body != mechanism.body_of(frame) or body == mechanism.body_of(index):
            continue
        here, there = (in_scene(mechanism.nodes[node].world, unit) for node in (index, frame))
        if is_same_place(here, there):
            spared.add(frame)
    for frame in spared:
        gltf.vnodes[gltf.vnodes.pop(frame).parent].children.remove(frame)
    return spared


def _is_plain(gltf: Untyped, mechanism: Mechanism, index: int) -> bool:
    """Return whether a node is a named place below an object, and nothing more."""
    if index >= len(gltf.data.nodes or ()) or not _is_below_object(gltf, index):
        return False
    node, told = mechanism.nodes[index], gltf.data.nodes[index]
    said = {name for name, value in vars(told).items() if value is not None and value is not False}
    return bool(node.name) and not (
        node.is_physical or node.unknown or told.children or said - SAID_BY_PLACES
    )


def _is_below_object(gltf: Untyped, index: int) -> bool:
    """Return whether a node and what it is below are going to be objects, and no bones."""
    vnode = gltf.vnodes.get(index)
    above = None if vnode is None else gltf.vnodes.get(vnode.parent)
    return above is not None and vnode.type == above.type == VNode.Object


def _animated_nodes(gltf: Untyped) -> Iterator[int]:
    """Yield the nodes that an animation of the file moves or changes."""
    for animation in gltf.data.animations or ():
        for channel in animation.channels or ():
            pointer = (channel.target.extensions or {}).get("KHR_animation_pointer", {})
            place = str(pointer.get("pointer", "")).split("/")
            if channel.target.node is not None:
                yield channel.target.node
            if place[1:2] == ["nodes"] and place[2].isdecimal():
                yield int(place[2])
