# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated settings of joints: which there are, what they are frame by frame, and keys for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import isfinite
from typing import TypeVar

from bpy.types import ID, FCurve, Object, PropertyGroup

from ...model.joint import Drive, Freedom, JointSettings, Limit
from ...model.keys import Keys, Track
from ...model.settings.fields import DRIVE_FIELDS, LIMIT_FIELDS
from ..data.joint import OmiJointSettings
from .animation import animated_paths, curves_of
from .placed import PlacedObject
from .read_settings import settings_from_block

Part = TypeVar("Part", Limit, Drive)

COLLISION = "omi_physics_joint.enable_collision"
"""What of a joint's object can be keyed in a file."""
_FIELDS = (*LIMIT_FIELDS, *DRIVE_FIELDS)
_NUMBER = re.compile(
    r"(limits|drives)\[(\d+)\]\.((?:linear|angular)_)?("
    + "|".join({field.name: None for field in _FIELDS})
    + ")"
)
_LINEAR_OR_ANGULAR = frozenset(field.name for field in _FIELDS if field.is_measured)
_ENOUGH = 1e-3
"""Frames: a key that is so near to a whole frame stands on it."""


def can_be_written(path: str) -> bool:
    """Return whether a file can say how a property of a settings block changes."""
    return _NUMBER.fullmatch(path) is not None


def keyed_blocks(placed: Iterable[PlacedObject]) -> list[OmiJointSettings]:
    """Return the settings blocks of joints whose numbers are animated, each once."""
    found: dict[int, OmiJointSettings] = {}
    for node in placed:
        obj = node.object
        if obj is None or not obj.omi_physics_joint.is_joint or obj.omi_physics_joint.mute:
            continue
        block = obj.omi_physics_joint.settings
        if block is None or block.animation_data is None or block.as_pointer() in found:
            continue
        if any(map(can_be_written, animated_paths(block.animation_data))):
            found[block.as_pointer()] = block
    return list(found.values())


def keyed_joints(placed: Iterable[PlacedObject]) -> list[Object]:
    """Return the objects of joints on which it is animated whether their bodies collide."""
    found: dict[int, Object] = {}
    for node in placed:
        obj = node.object
        if obj is None or obj.animation_data is None or not obj.omi_physics_joint.is_joint:
            continue
        if COLLISION in animated_paths(obj.animation_data):
            found[obj.as_pointer()] = obj
    return list(found.values())


def still(block: OmiJointSettings) -> JointSettings:
    """Return the settings of a block without its name and the numbers that are animated."""
    paths = animated_paths(block.animation_data)
    settings = settings_from_block(block)

    def bare(part: Part, place: str) -> Part:
        moving = {
            field.name: 0.0
            for field in (LIMIT_FIELDS if isinstance(part, Limit) else DRIVE_FIELDS)
            if f"{place}.{_property(field.name, _freedom(part))}" in paths
        }
        changed: Part = replace(part, unknown="", **moving)  # type: ignore[arg-type]
        return changed

    limits = tuple(bare(limit, f"limits[{i}]") for i, limit in enumerate(settings.limits))
    drives = tuple(bare(drive, f"drives[{i}]") for i, drive in enumerate(settings.drives))
    return replace(settings, name="", unknown="", limits=limits, drives=drives)


