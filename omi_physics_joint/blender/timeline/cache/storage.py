# SPDX-License-Identifier: GPL-3.0-or-later
"""Where simulated motion lives: a data-block in the file, made and freed with undo."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import product

import bpy
from bpy.types import Object, Scene
from mathutils import Matrix

from ....model.geometry import transform
from ...bridge.placed import bodies_of
from ...bridge.poses.transforms import FIELDS, Kept
from ..properties import (
    FINGERPRINT,
    MOTION,
    OMI_JOINT_PG_cached_body,
    OMI_JOINT_PG_cached_joint,
    OmiMotionCache,
)
from .fingerprint import Part
from .motion import CachedMotion


@dataclass(frozen=True, slots=True)
class Sign:
    """What a mechanism was at rest when its motion was found."""

    fingerprint: Sequence[Part]
    carried: Mapping[Object, Matrix]
    """Second frames that are no objects, by their joints, as seen from their bodies."""


ALIKE = 1e-4
"""By which what moves several objects alike differs."""
_unpacked: dict[str, CachedMotion] = {}
"""Motion by stamp: at most the one that was used last."""


def cache_of(scene: Scene) -> OmiMotionCache | None:
    """Return the cache of a scene; none that another scene or another file owns."""
    cache: OmiMotionCache | None = scene.omi_physics_timeline.cache
    if cache is None or cache.library is not None or cache.scene != scene or MOTION not in cache:
        return None
    return cache


def told_cache(scene: Scene) -> OmiMotionCache | None:
    """Return the cache of a scene, if there is something to be said of it.

    None where nothing is left in the scene that could be simulated: neither a body of the cache nor
    any other. That Undo may bring it back is no reason to show motion of nothing.
    """
    cache = cache_of(scene)
    if cache is None or is_in(scene, cache):
        return cache
    return cache if any(obj.omi_physics_body.is_body for obj in scene.objects) else None


def is_in(scene: Scene, cache: OmiMotionCache) -> bool:
    """Return whether a body that a cache moves is in a scene."""
    there = (item.object for item in cache.bodies if item.object is not None)
    return any(scene.objects.get(obj.name) == obj for obj in there)


def store(
    scene: Scene, first: int, motion: CachedMotion, rest: Sequence[Kept], sign: Sign
) -> OmiMotionCache:
    """Put the motion of a scene into the file, instead of what was there.

    It is of the objects of ``rest``, and begins with their transforms at the first frame.
    """
    discard(scene)
    cache: OmiMotionCache = bpy.data.node_groups.new("Joint Motion", OmiMotionCache.bl_idname)
    cache.scene = scene
    for kept in rest:
        item = cache.bodies.add()
        item.object = obj = kept.find()
        if obj is not None:
            item.rotation_mode = obj.rotation_mode
        for name, value in zip(FIELDS, kept.values, strict=True):
            setattr(item, name, value)
    cache.frame_start, cache.frame_end = first, first + motion.frames - 1
    data = motion.packed()
    cache[MOTION] = data
    sign_anew(cache, sign)
    cache.stamp = blake2b(data, digest_size=12).hexdigest()
    _point_at(scene, cache)
    _keep(cache.stamp, motion)
    return cache


def sign_anew(cache: OmiMotionCache, sign: Sign) -> None:
    """Note what the mechanism is that a cache is valid for."""
    cache[FINGERPRINT] = json.dumps(sign.fingerprint)
    assert cache.scene is not None  # whose cache it is
    moves = {item.object for item in cache.bodies}
    bodies = (obj for obj in cache.scene.objects if obj.omi_physics_body.is_body)
    stands = {obj: obj.matrix_world for obj in bodies if obj not in moves}
    for items, found in ((cache.joints, sign.carried), (cache.stands, stands)):
        items.clear()
        for obj, frame in found.items():
            item = items.add()
            item.object, item.frame = obj, [number for row in frame for number in row]


def frames_of(items: Iterable[OMI_JOINT_PG_cached_joint]) -> dict[Object, Matrix]:
    """Return the frames of joints or bodies of a cache, by those that are still there."""
    return {
        item.object: Matrix([item.frame[i : i + 4] for i in range(0, 16, 4)])
        for item in items
        if item.object is not None
    }


def discard(scene: Scene) -> None:
    """Take the motion of a scene out of the file; objects stay where they are."""
    cache = cache_of(scene)
    _point_at(scene, None)
    if cache is not None:
        bpy.data.node_groups.remove(cache)


def _point_at(scene: Scene, cache: OmiMotionCache | None) -> None:
    """Name the cache of a scene, and have the scene differ from all of its undo steps.

    A new cache may lie where a removed one lay. The scene would then read the same byte for byte
    before and after, undo would keep it as it is, and it would point at freed memory
    (docs/developers/undo-crash.md).
    """
    timeline = scene.omi_physics_timeline
    timeline.cache = cache
    timeline.changes += 1


def motion_of(cache: OmiMotionCache) -> CachedMotion:
    """Return the motion of a cache.

    Raises:
        ValueError: the bytes are damaged.
    """
    if cache.stamp not in _unpacked:
        _keep(cache.stamp, CachedMotion.unpacked(cache[MOTION], len(cache.bodies)))
    return _unpacked[cache.stamp]


def _keep(stamp: str, motion: CachedMotion) -> None:
    _unpacked.clear()
    _unpacked[stamp] = motion


def fingerprint_of(cache: OmiMotionCache) -> list[Part]:
    """Return what the mechanism was when a cache was made."""
    return [tuple(part) for part in json.loads(cache[FINGERPRINT])]


def rest_of(item: OMI_JOINT_PG_cached_body, obj: Object) -> Kept:
    """Return where a body belongs that is still there: the transform that the user gave it."""
    values = tuple(tuple(getattr(item, name)) for name in FIELDS)
    return Kept(obj, obj.session_uid, obj.name_full, values)


def moved_along(cache: OmiMotionCache, shown: Mapping[int, Matrix]) -> dict[int, Matrix]:
    """Return by what bodies that were moved as others were, below their parents, by session uid.

    Of one that was moved alone nobody knows whether it is meant to stay there.
    """
    bpy.context.view_layer.update()  # after undo, matrices are old
    found = [obj.matrix_world @ one.inverted_safe() for obj, one in frames_of(cache.stands).items()]
    own: dict[int, tuple[Matrix, Matrix]] = {}
    for obj in filter(None, (item.object for item in cache.bodies)):
        way = obj.matrix_basis @ shown.get(obj.session_uid, obj.matrix_basis).inverted_safe()
        above = obj.matrix_world @ obj.matrix_basis.inverted_safe()
        own[obj.session_uid] = way, above @ way @ above.inverted_safe()
    found += [world for _, world in own.values()]
    found = [one for one in found if transform.difference(one, Matrix()) > ALIKE]
    return {
        uid: way
        for uid, (way, world) in own.items()
        if sum(transform.difference(world, one) <= ALIKE for one in found) > 1
    }


def copies_of(cache: OmiMotionCache) -> dict[Object, Object]:
    """Return which bodies are copies, made with their joint, of bodies as a cache shows them.

    A copied joint remembers of both bodies what its original does, and they stand to each other as
    those do, but for the place where one joint's body alone was copied.
    """
    assert cache.scene is not None  # whose cache it is
    moves, known = {one.object for one in cache.bodies}, frames_of(cache.joints)
    joints = (obj for obj in cache.scene.objects if obj.omi_physics_joint.is_joint)
    new = [obj for obj in joints if obj not in known and any(obj.omi_physics_joint.joined)]
    if new:
        bpy.context.view_layer.update()  # after undo, matrices are old
    found: dict[Object, Object] = {}
    for joint, one in product(new, known):
        is_copy = [*joint.omi_physics_joint.joined] == [*one.omi_physics_joint.joined]
        if is_copy and _stand_alike(joint, one):
            for copy, own in zip(bodies_of(joint), bodies_of(one), strict=True):
                if copy is not None and own is not None and copy not in moves and own in moves:
                    found[copy] = own
    return found


def _stand_alike(joint: Object, other: Object) -> bool:
    """Return whether the connected bodies of two joints are alike in their frames."""
    both = [(one, one.omi_physics_joint.connected_body) for one in (joint, other)]
    seen = [
        one.matrix_world.inverted_safe() @ (b.matrix_world if b else Matrix()) for one, b in both
    ]
    if both[0][1] == both[1][1]:
        seen = [one.to_3x3() for one in seen]
    return transform.difference(*seen) <= ALIKE
