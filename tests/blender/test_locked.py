# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that cannot all hold are named by Check, play and the timeline, with size and fix."""

from __future__ import annotations

import re
from math import inf
from pathlib import Path
from time import monotonic, sleep

import bpy
import pytest
from mathutils import Matrix, Vector
from scenes import box, door, four_bar, issues, joined, separated

from examples.gallery import build_gallery
from examples.workshop import build_workshop
from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.bridge.read_settings import settings_from_block
from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.check.diagnosis import diagnose_scene
from omi_physics_joint.blender.joints.settings_editing import first_bounds
from omi_physics_joint.blender.play.outlook import PAUSE
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.play.viewport.screen import heading, headline
from omi_physics_joint.blender.posing.operators import Drag
from omi_physics_joint.blender.posing.session import session_for
from omi_physics_joint.blender.timeline.recording import Recorder, troubles_told
from omi_physics_joint.library.motion.noted import RunTroubles
from omi_physics_joint.model.joint import Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.spans import axis_range, locked_axes
from omi_physics_joint.model.wording.words import metric
from omi_physics_joint.solver import IslandReport
from tests.blender.test_timeline_troubles import went
from tests.redo import press

LONGEST = 20.0
"""s within which the panel looks at the scene again."""
NEW = {"joints-contradict", "joints-lock", "limits-lock", "limit-narrow"}


def contradicting() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return a hinge and a weld on one door that want it 10 cm apart, beside a sound door."""
    frame, leaf, hinge = door()
    weld = joined("WELD", frame, leaf)
    separated(weld).location.x += 0.1
    still, moving = box("Other Frame", (9.0, 0.0, 0.0)), box("Other Door", (11.0, 0.0, 0.0))
    bpy.context.scene.cursor.location = (10.0, 0.0, 0.0)
    joined("HINGE", still, moving)
    bpy.context.view_layer.update()
    return hinge, weld


def said() -> dict[str, tuple[str, str, str]]:
    """Return where, what and what to do, by code."""
    found, _ = diagnose_scene(bpy.context.scene)
    return {one.code: (one.where, one.message, one.fix) for one in found if one.code in NEW}


def test_check_names_joints_that_contradict_each_other() -> None:
    """Where, by how much in the scene's units, and what to do; moved into place nothing is said."""
    hinge, weld = contradicting()
    bpy.context.scene.unit_settings.length_unit = "CENTIMETERS"
    where, message, fix = said()["joints-contradict"]
    assert where in {hinge.name, weld.name}
    assert set(message.split(" cannot both hold")[0].split(" and ")) == {hinge.name, weld.name}
    assert message.endswith(" in this pose: up to 5 cm apart.")
    assert fix == "Move their frames together, or free an axis of one."
    assert issues()["joints-contradict"] == "warning"
    weld.omi_physics_joint.connected_node.location.x -= 0.1
    bpy.context.view_layer.update()
    assert said().keys() == {"joints-lock"}  # a hinge that is welded cannot turn


def test_play_names_the_joints_and_how_far_they_are_apart() -> None:
    """Both joints are named in the panel while it plays, the sound door is not."""
    hinge, weld = contradicting()
    session = play.start(bpy.context.scene)
    for _ in range(60):
        session.run.step(STEP)
    lost = [one for one in session.troubles if "cannot both hold in this pose" in one]
    assert heading(session) == f"{headline(session)}   {lost[0]}"
    rough = session.approximations
    assert rough[0].startswith(
        "Only roughly computed in 60 of 60 frames, as they cannot all hold: "
    )
    play.stop()
    (sentence,) = lost
    assert {hinge.name, weld.name} <= set(sentence.split(" cannot")[0].split(" and "))
    assert ": up to 0.05 m apart. " in sentence
    assert sentence.endswith("Move their frames together, or free an axis of one")
    assert rough[0].endswith((f": {hinge.name} and {weld.name}", f": {weld.name} and {hinge.name}"))
    assert ", as they cannot all hold: " in rough[0]
    assert all("Other" not in one for one in lost + rough)


def test_play_names_them_in_the_same_order_in_every_frame() -> None:
    """Which joint is farther off changes from step to step; the line on the screen does not."""
    contradicting()
    session = play.start(bpy.context.scene)
    named = set()
    for _ in range(60):
        session.run.step(STEP)
        named |= {one.split(" cannot")[0] for one in session.troubles}
    play.stop()
    assert len(named) == 1


