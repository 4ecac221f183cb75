# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinematic bodies that follow their animation: the frame of the scene goes along with the play.

Going to another frame and back sets every animated property to what its curve says, and so loses
what the user changed without keying it. Whoever borrows the frame keeps the values first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import bpy
import numpy as np
from bpy.types import ID, Object, Scene
from numpy.typing import NDArray

from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.geometry.frames import is_flat, rigid_frame
from ...model.geometry.transform import linear_part, quaternion_from_rotation, translation_of
from ...solver import KinematicMotion
from ..bridge.animation import animated, animated_paths, frame_of, is_led, is_written
from ..bridge.placed import PlacedObject, plain, with_parents

Array = NDArray[np.float64]
Pose = tuple[Array, Array]
"""Place (3,) in m and rotation (4,), x y z w, in glTF axes."""
Value = bool | int | float | str | tuple[object, ...]

_STEP = re.compile(r'\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\.?(\w+)')
"""One step of a data path: a key in quotes, an index, or a name."""


def fps_of(scene: Scene) -> float:
    """Return the frames a second of a scene."""
    return float(scene.render.fps / scene.render.fps_base)


class SceneFrame:
    """The frame of a scene, borrowed, with all that animation writes."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._frame, self._part = frame_of(scene)
        self._values = AnimatedValues()
        self._rate = fps_of(scene)
        self._time = 0.0
        self.lost: list[str] = []
        """Animated values that could not be put back when it was last at rest."""

    def go(self, time: float) -> None:
        """Go to a time in s after the frame that was kept."""
        self._time = time
        if time == 0.0:
            self.suspend()
            return
        whole, part = divmod(self._frame + self._part + time * self._rate, 1.0)
        self.scene.frame_set(int(whole), subframe=part)

    def suspend(self) -> None:
        """Go back to the frame that was kept, with all values as they were."""
        try:
            self.scene.frame_set(self._frame, subframe=self._part)
        finally:
            self.lost = self._values.put_back()

    def resume(self) -> None:
        """Go to where it was before ``suspend``."""
        self.go(self._time)


class Followers:
    """Kinematic bodies that Blender's animation moves: some nodes of placed objects."""

    def __init__(self, placed: Sequence[PlacedObject], nodes: Sequence[int]) -> None:
        self._objects = {node: placed[node].owner for node in nodes}
        nowhere: Pose = (np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
        self.poses = dict.fromkeys(nodes, nowhere)
        self.poses = self._read()

    def _read(self) -> dict[int, Pose]:
        poses = {}
        for node, obj in self._objects.items():
            world = Y_UP_FROM_Z_UP.matrix(plain(obj.matrix_world))
            poses[node] = self.poses[node]
            if not is_flat(linear_part(world)):
                frame = rigid_frame(world)
                turn = quaternion_from_rotation(linear_part(frame))
                poses[node] = (np.array(translation_of(frame)), np.array(turn))
        return poses

    def follow(self, start: float, end: float) -> dict[int, KinematicMotion]:
        """Return how they got from ``start``, s, when they were last looked at, to now, ``end``."""
        before, self.poses = self.poses, self._read()
        times = np.array([start, end])
        return {
            node: KinematicMotion(times, *map(np.array, zip(before[node], now, strict=True)))
            for node, now in self.poses.items()
        }


class AnimatedValues:
    """The values of all animated properties in the file at one moment."""

    def __init__(self) -> None:
        self._kept = [
            (owner, path, value)
            for _, owner in animated()
            for path in sorted(animated_paths(owner.animation_data))
            if (value := read(owner, path)) is not None
        ]

    def put_back(self) -> list[str]:
        """Write those that differ, whatever happens to some; return which could not be."""
        lost = []
        for owner, path, value in self._kept:
            try:
                if repr(read(owner, path)) != repr(value):
                    write(owner, path, value)
            except (ReferenceError, AttributeError):
                continue  # deleted meanwhile, or read-only: then no curve has written it either
            except Exception:  # noqa: BLE001 - all others have to come back
                lost.append(f"{owner.name}: {path}")
        return lost


def is_moved_by_animation(obj: Object) -> bool:
    """Return whether an object, or anything above it, is keyed, driven, constrained or carried."""
    for above in with_parents(obj):
        if is_written(above) or not all(constraint.mute for constraint in above.constraints):
            return True
    return is_led(obj)


def read(owner: ID, path: str) -> Value | None:
    """Return a value as plain numbers; None where the path leads nowhere."""
    try:
        value = owner.path_resolve(path)
    except ValueError:
        return None
    if isinstance(value, bool | int | float | str):
        return value
    return tuple(value) if hasattr(value, "__len__") else None


def write(owner: ID, path: str, value: Value) -> None:
    """Write a value that ``read`` gave.

    Raises:
        ValueError: the path leads nowhere.
    """
    *_, last = _STEP.finditer(path)
    holder = path[: last.start()]
    target = owner.path_resolve(holder) if holder else owner
    key, index, name = last.groups()
    if key is not None:
        target[bpy.utils.unescape_identifier(key)] = value
    elif index is not None:
        target[int(index)] = value
    else:
        setattr(target, name, value)
