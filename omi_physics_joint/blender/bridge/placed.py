# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects are where, and what belongs to bodies: nodes before their physics is read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

import bpy
from bpy.types import Depsgraph, Object, Scene
from mathutils import Matrix as BlenderMatrix

from ...model.geometry.transform import Matrix
from .poses.away import carried_frame
from .poses.second_frames import after, below, value_of

PLAIN = ("EMPTY", "MESH")
"""Types of objects that may go along where they are between a collider and its body."""


@dataclass(frozen=True, slots=True)
class PlacedObject:
    """An object in one place; the same object again in every instance of its collection."""

    object: Object | None
    """None for nodes that are no objects, such as bones and collections."""
    parent: int | None
    """Index of the node above in the same list."""
    world: Matrix
    """World from object in Blender's axes."""
    instance: int | None = None
    """Index of the instancer that this comes from; None is the scene itself."""
    scene: int = 0
    """Which scene this is in, where a file holds several: objects may be in more than one."""
    second_of: int | None = None
    """Index of the joint whose second frame this is, which is no object of its own."""
    is_joint: bool = field(init=False)
    """Looked up once: every rule asks, and Blender takes long to say."""

    def __post_init__(self) -> None:
        """Look up what the object is."""
        is_joint = self.object is not None and self.object.omi_physics_joint.is_joint
        object.__setattr__(self, "is_joint", is_joint)

    @property
    def owner(self) -> Object:
        """The object, where it is known to be one: all that has physics is an object."""
        assert self.object is not None
        return self.object


def plain(matrix: BlenderMatrix) -> Matrix:
    """Return a matrix of Blender as the model has them."""
    return tuple(map(tuple, matrix))


def world_of(obj: Object, depsgraph: Depsgraph | None) -> BlenderMatrix:
    """Return world from object, also where Blender lets its own matrix grow old.

    That is so where a collection is excluded, or an object is disabled in views, and a parent
    moves.
    """
    return world_by_numbers(obj, lambda one: is_out_of_date(one, depsgraph))


def world_by_numbers(
    obj: Object, is_old: Callable[[Object], bool] = lambda _: True
) -> BlenderMatrix:
    """Return world from object by its own numbers and its parents', where Blender's are old."""
    if not is_old(obj) or obj.constraints or obj.parent_type != "OBJECT":
        return obj.matrix_world
    if obj.parent is None:
        return obj.matrix_basis
    above = world_by_numbers(obj.parent, is_old)
    return above @ obj.matrix_parent_inverse @ obj.matrix_basis


def is_out_of_date(obj: Object, depsgraph: Depsgraph | None) -> bool:
    """Return whether Blender does not keep the matrix of an object up to date."""
    return depsgraph is not None and not obj.evaluated_get(depsgraph).is_evaluated


def all_objects(scene: Scene) -> set[Object]:
    """Return the objects of a scene and all that they instance."""
    found: set[Object] = set()
    waiting = list(scene.objects)
    while waiting:
        obj = waiting.pop()
        if obj not in found:
            found.add(obj)
            if obj.instance_type == "COLLECTION" and obj.instance_collection is not None:
                waiting += obj.instance_collection.all_objects
    return found


def is_physical(obj: Object) -> bool:
    """Return whether physics makes anything of an object."""
    return bool(obj.omi_physics_joint.is_joint or obj.omi_physics_body.is_physical)


def with_parents(obj: Object) -> Iterator[Object]:
    """Yield an object and all that it is parented to."""
    above: Object | None = obj
    while above is not None:
        yield above
        above = above.parent


def body_of(obj: Object | None) -> Object | None:
    """Return the body that an object belongs to: itself, or the nearest above it; None has none."""
    above = obj
    while above is not None and not above.omi_physics_body.is_body:  # asked often: no generator
        above = above.parent
    return above


def absence(obj: Object | None) -> str:
    """Say why an object is not in a scene: Delete takes it out of all, and Link brings it alone."""
    if obj is not None and obj.users_scene:
        return "is in another scene"
    if obj is not None and obj.library is not None:
        return "was not linked along"
    return "is in no scene: deleted, joined into another object or not copied along"


