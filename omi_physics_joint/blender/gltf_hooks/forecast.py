# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export is going to hold, asked of the exporter's own rules before it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import SimpleNamespace

import bpy
from bpy.types import Context, Object
from io_scene_gltf2.blender.exp.tree import VExportNode, VExportTree

from ...model.wording.words import some
from ..bridge.placed import (
    Lookup,
    PlacedObject,
    bodies_above,
    going_along,
    is_muted,
    objects_in_scene,
)
from ..bridge.poses.second_frames import below
from ..purpose.left_out import belonging_without, counts_of

SETTINGS = {
    "gltf_selected": "use_selection",
    "gltf_visible": "use_visible",
    "gltf_renderable": "use_renderable",
    "gltf_active_collection": "use_active_collection",
    "gltf_active_collection_with_nested": "use_active_collection_with_nested",
    "gltf_cameras": "export_cameras",
    "gltf_lights": "export_lights",
    "gltf_collection": "collection",
}
"""What the exporter calls its options that leave objects out."""
OTHERS = {"gltf_yup": True, "gltf_def_bones": False, "gltf_armature_object_remove": False}
"""What its rules ask for besides."""
NAMED = 2
"""So many bodies are named that are not in the file."""
TYPES = {"CAMERA": VExportNode.CAMERA, "LIGHT": VExportNode.LIGHT}


def options_in(context: Context) -> Mapping[str, object]:
    """Return the options of the export whose dialog is drawn: of a file, or of a collection."""
    space = context.space_data
    dialog = getattr(space, "active_operator", None)
    names = {*SETTINGS.values(), "use_active_scene"}
    if dialog is not None:
        return {name: getattr(dialog, name) for name in names if hasattr(dialog, name)}
    exporters = context.collection.exporters if context.collection else ()
    if space is None or space.type != "PROPERTIES" or not exporters:
        return {}
    chosen = exporters[context.collection.active_exporter_index].export_properties
    found = {name: getattr(chosen, name) for name in names if hasattr(chosen, name)}
    return {**found, "collection": context.collection.name}


def forecast(options: Mapping[str, object]) -> tuple[str, str]:
    """Return in words what the file is going to hold, and what it is going to lack and why.

    The empty of a joint may be in the file and its joint not, for want of a body.
    """
    here = bpy.context.scene
    only_here = options.get("collection") or options.get("use_active_scene")
    written: list[Object] = []
    lacking: list[Object] = []
    wanted: dict[str, None] = {}
    for scene in [here] if only_here else bpy.data.scenes:
        placed = objects_in_scene(scene)
        if scene == here:
            kept = _kept(placed, options)
        else:
            with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
                kept = _kept(placed, options)
        if here.omi_physics_joint.use_belonging:
            kept |= going_along(placed, kept)
        said = list(_said(placed, kept))
        written += said
        there = {
            obj for index in kept if not (obj := placed[index].owner).omi_physics_joint.is_joint
        }
        lost = belonging_without(scene, there.union(said))
        lacking += [obj for several in lost.values() for obj in several]
        wanted.update((body.name, None) for bodies in lost for body in bodies)
    why = f", for want of {some([*wanted], NAMED)}" if wanted else ""
    return counts_of(written), counts_of(lacking) + why


def _kept(placed: Sequence[PlacedObject], options: Mapping[str, object]) -> set[int]:
    """Return which objects the exporter itself keeps; what is instanced follows its instancer."""
    names = SETTINGS.items()
    tree = VExportTree(OTHERS | {key: options.get(name, False) for key, name in names})
    kept: set[int] = set()
    for index, node in enumerate(placed):
        kind = TYPES.get(node.owner.type, VExportNode.OBJECT)
        tree.nodes[""] = SimpleNamespace(blender_object=node.owner, blender_type=kind)
        if node.instance is None:
            is_kept = tree.node_filter_inheritable_is_kept("")
        else:
            is_kept = node.instance in kept
        if is_kept and tree.node_filter_not_inheritable_is_kept(""):
            kept.add(index)
    return kept


def _said(placed: Sequence[PlacedObject], kept: AbstractSet[int]) -> Iterator[Object]:
    """Yield the objects whose physics is in the file: a joint needs both of its bodies there."""
    bodies, lookup = bodies_above(placed), Lookup(placed)
    for index in kept:
        obj = placed[index].owner
        if obj.omi_physics_joint.is_joint:
            second = lookup.find(below(obj), index)
            ends = {bodies[index], None if second is None else bodies[second]}
            if is_muted(obj) or not ends <= kept:
                continue
        yield obj
