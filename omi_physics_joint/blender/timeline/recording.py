# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulates a scene over a range of frames, bit by bit, so that it can be watched and stopped.

And says what could not be computed as it is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

import bpy
import numpy as np
from bpy.types import Object, Scene
from mathutils import Quaternion
from numpy.typing import NDArray

from ...library.motion.noted import RunTroubles
from ...model.body import Vector3
from ...model.issue import Issue, Severity
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism
from ...model.wording.shortcomings import cannot_hold, left_out, not_followed, only_roughly
from ...model.wording.words import Say, counted
from ...solver import KinematicMotion, Simulation
from ...solver.kinematics.rotation import quaternion_of
from ..bridge.animation import frame_of
from ..bridge.keyed import Samples
from ..bridge.placed import PlacedObject, carried_in
from ..data.units import sayer
from ..purpose.lengths import odd_settings
from ..simulated.choice import falling, may_meet
from ..simulated.following import Followers, Pose, SceneFrame, fps_of
from ..simulated.passing import PlainMeshes
from ..simulated.reading import PlayError, SimulatedScene
from ..simulated.running import held_issues_of, options_of, why_apart
from . import playback
from .cache.fingerprint import fingerprint
from .cache.motion import Array, CachedMotion, rotation_of
from .cache.storage import Sign, cache_of, store
from .properties import OmiMotionCache

LONGEST = 100_000
"""Frames; beyond this something is wrong with the range."""
Tuned = list[tuple[tuple[JointSettings, ...], Vector3]]
"""Settings of joints and gravity, by frame."""
MOST_NAMES = 6
"""Joints that a warning names."""
ADVICE = "Look whether they move as they should; if not, move apart what overlaps, or widen limits."


@dataclass(slots=True)
class Progress:
    """A run that is under way."""

    done: float | None = None
    """From 0 to 1; None where nothing runs."""


progress = Progress()


class TimelineError(Exception):
    """Nothing can be simulated or baked; its text is one sentence for the user."""


def frames_of(scene: Scene) -> range:
    """Return the frames that a scene wants simulated."""
    options = scene.omi_physics_timeline
    if options.range == "CUSTOM":
        return range(options.frame_start, options.frame_end + 1)
    if scene.use_preview_range:
        return range(scene.frame_preview_start, scene.frame_preview_end + 1)
    return range(scene.frame_start, scene.frame_end + 1)


def sample_frames(
    samples: Samples, scene: Scene, frames: Iterable[int], shift: int, rate: float
) -> None:
    """Note what animated settings are in some frames, rising, and put the scene back.

    A second has ``rate`` of them, and ``shift`` is the one at time 0.
    """
    kept = SceneFrame(scene)
    with playback.paused():
        try:
            for frame in frames:
                scene.frame_set(frame)
                samples.look((frame - shift) / rate)
        finally:
            kept.suspend()


