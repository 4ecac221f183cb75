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
    """Note what animated settings are in some frames, and put the scene back.

    Args:
        samples: where they are noted.
        scene: which goes to these frames.
        frames: in rising order.
        shift: the frame at time 0.
        rate: frames a second.
    """
    kept = SceneFrame(scene)
    with playback.paused():
        try:
            for frame in frames:
                scene.frame_set(frame)
                samples.look((frame - shift) / rate)
        finally:
            kept.suspend()
