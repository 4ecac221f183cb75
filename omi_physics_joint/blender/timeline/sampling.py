# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated settings of joints, looked up by going through the frames of a scene."""

from __future__ import annotations

from collections.abc import Iterable

from bpy.types import Scene

from ..bridge.keyed import Samples
from ..simulated.following import SceneFrame
from . import playback


def sample_frames(
    samples: Samples, scene: Scene, frames: Iterable[int], shift: int, rate: float
) -> None:
    """Note what animated settings are in some frames, rising, and put the scene back.

    A second has ``rate`` of them, and ``shift`` is the one at time 0.
    """
    kept = SceneFrame(scene)
    with playback.paused():
        try:
            for frame in frames:
                scene.frame_set(frame)
                samples.look((frame - shift) / rate)
        finally:
            kept.suspend()