class Recorder:
    """One run. ``steps`` does the work, ``keep`` puts what is there into the file, then ``close``.

    The scene is at its first frame while it is sampled, and where it was after ``close``.
    """

    def __init__(self, scene: Scene, span: range) -> None:
        """Read the mechanism at the first frame, at rest.

        Raises:
            TimelineError: there is nothing to simulate.
        """
        if not 2 <= len(span) <= LONGEST:
            what = f"The range from frame {span.start} to {span.stop - 1}"
            raise TimelineError(f"{what} has to have 2 to {LONGEST} frames: change the range.")
        self.scene, self.span = scene, span
        self.fps = fps_of(scene)
        self.issues: list[Issue] = []
        self.placed: list[PlacedObject] = []
        frame, subframe = frame_of(scene)
        with ExitStack() as at_end:
            at_end.callback(lambda: scene.frame_set(frame, subframe=subframe))
            if (cache := cache_of(scene)) is not None:
                playback.put_to_rest(cache)
            at_end.enter_context(playback.paused())
            self._read()
            self._at_end = at_end.pop_all()

    def _read(self) -> None:
        self.scene.frame_set(self.span.start)
        bpy.context.view_layer.update()
        try:
            # The timeline shows what plays, so it reads the scene as play does.
            settings = self.scene.omi_physics_preview
            self._options = options_of(settings, self.scene)
            touch = self._options.contacts
            self._simulated = SimulatedScene(self.scene, "ALL", (), contacts=touch)
        except PlayError as error:
            raise TimelineError(str(error)) from None
        self.placed, self._moving = self._simulated.placed, self._simulated.moving
        self.issues += self._simulated.issues
        self.issues += odd_settings(self._simulated.mechanism, self.scene)
        meets = may_meet(self._simulated.mechanism, floor=settings.use_floor)
        if settings.use_contacts and meets and (why := why_apart(settings)):
            self.issues.append(Issue(Severity.HINT, "contacts-lacking", "scene", f"{why}.", ""))
        moved = [body.object for body in self._moving.bodies]
        self._sign = Sign(fingerprint(self.scene, moved), carried_in(self.placed))
        self._positions: list[Array] = []
        self._rotations: list[Array] = []
        self._spaces: list[Array] = []
        self._holes: tuple[Issue, ...] = ()

    @property
    def frames(self) -> int:
        """How many frames are simulated by now, the first included."""
        return len(self._positions)

    def steps(self) -> Iterator[float]:
        """Do the work bit by bit; yield how much of it is done, from 0 to 1."""
        motions: dict[int, KinematicMotion] = {}
        mechanism, share = self._simulated.mechanism, 0.0
        settings: Tuned = [(mechanism.settings, self._options.gravity)] * len(self.span)
        hangs = any(body.above is None and body.object.parent for body in self._moving.bodies)
        if hangs or self._simulated.is_animated:  # parents may be animated
            share, settings = 0.5, []
            for part in self._sample(motions, settings):
                yield share * part
        options = replace(self._options, substeps=None)
        simulation = Simulation(mechanism, options, motions=motions)
        self.issues += self._simulated.unsaid(simulation.issues)
        self.issues += held_issues_of(simulation, options)
        rows = self._moving.rows_of(simulation.body_nodes)
        self._note(simulation, rows)
        falls = np.isin(simulation.body_nodes, falling(mechanism, self._simulated.islands))
        meshes = PlainMeshes(self.scene) if options.contacts and falls.any() else None
        if meshes is not None:
            meshes.follow(simulation.positions[falls])
        troubles = RunTroubles()
        for number, (tuned, pull) in enumerate(settings[1:], start=1):
            simulation.retune(tuned)
            simulation.set_gravity(pull)
            report = simulation.step(1.0 / self.fps)
            troubles.note(report, self.span[number], simulation.broken)
            if not np.isfinite(simulation.positions).all():
                where = f"frame {self.span[number]}"
                message = "The simulation became unstable and ends before this frame."
                fix = "Check the joints for limits that contradict each other."
                error = Severity.ERROR
                self.issues.append(Issue(error, "simulation-failed", where, message, fix))
                break
            self._note(simulation, rows)
            if meshes is not None:
                meshes.follow(simulation.positions[falls])
            yield share + (1.0 - share) * number / (len(self.span) - 1)
        told = troubles_told(troubles, mechanism, self.fps, sayer(self.scene))
        self.issues += [*told, *self._holes]
        if meshes is not None and (through := meshes.said[0]):
            fix = f"To let it bear them, {meshes.said[1]}."
            self.issues.append(Issue(Severity.HINT, "went-through", "scene", f"{through}.", fix))

    def _sample(self, motions: dict[int, KinematicMotion], settings: Tuned) -> Iterator[float]:
        """Note in each frame how kinematic bodies go, by node, and settings and gravity."""
        followers = Followers(self.placed, self._simulated.followers)
        poses: list[dict[int, Pose]] = []
        for frame in self.span:
            self.scene.frame_set(frame)
            self._spaces.append(self._moving.parent_spaces())
            pull = options_of(self.scene.omi_physics_preview, self.scene).gravity
            settings.append((self._simulated.settings_now(), pull))
            followers.follow(frame - 1.0, frame)
            poses.append(followers.poses)
            yield len(poses) / len(self.span)
        self.scene.frame_set(self.span.start)
        times = np.arange(len(poses)) / self.fps
        for node in followers.poses:
            places, turns = zip(*(one[node] for one in poses), strict=True)
            motions[node] = KinematicMotion(times, np.array(places), np.array(turns))

    def _note(self, simulation: Simulation, rows: NDArray[np.intp]) -> None:
        self._positions.append(simulation.positions[rows])
        self._rotations.append(simulation.rotations[rows])
        self._holes = simulation.hole_issues()

    def keep(self) -> OmiMotionCache:
        """Put the frames that are simulated by now into the file."""
        spaces: Sequence[Array | None] = self._spaces or [None] * self.frames
        # Where the run was stopped there are more spaces than frames.
        bases = np.array([*map(self._moving.bases, self._positions, self._rotations, spaces)])
        motion = motion_below_parents([body.object for body in self._moving.bodies], bases)
        return store(self.scene, self.span.start, motion, self._moving.rest, self._sign)

    def close(self) -> None:
        """Go back to the frame that was current, and show what the cache has there."""
        self._at_end.close()


