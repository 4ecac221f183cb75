# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo of simulated motion is safe where a new cache lies where a removed one lay."""

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
