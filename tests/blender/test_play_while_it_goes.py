# SPDX-License-Identifier: GPL-3.0-or-later
"""What changes while joints play is seen and said at once, and a reset is a new beginning."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.play import session as session_module
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.play.viewport import screen
from omi_physics_joint.blender.simulated.properties import OMI_JOINT_PG_preview
from omi_physics_joint.blender.simulated.reading import PlayError
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.wording.words import metric
from omi_physics_joint.solver.report import IslandReport
from tests.blender.test_play import started
from tests.blender.test_play_contacts import solid
from tests.scenes import box, door, joined

outlook = importlib.import_module("omi_physics_joint.blender.play.outlook")


def test_each_switch_of_what_is_drawn_is_seen_while_it_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The view is drawn once more after it, and once more after it is set back."""
    drawn: list[set[str]] = []
    monkeypatch.setattr(screen, "redraw", lambda *kinds: drawn.append(kinds[-1]))
    door(direction="GLOBAL_Y")
    session = play.start(bpy.context.scene)
    shown = screen.Screen(bpy.context, session)
    shown.tick()
    session.is_paused = True
    shown.tick()
    drawn.clear()
    properties = OMI_JOINT_PG_preview.bl_rna.properties.keys()
    switches = [name for name in properties if name.startswith("show_")]
    assert len(switches) >= 3
    for name in switches:
        is_on = getattr(session.settings, name)
        for value in (not is_on, is_on):
            setattr(session.settings, name, value)
            for _ in range(3):
                shown.tick()
            assert drawn.count({"WINDOW"}) == 1, name
            drawn.clear()
    play.stop()


@pytest.mark.parametrize("gone", [(0,), (2,), (0, 1), (1, 3), (0, 1, 2), (0, 1, 2, 3)])
def test_all_that_was_deleted_is_named_and_nothing_else(gone: tuple[int, ...]) -> None:
    """Up to three of them, and none of those that are there still."""
    post, names = box("Post"), ["North", "East", "South", "West"]
    bodies = [box(name, (3.0 * at, 0.0, 0.0)) for at, name in enumerate(names)]
    for one in bodies:
        joined("HINGE", post, one, direction="GLOBAL_Y", use_range=False)
    session = play.start(bpy.context.scene)
    for at in gone:
        bpy.data.objects.remove(bodies[at])
    assert not session.tick(STEP)
    for at, name in enumerate(names):
        assert (repr(name) in session.reason) is (at in gone[:3])
    assert "Post" not in session.reason


@pytest.mark.parametrize("speed", [0.25, 0.5, 1.0, 2.0])
def test_it_is_not_said_to_be_slow_before_it_was_tried(speed: float) -> None:
    """The first line is the speed that is asked for, and so are the next on a fast machine."""
    door(direction="GLOBAL_Y")
    bpy.context.scene.omi_physics_preview.speed = speed
    session = play.start(bpy.context.scene)
    session.clock = lambda: 0.0
    asked = "" if speed == 1.0 else f" ({speed:.2f}x)"
    for _ in range(60):
        assert screen.headline(session) == f"Playing {session.time:.1f} s{asked}"
        session.tick(STEP)
    play.stop()


