# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated settings of joints leave as channels of KHR_animation_pointer and come back as keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from omi_export import connect, errors, export, import_file, two_bodies

from omi_physics_joint.blender.bridge.animation import curves_of
from omi_physics_joint.blender.bridge.keyed import Samples, insert_keys
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_settings import settings_from_block
from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.check.diagnosis import diagnose_scene
from omi_physics_joint.gltf.animated.keyed import read_channels
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.keys import Keys

FRAMES = (1, 13, 25)
OMI = "/extensions/OMI_physics_joint/physicsJoints"
KHR = "/extensions/KHR_physics_rigid_bodies/physicsJoints"
COLLIDE = (
    "/nodes/{}/extensions/OMI_physics_joint/enableCollision",
    "/nodes/{}/extensions/KHR_physics_rigid_bodies/joint/enableCollision",
)

Numbers = dict[str, tuple[float, ...]]


def key(item: Any, name: str, values: tuple[float, ...], kind: str = "LINEAR") -> None:
    """Key a number or a switch at three frames."""
    for frame, value in zip(FRAMES, values, strict=True):
        setattr(item, name, value)
        item.keyframe_insert(name, frame=frame)
    owner = item.id_data.animation_data
    for curve in owner.action.layers[0].strips[0].channelbag(owner.action_slot).fcurves:
        for point in curve.keyframe_points:
            point.interpolation = kind


def joined(*limits: Limit, drives: tuple[Drive, ...] = ()) -> bpy.types.Object:
    """Return a joint of two bodies with these limits and drives."""
    _, _, joint = two_bodies()
    settings = JointSettings("Kept", limits, drives)
    bpy.data.node_groups.remove(joint.omi_physics_joint.settings)
    joint.omi_physics_joint.settings = new_settings(settings)
    bpy.context.view_layer.update()
    return joint


def channels_of(path: Path) -> dict[str, Keys]:
    """Return what the animations of a file do with joints, by pointer: switches go in steps."""
    found, issues = read_channels(load(path))
    assert not issues
    for pointer, keys in found.items():
        assert keys.is_stepped == pointer.endswith("/enableCollision")
    return found


def now(joint: bpy.types.Object, frame: int) -> tuple[Any, ...]:
    """Return the limits and drives of a joint at a frame, without their keys."""
    bpy.context.scene.frame_set(frame)
    settings = settings_from_block(joint.omi_physics_joint.settings)
    limits = {
        (limit.linear_axes and (0, *limit.linear_axes)) or (1, *limit.angular_axes): (
            limit.min,
            limit.max,
            limit.stiffness,
            limit.damping,
        )
        for limit in settings.limits
    }
    return limits, settings.drives


