# SPDX-License-Identifier: GPL-3.0-or-later
"""A pose is kept, keyed, undone, and taken back to where it began."""

from __future__ import annotations

from math import cos, sin
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest
from mathutils import Vector

from omi_physics_joint.blender.posing.operators import Drag, PoseOperator
from omi_physics_joint.blender.posing.session import obstacle, session_for
from omi_physics_joint.blender.timeline import playback
from tests.blender.test_pose import finger
from tests.scenes import door, select

AXES = "xyz"


def test_zero_reset_and_rest() -> None:
    """Zero puts frames together, Reset goes back to the first pose, also after moving it all."""
    bodies, joints = finger()
    bodies[0].rotation_euler.y = 0.0
    joints[0].omi_physics_pose.about_y = 0.2
    select(bodies[0])
    assert bpy.ops.omi_joint.pose_rest() == {"FINISHED"}
    assert bpy.ops.omi_joint.pose_reset() == {"CANCELLED"}
    joints[1].omi_physics_pose.about_y = 0.9
    for obj in (bpy.data.objects["Palm"], *bodies):
        obj.location.x += 5.0
    bpy.context.view_layer.update()
    select(bodies[2])
    assert bpy.ops.omi_joint.pose_zero() == {"FINISHED"}
    assert [joint.omi_physics_pose.about_y for joint in joints] == pytest.approx([0.0] * 3)
    assert bpy.ops.omi_joint.pose_reset() == {"FINISHED"}
    values = [joint.omi_physics_pose.about_y for joint in joints]
    assert values == pytest.approx([0.2, 0.0, 0.0], abs=1e-5)
    assert not any(joint.omi_physics_pose.has_rest for joint in joints)
    assert bpy.data.objects["Palm"].location.x == 5.0


def test_rest_survives_a_file(tmp_path: Path) -> None:
    """Reset goes back also after the file was saved and opened again."""
    _, leaf, joint = door()
    joint.omi_physics_pose.about_y = 0.6
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "door.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "door.blend"))
    leaf = bpy.data.objects["Door"]
    select(leaf)
    assert leaf.rotation_euler.z == pytest.approx(0.6)
    assert bpy.ops.omi_joint.pose_reset() == {"FINISHED"}
    assert leaf.rotation_euler.z == pytest.approx(0.0, abs=1e-6)


def test_undo_of_a_pose() -> None:
    """One step of undo takes a pose back, with what is known of its rest."""
    _, leaf, joint = door()
    joint.omi_physics_pose.about_y = 0.6
    select(leaf)
    bpy.ops.ed.undo_push(message="ajar")
    bpy.ops.omi_joint.pose_zero()
    bpy.ops.ed.undo_push(message="zero")
    bpy.ops.ed.undo()
    leaf, joint = bpy.data.objects["Door"], bpy.data.objects["Door Hinge"]
    assert leaf.rotation_euler.z == pytest.approx(0.6)
    assert joint.omi_physics_pose.about_y == pytest.approx(0.6, abs=1e-5)
    assert joint.omi_physics_pose.has_rest


def curves(obj: bpy.types.Object) -> set[str]:
    """Return the paths that an object's action animates."""
    data = obj.animation_data
    if data is None or data.action is None:
        return set()
    (layer,) = data.action.layers
    bags = [bag for strip in layer.strips for bag in strip.channelbags]
    return {curve.data_path for bag in bags for curve in bag.fcurves}


def test_key_pose() -> None:
    """Key Pose keys place and rotation, in the property of the rotation mode, of what may move."""
    bodies, joints = finger(2)
    bodies[1].rotation_mode = "QUATERNION"
    joints[0].omi_physics_pose.about_y = 0.3
    assert curves(bodies[0]) == set()
    select(bodies[0])
    assert bpy.ops.omi_joint.pose_key() == {"FINISHED"}
    assert curves(bodies[0]) == {"location", "rotation_euler"}
    assert curves(bodies[1]) == {"location", "rotation_quaternion"}
    assert curves(bpy.data.objects["Palm"]) == set()


def test_recording_keys_what_moved() -> None:
    """With automatic keying on, a slider keys the bodies that it moves and no others."""
    bodies, joints = finger(2)
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    try:
        joints[1].omi_physics_pose.about_y = 0.3
    finally:
        bpy.context.scene.tool_settings.use_keyframe_insert_auto = False
    assert curves(bodies[1]) == {"location", "rotation_euler"}
    assert curves(bodies[0]) == set()


