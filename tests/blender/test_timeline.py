# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints are simulated into a cache that scrubs with the timeline and comes back bit by bit."""

from __future__ import annotations

from types import MethodType, SimpleNamespace

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.poses.moving import MovedBodies
from omi_physics_joint.blender.bridge.poses.transforms import FIELDS
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.timeline import playback
from omi_physics_joint.blender.timeline.cache.motion import CachedMotion
from omi_physics_joint.blender.timeline.cache.storage import told_cache
from omi_physics_joint.blender.timeline.operators import OMI_JOINT_OT_simulate
from omi_physics_joint.blender.timeline.panels import draw_range, state_rows
from omi_physics_joint.blender.timeline.properties import MOTION
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP
from omi_physics_joint.solver import Options, Simulation
from tests.layouts import Layout
from tests.scenes import box, door, joined, numbers

LAST = 20


def raw(obj: bpy.types.Object) -> tuple[tuple[float, ...], ...]:
    """Return the numbers that a user typed."""
    return tuple(tuple(getattr(obj, field)) for field in FIELDS)


def falling_door() -> bpy.types.Object:
    """Return a door that falls about a level hinge."""
    _, leaf, _ = door(direction="GLOBAL_Y", use_range=False)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    scene.frame_set(1)
    return leaf


def simulate() -> None:
    """Press the button."""
    assert bpy.ops.omi_joint.simulate() == {"FINISHED"}


def truth(frames: int) -> list[np.ndarray]:
    """Return world matrices of the bodies by frame, as the solver has them; at rest now."""
    scene = bpy.context.scene
    placed = placed_in_scene(scene)
    mechanism = mechanism_from_placed(placed).mechanism
    moving = MovedBodies(placed, mechanism)
    gravity = Y_UP_FROM_Z_UP.vector(tuple(scene.gravity))
    simulation = Simulation(mechanism, Options(gravity=gravity))
    rows = moving.rows_of(simulation.body_nodes)
    found = []
    for number in range(frames):
        if number:
            simulation.step(scene.render.fps_base / scene.render.fps)
        found.append(moving.worlds(simulation.positions[rows], simulation.rotations[rows]))
    return found


def test_scrubbing_shows_what_the_solver_found() -> None:
    """Every frame, in any order, has the pose that a simulation of the same mechanism has."""
    leaf = falling_door()
    expected = truth(LAST)
    simulate()
    scene = bpy.context.scene
    for frame in (7, 20, 2, 1, 13):
        scene.frame_set(frame)
        there = numbers(leaf.matrix_world)
        assert there == pytest.approx(expected[frame - 1][0].ravel().tolist(), abs=1e-5)
        evaluated = leaf.evaluated_get(bpy.context.evaluated_depsgraph_get())
        assert numbers(evaluated.matrix_world) == pytest.approx(there, abs=1e-6)
    assert expected[19][0][2, 3] < -0.5


def test_before_the_range_is_rest_and_after_it_the_end() -> None:
    """Frames up to the first have the rest pose to the bit; frames after the last keep its pose."""
    leaf = falling_door()
    leaf.rotation_euler.z = 2.0 * np.pi
    before = raw(leaf)
    simulate()
    scene = bpy.context.scene
    scene.frame_set(LAST)
    end = raw(leaf)
    assert end != before
    scene.frame_set(LAST + 50)
    assert raw(leaf) == end
    for frame in (1, 0, -10):
        scene.frame_set(frame)
        assert raw(leaf) == before
    scene.frame_set(15)
    bpy.ops.omi_joint.free_cache()
    assert raw(leaf) == before
    assert not [cache for cache in bpy.data.node_groups if cache.bl_idname == "OmiMotionCache"]


def test_state_says_what_there_is() -> None:
    """Range, bodies, bytes and validity are what the panel says."""
    falling_door()
    assert told_cache(bpy.context.scene) is None
    simulate()
    cache = told_cache(bpy.context.scene)
    assert (cache.frame_start, cache.frame_end, cache.outdated) == (1, LAST, "")
    assert 100 < len(cache[MOTION]) < 28 * LAST + 100
    assert [text for _, text, _ in state_rows(cache)] == [
        f"Frames 1 - {LAST}, 1 body",
        f"In this file: {max(round(len(cache[MOTION]) / 1000), 1)} kB",
        "Valid",
    ]


def test_motion_survives_packing() -> None:
    """What is unpacked is what was packed, to the bit."""
    random = np.random.default_rng(5)
    motion = CachedMotion(
        random.normal(size=(11, 3, 3)).astype(np.float32),
        random.normal(size=(11, 3, 4)).astype(np.float32),
    )
    again = CachedMotion.unpacked(motion.packed(), 3)
    assert np.array_equal(again.locations, motion.locations)
    assert np.array_equal(again.rotations, motion.rotations)
    with pytest.raises(ValueError, match="header"):
        CachedMotion.unpacked(b"nothing", 3)


def test_motion_that_is_kept_raises_nothing_in_scripts() -> None:
    """A run that found an error in the scene is reported as a warning, since its motion is kept."""
    falling_door()
    other = joined("WELD", box("Wall", (0.0, 9.0, 0.0)), box("Sign", (2.0, 9.0, 0.0)))
    other.omi_physics_joint.settings = None
    assert bpy.ops.omi_joint.simulate() == {"FINISHED"}
    found = bpy.context.window_manager.omi_physics_joint.issues
    assert "error" in [issue.severity for issue in found]
    assert playback.cache_of(bpy.context.scene) is not None


