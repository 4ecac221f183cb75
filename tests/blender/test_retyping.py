# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that exist become another type, turn the other way round, and point where they should."""

from __future__ import annotations

from math import pi, radians
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix, Vector

from omi_physics_joint.blender import registration
from omi_physics_joint.blender.bridge.read_settings import settings_from_block
from omi_physics_joint.blender.bridge.write import fill_drive
from omi_physics_joint.blender.joints.settings_editing import travel_along
from omi_physics_joint.drawing.marks.discs_and_cones import swing_axis
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom
from omi_physics_joint.model.settings.spans import axis_range, spans_of
from omi_physics_joint.model.wording.describe import kind
from tests.scenes import IDENTITY, box, door, joined, numbers, relative, select, separated, turn

PRESETS = Path(registration.__file__).parents[2] / "presets" / "omi_physics_joint"
PIVOT = Vector((1.0, 0.0, 0.0))


def changed(joint: bpy.types.Object, kind: str, **options: object) -> bpy.types.Object:
    """Make a joint another type."""
    select(joint)
    assert bpy.ops.omi_joint.change_type(kind=kind, **options) == {"FINISHED"}
    bpy.context.view_layer.update()
    return bpy.context.object


def settings(joint: bpy.types.Object) -> object:
    """Return what a joint allows, in Blender's axes."""
    return settings_from_block(joint.omi_physics_joint.settings)


def axis(joint: bpy.types.Object, number: int) -> list[float]:
    """Return where an axis of a joint points."""
    return list(joint.matrix_world.col[number].to_3d())


@pytest.mark.parametrize("first", ["WELD", "PIN", "HINGE", "SLIDER"])
@pytest.mark.parametrize("second", ["WELD", "PIN", "HINGE", "SLIDER"])
def test_every_type_becomes_every_other(first: str, second: str) -> None:
    """Place, axis and bodies stay, the frames stay together, and the name says the new type."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    way = (1.0, 0.0, 0.0)
    joint = joined(first, still, moving, direction="GLOBAL_X", aim="GLOBAL_X", place="MIDDLE")
    assert Vector(axis(joint, 0 if first == "SLIDER" else 1)).dot(way) == pytest.approx(-1.0)
    place, parent = joint.matrix_world.translation.copy(), joint.parent
    changed(joint, second)
    assert kind(settings(joint)).upper() == second
    assert joint.name == f"Moving {second.title()}"
    assert joint.omi_physics_joint.settings.name.startswith(second.title())
    assert joint.parent == parent
    assert list(joint.matrix_world.translation) == pytest.approx(list(place), abs=1e-6)
    assert numbers(relative(joint)) == pytest.approx(IDENTITY, abs=1e-6)
    aimed = axis(joint, 0 if second == "SLIDER" else 1)
    assert Vector(aimed).dot(way) == pytest.approx(-1.0, abs=1e-6)


def test_slider_and_back_moves_the_body_the_same_way() -> None:
    """A hinge about Z becomes a slider along Z, and the moving body still goes up with it."""
    _, leaf, hinge = door()
    changed(hinge, "SLIDER")
    separated(hinge)
    leaf.location.z += 0.25
    assert relative(hinge).translation.x == pytest.approx(0.25, abs=1e-6)
    leaf.location.z -= 0.25
    changed(hinge, "HINGE")
    turn(leaf, PIVOT, "Z", pi / 6)
    assert relative(hinge).to_euler().y == pytest.approx(pi / 6, abs=1e-5)


@pytest.mark.parametrize("first", ["WELD", "PIN", "HINGE", "SLIDER"])
@pytest.mark.parametrize("second", ["WELD", "PIN", "HINGE", "SLIDER"])
@pytest.mark.parametrize("standing", ["static", "dynamic"])
def test_what_changes_looks_where_a_new_joint_would(first: str, second: str, standing: str) -> None:
    """Which way is positive does not depend on what a joint was before, whatever the bodies do."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    for obj, motion in ((still, standing), (moving, "dynamic")):
        select(obj)
        bpy.ops.omi_joint.body_add(type=motion)
    options = {"direction": "GLOBAL_X", "aim": "GLOBAL_X", "place": "MIDDLE"}
    made = changed(joined(first, still, moving, **options), second, keep_range=False)
    new = joined(second, still, moving, **options)
    number = 0 if second == "SLIDER" else 1
    assert axis(made, number) == pytest.approx(axis(new, number), abs=1e-6)


