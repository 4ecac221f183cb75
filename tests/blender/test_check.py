# SPDX-License-Identifier: GPL-3.0-or-later
"""Check in Blender: what it finds, where it looks, and what Fix does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest
from omi_export import export
from scenes import box, door, issues, select, separated

from omi_physics_joint.blender import play
from omi_physics_joint.blender.check import aging
from omi_physics_joint.blender.check.fixes import FIXES, promise
from omi_physics_joint.blender.check.operators import OMI_JOINT_OT_issue_fix
from omi_physics_joint.blender.check.report import EMPTY, is_old
from omi_physics_joint.model.validate.codes import SEVERITIES

BLENDER_ONLY = {
    "joint-without-settings",
    "partner-of-no-joint",
    "joint-without-partner",
    "joint-on-geometry",
    "trigger-part-missing",
    "shape-without-mesh",
    "keyed-physics",
    "moved-from-rest",
    "joint-muted",
    "static-animated",
    "dynamic-animated",
    "moved-since-joined",
    "off-since-joined",
    "opened-since-joined",
    "reset-since-joined",
    *("scaled-since-joined", "scaled-since-read"),
    "mass-outdated",
    "center-outdated",
    "constraint-on-body",
    "rigid-body-too",
    "soft-body-too",
}


def test_a_new_door_has_no_error() -> None:
    """A door fresh from the button is not wrong in any way; engines may still be named."""
    door()
    assert "error" not in issues().values()


def test_hints_alone_are_no_warning(capfd: pytest.CaptureFixture[str]) -> None:
    """Check reports hints as information, and a warning as one."""
    _, leaf, _ = door()
    leaf.omi_physics_body.center_of_mass = (9.0, 0.0, 0.0)
    capfd.readouterr()
    assert set(issues().values()) == {"hint"}
    assert "Info: Check: 1 hint" in capfd.readouterr().out
    leaf.omi_physics_body.collider.shape.type = "trimesh"
    assert issues()["trimesh-moves"] == "warning"
    assert "Warning: Check: 1 warning" in capfd.readouterr().out


def test_a_scene_without_joints_is_not_said_to_be_right(capfd: pytest.CaptureFixture[str]) -> None:
    """Check says that there are no joints, in the panel and in the status bar, until there are."""
    assert issues() == {}
    assert f"Info: {EMPTY}\n" in capfd.readouterr().out
    report = bpy.context.window_manager.omi_physics_joint
    assert report.title == EMPTY == "Check: no joints in this scene"
    door()
    assert is_old(report, bpy.context.scene)
    issues()
    assert report.title == "Check at frame 0"


def test_fixes_are_for_codes_that_exist() -> None:
    """No fix waits for a code that nothing ever says."""
    assert set(FIXES) <= set(SEVERITIES) | BLENDER_ONLY | {"limits-lock"}  # the solver's


def test_issue_selects_its_object() -> None:
    """Select on an issue makes its object the active one."""
    _, _, hinge = door()
    partner = separated(hinge)
    partner.location.x += 0.5
    bpy.context.view_layer.update()
    issues()
    found = bpy.context.window_manager.omi_physics_joint.issues
    index = next(i for i, issue in enumerate(found) if issue.code == "frames-apart")
    select(partner)
    bpy.ops.omi_joint.issue_select(index=index)
    assert bpy.context.object == hinge


def test_fix_button_mends_and_checks_again() -> None:
    """Fix snaps a partner that strayed, and the list is without that issue afterwards."""
    _, _, hinge = door()
    separated(hinge).location.x += 0.5
    bpy.context.view_layer.update()
    issues()
    found = bpy.context.window_manager.omi_physics_joint.issues
    index = next(i for i, issue in enumerate(found) if issue.code == "frames-apart")
    assert found[index].can_fix
    bpy.ops.omi_joint.issue_fix(index=index)
    assert "frames-apart" not in {issue.code for issue in found}


@pytest.mark.parametrize("strict", [False, True])
def test_fix_mends_what_an_export_found(*, strict: bool, tmp_path: Path) -> None:
    """What Fix mends it mends from the list of an export too, refused or not; else it says why."""
    _, _, hinge = door()
    hinge.omi_physics_joint.settings.limits[2].angular_min = 3.0
    hinge.omi_physics_joint.connected_body.omi_physics_body.shapes.clear()
    bpy.context.scene.omi_physics_joint.strict = strict
    with suppress(RuntimeError):
        export(tmp_path / "door.glb")
    report = bpy.context.window_manager.omi_physics_joint
    assert report.title == ("Export refused" if strict else "Export")
    (index,) = [i for i, one in enumerate(report.issues) if one.code == "limit-reversed"]
    button = SimpleNamespace(index=index)
    said = OMI_JOINT_OT_issue_fix.description(bpy.context, button)
    assert said == "Fix: swap minimum and maximum"
    assert bpy.ops.omi_joint.issue_fix(index=index) == {"FINISHED"}
    assert "limit-reversed" not in {one.code for one in report.issues}
    hinge.omi_physics_joint.settings.limits.clear()
    issues()
    (index,) = [i for i, one in enumerate(report.issues) if one.code == "settings-idle"]
    button.index = index
    said = OMI_JOINT_OT_issue_fix.description(bpy.context, button)
    assert said == "This has no automatic fix: follow the advice"


def test_partner_without_body_gets_an_anchor() -> None:
    """A partner that hangs on nothing is an error; Fix gives the world a static anchor."""
    frame, _, hinge = door()
    partner = separated(hinge)
    world = partner.matrix_world.copy()
    partner.parent = None
    partner.matrix_world = world
    bpy.data.objects.remove(frame)
    bpy.context.view_layer.update()
    assert issues()["connected-without-body"] == "error"
    bpy.ops.omi_joint.issue_fix(index=0)
    assert "connected-without-body" not in issues()
    assert partner.parent.omi_physics_body.type == "static"


def test_check_looks_at_the_exported_frame() -> None:
    """Check names the exported frame, warns of what moved and has physics, and comes back."""
    _, leaf, hinge = door()
    scene, report = bpy.context.scene, bpy.context.window_manager.omi_physics_joint
    for obj in (leaf, box("Lamp", (9.0, 0.0, 0.0))):
        obj.keyframe_insert("location", frame=0)
        obj.location.z = 5.0
        obj.keyframe_insert("location", frame=20)
    scene.frame_set(20)
    assert issues()["moved-from-rest"] == "warning"
    moved = [one.object_name for one in report.issues if one.code == "moved-from-rest"]
    assert sorted(moved) == sorted([leaf.name, hinge.name])
    assert report.title == "Check at frame 0"
    assert (scene.frame_current, leaf.location.z) == pytest.approx((20, 5.0))
    scene["glTF2ExportSettings"] = {"export_current_frame": True}
    assert "moved-from-rest" not in issues()
    assert bpy.context.window_manager.omi_physics_joint.title == "Check at frame 20"


def test_stale_issue_is_a_sentence() -> None:
    """Selecting an issue whose object is gone says so instead of failing."""
    _, _, hinge = door()
    hinge.omi_physics_joint.settings = None
    issues()
    bpy.data.objects.remove(hinge)
    assert bpy.ops.omi_joint.issue_select(index=0) == {"CANCELLED"}
    assert bpy.ops.omi_joint.issue_fix(index=99) == {"CANCELLED"}


def press(identifier: str, **options: object) -> None:
    """Press one of our buttons, with its step of undo."""
    getattr(bpy.ops.omi_joint, identifier)("EXEC_DEFAULT", True, **options)


def edit_settings() -> None:
    """Drag a field of the active joint's settings."""
    bpy.context.object.omi_physics_joint.settings.limits[0].stiffness = 10.0
    bpy.context.object.omi_physics_joint.settings.update_tag()
    bpy.context.view_layer.update()


