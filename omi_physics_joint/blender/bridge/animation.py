# SPDX-License-Identifier: GPL-3.0-or-later
"""What animation writes. Others may use the same action: only the slot that a user has counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import bpy
from bpy.types import ID, Action, ActionSlot, AnimData, FCurve, NlaStrip, Object, Scene
from bpy.utils import escape_identifier
from mathutils import Matrix

from .placed import PlacedObject, body_of, is_dynamic, objects_in, with_parents

PLACES = ("location", "rotation_", "delta_location", "delta_rotation_", "constraints[")
"""How the paths of properties begin that say where an object is."""
LED = (*PLACES, "scale", "delta_scale", "pose.bones[", "modifiers[")
"""How those begin that say where an object is drawn, or its bones."""
UNSHAPED = frozenset(("ARMATURE", "DATA_TRANSFER", "NORMAL_EDIT", "VERTEX_WEIGHT_PROXIMITY"))
"""Types of modifiers that leave the shape of a mesh as it is; a skin goes along in files."""
BAKED = "omi_physics_baked"
"""ID property of an action that has keys of a simulated motion."""
RECORDED = frozenset(("TRANSFORM_CACHE", "FOLLOW_TRACK", "CAMERA_SOLVER", "OBJECT_SOLVER"))
"""Types of constraints that move what has them by what another file says."""
TIMED = frozenset(("WAVE", "OCEAN", "BUILD", "MESH_CACHE", "MESH_SEQUENCE_CACHE"))
TIMED |= {"GeometryNodeInputSceneTime", "GeometryNodeSimulationOutput"}
"""Types of modifiers and nodes that bend a mesh as time goes."""


def frame_of(scene: Scene) -> tuple[int, float]:
    """Return the frame of a scene and the part that follows it, as ``frame_set`` takes them.

    Before zero Blender says the next frame and a part below zero, which ``frame_set`` takes for 0.
    """
    frame, part = scene.frame_current, scene.frame_subframe
    return (frame - 1, part + 1.0) if part < 0.0 else (frame, part)


def is_led(obj: Object, seen: frozenset[Object] = frozenset()) -> bool:
    """Return whether keys, drivers or constraints move an object, or what it is parented to."""
    return any(True for _ in leaders(obj, seen))


def moving(scene: Scene, placed: Sequence[PlacedObject]) -> set[int]:
    """Return which placed objects do not stand where they stood, at some frames of a scene."""
    frame, part = frame_of(scene)
    length = scene.frame_end - scene.frame_start
    found = list[tuple[Matrix, ...]]()
    for share in (0.0, 0.27, 0.61, 1.0):  # what goes round comes to each of them but once
        scene.frame_set(scene.frame_start + round(share * length))
        found.append(tuple(obj.matrix_world.copy() for _, obj in objects_in(placed)))
    scene.frame_set(frame, subframe=part)
    ways = zip(objects_in(placed), *found, strict=True)
    return {at for (at, _), *poses in ways if len({*map(str, poses)}) > 1}


def is_resized(obj: Object) -> bool:
    """Return whether keys, strips or drivers scale an object, or what it is parented to."""
    return any(is_written(above, ("scale", "delta_scale")) for above in with_parents(obj))


def is_bent(obj: Object) -> bool:
    """Return whether modifiers bend a mesh after what moves otherwise than its object does.

    That may be keys of their own, or the time.
    """
    own = {*leaders(obj)} if obj.modifiers else set()
    for one in obj.modifiers:
        if not one.show_viewport:
            continue
        group, path = getattr(one, "node_group", None), f'["{escape_identifier(one.name)}"]'
        kinds = {one.type, *(node.bl_idname for node in (group.nodes if group else ()))}
        if kinds & TIMED or is_written(group) or is_written(obj, f"modifiers{path}"):
            return True
        after = getattr(one, "object", None) or getattr(one, "target", None)
        if after is None:
            continue
        bones = after.pose.bones if one.type == "ARMATURE" and after.pose else ()
        if not own.issuperset(leaders(after)) or (bones and is_written(after, "pose.bones[")):
            return True
        if any(_are_pulling(bone.constraints, frozenset()) for bone in bones):
            return True
    return False


def followed_by(obj: Object) -> Iterator[Object]:
    """Yield what constraints, modifiers and drivers of an object and its bones go by.

    What goes along with it is none of that: it is part of the same body.
    """
    found = set[object](shaped_by(obj))
    for owner in (obj, *(obj.pose.bones if obj.pose else ())):
        ends = _ends_of(one for one in owner.constraints if not one.mute)
        found.update(getattr(end, "target", None) for end in ends)
    for curve in drivers_of(obj, LED):
        for each in curve.driver.variables:
            places = "" if each.type != "SINGLE_PROP" else PLACES
            found.update(one.id for one in each.targets if one.data_path.startswith(places))
    own = body_of(obj)
    yield from (one for one in found if isinstance(one, Object) and body_of(one) != own)


def shaped_by(obj: Object) -> Iterator[Object]:
    """Yield the objects that modifiers of an object shape its mesh by."""
    for one in obj.modifiers:
        if one.show_viewport and one.type not in UNSHAPED:
            for name in ("object", "target", "mirror_object", "offset_object", "origin"):
                yield from filter(None, (getattr(one, name, None),))


def drivers_of(obj: Object, beginnings: tuple[str, ...] = PLACES) -> list[FCurve]:
    """Return the drivers of an object that write where it is, or what begins otherwise."""
    data = obj.animation_data
    drivers = () if data is None else data.drivers
    return [one for one in drivers if not one.mute and one.data_path.startswith(beginnings)]


def is_baked(obj: Object) -> bool:
    """Return whether an object has keys of a simulated motion."""
    data = obj.animation_data
    return data is not None and data.action is not None and BAKED in data.action


def falls_in_blender(obj: Object) -> bool:
    """Return whether Blender's own rigid bodies move an object."""
    own = obj.rigid_body
    if own is None or own.type != "ACTIVE" or own.kinematic or not own.enabled:
        return False
    scenes = bpy.data.scenes
    falling = {one for one in scenes if (world := one.rigidbody_world) and world.enabled}
    if len(falling) in {0, len(scenes)}:
        return bool(falling)
    return not falling.isdisjoint(obj.users_scene)  # for which Blender looks at all objects


