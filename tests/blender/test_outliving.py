# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists, strips and handles do not outlive what they show; Fix works where things belong."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_joint.blender.check.report import is_gone, is_old, object_of
from omi_physics_joint.blender.handles.places import joint_at_hand
from omi_physics_joint.blender.play.viewport.events import moves_cursor
from omi_physics_joint.blender.timeline.cache.storage import told_cache
from tests.scenes import box, door, issues, joined, numbers, relative, select, separated


def test_a_deleted_object_makes_the_list_old() -> None:
    """An issue whose object is gone is greyed, and the whole list is marked as old."""
    _, _, hinge = door()
    hinge.omi_physics_joint.settings = None
    assert "joint-without-settings" in issues()
    scene, report = bpy.context.scene, bpy.context.window_manager.omi_physics_joint
    assert not is_old(report, scene)
    assert object_of(report.issues[0], scene) == hinge
    select(hinge)
    bpy.ops.object.delete()
    assert is_old(report, scene)
    assert is_gone(report.issues[0], scene)
    assert object_of(report.issues[0], scene) is None


@pytest.mark.parametrize("of_issue", [True, False])
def test_a_list_is_old_after_a_rename_of_what_it_names(of_issue: bool) -> None:
    """Its lines lead to names; what it does not name may be called anything."""
    frame, _, hinge = door()
    hinge.omi_physics_joint.settings = None
    assert "joint-without-settings" in issues()
    (hinge if of_issue else frame).name = "Renamed"
    scene, report = bpy.context.scene, bpy.context.window_manager.omi_physics_joint
    assert is_old(report, scene) is of_issue
    assert is_gone(report.issues[0], scene) is of_issue


def test_the_strip_does_not_outlive_its_bodies() -> None:
    """An empty scene shows no simulated frames, though the file still knows them for Undo."""
    door(direction="GLOBAL_Y", use_range=False)
    scene = bpy.context.scene
    scene.frame_end = 5
    bpy.ops.omi_joint.simulate()
    assert told_cache(scene) is not None
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    assert not scene.objects
    assert told_cache(scene) is None


def test_a_hidden_joint_has_no_handles() -> None:
    """A joint that is hidden with H is not at hand, and its handles are neither."""
    _, _, hinge = door()
    assert joint_at_hand(bpy.context) == hinge
    hinge.hide_set(True)
    bpy.context.view_layer.objects.active = hinge
    assert joint_at_hand(bpy.context) is None
    hinge.hide_set(False)
    assert joint_at_hand(bpy.context) == hinge


def test_fix_works_at_rest_while_a_simulated_frame_is_shown() -> None:
    """Snap mends the frames where the user put them, not where the simulation shows them."""
    _, leaf, hinge = door(direction="GLOBAL_Y", use_range=False)
    partner = separated(hinge)
    partner.location.x += 0.3
    bpy.context.view_layer.update()
    scene = bpy.context.scene
    scene.frame_end = 30
    bpy.ops.omi_joint.simulate()
    scene.frame_set(20)
    assert leaf.location.z < -0.3
    assert "frames-apart" in issues()
    found = bpy.context.window_manager.omi_physics_joint.issues
    index = next(i for i, issue in enumerate(found) if issue.code == "frames-apart")
    assert bpy.ops.omi_joint.issue_fix(index=index) == {"FINISHED"}
    assert "frames-apart" not in {issue.code for issue in found}
    scene.frame_set(1)
    bpy.context.view_layer.update()
    assert numbers(relative(hinge).translation) == pytest.approx([0.0] * 3, abs=1e-5)
    assert tuple(leaf.location) == (2.0, 0.0, 0.0)


def test_the_same_pair_joined_twice_is_found() -> None:
    """Two presses of Hinge make two blocks of settings that say the same: Check names it."""
    frame, leaf, _ = door()
    joined("HINGE", frame, leaf)
    assert issues()["joint-twice"] == "hint"


def test_keys_that_move_the_cursor_are_kept_from_blender_while_it_plays() -> None:
    """Shift+C turns the view and resets the 3D cursor, which is an edit; Home only turns it."""
    box("Anything")
    config = bpy.context.window_manager.keyconfigs.default
    keymap = config.keymaps.get("3D View")
    items = [] if keymap is None else keymap.keymap_items
    centring = [item for item in items if item.idname == "view3d.view_all"]
    if not centring:
        made = bpy.context.window_manager.keyconfigs.addon or config
        keymap = made.keymaps.new("3D View", space_type="VIEW_3D")
        for center in (True, False):
            item = keymap.keymap_items.new("view3d.view_all", "C", "PRESS", shift=center)
            item.properties.center = center
            centring.append(item)
    assert {moves_cursor(item) for item in centring} == {True, False}
    assert all(moves_cursor(item) == bool(item.properties.center) for item in centring)