def again(path: Path, **options: object) -> bpy.types.Object:
    """Export, import, and return the joint."""
    export(path, **options)
    assert not errors()
    found = import_file(path)
    assert "animation-not-read" not in found
    return next(obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("freedom", list(Freedom))
@pytest.mark.parametrize("dialect", ["BOTH", "OMI", "KHR"])
def test_keyed_bounds_are_the_same_afterwards(
    dialect: str, freedom: Freedom, axis: int, tmp_path: Path
) -> None:
    """On every axis, turned or along, bounds go frame by frame as they went before."""
    axes: dict[str, Any] = {f"{freedom.value}_axes": (axis,)}
    joint = joined(Limit(**axes, min=-0.25, max=1.0, stiffness=500.0))
    limit = joint.omi_physics_joint.settings.limits[0]
    key(limit, f"{freedom.value}_max", (0.5, 1.0, 0.25))
    key(limit, f"{freedom.value}_min", (-0.5, 0.0, -1.0))
    key(limit, "stiffness", (100.0, 200.0, 400.0))
    bpy.context.scene.omi_physics_joint.dialect = dialect
    before = {frame: now(joint, frame) for frame in range(1, 26)}
    joint = again(tmp_path / "keyed.glb")
    for frame, (limits, _) in before.items():
        after, _ = now(joint, frame)
        assert after.keys() == limits.keys()
        for axes_of, numbers in limits.items():
            assert after[axes_of] == pytest.approx(numbers, rel=1e-5, abs=1e-6), frame


def test_pointers_lead_to_the_numbers_of_both_dialects(tmp_path: Path) -> None:
    """A bound on Blender's Y and Z is two limits of the file: Z is Y, and Y is Z turned round."""
    joint = joined(
        Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
        Limit(angular_axes=(1, 2), min=-0.25, max=1.0),
    )
    key(joint.omi_physics_joint.settings.limits[1], "angular_max", (0.5, 1.5, 1.0))
    gltf = export(tmp_path / "keyed.glb")
    assert "KHR_animation_pointer" in gltf["extensionsUsed"]
    found = channels_of(tmp_path / "keyed.glb")
    joints = gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]
    limits = joints[0]["limits"]
    y = limits.index({"angularAxes": [1], "min": -0.25, "max": limits[1]["max"]})
    z = next(i for i, limit in enumerate(limits) if limit.get("angularAxes") == [2])
    assert found.keys() == {
        f"{dialect}/0/limits/{place}"
        for dialect in (OMI, KHR)
        for place in (f"{y}/max", f"{z}/min")
    }
    for dialect in (OMI, KHR):
        upper, lower = found[f"{dialect}/0/limits/{y}/max"], found[f"{dialect}/0/limits/{z}/min"]
        for frame, bound in zip(FRAMES, (0.5, 1.5, 1.0), strict=True):
            assert upper.at(frame / 24.0) == pytest.approx(bound)
            assert lower.at(frame / 24.0) == pytest.approx(-bound)
    assert len(upper.times) == 25


def test_bound_that_is_closed_at_first_is_no_lock_with_others(tmp_path: Path) -> None:
    """A bound that opens later shares no limit with what stays fixed, and nothing is dropped."""
    joint = joined(
        Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
        Limit(angular_axes=(0, 1), min=0.0, max=0.0),
        Limit(angular_axes=(2,), min=0.0, max=0.0),
    )
    key(joint.omi_physics_joint.settings.limits[2], "angular_max", (0.0, 1.0, 2.0))
    joint = again(tmp_path / "closed.glb")
    limits, _ = now(joint, 25)
    assert limits[1, 2] == pytest.approx((0.0, 2.0, inf, 0.0))
    assert limits[1, 0, 1] == (0.0, 0.0, inf, 0.0)


def test_keyed_drives_are_the_same_afterwards(tmp_path: Path) -> None:
    """Targets, strengths and the greatest force; targets about Y turn their sign on the way."""
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, 5.0, 0.5, 1.0, 20.0, 2.0)
    joint = joined(drives=(drive,))
    item = joint.omi_physics_joint.settings.drives[0]
    key(item, "angular_position_target", (0.5, -1.0, 1.0))
    key(item, "angular_velocity_target", (1.0, -2.0, 3.0))
    key(item, "max_force", (1.0, 2.0, 3.0))
    key(item, "stiffness", (0.0, 10.0, 20.0))
    key(item, "damping", (0.0, 1.0, 2.0))
    before = {frame: now(joint, frame)[1][0] for frame in (1, 7, 13, 25)}
    joint = again(tmp_path / "drive.glb")
    for frame, one in before.items():
        after = now(joint, frame)[1][0]
        names = ("position_target", "velocity_target", "max_force", "stiffness", "damping")
        for name in names:
            assert getattr(after, name) == pytest.approx(getattr(one, name), abs=1e-6), (
                frame,
                name,
            )


