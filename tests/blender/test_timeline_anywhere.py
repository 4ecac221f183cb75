# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated motion in surroundings that are not the usual ones, and what is put back of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_joint.blender.bridge.poses.away import is_anything_away, rest_pose
from omi_physics_joint.blender.timeline import handlers, playback
from omi_physics_joint.blender.timeline import panels as strip
from omi_physics_joint.blender.timeline.cache.storage import told_cache
from omi_physics_joint.blender.timeline.operators import OMI_JOINT_OT_simulate
from omi_physics_joint.blender.timeline.panels import draw_range
from omi_physics_joint.blender.timeline.recording import Recorder, progress, troubles_told
from omi_physics_joint.library.motion.noted import RunTroubles
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.wording.words import metric
from omi_physics_joint.solver.report import IslandReport
from tests.blender.test_play_while_it_goes import led
from tests.blender.test_timeline import falling_door, raw, simulate
from tests.blender.test_timeline_troubles import went
from tests.layouts import Layout

Act = Callable[[], object]


def bake() -> object:
    """Make keys of what is simulated."""
    return bpy.ops.omi_joint.bake()


def free() -> object:
    """Delete what is simulated."""
    return bpy.ops.omi_joint.free_cache()


@pytest.mark.parametrize("subframe", [0.0, 0.25])
@pytest.mark.parametrize("frame", [1, 7, 90])
def test_the_time_stays_between_two_frames_too(frame: int, subframe: float) -> None:
    """Whatever goes through the frames, a scene is then where it was, and nothing runs."""
    falling_door()
    scene = bpy.context.scene
    for act in (simulate, simulate, bake, simulate, free):
        scene.frame_set(frame, subframe=subframe)
        act()
        assert (scene.frame_current, scene.frame_subframe) == (frame, subframe)
        assert progress.done is None
        assert not playback.is_simulating()


@pytest.mark.parametrize("first", [1, 5, -3])
def test_the_first_frame_is_that_of_the_motion(first: int) -> None:
    """Not that of the scene: there bodies are at rest, and can be posed."""
    leaf = falling_door()
    rest = raw(leaf)
    options, scene = bpy.context.scene.omi_physics_timeline, bpy.context.scene
    options.range, options.frame_start, options.frame_end = "CUSTOM", first, first + 9
    simulate()
    for frame in (first - 3, first, first + 1, first + 6):  # what is at rest may be edited
        scene.frame_set(frame)
        assert is_anything_away() is (frame > first)
    assert raw(leaf) != rest
    assert bpy.ops.omi_joint.go_to_rest() == {"FINISHED"}
    assert scene.frame_current == first
    assert raw(leaf) == rest