def test_range_stays_where_it_still_means_something() -> None:
    """A ball joint's twist is the range of the hinge it becomes; a slider gets one of its own."""
    _, _, hinge = door(angle_max=radians(70.0))
    changed(hinge, "HINGE")
    assert axis_range(settings(hinge), Freedom.ANGULAR, 1) == pytest.approx((0.0, radians(70.0)))
    select(hinge)
    bpy.ops.omi_joint.preset_apply(filepath=str(PRESETS / "Ball_and_Socket.json"))
    changed(hinge, "HINGE")
    low, high = axis_range(settings(hinge), Freedom.ANGULAR, 1)
    assert (low, high) == pytest.approx((radians(-30.0), radians(30.0)))
    changed(hinge, "HINGE", keep_range=False, angle_max=1.0)
    assert axis_range(settings(hinge), Freedom.ANGULAR, 1) == pytest.approx((0.0, 1.0))
    changed(hinge, "SLIDER")
    assert axis_range(settings(hinge), Freedom.LINEAR, 0) == pytest.approx((0.0, 0.5))


def test_motor_of_the_axis_stays_and_others_go() -> None:
    """A slider has no use for the motor of a hinge."""
    _, _, hinge = door()
    drive = hinge.omi_physics_joint.settings.drives.add()
    drive.freedom, drive.axis = "angular", "1"
    changed(hinge, "HINGE")
    assert len(hinge.omi_physics_joint.settings.drives) == 1
    changed(hinge, "SLIDER")
    assert len(hinge.omi_physics_joint.settings.drives) == 0


def test_type_of_one_joint_leaves_those_alone_that_share_its_settings() -> None:
    """Of three pins with one block the chosen one gets settings of its own."""
    links = [box(f"Link {index}", (0.0, 0.0, -3.0 * index)) for index in range(4)]
    select(*links[1:], links[0])
    bpy.ops.omi_joint.create(kind="PIN", chain=True)
    pins = list(bpy.context.selected_objects)
    changed(pins[0], "HINGE")
    assert [kind(settings(pin)) for pin in pins] == ["Hinge", "Pin", "Pin"]
    select(*pins)
    bpy.ops.omi_joint.change_type(kind="WELD")
    assert {kind(settings(pin)) for pin in pins} == {"Weld"}


def test_flipped_door_opens_the_other_way() -> None:
    """After Flip a clockwise turn raises the value that a counter-clockwise one raised before."""
    _, leaf, hinge = door()
    select(hinge)
    assert bpy.ops.omi_joint.flip() == {"FINISHED"}
    assert numbers(relative(hinge)) == pytest.approx(IDENTITY, abs=1e-6)
    separated(hinge)
    turn(leaf, PIVOT, "Z", -pi / 6)
    assert relative(hinge).to_euler().y == pytest.approx(pi / 6, abs=1e-5)
    select(hinge)
    bpy.ops.omi_joint.flip()
    assert relative(hinge).to_euler().y == pytest.approx(-pi / 6, abs=1e-5)