def test_keyed_collision_is_a_switch(tmp_path: Path) -> None:
    """It is written in steps, for both dialects, and is keyed in steps again."""
    joint = joined(Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0))
    key(joint.omi_physics_joint, "enable_collision", (False, True, False), "CONSTANT")
    gltf = export(tmp_path / "collide.glb")
    at = next(i for i, n in enumerate(gltf["nodes"]) if n["name"] == "Weld")
    assert channels_of(tmp_path / "collide.glb").keys() == {one.format(at) for one in COLLIDE}
    joint = again(tmp_path / "again.glb")
    states = []
    for frame in (1, 12, 13, 24, 25):
        bpy.context.scene.frame_set(frame)
        states.append(joint.omi_physics_joint.enable_collision)
    assert states == [False, False, True, True, False]


def test_equal_settings_stay_apart_where_one_is_animated(tmp_path: Path) -> None:
    """The joint beside it stays as it is."""
    first, second, joint = two_bodies()
    other = connect(second, first, name="Other")
    for one in (joint, other):
        one.omi_physics_joint.settings.name = "Same"
    key(joint.omi_physics_joint.settings.limits[0], "linear_max", (0.0, 0.5, 1.0))
    bpy.context.scene.frame_set(0)
    gltf = export(tmp_path / "two.glb")
    assert len(gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]) == 2
    import_file(tmp_path / "two.glb")
    bpy.context.scene.frame_set(25)
    highest = {
        name: max(item.linear_max for item in joint_settings(name).limits)
        for name in ("Weld", "Other")
    }
    assert highest == {"Weld": pytest.approx(1.0), "Other": 0.0}


def joint_settings(name: str) -> Any:
    """Return the settings block of a joint."""
    return bpy.data.objects[name].omi_physics_joint.settings


def test_options_of_the_exporter_count(tmp_path: Path) -> None:
    """Without animations none is written; the range of the scene and the rate of samples hold."""
    joint = joined(Limit(angular_axes=(2,), min=0.0, max=1.0))
    key(joint.omi_physics_joint.settings.limits[0], "angular_max", (0.5, 1.0, 0.25))
    still = export(tmp_path / "still.glb", export_animations=False)
    assert "animations" not in still
    assert "KHR_animation_pointer" not in still["extensionsUsed"]
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 5, 15
    export(tmp_path / "cut.glb", export_frame_range=True, export_frame_step=5)
    found = channels_of(tmp_path / "cut.glb")
    (times,) = {keys.times for keys in found.values()}
    assert times == pytest.approx([frame / 24.0 for frame in (5, 10, 15)])
    for mode in ("SCENE", "NLA_TRACKS", "ACTIVE_ACTIONS"):
        scene["glTF2ExportSettings"] = {}
        export(tmp_path / f"{mode}.glb", export_animation_mode=mode)
        assert channels_of(tmp_path / f"{mode}.glb"), mode
        assert scene.frame_current == 1


def test_keys_between_frames_are_within_what_is_sampled(tmp_path: Path) -> None:
    """Frames go on to the one after the last key, and begin with the one before the first."""
    joint = joined(Limit(angular_axes=(2,), min=0.0, max=1.0))
    limit = joint.omi_physics_joint.settings.limits[0]
    for frame, limit.angular_max in ((1.5, 0.5), (24.5, 1.0)):
        limit.keyframe_insert("angular_max", frame=frame)
    export(tmp_path / "between.glb")
    found = channels_of(tmp_path / "between.glb")
    assert found
    for keys in found.values():
        assert keys.times == pytest.approx([frame / 24.0 for frame in range(1, 26)])
        assert keys.values[-1] == pytest.approx(1.0)


@pytest.mark.parametrize(("negative", "first"), [("SLIDE", -8), ("CROP", 0)])
def test_frames_below_zero_are_those_of_the_bodies(
    negative: str, first: int, tmp_path: Path
) -> None:
    """The exporter cuts them off or moves them to the start, of bodies and joints alike."""
    joint = joined(Limit(angular_axes=(2,), min=0.0, max=1.0))
    limit = joint.omi_physics_joint.settings.limits[0]
    for item, name in ((limit, "angular_max"), (joint.parent, "location")):
        for frame, value in ((-8, 0.5), (12, 1.0)):
            setattr(item, name, value if name == "angular_max" else (value, 0.0, 0.0))
            item.keyframe_insert(name, frame=frame)
    bpy.context.scene.frame_start = -8
    path = tmp_path / "cut.glb"
    gltf = export(path, export_negative_frame=negative, export_force_sampling=True)
    samplers = [one for animation in gltf["animations"] for one in animation["samplers"]]
    ends = [gltf["accessors"][one["input"]] for one in samplers]
    assert {(*end["min"], *end["max"]) for end in ends} == {(0.0, ends[0]["max"][0])}
    for keys in channels_of(path).values():
        assert keys.times == pytest.approx([frame / 24.0 for frame in range(13 - first)])


