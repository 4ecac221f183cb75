# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export has to undo, also where the exporter raises and asks us no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import bpy

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


@contextmanager
def none_left(scene: bpy.types.Scene) -> Iterator[None]:
    """Undo what an export inside of this leaves: the exporter puts nothing back where it raises."""
    frame, subframe = scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        put_back()
        if (scene.frame_current, scene.frame_subframe) != (frame, subframe):
            scene.frame_set(frame, subframe=subframe)
