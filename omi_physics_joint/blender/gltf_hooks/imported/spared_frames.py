# SPDX-License-Identifier: GPL-3.0-or-later
"""Second frames of joints that say nothing but where the joint is: no objects are made of them.

``bridge.absorbed_frames`` would take them away again, which costs Blender a walk over all objects
for each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from io_scene_gltf2.blender.imp.vnode import VNode

from ....model.mechanism import Mechanism
from ...bridge.absorbed_frames import is_same_place
from ...imported import in_scene
from .. import Untyped

SAID_BY_PLACES = {"name", "children", "translation", "rotation", "scale", "matrix", "animations"}
"""Members of a node that an empty has anyway; the importer gives animations, be it none, to all."""


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