@pytest.mark.parametrize("slides", [False, True])
def test_settings_keep_step_with_objects_at_any_rate(slides: bool, tmp_path: Path) -> None:
    """In a file their times are the same, as the exporter counts seconds, and where it begins."""
    joint = joined(Limit(angular_axes=(2,), min=-0.25, max=1.0))
    key(joint.omi_physics_joint.settings.limits[0], "angular_max", (0.5, 1.0, 0.25))
    key(joint.parent, "location", ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0)))
    bpy.context.scene.render.fps_base = 1.25
    gltf = export(tmp_path / "keyed.glb", export_anim_slide_to_zero=slides)
    inputs = [s["input"] for one in gltf["animations"] for s in one["samplers"]]
    times = {(*one["min"], *one["max"]) for one in map(gltf["accessors"].__getitem__, inputs)}
    assert (len(gltf["animations"]), len(times)) == (2, 1)
    assert min(times)[0] == pytest.approx(0.0 if slides else 1.0 / (24.0 * 1.25))


@pytest.mark.parametrize("is_stepped", [False, True])
@pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 23.976])
def test_keys_stand_on_the_frames_that_they_came_from(fps: float, is_stepped: bool) -> None:
    """A file has them in seconds of single precision; what lies between frames stays there."""
    frames = [0.0, *(float(frame) for frame in range(1, 300)), 500.25]
    times = tuple(np.array([frame / fps for frame in frames], np.float32).tolist())
    keys = Keys("max", times, tuple(0.5 + 0.001 * time for time in times), is_stepped)
    turning = Limit(angular_axes=(2,), min=0.0, max=1.0, keys=(keys,))
    block = joined(replace(turning, keys=())).omi_physics_joint.settings
    insert_keys(block, JointSettings("Kept", (turning,)), fps)
    owner = block.animation_data
    (curve,) = curves_of(owner.action, owner.action_slot)
    assert [point.co.x for point in curve.keyframe_points][:-1] == frames[:-1]
    assert curve.keyframe_points[-1].co.x == pytest.approx(500.25, abs=1e-3)
    between = 0.5 + 0.001 * (299.0 if is_stepped else 400.0) / fps
    assert curve.evaluate(400.0) == pytest.approx(between)
    assert block.limits[0].angular_max == 1.0


def test_what_no_file_can_hold_is_named(tmp_path: Path) -> None:
    """Animated axes, kinds and switches are errors, as before; numbers are none."""
    joint = joined(Limit(angular_axes=(2,), min=0.0, max=1.0))
    block = joint.omi_physics_joint.settings
    block.limits[0].keyframe_insert("angular_max", frame=1)
    export(tmp_path / "fine.glb")
    assert not errors()
    block.limits[0].keyframe_insert("axes", frame=1)
    export(tmp_path / "axes.glb")
    assert errors() == {"keyed-physics": ["Weld: Kept"]}


