# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated settings of joints in a file that is exported, as the exporter's options have it.

Numbers go into the buffer while it is open, and which they belong to is known only when all nodes
have their places. So samplers are gathered first, and channels replace those that stand for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor
from operator import sub

import bpy
from bpy.types import Scene
from io_scene_gltf2.io.com import constants, gltf2_io
from io_scene_gltf2.io.exp.binary_data import BinaryData

from ...gltf.animated.keyed import POINTER, Channel
from ...model.keys import Keys
from ..bridge.animation import curves_of
from ..bridge.keyed import Samples
from ..timeline.recording import sample_frames
from . import ExportSettings, Untyped
from .exported.file_nodes import made

NAME = "Joint Settings"
"""Of an animation of no single action."""
NEAR = 1e-4
"""m or rad by which keys may differ that are the same."""


def look_up(samples: Samples, export_settings: ExportSettings) -> None:
    """Note what animated settings are in each frame that the exporter samples."""
    scene = bpy.context.scene
    frames, shift = _frames(samples, scene, export_settings)
    sample_frames(samples, scene, frames, shift, exported_rate(scene))


def exported_rate(scene: Scene) -> float:
    """Return the frames a second of Blender's exporter and importer, which multiply by the base."""
    return float(scene.render.fps * scene.render.fps_base)


class Animated:
    """The animation of joint settings in one file."""

    def __init__(self) -> None:
        self._animation: Untyped = None
        self._sampler_of: dict[tuple[Keys, bool], int] = {}
        self._others: list[Untyped] = []

    def gather(
        self,
        animations: list[Untyped],
        channels: Sequence[Channel],
        samples: Samples,
        export_settings: ExportSettings,
    ) -> None:
        """Have the exporter write all numbers, in an animation that is there or in one more."""
        if not channels:
            return
        names = {owner.animation_data.action for owner in (*samples.blocks, *samples.joints)}
        name = next(iter(names)).name if len(names) == 1 and None not in names else NAME
        whole = export_settings["gltf_animation_mode"] == "SCENE" and len(animations) == 1
        alike = animations if whole else [one for one in animations if one.name == name]
        if not alike:
            alike = [made(gltf2_io.Animation, channels=[], name=name, samplers=[])]
            animations.append(alike[0])
        self._animation = alike[0]
        self._others = list(self._animation.channels)
        for channel in channels:
            key = (channel.keys, channel.is_flag)
            if key not in self._sampler_of:
                self._sampler_of[key] = len(self._animation.samplers)
                self._animation.samplers.append(_sampler(channel))
                self._animation.channels.append(_channel("", self._sampler_of[key]))

    def finish(self, gltf: Untyped, channels: Sequence[Channel]) -> None:
        """Say which numbers the samplers are of, now that the file has its final indices."""
        if self._animation is None:
            return
        known = [
            _channel(channel.pointer, sampler)
            for channel in channels
            if (sampler := self._nearest(channel)) is not None
        ]
        self._animation.channels = [*self._others, *known]
        if known and POINTER not in gltf.extensions_used:
            gltf.extensions_used.append(POINTER)
        if not self._animation.channels:
            gltf.animations = [one for one in gltf.animations if one is not self._animation]

    def _nearest(self, channel: Channel) -> int | None:
        """Return the sampler of a channel.

        Files for Godot count from the rest pose, which is exact only when nodes have their places.
        """
        found = self._sampler_of.get((channel.keys, channel.is_flag))
        if found is not None:
            return found
        apart = {
            sampler: max(map(abs, map(sub, keys.values, channel.keys.values)))
            for (keys, is_flag), sampler in self._sampler_of.items()
            if replace(keys, values=channel.keys.values) == channel.keys
            and is_flag is channel.is_flag
        }
        nearest = min(apart, key=apart.__getitem__, default=None)
        return nearest if nearest is not None and apart[nearest] <= NEAR else None


def _frames(
    samples: Samples, scene: Scene, export_settings: ExportSettings
) -> tuple[list[int], int]:
    """Return the frames that are sampled, and which of them is at time 0."""
    first, last = scene.frame_start, scene.frame_end
    mode, own = export_settings["gltf_animation_mode"], _own_range(samples)
    if mode != "SCENE" and own is not None:
        low, high = own
        if export_settings["gltf_frame_range"]:
            low, high = max(low, first), min(high, last)
        first, last = low, max(low, high)
    shift = 0
    if first < 0 and export_settings.get("gltf_negative_frames") == "CROP":
        first = min(0, last)
    if first < 0 or (export_settings.get("gltf_anim_slide_to_zero") and first > 0):
        shift = first
    step = max(int(export_settings["gltf_frame_step"]), 1)
    return [*range(first, last + 1, step)], shift


def _own_range(samples: Samples) -> tuple[int, int] | None:
    """Return the first and the last keyed frame; None where more than keys of actions decide."""
    owned = [owner.animation_data for owner in (*samples.blocks, *samples.joints)]
    if any(one.action is None or len(one.drivers) or len(one.nla_tracks) for one in owned):
        return None
    curves = [curve for one in owned for curve in curves_of(one.action, one.action_slot)]
    if any(len(curve.modifiers) or curve.extrapolation != "CONSTANT" for curve in curves):
        return None
    keyed = [frame for curve in curves for frame in curve.range()]
    return (floor(min(keyed)), ceil(max(keyed))) if keyed else None


def _sampler(channel: Channel) -> Untyped:
    keys = channel.keys
    values = [int(value) for value in keys.values] if channel.is_flag else keys.values
    return made(
        gltf2_io.AnimationSampler,
        input=_accessor(keys.times, min=[min(keys.times)], max=[max(keys.times)]),
        interpolation="STEP" if keys.is_stepped else "LINEAR",
        output=_accessor(values),
    )


def _accessor(numbers: Sequence[float], **bounds: list[float]) -> Untyped:
    """Return an accessor of single numbers: bytes where they are whole, else floats."""
    is_whole = all(isinstance(number, int) for number in numbers)
    kind = constants.ComponentType.UnsignedByte if is_whole else constants.ComponentType.Float
    return made(
        gltf2_io.Accessor,
        buffer_view=BinaryData.from_list(list(numbers), kind),
        component_type=kind,
        count=len(numbers),
        type=constants.DataType.Scalar,
        **bounds,
    )


def _channel(pointer: str, sampler: int) -> Untyped:
    extensions = {POINTER: {"pointer": pointer}}
    target = made(gltf2_io.AnimationChannelTarget, extensions=extensions, path="pointer")
    return made(gltf2_io.AnimationChannel, sampler=sampler, target=target)
