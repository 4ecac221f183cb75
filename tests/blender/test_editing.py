# SPDX-License-Identifier: GPL-3.0-or-later
"""Re-aim, swap sides, snap, remove, and what happens when one of the parts goes away."""

from __future__ import annotations

from math import pi

import bpy
import pytest
from mathutils import Vector
from scenes import IDENTITY, box, door, issues, joined, numbers, relative, select, separated, turn

from omi_physics_joint.blender.bridge.poses.second_frames import second_world
from omi_physics_joint.blender.bridge.read_groups import breaking_from
from omi_physics_joint.blender.bridge.read_settings import settings_from_block
from omi_physics_joint.blender.joints import editing
from omi_physics_joint.model.joint import Breaking, Freedom
from omi_physics_joint.model.settings.spans import axis_range


@pytest.mark.parametrize("separate", [False, True])
def test_swap_sides_keeps_settings_and_motion(separate: bool) -> None:
    """After swapping, the same turn of the door gives the same value of the same settings."""
    frame, leaf, hinge = door()
    block = hinge.omi_physics_joint.settings
    if separate:
        separated(hinge)
    select(hinge)
    bpy.ops.omi_joint.swap_sides()
    new = next(obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint)
    assert (new != hinge) == separate
    assert new.name == "Door Hinge"
    assert new.parent == frame
    separated(new)
    assert new.omi_physics_joint.settings == block
    turn(leaf, Vector((1.0, 0.0, 0.0)), "Z", pi / 5)
    assert relative(new).to_euler().y == pytest.approx(pi / 5, abs=1e-5)


def test_swap_sides_keeps_the_pose() -> None:
    """A door that stands ajar does so after its joint has changed sides, at the same value."""
    _, _, hinge = door()
    hinge.omi_physics_pose.about_y = 0.4
    bpy.context.view_layer.update()
    ends = [one.translation.copy() for one in (hinge.matrix_world, second_world(hinge))]
    select(hinge)
    bpy.ops.omi_joint.swap_sides()
    assert hinge.omi_physics_pose.about_y == pytest.approx(0.4, abs=1e-5)
    bpy.context.view_layer.update()
    places = (second_world(hinge), hinge.matrix_world)
    for place, end in zip(places, ends, strict=True):
        assert numbers(place.translation) == pytest.approx(numbers(end), abs=1e-6)


@pytest.mark.parametrize("collide", [True, False])
@pytest.mark.parametrize("separated", [True, False])
def test_swap_sides_keeps_whether_the_bodies_collide(collide: bool, separated: bool) -> None:
    """Whether the two bodies touch belongs to the joint, whichever frame it is."""
    _, _, hinge = door()
    if separated:
        editing.separate(hinge)
    hinge.omi_physics_joint.enable_collision = collide
    select(hinge)
    assert bpy.ops.omi_joint.swap_sides() == {"FINISHED"}
    (new,) = (obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint)
    assert new.omi_physics_joint.enable_collision == collide


@pytest.mark.parametrize("separated", [True, False])
def test_swap_sides_keeps_what_breaks_the_joint(separated: bool) -> None:
    """The object that is the joint afterwards breaks as the joint did, and only that one."""
    _, _, hinge = door()
    if separated:
        editing.separate(hinge)
    hinge.omi_physics_breaking.use_breaking = hinge.omi_physics_breaking.use_torque = True
    hinge.omi_physics_breaking.torque = 12.0
    select(hinge)
    assert bpy.ops.omi_joint.swap_sides() == {"FINISHED"}
    found = {
        obj.omi_physics_joint.is_joint: breaking
        for obj in bpy.data.objects
        if (breaking := breaking_from(obj.omi_physics_breaking)) is not None
    }
    assert found == {True: Breaking(1000.0, 12.0)}


def test_swap_sides_naively_would_reverse_the_door() -> None:
    """Handing the joint to the partner without turning the frames would reverse its value."""
    _, leaf, hinge = door()
    separated(hinge)
    turn(leaf, Vector((1.0, 0.0, 0.0)), "Z", pi / 5)
    naive = relative(hinge).inverted().to_euler().y
    assert naive == pytest.approx(-pi / 5, abs=1e-5)