def test_play_says_of_joints_that_lock_each_other_that_nothing_can_move() -> None:
    """Two hinges of a lid about different axes: nothing moves, and the panel says why."""
    case, lid = box("Case"), box("Lid", (0.0, 0.0, 2.0))
    names = [joined("HINGE", case, lid, direction=axis).name for axis in ("GLOBAL_X", "GLOBAL_Y")]
    session = play.start(bpy.context.scene)
    assert session.remarks == [
        f"Lid cannot move: the joints lock each other ({names[0]} and {names[1]}). "
        "Line up their axes, free an axis of one, remove what is too many, or make dynamic what "
        "stands and should move."
    ]
    play.stop()


def test_play_says_of_a_range_without_room_that_nothing_can_move() -> None:
    """Before and while it plays: which joint, how small its range is, and what to do."""
    slider = joined("SLIDER", box("Cabinet"), box("Drawer", (0.0, -2.0, 0.0)), direction="GLOBAL_Y")
    scene = bpy.context.scene
    (item,) = [one for one in slider.omi_physics_joint.settings.limits if one.linear_max]
    item.linear_max = item.linear_min + 1e-4
    scene.unit_settings.length_unit = "MILLIMETERS"
    said = (
        f"{slider.name}: Nothing can move along X: minimum and maximum are 0.1 mm apart. "
        "Set both to the same value to lock the axis, or widen the range."
    )
    assert play.outlook(scene) == [said]
    scene.unit_settings.length_unit = "METERS"
    said = said.replace("0.1 mm", "0.0001 m")
    assert play.start(scene).remarks == [said]
    play.stop()
    end = monotonic() + LONGEST
    while play.outlook(scene) != [said] and monotonic() < end:
        sleep(PAUSE)
    assert play.outlook(scene) == [said]


STOPPED = (
    "Crank Hinge, Rocker Hinge, Coupler Hinge and Coupler Hinge.001 cannot move: they keep "
    "each other at the ends of their ranges."
)


@pytest.mark.parametrize("far", [0.0, 20.0])
def test_fix_lets_a_loop_go_that_its_ranges_stop(far: float) -> None:
    """Four presses of Hinge make a linkage that stands: Check names all, and after Fix it moves."""
    joints = four_bar(use_range=True)
    for obj in bpy.context.scene.objects:
        if obj.parent is None:
            obj.matrix_world = Matrix.Translation((far, far, 0.0)) @ obj.matrix_world
    frame, leaf = box("Frame", (0.0, -30.0, 0.0)), box("Door", (2.0, -30.0, 0.0))
    outside = joined("HINGE", frame, leaf)
    outside.omi_physics_joint.settings = joints["crank"].omi_physics_joint.settings
    names = [one.name for one in (*joints.values(), outside)]
    bpy.context.view_layer.update()
    assert said()["limits-lock"][1] == STOPPED
    assert issues()["limits-lock"] == "warning"
    report = bpy.context.window_manager.omi_physics_joint
    row = next(i for i, one in enumerate(report.issues) if one.code == "limits-lock")
    assert press("omi_joint.issue_fix", index=row) == {"FINISHED"}
    assert set(issues().values()) == {"hint"}  # of what may meet in engines now that it moves
    joints = [bpy.data.objects[name] for name in names]
    bounds = [first_bounds(one.omi_physics_joint.settings) for one in joints]
    assert [one.are_none for one in bounds] == [True] * 4 + [False]
    session = session_for(joints[0], bpy.context)
    session.set_value(joints[0], 3 + bounds[0].axis, 0.5)
    assert session.last.reached
    bpy.ops.ed.undo()
    assert said()["limits-lock"][1] == STOPPED


def test_pose_and_play_name_the_ranges_that_stop_a_loop() -> None:
    """Both headers say which joints stop everything, and nothing of a loop that moves."""
    four_bar(use_range=True)
    crank = bpy.data.objects["Crank"]
    drag = Drag(session_for(crank, bpy.context), crank, Vector((0.0, 0.0, 2.0)), 0.1)
    assert not drag.move(Vector((1.0, 0.0, 2.0))).reached
    told = drag.obstacle  # in an order of its own
    assert all(
        name in told for name in re.split(", | and ", STOPPED.split(" cannot move", maxsplit=1)[0])
    )
    assert told.endswith(STOPPED.split(" cannot move")[1] + f" {said()['limits-lock'][2]}")
    drag.cancel()
    session = play.start(bpy.context.scene)
    assert f"   {STOPPED}" in heading(session)
    play.stop()
    _, leaf, _ = door()
    drag = Drag(session_for(leaf, bpy.context), leaf, Vector((3.0, 0.0, 0.0)), 0.1)
    drag.move(Vector((3.0, -1.0, 0.0)))
    assert (drag.story, drag.obstacle) == ("", "")


