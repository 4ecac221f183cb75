# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing in Blender: sliders in its axes, the hand, keys, rest, undo; and nothing else moves."""

from __future__ import annotations

from math import degrees, pi, radians
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest
from mathutils import Matrix, Vector

from omi_physics_joint.blender.articulation.connected_objects import joints_around
from omi_physics_joint.blender.bridge.poses import away
from omi_physics_joint.blender.bridge.poses.transforms import FIELDS, keep
from omi_physics_joint.blender.posing import operators as posing
from omi_physics_joint.blender.posing.operators import Drag, OMI_JOINT_OT_pose_drag
from omi_physics_joint.blender.posing.panels import TOOL
from omi_physics_joint.blender.posing.session import session_for
from omi_physics_joint.blender.posing.stands import stand_of
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.settings.coordinates import coordinates
from omi_physics_joint.model.settings.spans import spans_of
from tests.omi_export import export
from tests.scenes import (
    box,
    door,
    four_bar,
    issues,
    joined,
    numbers,
    relative,
    select,
    separated,
    turn,
)

AXES = "xyz"


def raw(obj: bpy.types.Object) -> tuple[tuple[float, ...], ...]:
    """Return the numbers that a user typed."""
    return tuple(tuple(getattr(obj, field)) for field in FIELDS)


def everything() -> dict[str, tuple[tuple[float, ...], ...]]:
    """Return the transforms of all objects."""
    return {obj.name: raw(obj) for obj in bpy.data.objects}


def finger(count: int = 3) -> tuple[list[bpy.types.Object], list[bpy.types.Object]]:
    """Return upright boxes on a palm, and the hinges about the world's Y between them."""
    palm, bodies, joints = box("Palm"), [], []
    below = palm
    for number in range(count):
        bone = box(f"Bone {number}", (0.0, 0.0, 2.0 * (number + 1)))
        bpy.context.scene.cursor.location = (0.0, 0.0, 2.0 * number + 1.0)
        joints.append(joined("HINGE", below, bone, direction="GLOBAL_Y"))
        bodies.append(bone)
        below = bone
    return bodies, joints


def test_sliders_are_in_blenders_axes() -> None:
    """Each of six values moves the partner frame along or about its own axis, forwards."""
    still, moving = box("Still"), box("Moving", (3.0, 1.0, 0.0))
    moving.rotation_euler = (0.4, 0.2, -0.9)
    joint = joined("PIN", still, moving)
    joint.rotation_euler = (0.3, -0.8, 1.1)
    partner = separated(joint)
    bpy.context.view_layer.update()
    partner.matrix_world = joint.matrix_world.copy()
    for limit in joint.omi_physics_joint.settings.limits:
        limit.linear_min, limit.linear_max = -1.0, 1.0
    for axis in range(3):
        for value in (0.3, -0.2):
            for kind, expected in (
                ("about", Matrix.Rotation(value, 4, AXES[axis].upper())),
                ("along", Matrix.Translation(Vector.Fill(3, 0.0))),
            ):
                if kind == "along":
                    expected.translation[axis] = value
                bpy.ops.omi_joint.pose_zero()
                setattr(joint.omi_physics_pose, f"{kind}_{AXES[axis]}", value)
                assert numbers(relative(joint)) == pytest.approx(numbers(expected), abs=3e-6)
                shown = getattr(joint.omi_physics_pose, f"{kind}_{AXES[axis]}")
                assert shown == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize("axis", range(3))
def test_range_is_that_of_the_limits(axis: int) -> None:
    """The bounds of a slider are those typed in the panel, same axis, same sign."""
    _, _, joint = door()
    block = joint.omi_physics_joint.settings
    block.limits.clear()
    for free, low, high in ((False, 0.0, 0.0), (True, -0.2, 0.7)):
        limit = block.limits.add()
        limit.freedom = "angular"
        limit.axes = [(at == axis) == free for at in range(3)]
        limit.angular_min, limit.angular_max = low, high
    stand = stand_of(joint)
    assert stand.free[3:] == tuple(at == axis for at in range(3))
    assert (stand.low[3 + axis], stand.high[3 + axis]) == pytest.approx((-0.2, 0.7))
    setattr(joint.omi_physics_pose, f"about_{AXES[axis]}_share", 100.0)
    assert numbers(relative(joint).to_3x3().to_quaternion()) == pytest.approx(
        numbers(Matrix.Rotation(0.7, 3, AXES[axis].upper()).to_quaternion()), abs=1e-6
    )
    setattr(joint.omi_physics_pose, f"about_{AXES[axis]}", -3.0)
    assert getattr(joint.omi_physics_pose, f"about_{AXES[axis]}") == pytest.approx(-0.2, abs=1e-5)
    assert getattr(joint.omi_physics_pose, f"about_{AXES[axis]}_share") == pytest.approx(0.0)


