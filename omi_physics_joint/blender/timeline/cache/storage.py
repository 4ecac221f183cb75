# SPDX-License-Identifier: GPL-3.0-or-later
"""Where simulated motion lives: a data-block in the file, made and freed with undo."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import bpy
import numpy as np
from mathutils import Matrix

from ...bridge.poses.transforms import FIELDS, Kept
from ..properties import FINGERPRINT, MOTION, SHOWN, OmiCachedBody, OmiMotionCache
from .fingerprint import Part
from .motion import Motion, Single


@dataclass(frozen=True, slots=True)
class Sign:
    """What a mechanism was at rest when its motion was found."""

    fingerprint: Sequence[Part]
    carried: Mapping[bpy.types.Object, Matrix]
    """Second frames that are no objects, by their joints, as seen from their bodies."""


_unpacked: dict[str, Motion] = {}
"""Motion by stamp: at most the one that was used last."""


def cache_of(scene: bpy.types.Scene) -> OmiMotionCache | None:
    """Return the cache of a scene; none that another scene or another file owns."""
    tree: OmiMotionCache | None = scene.omi_physics_timeline.cache
    if tree is None or tree.library is not None or tree.scene != scene or MOTION not in tree:
        return None
    return tree


def store(
    scene: bpy.types.Scene,
    first: int,
    fps: float,
    motion: Motion,
    rest: Sequence[Kept],
    sign: Sign,
) -> OmiMotionCache:
    """Put motion into the file, instead of what was there.

    Args:
        scene: whose motion it is.
        first: frame of the rest pose.
        fps: frames a second that it was simulated with.
        motion: of the objects of ``rest``.
        rest: transforms at the first frame.
        sign: what the mechanism was.
    """
    discard(scene)
    tree: OmiMotionCache = bpy.data.node_groups.new("Joint Motion", OmiMotionCache.bl_idname)
    tree.scene = scene
    for kept in rest:
        item = tree.bodies.add()
        item.object = kept.find()
        item.rotation_mode = item.object.rotation_mode
        for name, value in zip(FIELDS, kept.values, strict=True):
            setattr(item, name, value)
    tree.frame_start, tree.frame_end = first, first + motion.frames - 1
    tree.fps = fps
    data = motion.packed()
    tree[MOTION] = data
    sign_anew(tree, sign)
    tree.stamp = blake2b(data, digest_size=12).hexdigest()
    scene.omi_physics_timeline.cache = tree
    _keep(tree.stamp, motion)
    return tree


def sign_anew(tree: OmiMotionCache, sign: Sign) -> None:
    """Note what the mechanism is that a cache is valid for."""
    tree[FINGERPRINT] = json.dumps(sign.fingerprint)
    tree.joints.clear()
    for joint, frame in sign.carried.items():
        item = tree.joints.add()
        item.object, item.frame = joint, [number for row in frame for number in row]


def carried_of(tree: OmiMotionCache) -> dict[int, Matrix]:
    """Return the second frames that bodies take along, for ``away``."""
    return {
        item.object.session_uid: Matrix([item.frame[i : i + 4] for i in range(0, 16, 4)])
        for item in tree.joints
        if item.object is not None
    }


def discard(scene: bpy.types.Scene) -> None:
    """Take the motion of a scene out of the file; objects stay where they are."""
    tree = cache_of(scene)
    scene.omi_physics_timeline.cache = None
    if tree is not None:
        bpy.data.node_groups.remove(tree)


def motion_of(tree: OmiMotionCache) -> Motion:
    """Return the motion of a cache.

    Raises:
        ValueError: the bytes are damaged.
    """
    found = _unpacked.get(tree.stamp)
    if found is None:
        found = _keep(tree.stamp, Motion.unpacked(tree[MOTION], len(tree.bodies)))
    return found


def _keep(stamp: str, motion: Motion) -> Motion:
    _unpacked.clear()
    _unpacked[stamp] = motion
    return motion


def fingerprint_of(tree: OmiMotionCache) -> list[Part]:
    """Return what the mechanism was when a cache was made."""
    return [tuple(part) for part in json.loads(tree[FINGERPRINT])]


def size_of(tree: OmiMotionCache) -> int:
    """Return how many bytes of the file a cache takes."""
    return len(tree[MOTION])


def rest_values(item: OmiCachedBody) -> tuple[tuple[float, ...], ...]:
    """Return the transform that the user gave a body, in the order of ``FIELDS``."""
    return tuple(tuple(getattr(item, name)) for name in FIELDS)


def rest_of(tree: OmiMotionCache) -> list[Kept]:
    """Return where the bodies belong that are still there."""
    return [
        Kept(item.object, item.object.session_uid, item.object.name_full, rest_values(item))
        for item in tree.bodies
        if item.object is not None
    ]


def numbers_of(values: Sequence[Sequence[float]]) -> list[float]:
    """Return a transform as one list of numbers."""
    return [number for field in values for number in field]


def shown_of(tree: OmiMotionCache) -> Single | None:
    """Return what was last written to the bodies: (bodies, numbers); None where nothing was."""
    data = tree.get(SHOWN)
    if data is None:
        return None
    return np.frombuffer(data, np.float32).reshape(len(tree.bodies), -1)


def note_shown(tree: OmiMotionCache, numbers: Single | None) -> None:
    """Note what was written to the bodies; undo and autosave then hold both or neither."""
    if SHOWN in tree:
        del tree[SHOWN]  # Blender cuts bytes at the first zero where it writes over others
    if numbers is not None:
        tree[SHOWN] = numbers.tobytes()
