# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that share a partner, partners that are more than frames, and what is left behind."""

from __future__ import annotations

from math import pi
from pathlib import Path

import bpy
import pytest
from scenes import IDENTITY, box, door, issues, numbers, relative, select, separated

from omi_physics_joint.blender.check.operators import NOT_HERE
from omi_physics_joint.blender.presets.files import SUBDIR
from omi_physics_joint.blender.registration import ROOT


def two_doors() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return two hinges with one partner: the second door was duplicated and moved away."""
    _, leaf, hinge = door()
    separated(hinge)
    select(hinge, leaf)
    bpy.ops.object.duplicate()
    copy = bpy.data.objects["Door Hinge.001"]
    bpy.data.objects["Door.001"].location.x += 5.0
    bpy.context.view_layer.update()
    assert copy.omi_physics_joint.connected_node == hinge.omi_physics_joint.connected_node
    return hinge, copy


def test_snapping_one_leaves_the_other() -> None:
    """Snapping a duplicated door gives it a partner of its own; the first stays as it is."""
    hinge, copy = two_doors()
    select(copy)
    bpy.ops.omi_joint.snap_frames()
    assert numbers(relative(copy)) == pytest.approx(IDENTITY, abs=1e-5)
    assert numbers(relative(hinge)) == pytest.approx(IDENTITY, abs=1e-5)
    assert copy.omi_physics_joint.connected_node.parent.name == "Frame"


def test_fix_of_a_duplicate_comes_to_an_end() -> None:
    """One Fix mends the duplicate, and Check finds no strayed frames any more."""
    two_doors()
    issues()
    found = bpy.context.window_manager.omi_physics_joint.issues
    index = next(i for i, issue in enumerate(found) if issue.code == "frames-apart")
    bpy.ops.omi_joint.issue_fix(index=index)
    assert "frames-apart" not in issues()


@pytest.mark.parametrize("operator", ["swap_sides", "reaim"])
def test_swap_and_reaim_leave_the_other(operator: str) -> None:
    """Swapping or aiming one of two joints with one partner does not touch the other."""
    hinge, copy = two_doors()
    before = numbers(relative(hinge))
    select(copy)
    options = {"direction": "GLOBAL_X"} if operator == "reaim" else {}
    assert getattr(bpy.ops.omi_joint, operator)(**options) == {"FINISHED"}
    assert hinge.omi_physics_joint.is_joint
    assert numbers(relative(hinge)) == pytest.approx(before, abs=1e-6)


def test_flipping_one_turns_both_of_its_frames() -> None:
    """The frame that it gets for the shared one stands where that stood, turned as the joint is."""
    hinge, copy = two_doors()
    before = numbers(relative(copy))
    select(hinge)
    assert bpy.ops.omi_joint.flip() == {"FINISHED"}
    assert numbers(relative(hinge)) == pytest.approx(IDENTITY, abs=1e-5)
    assert numbers(relative(copy)) == pytest.approx(before, abs=1e-6)


def test_a_preset_does_not_turn_a_second_frame_of_others(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A joint that another one is connected to stays where it is, and that is said."""
    hinge, copy = two_doors()
    copy.omi_physics_joint.connected_node = hinge
    before = [numbers(one.matrix_basis) for one in bpy.data.objects]
    select(hinge)
    path = ROOT / "presets" / SUBDIR / "Door_with_Closer.json"
    assert bpy.ops.omi_joint.preset_apply(filepath=str(path)) == {"FINISHED"}
    assert [numbers(one.matrix_basis) for one in bpy.data.objects] == before
    assert f"The axis of {hinge.name} is another one now" in "".join(capfd.readouterr())


def test_body_as_partner_stays_where_it_is() -> None:
    """Where a file names a body as connected node, snapping makes a frame instead of moving it."""
    frame, _, hinge = door()
    hinge.omi_physics_joint.connected_node = frame
    select(hinge)
    bpy.ops.omi_joint.snap_frames()
    assert tuple(frame.location) == (0.0, 0.0, 0.0)
    assert hinge.omi_physics_joint.connected_node.parent == frame


def test_partner_of_a_deleted_joint_is_found() -> None:
    """Deleting a joint alone leaves a partner, which Check names and Fix removes."""
    _, _, hinge = door()
    separated(hinge)
    select(hinge)
    bpy.ops.object.delete()
    assert issues()["partner-of-no-joint"] == "hint"
    found = bpy.context.window_manager.omi_physics_joint.issues
    index = next(i for i, issue in enumerate(found) if issue.code == "partner-of-no-joint")
    bpy.ops.omi_joint.issue_fix(index=index)
    assert sorted(obj.name for obj in bpy.data.objects) == ["Door", "Frame"]


def test_add_partner_replaces_the_old_one() -> None:
    """Connecting a joint to another object makes it a body and removes the old second frame."""
    _, _, hinge = door()
    old = separated(hinge)
    wall = box("Wall", (0.0, 6.0, 0.0))
    select(old, wall)
    assert bpy.ops.omi_joint.connect() == {"FINISHED"}
    assert hinge.omi_physics_joint.connected_body == wall
    assert wall.omi_physics_body.type == "static"
    assert not [obj.name for obj in bpy.data.objects if obj.omi_physics_joint.is_partner]


def test_issues_of_an_export_alone_are_not_mended(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What an export lacks may be sound in the scene: nothing is mended from its list."""
    _, leaf, hinge = door()
    separated(hinge)
    select(hinge, leaf)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "part.glb"), use_selection=True)
    found = bpy.context.window_manager.omi_physics_joint.issues
    index = next(i for i, issue in enumerate(found) if issue.severity == "error")
    assert bpy.ops.omi_joint.issue_fix(index=index) == {"CANCELLED"}
    assert NOT_HERE in capfd.readouterr().out
    assert hinge.omi_physics_joint.connected_node is not None


def test_partner_in_another_scene_is_left_there() -> None:
    """Fixing a joint whose partner is in another scene removes the joint alone."""
    frame, _, hinge = door()
    partner = separated(hinge)
    other = bpy.data.scenes.new("Other")
    for obj in (frame, partner):
        for collection in list(obj.users_collection):
            collection.objects.unlink(obj)
        other.collection.objects.link(obj)
    bpy.context.view_layer.update()
    assert issues()["joint-without-partner"] == "error"
    bpy.ops.omi_joint.issue_fix(index=0)
    assert partner.name in other.objects


def test_linked_joints_are_not_changed(tmp_path: Path) -> None:
    """Operators pass over linked joints with a sentence, and none of them ends in a traceback."""
    door()
    path = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (there, here):
        here.objects = there.objects
    for obj in here.objects:
        bpy.context.scene.collection.objects.link(obj)
    hinge = bpy.data.objects["Door Hinge"]
    select(hinge)
    for operator in ("swap_sides", "snap_frames", "reaim", "remove"):
        assert getattr(bpy.ops.omi_joint, operator)() == {"CANCELLED"}, operator
    assert hinge.omi_physics_joint.is_joint


def test_snap_under_a_bone() -> None:
    """A partner on a bone is snapped exactly, although bones hold their children at their tips."""
    _, _, hinge = door()
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    rig.omi_physics_body.is_body = True
    rig.rotation_euler = (0.3, 0.2, pi / 3)
    partner = separated(hinge)
    partner.parent, partner.parent_type, partner.parent_bone = rig, "BONE", "Bone"
    bpy.context.view_layer.update()
    select(hinge)
    bpy.ops.omi_joint.snap_frames()
    assert numbers(relative(hinge)) == pytest.approx(IDENTITY, abs=1e-5)