def test_swap_sides_of_a_pin_and_a_slider() -> None:
    """Pins and sliders swap as well, and a slider's value survives."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    slider = joined("SLIDER", still, moving, direction="GLOBAL_X")
    select(slider)
    bpy.ops.omi_joint.swap_sides()
    new = bpy.data.objects["Moving Slider"]
    separated(new)
    moving.location.x += 0.2
    assert relative(new).translation.x == pytest.approx(0.2, abs=1e-6)
    pin = joined("PIN", still, moving)
    select(pin)
    assert bpy.ops.omi_joint.swap_sides() == {"FINISHED"}


def test_swap_sides_refuses_what_it_cannot_keep() -> None:
    """A joint with ranges on several axes is left alone, with a sentence."""
    _, _, hinge = door()
    item = hinge.omi_physics_joint.settings.limits.add()
    item.freedom, item.axes = "linear", (False, True, False)
    item.linear_min, item.linear_max = 0.0, 0.5
    hinge.omi_physics_joint.settings.limits[0].axes = (True, False, False)
    hinge.omi_physics_joint.settings.limits[1].axes = (False, False, True)
    select(hinge)
    assert bpy.ops.omi_joint.swap_sides() == {"CANCELLED"}
    assert hinge.omi_physics_joint.is_joint


@pytest.mark.parametrize("kind", ["PIN", "WELD"])
@pytest.mark.parametrize("driven", [False, True])
def test_swap_sides_keeps_to_what_a_drive_means(kind: str, driven: bool) -> None:
    """What nothing drives is the same from both sides; a drive would go the other way."""
    joint = joined(kind, box("Still"), box("Moving", (3.0, 0.0, 0.0)))
    if driven:
        drive = joint.omi_physics_joint.settings.drives.add()
        drive.freedom, drive.use_velocity_target, drive.angular_velocity_target = "angular", True, 1
    select(joint)
    assert bpy.ops.omi_joint.swap_sides() == {"CANCELLED" if driven else "FINISHED"}


@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
def test_reaim_turns_the_axis_and_keeps_the_way(axis: str) -> None:
    """After re-aiming, turning the door about the new axis raises the value."""
    _, leaf, hinge = door()
    select(hinge)
    bpy.ops.omi_joint.reaim(direction=f"GLOBAL_{axis}")
    separated(hinge)
    turn(leaf, hinge.matrix_world.translation, axis, 0.3)
    assert relative(hinge).to_euler().y == pytest.approx(0.3, abs=1e-5)


def test_snap_partner_brings_it_home() -> None:
    """A partner that was moved away is back at the joint after snapping."""
    _, _, hinge = door()
    partner = separated(hinge)
    partner.location.z += 1.0
    partner.rotation_euler.x += 0.4
    bpy.context.view_layer.update()
    assert "frames-apart" in issues()
    select(hinge)
    bpy.ops.omi_joint.snap_frames()
    assert numbers(relative(hinge)) == pytest.approx(IDENTITY, abs=1e-6)
    assert "frames-apart" not in issues()


def test_remove_takes_joint_and_partner() -> None:
    """Removing from the partner's side removes both frames and leaves the bodies."""
    _, _, hinge = door()
    select(separated(hinge))
    bpy.ops.omi_joint.remove()
    assert sorted(obj.name for obj in bpy.data.objects) == ["Door", "Frame"]


def test_select_partner_goes_there_and_back() -> None:
    """Select Second Frame goes from a joint to its second frame and back; one alone has none."""
    _, _, hinge = door()
    select(hinge)
    assert not bpy.ops.omi_joint.select_second_frame.poll()
    separated(hinge)
    bpy.ops.omi_joint.select_second_frame()
    assert bpy.context.object == hinge.omi_physics_joint.connected_node
    bpy.ops.omi_joint.select_second_frame()
    assert bpy.context.object == hinge


def test_deleted_partner_is_found_and_mended() -> None:
    """Deleting the partner alone is an error in Check, and Fix removes the useless joint."""
    _, _, hinge = door()
    select(separated(hinge))
    bpy.ops.object.delete()
    found = issues()
    assert found["joint-without-partner"] == "error"
    bpy.ops.omi_joint.issue_fix(index=0)
    assert "joint-without-partner" not in issues()


def test_deleted_partner_can_be_made_anew() -> None:
    """A joint that lost its second frame is connected to the selected body."""
    frame, _, hinge = door()
    bpy.data.objects.remove(separated(hinge))
    select(frame, hinge)
    assert bpy.ops.omi_joint.connect() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert hinge.omi_physics_joint.connected_body == frame
    assert numbers(relative(hinge)) == pytest.approx(IDENTITY, abs=1e-6)


def test_deleted_joint_leaves_a_plain_empty() -> None:
    """Deleting the joint frame alone leaves the second frame as a plain empty and no error."""
    _, _, hinge = door()
    separated(hinge)
    bpy.context.view_layer.objects.active = hinge
    select(hinge)
    bpy.ops.object.delete()
    assert "error" not in issues().values()


@pytest.mark.parametrize("separate", [False, True])
def test_deleted_body_is_an_error(separate: bool) -> None:
    """Deleting a body leaves its joint with one side, which Check calls an error and Fix mends."""
    frame, _, hinge = door()
    if separate:
        separated(hinge)
    select(frame)
    bpy.ops.object.delete()
    code = "connected-without-body" if separate else "joint-without-partner"
    assert issues()[code] == "error"
    bpy.ops.omi_joint.issue_fix(index=0)
    assert code not in issues()
    assert separate or frame.name in bpy.context.scene.objects, "it is brought back"


