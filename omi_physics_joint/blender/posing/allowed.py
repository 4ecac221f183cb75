# SPDX-License-Identifier: GPL-3.0-or-later
"""When transforms may be edited: not while what is shown is not what the user made."""

from __future__ import annotations

from bpy.types import Context, Scene

from ..timeline.cache.storage import cache_of
from ..timeline.playback import is_blocked, is_simulating


def obstacle_here(context: Context) -> str:
    """Return in a sentence why nothing can be posed in this mode and scene."""
    return obstacle(context.scene) if context.mode == "OBJECT" else "Go to Object Mode first"


def obstacle(scene: Scene) -> str:
    """Return in a sentence why nothing can be posed now; nothing where it can.

    A simulation in the timeline is outdated by a pose, as by any other edit, but where it shows
    motion the bodies are not where a pose would have to begin.
    """
    if is_simulating():
        return "Wait for the simulation to end, or press Esc, to pose"
    if is_blocked():
        return "Stop playing to pose"
    frame = frame_to_pose_at(scene)
    return "" if frame is None else f"Go to frame {frame}, where the simulation begins, to pose"


def frame_to_pose_at(scene: Scene) -> int | None:
    """Return the frame where bodies are at rest again; None where they are now."""
    cache = cache_of(scene)
    if cache is None or cache.outdated:
        return None
    is_later = scene.frame_current + scene.frame_subframe > cache.frame_start
    return cache.frame_start if is_later else None
