# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulate the joints of a scene over its frames, free what was found, or bake it."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

import bpy

from ...model.issue import has_errors, summary
from ..report import publish
from ..timeline import playback
from ..timeline.recording import Recorder, Span, TimelineError
from ..timeline.state import progress, redraw

AT_ONCE = 0.3
"""s: a run that takes no longer is over before anybody sees a progress bar."""
SLICE = 0.06
"""s of work between two looks for Esc."""
TITLE = "Simulate"


class OMI_OT_simulate(bpy.types.Operator):
    """Simulate the joints over the frames of the range and keep the motion in this file.
    Esc stops a long run and keeps what is there by then"""

    bl_idname = "omi_joint.simulate"
    bl_label = "Simulate"
    bl_options = {"REGISTER", "UNDO"}

    _recorder: Recorder
    _steps: Iterator[float]
    _timer: bpy.types.Timer | None = None

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Work in Object Mode while nothing else moves the objects."""
        if context.mode != "OBJECT":
            cls.poll_message_set("Go to Object Mode first")
            return False
        if playback.is_blocked():
            cls.poll_message_set("Stop what plays first")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Simulate all frames at once."""
        if not self._begin(context):
            return {"CANCELLED"}
        try:
            for _ in self._steps:
                pass
        except BaseException:
            self._end(context)
            raise
        return self._finish(context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Simulate in slices, so that the window lives on."""
        if not self._begin(context):
            return {"CANCELLED"}
        if self._work(AT_ONCE):
            return self._finish(context)
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.01, window=context.window)
        context.workspace.status_text_set("Simulating joints    Esc: Stop and keep what is there")
        context.window.cursor_modal_set("WAIT")
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Work for a moment; stop on Esc."""
        if event.type == "ESC" and event.value == "PRESS":
            return self._finish(context, stopped=True)
        if event.type == "TIMER" and self._work(SLICE):
            return self._finish(context)
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Stop where the window closes or another file is opened."""
        self._end(context)

    def _begin(self, context: bpy.types.Context) -> bool:
        """Read the scene; say why where that cannot be."""
        scene = context.scene
        try:
            self._recorder = Recorder(scene, Span.of(scene))
        except TimelineError as error:
            self.report({"ERROR"}, str(error))
            return False
        self._steps = self._recorder.steps()
        progress.scene_name, progress.done = scene.name, 0.0
        return True

    def _work(self, seconds: float) -> bool:
        """Work for some time; return whether all is done."""
        end = monotonic() + seconds
        try:
            for progress.done in self._steps:
                if monotonic() > end:
                    redraw()
                    return False
        except BaseException:
            self._end(bpy.context)
            raise
        return True

    def _finish(self, context: bpy.types.Context, *, stopped: bool = False) -> set[str]:
        """Keep what is there, and say what was found."""
        recorder = self._recorder
        try:
            if recorder.frames > 1:
                recorder.keep()
        finally:
            self._end(context)
        if recorder.frames < 2:
            self.report({"WARNING"}, "Stopped before the first frame was simulated")
            return {"CANCELLED"}
        publish(recorder.issues, TITLE, recorder.placed)
        first, last = recorder.span.first, recorder.span.first + recorder.frames - 1
        text = f"{'Stopped: frames' if stopped else 'Simulated frames'} {first}-{last}"
        more = f", {summary(recorder.issues)} in the Check panel" if recorder.issues else ""
        self.report({"ERROR" if has_errors(recorder.issues) else "INFO"}, f"{text}{more}")
        return {"FINISHED"}

    def _end(self, context: bpy.types.Context) -> None:
        """Give everything back that the run has taken."""
        self._recorder.close()
        progress.scene_name = ""
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            context.workspace.status_text_set(None)
            context.window.cursor_modal_restore()
            self._timer = None
        redraw()


class OMI_OT_free_cache(bpy.types.Operator):
    """Take the simulated motion out of this file; all bodies go back to where they were before"""

    bl_idname = "omi_joint.free_cache"
    bl_label = "Free"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Ask for a cache."""
        return playback.cache_of(context.scene) is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Free it."""
        playback.free(context.scene)
        context.view_layer.update()
        redraw()
        return {"FINISHED"}


classes = (OMI_OT_simulate, OMI_OT_free_cache)
register, unregister = bpy.utils.register_classes_factory(classes)