def test_flipped_drawer_slides_the_other_way() -> None:
    """A slider is reversed too, and a pin says that it has no direction."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    slider = joined("SLIDER", still, moving, direction="GLOBAL_X")
    select(slider)
    bpy.ops.omi_joint.flip()
    separated(slider)
    moving.location.x -= 0.2
    assert relative(slider).translation.x == pytest.approx(0.2, abs=1e-6)
    changed(slider, "PIN")
    assert bpy.ops.omi_joint.flip() == {"CANCELLED"}


def test_ball_and_socket_twists_about_the_axis_that_is_aimed() -> None:
    """The preset leans about the two axes beside the cone's own one, about which it twists."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    joint = joined("PIN", still, moving, place="MIDDLE")
    bpy.ops.omi_joint.preset_apply(filepath=str(PRESETS / "Ball_and_Socket.json"))
    found = settings(joint)
    lean, twist = (radians(-45.0), radians(45.0)), (radians(-30.0), radians(30.0))
    bounds = [axis_range(found, Freedom.ANGULAR, number) for number in range(3)]
    assert bounds == [pytest.approx(lean), pytest.approx(twist), pytest.approx(lean)]
    in_gltf = Y_UP_FROM_Z_UP.settings(found)
    pointing = swing_axis(spans_of(in_gltf.limits)[3:])
    drawn = joint.matrix_world @ Matrix.Rotation(-pi / 2.0, 4, "X")  # glTF's axes of the frame
    assert abs(drawn.col[pointing].to_3d().dot((1.0, 0.0, 0.0))) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("way", ["GLOBAL_Y", "TOWARDS"])
def test_cone_of_a_ball_joint_is_aimed(way: str) -> None:
    """Change Axis turns the cone, also into the body that moves."""
    still, moving = box("Still"), box("Moving", (2.0, 0.0, 1.5))
    joint = joined("PIN", still, moving, place="OTHER", aim="GLOBAL_X")
    bpy.ops.omi_joint.preset_apply(filepath=str(PRESETS / "Ball_and_Socket.json"))
    select(joint)
    assert bpy.ops.omi_joint.reaim(direction=way) == {"FINISHED"}
    bpy.context.view_layer.update()
    expected = (
        Vector((0.0, 1.0, 0.0)) if way == "GLOBAL_Y" else Vector((2.0, 0.0, 1.5)).normalized()
    )
    assert Vector(axis(joint, 1)).dot(expected) == pytest.approx(-1.0, abs=1e-5)
    assert numbers(relative(joint)) == pytest.approx(IDENTITY, abs=1e-6)


def test_weld_has_no_axis_to_aim() -> None:
    """What does not move is left alone, with a sentence."""
    joined("WELD", box("Still"), box("Moving", (3.0, 0.0, 0.0)))
    assert bpy.ops.omi_joint.reaim(direction="GLOBAL_X") == {"CANCELLED"}


def test_drives_of_axes_that_are_held_are_left_behind() -> None:
    """Of a pin with a motor about two axes a hinge keeps that about its own."""
    _, _, joint = door()
    block = joint.omi_physics_joint.settings
    for number in (2, 1):
        motor = Drive(Freedom.ANGULAR, DriveMode.FORCE, number, damping=1.0, velocity_target=1.0)
        fill_drive(block.drives.add(), motor)
    changed(joint, "SLIDER")
    assert settings(joint).drives == ()
    bpy.ops.wm.read_homefile(use_empty=True)
    _, _, joint = door()
    for number in (2, 1):
        motor = Drive(Freedom.ANGULAR, DriveMode.FORCE, number, damping=1.0, velocity_target=number)
        fill_drive(joint.omi_physics_joint.settings.drives.add(), motor)
    changed(joint, "HINGE")
    assert [(one.axis, one.velocity_target) for one in settings(joint).drives] == [(1, 1.0)]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_several_slide_as_far_as_suits_the_active_one(order: tuple[int, int]) -> None:
    """A box of 2 m and one of 20 m: the field of the redo box is one for all of them."""
    joints = []
    for at, size in enumerate((1.0, 10.0)):
        moving = box(f"Moving {at}", (3.0, 40.0 * at, 0.0))
        moving.scale = (size,) * 3
        joints.append(joined("HINGE", box(f"Still {at}", (0.0, 40.0 * at, 0.0)), moving))
    chosen = [joints[at] for at in order]
    alone = travel_along(chosen[1])
    assert travel_along(chosen[0]) != alone
    select(*chosen)
    assert bpy.ops.omi_joint.change_type(kind="SLIDER") == {"FINISHED"}
    for joint in joints:
        found = axis_range(settings(joint), Freedom.LINEAR, 0)
        assert max(map(abs, found)) == pytest.approx(alone)