@pytest.mark.parametrize("shown", [(0,), (0, 0), (0, 1), (1, 0), (1, 1), (1,), ()])
def test_it_plays_while_any_window_shows_its_scene(
    shown: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What other windows show, and which of them is first, is another matter."""
    door(direction="GLOBAL_Y")
    scenes = [bpy.context.scene, bpy.data.scenes.new("Other")]
    session = play.start(scenes[0])
    windows = [SimpleNamespace(scene=scenes[at]) for at in shown]
    manager = SimpleNamespace(windows=windows)
    context = SimpleNamespace(window_manager=manager, view_layer=bpy.context.view_layer)
    monkeypatch.setattr(session_module, "bpy", SimpleNamespace(context=context))
    assert session.tick(STEP) is (0 in shown)
    assert session.reason == ("" if 0 in shown else "Stopped: another scene is shown")
    play.stop()


def led() -> None:
    """Make a keyed crank with an arm on a hinge, which it swings by."""
    crank, arm = box("Crank"), box("Arm", (2.0, 0.0, 0.0))
    bpy.context.scene.cursor.location = (1.0, 0.0, 0.0)
    joined("HINGE", crank, arm, direction="GLOBAL_Z", use_range=False)
    crank.omi_physics_body.type = "kinematic"
    for frame, place in ((1, 0.0), (20, 3.0), (40, -2.0)):
        crank.location.y = place
        crank.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)


def falls() -> None:
    """Make a ball that falls on a slope and rolls off."""
    ball = solid("Ball", (0.0, 0.0, 4.0), "sphere")
    ball.omi_physics_body.collider.shape.radius = 1.0
    slope = solid("Slope", (0.5, 0.0, 0.0), dynamic=False)
    slope.rotation_euler.y = 0.4
    slope.scale = (3.0, 3.0, 0.5)
    bpy.context.view_layer.update()


def breaks() -> None:
    """Make a hatch whose hinge gives way."""
    _, _, hinge = door(direction="GLOBAL_Y")
    hinge.omi_physics_breaking.use_breaking = True
    hinge.omi_physics_breaking.force = 12.0


@pytest.mark.usefixtures("contacts")
@pytest.mark.parametrize("speed", [0.5, 1.0])
@pytest.mark.parametrize("build", [led, falls, breaks], ids=lambda one: one.__name__)
def test_after_a_reset_all_goes_as_it_went_at_first(build: object, speed: float) -> None:
    """To the last bit: neither what was led, touched and broke nor what is owed stays."""
    bpy.context.scene.omi_physics_preview.use_contacts = True
    bpy.context.scene.omi_physics_preview.speed = speed
    build()  # type: ignore[operator]
    session = play.start(bpy.context.scene)
    session.clock = lambda: 0.0

    def course() -> list[object]:
        seen: list[object] = []
        for _ in range(30):
            session.tick(STEP)
            seen.append((session.time, np.array(session.run.poses()[0]).tolist(), session.broken))
        return seen

    first = course()
    for _ in range(2):
        session.want_reset()
        again = course()
        assert again == first
    play.stop()


@pytest.mark.usefixtures("contacts")
@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize("use_floor", [False, True])
def test_the_floor_is_there_once_something_may_lie_on_it(use_floor: bool, broken: bool) -> None:
    """A door that hangs needs none, until its hinge has given way."""
    _, flap, hinge = door(direction="GLOBAL_Y")
    flap.omi_physics_body.use_collider = True
    hinge.omi_physics_breaking.use_breaking = broken
    hinge.omi_physics_breaking.force = 12.0
    bpy.context.scene.omi_physics_preview.use_contacts = True
    bpy.context.scene.omi_physics_preview.use_floor = use_floor
    session = play.start(bpy.context.scene)
    assert not session.has_floor
    started(session, 1.5)
    assert bool(session.broken) is broken
    assert session.has_floor is (use_floor and broken)
    assert (screen.NOT_IN_FILES in screen.heading(session)) is (use_floor and broken)
    play.stop()


@pytest.mark.usefixtures("contacts")
def test_what_begins_inside_is_said_only_where_bodies_touch() -> None:
    """Steps of Godot know of no contacts, and back in exact steps it begins inside once more."""
    solid("Stone", (20.0, 0.0, 0.75))
    solid("Table", (20.0, 0.0, -1.0), dynamic=False)
    door(direction="GLOBAL_Y")
    bpy.context.scene.omi_physics_preview.use_contacts = True
    bpy.context.scene.omi_physics_preview.use_floor = False
    session = play.start(bpy.context.scene)
    for steps in ("exact", "godot", "exact"):
        session.settings.steps = steps
        session.tick(STEP)
        codes = [one.code for one in session.issues]
        assert codes.count("begins-inside") == (steps == "exact")
        assert ("It begins in" in screen.heading(session)) is (steps == "exact")
    play.stop()


def report(*joints: int, stiff: tuple[int, ...] = ()) -> IslandReport:
    """Return how it went with joints that cannot all hold."""
    return IslandReport((), joints, 1, 1, False, 0, stiff, joints, 0.5, 0.0)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("hand", [False, True])
def test_each_mechanism_that_cannot_hold_is_told_of(count: int, hand: bool) -> None:
    """With its joints, and with the body in hand where that is what pulls it apart."""
    mechanism = Mechanism(nodes=tuple(Node(f"Joint {at}") for at in range(8)))
    lost = [report(2 * at, 2 * at + 1, *([9] if hand else [])) for at in range(count)]
    run = SimpleNamespace(left_out=0, not_met=lost)
    told = outlook.troubles(mechanism, run, metric)
    assert len(told) == count
    for at, text in enumerate(told):
        named = [name for name in (f"Joint {one}" for one in range(8)) if name in text]
        assert named == [f"Joint {2 * at}", f"Joint {2 * at + 1}"]
        assert ("the held body" in text) is hand


@pytest.mark.parametrize("frames", [(3, 7), (7, 3), (5, 5), (1, 1)])
@pytest.mark.parametrize("is_lost", [False, True])
def test_what_is_rough_or_stiff_is_told_with_its_frames(
    frames: tuple[int, int], is_lost: bool
) -> None:
    """Of several that are too stiff the most count; each that is rough has its own."""
    mechanism = Mechanism(nodes=(Node("Door"), Node("Lid"), Node("Flap")))
    run = SimpleNamespace(
        rough={(0,): frames[0], (1,): frames[1]},
        stiff={0: frames[0], 1: frames[1], 7: 99},
        stiff_step=STEP,
        frames=10,
        not_met=[report(1)] if is_lost else [],
    )
    *rough, stiff = outlook.approximations(mechanism, run)
    one, two = frames
    why = ", as they cannot all hold" * is_lost
    assert rough == [
        f"Only roughly computed in {one} of 10 frames: Door",
        f"Only roughly computed in {two} of 10 frames{why}: Lid",
    ]
    most = max(frames)
    assert f"in {most} frame{'s' * (most > 1)}." in stiff
    assert "Door and Lid is" in stiff
    assert "Flap" not in stiff


@pytest.mark.usefixtures("contacts")
def test_each_trigger_is_named_where_it_stands() -> None:
    """With those that are in it, and no longer once they have left."""
    gates = []
    for index in range(3):
        gate = solid(f"Gate {index}", (9.0 * index, 5.0, 0.0), dynamic=False)
        gate.omi_physics_body.use_collider = False
        gate.omi_physics_body.use_trigger = True
        gate.omi_physics_body.trigger.shape.type = "box"
        gate.omi_physics_body.trigger.shape.size = (2.0, 2.0, 2.0)
        gates.append(gate)
        if index != 1:
            solid(f"Ball {index}", (9.0 * index, 5.0, 0.0), "sphere")
    bpy.context.scene.omi_physics_preview.use_contacts = True
    bpy.context.scene.omi_physics_preview.use_floor = False
    session = play.start(bpy.context.scene)
    session.tick(STEP)
    lit = session.triggers.outlined(session.run)
    assert lit is not None
    assert [text for _, text in lit.notes] == ["In Gate 0: Ball 0", "In Gate 2: Ball 2"]
    for (point, _), gate in zip(lit.notes, (gates[0], gates[2]), strict=True):
        assert point == pytest.approx(tuple(gate.matrix_world.translation), abs=1e-5)
    assert len(lit.outlines) == len(lit.worlds) == 2
    started(session, 1.5)
    assert session.triggers.outlined(session.run) is None
    play.stop()


def test_a_run_keeps_the_most_and_the_first_of_what_befell_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Points that were left out, and when joints gave way; what is not met is of now."""
    _, _, hinge = door(direction="GLOBAL_Y")
    session = play.start(bpy.context.scene)
    run, node = session.run, session.simulated.joint_node(hinge)
    counts = iter((0, 5, 2, 0))
    lost = iter(([], [report(1)], [report(2)], []))
    now = SimpleNamespace(time=0.0)

    def step(dt: float) -> SimpleNamespace:
        now.time += dt
        return SimpleNamespace(
            not_met=next(lost), left_out=next(counts), first_order=[], not_followed=[]
        )

    stands = SimpleNamespace(step=step, broken=frozenset((node,)))
    monkeypatch.setattr(type(run), "time", property(lambda _: now.time))
    run.simulation = stands
    told = []
    for _ in range(4):
        run.step(STEP)
        told.append((run.left_out, len(run.not_met), dict(run.broke)))
    first = {node: STEP}
    assert told == [(0, 0, first), (5, 1, first), (5, 1, first), (5, 0, first)]
    monkeypatch.undo()
    play.stop()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("what", ["positions", "rotations"])
def test_poses_that_are_no_numbers_stop_it(
    what: str, bad: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever they are: no object is put there."""
    door()
    session = play.start(bpy.context.scene)
    found = getattr(session.run.simulation, what).copy()
    found[:, -1] = bad
    monkeypatch.setattr(type(session.run.simulation), what, property(lambda _: found))
    with pytest.raises(PlayError, match="became unstable"):
        session.run.poses()