def test_sampling_leaves_what_was_not_keyed(tmp_path: Path) -> None:
    """A value that the user changed without a key is there after the export."""
    joint = joined(Limit(angular_axes=(2,), min=0.0, max=1.0))
    limit = joint.omi_physics_joint.settings.limits[0]
    key(limit, "angular_max", (0.5, 1.0, 0.25))
    bpy.context.scene.frame_set(1)
    limit.angular_max = 0.75
    export(tmp_path / "keyed.glb", export_current_frame=True)
    assert limit.angular_max == pytest.approx(0.75)
    assert bpy.context.scene.frame_current == 1


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
def test_the_khronos_validator_finds_nothing(
    suffix: str, tmp_path: Path, khronos_validate: Callable[..., list[dict[str, Any]]]
) -> None:
    """Samplers, accessors and channels are as the specification wants them."""
    joint = joined(Limit(angular_axes=(1, 2), min=-0.25, max=1.0))
    key(joint.omi_physics_joint.settings.limits[0], "angular_max", (0.5, 1.5, 1.0))
    key(joint.omi_physics_joint, "enable_collision", (False, True, False), "CONSTANT")
    joint.parent.keyframe_insert("location", frame=1)
    path = tmp_path / f"keyed.{suffix}"
    assert export(path)["animations"]
    (report,) = khronos_validate(path)
    assert (report["errors"], report["warnings"]) == (0, 0), report["messages"]


def test_axes_may_stay_as_they_are(tmp_path: Path) -> None:
    """Without +Y Up a bound on Blender's Y keeps its axis and its sign."""
    joint = joined(Limit(angular_axes=(1,), min=-0.25, max=1.0))
    key(joint.omi_physics_joint.settings.limits[0], "angular_max", (0.5, 1.5, 1.0))
    export(tmp_path / "z_up.glb", export_yup=False)
    found = channels_of(tmp_path / "z_up.glb")
    assert found.keys() == {f"{dialect}/0/limits/0/max" for dialect in (OMI, KHR)}
    for keys in found.values():
        assert keys.at(13 / 24.0) == pytest.approx(1.5)


def test_a_file_for_godot_has_the_keys_that_go_with_it(tmp_path: Path) -> None:
    """Bounds count the other way and from the rest pose, and so do keys; omi-godot reads none."""
    lock = Limit((0, 1, 2), (0, 1), 0.0, 0.0)
    joint = joined(lock, Limit(angular_axes=(2,), min=-0.25, max=1.0))
    key(joint.omi_physics_joint.settings.limits[-1], "angular_max", (0.5, 1.5, 1.0))
    key(joint.omi_physics_joint, "enable_collision", (False, True, False), "CONSTANT")
    joint.omi_physics_joint.connected_node.rotation_euler[2] += 0.2
    bpy.context.scene.omi_physics_joint.target = "GODOT"
    said = {issue.code for issue in diagnose_scene(bpy.context.scene)[0]}
    assert "godot-keyed" in said
    assert "keyed-physics" not in said
    gltf = export(tmp_path / "godot.glb")
    assert not errors()
    found = channels_of(tmp_path / "godot.glb")
    (bound,) = (pointer for pointer in found if pointer.endswith("/min"))
    assert bound.startswith(OMI)
    assert found[bound].at(13 / 24.0) == pytest.approx(0.2 - 1.5)
    assert len(found) == 2
    (limit,) = (
        one
        for one in gltf["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["limits"]
        if one["min"]
    )
    assert limit["min"] < limit["max"] == pytest.approx(0.25 + 0.2)


def test_driven_numbers_are_written_over_the_frames_of_the_scene(tmp_path: Path) -> None:
    """A driver is sampled as keys are."""
    joint = joined(Limit(angular_axes=(2,), min=0.0, max=1.0))
    block = joint.omi_physics_joint.settings
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 0, 12
    block.driver_add("limits[0].angular_max").driver.expression = "0.5 + frame / 24"
    joint = again(tmp_path / "driven.glb")
    for frame in (0, 6, 12):
        limits, _ = now(joint, frame)
        (bounds,) = limits.values()
        assert bounds[1] == pytest.approx(0.5 + frame / 24.0)


def test_nothing_is_looked_up_where_nothing_is_animated() -> None:
    """A scene without keys costs no frame."""
    joined(Limit(angular_axes=(2,), min=0.0, max=1.0))
    assert not Samples(placed_in_scene(bpy.context.scene))
