# SPDX-License-Identifier: GPL-3.0-or-later
"""From a cache to keyframes on the objects, which then move without this add-on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Keyframe, Object, Scene
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from ..bridge.animation import BAKED, frame_of
from ..bridge.poses.second_frames import PATHS, between, fields_of, second_world, value_of
from ..bridge.poses.transforms import GROUP, NOISE, rotation_field
from ..bridge.read_groups import rows_in
from . import playback
from .cache.motion import Single
from .cache.storage import cache_of, motion_of
from .properties import OmiMotionCache
from .recording import TimelineError


@dataclass(frozen=True, slots=True)
class BakedCurve:
    """One curve to be."""

    path: str
    index: int
    frames: NDArray[np.intp]
    values: Single


def bake(
    scene: Scene, span: range, step: int, interpolation: str, tolerance: float | None
) -> tuple[int, int]:
    """Key the motion of the cache of a scene, free the cache, and count objects and keys.

    Every ``step``-th frame of a span gets keys, and its last one. Values that differ by no more
    than ``tolerance`` (m or rad, or a part of a quaternion) are one; None keys all.

    Raises:
        TimelineError: there is nothing to bake, or an object cannot get keys.
    """
    cache = cache_of(scene)
    if cache is None or cache.outdated:
        raise TimelineError("There is no valid motion to bake: simulate first.")
    there = range(max(span.start, cache.frame_start), min(span.stop, cache.frame_end + 1))
    if not there:
        raise TimelineError(
            f"Frames {span.start} to {span.stop - 1} are not simulated: "
            f"choose from {cache.frame_start} to {cache.frame_end}."
        )
    _check(cache)
    frames = np.unique([*there[::step], there[-1]])
    todo = [
        (item.object, list(_motion(cache, row, frames, tolerance)))
        for row, item in enumerate(cache.bodies)
        if item.object is not None
    ]
    frame, subframe = frame_of(scene)
    values = list(_values(scene, cache, frames, tolerance or NOISE))
    playback.free(scene)
    for obj, curves in (*todo, *values):
        for curve in curves:
            _write(obj, curve, there, interpolation)
    scene.frame_set(frame, subframe=subframe)
    keys = sum(len(curve.frames) for _, curves in (*todo, *values) for curve in curves)
    return sum(bool(curves) for _, curves in todo), keys


def _values(
    scene: Scene, cache: OmiMotionCache, frames: NDArray[np.intp], tolerance: float
) -> Iterator[tuple[Object, list[BakedCurve]]]:
    """Yield joints and the curves of their values, read from the frames as they are shown.

    They belong to the keys of the bodies: a second frame goes with the second body then.
    """
    cached = (item.object for item in cache.joints)
    joints = [joint for joint in cached if joint is not None and joint.is_editable]
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
        curves: list[BakedCurve] = []
        if len(found) == len(frames):
            for path, one, values in zip(PATHS, rest[joint], zip(*found, strict=True), strict=True):
                curves += _curves(path, np.array(values, np.float32), one, frames, tolerance)
        yield joint, curves


def _check(cache: OmiMotionCache) -> None:
    """Refuse before anything is changed."""
    for obj in filter(None, (item.object for item in cache.bodies)):
        action = obj.animation_data.action if obj.animation_data is not None else None
        if not obj.is_editable or (action is not None and not action.is_editable):
            message = f"{obj.name} is linked from another file: make it local to give it keys."
            raise TimelineError(message)


def _motion(
    cache: OmiMotionCache, row: int, frames: NDArray[np.intp], tolerance: float | None
) -> Iterator[BakedCurve]:
    item, motion, chosen = cache.bodies[row], motion_of(cache), frames - cache.frame_start
    field = rotation_field(item.rotation_mode)
    place, turn = tuple(item.location), tuple(getattr(item, field))
    locations = motion.locations[:, row].copy()
    locations[0] = place
    rotations = motion.rotations_in(row, item.rotation_mode, turn)
    yield from _curves("location", locations[chosen], place, frames, tolerance)
    yield from _curves(field, rotations[chosen], turn, frames, tolerance)


def _curves(
    path: str,
    values: Single,
    rest: Sequence[float],
    frames: NDArray[np.intp],
    tolerance: float | None,
) -> Iterator[BakedCurve]:
    """Yield the curves of a property that need keys, from its values in all frames."""
    for index, column in enumerate(values.T):
        keep = np.ones(len(frames), dtype=bool)
        if tolerance is not None:
            keep = needed(column, rest[index], tolerance)
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


def _write(obj: Object, curve: BakedCurve, span: range, interpolation: str) -> None:
    """Put keys on one curve, instead of those that it has in the same frames."""
    data = obj.animation_data_create()
    if data.action is None:
        data.action = bpy.data.actions.new(f"{obj.name} Joints")
    data.action[BAKED] = True
    group = {"group_name": GROUP} if bpy.app.version >= (5, 0, 0) else {}  # not in 4.5
    found = data.action.fcurve_ensure_for_datablock(obj, curve.path, index=curve.index, **group)
    points = found.keyframe_points
    for number in reversed(range(len(points))):
        if span[0] <= points[number].co.x <= span[-1]:
            points.remove(points[number], fast=True)
    before, count = len(points), len(curve.frames)
    points.add(count)
    handles = dict.fromkeys(("handle_left_type", "handle_right_type"), "AUTO_CLAMPED")
    for name, value in {"interpolation": interpolation, **handles}.items():
        enum = Keyframe.bl_rna.properties[name].enum_items
        numbers = rows_in(points, name, 1, np.intc)[:, 0]
        numbers[before:] = enum[value].value
        points.foreach_set(name, numbers)
    places = rows_in(points, "co", 2)
    places[before:, 0], places[before:, 1] = curve.frames, curve.values
    points.foreach_set("co", places.ravel())
    found.update()
