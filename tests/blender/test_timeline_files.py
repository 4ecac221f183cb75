# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated motion is in the file: after reload, undo and in renders, and rest is what is saved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play, timeline
from omi_physics_joint.blender.bridge.poses import away
from omi_physics_joint.blender.bridge.poses.transforms import keep
from omi_physics_joint.blender.registration import in_order
from omi_physics_joint.blender.timeline.cache.storage import told_cache
from omi_physics_joint.blender.timeline.recording import Recorder
from tests.blender.test_timeline import LAST, falling_door, raw, simulate
from tests.scenes import box

INSIDE = Path(__file__).parent / "inside" / "timeline_session.py"


def fresh_session(path: Path, what: str) -> dict[str, list[float]]:
    """Open a file in a new process and return what it found there."""
    profile = path.parent / "profile"
    profile.mkdir(exist_ok=True)
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(profile)}
    environment.pop("OCIO", None)  # that of this process is of no use to another one
    done = subprocess.run(
        [sys.executable, str(INSIDE), str(path), what],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    assert lines, done.stdout + done.stderr
    return json.loads(lines[-1].removeprefix("RESULT "))


def place(obj: bpy.types.Object) -> list[float]:
    """Return where an object is shown."""
    return [*obj.matrix_world.translation]


def test_saved_file_holds_rest_and_motion(tmp_path: Path) -> None:
    """A fresh Blender shows the cached pose at once and at every frame; the file has rest."""
    leaf = falling_door()
    rest = raw(leaf)
    simulate()
    scene = bpy.context.scene
    expected = {}
    for frame in (3, 1, 15):
        scene.frame_set(frame)
        expected[frame] = place(leaf)
    path = tmp_path / "door.blend"
    shown = raw(leaf)
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    assert raw(leaf) == shown
    with bpy.data.libraries.load(str(path)) as (_, into):
        into.objects = ["Door"]
    assert raw(into.objects[0]) == rest
    found = fresh_session(path, "show")
    assert found["opened"] == pytest.approx(expected[15], abs=1e-6)
    for frame, there in expected.items():
        assert found[str(frame)] == pytest.approx(there, abs=1e-6)


def test_reload_in_the_same_session(tmp_path: Path) -> None:
    """The file opened again is valid, shown and can be freed to the bit."""
    rest = raw(falling_door())
    simulate()
    bpy.context.scene.frame_set(12)
    shown = raw(bpy.data.objects["Door"])
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert told_cache(bpy.context.scene).outdated == ""
    assert raw(bpy.data.objects["Door"]) == shown
    bpy.ops.omi_joint.free_cache()
    assert raw(bpy.data.objects["Door"]) == rest


def test_file_edited_without_the_add_on_is_outdated(tmp_path: Path) -> None:
    """A body moved while the add-on was off stays where it is, and the motion is not shown."""
    falling_door()
    simulate()
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    register, unregister = in_order((timeline,))
    unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path))
        bpy.data.objects["Door"].location.y = 3.0
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
    finally:
        register()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    bpy.context.scene.frame_set(15)
    assert told_cache(bpy.context.scene).outdated == "Door was moved"
    assert bpy.data.objects["Door"].location.y == pytest.approx(3.0)


def test_add_on_off_puts_everything_to_rest() -> None:
    """Off: rest to the bit and no handler left. On: the pose of the frame again."""
    leaf = falling_door()
    rest = raw(leaf)
    simulate()
    bpy.context.scene.frame_set(12)
    shown = raw(leaf)
    lists = (bpy.app.handlers.frame_change_post, bpy.app.handlers.undo_post)
    counts = [len(handlers) for handlers in lists]
    register, unregister = in_order((timeline,))
    unregister()
    try:
        assert raw(leaf) == rest
        assert [len(handlers) for handlers in lists] == [count - 1 for count in counts]
    finally:
        register()
    bpy.context.scene.frame_set(12)
    assert raw(leaf) == shown
    assert [len(handlers) for handlers in lists] == counts


def step(message: str) -> None:
    """Make an undo step."""
    bpy.ops.ed.undo_push(message=message)


