# SPDX-License-Identifier: GPL-3.0-or-later
"""When caches are shown and looked after: frame changes, undo, loading, and now and then."""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic

import bpy
from bpy.app import handlers
from bpy.types import Scene

from ..interface.redrawing import redraw
from ..registration import Listening
from . import playback
from .cache.storage import cache_of
from .state import EDITORS

PAUSE = 0.5
"""s between two looks for edits."""
PATIENCE = 50.0
"""A look may take a part of the time as small as one by this."""


class _Pace:
    """How often a look for edits is affordable."""

    def __init__(self) -> None:
        self._due = 0.0

    def is_due(self) -> bool:
        """Return whether it is time to look again."""
        return monotonic() >= self._due

    def look(self, scenes: list[Scene]) -> None:
        """Look for edits now, and less often where that takes long."""
        start = monotonic()
        for scene in scenes:
            playback.refresh(scene)
        now = monotonic()
        self._due = now + max(PAUSE, PATIENCE * (now - start))


_pace = _Pace()
listening = Listening()


@listening.to(handlers.frame_change_post)
def show_frame(scene: Scene, *_arguments: object) -> None:
    """Show a frame after it has become the current one, in a window as in a render."""
    thorough = bpy.app.background or _pace.is_due()
    if thorough and cache_of(scene) is not None:
        _pace.look([scene])
    playback.follow(scene, thorough=False)


@listening.to(handlers.undo_post, handlers.redo_post, handlers.load_post)
def begin_anew(*_arguments: object) -> None:
    """Show the current frame after all data was replaced: by another file, by undo or redo."""
    playback.forget_all()
    playback.follow_all(thorough=True)


@listening.to(handlers.render_complete, handlers.render_cancel)
def after_render(scene: Scene, *_arguments: object) -> None:
    """Show the current frame again after others were rendered."""
    playback.follow(scene, thorough=False)


def look_now_and_then() -> float:
    """Look for edits that Blender tells nobody about, such as those of our own properties."""
    cached = [scene for scene in bpy.data.scenes if cache_of(scene) is not None]
    # A render writes to the objects from a thread of its own, and would be half-way.
    is_busy = bpy.app.is_job_running("RENDER") or _is_dragging()
    if cached and _pace.is_due() and not is_busy:
        before = _outdated(cached)
        _pace.look(cached)
        if before != _outdated(cached):
            redraw(EDITORS)
    return PAUSE


def _outdated(scenes: Iterable[Scene]) -> list[str]:
    """Return why the motion of each scene is outdated; nothing where it is not."""
    caches = map(cache_of, scenes)
    return [cache.outdated for cache in caches if cache is not None]


DRAGS = ("TRANSFORM_OT_", "OMI_JOINT_OT_")
"""How ids of operators begin that change things with the mouse: Blender's, and ours."""


def _is_dragging() -> bool:
    """Return whether the user is in the middle of moving something."""
    return any(
        operator.bl_idname.startswith(DRAGS)
        for window in bpy.context.window_manager.windows
        for operator in window.modal_operators
    )


def register() -> None:
    """Start listening."""
    listening.begin()
    bpy.app.timers.register(look_now_and_then, first_interval=PAUSE, persistent=True)


def unregister() -> None:
    """Put all bodies to rest, and stop listening."""
    playback.put_all_to_rest()
    if bpy.app.timers.is_registered(look_now_and_then):
        bpy.app.timers.unregister(look_now_and_then)
    listening.end()
