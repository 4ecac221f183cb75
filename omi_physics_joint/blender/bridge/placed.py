# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects are where: the nodes that a mechanism is made of, before physics is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import bpy
from mathutils import Matrix as BlenderMatrix

from ...model.transform import Matrix


@dataclass(frozen=True, slots=True)
class Placed:
    """An object in one place; the same object again in every instance of its collection."""

    object: bpy.types.Object | None
    """None for nodes that are no objects, such as bones and collections."""
    parent: int | None
    """Index of the node above in the same list."""
    world: Matrix
    """World from object in Blender's axes."""
    instance: int | None = None
    """Index of the instancer that this comes from; None is the scene itself."""
    scene: int = 0
    """Which scene this is in, where a file holds several: objects may be in more than one."""


def plain(matrix: BlenderMatrix) -> Matrix:
    """Return a matrix of Blender as the model has them."""
    return tuple(map(tuple, matrix))


def body_of(obj: bpy.types.Object) -> bpy.types.Object | None:
    """Return the body that an object belongs to: itself, or the nearest above it."""
    above: bpy.types.Object | None = obj
    while above is not None and not above.omi_physics_body.is_body:
        above = above.parent
    return above


def is_seen_from_partner(joint: bpy.types.Object, partner: bpy.types.Object) -> bool:
    """Return whether a joint is seen to move against its partner: only its own body is dynamic."""
    holder, other = body_of(joint), body_of(partner)
    moves = holder is not None and holder.omi_physics_body.type == "dynamic"
    return moves and (other is None or other.omi_physics_body.type != "dynamic")


def placed_in_scene(scene: bpy.types.Scene) -> list[Placed]:
    """Return all objects of a scene, parents first, with the instances of collections."""
    placed: list[Placed] = []
    _place(scene.objects, BlenderMatrix.Identity(4), None, None, placed)
    return placed


def _place(
    objects: Iterable[bpy.types.Object],
    base: BlenderMatrix,
    root: int | None,
    instance: int | None,
    placed: list[Placed],
) -> None:
    """Append objects under a node, then what they instance."""
    members = list(objects)
    names = {obj.as_pointer() for obj in members}
    index_of: dict[int, int] = {}
    waiting = members
    while waiting:
        later: list[bpy.types.Object] = []
        for obj in waiting:
            above = obj.parent.as_pointer() if obj.parent else 0
            if above in names and above not in index_of:
                later.append(obj)
                continue
            index_of[obj.as_pointer()] = len(placed)
            world = base @ obj.matrix_world
            placed.append(Placed(obj, index_of.get(above, root), plain(world), instance))
        if len(later) == len(waiting):
            break  # a cycle of parents, which Blender itself does not allow
        waiting = later
    for obj in members:
        collection = obj.instance_collection if obj.instance_type == "COLLECTION" else None
        if collection is not None and obj.as_pointer() in index_of:
            index = index_of[obj.as_pointer()]
            offset = BlenderMatrix.Translation(-collection.instance_offset)
            inner = base @ obj.matrix_world @ offset
            _place(collection.all_objects, inner, index, index, placed)


class Lookup:
    """Finds the node of an object as seen from another node: in its own instance first."""

    def __init__(self, placed: list[Placed]) -> None:
        """Index a list of placed objects."""
        self._placed = placed
        self._index: dict[tuple[int, int | None, int], int] = {}
        for index, node in enumerate(placed):
            if node.object is not None:
                key = (node.scene, node.instance, node.object.as_pointer())
                self._index.setdefault(key, index)

    def find(self, target: bpy.types.Object | None, seen_from: int) -> int | None:
        """Return the index of an object, or None where it is nowhere."""
        if target is None:
            return None
        pointer = target.as_pointer()
        scene = self._placed[seen_from].scene
        instance: int | None = self._placed[seen_from].instance
        while True:
            found = self._index.get((scene, instance, pointer))
            if found is not None or instance is None:
                return found
            instance = self._placed[instance].instance