def edit_field(name: str, group: str, field: str, value: object) -> None:
    """Edit a field of an object in the Properties editor, which announces the object as changed."""
    obj = bpy.data.objects[name]
    setattr(getattr(obj, group), field, value)
    obj.update_tag(refresh={"OBJECT", "DATA"})
    bpy.context.view_layer.update()


def move(name: str) -> None:
    """Move an object as G does."""
    bpy.data.objects[name].location.y += 0.25
    bpy.context.view_layer.update()


AGING: dict[str, Callable[[], object]] = {
    "move a body": lambda: move("Door"),
    "move a joint": lambda: move("Door Hinge"),
    "move a second frame": lambda: move("Door Hinge Second Frame"),
    "move a collider": lambda: move("Post"),
    "move a trigger": lambda: move("Zone"),
    "move a volume": lambda: move("Moon"),
    "move what is above": lambda: move("Above"),
    "mass": lambda: edit_field("Door", "omi_physics_body", "mass", 70.0),
    "collide": lambda: edit_field("Door Hinge", "omi_physics_joint", "enable_collision", True),
    "delete": lambda: bpy.data.objects.remove(bpy.data.objects["Frame"]),
    "add": lambda: box("Other"),
    "undo": bpy.ops.ed.undo,
    "flip": lambda: press("flip"),
    "mute": lambda: setattr(bpy.context.object.omi_physics_joint, "mute", True),
    "settings": edit_settings,
}