def motion_below_parents(objects: list[Object], bases: Array) -> CachedMotion:
    """Return motion as objects hold it, from matrices below their parents (frames, bodies, 4, 4).

    What an object adds to its transform (its delta) and its scale are taken out: neither moves.
    """
    frames = len(bases)
    locations = bases[:, :, :3, 3].copy()
    rotations = np.empty((frames, len(objects), 4))
    for row, obj in enumerate(objects):
        locations[:, row] -= np.array(obj.delta_location)
        scale = np.array(obj.scale) * np.array(obj.delta_scale)
        linear = bases[:, row, :3, :3] / scale
        u, _, v = np.linalg.svd(linear)
        own = np.array(_delta_rotation(obj).to_matrix()).T @ (u @ v)
        rotations[:, row] = quaternion_of(own)[:, [3, 0, 1, 2]]
    return CachedMotion(locations.astype(np.float32), rotations.astype(np.float32))


def _delta_rotation(obj: Object) -> Quaternion:
    """Return the turn that an object adds to its rotation."""
    if obj.rotation_mode == "AXIS_ANGLE":
        return Quaternion()
    is_quaternion = obj.rotation_mode == "QUATERNION"
    delta = obj.delta_rotation_quaternion if is_quaternion else obj.delta_rotation_euler
    return rotation_of(obj.rotation_mode, delta)


def troubles_told(
    found: RunTroubles, mechanism: Mechanism, fps: float, say: Say
) -> Iterator[Issue]:
    """Yield a warning for each mechanism that could not hold; hints of what was not exact."""

    def names_of(joints: Iterable[int]) -> list[str]:
        return [mechanism.nodes[node].name for node in joints]

    for joints, frames in found.not_met.items():
        worst, more = found.worst[joints], len(frames) - 1
        names, far = names_of(worst.contradicting or joints), (worst.separation, worst.misalignment)
        when = "at this frame" + f" and {more} more" * (more > 0)
        message, fix = cannot_hold(names, far, say, when=when, most=MOST_NAMES)
        yield _issue(Severity.WARNING, "not-converged", frames, message, f"{fix}.")
    for joints, frames in found.rough.items():
        if joints not in found.not_met:
            when = f"in {len(frames)} of {counted(found.frames, 'frame')}"
            message = only_roughly(names_of(joints), when, most=MOST_NAMES)
            yield _issue(Severity.HINT, "roughly-computed", frames, message, ADVICE)
    for node, frame in found.broke.items():
        message = f"{mechanism.nodes[node].name} broke at this frame"
        fix = "If it is to hold, raise what it bears in Properties > Physics > Breaking."
        yield _issue(Severity.HINT, "joint-broke", [frame], message, fix)
    if found.left_out:
        message, fix = left_out(max(count for _, count in found.left_out))
        frames = [frame for frame, _ in found.left_out]
        yield _issue(Severity.WARNING, "contacts-left-out", frames, message, f"{fix}.")
    if found.stiff:
        names, frames = names_of(found.stiff), max(found.stiff.values(), key=len)
        finer = "Raise the frame rate"
        message, fix = not_followed(names, fps, len(frames), finer, most=MOST_NAMES)
        yield _issue(Severity.HINT, "motion-not-followed", frames, message, f"{fix}.")


def _issue(severity: Severity, code: str, frames: list[int], message: str, fix: str) -> Issue:
    return Issue(severity, code, f"frame {frames[0]}", f"{message}.", fix)