@pytest.mark.parametrize(("angle", "share"), [(-30.0, 0.0), (45.0, 50.0), (120.0, 100.0)])
def test_a_joint_beyond_its_range_is_at_its_end(angle: float, share: float) -> None:
    """Turned by hand it stands where it stands, and the bar is empty or full."""
    _, leaf, joint = door()
    separated(joint)
    turn(leaf, joint.matrix_world.translation, "Z", radians(angle))
    bpy.context.view_layer.update()
    assert joint.omi_physics_pose.about_y == pytest.approx(radians(angle), abs=1e-5)
    assert joint.omi_physics_pose.about_y_share == pytest.approx(share, abs=0.01)
    at = next(number for number, free in enumerate(stand_of(joint).free) if free)
    assert stand_of(joint).share(at) == pytest.approx(0.01 * share, abs=1e-4)


def test_door_ajar() -> None:
    """A positive angle opens a new door counter-clockwise, and nothing else has moved."""
    _, leaf, joint = door()
    before = everything()
    joint.omi_physics_pose.about_y = radians(30.0)
    assert leaf.rotation_euler.z == pytest.approx(radians(30.0))
    hinge = Matrix.Rotation(radians(30.0), 3, "Z") @ Vector((1.0, 0.0, 0.0))
    assert tuple(leaf.location) == pytest.approx((1.0 + hinge.x, hinge.y, 0.0), abs=1e-6)
    assert {name for name, there in everything().items() if there != before[name]} == {leaf.name}
    assert raw(leaf)[-1] == before[leaf.name][-1], "the scale is as it was typed"


def test_door_ajar_is_exported_ajar(tmp_path: Path) -> None:
    """The file holds the pose that is seen: the same value between its frames, within limits."""
    _, _, joint = door()
    joint.omi_physics_pose.about_y = radians(30.0)
    mechanism = read(export(tmp_path / "door.gltf")).mechanism
    ((_, node, part),) = mechanism.joints()
    settings = mechanism.settings_of(part)
    frames = (node.world, mechanism.nodes[part.connected_node].world)
    values = coordinates(
        spans_of(settings.limits), *(rigid_frame(frame, settings) for frame in frames)
    )
    assert abs(values[5]) == pytest.approx(radians(30.0), abs=1e-5)
    assert values[5] == pytest.approx(-joint.omi_physics_pose.about_y, abs=1e-5), "glTF Z is -Y"
    assert "rest-outside-limits" not in issues()


def test_locked_and_broken_joints_stay() -> None:
    """A locked value cannot be set; a joint without a partner shows nothing and moves nothing."""
    _, leaf, joint = door()
    before = everything()
    joint.omi_physics_pose.about_x = 1.0
    joint.omi_physics_pose.along_z_share = 50.0
    joint.omi_physics_joint.connected_body = None
    joint.omi_physics_pose.about_y = 1.0
    assert raw(leaf) == before[leaf.name]
    assert joint.omi_physics_pose.about_y == 0.0
    assert not joint.omi_physics_pose.has_rest


def test_whole_turns_and_mirrors_stay() -> None:
    """Angles go on from where they are, past whole turns, and negative scales stay negative."""
    frame, leaf, joint = door(use_range=False)
    leaf.rotation_euler.z = 2.0 * pi
    select(leaf)
    bpy.context.view_layer.update()
    for step in range(1, 20):
        joint.omi_physics_pose.about_y = radians(20.0 * step)
    assert leaf.rotation_euler.z == pytest.approx(2.0 * pi + radians(380.0), abs=1e-4)
    mirrored = box("Mirrored", (5.0, 0.0, 0.0))
    mirrored.scale = (1.0, -2.0, 1.0)
    mirrored.rotation_mode = "QUATERNION"
    bpy.context.view_layer.update()
    bpy.context.scene.cursor.location = (4.0, 0.0, 0.0)
    other = joined("HINGE", frame, mirrored, use_range=False)
    other.omi_physics_pose.about_y = radians(40.0)
    assert tuple(mirrored.scale) == (1.0, -2.0, 1.0)
    assert other.omi_physics_pose.about_y == pytest.approx(radians(40.0), abs=1e-5)
    quaternion = Matrix.Rotation(radians(40.0), 3, "Z").to_quaternion()
    assert tuple(mirrored.rotation_quaternion) == pytest.approx(tuple(quaternion), abs=1e-6)