def test_what_is_said_of_motion_is_as_high_when_it_is_outdated() -> None:
    """The box of a simulation keeps its height, so that nothing below it moves."""
    falling_door()
    simulate()
    cache = told_cache(bpy.context.scene)
    before = state_rows(cache)
    cache.outdated = "Frame was deleted"
    after = state_rows(cache)
    assert [lines for _, _, lines in before] == [lines for _, _, lines in after]
    assert after[-1][1] == "Outdated: Frame was deleted. Simulate again"


def test_the_preview_range_is_simulated_and_the_time_stays() -> None:
    """Both ends of what is previewed have motion, First Frame is its first, subframes count."""
    falling_door()
    scene = bpy.context.scene
    scene.use_preview_range = True
    scene.frame_preview_start, scene.frame_preview_end = 5, 12
    scene.frame_set(7, subframe=0.25)
    simulate()
    assert (scene.frame_current, scene.frame_subframe) == (7, 0.25)
    cache = told_cache(scene)
    assert (cache.frame_start, cache.frame_end) == (5, 12)
    assert bpy.ops.omi_joint.go_to_rest() == {"FINISHED"}
    assert scene.frame_current == 5


def test_the_panel_shows_the_range_that_is_simulated() -> None:
    """Of the scene that is its own, of its preview where it has one; else what was chosen."""
    scene = bpy.context.scene
    for is_previewed, chosen, shown in (
        (False, "SCENE", "<frame_start>"),
        (True, "SCENE", "<frame_preview_start>"),
        (True, "CUSTOM", "<frame_start>"),
    ):
        scene.use_preview_range, scene.omi_physics_timeline.range = is_previewed, chosen
        layout = Layout()
        draw_range(layout, scene)
        assert [line for line in layout.lines() if shown in line], (is_previewed, chosen)


def test_bodies_stand_at_rest_once_a_simulation_is_deleted() -> None:
    """Who deletes it by a script finds them there at once, and what is below them too."""
    leaf = falling_door()
    handle = bpy.data.objects.new("Handle", None)
    bpy.context.scene.collection.objects.link(handle)
    handle.parent = leaf
    bpy.context.view_layer.update()
    before = handle.matrix_world.copy()
    simulate()
    bpy.context.scene.frame_set(LAST)
    assert handle.matrix_world != before
    assert bpy.ops.omi_joint.free_cache() == {"FINISHED"}
    assert handle.matrix_world == before


def begun(said: list[str]) -> SimpleNamespace:
    """Return a run that has begun, as in a window but without one."""
    run = SimpleNamespace(report=lambda _, text: said.append(text), _timer=None)
    run._say = lambda _: None
    for name in ("_begin", "_work", "_finish", "_end", "modal"):
        setattr(run, name, MethodType(getattr(OMI_JOINT_OT_simulate, name), run))
    assert run._begin(bpy.context)
    return run


def test_a_run_in_a_window_goes_on_until_all_frames_are_there() -> None:
    """It works whenever Blender's timer rings, and at nothing else."""
    falling_door()
    run = begun([])
    became, frames = {"RUNNING_MODAL"}, 0
    assert run.modal(bpy.context, SimpleNamespace(type="MOUSEMOVE", value="NOTHING")) == became
    run._work = lambda _: MethodType(OMI_JOINT_OT_simulate._work, run)(0.0)
    while became == {"RUNNING_MODAL"}:
        became, frames = run.modal(bpy.context, SimpleNamespace(type="TIMER", value="")), frames + 1
        assert frames <= LAST + 1
    assert became == {"FINISHED"}
    assert told_cache(bpy.context.scene).frame_end == LAST


def test_a_stopped_run_keeps_the_frames_that_it_names() -> None:
    """Esc keeps what is simulated by then, and says that no more than that is there."""
    falling_door()
    said: list[str] = []
    run = begun(said)
    for _ in range(5):
        assert not run._work(0.0)
    event = SimpleNamespace(type="ESC", value="PRESS")
    assert run.modal(bpy.context, event) == {"FINISHED"}
    last = told_cache(bpy.context.scene).frame_end
    assert 1 < last < LAST
    assert [text.partition(",")[0] for text in said] == [f"Stopped: frames 1-{last}"]


@pytest.mark.parametrize("breaks", [True, False])
def test_simulate_names_the_joints_that_broke(breaks: bool) -> None:
    """With the frame at which they did: what falls from there on is no fault of the joint."""
    _, flap, hinge = door(direction="GLOBAL_Y")
    flap.omi_physics_body.mass = 1.0
    hinge.omi_physics_breaking.use_breaking = breaks
    hinge.omi_physics_breaking.force = 12.0
    bpy.context.scene.frame_end = 24
    bpy.ops.omi_joint.simulate()
    issues = bpy.context.window_manager.omi_physics_joint.issues
    found = [one.message for one in issues if "broke at this frame" in one.message]
    assert found == [f"{hinge.name} broke at this frame."] * breaks