def test_ranges_of_a_loop_that_has_keys_are_left_alone() -> None:
    """Keys count limits, so Fix of a loop with animated settings changes none of its joints."""
    joints = four_bar(use_range=True)
    block = joints["second"].omi_physics_joint.settings
    block.keyframe_insert("limits[0].stiffness")
    before = [settings_from_block(one.omi_physics_joint.settings) for one in joints.values()]
    bpy.ops.omi_joint.check()
    report = bpy.context.window_manager.omi_physics_joint
    row = next(i for i, one in enumerate(report.issues) if one.code == "limits-lock")
    press("omi_joint.issue_fix", index=row)
    after = [settings_from_block(one.omi_physics_joint.settings) for one in joints.values()]
    assert after == before


@pytest.mark.parametrize(
    ("bounds", "at"), [((0.25, 0.2501), 0.25005), ((-0.00002, 0.00008), 0.0), ((-0.0001, 0.0), 0.0)]
)
def test_fix_locks_an_axis_that_has_no_room(bounds: tuple[float, float], at: float) -> None:
    """Both bounds become one value, 0 if it is between them, and one undo brings both back."""
    slider = joined("SLIDER", box("Cabinet"), box("Drawer", (0.0, -2.0, 0.0)), direction="GLOBAL_Y")
    limits = slider.omi_physics_joint.settings.limits
    index = next(i for i, one in enumerate(limits) if one.linear_max)
    limits[index].linear_min, limits[index].linear_max = bounds
    before = [settings_from_block(slider.omi_physics_joint.settings)]
    bpy.ops.omi_joint.check()
    report = bpy.context.window_manager.omi_physics_joint
    row = next(i for i, one in enumerate(report.issues) if one.code == "limit-narrow")
    assert report.issues[row].can_fix
    assert press("omi_joint.issue_fix", index=row) == {"FINISHED"}
    after = settings_from_block(slider.omi_physics_joint.settings)
    assert axis_range(after, Freedom.LINEAR, 0) == pytest.approx((at, at), abs=1e-12)
    assert 0 in locked_axes(after, Freedom.LINEAR)
    others = [[one for one in each.limits if one.linear_axes != (0,)] for each in (*before, after)]
    assert others[0] == others[1]
    assert "limit-narrow" not in issues()
    bpy.ops.ed.undo()
    slider = bpy.data.objects["Drawer Slider"]
    assert settings_from_block(slider.omi_physics_joint.settings) == before[0]


def test_fix_removes_what_nothing_reaches() -> None:
    """The limit behind the others goes, and one undo brings it back; what has keys is kept."""
    joint = joined("PIN", box("Ceiling"), box("Lamp", (0.0, 0.0, -2.0)))
    limits = (
        Limit((0, 1, 2), (), -inf, 1.0, together=True),
        Limit((0,), (), -1.5, 1.0),
        Limit((2,), (), -0.5, 0.5),
    )
    block = new_settings(JointSettings("Tether", limits))
    joint.omi_physics_joint.settings = block
    before = settings_from_block(block)
    bpy.ops.omi_joint.check()
    report = bpy.context.window_manager.omi_physics_joint
    row = next(i for i, one in enumerate(report.issues) if one.code == "limit-never-reached")
    block.active_limit = 2
    block.keyframe_insert("limits[2].linear_max")
    press("omi_joint.issue_fix", index=row)
    assert settings_from_block(block) == before
    block.animation_data_clear()
    assert press("omi_joint.issue_fix", index=row) == {"FINISHED"}
    after = settings_from_block(joint.omi_physics_joint.settings)
    assert after.limits == (before.limits[0], before.limits[2])
    assert joint.omi_physics_joint.settings.active_limit == 1, "a row of the list"
    assert "limit-never-reached" not in issues()
    bpy.ops.ed.undo()
    joint = bpy.data.objects["Lamp Pin"]
    assert settings_from_block(joint.omi_physics_joint.settings) == before


