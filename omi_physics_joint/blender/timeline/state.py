# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel and the strip say of a cache, and how far a run is."""

from __future__ import annotations

from dataclasses import dataclass

from bpy.types import Scene

from .cache.storage import cache_of, size_of
from .properties import OmiMotionCache

EDITORS = {"VIEW_3D", "DOPESHEET_EDITOR"}
"""Where the panel and the strip are."""


@dataclass(slots=True)
class Progress:
    """A run that is under way."""

    scene_name: str = ""
    """Empty where nothing runs."""
    done: float = 0.0
    """From 0 to 1."""


progress = Progress()


@dataclass(frozen=True, slots=True)
class CacheState:
    """What is to be said of a cache."""

    first: int
    last: int
    bodies: int
    size: int
    """Bytes in the file."""
    outdated: str
    """What was changed; empty is valid."""


def state_of(scene: Scene) -> CacheState | None:
    """Return what is to be said of the cache of a scene.

    None where it has none, and where nothing is left in the scene that could be simulated: that
    Undo may bring it back is no reason to show motion of nothing.
    """
    cache = cache_of(scene)
    if cache is None or not is_of_something(cache, scene):
        return None
    bodies = len(cache.bodies)
    return CacheState(cache.frame_start, cache.frame_end, bodies, size_of(cache), cache.outdated)


def is_of_something(cache: OmiMotionCache, scene: Scene) -> bool:
    """Return whether a body of a cache, or else any body at all, is in a scene."""
    there = (item.object for item in cache.bodies if item.object is not None)
    if any(scene.objects.get(obj.name) == obj for obj in there):
        return True
    return any(obj.omi_physics_body.is_body for obj in scene.objects)
