# SPDX-License-Identifier: GPL-3.0-or-later
"""From a cache to keyframes on the objects, which then move without this add-on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import FCurve, Keyframe, Object, Scene
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from ..bridge.poses.second_frames import PATHS, between, fields_of, second_world, value_of
from ..bridge.poses.transforms import GROUP, rotation_field
from . import playback
from .cache.motion import CachedMotion, Single
from .cache.storage import cache_of, motion_of
from .properties import OMI_JOINT_PG_cached_body, OmiMotionCache
from .recording import TimelineError

VALUE_NOISE = 1e-6
"""m or rad that values of joints differ by without having moved."""


@dataclass(frozen=True, slots=True)
class BakeOptions:
    """How to bake.

    Attributes:
        first: first frame that gets keys.
        last: last frame that gets keys, whatever the step.
        step: frames from one key to the next.
        interpolation: "LINEAR" or "BEZIER".
        tolerance: values that differ by no more are one value, m or rad or a part of a
            quaternion; None keys every frame.
    """

    first: int
    last: int
    step: int = 1
    interpolation: str = "LINEAR"
    tolerance: float | None = 1e-5


@dataclass(frozen=True, slots=True)
class BakedCurve:
    """One curve to be."""

    path: str
    index: int
    frames: NDArray[np.intp]
    values: Single


@dataclass(slots=True)
class Baked:
    """What a bake has made."""

    objects: int = 0
    keys: int = 0


def bake(scene: Scene, options: BakeOptions) -> Baked:
    """Key the motion of the cache of a scene, and free the cache.

    Raises:
        TimelineError: there is nothing to bake, or an object cannot get keys.
    """
    cache = cache_of(scene)
    if cache is None or cache.outdated:
        raise TimelineError("There is no valid motion to bake: simulate first.")
    first, last = max(options.first, cache.frame_start), min(options.last, cache.frame_end)
    if first > last:
        raise TimelineError(
            f"Frames {options.first} to {options.last} are not simulated: "
            f"choose from {cache.frame_start} to {cache.frame_end}."
        )
    _check(cache)
    frames = np.unique([*range(first, last + 1, options.step), last])
    todo = [
        (
            item.object,
            list(_channels(cache, motion_of(cache), row, item, frames, options.tolerance)),
        )
        for row, item in enumerate(cache.bodies)
        if item.object is not None
    ]
    now = scene.frame_current, scene.frame_subframe
    values = list(_values(scene, cache, frames, options.tolerance))
    playback.free(scene)
    baked = Baked()
    for obj, channels in (*todo, *values):
        baked.objects += bool(channels) and not obj.omi_physics_joint.is_joint
        for channel in channels:
            baked.keys += len(channel.frames)
            _write(obj, channel, (first, last), options.interpolation)
    scene.frame_set(now[0], subframe=now[1])
    return baked


def _values(
    scene: Scene, cache: OmiMotionCache, frames: NDArray[np.intp], tolerance: float | None
) -> Iterator[tuple[Object, list[BakedCurve]]]:
    """Yield joints and the curves of their values, read from the frames as they are shown.

    They belong to the keys of the bodies: a second frame goes with the second body then.
    """
    joints = [item.object for item in cache.joints]
    joints = [joint for joint in joints if joint is not None and joint.is_editable]
    rest = {joint: fields_of(value_of(joint) or Matrix()) for joint in joints}
    rows: dict[Object, list[tuple[Vector, Vector]]] = {joint: [] for joint in joints}
    for frame in frames.tolist() if joints else ():
        scene.frame_set(frame)
        for joint, found in rows.items():
            second = second_world(joint)
            if second is not None:
                before = (found[-1] if found else rest[joint])[1]
                found.append(fields_of(between(joint.matrix_world, second), before))
    for joint, found in rows.items():
        channels = []
        for number, path in enumerate(PATHS if len(found) == len(frames) else ()):
            values = np.array([one[number] for one in found], dtype=np.float32)
            for index in range(3):
                keep = needed(
                    values[:, index], rest[joint][number][index], tolerance or VALUE_NOISE
                )
                if keep.any():
                    channels.append(BakedCurve(path, index, frames[keep], values[keep, index]))
        yield joint, channels


def _check(cache: OmiMotionCache) -> None:
    """Refuse before anything is changed."""
    for item in cache.bodies:
        obj = item.object
        if obj is None:
            continue
        action = obj.animation_data.action if obj.animation_data is not None else None
        if not obj.is_editable or (action is not None and not action.is_editable):
            message = f"{obj.name} is linked from another file: make it local to give it keys."
            raise TimelineError(message)


def _channels(
    cache: OmiMotionCache,
    motion: CachedMotion,
    row: int,
    item: OMI_JOINT_PG_cached_body,
    frames: NDArray[np.intp],
    tolerance: float | None,
) -> Iterator[BakedCurve]:
    """Yield the curves of one body."""
    mode = item.rotation_mode
    field = rotation_field(mode)
    rest = {"location": tuple(item.location), field: tuple(getattr(item, field))}
    rotations = motion.rotations_in(row, mode, rest[field])
    locations = motion.locations[:, row].copy()
    locations[0] = rest["location"]
    for path, values in (("location", locations), (field, rotations)):
        chosen = values[frames - cache.frame_start]
        for index in range(values.shape[1]):
            column = chosen[:, index]
            keep = np.ones(len(frames), dtype=bool)
            if tolerance is not None:
                keep = needed(column, rest[path][index], tolerance)
            if keep.any():
                yield BakedCurve(path, index, frames[keep], column[keep])


def needed(values: Single, rest: float, tolerance: float) -> NDArray[np.bool_]:
    """Return which values need a key: (frames,).

    A curve that stays at rest needs none, one that stays elsewhere needs one; of a run of equal
    values both ends stay.
    """
    keep = np.zeros(len(values), dtype=bool)
    if np.abs(values - values[0]).max() <= tolerance:
        keep[0] = abs(values[0] - rest) > tolerance
        return keep
    keep[0] = keep[-1] = True
    anchor = values[0]
    for frame, value in enumerate(values[1:], 1):
        if abs(value - anchor) > tolerance:
            keep[frame - 1] = keep[frame] = True
            anchor = value
    return keep


def _write(obj: Object, channel: BakedCurve, span: tuple[int, int], interpolation: str) -> None:
    """Put keys on one curve, instead of those that it has in the same frames."""
    curve = _curve(obj, channel)
    points = curve.keyframe_points
    for number in reversed(range(len(points))):
        if span[0] <= points[number].co.x <= span[1]:
            points.remove(points[number], fast=True)
    before, count = len(points), len(channel.frames)
    points.add(count)
    handles = dict.fromkeys(("handle_left_type", "handle_right_type"), "AUTO_CLAMPED")
    for name, value in {"interpolation": interpolation, **handles}.items():
        enum = Keyframe.bl_rna.properties[name].enum_items
        numbers = np.empty(len(points), dtype=np.intc)
        points.foreach_get(name, numbers)
        numbers[before:] = enum[value].value
        points.foreach_set(name, numbers)
    places = np.empty((len(points), 2), dtype=np.float32)
    points.foreach_get("co", places.ravel())
    places[before:, 0], places[before:, 1] = channel.frames, channel.values
    points.foreach_set("co", places.ravel())
    curve.update()


def _curve(obj: Object, channel: BakedCurve) -> FCurve:
    """Return the curve of a property, in the action of the object or in a new one."""
    data = obj.animation_data_create()
    if data.action is None:
        data.action = bpy.data.actions.new(f"{obj.name} Joints")
    group = {"group_name": GROUP} if bpy.app.version >= (5, 0, 0) else {}  # not in 4.5
    return data.action.fcurve_ensure_for_datablock(obj, channel.path, index=channel.index, **group)