def test_mechanism_of_an_object() -> None:
    """A door belongs to its own joints, a wall to all that hang from it; frames count as joints."""
    wall = box("Wall")
    doors = [box(f"Door {i}", (3.0 * i + 3.0, 0.0, 0.0)) for i in range(2)]
    hinges = [joined("HINGE", wall, leaf) for leaf in doors]
    handle = box("Handle", (3.0, 1.0, 0.0))
    latch = joined("HINGE", doors[0], handle)
    scene = bpy.context.scene
    assert set(joints_around(handle, scene)) == {latch, hinges[0]}
    assert joints_around(handle, scene)[0] == latch
    assert set(joints_around(wall, scene)) == {latch, *hinges}
    partner = separated(hinges[1])
    assert joints_around(partner, scene) == [hinges[1]]
    assert joints_around(box("Loose", (0.0, 9.0, 0.0)), scene) == []
    assert joints_around(None, scene) == []


def test_loop_follows_its_crank() -> None:
    """Turning the crank of a four-bar turns the rest, and all frames stay together."""
    joints = four_bar()
    joints["crank"].omi_physics_pose.about_y = 0.5
    assert abs(joints["rocker"].omi_physics_pose.about_y) > 0.1
    for name, joint in joints.items():
        assert relative(joint).translation.length < 3e-6, name
    assert "rest-outside-limits" not in issues()


def test_drag_and_cancel() -> None:
    """A dragged finger bends within its limits; cancelling puts every number back bit by bit."""
    bodies, joints = finger()
    bodies[1].rotation_euler.z = 1e-7
    before = everything()
    drag = Drag(session_for(bodies[2], bpy.context), bodies[2], Vector((0.0, 0.0, 7.0)), 0.1)
    drag.move(Vector((4.0, 0.0, 3.5)))
    bpy.context.view_layer.update()
    tip = bodies[2].matrix_world @ Vector((0.0, 0.0, 1.0))
    assert tuple(tip) == pytest.approx((4.0, 0.0, 3.5), abs=1e-5)
    for joint in joints:
        stand = stand_of(joint)
        assert stand.low[4] - 1e-5 <= stand.values[4] <= stand.high[4] + 1e-5
    assert "Bone" in drag.story or "values" in drag.story
    drag.cancel()
    assert everything() == before
    assert not any(joint.omi_physics_pose.has_rest for joint in joints)


def test_drag_in_whole_steps() -> None:
    """With Ctrl every angle that changes is a multiple of five degrees, wherever the hand was."""
    bodies, joints = finger()
    drag = Drag(session_for(bodies[2], bpy.context), bodies[2], Vector((0.0, 0.0, 7.0)), 0.1)
    for x in (1.0, 2.0, 3.1, 4.3):
        drag.move(Vector((x, 0.0, 4.0)), snap=True)
        assert "values" in drag.story or all(
            float(part.rpartition(" ")[2].rstrip("\N{DEGREE SIGN}")) % 5.0 == 0.0
            for part in drag.story.split(", ")
        )
    bpy.context.view_layer.update()
    angles = [degrees(joint.omi_physics_pose.about_y) / 5.0 for joint in joints]
    assert any(abs(angle) > 0.5 for angle in angles)
    assert angles == pytest.approx([round(angle) for angle in angles], abs=1e-3)


def test_whole_steps_do_not_add_up() -> None:
    """However many moves it took, the steps nearest to where the hand would be are shown."""
    bodies, joints = finger()
    shown: list[list[float]] = []
    for snap in (False, True):
        drag = Drag(session_for(bodies[2], bpy.context), bodies[2], Vector((0.0, 0.0, 7.0)), 0.1)
        for step in range(1, 31):
            drag.move(Vector((0.14 * step, 0.0, 7.0 - 0.1 * step)), snap=snap)
        bpy.context.view_layer.update()
        shown.append([degrees(joint.omi_physics_pose.about_y) for joint in joints])
        drag.cancel()
    assert shown[1] == pytest.approx([5.0 * round(angle / 5.0) for angle in shown[0]], abs=1e-3)


def test_confirmed_drag_selects_and_keeps_rest() -> None:
    """After a drag the body is active, and the mechanism knows where it stood before."""
    bodies, joints = finger()
    drag = Drag(session_for(bodies[0], bpy.context), bodies[0], Vector((0.0, 0.0, 3.0)), 0.1)
    drag.move(Vector((1.0, 0.0, 2.8)))
    drag.confirm(bpy.context)
    assert bpy.context.view_layer.objects.active == bodies[0]
    assert bpy.context.selected_objects == [bodies[0]]
    assert all(joint.omi_physics_pose.has_rest for joint in joints)


