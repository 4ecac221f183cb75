# SPDX-License-Identifier: GPL-3.0-or-later
"""Clicks in lists and fields of panels: what they select, refuse, copy and find."""

from __future__ import annotations

from math import radians
from types import SimpleNamespace

import bpy
import pytest
from scenes import box, door, joined, select

from omi_physics_joint.blender.bodies.panels import OMI_JOINT_PT_body_velocity
from omi_physics_joint.blender.bridge.read_settings import settings_from_block
from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.joints.operators import OMI_JOINT_OT_select_joint
from omi_physics_joint.blender.joints.panels import draw_drive_choice
from omi_physics_joint.blender.joints.parts import draw_settings, ranged_limit
from omi_physics_joint.model.joint import JointSettings, Limit
from omi_physics_joint.model.wording.describe import summary
from tests.layouts import Layout, in_panel


def test_a_click_in_the_list_selects_the_joint() -> None:
    """The row of the scene's list is the active object, and choosing a row selects its joint."""
    frame, _, hinge = door()
    slider = joined("SLIDER", frame, box("Drawer", (0.0, 5.0, 0.0)))
    manager, objects = bpy.context.window_manager, bpy.context.scene.objects
    assert objects[manager.omi_physics_joint_row] == slider
    manager.omi_physics_joint_row = objects.find(hinge.name)
    assert bpy.context.object == hinge
    assert bpy.context.selected_objects == [hinge]
    manager.omi_physics_joint_row = objects.find(frame.name)
    assert bpy.context.object == hinge
    select(frame)
    assert objects[manager.omi_physics_joint_row] == frame
    bpy.context.view_layer.objects.active = None
    assert manager.omi_physics_joint_row == -1, "no row is lit where nothing is active"


def test_the_first_object_of_a_scene_may_be_the_joint_that_is_clicked() -> None:
    """Row 0 is a row, as of a scene whose bodies came after their joint."""
    frame, leaf, hinge = door()
    objects, scene = bpy.context.scene.objects, bpy.context.scene.collection
    for body in (frame, leaf):
        scene.objects.unlink(body)
        scene.objects.link(body)
    select(leaf)
    assert objects.find(hinge.name) == 0
    bpy.context.window_manager.omi_physics_joint_row = 0
    assert bpy.context.object == hinge


def test_the_selector_refuses_other_node_trees() -> None:
    """Only joint settings can be chosen as joint settings."""
    _, _, hinge = door()
    other = bpy.data.node_groups.new("Geometry", "GeometryNodeTree")
    with pytest.raises(TypeError):
        hinge.omi_physics_joint.settings = other


def test_the_list_extends_the_selection() -> None:
    """With Ctrl or Shift a row is added to what is selected; the active one is left out again."""
    frame, _, first = door()
    second = joined("SLIDER", frame, box("Drawer", (0.0, 5.0, 0.0)))
    select(first)
    choose = bpy.ops.omi_joint.select_joint
    assert choose(object_name=second.name, extend=True) == {"FINISHED"}
    assert set(bpy.context.selected_objects) == {first, second}
    assert bpy.context.object == second
    choose(object_name=second.name, extend=True)
    assert bpy.context.selected_objects == [first]
    choose(object_name=second.name)
    assert bpy.context.selected_objects == [second]


@pytest.mark.parametrize("ctrl", [False, True])
@pytest.mark.parametrize("shift", [False, True])
def test_either_key_of_selecting_more_is_heard(shift: bool, ctrl: bool) -> None:
    """Ctrl as in lists, Shift as in the view: the tool tip names both."""
    frame, _, first = door()
    second = joined("SLIDER", frame, box("Drawer", (0.0, 5.0, 0.0)))
    select(first)
    functions = {
        name: one for name, one in vars(OMI_JOINT_OT_select_joint).items() if callable(one)
    }
    row = type("Row", (), functions)()
    row.object_name, row.extend = second.name, False
    assert row.invoke(bpy.context, SimpleNamespace(type="LEFTMOUSE", ctrl=ctrl, shift=shift)) == {
        "FINISHED"
    }
    others = {first} if ctrl or shift else set()
    assert set(bpy.context.selected_objects) == {second, *others}


