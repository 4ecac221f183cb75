# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulate the joints of a scene over its frames, free what was found, or bake it."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from time import monotonic

import bpy
from bpy.types import Context, Event, Operator, Timer

from ...model.issue import has_errors, summary
from ...model.wording.words import counted
from ..check.report import publish
from ..data.fields import choice, flag, integer, number
from ..interface import playing
from ..interface.mixins import BaseOperator, was_last
from ..interface.redrawing import redraw
from . import playback
from .baking import bake
from .cache.storage import cache_of
from .panels import EDITORS
from .recording import Recorder, TimelineError, frames_of, progress

AT_ONCE = 0.3
"""s: a run that takes no longer is over before anybody sees a progress bar."""
SLICE = 0.06
"""s of work between two looks for Esc."""
TITLE = "Simulate"
NOTHING_TO_BAKE = "Simulate first: there is no valid motion"


class OMI_JOINT_OT_simulate(BaseOperator, Operator):
    """Simulate joints over the frames of the timeline."""

    bl_label = "Simulate"
    bl_description = (
        "Simulate the joints over the frames of the range and keep the motion in this file.\n"
        "Esc stops a long run and keeps the frames that are there by then.\n"
        "For renders in a window, turn on Render > Lock Interface"
    )

    _recorder: Recorder
    _steps: Iterator[float]
    _timer: Timer | None = None

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Work in Object Mode."""
        return "" if context.mode == "OBJECT" else "Go to Object Mode first"

    def execute(self, context: Context) -> set[str]:
        """Simulate all frames at once."""
        if not self._begin(context):
            return {"CANCELLED"}
        self._work(inf)
        return self._finish(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Simulate in slices, so that the window lives on."""
        if not self._begin(context):
            return {"CANCELLED"}
        if self._work(AT_ONCE):
            return self._finish(context)
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.01, window=context.window)
        self._say(context)
        context.window.cursor_modal_set("WAIT")
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        """Work for a moment; stop on Esc."""
        if event.type == "ESC" and event.value == "PRESS":
            return self._finish(context, stopped=True)
        if event.type == "TIMER":
            if self._work(SLICE):
                return self._finish(context)
            self._say(context)
        return {"RUNNING_MODAL"}

    @staticmethod
    def _say(context: Context) -> None:
        """Say in the status bar how far the run is."""
        percent = int(100.0 * (progress.done or 0.0))
        context.workspace.status_text_set(
            f"Simulating joints: {percent}%      Esc: stop and keep the frames so far"
        )

    def cancel(self, context: Context) -> None:
        """Stop where the window closes or another file is opened."""
        self._end(context)

    def _begin(self, context: Context) -> bool:
        """Read the scene; say why where that cannot be."""
        scene = context.scene
        playing.stop()  # what plays moves the same objects
        try:
            self._recorder = Recorder(scene, frames_of(scene))
        except TimelineError as error:
            self.report({"ERROR"}, str(error))
            return False
        self._steps = self._recorder.steps()
        progress.done = 0.0
        return True

    def _work(self, seconds: float) -> bool:
        """Work for some time; return whether all is done."""
        end = monotonic() + seconds
        try:
            for progress.done in self._steps:
                if monotonic() > end:
                    redraw(EDITORS)
                    return False
        except BaseException:
            self._end(bpy.context)
            raise
        return True

    def _finish(self, context: Context, *, stopped: bool = False) -> set[str]:
        """Keep what is there, and say what was found."""
        recorder = self._recorder
        try:
            if recorder.frames > 1:
                recorder.keep()
        finally:
            self._end(context)
        if recorder.frames < 2:
            return self.refused("Stopped before the first frame was simulated")
        if recorder.issues or context.window_manager.omi_physics_joint.title == TITLE:
            publish(recorder.issues, TITLE, recorder.placed)
        first, last = recorder.span[0], recorder.span[recorder.frames - 1]
        text = f"{'Stopped: frames' if stopped else 'Simulated frames'} {first}-{last}"
        more = f", {summary(recorder.issues)} in the Check panel" if recorder.issues else ""
        # An error would be raised in scripts, although the motion is kept.
        self.report({"WARNING" if has_errors(recorder.issues) else "INFO"}, f"{text}{more}")
        return {"FINISHED"}

    def _end(self, context: Context) -> None:
        """Give everything back that the run has taken."""
        self._recorder.close()
        progress.done = None
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None
            if context.window is not None:  # else it was closed
                context.workspace.status_text_set(None)
                context.window.cursor_modal_restore()
        redraw(EDITORS)


