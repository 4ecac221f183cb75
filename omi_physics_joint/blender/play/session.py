# SPDX-License-Identifier: GPL-3.0-or-later
"""One play of the joints of a scene, from the pose that it is in until everything is back."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from time import perf_counter

import bpy
import numpy as np
from bpy.types import Object, Scene

from ...drawing.played import floor_sketch
from ...drawing.strokes import Sketch
from ...model.geometry.extent import Corners, box_around, boxes
from ...model.issue import Issue
from ...solver import Options, Steps
from ..between_bodies.remembered import strayed
from ..bridge.placed import carried_in, joints_in
from ..bridge.poses import away
from ..bridge.poses.moving import BLENDER_FROM_GLTF
from ..data.units import sayer
from ..interface import playing
from ..simulated.choice import falling, may_meet
from ..simulated.following import Followers, SceneFrame
from ..simulated.passing import PlainMeshes
from ..simulated.properties import lend_settings
from ..simulated.reading import PlayError, SimulatedScene
from ..simulated.running import Load, Run, options_of, why_apart
from .outlines import GhostRun, Outlines, Triggers
from .outlook import approximations, lengths, locked, narrow, remarks, troubles, worded

STEP = 1.0 / 60.0
"""s of one output step at full speed."""
MOST_STEPS = 4
"""Steps in one tick; beyond that playing is slower than real time."""
LONGEST = 0.1
"""s that a tick makes up for at most: after a pause it goes on, not ahead."""
ENOUGH = 0.04
"""s of computing after which a tick takes no further step."""
SMOOTH = 0.5
"""s over which the shown rate is a mean."""


class PlaySession:
    """Moves the objects of a scene by their joints, and puts them back.

    Attributes:
        run: the simulation since the rest pose was last left.
        ghost: the exact motion beside it, where that is wanted.
        reason: why it ended, if not because it was stopped.
        settings: those of the scene as long as it plays; see ``lend_settings``.
        settings_changed: whether the user has changed some, once it is over.
        rate: seconds played in one second, smoothed.
        clock: says in s how long computing takes.
        at_end: called once when it is over, whatever ended it.
    """

    def __init__(self, scene: Scene, chosen: Sequence[Object] = ()) -> None:
        """Read a scene and leave its rest pose; nothing moves before the first tick.

        The chosen objects matter where the settings of the scene say that only their joints play.

        Raises:
            PlayError: nothing can be played.
        """
        self.scene = scene
        settings = scene.omi_physics_preview
        options = options_of(settings, scene)
        self.simulated = SimulatedScene(scene, settings.which, chosen, contacts=options.contacts)
        self._hand_back = lend_settings(scene)
        self.settings = bpy.context.window_manager.omi_physics_preview
        self.settings_changed = False
        self.run = Run(self.simulated, options)
        self.ghost = self._new_ghost()
        self._followers = Followers(self.simulated.placed, self.simulated.followers)
        self._frame = SceneFrame(scene) if self.simulated.is_animated else None
        frames = carried_in(self.simulated.placed)
        carried = {joint.session_uid: frame for joint, frame in frames.items()}
        self._away = away.leave(self.simulated.moving.rest, self._frame, carried)
        self.is_paused = self.is_over = False
        self.reason = ""
        self.rate = self.settings.speed
        self.clock: Callable[[], float] = perf_counter
        self._owed = 0.0
        self._reset_wanted = False
        self._told: tuple[tuple[Options, tuple[int, ...], tuple[int, ...]], list[str]] | None = None
        self._holes: tuple[Issue, ...] = ()
        self.at_end: list[Callable[[], None]] = []

    @property
    def issues(self) -> list[Issue]:
        """What cannot be read, shown or moved as it is, with the settings of now."""
        return [*self.simulated.issues, *self.simulated.unsaid(self.run.issues)]

    @property
    def time(self) -> float:
        """Seconds since the rest pose."""
        return self.run.time

    @property
    def broken(self) -> list[tuple[str, float]]:
        """Joints that gave way: their names, and the times in s at which they did."""
        return [(self.simulated.name(node), time) for node, time in self.run.broke.items()]

    @property
    def marks(self) -> tuple[object, ...]:
        """What decides which marks are drawn, beside where the bodies are."""
        settings = self.settings
        shown = settings.show_forces, settings.show_ghost, settings.show_contacts
        return (*self.run.pins, self.run.grabbed, *shown)

    @property
    def has_floor(self) -> bool:
        """Whether anything may fall on a floor that no file has."""
        return self.run.simulation.floor is not None and bool(self._may_fall or self.broken)

    @property
    def apart(self) -> str:
        """Why bodies that could do not touch; nothing where they do, or none could."""
        return why_apart(self.settings) if self._may_meet else ""

    @cached_property
    def _may_meet(self) -> bool:
        return may_meet(self.simulated.mechanism, floor=self.settings.use_floor)

    @cached_property
    def _may_fall(self) -> list[int]:
        return falling(self.simulated.mechanism, self.simulated.islands)

    @cached_property
    def floor(self) -> Sketch:
        """The floor as it is drawn, around all bodies at rest, in Blender's axes."""
        low, high = np.sort(np.array(self._around) @ BLENDER_FROM_GLTF[:3, :3].T, axis=0)
        return floor_sketch(low, high, self.run.simulation.floor or 0.0)

    @cached_property
    def triggers(self) -> Triggers:
        """The triggers as they are drawn."""
        return Triggers(self.simulated)

    @property
    def remarks(self) -> list[str]:
        """What is to be said as long as it plays."""
        key = (self.run.options, tuple(self.run.pins), tuple(self._missed()))
        if self._told is None or self._told[0] != key:
            self._told = (key, remarks(self.simulated.mechanism, self.simulated.islands, *key))
        meshes = self._plain_meshes
        through, remedy = meshes.said if meshes is not None else ("", "")
        said = [f"{through}. Stop, {remedy}"] * bool(through)
        said += [f"{one.message} {one.fix}" for one in self._holes]
        return [*self._told[1], *said, *self._stuck]

    @property
    def _plain_meshes(self) -> PlainMeshes | None:
        """The meshes that are no bodies, where something that touches may fall through them."""
        return self._all_plain_meshes if self.run.options.contacts and self._may_fall else None

    @cached_property
    def _all_plain_meshes(self) -> PlainMeshes:
        return PlainMeshes(self.scene)

    @property
    def _fallen(self) -> np.ndarray:
        """Where what may fall is now, one body of each island, (n, 3), in m in glTF's axes."""
        return self.run.simulation.positions[self._rows]

    @cached_property
    def _rows(self) -> list[int]:
        row = {node: at for at, node in enumerate(self.run.simulation.body_nodes)}
        return [row[body] for body in self._may_fall]

    def _missed(self) -> list[int]:
        """Return of what may fall all that is below everything at rest by the height of that."""
        gravity = np.array(self.run.options.gravity)
        if not (self._may_fall and gravity.any()):
            return []
        down = gravity / np.linalg.norm(gravity)
        top, bottom = np.sort(np.array(self._around) * down, axis=0).sum(axis=1)
        is_gone = self._fallen @ down > 2.0 * bottom - top
        return [body for body, gone in zip(self._may_fall, is_gone, strict=True) if gone]

    @cached_property
    def _around(self) -> Corners:
        return box_around([*boxes(self.simulated.mechanism).values()] or [((0.0,) * 3,) * 2])

    @cached_property
    def _stuck(self) -> list[str]:
        """What cannot move, is of another size or astray; nobody can edit that while it plays."""
        mechanism, say = self.simulated.mechanism, sayer(self.scene)
        stuck = [*narrow(mechanism, say), *locked(mechanism, say)]
        away = strayed(joints_in(self.simulated.placed), self.scene)
        return [*stuck, *lengths(mechanism, self.scene), *worded([*away])]

    @property
    def troubles(self) -> list[str]:
        """Which joints cannot hold."""
        return troubles(self.simulated.mechanism, self.run, sayer(self.scene))

    @property
    def approximations(self) -> list[str]:
        """What is not played as exactly as usual."""
        return approximations(self.simulated.mechanism, self.run)

    def loads_of(self, objects: Iterable[Object | None]) -> list[Load]:
        """Return what joints bear now, those of objects that are joint frames."""
        nodes = [self.simulated.joint_node(obj) for obj in objects]
        return self.run.loads([node for node in nodes if node is not None])

    def tick(self, elapsed: float) -> bool:
        """Go on by some seconds of the wall clock, as far as computing keeps up.

        Whatever fails ends the play, puts everything back, and is said in ``reason``.

        Returns:
            Whether objects moved.
        """
        if self.is_over or self.is_paused or self._away.is_suspended:
            return False
        try:
            if not any(one.scene == self.scene for one in bpy.context.window_manager.windows):
                raise PlayError("Stopped: another scene is shown")
            self._obey()
            if self._advance(elapsed):
                self.show()
                return True
        except PlayError as error:
            self.stop(str(error))
        except ReferenceError:
            self.stop(self._what_is_gone())
        except Exception as error:  # noqa: BLE001 - whatever it is, the scene has to come back
            traceback.print_exc(file=sys.stderr)
            self.stop(f"Stopped by an error in the simulation: {error}")
        return False

    def _obey(self) -> None:
        """Take over settings that were changed; what cannot change on the way begins again."""
        options, before = options_of(self.settings, self.scene), self.run.options
        if options.gravity != before.gravity:
            self.run.set_gravity(options.gravity)
            if self.ghost is not None:
                self.ghost.run.set_gravity(options.gravity)
        if options != self.run.options:
            self.reset()
        if self.wants_ghost and self.ghost is None:
            self.reset()  # both have to begin together
        elif not self.wants_ghost:
            self.ghost = None
        due = self.settings.use_loop and self.time >= self.settings.loop_seconds - 0.5 * STEP
        if due or self._reset_wanted:
            self.reset()

    def _advance(self, elapsed: float) -> int:
        """Take the steps that are due; return how many."""
        speed = self.settings.speed
        step = STEP * min(speed, 1.0)
        self._owed += min(elapsed, LONGEST) * speed
        due = min(round(self._owed / step), MOST_STEPS)
        if due < 1:
            return 0
        start, end = self.run.time, self.run.time + due * step
        motions = {}
        if self._frame is not None:
            self._frame.go(end)
            motions = self._followers.follow(start, end)
            self.run.retune(self.simulated.settings_now())
        self.run.lead(motions, end)
        if self.ghost is not None:
            self.ghost.lead(motions, end)
        began, done = self.clock(), 0
        while done < due and (not done or self.clock() - began < ENOUGH):
            self.run.step(step)
            if self.ghost is not None:
                self.ghost.step(step)
            done += 1
        if self._plain_meshes is not None:
            self._plain_meshes.follow(self._fallen)
        self._holes = self.run.simulation.hole_issues()
        self._owed = min(self._owed - done * step, step)
        self.rate += min(elapsed / SMOOTH, 1.0) * (done * step / max(elapsed, STEP) - self.rate)
        return done

    def show(self) -> None:
        """Write the poses to the objects.

        Raises:
            PlayError: the simulation yields no numbers.
            ReferenceError: an object was deleted.
        """
        positions, rotations = self.run.poses()
        if self._frame is not None:
            self.simulated.moving.follow_parents()
        self.simulated.moving.write(positions, rotations, only_moved=self._frame is None)
        bpy.context.view_layer.update()

    def want_reset(self) -> None:
        """Begin again from the rest pose with the next tick; go on where it is paused."""
        self._reset_wanted, self.is_paused = True, False

    def reset(self) -> None:
        """Begin again from the rest pose; nothing is held, and nothing broken."""
        self._reset_wanted = False
        self.run = Run(self.simulated, options_of(self.settings, self.scene))
        self.ghost = self._new_ghost()
        self._owed, self._holes = 0.0, ()
        if self._plain_meshes is not None:
            self._plain_meshes.forget()
        if self._frame is not None:
            self._frame.go(0.0)
            self._followers.follow(0.0, 0.0)
        self.show()

    @property
    def wants_ghost(self) -> bool:
        """Whether the exact motion is to be shown beside another one."""
        return self.settings.show_ghost and self.run.options.steps is not Steps.EXACT

    def _new_ghost(self) -> GhostRun | None:
        """Return the exact motion from the rest pose on, where it is wanted."""
        return GhostRun(self.simulated, self.run, self._outlines) if self.wants_ghost else None

    @cached_property
    def _outlines(self) -> Outlines:
        return Outlines(self.simulated.moving, self.simulated.placed)

    def _what_is_gone(self) -> str:
        """Say which bodies were deleted."""
        gone = [kept.name for kept in self.simulated.moving.rest if kept.find() is None]
        names = ", ".join(repr(name) for name in gone[:3])
        return f"Stopped: {names} was deleted" if gone else "Stopped: the scene was changed"

    def stop(self, reason: str = "") -> None:
        """Put everything back and end; again and again does nothing."""
        if self.is_over:
            return
        self.is_over, self.reason = True, reason
        frame_back = () if self._frame is None else (self._frame.suspend,)
        for step in (*frame_back, self._objects_back, self._settings_back, *self.at_end):
            try:
                step()
            except ReferenceError:
                continue  # the scene was deleted, or the window closed, and all of it is gone
            except Exception:  # noqa: BLE001 - all other steps have to be taken
                traceback.print_exc(file=sys.stderr)
        if self._frame is not None and self._frame.lost:
            lost = ", ".join(self._frame.lost[:3])
            self.reason = f"{reason or 'Stopped'}. Could not be put back: {lost}"

    def _objects_back(self) -> None:
        away.come_back(self._away)
        if bpy.context.view_layer is not None:
            bpy.context.view_layer.update()

    def _settings_back(self) -> None:
        self.settings_changed = self._hand_back()


def current() -> PlaySession | None:
    """Return the session that plays."""
    session = playing.player()
    return session if isinstance(session, PlaySession) else None


def start(scene: Scene, chosen: Sequence[Object] = ()) -> PlaySession:
    """Play a scene; what played before stops.

    Raises:
        PlayError: nothing can be played.
    """
    playing.stop()
    session = PlaySession(scene, chosen)
    playing.begin(session)
    return session