def test_a_hidden_joint_is_shown_when_it_is_selected() -> None:
    """Select Joint leaves nothing active that nobody sees."""
    _, leaf, hinge = door()
    select(leaf)
    hinge.hide_set(True)
    assert bpy.ops.omi_joint.select_joint(object_name=hinge.name) == {"FINISHED"}
    assert hinge.visible_get()
    assert bpy.context.selected_objects == [hinge]


def test_the_sidebar_has_the_strength_that_a_drive_goes_by() -> None:
    """A motor is as strong as its damping, others as their stiffness, all up to their force."""
    _, _, hinge = door()
    for kind, strength in (("MOTOR", "damping"), ("SPRING", "stiffness"), ("SERVO", "stiffness")):
        select(hinge)
        bpy.ops.omi_joint.change_drive(kind=kind)
        block = hinge.omi_physics_joint.settings
        block.drives[0].use_max_force = False
        block.drives[0].use_velocity_target |= kind == "SERVO"  # to a place, at a speed
        layout = Layout()
        draw_drive_choice(layout, block, narrow=False)
        assert list(layout.fields)[1:] == [strength]
        block.drives[0].use_max_force = True
        layout = Layout()
        draw_drive_choice(layout, block, narrow=False)
        assert list(layout.fields)[1:] == ["max_force"]


def test_a_fake_user_is_no_joint() -> None:
    """Settings that are kept for later are shared by the joints alone that have them."""
    frame, _, hinge = door()
    block = hinge.omi_physics_joint.settings
    block.use_fake_user = True
    other = joined("HINGE", frame, box("Flap", (0.0, 5.0, 0.0)))
    window = bpy.context.window_manager.windows[0]
    area = next(one for one in window.screen.areas if one.type == "PROPERTIES")
    for is_shared in (False, True):
        layout = Layout()
        with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
            draw_settings(layout, bpy.context, hinge)
        assert ("Shared by 2 joints" in " ".join(layout.labels)) is is_shared
        other.omi_physics_joint.settings = block


@pytest.mark.parametrize("kind", ["static", "kinematic", "dynamic"])
def test_a_velocity_is_grey_for_what_stands(kind: str) -> None:
    """Whatever moves at the start can be told how fast."""
    _, leaf, _ = door()
    select(leaf)
    leaf.omi_physics_body.type = kind
    fields = in_panel(OMI_JOINT_PT_body_velocity)
    assert {name: one.active for name, one in fields.items()} == dict.fromkeys(
        ("linear_velocity", "angular_velocity", "starts_asleep"), kind != "static"
    )


@pytest.mark.parametrize("share", [False, True])
def test_settings_are_copied_to_the_other_selected_joints(share: bool) -> None:
    """They get the limits of the active one: as copies of their own, or the very same block."""
    frame, _, hinge = door()
    others = [joined("WELD", frame, box(name, (0.0, 5.0, 0.0))) for name in "AB"]
    select(*others, hinge)
    assert bpy.ops.omi_joint.settings_copy(share=share) == {"FINISHED"}
    own = hinge.omi_physics_joint.settings
    for other in others:
        got = other.omi_physics_joint.settings
        assert (got == own) is share
        assert summary(settings_from_block(got)) == "Hinge, 0° to 90°"
    select(hinge)
    assert not bpy.ops.omi_joint.settings_copy.poll()


def test_the_quick_edit_finds_the_one_range() -> None:
    """The sidebar edits the range of a hinge or slider, and nothing where there are several."""
    _, _, hinge = door()
    assert ranged_limit(hinge.omi_physics_joint.settings).angular_max == pytest.approx(radians(90))
    leaning = [Limit(angular_axes=(axis,), min=-1.0, max=1.0) for axis in range(2)]
    assert ranged_limit(new_settings(JointSettings("Ball", tuple(leaning)))) is None