def test_duplicated_pair_is_a_pair_of_its_own() -> None:
    """Duplicating both bodies with their frames gives a second joint that knows its own frame."""
    frame, leaf, hinge = door()
    partner = separated(hinge)
    select(frame, leaf, partner, hinge)
    bpy.ops.object.duplicate()
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    assert len(joints) == 2
    copy = next(joint for joint in joints if joint != hinge)
    assert copy.omi_physics_joint.connected_node not in (None, partner)
    assert copy.omi_physics_joint.connected_node.parent not in (None, frame)
    assert copy.omi_physics_joint.settings == hinge.omi_physics_joint.settings
    assert hinge.omi_physics_joint.settings.users == 2


def test_duplicated_bodies_have_a_joint_of_their_own() -> None:
    """Shift+D of two bodies with their joint connects the copy of the joint to the copies."""
    frame, leaf, hinge = door()
    select(frame, leaf, hinge)
    bpy.ops.object.duplicate()
    copy = next(obj for obj in bpy.context.selected_objects if obj.omi_physics_joint.is_joint)
    assert copy.parent == bpy.data.objects["Door.001"]
    assert copy.omi_physics_joint.connected_body == bpy.data.objects["Frame.001"]
    assert (hinge.parent, hinge.omi_physics_joint.connected_body) == (leaf, frame)


def test_duplicated_joint_alone_shares_the_partner() -> None:
    """Duplicating the joint frame alone gives a second joint to the same one, and it works."""
    _, _, hinge = door()
    separated(hinge)
    select(hinge)
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    assert copy.omi_physics_joint.connected_node == hinge.omi_physics_joint.connected_node
    select(copy)
    bpy.ops.omi_joint.remove()
    assert hinge.omi_physics_joint.connected_node is not None


def test_renaming_and_reparenting_keep_the_joint() -> None:
    """Names do not matter, and a frame that moves to another body joins that body."""
    _, leaf, hinge = door()
    other = box("Other", (0.0, 5.0, 0.0))
    other.omi_physics_body.is_body = True
    partner = separated(hinge)
    partner.name, leaf.name = "Anything", "Leaf"
    world = partner.matrix_world.copy()
    partner.parent = other
    partner.matrix_world = world
    bpy.context.view_layer.update()
    found = issues()
    assert "error" not in found.values()
    assert hinge.omi_physics_joint.connected_node == partner


def test_set_limit_of_many_leaves_others_alone() -> None:
    """Setting a bound of selected joints gives them a copy where others share their block."""
    links = [box(f"Link {index}", (0.0, 0.0, -3.0 * index)) for index in range(5)]
    select(*links)
    bpy.ops.omi_joint.create(kind="PIN", chain=True, place="MIDDLE", other_motion="dynamic")
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    select(*joints[:2])
    bpy.ops.omi_joint.set_limit(freedom="angular", axis="2", angle_min=-0.5, angle_max=0.25)
    for index, joint in enumerate(joints):
        settings = settings_from_block(joint.omi_physics_joint.settings)
        bounds = axis_range(settings, Freedom.ANGULAR, 2)
        expected = (-0.5, 0.25) if index < 2 else (-float("inf"), float("inf"))
        assert bounds == pytest.approx(expected)
    assert joints[0].omi_physics_joint.settings == joints[1].omi_physics_joint.settings


def test_joint_on_geometry_moves_to_an_empty() -> None:
    """A joint that a script put on a mesh is an error, and Fix moves all of it to an empty."""
    frame, leaf, hinge = door()
    data = leaf.omi_physics_joint
    data.is_joint = True
    data.settings = hinge.omi_physics_joint.settings
    data.connected_body = hinge.omi_physics_joint.connected_body
    data.connected_name = "Socket"
    leaf.omi_physics_breaking.use_breaking = leaf.omi_physics_breaking.use_torque = True
    leaf.omi_physics_breaking.torque = 12.0
    found = bpy.context.window_manager.omi_physics_joint.issues
    assert issues()["joint-on-geometry"] == "error"
    number = next(i for i, issue in enumerate(found) if issue.code == "joint-on-geometry")
    bpy.ops.omi_joint.issue_fix(index=number)
    assert "joint-on-geometry" not in issues()
    assert not data.is_joint
    assert frame.omi_physics_body.is_body
    moved = bpy.data.objects[f"{leaf.name} Joint"]
    assert moved.omi_physics_joint.connected_name == "Socket"
    assert breaking_from(moved.omi_physics_breaking) == Breaking(1000.0, 12.0)
    assert breaking_from(leaf.omi_physics_breaking) is None
