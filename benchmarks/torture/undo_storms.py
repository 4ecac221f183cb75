# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations, edits, plays, undo and redo in any order: Blender goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from omi_physics_joint.blender import play
from omi_physics_joint.blender.timeline.cache.storage import cache_of

from .cases import FoundError, Tally, ask_for_calm
from .in_blender import bpy, empty_file, press

STEPS = 40
FRAMES = 6
PRESSED = ("simulate", "simulate", "free_cache", "swap_sides", "flip", "separate_frames", "remove")


def case(chance: Random, _folder: Path, tally: Tally) -> None:
    """Do things to a row of doors, and look after each whether its motion is there."""
    empty_file()
    bpy.context.scene.frame_end = FRAMES
    _doors(chance.randint(1, 4))
    _remember("begin")
    for _ in range(STEPS):
        what = chance.choice(("press", "press", "press", "undo", "undo", "redo", "play", "frame"))
        tally.count(what)
        ACTIONS[what](chance)
        _look()


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


def _remember(message: str) -> None:
    bpy.ops.ed.undo_push(message=message)


def _press(chance: Random) -> None:
    """Press a button with some joint selected, as one step of undo."""
    joints = [obj.name for obj in bpy.context.scene.objects if obj.omi_physics_joint.is_joint]
    if joints:
        _select(chance.choice(joints))
    name = chance.choice(PRESSED)
    operator = getattr(bpy.ops.omi_joint, name)
    if operator.poll():
        said, refused = press(operator)
        ask_for_calm(f"{said}\n{refused}")
        _remember(name)


def _undo(_chance: Random) -> None:
    press(bpy.ops.ed.undo)  # refused where nothing is left


def _redo(_chance: Random) -> None:
    press(bpy.ops.ed.redo)


def _play(chance: Random) -> None:
    if not any(obj.omi_physics_joint.is_joint for obj in bpy.context.scene.objects):
        return
    session = play.start(bpy.context.scene)
    for _ in range(chance.randint(1, 5)):
        session.tick(1 / 60)
    play.stop()


def _frame(chance: Random) -> None:
    bpy.context.scene.frame_set(chance.randint(1, FRAMES))


ACTIONS: dict[str, Callable[[Random], None]] = {
    "press": _press,
    "undo": _undo,
    "redo": _redo,
    "play": _play,
    "frame": _frame,
}


def _look() -> None:
    """Ask for a cache that is there, wherever the scene points at one."""
    scene = bpy.context.scene
    cache = scene.omi_physics_timeline.cache
    if cache is not None:
        if cache.as_pointer() not in {tree.as_pointer() for tree in bpy.data.node_groups}:
            raise FoundError("the scene points at motion that is gone")
        if cache_of(scene) is None:
            raise FoundError("the scene points at motion of another scene")
