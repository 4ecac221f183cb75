# SPDX-License-Identifier: GPL-3.0-or-later
"""Which cache the panel and the strip tell of, and how far a run is."""

from __future__ import annotations

from dataclasses import dataclass

from bpy.types import Scene

from .cache.storage import cache_of
from .properties import OmiMotionCache

EDITORS = {"VIEW_3D", "DOPESHEET_EDITOR"}
"""Where the panel and the strip are."""


@dataclass(slots=True)
class Progress:
    """A run that is under way."""

    done: float | None = None
    """From 0 to 1; None where nothing runs."""


progress = Progress()


def told_cache(scene: Scene) -> OmiMotionCache | None:
    """Return the cache of a scene, if there is something to be said of it.

    None where nothing is left in the scene that could be simulated: neither a body of the cache nor
    any other. That Undo may bring it back is no reason to show motion of nothing.
    """
    cache = cache_of(scene)
    if cache is None:
        return None
    there = (item.object for item in cache.bodies if item.object is not None)
    if any(scene.objects.get(obj.name) == obj for obj in there):
        return cache
    return cache if any(obj.omi_physics_body.is_body for obj in scene.objects) else None