def missing_as(obj: Object | None, beside: Object, *, exports: bool) -> tuple[str, str]:
    """Say why what another object needs is not beside it, and what to do.

    The second is empty but for what an export leaves out of a scene that both are in.
    """
    if not exports or obj is None or not set(obj.users_scene) & set(beside.users_scene):
        return absence(obj), ""
    chosen = "and select it where only what is selected is exported"
    if not obj.visible_get():
        return "is hidden and not exported", f"Show it, {chosen}"
    if obj.hide_render and not beside.hide_render:
        return "is hidden in renders and not exported", f"Show it in renders, {chosen}"
    # Whether by selection, collection or type, the exporter does not say.
    fix = "Select it too, export its collection along, or switch its type (such as Meshes) on"
    return "is not exported", fix


def bodies_of(joint: Object) -> tuple[Object | None, Object | None]:
    """Return the two bodies that a joint connects; None where there is none."""
    return body_of(joint), body_of(below(joint))


def is_dynamic(body: Object | None) -> TypeGuard[Object]:
    """Return whether forces move a body."""
    return body is not None and body.omi_physics_body.type == "dynamic"


def is_seen_from_second(joint: Object) -> bool:
    """Return whether a joint is seen to move against its second body: only its own is dynamic."""
    holder, other = bodies_of(joint)
    return is_dynamic(holder) and not is_dynamic(other)


def placed_in_scene(scene: Scene) -> list[PlacedObject]:
    """Return the nodes of a scene: ``objects_in_scene``, then second frames."""
    return with_second_frames(objects_in_scene(scene))


def objects_in_scene(scene: Scene) -> list[PlacedObject]:
    """Return all objects of a scene, parents first, with the instances of collections."""
    placed: list[PlacedObject] = []
    _place(scene.objects, BlenderMatrix.Identity(4), None, None, placed)
    return placed


def objects_in(placed: Iterable[PlacedObject]) -> Iterator[tuple[int, Object]]:
    """Yield the objects of nodes, each with its index."""
    return ((index, node.object) for index, node in enumerate(placed) if node.object is not None)


def joints_in(placed: Iterable[PlacedObject]) -> Iterator[tuple[int, Object]]:
    """Yield the joints among the objects of nodes, each with its index."""
    return ((index, node.owner) for index, node in enumerate(placed) if node.is_joint)


def with_second_frames(placed: Sequence[PlacedObject]) -> list[PlacedObject]:
    """Return placed objects, then a node for each second frame that is no object of its own.

    It is below the second body, and where it stands in the same instance as its joint.
    """
    found = list(placed)
    lookup = Lookup(placed)
    for index, obj in joints_in(placed):
        node, data = placed[index], obj.omi_physics_joint
        parent = None if data.connected_node else lookup.find(data.connected_body, index)
        if parent is None:
            continue
        world = node.world
        if node.instance is None and (carried := carried_frame(obj)) is not None:
            world = plain(BlenderMatrix(placed[parent].world) @ carried)
        elif (value := value_of(obj)) is not None:
            world = plain(after(BlenderMatrix(world), value))
        found.append(PlacedObject(None, parent, world, node.instance, node.scene, index))
    return found


def carried_in(placed: Sequence[PlacedObject]) -> dict[Object, BlenderMatrix]:
    """Return the second frames of a scene as seen from their bodies, by joint, for ``away``."""
    return {
        placed[node.second_of].owner: (
            BlenderMatrix(placed[node.parent].world).inverted_safe() @ BlenderMatrix(node.world)
        )
        for node in placed
        if node.second_of is not None and node.parent is not None and node.instance is None
    }


def owner_of(placed: Sequence[PlacedObject], index: int) -> Object | None:
    """Return the object of a node; of a second frame that is none, the object of its joint."""
    second_of = placed[index].second_of
    return placed[index if second_of is None else second_of].object


