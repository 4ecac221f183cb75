# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo of simulated motion loses neither Blender nor the rest pose.

Blender reads of a step of undo only what differs from the step beside it; all else stays as it is
now, with frames that were shown since. Tests begin with steps enough to have both.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import bpy
import pytest

from tests.blender.test_timeline import falling_door, raw, simulate

INSIDE = Path(__file__).parent / "inside" / "renewed_cache.py"


@pytest.mark.parametrize("how", ["simulate", "free"])
def test_undo_finds_each_cache_at_an_address_used_again(how: str, tmp_path: Path) -> None:
    """Blender neither ends in undo nor points at a freed cache (docs/developers/undo-crash.md)."""
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path)}
    environment.pop("OCIO", None)  # that of this process is of no use to another one
    done = subprocess.run(
        [sys.executable, str(INSIDE), how],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.rpartition("RESULT ")[2])
    assert all(found["sound"]), found
    if not any(found["again"]):
        pytest.skip("this Blender did not use an address again")


def test_the_scene_differs_with_each_change_of_its_cache() -> None:
    """Making, renewing and freeing a cache each leave another number in the scene."""
    falling_door()
    timeline = bpy.context.scene.omi_physics_timeline
    seen = [timeline.changes]
    for press in (simulate, simulate, bpy.ops.omi_joint.free_cache, simulate):
        press()
        seen.append(timeline.changes)
    assert seen == sorted(set(seen))


def test_undo_of_a_second_simulation_knows_what_it_had_shown() -> None:
    """Bodies at a frame of the cache that is undone were not moved by the user: rest stays rest."""
    leaf = falling_door()
    rest = raw(leaf)
    bpy.ops.ed.undo_push(message="door")
    bpy.context.scene.frame_set(4)
    for message in ("first", "second"):
        simulate()
        bpy.ops.ed.undo_push(message=message)
    bpy.context.scene.frame_set(2)
    bpy.ops.ed.undo()
    bpy.context.scene.frame_set(3)
    leaf = bpy.data.objects["Door"]
    assert bpy.context.scene.omi_physics_timeline.cache.outdated == ""
    bpy.context.scene.frame_set(1)
    assert raw(leaf) == rest


SIMULATE, FREE = "simulate", "free_cache"
EDIT, MOVE = "edit", "move"


def do(*steps: str | int) -> None:
    """Go to frames and do the rest, each as a step of undo; ends where Undo was pressed once."""
    bpy.ops.ed.undo_push(message="begin")
    for step in steps:
        if isinstance(step, int):
            bpy.context.scene.frame_set(step)
            continue
        if step == EDIT:  # what makes another object, and no other motion
            bpy.data.objects["Door"].pass_index += 1
        elif step == MOVE:
            bpy.data.objects["Frame"].location.x += 1.0
        else:
            assert getattr(bpy.ops.omi_joint, step)() == {"FINISHED"}
        bpy.ops.ed.undo_push(message=step)
    bpy.ops.ed.undo()


@pytest.mark.parametrize(
    "steps",
    [
        (SIMULATE, FREE, SIMULATE, 4),
        (4, SIMULATE, EDIT, EDIT, 2),
        (4, SIMULATE, EDIT, EDIT, 1),
        (SIMULATE, 4, EDIT, EDIT, EDIT, 2),
        (SIMULATE, 4, EDIT, MOVE, EDIT, 1),
        (4, SIMULATE, SIMULATE, MOVE, EDIT, 1),
    ],
    ids=lambda steps: "-".join(map(str, steps)),
)
def test_undo_keeps_the_rest_pose_whatever_was_shown(steps: tuple[str | int, ...]) -> None:
    """After Undo a body rests where its user put it, though another frame was shown meanwhile."""
    rest = raw(falling_door())
    do(*steps)
    bpy.context.scene.frame_set(1)
    assert raw(bpy.data.objects["Door"]) == rest


def test_undo_finds_a_body_between_two_frames() -> None:
    """A pose of motion blur is one of the motion, too."""
    rest = raw(falling_door())
    bpy.context.scene.frame_set(4, subframe=0.25)
    do(SIMULATE, EDIT, EDIT, 2)
    bpy.context.scene.frame_set(1)
    assert raw(bpy.data.objects["Door"]) == rest


def test_undo_shows_the_frame_again_where_nothing_is_undone() -> None:
    """A step of undo that has nothing to do with the motion leaves it in sight."""
    rest = raw(falling_door())
    do(SIMULATE, 4, EDIT, EDIT)
    assert bpy.context.scene.frame_current == 4
    assert raw(bpy.data.objects["Door"]) != rest
