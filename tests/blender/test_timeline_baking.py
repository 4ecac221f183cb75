# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated motion becomes keyframes that show and export the same, without needless keys."""

from __future__ import annotations

from math import pi
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from mathutils import Quaternion

from omi_physics_joint.blender.timeline.baking import needed
from omi_physics_joint.blender.timeline.cache.motion import rotation_of, values_after
from omi_physics_joint.blender.timeline.operators import OMI_JOINT_OT_bake
from omi_physics_joint.gltf.animated.animation import moving_poses, read_tracks
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP
from omi_physics_joint.model.geometry.transform import difference
from tests.blender.test_timeline import LAST, falling_door, simulate, truth
from tests.blender.test_timeline_motion import tied
from tests.omi_export import issues as told
from tests.scenes import box, door, issues, joined, numbers


def curves_of(obj: bpy.types.Object) -> list[bpy.types.FCurve]:
    """Return the curves that an object follows."""
    data = obj.animation_data
    if data is None or data.action is None:
        return []
    bag = data.action.layers[0].strips[0].channelbag(data.action_slot)
    return list(bag.fcurves)


def spinning(mode: str, spin: tuple[float, float, float] = (9.0, 4.0, -7.0)) -> bpy.types.Object:
    """Return a body that tumbles through all angles, held by nothing."""
    obj = box("Tumbler", (0.0, 0.0, 0.0))
    obj.rotation_mode = mode
    body = obj.omi_physics_body
    body.is_body, body.type, body.angular_velocity = True, "dynamic", spin
    body.inertia_diagonal = (1.0, 1.7, 2.6)
    tied(obj)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 60
    scene.frame_set(1)
    return obj


def test_baked_keys_are_told_apart_from_those_of_the_user() -> None:
    """A hint says what a file makes of them; keys of the user are a warning, as ever."""
    falling_door()
    simulate()
    assert bpy.ops.omi_joint.bake() == {"FINISHED"}
    assert issues()["dynamic-baked"] == "hint"
    assert "dynamic-animated" not in issues()
    leaf = bpy.data.objects["Door"]
    leaf.animation_data.action = None
    leaf.keyframe_insert("location", frame=1)
    assert issues()["dynamic-animated"] == "warning"
    assert "dynamic-baked" not in issues()


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "QUATERNION", "AXIS_ANGLE"])
def test_baked_keys_show_what_the_cache_showed(mode: str) -> None:
    """Each frame has the same matrix before and after, in every rotation mode, and no jump."""
    obj = spinning(mode)
    simulate()
    scene = bpy.context.scene
    shown = {}
    for frame in range(1, 61):
        scene.frame_set(frame)
        shown[frame] = numbers(obj.matrix_world)
    assert bpy.ops.omi_joint.bake() == {"FINISHED"}
    assert scene.omi_physics_timeline.cache is None
    for frame in range(1, 61):
        scene.frame_set(frame)
        assert numbers(obj.matrix_world) == pytest.approx(shown[frame], abs=1e-5)
    curves = [curve for curve in curves_of(obj) if curve.data_path != "location"]
    values = np.array([[curve.evaluate(frame) for frame in range(1, 61)] for curve in curves])
    assert np.abs(np.diff(values)).max() < (0.5 if mode == "QUATERNION" else 1.8)
    if mode == "XYZ":
        assert np.ptp(values, axis=1).max() > 2.0 * pi


def test_the_value_of_a_joint_goes_on_past_half_a_turn() -> None:
    """Its keys follow a wheel turn by turn, and never leap by a whole one."""
    wheel = box("Wheel", (2.0, 0.0, 0.0))
    hinge = joined("HINGE", box("Frame"), wheel, direction="GLOBAL_Z")
    limits = hinge.omi_physics_joint.settings.limits
    limits.remove(next(index for index, one in enumerate(limits) if sum(one.axes) == 1))
    wheel.omi_physics_body.angular_velocity = (0.0, 0.0, 9.0)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 60
    simulate()
    bpy.ops.omi_joint.bake()
    curves = [one for one in curves_of(hinge) if one.data_path.endswith("connected_rotation")]
    values = np.array([[curve.evaluate(frame) for frame in range(1, 61)] for curve in curves])
    assert np.abs(np.diff(values)).max() < 1.0
    assert np.ptp(values, axis=1).max() > 2.5 * pi