class Samples:
    """What animated settings are at some times, as it is looked up frame by frame."""

    def __init__(self, placed: Sequence[PlacedObject]) -> None:
        """Find what is animated."""
        self.blocks = keyed_blocks(placed)
        self.joints = keyed_joints(placed)
        self.times: list[float] = []
        self._settings: list[list[JointSettings]] = [[] for _ in self.blocks]
        self._collide: list[list[float]] = [[] for _ in self.joints]

    def __bool__(self) -> bool:
        """Return whether anything is animated."""
        return bool(self.blocks or self.joints)

    def look(self, time: float) -> None:
        """Note what everything is in the frame that is current.

        Args:
            time: s that it has in the animation.
        """
        self.times.append(time)
        for block, kept in zip(self.blocks, self._settings, strict=True):
            kept.append(settings_from_block(block))
        for obj, collide in zip(self.joints, self._collide, strict=True):
            collide.append(float(obj.omi_physics_joint.enable_collision))

    def settings(self, block: OmiJointSettings) -> JointSettings:
        """Return the settings of a block with the keys that were noted, in Blender's axes."""
        now = settings_from_block(block)
        pointers = [one.as_pointer() for one in self.blocks]
        if block.as_pointer() not in pointers or not self.times:
            return now
        seen = self._settings[pointers.index(block.as_pointer())]
        paths = animated_paths(block.animation_data)
        limits = tuple(
            self._with_keys(limit, [one.limits[i] for one in seen], f"limits[{i}]", paths)
            for i, limit in enumerate(now.limits)
        )
        drives = tuple(
            self._with_keys(drive, [one.drives[i] for one in seen], f"drives[{i}]", paths)
            for i, drive in enumerate(now.drives)
        )
        return replace(now, limits=limits, drives=drives)

    def collision(self, obj: Object) -> Track:
        """Return the keys of whether the bodies of a joint collide."""
        for one, values in zip(self.joints, self._collide, strict=True):
            if one == obj and self.times:
                return (Keys("enable_collision", tuple(self.times), tuple(values), True),)
        return ()

    def _with_keys(self, part: Part, seen: Sequence[Part], place: str, paths: set[str]) -> Part:
        """Return a limit or a drive with the keys of what is animated of it."""
        track: list[Keys] = []
        for field in LIMIT_FIELDS if isinstance(part, Limit) else DRIVE_FIELDS:
            if f"{place}.{_property(field.name, _freedom(part))}" not in paths:
                continue
            values = [getattr(one, field.name) for one in seen]
            if all(value is not None and isfinite(value) for value in values):
                track.append(Keys(field.name, tuple(self.times), tuple(values)))
        keyed: Part = replace(part, keys=tuple(track)) if track else part
        return keyed


def insert_keys(block: OmiJointSettings, settings: JointSettings, fps: float) -> None:
    """Key a settings block as its settings say, whose limits and drives are its own, in order.

    The numbers stay those that the block has.

    Args:
        block: the block.
        settings: in Blender's axes, one limit for each of the block.
        fps: frames a second.
    """
    for number, limit in enumerate(settings.limits):
        _insert(block, f"limits[{number}]", block.limits[number], limit, fps)
    for number, drive in enumerate(settings.drives):
        _insert(block, f"drives[{number}]", block.drives[number], drive, fps)


def insert_collision(obj: Object, track: Track, fps: float) -> None:
    """Key whether the bodies of a joint collide."""
    for keys in track:
        _key(obj, COLLISION, keys, fps)


def _insert(
    block: OmiJointSettings, place: str, item: PropertyGroup, part: Part, fps: float
) -> None:
    for keys in part.keys:
        name = _property(keys.field, _freedom(part))
        kept = getattr(item, name)
        _key(block, f"{place}.{name}", keys, fps)
        setattr(item, name, kept)


def _key(owner: ID, path: str, keys: Keys, fps: float) -> None:
    """Key one property of a data-block."""
    frames = [_frame(time, fps) for time in keys.times]
    owner.keyframe_insert(path, frame=frames[0])
    for curve in _curves(owner, path):
        points = curve.keyframe_points
        points.add(len(frames) - len(points))
        pairs = zip(frames, keys.values, strict=True)
        points.foreach_set("co", [number for pair in pairs for number in pair])
        for point in points:
            point.interpolation = "CONSTANT" if keys.is_stepped else "LINEAR"
        curve.update()


def _curves(owner: ID, path: str) -> Iterator[FCurve]:
    data = owner.animation_data
    for curve in curves_of(data.action, data.action_slot):
        if curve.data_path == path:
            yield curve


def _frame(time: float, fps: float) -> float:
    frame = time * fps
    return float(round(frame)) if abs(frame - round(frame)) < _ENOUGH else frame


def _freedom(part: Limit | Drive) -> Freedom:
    if isinstance(part, Drive):
        return part.type
    return Freedom.LINEAR if part.linear_axes else Freedom.ANGULAR


def _property(field: str, freedom: Freedom) -> str:
    """Return what a number is called in Blender."""
    return f"{freedom.value}_{field}" if field in _LINEAR_OR_ANGULAR else field
