# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export has to undo, also where the exporter raises and asks us no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
from bpy.types import Object, Scene

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


def _frame_of(scene: Scene) -> tuple[int, float]:
    return scene.frame_current, scene.frame_subframe


def _show_frame(scene: Scene, frame: tuple[int, float]) -> None:
    if _frame_of(scene) != frame:
        scene.frame_set(frame[0], subframe=frame[1])


@contextmanager
def none_left(scene: Scene) -> Iterator[None]:
    """Undo what an export inside of this leaves: the exporter puts nothing back where it raises."""
    frame = _frame_of(scene)
    try:
        yield
    finally:
        put_back()
        _show_frame(scene, frame)


@dataclass(frozen=True, slots=True)
class SessionState:
    """Where the user was when an export began: the exporter changes it before it asks us."""

    scene: Scene
    frame: tuple[int, float]
    active: Object | None
    mode: str

    @classmethod
    def now(cls) -> SessionState:
        """Return the state of this moment."""
        scene, active = bpy.context.scene, bpy.context.view_layer.objects.active
        mode = active.mode if active is not None else "OBJECT"
        return cls(scene, _frame_of(scene), active, mode)

    def restore(self) -> None:
        """Go back there."""
        _show_frame(self.scene, self.frame)
        objects = bpy.context.view_layer.objects
        if objects.active != self.active:
            objects.active = self.active
        if self.active is not None and self.active.mode != self.mode:
            bpy.ops.object.mode_set(mode=self.mode)
