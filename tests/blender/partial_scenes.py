# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes with a door, and ways to export a part of them."""

from __future__ import annotations

from typing import Any

import bpy
from mathutils import Matrix
from omi_export import add, add_body, box_mesh, connect, new_collection, translation

from omi_physics_joint.model.settings.recipes import hinge

BODIES = ("Frame", "Door")
PARTS = ("Hull", "Beam", "Hinge", "Latch", "Latch Second Frame")
"""What belongs to the bodies Frame and Door and is no body itself."""
Options = dict[str, Any]


def door(bodies: Any = None, parts: Any = None, **place: Any) -> dict[str, bpy.types.Object]:
    """Make two bodies with a collider, a trigger and two joints below them, and a third body.

    One joint is one object, the other has a second frame of its own. Bodies and what belongs to
    them are in collections of their own where such are given.
    """
    frame = add_body("Frame", "static", data=box_mesh("Frame"), collection=bodies, at=(0.2, 0, 1))
    frame.omi_physics_body.use_collider = True
    leaf = add_body("Door", data=box_mesh("Door"), collection=bodies, at=(1.0, 0.3, 1.0), **place)
    hull = add("Hull", leaf, data=box_mesh("Hull", 0.6), collection=parts, at=(0.1, 0.0, 0.2))
    hull.omi_physics_body.use_collider = True
    hull.omi_physics_body.collider.shape.type = "convex"
    beam = add("Beam", leaf, collection=parts, at=(0.4, 0.0, 0.0), turned=(0.3, 0.1, 0.0))
    beam.omi_physics_body.use_trigger = True
    beam.omi_physics_body.trigger.shape.type = "sphere"
    one = connect(leaf, frame, hinge(2, 0.0, 1.0), translation(0.5, 0.3, 1.0), "Hinge")
    bpy.data.objects.remove(one.omi_physics_joint.connected_node)
    one.omi_physics_joint.connected_body = frame
    latch = connect(leaf, frame, world=translation(1.5), name="Latch")
    second = latch.omi_physics_joint.connected_node
    for obj in (one, latch, second):
        move_to(obj, parts)
    add_body("Other", data=box_mesh("Other"), at=(9.0, 0.0, 0.0)).hide_render = True
    bpy.context.view_layer.update()
    return {obj.name: obj for obj in bpy.context.scene.objects}


def move_to(obj: bpy.types.Object, collection: Any) -> None:
    """Put an object into a collection, and out of all others."""
    for old in obj.users_collection:
        old.objects.unlink(obj)
    (collection or bpy.context.scene.collection).objects.link(obj)


def select(*names: str) -> Options:
    """Select some objects, and nothing else."""
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj.name in names)
    return {"use_selection": True}


def each(names: tuple[str, ...], setting: str, *, but: str = "") -> None:
    """Switch something on for some objects."""
    for name in names:
        if name != but:
            setattr(bpy.data.objects[name], setting, True)


def hidden(*names: str) -> Options:
    """Hide objects in the view."""
    for name in names:
        bpy.data.objects[name].hide_set(True)
    return {"use_visible": True}


def disabled(*names: str) -> Options:
    """Disable objects in all views."""
    each(names, "hide_viewport")
    return {"use_visible": True}


def unrendered(*names: str) -> Options:
    """Leave objects out of renders."""
    each(names, "hide_render")
    return {"use_renderable": True}


def layer(name: str) -> bpy.types.LayerCollection:
    """Return a collection of the scene as the view layer has it."""
    return bpy.context.view_layer.layer_collection.children[name]


def apart() -> None:
    """Make the door with what belongs to its bodies in another collection than they are."""
    door(new_collection("Bodies"), new_collection("Parts"))


def active(name: str) -> Options:
    """Make a collection the active one."""
    bpy.context.view_layer.active_layer_collection = layer(name)
    return {"use_active_collection": True}


def without(name: str, setting: str, option: str) -> Options:
    """Switch a collection off."""
    setattr(bpy.data.collections[name], setting, True)
    return {option: True}


def excluded(name: str, setting: str = "exclude") -> Options:
    """Take a collection out of the view layer, or hide it there."""
    setattr(layer(name), setting, True)
    return {"use_visible": True}


def instanced() -> None:
    """Make the door in a collection that two empties instance."""
    source = new_collection("Source")
    door(source, source)
    source.instance_offset = (0.5, 0.0, 0.0)
    bpy.context.scene.collection.children.unlink(source)
    for name, x in (("Left", -3.0), ("Right", 3.0)):
        empty = add(name, at=(x, 0.0, 0.0), turned=(0.2, 0.0, 0.5))
        empty.instance_type, empty.instance_collection = "COLLECTION", source


def nested() -> None:
    """Make the door with its leaf below the frame."""
    made = door()
    leaf, world = made["Door"], made["Door"].matrix_world.copy()
    leaf.parent, leaf.matrix_parent_inverse = made["Frame"], Matrix()
    leaf.matrix_world = world


def between() -> None:
    """Make the door with an uneven, turned empty between the leaf and its hull."""
    made = door()
    middle = add("Middle", made["Door"], turned=(0.4, 0.0, 0.3), scale=(1.0, 2.0, 0.5))
    made["Hull"].parent = middle