@pytest.mark.parametrize("edit", AGING.values(), ids=AGING)
def test_results_are_old_after_an_edit(edit: Callable[[], object]) -> None:
    """What Check found counts as old once joints may be others, but not a moment before."""
    frame, _, _ = door()
    select(frame)
    bpy.ops.object.empty_add()
    bpy.context.object.name = "Above"
    frame.parent = bpy.context.object
    for name, group in {"Post": "collider", "Zone": "trigger", "Moon": "gravity_shape"}.items():
        setattr(box(name).omi_physics_body, f"use_{group}", True)
    separated(bpy.data.objects["Door Hinge"])
    select(bpy.data.objects["Door Hinge"])
    bpy.context.view_layer.update()
    report = bpy.context.window_manager.omi_physics_joint
    for message in ("first", "second"):
        bpy.ops.ed.undo_push(message=message)
    bpy.ops.omi_joint.check()
    bpy.context.view_layer.update()
    assert not is_old(report, bpy.context.scene)
    edit()
    assert is_old(report, bpy.context.scene)
    bpy.ops.omi_joint.check()
    assert not is_old(report, bpy.context.scene)


def test_a_fix_that_was_undone_is_not_said_to_hold() -> None:
    """Delete a body, check, fix, undo: the list is old; redo does not make it new."""
    frame, _, hinge = door()
    bpy.data.objects.remove(frame)
    bpy.ops.ed.undo_push(message="Delete")
    issues()
    report = bpy.context.window_manager.omi_physics_joint
    index = next(i for i, one in enumerate(report.issues) if one.object_name == hinge.name)
    press("issue_fix", index=index)
    assert not is_old(report, bpy.context.scene)
    bpy.ops.ed.undo()
    assert is_old(report, bpy.context.scene)
    bpy.ops.ed.redo()
    assert is_old(report, bpy.context.scene)


def test_results_outlive_what_only_looks() -> None:
    """Selecting, another frame, and moving what has no physics make nothing of the list false."""
    lamp = box("Lamp", (9.0, 0.0, 0.0))
    _, leaf, hinge = door()
    issues()
    lamp.location.z = 4.0
    bpy.ops.object.select_all(action="SELECT")
    report = bpy.context.window_manager.omi_physics_joint
    select(leaf)
    press("select_joint", object_name=hinge.name)
    bpy.context.scene.frame_set(7)
    bpy.context.view_layer.update()
    assert not is_old(report, bpy.context.scene)