def instancers_of(placed: Sequence[PlacedObject], index: int) -> list[Object]:
    """Return the instancers that a node stands in, from outside in."""
    found: list[Object] = []
    instance = placed[index].instance
    while instance is not None:
        found.insert(0, placed[instance].owner)
        instance = placed[instance].instance
    return found


def _place(
    objects: Iterable[Object],
    base: BlenderMatrix,
    root: int | None,
    instance: int | None,
    placed: list[PlacedObject],
) -> None:
    """Append objects under a node, then what they instance."""
    members = list(objects)
    depsgraph = bpy.context.view_layer.depsgraph
    names = {obj.as_pointer() for obj in members}
    index_of: dict[int, int] = {}
    waiting = members
    while waiting:
        later: list[Object] = []
        for obj in waiting:
            above = obj.parent.as_pointer() if obj.parent else 0
            if above in names and above not in index_of:
                later.append(obj)
                continue
            index_of[obj.as_pointer()] = len(placed)
            world = base @ world_of(obj, depsgraph)
            placed.append(PlacedObject(obj, index_of.get(above, root), plain(world), instance))
        if len(later) == len(waiting):
            break  # a cycle of parents, which Blender itself does not allow
        waiting = later
    for obj in members:
        collection = obj.instance_collection if obj.instance_type == "COLLECTION" else None
        if collection is not None and obj.as_pointer() in index_of:
            index = index_of[obj.as_pointer()]
            offset = BlenderMatrix.Translation(-collection.instance_offset)
            inner = base @ world_of(obj, depsgraph) @ offset
            _place(collection.all_objects, inner, index, index, placed)


class Lookup:
    """Finds the node of an object as seen from another node: in its own instance first."""

    def __init__(self, placed: Sequence[PlacedObject]) -> None:
        self._placed = placed
        self._index: defaultdict[tuple[int, int | None], dict[Object, int]] = defaultdict(dict)
        for index, node in enumerate(placed):
            if node.object is not None:
                self._index[node.scene, node.instance].setdefault(node.object, index)

    def find(self, target: Object | None, seen_from: int) -> int | None:
        """Return the index of an object, or None where it is nowhere."""
        if target is None:
            return None
        node = self._placed[seen_from]
        while True:
            found = self._index[node.scene, node.instance].get(target)
            if found is not None or node.instance is None:
                return found
            node = self._placed[node.instance]


def going_along(placed: Sequence[PlacedObject], kept: Collection[int]) -> set[int]:
    """Return the nodes that are not kept and belong to bodies that are, with what is between.

    A joint goes where both of its bodies go, and its second frame with it; one that is connected
    to nothing goes where its own body goes, so that this can be said. Muted joints stay.
    """
    bodies = bodies_above(placed)
    lookup = Lookup(placed)
    found: set[int] = set()
    for index, obj in objects_in(placed):
        if bodies[index] not in kept or not is_physical(obj) or is_muted(obj):
            continue
        if obj.omi_physics_joint.is_joint and below(obj) is not None:
            second = lookup.find(below(obj), index)
            if second is None or bodies[second] not in kept:
                continue
            found.update(_up_to(placed, second, kept))
        found.update(_up_to(placed, index, kept))
    return found


def bodies_above(placed: Sequence[PlacedObject]) -> list[int | None]:
    """Return the nearest body of every node in a tree whose parents come first: itself or above."""
    found: list[int | None] = []
    for index, node in enumerate(placed):
        if node.object is not None and node.object.omi_physics_body.is_body:
            found.append(index)
        else:
            found.append(None if node.parent is None else found[node.parent])
    return found


def is_muted(obj: Object) -> bool:
    """Return whether an object is a joint that holds nothing, by the user's own choice."""
    return bool(obj.omi_physics_joint.is_joint and obj.omi_physics_joint.mute)


def _up_to(placed: Sequence[PlacedObject], index: int, kept: Collection[int]) -> Iterator[int]:
    """Yield a node and what is above it, up to what is kept."""
    above: int | None = index
    while above is not None and above not in kept:
        obj = placed[above].object
        if above != index and (obj is None or obj.type not in PLAIN):
            return
        yield above
        above = placed[above].parent