def test_fix_removes_all_that_nothing_reaches() -> None:
    """Of several such limits none is left, and what others stop at stays."""
    joint = joined("PIN", box("Ceiling"), box("Lamp", (0.0, 0.0, -2.0)))
    tethers = [Limit((0, 1, 2), (), -inf, high, together=True) for high in (2.0, 1.0, 3.0, 4.0)]
    joint.omi_physics_joint.settings = new_settings(JointSettings("Tether", tuple(tethers)))
    bpy.ops.omi_joint.check()
    report = bpy.context.window_manager.omi_physics_joint
    row = next(i for i, one in enumerate(report.issues) if one.code == "limit-never-reached")
    assert press("omi_joint.issue_fix", index=row) == {"FINISHED"}
    after = settings_from_block(joint.omi_physics_joint.settings)
    assert [limit.max for limit in after.limits] == [1.0]


def test_fix_leaves_settings_of_other_files_alone(tmp_path: Path) -> None:
    """Linked settings are not changed, which a reload would undo: their joints get a copy."""
    limits = (
        Limit((0, 1, 2), (), -inf, 1.0, together=True),
        Limit((0, 1, 2), (), -inf, 2.0, together=True),
    )
    bpy.data.libraries.write(
        str(tmp_path / "tethers.blend"), {new_settings(JointSettings("Tether", limits))}
    )
    with bpy.data.libraries.load(str(tmp_path / "tethers.blend"), link=True) as (_, into):
        into.node_groups = ["Tether"]
    (linked,) = into.node_groups
    joints = [
        joined("PIN", box(f"Ceiling {x}", (x, 0.0, 0.0)), box(f"Lamp {x}", (x, 0.0, -2.0)))
        for x in (0.0, 5.0)
    ]
    for joint in joints:
        joint.omi_physics_joint.settings = linked
    bpy.ops.omi_joint.check()
    report = bpy.context.window_manager.omi_physics_joint
    row = next(i for i, one in enumerate(report.issues) if one.code == "limit-never-reached")
    assert press("omi_joint.issue_fix", index=row) == {"FINISHED"}
    assert len(linked.limits) == 2
    own = {joint.omi_physics_joint.settings for joint in joints}
    assert [len(block.limits) for block in own] == [1]
    assert "limit-never-reached" not in issues()


def test_the_timeline_names_them_too() -> None:
    """The warning of a recorded run has both names, the size and the fix."""
    hinge, weld = contradicting()
    recorder = Recorder(bpy.context.scene, range(1, 41))
    list(recorder.steps())
    recorder.close()
    (issue,) = [one for one in recorder.issues if one.code == "not-converged"]
    assert hinge.name in issue.message
    assert weld.name in issue.message
    assert " cannot both hold at this frame" in issue.message
    assert " apart" in issue.message
    assert issue.fix == "Move their frames together, or free an axis of one."


def test_the_timeline_tells_mechanisms_apart() -> None:
    """Of two that contradict themselves each has a warning of its own, with its own joints."""
    first = contradicting()
    for obj in bpy.data.objects:
        if obj.parent is None:
            obj.location.y += 20.0
    second = contradicting()
    recorder = Recorder(bpy.context.scene, range(1, 21))
    list(recorder.steps())
    recorder.close()
    said = [one.message for one in recorder.issues if one.code == "not-converged"]
    named = [set(one.split(" cannot")[0].split(" and ")) for one in said]
    assert sorted(map(sorted, named)) == sorted(
        sorted(j.name for j in two) for two in (first, second)
    )


def test_the_timeline_says_what_is_only_roughly_computed() -> None:
    """A hint names the joints and counts the frames; where joints contradict, the warning does."""
    door()
    mechanism = mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism
    joints = tuple(index for index, _, _ in mechanism.joints())
    rough = IslandReport((0,), joints, 4, 2, True, 0)
    troubles = RunTroubles()
    for frame in (7, 9):
        troubles.note(went(first_order=[rough]), frame)
    troubles.note(went(), 10)
    (issue,) = troubles_told(troubles, mechanism, 24.0, metric)
    assert (issue.where, issue.severity) == ("frame 7", "hint")
    assert issue.message == "Only roughly computed in 2 of 3 frames: Door Hinge."


@pytest.mark.parametrize("build", [build_gallery, build_workshop])
def test_examples_are_left_alone(build: object) -> None:
    """What we ship as good examples earns none of these warnings."""
    build()
    assert said() == {}
