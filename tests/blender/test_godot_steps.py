# SPDX-License-Identifier: GPL-3.0-or-later
"""Play > Steps > As Godot: in play, timeline and command line alike; lent like other settings."""

from __future__ import annotations

import json
from pathlib import Path

import bpy
import numpy as np
import pytest
from omi_export import export

from omi_physics_joint.blender import play
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.timeline.cache.fingerprint import fingerprint
from omi_physics_joint.blender.timeline.recording import Recorder
from omi_physics_joint.cli.command import main
from tests.scenes import level_bar

LAST = 31


def pendulum() -> bpy.types.Object:
    """Return a bar that hangs level on a hinge about Y, on a post."""
    bar = level_bar()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, LAST, 60
    scene.frame_set(1)
    return bar


def played(bar: bpy.types.Object, steps: str) -> np.ndarray:
    """Return where a bar is after half a second of play, and put it back."""
    bpy.context.scene.omi_physics_preview.steps = steps
    session = play.start(bpy.context.scene)
    for _ in range(LAST - 1):
        session.tick(STEP)
    assert not session.troubles
    place = np.array(bar.matrix_world.translation)
    play.stop()
    return place


def test_play_timeline_and_command_line_step_alike(tmp_path: Path) -> None:
    """The bar is in the same place after half a second, and not where it is exactly."""
    bar = pendulum()
    exact, in_play = played(bar, "exact"), played(bar, "godot")
    assert 1e-3 < np.linalg.norm(in_play - exact) < 0.1
    target, out = tmp_path / "bar.gltf", tmp_path / "bar.json"
    export(target)
    recorder = Recorder(bpy.context.scene, range(1, LAST + 1))
    assert list(recorder.steps())
    recorder.keep()
    recorder.close()
    bpy.context.scene.frame_set(LAST)
    assert np.array(bar.matrix_world.translation) == pytest.approx(in_play, abs=1e-4)
    words = ["simulate", str(target), "--as", "godot", "--seconds", "0.5", "--json", str(out)]
    assert main(words) == 0
    motion = json.loads(out.read_text("utf-8"))
    assert motion["steps"] == "godot"
    x, y, z = motion["bodies"]["Bar"]["translation"][LAST - 1]
    assert (x, -z, y) == pytest.approx(tuple(in_play), abs=1e-4)


def test_the_switch_is_lent_and_begins_again() -> None:
    """What is chosen while it plays counts at once, from the rest pose, and stays chosen."""
    pendulum()
    scene = bpy.context.scene
    session = play.start(scene)
    for _ in range(5):
        session.tick(STEP)
    assert session.time > 0.0
    session.settings.steps = "godot"
    assert scene.omi_physics_preview.steps == "exact"
    session.tick(STEP)
    assert session.time == pytest.approx(STEP)
    play.stop()
    assert scene.omi_physics_preview.steps == "godot"


def test_a_body_can_be_pulled_and_pinned() -> None:
    """The hand is none of Godot's springs: it is as strong as ever, and no stronger."""
    bar = pendulum()
    bpy.context.scene.omi_physics_preview.steps = "godot"
    session = play.start(bpy.context.scene)
    run = session.run
    node = next(i for i, one in enumerate(session.simulated.mechanism.nodes) if one.name == "Bar")
    run.grab(node, (0.6, 0.0, 0.0))
    run.drag((0.4, 0.0, 0.3))
    for _ in range(60):
        session.tick(STEP)
    assert bar.matrix_world.translation.z > 0.2
    run.pin(node)
    for _ in range(60):
        session.tick(STEP)
    assert bar.matrix_world.translation.z > 0.2
    assert np.isfinite(np.array(bar.matrix_world)).all()
    play.stop()


def test_a_simulation_of_other_steps_is_outdated() -> None:
    """With steps of Godot the reading of soft limits means nothing."""
    bar = pendulum()
    scene = bpy.context.scene
    options = scene.omi_physics_preview
    exact = fingerprint(scene, [bar])
    options.steps = "godot"
    stepped = fingerprint(scene, [bar])
    assert exact != stepped
    options.soft_locks = "rigid"
    assert fingerprint(scene, [bar]) == stepped