def test_undo_and_redo_show_the_frame_and_stay_valid() -> None:
    """Scrub, edit another object, undo, redo, scrub: the motion is there all the time."""
    leaf = falling_door()
    other = box("Other", (0.0, 8.0, 0.0)).name
    rest = raw(leaf)
    scene = bpy.context.scene
    step("door")
    simulate()
    step("simulate")
    poses = {}
    for frame in (5, 12, 18):
        scene.frame_set(frame)
        poses[frame] = raw(leaf)
    step("scrub")
    scene.frame_set(12)
    bpy.data.objects[other].location.x = 4.0
    step("edit")
    scene.frame_set(5)

    def check() -> None:
        frame = bpy.context.scene.frame_current
        assert told_cache(bpy.context.scene).outdated == ""
        if frame in poses:
            assert raw(bpy.data.objects["Door"]) == poses[frame]
        for one, pose in poses.items():
            bpy.context.scene.frame_set(one)
            assert raw(bpy.data.objects["Door"]) == pose

    bpy.ops.ed.undo()
    check()
    bpy.ops.ed.redo()
    check()
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    check()
    bpy.ops.ed.undo()
    assert told_cache(bpy.context.scene) is None
    assert raw(bpy.data.objects["Door"]) == rest
    bpy.ops.ed.redo()
    check()


def test_undo_of_a_moved_body_makes_the_motion_valid_again() -> None:
    """A body moved at some frame and brought back by undo goes on; redo brings the edit."""
    leaf = falling_door()
    simulate()
    scene = bpy.context.scene
    scene.frame_set(12)
    shown = raw(leaf)
    step("scrub")
    leaf.location.y += 2.0
    step("move")
    edited = raw(leaf)
    bpy.ops.ed.undo()
    assert told_cache(bpy.context.scene).outdated == ""
    assert raw(bpy.data.objects["Door"]) == shown
    bpy.ops.ed.redo()
    assert told_cache(bpy.context.scene).outdated == "Door was moved"
    assert raw(bpy.data.objects["Door"]) == edited
    bpy.context.scene.frame_set(15)
    assert raw(bpy.data.objects["Door"]) == edited