def test_a_move_of_very_many_objects_counts_without_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dragging thousands of objects is not slowed down by asking each whether it has physics."""
    monkeypatch.setattr(aging, "MANY", 1)
    lamps = box("Lamp"), box("Other Lamp")
    door()
    for counted in (1, 2):
        issues()
        for lamp in lamps[:counted]:
            lamp.location.z += 4.0
        bpy.context.view_layer.update()
        report = bpy.context.window_manager.omi_physics_joint
        assert is_old(report, bpy.context.scene) == (counted > 1)


def test_results_outlive_play_and_simulated_frames() -> None:
    """What plays, or is shown at a simulated frame, is not edited by that, nor when it is back."""
    door(direction="GLOBAL_Y")
    scene, report = bpy.context.scene, bpy.context.window_manager.omi_physics_joint
    scene.frame_start, scene.frame_end = 1, 5
    scene.frame_set(1)
    issues()
    session = play.start(scene)
    assert session.tick(0.1)
    assert session.tick(0.1)
    assert not is_old(report, scene)
    play.stop()
    bpy.context.view_layer.update()
    assert not is_old(report, scene)
    bpy.ops.omi_joint.simulate()
    for frame in (3, 5, 1, 4):
        scene.frame_set(frame)
        bpy.context.view_layer.update()
        assert not is_old(report, scene)
    issues()
    bpy.context.view_layer.update()
    assert not is_old(report, scene)
    bpy.ops.omi_joint.go_to_rest()
    bpy.context.view_layer.update()
    assert not is_old(report, scene)


def test_results_are_old_where_a_simulated_body_is_edited() -> None:
    """A body that is moved or weighed at a simulated frame is edited: what was found is old."""
    door(direction="GLOBAL_Y")
    scene, report = bpy.context.scene, bpy.context.window_manager.omi_physics_joint
    scene.frame_start, scene.frame_end = 1, 5
    bpy.ops.omi_joint.simulate()
    scene.frame_set(4)
    issues()
    edit_field("Door", "omi_physics_body", "mass", 70.0)
    assert is_old(report, scene)
    issues()
    move("Door")
    scene.frame_set(5)
    assert is_old(report, scene)


def test_results_of_files_are_new_at_first_and_old_after_undo(tmp_path: Path) -> None:
    """What an export and an import found is true when it is shown, and no more after an undo."""
    door()
    report = bpy.context.window_manager.omi_physics_joint
    path = str(tmp_path / "door.glb")
    bpy.ops.ed.undo_push(message="Door")
    for work in (bpy.ops.export_scene.gltf, bpy.ops.import_scene.gltf):
        work(filepath=path)
        bpy.ops.ed.undo_push(message="Work")
        assert report.title in {"Export", "Import"}
        assert not is_old(report, bpy.context.scene)
    bpy.ops.ed.undo()
    assert is_old(report, bpy.context.scene)


def test_a_deleted_body_is_said_to_be_deleted() -> None:
    """Delete takes an object out of all scenes; one that is only elsewhere is not deleted."""
    frame, _, hinge = door()
    other = bpy.data.scenes.new("Other")
    bpy.context.scene.collection.objects.unlink(frame)

    def said() -> str:
        assert issues()["joint-without-partner"] == "error"
        found = bpy.context.window_manager.omi_physics_joint.issues
        return next(one.message for one in found if one.object_name == hinge.name)

    assert said().startswith("Its second body 'Frame' is in no scene: deleted, joined into")
    other.collection.objects.link(frame)
    assert said() == "Its second body 'Frame' is in another scene."


def test_rebound_in_godot_is_said_by_trying_and_by_an_export_alone(tmp_path: Path) -> None:
    """Any door might be thrown back; one that is pushed slowly is not, and one in a hurry is."""
    _, leaf, _ = door()
    found = bpy.context.window_manager.omi_physics_joint.issues
    leaf.omi_physics_body.linear_velocity = (0.0, 0.7, 0.0)
    assert "godot-stops" not in issues()
    export(tmp_path / "door.glb")
    assert "godot-stops" in {one.code for one in found}
    bpy.ops.omi_joint.check(tries=True)
    assert [one.code for one in found] == ["tried-in-godot"]  # its long steps and its damping
    leaf.omi_physics_body.linear_velocity = (0.0, 9.0, 0.0)
    assert "godot-stops" not in issues()
    bpy.ops.omi_joint.check(tries=True)
    assert "godot-stops" in {one.code for one in found}


@pytest.mark.parametrize("code", FIXES)
def test_every_fix_says_what_it_is_going_to_do(code: str) -> None:
    """No fix is a surprise: its tool tip is one sentence about it."""
    assert promise(code, door()[2]).startswith("Fix: ")


def test_the_tool_tip_of_fix_is_about_this_issue() -> None:
    """The tool tip names what comes back; and that is what the button does."""
    frame, _, hinge = door()
    bpy.context.scene.collection.objects.unlink(frame)
    issues()
    found = bpy.context.window_manager.omi_physics_joint.issues
    index = next(i for i, one in enumerate(found) if one.object_name == hinge.name)
    tip = OMI_JOINT_OT_issue_fix.description(bpy.context, SimpleNamespace(index=index))
    assert tip == "Fix: bring 'Frame' back into the scene"
    press("issue_fix", index=index)
    assert frame.name in bpy.context.scene.objects
