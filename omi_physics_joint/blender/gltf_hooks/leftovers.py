# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export has to undo, also where the exporter raises and asks us no more."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import bpy
from bpy.types import Scene

from ..bridge.animation import frame_of

SELDOM = 10_000
"""After how many looks at new objects Python's collector looks at older ones during an export."""
_undo: list[Callable[[], None]] = []


def note(undo: Callable[[], None]) -> None:
    """Keep what must be called once when the export has ended.

    In a window that is at the latest when Blender comes to itself again; a script that runs
    without one has no such moment, and the next export or the end of the process does it.
    """
    _undo.append(undo)
    if not bpy.app.background and not bpy.app.timers.is_registered(put_back):
        bpy.app.timers.register(put_back, first_interval=0.0)


def put_back() -> None:
    """Undo all that the last export left, if it left anything."""
    while _undo:
        _undo.pop()()


def _show_frame(scene: Scene, frame: tuple[int, float]) -> None:
    if frame_of(scene) != frame:
        scene.frame_set(frame[0], subframe=frame[1])


def collect_seldom() -> None:
    """Have Python's collector look at new objects alone until the export has ended.

    What an exporter makes and keeps is for the file, and would be walked again and again. The
    collector is not off: an export that raises in a script leaves it so until the next one.
    """
    new, old, oldest = gc.get_threshold()
    note(partial(gc.set_threshold, new, old, oldest))
    gc.set_threshold(new, max(old, SELDOM), oldest)


@contextmanager
def none_left(scene: Scene) -> Iterator[None]:
    """Undo what an export inside of this leaves: the exporter puts nothing back where it raises."""
    frame = frame_of(scene)
    try:
        yield
    finally:
        put_back()
        _show_frame(scene, frame)


def way_back() -> Callable[[], None]:
    """Return what goes back to the frame, mode and active object of now.

    The exporter changes them before it asks us.
    """
    scene, active = bpy.context.scene, bpy.context.view_layer.objects.active
    frame, mode = frame_of(scene), active.mode if active is not None else "OBJECT"

    def go_back() -> None:
        _show_frame(scene, frame)
        objects = bpy.context.view_layer.objects
        if objects.active != active:
            objects.active = active
        if active is not None and active.mode != mode:
            bpy.ops.object.mode_set(mode=mode)

    return go_back
