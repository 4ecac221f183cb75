# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated settings move bodies alike: played, on the timeline, from a file, imported again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import radians
from pathlib import Path

import bpy
import numpy as np
import pytest
from omi_export import export, import_file

from omi_physics_joint.blender import play as playing
from omi_physics_joint.blender.bridge.animation import curves_of
from omi_physics_joint.blender.timeline import playback
from omi_physics_joint.blender.timeline.cache.storage import told_cache
from omi_physics_joint.cli.command import main
from omi_physics_joint.gltf.animated.keyed import read_channels
from omi_physics_joint.gltf.document.files import load
from tests.blender.test_play import angle, started
from tests.blender.test_timeline import simulate
from tests.scenes import door

SECONDS = 2.0
STEPS = {"rising": (1.2, 0.3), "sinking": (0.3, 1.2)}
"""rad: a bound at frame 0 and at frame 24."""


def hatch(first: float, last: float) -> bpy.types.Object:
    """Return the joint of a hatch that falls on a bound that moves for a second, then stays."""
    _, _, joint = door(direction="GLOBAL_Y")
    limit = next(
        item
        for item in joint.omi_physics_joint.settings.limits
        if item.freedom == "angular" and item.angular_max != item.angular_min
    )
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 0, 48
    for frame, bound in ((0, first), (24, last)):
        limit.angular_max, limit.angular_min = bound, -bound
        limit.keyframe_insert("angular_max", frame=frame)
        limit.keyframe_insert("angular_min", frame=frame)
    scene.frame_set(0)
    return joint


def played(joint: bpy.types.Object) -> list[float]:
    """Return the angle of a joint after one second of play and after two, in rad."""
    session = playing.start(bpy.context.scene)
    found = []
    for _ in range(2):
        started(session, SECONDS / 2.0)
        found.append(radians(angle(session, joint)))
    playing.stop()
    return found


@pytest.mark.parametrize("name", STEPS)
def test_a_keyed_bound_moves_a_door_alike_everywhere(name: str, tmp_path: Path) -> None:
    """In play, after export and import, and from the file without Blender."""
    joint = hatch(*STEPS[name])
    before = played(joint)
    assert before == pytest.approx([STEPS[name][1]] * 2, abs=0.05)
    assert bpy.context.scene.frame_current == 0
    path = tmp_path / "hatch.glb"
    export(path)
    assert read_channels(load(path))[0]
    out = tmp_path / "hatch.json"
    assert main(["simulate", str(path), "--seconds", "2", "--json", str(out)]) == 0
    import_file(path)
    scene = bpy.context.scene
    scene.render.fps = 24
    scene.frame_set(0)
    joint = next(obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint)
    assert played(joint) == pytest.approx(before, abs=2e-3)
    rotation = json.loads(out.read_text())["bodies"]["Door"]["rotation"]
    turned = [2.0 * np.arccos(min(abs(np.dot(rotation[0], rotation[i])), 1.0)) for i in (60, 120)]
    assert turned == pytest.approx(np.abs(before), abs=2e-3)


def test_the_timeline_moves_as_play_does_and_stays_valid() -> None:
    """Simulated frames follow the keys; another frame is no edit, and another key is one."""
    joint = hatch(*STEPS["rising"])
    before = played(joint)
    simulate()
    scene, body = bpy.context.scene, joint.parent
    start = body.matrix_world.to_quaternion()
    for frame, wanted in ((24, before[0]), (48, before[1])):
        scene.frame_set(frame)
        turned = start.rotation_difference(body.matrix_world.to_quaternion()).angle
        assert turned == pytest.approx(abs(wanted), abs=0.02)
        playback.refresh(scene)
        assert told_cache(scene).outdated == ""
    block = joint.omi_physics_joint.settings
    data = block.animation_data
    curve = data.action.layers[0].strips[0].channelbag(data.action_slot).fcurves[0]
    curve.keyframe_points[1].co.y = 0.9
    playback.refresh(scene)
    assert "was changed" in told_cache(scene).outdated


def highest(frames: Sequence[int]) -> list[float]:
    """Return the bound of the hatch in some frames, rad."""
    joint = next(obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint)
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found.append(max(item.angular_max for item in joint.omi_physics_joint.settings.limits))
    return found


@pytest.mark.parametrize("mode", ["ACTIONS", "ACTIVE_ACTIONS", "SCENE"])
@pytest.mark.parametrize("beside", ["", "strip", "driver"])
def test_all_that_moves_a_bound_is_written_to_its_end(
    mode: str, beside: str, tmp_path: Path
) -> None:
    """Also a strip behind the last key of the action, or a driver beside keys."""
    block = hatch(1.2, 0.3).omi_physics_joint.settings
    data, frames = block.animation_data, (0, 12, 24, 30, 36, 48)
    if beside == "strip":
        strip = data.nla_tracks.new().strips.new("Later", 25, data.action.copy())
        strip.action_slot, data.action_extrapolation = strip.action.slots[0], "NOTHING"
    elif beside == "driver":
        at = next(i for i, one in enumerate(block.limits) if one.angular_max)
        curve = block.driver_add(f"limits[{at}].angular_max")
        curve.driver.expression = "0.3 + frame / 100"
    before = highest(frames)
    export(tmp_path / "hatch.glb", export_animation_mode=mode)
    import_file(tmp_path / "hatch.glb")
    bpy.context.scene.render.fps = 24
    assert highest(frames) == pytest.approx(before, abs=2e-3)
    assert (before[4] > 0.5) is bool(beside)


@pytest.mark.parametrize("how", ["CYCLES", "NOISE", "LINEAR", "plain"])
def test_what_goes_on_after_the_last_key_goes_on_in_a_file(how: str, tmp_path: Path) -> None:
    """Modifiers and extrapolation of curves are sampled as far as the scene goes."""
    joint = hatch(0.3, 1.2)
    data = joint.omi_physics_joint.settings.animation_data
    for curve in curves_of(data.action, data.action_slot):
        if how in {"CYCLES", "NOISE"}:
            curve.modifiers.new(how)
        elif how == "LINEAR":
            curve.extrapolation = how
    export(tmp_path / "hatch.glb")
    found = read_channels(load(tmp_path / "hatch.glb"))[0]
    last = {round(keys.times[-1] * 24.0) for keys in found.values()}
    assert last == {24 if how == "plain" else 48}


def test_keyed_gravity_pulls_in_play_as_it_is_in_each_frame() -> None:
    """And is what it was again afterwards."""
    joint, scene = hatch(1.2, 1.2), bpy.context.scene
    joint.omi_physics_joint.settings.animation_data_clear()
    for frame, scene.gravity.z in ((0, 0.0), (11, 0.0), (12, -9.81)):
        scene.keyframe_insert("gravity", frame=frame)
    scene.frame_set(0)
    session = playing.start(scene)
    started(session, 0.25)
    assert angle(session, joint) == pytest.approx(0.0, abs=1e-6)
    started(session, 0.75)
    assert abs(angle(session, joint)) > 20.0
    playing.stop()
    assert scene.gravity.z == 0.0
