# SPDX-License-Identifier: GPL-3.0-or-later
"""When transforms may be edited: not while what is shown is not what the user made."""

from __future__ import annotations

import bpy

from ..timeline.playback import is_blocked
from ..timeline.storage import cache_of


def obstacle(scene: bpy.types.Scene) -> str:
    """Return in a sentence why nothing can be posed now; nothing where it can.

    A simulation in the timeline is outdated by a pose, as by any other edit, but where it shows
    motion the bodies are not where a pose would have to begin.
    """
    if is_blocked():
        return "Stop playing to pose"
    cache = cache_of(scene)
    if cache is None or cache.outdated:
        return ""
    if scene.frame_current + scene.frame_subframe > cache.frame_start:
        return f"Go to frame {cache.frame_start}, where the simulation begins, to pose"
    return ""