@pytest.mark.parametrize("first", [1, 30])
def test_frames_in_trouble_are_those_of_the_scene(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not counted from the first one that is simulated."""
    falling_door()
    options, noted = bpy.context.scene.omi_physics_timeline, list[int]()
    options.range, options.frame_start, options.frame_end = "CUSTOM", first, first + 4
    monkeypatch.setattr(RunTroubles, "note", lambda _, _report, frame, _broken: noted.append(frame))
    simulate()
    assert noted == [first + number for number in range(1, 5)]


@pytest.mark.parametrize("is_preview", [False, True])
@pytest.mark.parametrize("custom", [False, True])
def test_the_panel_shows_whose_frames_are_simulated(*, custom: bool, is_preview: bool) -> None:
    """Its own ones, else the preview range where there is one, else the scene's."""
    scene = bpy.context.scene
    scene.use_preview_range = is_preview
    scene.omi_physics_timeline.range = "CUSTOM" if custom else "SCENE"
    layout = Layout()
    draw_range(layout, scene)
    own = "frame_preview_start" if is_preview and not custom else "frame_start"
    assert own in layout.fields
    assert len([name for name in layout.fields if name.endswith("_start")]) == 1


@pytest.mark.parametrize(("fps", "base"), [(24, 1.0), (60, 2.5), (48, 2.0)])
def test_a_second_is_as_long_by_any_base(fps: int, base: float) -> None:
    """24 frames a second may be spelled in several ways."""
    leaf = falling_door()
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = fps, base
    simulate()
    scene.frame_set(13)
    fallen = leaf.matrix_world.translation.z
    scene.render.fps, scene.render.fps_base = 24, 1.0
    scene.frame_set(1)
    simulate()
    scene.frame_set(13)
    assert leaf.matrix_world.translation.z == pytest.approx(fallen, abs=1e-6)


@pytest.mark.usefixtures("contacts")
def test_troubles_of_an_earlier_run_are_gone_after_one_without() -> None:
    """They would be looked for in vain."""
    falling_door()
    told = bpy.context.window_manager.omi_physics_joint
    told.title = "Simulate"
    told.issues.add().code = "not-converged"
    simulate()
    assert "not-converged" not in {one.code for one in told.issues}
    told.title = "Check"
    told.issues.add().code = "another"
    simulate()
    assert "another" in {one.code for one in told.issues}


@pytest.fixture
def two() -> list[tuple[bpy.types.Scene, bpy.types.Object]]:
    """Two scenes with motion, both at a frame that shows it; the first is the window's."""
    found = []
    first = bpy.context.scene
    for scene in (first, bpy.data.scenes.new("Other")):
        bpy.context.window.scene = scene
        leaf = falling_door()
        simulate()
        scene.frame_set(15)
        found.append((scene, leaf))
    bpy.context.window.scene = first
    return found


def test_bodies_of_each_scene_go_to_rest_and_back(
    two: list[tuple[bpy.types.Scene, bpy.types.Object]],
) -> None:
    """For undo and for what is saved, whichever scene the window shows."""
    shown = [raw(leaf) for _, leaf in two]
    rest = []
    for scene, leaf in two:
        with rest_pose():
            rest.append(raw(leaf))
        assert scene.frame_current == 15
    assert all(a != b for a, b in zip(shown, rest, strict=True))
    for _ in range(2):
        handlers.put_to_rest()
        assert [raw(leaf) for _, leaf in two] == rest
        handlers.begin_anew()
        assert [raw(leaf) for _, leaf in two] == shown


@pytest.mark.parametrize("which", [0, 1])
def test_edits_are_looked_for_in_each_scene(
    which: int,
    two: list[tuple[bpy.types.Scene, bpy.types.Object]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Now and then, there and back; the reason is that of the edit that is left."""
    scene, leaf = two[which]
    body, gravity = leaf.omi_physics_body, scene.gravity.z
    mass = body.mass

    def look() -> list[str]:
        monkeypatch.setattr(handlers, "_due", [0.0])
        assert handlers.look_now_and_then() == handlers.PAUSE  # then it is called once more
        return [told_cache(one).outdated for one, _ in two]

    def said(reason: str) -> list[str]:
        return ["" if at != which else reason for at in range(2)]

    assert look() == ["", ""]
    for _ in range(2):
        scene.gravity.z = -1.0
        assert look() == said("gravity was changed")
        body.mass = 9.0
        assert look() == said("gravity was changed")
        scene.gravity.z = gravity
        assert look() == said(f"the physics of {leaf.name} was changed")
        body.mass = mass
        assert look() == ["", ""]


def island(joints: tuple[int, ...], **figures: Any) -> IslandReport:
    """Return how it went with one mechanism."""
    return IslandReport((), joints, 1, 0, converged=False, retries=0, **figures)


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
def test_troubles_tell_the_worst_of_all_frames(order: tuple[int, ...]) -> None:
    """In whichever frame that was; each of two mechanisms and of two joints tells its own."""
    noted = RunTroubles()
    for number, at in enumerate(order):
        off = {"separation": (0.25, 0.5, 0.125)[at], "misalignment": (0.1, 0.2, 0.4)[at]}
        apart = island((0, 1), **off)
        rough = [island((2,)), island((3,))]
        stiff = [island((4, 5), unfollowed=(5,) if at else (4, 5))]
        lost = (3, 7, 5)[at]
        report = went(not_met=[apart], first_order=rough, not_followed=stiff, left_out=lost)
        noted.note(report, 30 + number)
    found = list(troubles_told(noted, Mechanism(tuple(map(Node, "ABCDEF"))), 24.0, metric))
    assert {one.where for one in found} == {"frame 30"}
    messages = "\n".join(one.message for one in found)
    far = "up to 0.5 m apart and 11.46° askew"
    assert f"A and B cannot both hold at this frame and 2 more: {far}." in messages
    assert "7 points of contact" in messages
    assert "it gave way otherwise in 3 frames" in messages
    rough = [one.message for one in found if one.code == "roughly-computed"]
    assert [one[-2] for one in rough] == ["C", "D"]
    assert all("in 3 of 3 frames" in one for one in rough)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_frames_in_trouble_are_counted_beside_the_first(count: int) -> None:
    """Where there are others."""
    noted = RunTroubles()
    for frame in range(count):
        noted.note(went(not_met=[island((0, 1), separation=0.5)]), 7 + frame)
    (found,) = troubles_told(noted, Mechanism(tuple(map(Node, "AB"))), 24.0, metric)
    more = f" and {count - 1} more" if count > 1 else ""
    assert found.where == "frame 7"
    assert found.message.startswith(f"A and B cannot both hold at this frame{more}: up to")


@pytest.mark.parametrize("is_led", [False, True])
def test_progress_rises_from_the_first_frame_to_the_last(is_led: bool) -> None:
    """Also where the scene is sampled first, which is half of the work."""
    led() if is_led else falling_door()
    recorder = Recorder(bpy.context.scene, range(1, 7))
    done = list(recorder.steps())
    recorder.close()
    assert len(done) == (11 if is_led else 5)
    assert all(0.0 < one < other for one, other in pairwise(done))
    assert max(other - one for one, other in pairwise([0.0, *done])) < 0.25
    assert done[-1] == 1.0


@pytest.mark.parametrize(
    ("first", "last", "ends"),
    [
        (1, 20, {10, 200}),
        (-5, 20, {0, 200}),
        (10, 90, {100, 500}),
        (-9, 90, {0, 500}),
        (-9, -2, None),
        (-9, 0, None),
        (50, 60, None),
        (60, 90, None),
    ],
)
def test_the_strip_is_below_the_numbers_of_its_frames(
    first: int, last: int, ends: set[int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as the editor shows them; a frame is ten pixels wide."""
    system = SimpleNamespace(ui_scale=2.0)
    context = SimpleNamespace(preferences=SimpleNamespace(system=system))
    monkeypatch.setattr(strip, "bpy", SimpleNamespace(context=context))
    view = SimpleNamespace(view_to_region=lambda frame, y, *, clip: (10 * frame, y))
    region = SimpleNamespace(view2d=view, width=500, height=100)
    found = strip.strip_of(region, first, last)
    if ends is None:
        assert found is None
        return
    assert {x for x, _ in found} == ends
    assert {100.0 - y for _, y in found} == {46.0, 54.0}


def test_an_error_on_the_way_is_raised_and_all_is_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The frame and the bodies too; nothing is kept that is not whole."""
    leaf = falling_door()
    before = raw(leaf)
    bpy.context.scene.frame_set(5)

    def steps(_: Recorder) -> Iterator[float]:
        yield 0.5
        raise ValueError("odd")

    monkeypatch.setattr(Recorder, "steps", steps)
    with pytest.raises(RuntimeError, match="odd"):
        bpy.ops.omi_joint.simulate()
    assert (bpy.context.scene.frame_current, progress.done) == (5, None)
    assert raw(leaf) == before
    assert told_cache(bpy.context.scene) is None
    assert not playback.is_simulating()


@pytest.mark.parametrize("count", range(4))
def test_motion_is_kept_from_the_second_frame_on(count: int) -> None:
    """The first is the pose at rest, which is no motion."""
    kept, ended, said = [], [], []
    recorder = SimpleNamespace(
        frames=count, keep=lambda: kept.append(count), issues=[], span=range(1, 9)
    )
    run = SimpleNamespace(
        _recorder=recorder,
        _end=ended.append,
        refused=lambda text: said.append(text) or {"CANCELLED"},
        report=lambda *_: None,
    )
    told = OMI_JOINT_OT_simulate._finish(run, bpy.context, stopped=True)
    assert told == ({"FINISHED"} if count > 1 else {"CANCELLED"})
    assert kept == [count] * (count > 1)
    assert ended == [bpy.context]
    assert bool(said) is (count < 2)