@pytest.mark.parametrize("press", ["pose_zero", "pose_reset"])
def test_recording_keys_what_a_button_poses(press: str) -> None:
    """With automatic keying on, Zero Pose and Reset Pose key the bodies that they move."""
    bodies, joints = finger(2)
    joints[1].omi_physics_pose.about_y = 0.3
    bodies[1].animation_data_clear()
    select(bodies[1])
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    try:
        assert getattr(bpy.ops.omi_joint, press)() == {"FINISHED"}
    finally:
        bpy.context.scene.tool_settings.use_keyframe_insert_auto = False
    assert curves(bodies[1]) == {"location", "rotation_euler"}


def test_recording_keys_a_drag_when_it_ends() -> None:
    """With automatic keying on, a drag keys what moved once it is let go."""
    bodies, _ = finger(2)
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    try:
        drag = Drag(session_for(bodies[0], bpy.context), bodies[0], Vector((0.0, 0.0, 3.0)), 0.1)
        drag.move(Vector((1.0, 0.0, 2.8)))
        assert curves(bodies[0]) == set()
        drag.confirm(bpy.context)
    finally:
        bpy.context.scene.tool_settings.use_keyframe_insert_auto = False
    assert curves(bodies[0]) == curves(bodies[1]) == {"location", "rotation_euler"}


def test_pose_and_simulation() -> None:
    """A simulation is posed at its first frame only, and a pose outdates it and stays."""
    _, leaf, joint = door()
    select(leaf)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 5
    assert bpy.ops.omi_joint.simulate() == {"FINISHED"}
    scene.frame_set(4)
    before = tuple(leaf.rotation_euler)
    joint.omi_physics_pose.about_y = 0.5
    assert tuple(leaf.rotation_euler) == before
    assert not bpy.ops.omi_joint.pose_zero.poll()
    assert obstacle(scene) == "Go to frame 1, where the simulation begins, to pose"
    assert bpy.ops.omi_joint.go_to_rest() == {"FINISHED"}
    assert scene.frame_current == 1
    joint.omi_physics_pose.about_y = 0.5
    scene.frame_set(3)
    assert leaf.rotation_euler.z == pytest.approx(0.5)
    assert obstacle(scene) == ""


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_posed_quaternion_keeps_its_sign(sign: float) -> None:
    """A quaternion and its negative are one rotation, but keys between them would whirl around."""
    _, leaf, joint = door()
    leaf.rotation_mode = "QUATERNION"
    leaf.rotation_quaternion = (sign, 0.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    for value in (0.3, 1.2, 0.1):
        joint.omi_physics_pose.about_y = value
        expected = (sign * cos(value / 2.0), 0.0, 0.0, sign * sin(value / 2.0))
        assert tuple(leaf.rotation_quaternion) == pytest.approx(expected, abs=1e-5)


def test_nothing_is_posed_while_motion_is_simulated() -> None:
    """While a simulation samples the scene, what is asked for would be simulated as well."""
    _, leaf, joint = door()
    select(leaf)
    with playback.paused():
        assert (
            obstacle(bpy.context.scene) == "Wait for the simulation to end, or press Esc, to pose"
        )
        assert not bpy.ops.omi_joint.pose_zero.poll()
        joint.omi_physics_pose.about_y = 0.5
        assert tuple(leaf.rotation_euler) == (0.0, 0.0, 0.0)
    assert obstacle(bpy.context.scene) == ""
    joint.omi_physics_pose.about_y = 0.5
    assert leaf.rotation_euler.z == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("system", "scale", "told"),
    [("METRIC", 1.0, "0.1 m"), ("METRIC", 0.01, "0.001 m"), ("NONE", 1.0, "0.1")],
)
def test_how_far_loops_stay_open_is_a_length(system: str, scale: float, told: str) -> None:
    """In the units of the scene; where all is reached nothing is said."""
    units = bpy.context.scene.unit_settings
    units.system, units.scale_length = system, scale
    said: list[str] = []
    operator = SimpleNamespace(report=lambda _, text: said.append(text))
    for reached, expected in ((False, [f"Loops stay open by {told}"]), (True, [])):
        last = SimpleNamespace(reached=reached, gap=0.1)
        session = SimpleNamespace(
            write=lambda: None, moved=[], last=last, moving=SimpleNamespace(issues=()), linked=[]
        )
        said.clear()
        assert PoseOperator.settle(operator, bpy.context, session) == {"FINISHED"}
        assert said == expected
