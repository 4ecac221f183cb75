# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft limits that cannot hold are rigid by default: in play, timeline and command line alike."""

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
from tests.scenes import box, joined, select

ROOT = Path(__file__).resolve().parents[2]
LAST = 31


def rope() -> list[bpy.types.Object]:
    """Return a post and three links that hang on it by the preset for Godot."""
    links = [box("Post")]
    for number in range(1, 4):
        link = box(f"Link {number}", (0.6 * number, 0.0, 0.0))
        link.scale = (0.25, 0.05, 0.05)
        bpy.context.scene.cursor.location = (0.6 * number - 0.3, 0.0, 0.0)
        bpy.context.view_layer.update()
        pin = joined("PIN", links[-1], link)
        if number > 1:
            links[-1].omi_physics_body.type = "dynamic"
        select(pin)
        preset = ROOT / "presets" / "omi_physics_joint" / "Rope_Pin_for_Godot.json"
        bpy.ops.omi_joint.preset_apply(filepath=str(preset))
        links.append(link)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, LAST, 60
    scene.frame_set(1)
    return links


def played(frames: int) -> play.PlaySession:
    """Play so many frames of 1/60 s."""
    session = play.start(bpy.context.scene)
    for _ in range(frames):
        session.tick(STEP)
    return session


def places(objects: list[bpy.types.Object]) -> np.ndarray:
    """Return where objects are, (n, 3)."""
    return np.array([obj.matrix_world.translation for obj in objects])


def test_the_rope_preset_hangs_together_in_play() -> None:
    """No link goes farther from the next one than they are long; the panel says why."""
    links = rope()
    before = play.outlook(bpy.context.scene)
    session = played(60)
    apart = np.linalg.norm(np.diff(places(links), axis=0), axis=1)
    assert apart.max() < 0.65
    assert [one.code for one in session.issues] == ["soft-limits-held"]
    (said,) = session.issues
    assert before == [f"{said.where}: {said.message} {said.fix}"]
    assert "(and 2 more)" in session.issues[0].where
    play.stop()


def test_springs_are_one_switch_away() -> None:
    """Read literally, the same rope falls apart, and nothing is said of it."""
    links = rope()
    bpy.context.scene.omi_physics_preview.soft_locks = "literal"
    session = played(60)
    assert np.linalg.norm(np.diff(places(links), axis=0), axis=1).max() > 1.0
    assert not session.issues
    play.stop()


def test_play_timeline_and_command_line_agree(tmp_path: Path) -> None:
    """The same links hang in the same place after half a second, wherever they are moved."""
    links = rope()
    bpy.context.scene.omi_physics_preview.use_contacts = False
    played(LAST - 1)
    in_play = places(links)
    play.stop()
    target = tmp_path / "rope.gltf"
    export(target)
    recorder = Recorder(bpy.context.scene, range(1, LAST + 1))
    assert list(recorder.steps())
    assert "soft-limits-held" in {issue.code for issue in recorder.issues}
    recorder.keep()
    recorder.close()
    bpy.context.scene.frame_set(LAST)
    assert places(links) == pytest.approx(in_play, abs=2e-3)
    out = tmp_path / "rope.json"
    words = ["simulate", str(target), "--seconds", "0.5", "--json", str(out)]
    assert main(words) == 0
    bodies = json.loads(out.read_text("utf-8"))["bodies"]
    for link in links[1:]:
        x, y, z = bodies[link.name]["translation"][LAST - 1]
        assert (x, -z, y) == pytest.approx(tuple(link.matrix_world.translation), abs=2e-3)


def test_old_caches_stay_valid_where_nothing_is_too_soft() -> None:
    """Automatic and literal reading are the same to a cache, unless a limit cannot hold."""
    links = rope()
    scene, options = bpy.context.scene, bpy.context.scene.omi_physics_preview
    found = {}
    for stiffness in (0.5, 5000.0):
        for joint in scene.objects:
            if joint.omi_physics_joint.is_joint:
                joint.omi_physics_joint.settings.limits[0].stiffness = stiffness
        for reading in ("automatic", "literal"):
            options.soft_locks = reading
            found[stiffness, reading] = fingerprint(scene, links)
    assert found[5000.0, "automatic"] == found[5000.0, "literal"]
    assert found[0.5, "automatic"] != found[0.5, "literal"]


def test_numbers_in_saved_files_keep_their_meaning() -> None:
    """The first release saved springs as 0 and rigid as 1; the new choice is neither."""
    items = bpy.types.Scene.bl_rna.properties["omi_physics_preview"].fixed_type.properties[
        "soft_locks"
    ]
    assert {item.identifier: item.value for item in items.enum_items} == {
        "literal": 0,
        "rigid": 1,
        "automatic": 2,
    }
    assert items.default == "automatic"