def test_a_drag_whose_view_was_closed_is_put_back() -> None:
    """Blender ends the operator without an area then, and the bodies go back all the same."""
    bodies, _ = finger()
    before = everything()
    drag = Drag(session_for(bodies[0], bpy.context), bodies[0], Vector((0.0, 0.0, 3.0)), 0.1)
    drag.move(Vector((1.0, 0.0, 2.8)))
    assert bpy.context.area is None
    ended = OMI_JOINT_OT_pose_drag.end(SimpleNamespace(drag=drag), bpy.context, keep=False)
    assert ended == {"CANCELLED"}
    assert everything() == before


def test_a_drag_that_fails_is_put_back() -> None:
    """Whatever goes wrong on the way, the bodies go back, and the fault is still said."""
    bodies, _ = finger()
    before = everything()

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    steps = {name: step for name, step in vars(OMI_JOINT_OT_pose_drag).items() if callable(step)}
    operator = type("Posing", (), {**steps, "follow": fail})()
    operator.drag = Drag(session_for(bodies[0], bpy.context), bodies[0], Vector((0, 0, 3.0)), 0.1)
    operator.upright = False
    operator.drag.move(Vector((1.0, 0.0, 2.8)))
    with pytest.raises(ZeroDivisionError):
        operator.modal(bpy.context, SimpleNamespace(type="MOUSEMOVE", value="NOTHING"))
    assert everything() == before


def test_what_was_pressed_on_is_taken_hold_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender begins a drag some pixels on: the body is that where the button was pressed."""
    taken: list[tuple[float, float]] = []
    monkeypatch.setattr(posing, "take_hold", lambda _, mouse: taken.append(mouse))
    pressed = {"mouse_prev_press_x": 140, "mouse_prev_press_y": 260}
    event = SimpleNamespace(type="LEFTMOUSE", mouse_x=150, mouse_y=275, **pressed)
    context = SimpleNamespace(region=SimpleNamespace(x=100, y=50))
    begun = OMI_JOINT_OT_pose_drag.invoke(SimpleNamespace(), context, event)
    assert (begun, taken) == ({"PASS_THROUGH"}, [(40, 210)])


def test_nothing_is_posed_while_something_plays() -> None:
    """As long as objects are shown away from their rest, sliders and buttons do nothing."""
    _, leaf, joint = door()
    select(leaf)
    gone = away.leave(keep([leaf]))
    try:
        before = raw(leaf)
        joint.omi_physics_pose.about_y = 0.5
        assert raw(leaf) == before
        assert not bpy.ops.omi_joint.pose_zero.poll()
        assert not bpy.ops.omi_joint.pose_drag.poll()
    finally:
        away.come_back(gone)
    assert bpy.ops.omi_joint.pose_zero.poll()


def test_objects_without_joints_are_told_so() -> None:
    """Posing what no joint moves is refused with a sentence, not with an error."""
    select(box("Loose"))
    for name in ("pose_zero", "pose_reset", "pose_rest", "pose_key"):
        assert getattr(bpy.ops.omi_joint, name)() == {"CANCELLED"}


def test_bodies_inside_bodies_follow() -> None:
    """A body that is parented to another body keeps its own joint value when that one moves."""
    _, leaf, hinge = door()
    handle = box("Handle", (2.0, 0.5, 0.0))
    handle.parent = leaf
    handle.matrix_parent_inverse = leaf.matrix_world.inverted()
    bpy.context.view_layer.update()
    knob = joined("HINGE", leaf, handle, direction="GLOBAL_X")
    hinge.omi_physics_pose.about_y = 0.7
    assert relative(knob).translation.length < 1e-5
    assert knob.omi_physics_pose.about_y == pytest.approx(0.0, abs=1e-5)
    knob.omi_physics_pose.about_y = 0.4
    assert hinge.omi_physics_pose.about_y == pytest.approx(0.7, abs=1e-5)
    assert knob.omi_physics_pose.about_y == pytest.approx(0.4, abs=1e-5)


def test_tool_is_registered_once() -> None:
    """The tool is in the toolbar of Object Mode, and gone when the add-on is off."""
    import addon_utils
    from bl_ui.space_toolsystem_common import ToolSelectPanelHelper

    def tools() -> list[str]:
        helper = ToolSelectPanelHelper._tool_class_from_space_type("VIEW_3D")
        found = helper._tools_flatten(helper.tools_from_context(bpy.context, mode="OBJECT"))
        return [tool.idname for tool in found if tool is not None]

    assert tools().count(TOOL) == 1
    addon_utils.disable("omi_physics_joint")
    try:
        assert TOOL not in tools()
        assert not hasattr(bpy.types.Object, "omi_physics_pose")
    finally:
        addon_utils.enable("omi_physics_joint", default_set=True)
    assert tools().count(TOOL) == 1
