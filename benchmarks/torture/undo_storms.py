# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations, edits, plays, undo and redo in any order: Blender goes on, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.poses.transforms import Kept
from omi_physics_joint.blender.timeline.cache.storage import cache_of

from .cases import FoundError, Tally, ask_for_calm
from .in_blender import bpy, empty_file, press

STEPS = 40
FRAMES = 6
PRESSED = ("simulate", "simulate", "free_cache", "swap_sides", "flip", "separate_frames", "remove")


Rest = dict[str, tuple[tuple[float, ...], ...]]
"""Where bodies belong, by name."""


def case(chance: Random, _folder: Path, tally: Tally) -> None:
    """Do things to a row of doors, and look after each whether motion and rest are there."""
    empty_file()
    bpy.context.scene.frame_end = FRAMES
    _doors(chance.randint(1, 4))
    steps = Steps()
    for _ in range(STEPS):
        what = chance.choice(WEIGHTED)
        tally.count(what)
        ACTIONS[what](chance, steps)
        _look(chance, steps)


class Steps:
    """The steps of undo as they must be: where bodies rest in each."""

    def __init__(self) -> None:
        self._rests: list[Rest] = []
        self._now = -1
        self.push("begin", _bodies())

    @property
    def rest(self) -> Rest:
        """Where bodies rest now."""
        return self._rests[self._now]

    def push(self, message: str, rest: Rest) -> None:
        """Make a step of undo."""
        bpy.ops.ed.undo_push(message=message)
        self._now += 1
        self._rests[self._now :] = [rest]

    def go(self, way: int) -> None:
        """Undo with -1, redo with 1; nothing where there is no such step."""
        operator = bpy.ops.ed.undo if way < 0 else bpy.ops.ed.redo
        if not press(operator)[1]:
            self._now += way


def _bodies() -> Rest:
    bodies = (obj for obj in bpy.context.scene.objects if obj.type == "MESH")
    return {obj.name: Kept.of(obj).values for obj in bodies}


def _doors(count: int) -> None:
    for number in range(count):
        for name, x in (("Frame", 0.0), ("Door", 2.0)):
            bpy.ops.mesh.primitive_cube_add(location=(x, 5.0 * number, 0.0))
            bpy.context.object.name = f"{name} {number}"
        _select(f"Frame {number}", f"Door {number}")
        bpy.ops.omi_joint.create(kind="HINGE", direction="GLOBAL_Y", use_range=False)


def _select(*names: str) -> None:
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj.name in names)
    bpy.context.view_layer.objects.active = bpy.data.objects[names[-1]]


def _press(chance: Random, steps: Steps) -> None:
    """Press a button with some joint selected, as one step of undo."""
    joints = [obj.name for obj in bpy.context.scene.objects if obj.omi_physics_joint.is_joint]
    if joints:
        _select(chance.choice(joints))
    name = chance.choice(PRESSED)
    operator = getattr(bpy.ops.omi_joint, name)
    if operator.poll():
        said, refused = press(operator)
        ask_for_calm(f"{said}\n{refused}")
        steps.push(name, steps.rest)


def _move(chance: Random, steps: Steps) -> None:
    """Put a body elsewhere, which is its rest from then on."""
    name = chance.choice(sorted(steps.rest))
    obj = bpy.context.scene.objects[name]
    obj.location.z += chance.uniform(0.1, 1.0)
    steps.push("move", {**steps.rest, name: Kept.of(obj).values})


def _edit(chance: Random, steps: Steps) -> None:
    """Change what is no physics of a body."""
    bpy.context.scene.objects[chance.choice(sorted(steps.rest))].pass_index += 1
    steps.push("edit", steps.rest)


def _play(chance: Random, _steps: Steps) -> None:
    if not any(obj.omi_physics_joint.is_joint for obj in bpy.context.scene.objects):
        return
    session = play.start(bpy.context.scene)
    for _ in range(chance.randint(1, 5)):
        session.tick(1 / 60)
    play.stop()


def _frame(chance: Random, _steps: Steps) -> None:
    bpy.context.scene.frame_set(chance.randint(1, FRAMES))


ACTIONS: dict[str, Callable[[Random, Steps], None]] = {
    "press": _press,
    "undo": lambda _chance, steps: steps.go(-1),
    "redo": lambda _chance, steps: steps.go(1),
    "play": _play,
    "frame": _frame,
    "move": _move,
    "edit": _edit,
}
WEIGHTED = ("press", "press", "press", "undo", "undo", "redo", "play", "frame", "edit", "move")


def _look(chance: Random, steps: Steps) -> None:
    """Ask for a cache where the scene points at one, and sometimes for bodies at rest."""
    scene = bpy.context.scene
    cache = scene.omi_physics_timeline.cache
    if cache is not None:
        if cache.as_pointer() not in {tree.as_pointer() for tree in bpy.data.node_groups}:
            raise FoundError("the scene points at motion that is gone")
        if cache_of(scene) is None:
            raise FoundError("the scene points at motion of another scene")
    if chance.random() < 0.5:
        frame = scene.frame_current
        scene.frame_set(1)
        lost = [name for name, at in _bodies().items() if at != steps.rest[name]]
        scene.frame_set(frame)
        if lost:
            raise FoundError(f"the rest pose of {lost[0].split()[0]} was lost")