@pytest.mark.parametrize("mode", ["XYZ", "YXZ", "QUATERNION", "AXIS_ANGLE"])
def test_numbers_after_others_are_the_same_rotation(mode: str) -> None:
    """The numbers nearest to those before stand for the rotation that was asked for."""
    random = np.random.default_rng(3)
    before = (1.0, 0.0, 0.0, 0.0) if mode == "QUATERNION" else (0.0,) * 3
    before = (0.0, 0.0, 1.0, 0.0) if mode == "AXIS_ANGLE" else before
    turn = Quaternion()
    for _ in range(500):
        step = Quaternion(random.normal(size=3), float(random.uniform(0.0, 0.6)))
        turn = (step @ turn).normalized()
        before = values_after(mode, turn, before)
        again = rotation_of(mode, before)
        assert abs(again.dot(turn)) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("angle", [2e-5, 3e-4, -3e-4, 0.01])
@pytest.mark.parametrize("before", [(0.0, 0.0, 1.0, 0.0), (0.0, 1.0, 2.0, -2.0)])
def test_axis_and_angle_keep_the_least_turn(angle: float, before: tuple[float, ...]) -> None:
    """As a body begins to move that is shown so, from whatever axis its rest has."""
    turn = Quaternion((1.0, -2.0, 0.5), angle)
    again = rotation_of("AXIS_ANGLE", values_after("AXIS_ANGLE", turn, before))
    assert tuple(again)[1:] == pytest.approx(tuple(turn)[1:], rel=1e-3, abs=1e-8)


def test_still_body_and_still_curves_get_no_keys() -> None:
    """A sliding drawer is keyed along its axis alone, and a body that hangs still not at all."""
    drawer = spinning("XYZ", (0.0, 0.0, 0.0))
    hanging = box("Hanging", (5.0, 0.0, 0.0))
    body = hanging.omi_physics_body
    body.is_body, body.type, body.gravity_factor = True, "dynamic", 0.0
    tied(hanging)
    simulate()
    assert bpy.ops.omi_joint.bake() == {"FINISHED"}
    assert [(curve.data_path, curve.array_index) for curve in curves_of(drawer)] == [
        ("location", 2)
    ]
    assert hanging.animation_data is None


def test_without_clean_up_every_frame_is_keyed() -> None:
    """All curves of all bodies have all frames."""
    obj = spinning("XYZ", (0.0, 0.0, 0.0))
    simulate()
    bpy.ops.omi_joint.bake(clean=False)
    assert [len(curve.keyframe_points) for curve in curves_of(obj)] == [60] * 6


def test_runs_of_equal_values_keep_their_ends() -> None:
    """What stands for a while has a key where it stops and one where it goes on."""
    values = np.array([0, 0, 0, 1, 2, 2, 2, 2, 3, 3], dtype=np.float32)
    kept = [int(k) for k in np.flatnonzero(needed(values, 0.0, 1e-5))]
    assert kept == [0, 2, 3, 4, 7, 8, 9]
    flat = np.full(5, 2.0, dtype=np.float32)
    assert not needed(flat, 2.0, 1e-5).any()
    assert [int(k) for k in np.flatnonzero(needed(flat, 0.0, 1e-5))] == [0]


def test_steps_and_interpolation() -> None:
    """Every fifth frame and the last one get keys of the chosen interpolation."""
    obj = falling_door()
    simulate()
    bpy.ops.omi_joint.bake(step=5, interpolation="BEZIER", clean=False)
    for curve in curves_of(obj):
        assert [point.co.x for point in curve.keyframe_points] == [1, 6, 11, 16, 20]
        assert {point.interpolation for point in curve.keyframe_points} == {"BEZIER"}
        if bpy.app.version >= (5, 0, 0):  # where Blender's own keys lie
            assert curve.group.name == "Object Transforms"
        assert {point.handle_left_type for point in curve.keyframe_points} == {"AUTO_CLAMPED"}