def leaders(obj: Object, seen: frozenset[Object] = frozenset()) -> Iterator[Object]:
    """Yield the objects whose keys, drivers or constraints move an object: it, or above it.

    What is below a dynamic body goes where forces move that, and a dynamic one below any body is
    meant to be moved by it; its own constraints are told of whatever they follow. They may go in
    circles: what is ``seen`` is not asked again.
    """
    is_free = obj.omi_physics_body.is_body and is_dynamic(obj)
    for above in with_parents(obj):
        is_body = above != obj and above.omi_physics_body.is_body
        if above in seen or (is_body and (is_free or is_dynamic(above))):
            return
        is_pulled = not (is_free and above == obj) and _are_pulling(above.constraints, seen | {obj})
        if is_pulled or is_written(above, PLACES):
            yield above
        holder = above.parent
        if holder is not None and _carries(holder, above, seen):
            yield holder


def _carries(holder: Object, obj: Object, seen: frozenset[Object]) -> bool:
    """Return whether a bone, a path or vertices that an object is parented to take it along."""
    how = obj.parent_type
    if how == "BONE":
        return _has_led_bone(holder, obj.parent_bone, seen)
    if how == "OBJECT":
        return holder.type == "CURVE" and holder.data.use_path and is_written(holder.data)
    return how.startswith("VERTEX") and is_written(getattr(holder.data, "shape_keys", None))


def _are_pulling(constraints: Iterable[Any], seen: frozenset[Object]) -> bool:
    """Return whether one of the constraints has a target that moves, or a motion of its own."""
    for one in constraints:
        if one.mute or not one.influence or "SCALE" in one.type:
            continue
        if one.type in RECORDED or any(_is_moving(end, seen) for end in _ends_of([one])):
            return True
    return False


def _ends_of(constraints: Iterable[Any]) -> Iterator[Any]:
    for one in constraints:
        yield from one.targets if one.type == "ARMATURE" else (one,)


def _is_moving(end: object, seen: frozenset[Object]) -> bool:
    """Return whether what a constraint follows moves: an object, one of its bones, or a path."""
    target: Object | None = getattr(end, "target", None)
    if target is None:
        return False
    bone, path = getattr(end, "subtarget", ""), target.data
    if bone and _has_led_bone(target, bone, seen):
        return True
    if getattr(end, "type", "") == "FOLLOW_PATH" and is_written(path):
        return True
    return is_dynamic(body_of(target)) or is_led(target, seen)


def _has_led_bone(armature: Object, name: str, seen: frozenset[Object]) -> bool:
    """Return whether keys, drivers or constraints move a bone, or those that it is below."""
    bone = armature.pose.bones.get(name) if armature.pose else None
    if bone is None:
        return False
    bones = [bone, *bone.parent_recursive]
    names = [escape_identifier(one.name) for one in bones]
    places = [f'pose.bones["{name}"].{place}' for name in names for place in PLACES]
    pulled = any(_are_pulling(one.constraints, seen) for one in bones)
    return pulled or is_written(armature, tuple(places))


def is_written(data: ID | None, beginnings: str | tuple[str, ...] = "") -> bool:
    """Return whether keys, strips or drivers write a property whose path begins so, or any."""
    animation = None if data is None else data.animation_data
    paths = animated_paths(animation) if animation is not None else ()
    return any(path.startswith(beginnings) for path in paths)


def animated_paths(data: AnimData) -> set[str]:
    """Return the paths of all properties that keys, strips or drivers of a data-block write."""
    found = {curve.data_path for curve in data.drivers if not curve.mute}
    for user in (data, *strips_of(data)):
        found.update(curve.data_path for curve in curves_of(user.action, user.action_slot))
    return found


def animated() -> Iterator[tuple[Any, Any]]:
    """Yield data-blocks of the file that have animation, each after the one that it is part of.

    That is itself, but for node trees of materials and the like. A collection of all data-blocks,
    which some releases have beside those of each type, is passed over.
    """
    for kind in bpy.data.bl_rna.properties:
        members = kind.fixed_type.properties if kind.type == "COLLECTION" else {}
        every = getattr(bpy.data, kind.identifier) if members else ()
        owners = [(data, data) for data in every] if "animation_data" in members else []
        if "node_tree" in members:
            owners += [(data, data.node_tree) for data in every if data.node_tree is not None]
        yield from (pair for pair in owners if pair[1].animation_data is not None)


def strips_of(data: AnimData) -> Iterator[NlaStrip]:
    """Yield all strips of a data-block, those inside of others too."""
    strips = [strip for track in data.nla_tracks for strip in track.strips]
    while strips:
        strip = strips.pop()
        strips.extend(strip.strips)
        yield strip


def curves_of(action: Action | None, slot: ActionSlot | None) -> Iterator[FCurve]:
    """Yield the curves of an action that the users of one slot follow."""
    if action is None or slot is None:
        return
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(slot)
            if bag is not None:
                yield from bag.fcurves
