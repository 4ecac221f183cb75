# SPDX-License-Identifier: GPL-3.0-or-later
"""When caches are shown and looked after: frame changes, undo, loading, and now and then."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

import bpy
from bpy.app import handlers
from bpy.types import Scene

from ..interface.redrawing import redraw
from ..registration import on
from . import playback
from .cache.storage import cache_of
from .panels import EDITORS

PAUSE = 0.5
"""s between two looks for edits."""
PATIENCE = 50.0
"""A look may take a part of the time as small as one by this."""


_due = [0.0]
"""s of the clock at which to look again."""


def _look(scenes: list[Scene]) -> None:
    """Look for edits now, and less often where that takes long."""
    start = monotonic()
    for scene in scenes:
        playback.refresh(scene)
    now = monotonic()
    _due[0] = now + max(PAUSE, PATIENCE * (now - start))


@on(handlers.frame_change_post)
def show_frame(scene: Scene, *_arguments: object) -> None:
    """Show a frame after it has become the current one, in a window as in a render."""
    if (bpy.app.background or monotonic() >= _due[0]) and cache_of(scene) is not None:
        _look([scene])
    playback.follow(scene)


@on(handlers.undo_pre, handlers.redo_pre)
def put_to_rest(*_arguments: object) -> None:
    """Go to rest: undo leaves an object as it is that no step of undo has changed.

    The motion may be gone or another one afterwards, and nobody would know where it rests.
    """
    playback.put_all_to_rest()


@on(handlers.undo_post, handlers.redo_post, handlers.load_post)
def begin_anew(*_arguments: object) -> None:
    """Show the current frame after all data was replaced."""
    playback.begin_anew()


@on(handlers.render_complete, handlers.render_cancel)
def after_render(scene: Scene, *_arguments: object) -> None:
    """Show the current frame again after others were rendered."""
    playback.follow(scene)


def look_now_and_then() -> float:
    """Look for edits that Blender tells nobody about, such as those of our own properties."""
    caches = [cache for cache in map(cache_of, bpy.data.scenes) if cache is not None]
    # A render writes to the objects from a thread of its own, and would be half-way.
    is_busy = bpy.app.is_job_running("RENDER") or _is_dragging()
    if caches and monotonic() >= _due[0] and not is_busy:
        before = [cache.outdated for cache in caches]
        _look([cache.scene for cache in caches if cache.scene is not None])
        if before != [cache.outdated for cache in caches]:
            redraw(EDITORS)
    return PAUSE


DRAGS = ("TRANSFORM_OT_", "OMI_JOINT_OT_")
"""How ids of operators begin that change things with the mouse: Blender's, and ours. Macros, such
as that of Shift D, have them as parts."""


def _is_dragging() -> bool:
    """Return whether the user is in the middle of moving something."""
    return any(
        one.bl_idname.startswith(DRAGS)
        for window in bpy.context.window_manager.windows
        for operator in window.modal_operators
        for one in (operator, *operator.macros)
    )


def while_on() -> Iterator[None]:
    """Look now and then; at the end, put all bodies to rest."""
    bpy.app.timers.register(look_now_and_then, first_interval=PAUSE, persistent=True)
    yield
    playback.put_all_to_rest()
    playback.forget_all()
    if bpy.app.timers.is_registered(look_now_and_then):
        bpy.app.timers.unregister(look_now_and_then)