def test_keys_outside_the_range_and_of_other_properties_stay() -> None:
    """An action that was there keeps what is not baked."""
    obj = falling_door()
    obj.scale = (1.0, 1.0, 2.0)
    simulate()
    obj.keyframe_insert("scale", frame=3)
    bpy.context.scene.frame_set(1)
    bpy.ops.omi_joint.simulate()
    bpy.ops.omi_joint.bake(use_all=False, frame_start=5, frame_end=10)
    action = obj.animation_data.action
    assert "scale" in {curve.data_path for curve in curves_of(obj)}
    bpy.ops.omi_joint.simulate()
    bpy.ops.omi_joint.bake(use_all=False, frame_start=8, frame_end=15)
    assert obj.animation_data.action == action
    moving = [c for c in curves_of(obj) if c.data_path == "location" and c.array_index == 2]
    assert [point.co.x for point in moving[0].keyframe_points] == list(range(5, 16))
    bpy.ops.omi_joint.simulate()
    bpy.ops.omi_joint.bake(use_all=False, frame_start=3, frame_end=5)
    assert [point.co.x for point in moving[0].keyframe_points] == list(range(3, 16))


def test_keys_at_both_ends_of_a_range_are_those_of_the_last_bake() -> None:
    """A motion under another gravity is keyed over an older one."""
    obj = falling_door()
    shown = []
    for gravity in (-9.81, -3.0):
        bpy.context.scene.gravity.z = gravity
        bpy.context.scene.frame_set(1)
        simulate()
        for frame in (5, 10):
            bpy.context.scene.frame_set(frame)
            shown.append(obj.location.z)
        bpy.ops.omi_joint.bake(use_all=False, frame_start=5, frame_end=10)
    curve = next(c for c in curves_of(obj) if c.data_path == "location" and c.array_index == 2)
    assert [curve.evaluate(frame) for frame in (5, 10)] == pytest.approx(shown[2:], abs=1e-5)
    assert abs(shown[0] - shown[2]) > 1e-3


def test_a_body_with_a_linked_action_is_refused_before_anything_changes(tmp_path: Path) -> None:
    """Its keys would go into another file."""
    obj = falling_door()
    action = bpy.data.actions.new("Shared")
    bpy.data.libraries.write(str(tmp_path / "shared.blend"), {action})
    bpy.data.actions.remove(action)
    with bpy.data.libraries.load(str(tmp_path / "shared.blend"), link=True) as (_, wanted):
        wanted.actions = ["Shared"]
    obj.animation_data_create().action = wanted.actions[0]
    simulate()
    with pytest.raises(RuntimeError, match="Door is linked from another file: make it local"):
        bpy.ops.omi_joint.bake()
    assert bpy.context.scene.omi_physics_timeline.cache is not None


def test_bake_is_refused_with_a_reason() -> None:
    """Without motion, or with motion that is not right any more, no key is made."""
    falling_door()
    assert not bpy.ops.omi_joint.bake.poll()
    simulate()
    with pytest.raises(RuntimeError, match="not simulated"):
        bpy.ops.omi_joint.bake(use_all=False, frame_start=500, frame_end=600)
    bpy.context.scene.gravity.z = -1.0
    with pytest.raises(RuntimeError, match="no valid motion"):
        bpy.ops.omi_joint.bake()


def test_bake_undoes_in_one_step() -> None:
    """One undo brings the cache back and takes the keys away."""
    falling_door()
    bpy.ops.ed.undo_push(message="door")
    simulate()
    bpy.ops.ed.undo_push(message="simulated")
    bpy.ops.omi_joint.bake()
    bpy.ops.ed.undo_push(message="baked")
    assert bpy.data.objects["Door"].animation_data is not None
    bpy.ops.ed.undo()
    assert bpy.data.objects["Door"].animation_data is None
    bpy.context.scene.frame_set(LAST)
    assert bpy.data.objects["Door"].location.z < -0.5


