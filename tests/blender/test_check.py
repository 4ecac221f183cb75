# SPDX-License-Identifier: GPL-3.0-or-later
"""Check in Blender: what it finds, where it looks, and what Fix does."""

from __future__ import annotations

import bpy
import pytest
from scenes import door, issues, select, separated

from omi_physics_joint.blender.fixes import FIXES
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
}


def test_a_new_door_has_no_error() -> None:
    """A door fresh from the button is not wrong in any way; engines may still be named."""
    door()
    assert "error" not in issues().values()


def test_fixes_are_for_codes_that_exist() -> None:
    """No fix waits for a code that nothing ever says."""
    assert set(FIXES) <= set(SEVERITIES) | BLENDER_ONLY


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
    """Check names the frame whose pose is exported, warns of what moved, and comes back."""
    _, leaf, _ = door()
    scene = bpy.context.scene
    leaf.keyframe_insert("location", frame=0)
    leaf.location.z = 5.0
    leaf.keyframe_insert("location", frame=20)
    scene.frame_set(20)
    found = issues()
    assert found["moved-from-rest"] == "warning"
    assert bpy.context.window_manager.omi_physics_joint.title == "Check at frame 0"
    assert scene.frame_current == 20
    assert leaf.location.z == pytest.approx(5.0)
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