def renderable(path: Path) -> None:
    """Make the scene a tiny picture that shows where the door is."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 1, False
    scene.cycles.device = "CPU"
    scene.render.resolution_x = scene.render.resolution_y = 24
    scene.render.image_settings.file_format = "PNG"
    scene.world = bpy.data.worlds.new("World")
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location, camera.rotation_euler = (1.0, -14.0, 0.0), (np.pi / 2.0, 0.0, 0.0)
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.frame_start, scene.frame_end, scene.frame_step = 5, 15, 10
    bpy.ops.wm.save_as_mainfile(filepath=str(path))


def pixels(path: Path) -> np.ndarray:
    """Return the pixels of a picture."""
    image = bpy.data.images.load(str(path))
    found = np.empty(len(image.pixels), dtype=np.float32)
    image.pixels.foreach_get(found)
    return found


def test_background_render_shows_the_motion(tmp_path: Path) -> None:
    """Frames rendered by a fresh process are pictures of the door where the cache has it."""
    leaf = falling_door()
    simulate()
    path = tmp_path / "door.blend"
    renderable(path)
    found = fresh_session(path, "render")
    scene = bpy.context.scene
    poses = {}
    for frame in (5, 15):
        scene.frame_set(frame)
        poses[frame] = raw(leaf)
    scene.frame_set(5)
    bpy.ops.omi_joint.free_cache()
    assert found["after"] == pytest.approx(found["opened"], abs=1e-6)
    rendered = {}
    for frame, pose in poses.items():
        leaf.location, leaf.rotation_euler = pose[0], pose[1]
        scene.render.filepath = str(tmp_path / f"truth{frame}.png")
        bpy.ops.render.render(write_still=True)
        rendered[frame] = pixels(Path(f"{path}_{frame:04}.png"))
        there = pixels(Path(scene.render.filepath))
        assert np.abs(rendered[frame] - there).max() < 0.02
    assert np.abs(rendered[5] - rendered[15]).max() > 0.15


def test_frames_between_frames_are_between() -> None:
    """Half-way between two frames, as motion blur asks, the door is half-way."""
    leaf = falling_door()
    simulate()
    scene = bpy.context.scene
    places = []
    for frame, part in ((10, 0.0), (10, 0.5), (11, 0.0)):
        scene.frame_set(frame, subframe=part)
        places.append((np.array(leaf.location), leaf.rotation_euler.y))
    (before, turn), (middle, turned), (after, end) = places
    assert middle == pytest.approx((before + after) / 2.0, abs=1e-6)
    assert turned == pytest.approx((turn + end) / 2.0, abs=1e-4)
    assert turned not in (turn, end)


def test_nothing_is_written_while_another_moves_the_objects() -> None:
    """While something plays from a cached pose, frames change nothing and rest is still rest."""
    leaf = falling_door()
    rest = raw(leaf)
    simulate()
    scene = bpy.context.scene
    scene.frame_set(12)
    from_here = raw(leaf)
    playing = away.leave(keep([leaf]))
    leaf.location.z += 9.0
    played = raw(leaf)
    scene.frame_set(15)
    assert raw(leaf) == played
    assert not bpy.ops.omi_joint.free_cache.poll()
    assert not bpy.ops.omi_joint.bake.poll()
    with away.rest_pose():
        assert raw(leaf) == rest
        scene.frame_set(16)
        assert raw(leaf) == rest
    assert raw(leaf) == played
    away.come_back(playing)
    assert raw(leaf) == from_here
    scene.frame_set(12)
    assert raw(leaf) == from_here
    assert told_cache(scene).outdated == ""


def test_run_that_is_stopped_keeps_its_frames() -> None:
    """What is there when a run is stopped is a valid cache of those frames."""
    leaf = falling_door()
    scene = bpy.context.scene
    scene.frame_set(6)
    recorder = Recorder(scene, range(1, LAST + 1))
    for _, _ in zip(recorder.steps(), range(7), strict=False):
        pass
    recorder.keep()
    recorder.close()
    cache = told_cache(scene)
    assert (cache.frame_start, cache.frame_end) == (1, recorder.frames)
    assert 7 <= recorder.frames <= 9
    assert scene.frame_current == 6
    assert leaf.location.z < 0.0


def test_bodies_at_rest_may_be_edited() -> None:
    """Up to the first frame poses and handles are free; where motion is shown they are not."""
    falling_door()
    simulate()
    scene = bpy.context.scene
    assert not away.is_anything_away()
    scene.frame_set(9)
    assert away.is_anything_away()
    scene.frame_set(1)
    assert not away.is_anything_away()
    scene.frame_set(9)
    scene.gravity.z = -3.0
    scene.frame_set(10)
    assert not away.is_anything_away()


def test_check_at_a_frame_that_shows_motion_is_about_rest() -> None:
    """Where the exported frame lies inside the motion, the rest pose is what is checked."""
    leaf = falling_door()
    scene = bpy.context.scene
    scene.frame_start = -10
    simulate()
    for frame in (-10, 5):
        scene.frame_set(frame)
        there = raw(leaf)
        with away.rest_pose():
            scene.frame_set(0)
            assert leaf.location.z == 0.0
            scene.frame_set(frame)
        assert raw(leaf) == there


def test_simulating_ends_a_play() -> None:
    """A play is stopped and everything back at rest before the run begins."""
    leaf = falling_door()
    rest = raw(leaf)
    play.start(bpy.context.scene)
    simulate()
    assert not play.is_playing()
    assert raw(leaf) == rest
    assert told_cache(bpy.context.scene).outdated == ""


def test_play_from_a_cached_frame_ends_there() -> None:
    """A play begun where motion is shown comes back to that pose, and the motion stays valid."""
    leaf = falling_door()
    simulate()
    scene = bpy.context.scene
    scene.frame_set(12)
    there = raw(leaf)
    session = play.start(scene)
    for _ in range(5):
        session.tick(0.05)
    play.stop()
    assert raw(leaf) == there
    scene.frame_set(3)
    scene.frame_set(12)
    assert told_cache(scene).outdated == ""
    assert raw(leaf) == there


def test_damaged_motion_is_said_and_not_shown() -> None:
    """Bytes that are none of ours leave the bodies at rest, and the panel says so."""
    leaf = falling_door()
    rest = raw(leaf)
    simulate()
    scene = bpy.context.scene
    cache = scene.omi_physics_timeline.cache
    del cache["motion"]
    cache["motion"], cache.stamp = b"nothing", "other"
    scene.frame_set(9)
    assert told_cache(scene).outdated == "the motion in this file is damaged"
    assert raw(leaf) == rest
    scene.frame_set(10)
    assert raw(leaf) == rest


@pytest.mark.parametrize("moment", ["pre", "post"])
def test_who_hears_of_undo_hears_of_redo(moment: str) -> None:
    """Both bring other data, which must not be taken for what was there before."""
    undo, redo = (
        {
            f"{one.__module__}.{one.__qualname__}"
            for one in getattr(bpy.app.handlers, f"{way}_{moment}")
            if "omi_physics_joint" in one.__module__
        }
        for way in ("undo", "redo")
    )
    assert undo == redo != set()