def test_exported_animation_is_what_the_solver_found(tmp_path: Path) -> None:
    """Baked and exported, the door in the file is within 1e-4 of the solver in every frame."""
    falling_door()
    expected = truth(LAST)
    simulate()
    bpy.ops.omi_joint.bake()
    path = tmp_path / "door.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    document = load(path)
    mechanism = read(document.json).mechanism
    tracks, issues = read_tracks(document)
    assert not issues
    index = next(i for i, node in enumerate(mechanism.nodes) if node.name == "Door")
    rate = bpy.context.scene.render.fps
    start = min(min(track.times) for track in _tracks(tracks))
    times = [start + frame / rate for frame in range(LAST)]
    worlds = moving_poses(mechanism, tracks, index, times)
    for world, truth_now in zip(worlds, expected, strict=True):
        there = Y_UP_FROM_Z_UP.matrix(tuple(map(tuple, truth_now[0])))
        assert difference(world, there) < 1e-4


def _tracks(tracks: object) -> list:
    """Return all tracks of a document."""
    return [track for node in tracks.values() for track in node.values()]


def test_export_without_bake_is_the_rest_pose(tmp_path: Path) -> None:
    """A cache is no animation: the file has the rest pose, and the cached pose is shown after."""
    leaf = falling_door()
    rest = leaf.location.copy()
    simulate()
    scene = bpy.context.scene
    scene.frame_set(15)
    there = leaf.location.copy()
    path = tmp_path / "door.gltf"
    for current in (False, True):
        bpy.ops.export_scene.gltf(
            filepath=str(path), export_format="GLTF_SEPARATE", export_current_frame=current
        )
        document = load(path)
        assert "animations" not in document.json
        node = next(n for n in document.json["nodes"] if n["name"] == "Door")
        assert node["translation"] == pytest.approx([rest.x, rest.z, -rest.y])
        assert leaf.location == there


def test_what_stands_still_gets_no_keys_and_that_is_said(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Nothing to bake is a warning that says how to get keys, not a success of no keys."""
    door()
    bpy.context.scene.frame_end = 20
    simulate()
    assert bpy.ops.omi_joint.bake() == {"FINISHED"}
    assert "Nothing moves in these frames: no keys were made" in capfd.readouterr().out


def test_the_dialog_offers_the_frames_that_are_simulated() -> None:
    """What Bake asks for begins with the frames of the cache, whatever the scene has by now."""
    falling_door()
    simulate()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 4, 90
    asked = SimpleNamespace(properties=SimpleNamespace(is_property_set=lambda _: False))
    manager = SimpleNamespace(invoke_props_dialog=lambda _: {"RUNNING_MODAL"})
    context = SimpleNamespace(scene=scene, window_manager=manager)
    event = SimpleNamespace(type="LEFTMOUSE")
    assert OMI_JOINT_OT_bake.invoke(asked, context, event) == {"RUNNING_MODAL"}
    assert (asked.frame_start, asked.frame_end) == (1, LAST)


def follower(kind: str) -> bpy.types.Object:
    """Return what follows a baked leaf: an object, or a bone of a rig."""
    _, leaf, _ = door(direction="GLOBAL_Y", use_range=False)
    for time, angle in ((1, 0.0), (LAST, 1.0)):
        leaf.rotation_euler.y = angle
        leaf.keyframe_insert("rotation_euler", frame=time)
    if kind == "object":
        found = owner = box("Follower")
    else:
        bpy.ops.object.armature_add()
        found = bpy.context.object
        owner, found.name = found.pose.bones[0], "Follower"
    owner.constraints.new("COPY_TRANSFORMS").target = leaf
    bpy.context.scene.frame_end = LAST
    return found


@pytest.mark.parametrize("kind", ["object", "bone"])
def test_what_follows_a_baked_body_is_named_where_the_file_has_it_stand(
    kind: str, tmp_path: Path
) -> None:
    """Until it has keys too; the mode Scene has all, and without Animation forces move the body."""
    found = follower(kind)
    path = str(tmp_path / "x.gltf")
    ways = ({}, {"export_animations": False}, {"export_animation_mode": "SCENE"})
    for way, is_told in zip(ways, (True, True, False), strict=True):
        bpy.ops.export_scene.gltf(filepath=path, export_anim_scene_split_object=False, **way)
        assert ("body-not-led" in told()) is is_told
    owner = found if kind == "object" else found.pose.bones[0]
    owner.keyframe_insert("location", frame=1)
    owner.keyframe_insert("location", frame=LAST)
    bpy.ops.export_scene.gltf(filepath=path)
    assert "body-not-led" not in told()