def keyed() -> None:
    """Make the door with keyed settings, a keyed value and a keyed joint."""
    made = door()
    hinged = made["Hinge"]
    limit = hinged.omi_physics_joint.settings.limits[-1]
    for frame, value in ((0, 0.5), (10, 1.0)):
        limit.angular_max = value
        limit.keyframe_insert("angular_max", frame=frame)
        hinged.omi_physics_joint.connected_rotation = (0.0, 0.0, 0.1)
        hinged.keyframe_insert("omi_physics_joint.connected_rotation", frame=frame)
        made["Latch"].keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(0)


def on_bone() -> None:
    """Make the door with its leaf below a bone."""
    made = door()
    data = bpy.data.armatures.new("Rig")
    rig = add("Rig", data=data)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bone = data.edit_bones.new("Bone")
    bone.head, bone.tail = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    leaf, world = made["Door"], made["Door"].matrix_world.copy()
    leaf.parent, leaf.parent_type, leaf.parent_bone = rig, "BONE", "Bone"
    leaf.matrix_world = world


def modified() -> None:
    """Make the door with a hull that is what its modifier makes of it."""
    made = door()
    made["Hull"].modifiers.new("Array", "ARRAY").count = 3


def chosen_mesh() -> None:
    """Make the door with a hull that is another mesh than it shows."""
    shape = door()["Hull"].omi_physics_body.collider.shape
    shape.mesh = box_mesh("Chosen", 0.3)


def second_scene() -> None:
    """Make the door in two scenes."""
    door()
    other = bpy.data.scenes.new("Second")
    for obj in bpy.context.scene.objects:
        other.collection.objects.link(obj)


def turned() -> None:
    """Make the door with an oblique leaf of another scale."""
    door(turned=(0.4, 0.9, 0.2), scale=(2.0, 2.0, 2.0))


def for_godot() -> None:
    """Make the door for omi-godot."""
    door()
    bpy.context.scene.omi_physics_joint.target = "GODOT"


def nested_collections() -> None:
    """Make the door with what belongs to its bodies in a collection inside of theirs."""
    outer, inner = new_collection("Bodies"), bpy.data.collections.new("Parts")
    outer.children.link(inner)
    door(outer, inner)


FULL: Options = {"export_hierarchy_full_collections": True}
VARIANTS: dict[str, tuple[Any, ...]] = {
    "bodies selected": (door, lambda: select(*BODIES)),
    "joints not selected": (door, lambda: select(*BODIES, "Hull", "Beam")),
    "colliders not selected": (door, lambda: select(*BODIES, "Hinge", "Latch")),
    "second frame not selected": (door, lambda: select(*BODIES, *PARTS[:-1])),
    "second frame selected alone": (door, lambda: select(*BODIES, PARTS[-1])),
    "joints hidden": (door, lambda: hidden("Hinge", "Latch")),
    "all hidden": (door, lambda: hidden(*PARTS)),
    "collider hidden": (door, lambda: hidden("Hull")),
    "trigger disabled": (door, lambda: disabled("Beam")),
    "all disabled": (door, lambda: disabled(*PARTS)),
    "joints not rendered": (door, lambda: unrendered("Hinge", PARTS[-1])),
    "all not rendered": (door, lambda: unrendered(*PARTS)),
    "collection disabled": (apart, lambda: without("Parts", "hide_viewport", "use_visible")),
    "collection not rendered": (apart, lambda: without("Parts", "hide_render", "use_renderable")),
    "collection excluded": (apart, lambda: excluded("Parts")),
    "collection hidden": (apart, lambda: excluded("Parts", "hide_viewport")),
    "active collection": (apart, lambda: active("Bodies")),
    "active collection without nested": (
        nested_collections,
        lambda: active("Bodies") | {"use_active_collection_with_nested": False},
    ),
    "active collection with nested": (nested_collections, lambda: active("Bodies")),
    "a collection": (apart, lambda: {"collection": "Bodies"}),
    "a collection about its centre": (
        apart,
        lambda: {"collection": "Bodies", "at_collection_center": True},
    ),
    "a collection, collections as nodes": (apart, lambda: {"collection": "Bodies"} | FULL),
    "collections as nodes": (apart, lambda: FULL),
    "collections as nodes, selected": (apart, lambda: select(*BODIES) | FULL),
    "nested collections as nodes, selected": (nested_collections, lambda: select(*BODIES) | FULL),
    "instances selected, hidden inside": (
        instanced,
        lambda: unrendered(*PARTS) | select("Left", "Right"),
    ),
    "instances, rendered alone": (instanced, lambda: unrendered(*PARTS)),
    "instances, collections as nodes": (instanced, lambda: select("Left", "Right") | FULL),
    "bodies nested": (nested, lambda: select(*BODIES)),
    "oblique and scaled": (turned, lambda: select(*BODIES)),
    "something between": (between, lambda: select(*BODIES)),
    "keyed": (keyed, lambda: select(*BODIES)),
    "below a bone": (on_bone, lambda: select(*BODIES)),
    "with a modifier": (modified, lambda: select(*BODIES) | {"export_apply": True}),
    "with a chosen mesh": (chosen_mesh, lambda: select(*BODIES)),
    "of the active scene": (second_scene, lambda: select(*BODIES), {"use_active_scene": True}),
    "of two scenes": (second_scene, lambda: unrendered(*PARTS)),
    "with Z up": (door, lambda: select(*BODIES), {"export_yup": False}),
    "for Godot": (for_godot, lambda: select(*BODIES)),
    "everything at once": (
        apart,
        lambda: select(*BODIES) | hidden("Hinge") | unrendered("Hull", "Beam") | active("Bodies"),
    ),
}
"""What is made, what is left out of it, and options that hold for the whole as well."""
