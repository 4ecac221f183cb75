# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated settings of joints: which there are, what they are frame by frame, and keys for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any, TypeVar

from bpy.types import ID, Object

from ...model.joint import Drive, Freedom, JointSettings, Limit
from ...model.keys import Keys, Track
from ...model.settings.fields import DRIVE_FIELDS, LIMIT_FIELDS
from ..data.joint import OmiJointSettings
from .animation import animated_paths, curves_of
from .placed import PlacedObject, joints_in
from .read_settings import settings_from_block

Part = TypeVar("Part", Limit, Drive)

COLLISION = "omi_physics_joint.enable_collision"
"""What of a joint's object can be keyed in a file."""
_FIELDS = {"limits": LIMIT_FIELDS, "drives": DRIVE_FIELDS}
_PROPERTIES = {
    field.property_on(freedom)
    for fields in _FIELDS.values()
    for field in fields
    for freedom in Freedom
}
_NUMBER = re.compile(rf"(limits|drives)\[\d+\]\.({'|'.join(_PROPERTIES)})")
_ENOUGH = 1e-3
"""Frames: a key that is so near to a whole frame stands on it."""


def can_be_written(path: str) -> bool:
    """Return whether a file can say how a property of a settings block changes."""
    return _NUMBER.fullmatch(path) is not None


def keyed_blocks(placed: Iterable[PlacedObject]) -> list[OmiJointSettings]:
    """Return the settings blocks of joints whose numbers are animated, each once.

    Those of muted joints too, which stages keep.
    """
    blocks = dict.fromkeys(joint.omi_physics_joint.settings for _, joint in joints_in(placed))
    return [
        block
        for block in blocks
        if block is not None
        and block.animation_data is not None
        and any(map(can_be_written, animated_paths(block.animation_data)))
    ]


def keyed_joints(placed: Iterable[PlacedObject]) -> list[Object]:
    """Return the objects of joints on which it is animated whether their bodies collide."""
    found = (
        joint
        for _, joint in joints_in(placed)
        if joint.animation_data is not None and COLLISION in animated_paths(joint.animation_data)
    )
    return list(dict.fromkeys(found))


def _animated(block: OmiJointSettings, kind: str, number: int, paths: set[str]) -> list[str]:
    """Return which numbers of a limit or a drive of a block are animated."""
    freedom = getattr(block, kind)[number].freedom
    return [
        field.name
        for field in _FIELDS[kind]
        if f"{kind}[{number}].{field.property_on(freedom)}" in paths
    ]


def _changed(settings: JointSettings, change: Callable[[Any, str, int], Any]) -> JointSettings:
    """Return settings with each limit and drive as a function makes it: of it, and where it is."""

    def made(kind: str) -> tuple[Any, ...]:
        return tuple(change(part, kind, i) for i, part in enumerate(getattr(settings, kind)))

    return replace(settings, limits=made("limits"), drives=made("drives"))


def still(block: OmiJointSettings) -> JointSettings:
    """Return the settings of a block without its name and the numbers that are animated."""
    paths = animated_paths(block.animation_data)

    def bare(part: Part, kind: str, number: int) -> Part:
        moving = dict.fromkeys(_animated(block, kind, number, paths), 0.0)
        return replace(part, unknown="", **moving)  # type: ignore[arg-type]

    return _changed(replace(settings_from_block(block), name="", unknown=""), bare)


class Samples:
    """What animated settings are at some times, as it is looked up frame by frame.

    Attributes:
        blocks: what the settings of each block were.
        joints: by object: 1 where the bodies collided.
        times: s.
    """

    def __init__(self, placed: Sequence[PlacedObject]) -> None:
        self.blocks: dict[OmiJointSettings, list[JointSettings]] = {
            block: [] for block in keyed_blocks(placed)
        }
        self.joints: dict[Object, list[float]] = {joint: [] for joint in keyed_joints(placed)}
        self.times: list[float] = []

    def __bool__(self) -> bool:
        """Return whether anything is animated."""
        return bool(self.blocks or self.joints)

    def look(self, time: float) -> None:
        """Note what everything is in the frame that is current, which is at a time in s."""
        self.times.append(time)
        for block, seen in self.blocks.items():
            seen.append(settings_from_block(block))
        for joint, collided in self.joints.items():
            collided.append(float(joint.omi_physics_joint.enable_collision))

    def settings(self, block: OmiJointSettings) -> JointSettings:
        """Return the settings of a block with the keys that were noted, in Blender's axes."""
        seen = self.blocks.get(block, [])
        if not seen:
            return settings_from_block(block)
        paths = animated_paths(block.animation_data)

        def with_keys(part: Part, kind: str, number: int) -> Part:
            track = []
            for name in _animated(block, kind, number, paths):
                values = tuple(getattr(getattr(one, kind)[number], name) for one in seen)
                if all(value is not None and isfinite(value) for value in values):
                    track.append(Keys(name, tuple(self.times), values))
            return replace(part, keys=tuple(track))

        return _changed(settings_from_block(block), with_keys)

    def collision(self, obj: Object) -> Track:
        """Return the keys of whether the bodies of a joint collide."""
        values = self.joints.get(obj)
        times = tuple(self.times)
        return (Keys("enable_collision", times, tuple(values), True),) if values else ()


def insert_keys(block: OmiJointSettings, settings: JointSettings, fps: float) -> None:
    """Key a settings block as its settings say, whose limits and drives are its own, in order.

    They are in Blender's axes, at frames a second. The numbers stay those that the block has.
    """
    for kind, fields in _FIELDS.items():
        for number, part in enumerate(getattr(settings, kind)):
            item = getattr(block, kind)[number]
            for keys in part.keys:
                field = next(field for field in fields if field.name == keys.field)
                name = field.property_on(item.freedom)
                kept = getattr(item, name)
                _key(block, f"{kind}[{number}].{name}", keys, fps)
                setattr(item, name, kept)


def insert_collision(obj: Object, track: Track, fps: float) -> None:
    """Key whether the bodies of a joint collide."""
    for keys in track:
        _key(obj, COLLISION, keys, fps)


def _key(owner: ID, path: str, keys: Keys, fps: float) -> None:
    frames = [_frame(time, fps) for time in keys.times]
    owner.keyframe_insert(path, frame=frames[0])
    data = owner.animation_data
    for curve in curves_of(data.action, data.action_slot):
        if curve.data_path != path:
            continue
        points = curve.keyframe_points
        points.add(len(frames) - len(points))
        pairs = zip(frames, keys.values, strict=True)
        points.foreach_set("co", [number for pair in pairs for number in pair])
        for point in points:
            point.interpolation = "CONSTANT" if keys.is_stepped else "LINEAR"
        curve.update()


def _frame(time: float, fps: float) -> float:
    frame = time * fps
    return float(round(frame)) if abs(frame - round(frame)) < _ENOUGH else frame
