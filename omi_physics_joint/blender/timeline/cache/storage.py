# SPDX-License-Identifier: GPL-3.0-or-later
"""Where simulated motion lives: a data-block in the file, made and freed with undo."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

import bpy
from bpy.types import Object, Scene
from mathutils import Matrix

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


class Sign(NamedTuple):
    """What a mechanism was at rest when its motion was found."""

    fingerprint: Sequence[Part]
    carried: Mapping[Object, Matrix]
    """Second frames that are no objects, by their joints, as seen from their bodies."""


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