class OMI_JOINT_OT_go_to_rest(Operator):
    """Go to the first simulated frame, where bodies are at rest and can be posed"""

    bl_label = "Go to First Frame"
    bl_options = {"REGISTER", "UNDO_GROUPED"}
    bl_undo_group = "Frame Change"

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Ask for a cache."""
        return cache_of(context.scene) is not None

    def execute(self, context: Context) -> set[str]:
        """Go there."""
        if cache := cache_of(context.scene):
            context.scene.frame_set(cache.frame_start)
        return {"FINISHED"}


class OMI_JOINT_OT_free_cache(BaseOperator, Operator):
    """Delete the simulation and restore the original pose"""

    bl_label = "Delete Simulation"

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Ask for a cache, and for objects that nothing else moves."""
        return cache_of(context.scene) is not None and not playback.is_blocked()

    def execute(self, context: Context) -> set[str]:
        """Free it."""
        playback.free(context.scene)
        redraw(EDITORS)
        return {"FINISHED"}


class OMI_JOINT_OT_bake(BaseOperator, Operator):
    """Make keyframes of the simulated motion."""

    bl_label = "Bake to Keyframes"
    bl_description = (
        "Make keyframes of the simulated motion and delete the simulation.\n"
        "Only what is baked is exported as an animation"
    )

    use_all = flag("All Frames", "Bake all frames that are simulated", default=True)
    frame_start = integer("Start", "First frame that gets keys", default=1)
    frame_end = integer("End", "Last frame that gets keys", default=250)
    step = integer("Step", "Frames from one key to the next", default=1, min=1, soft_max=10)
    interpolation = choice(
        "Interpolation",
        "How the motion runs from one key to the next",
        items=(
            ("LINEAR", "Linear", "Straight, as simulated"),
            ("BEZIER", "Bezier", "Smooth, which suits a step of several frames"),
        ),
    )
    clean = flag("Clean Up", "Leave out keys of what does not change", default=True)
    tolerance = number(
        "Tolerance",
        "Values that differ by no more than this do not change (m or radians)",
        default=1e-5,
        min=0.0,
        soft_max=0.01,
        precision=6,
    )

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for valid motion; or for what was just baked, so that it can be adjusted."""
        cache = cache_of(context.scene)
        if (cache is None or cache.outdated) and not was_last(context, cls):
            return NOTHING_TO_BAKE
        return "Stop what plays first" if playback.is_blocked() else ""

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for frames and keys."""
        cache = cache_of(context.scene)
        if cache is None:
            return self.refused(NOTHING_TO_BAKE)
        if not self.properties.is_property_set("frame_start"):
            self.frame_start, self.frame_end = cache.frame_start, cache.frame_end
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: Context) -> set[str]:
        """Bake."""
        scene = context.scene
        playback.refresh(scene)
        cache = cache_of(scene)
        if cache is None:
            return self.refused(NOTHING_TO_BAKE)
        asked = cache if self.use_all else self
        span = range(asked.frame_start, asked.frame_end + 1)
        tolerance = self.tolerance if self.clean else None
        try:
            objects, keys = bake(scene, span, self.step, self.interpolation, tolerance)
        except TimelineError as error:
            return self.refused(error, "ERROR")
        redraw(EDITORS)
        if not keys:
            text = "Nothing moves in these frames: no keys were made. Clean Up off keys all of them"
            self.report({"WARNING"}, text)
            return {"FINISHED"}
        return self.finished(f"Baked {keys} keys on {counted(objects, 'object')}")

    def draw(self, _context: Context) -> None:
        """Draw frames, then keys."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "use_all")
        column = layout.column(align=True)
        column.active = not self.use_all
        column.prop(self, "frame_start")
        column.prop(self, "frame_end")
        layout.prop(self, "step")
        layout.prop(self, "interpolation", expand=True)
        layout.prop(self, "clean")
        row = layout.row()
        row.active = self.clean
        row.prop(self, "tolerance")
