# SPDX-License-Identifier: GPL-3.0-or-later
"""Cached motion is the solver's under parents, scales, deltas, locks, and what is animated."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion

from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.timeline import playback
from omi_physics_joint.blender.timeline.cache.storage import told_cache
from omi_physics_joint.blender.timeline.recording import motion_below_parents
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.solver import KinematicMotion, Options, Simulation
from tests.blender.test_moving import awkward, body
from tests.blender.test_timeline import falling_door, raw, simulate, truth
from tests.scenes import box, door, issues, joined, numbers, relative

LAST = 15


def short_scene() -> bpy.types.Scene:
    """Make the scene a few frames long."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    scene.frame_set(1)
    return scene


def tied(*objects: bpy.types.Object) -> None:
    """Give bodies joints that hold nothing, so that they take part and move as they would."""
    post = body("Post", (0.0, 0.0, -50.0), dynamic=False)
    for obj in objects:
        joined("PIN", post, obj).omi_physics_joint.settings.limits.clear()


def test_awkward_transforms_move_as_the_solver_says() -> None:
    """Scaled, mirrored, turned and shifted bodies below one another stand where they should."""
    objects = awkward()
    mirrored = body("Mirrored", (0.0, 6.0, 0.0))
    mirrored.scale, mirrored.rotation_euler = (-1.0, 2.0, 0.5), (0.3, 0.1, -0.8)
    mirrored.delta_scale = (1.0, 1.0, 3.0)
    mirrored.omi_physics_body.angular_velocity = (2.0, 1.0, 0.0)
    objects.append(mirrored)
    tied(*objects)
    scene = short_scene()
    before = [raw(obj) for obj in objects]
    bpy.context.view_layer.update()
    expected = truth(LAST)
    simulate()
    for frame in (4, 15, 9):
        scene.frame_set(frame)
        shown = {obj.name: obj.matrix_world for obj in objects}
        order = [item.object.name for item in scene.omi_physics_timeline.cache.bodies]
        for name, world in zip(order, expected[frame - 1], strict=True):
            assert numbers(shown[name]) == pytest.approx(world.ravel().tolist(), abs=2e-5), name
    bpy.ops.omi_joint.free_cache()
    assert [raw(obj) for obj in objects] == before


def test_locked_channels_are_shown_all_the_same() -> None:
    """Locks keep the user from dragging, not joints from moving."""
    leaf = falling_door()
    leaf.lock_location = leaf.lock_rotation = (True, True, True)
    simulate()
    bpy.context.scene.frame_set(15)
    assert leaf.location.z < -0.5


def swinging_frame() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return a kinematic frame that is animated, and the door on it."""
    frame, leaf, _ = door(direction="GLOBAL_Y", use_range=False)
    frame.omi_physics_body.type = "kinematic"
    for number, z, turn in ((1, 0.0, 0.0), (8, 1.5, 0.4), (LAST, -0.5, 0.1)):
        frame.location.z, frame.rotation_euler.x = z, turn
        frame.keyframe_insert("location", frame=number)
        frame.keyframe_insert("rotation_euler", frame=number)
    return frame, leaf


def test_kinematic_body_carries_the_others_along() -> None:
    """An animated kinematic body is prescribed to the solver as it is seen, frame by frame."""
    frame, leaf = swinging_frame()
    scene = short_scene()
    scene.frame_set(7)
    simulate()
    assert scene.frame_current == 7
    poses = []
    for number in range(1, LAST + 1):
        scene.frame_set(number)
        world = Matrix(frame.matrix_world)
        poses.append((*world.translation, *world.to_quaternion()))
    scene.frame_set(1)
    mechanism = mechanism_from_placed(placed_in_scene(scene)).mechanism
    node = next(i for i, one in enumerate(mechanism.nodes) if one.name == "Frame")
    x, y, z, qw, qx, qy, qz = np.array(poses).T
    motion = KinematicMotion(
        np.arange(LAST) / 24.0, np.stack([x, z, -y], 1), np.stack([qx, qz, -qy, qw], 1)
    )
    simulation = Simulation(mechanism, Options(gravity=(0, -9.81, 0)), motions={node: motion})
    row = [mechanism.nodes[one].name for one in simulation.body_nodes].index("Door")
    for number in range(1, LAST + 1):
        if number > 1:
            simulation.step(1.0 / 24.0)
        scene.frame_set(number)
        px, py, pz = simulation.positions[row]
        assert [*leaf.matrix_world.translation] == pytest.approx([px, -pz, py], abs=1e-5)
        there = compose(rotation=tuple(simulation.rotations[row].tolist()))
        assert leaf.matrix_world[2][2] == pytest.approx(there[1][1], abs=1e-5)


def test_kinematic_body_with_a_velocity_goes_on_with_it() -> None:
    """What moves by its own velocity is shown where the solver has it, and comes back."""
    frame, leaf, hinge = door(direction="GLOBAL_Y")
    frame.omi_physics_body.type = "kinematic"
    frame.omi_physics_body.linear_velocity = (0.0, 0.0, 2.4)
    rest = raw(frame)
    scene = short_scene()
    simulate()
    scene.frame_set(11)
    assert tuple(frame.location) == pytest.approx((0.0, 0.0, 1.0), abs=1e-5)
    assert relative(hinge).translation.length < 1e-5
    assert raw(leaf)[1] != (0.0, 0.0, 0.0)
    scene.frame_set(1)
    assert raw(frame) == rest


def test_bodies_without_a_joint_stand_as_they_do_in_play() -> None:
    """The solver knows no contacts, so what no joint holds would fall through every floor."""
    leaf = door(direction="GLOBAL_Y", use_range=False)[1]
    stone = body("Stone", (0.0, 0.0, 3.0))
    before = raw(stone)
    scene = short_scene()
    simulate()
    scene.frame_set(12)
    assert leaf.matrix_world.translation.z < -0.3
    assert raw(stone) == before
    stone.location.x = 1.0
    scene.frame_set(13)
    assert told_cache(scene).outdated == ""


def test_edited_keys_of_a_kinematic_body_are_an_edit() -> None:
    """A key that is moved makes the motion outdated; a frame that is shown does not."""
    frame, _ = swinging_frame()
    scene = short_scene()
    simulate()
    scene.frame_set(9)
    assert told_cache(scene).outdated == ""
    curve = frame.animation_data.action.layers[0].strips[0].channelbags[0].fcurves[2]
    curve.keyframe_points[1].co.y += 1.0
    scene.frame_set(4)
    assert told_cache(scene).outdated == "Frame was moved"


def test_animated_parent_that_is_no_body_does_not_carry_the_body() -> None:
    """A dynamic body below a moving empty stays where the solver has it in the world."""
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(holder)
    stone = body("Stone", (0.0, 0.0, 3.0))
    stone.parent = holder
    for number, x in ((1, 0.0), (LAST, 5.0)):
        holder.location.x = x
        holder.keyframe_insert("location", frame=number)
    tied(stone)
    scene = short_scene()
    expected = truth(LAST)
    simulate()
    for number in (5, 15):
        scene.frame_set(number)
        there = expected[number - 1][0].ravel().tolist()
        assert numbers(stone.matrix_world) == pytest.approx(there, abs=1e-5)


def test_what_cannot_move_is_named() -> None:
    """Parts of instances, constraints and keys of dynamic bodies are warnings of the run."""
    keyed = body("Keyed", (0.0, 0.0, 0.0))
    keyed.keyframe_insert("location", frame=1)
    tied(keyed)
    group = bpy.data.collections.new("Group")
    before = set(bpy.context.scene.objects)
    tied(body("Part", (9.0, 0.0, 0.0)))
    for obj in set(bpy.context.scene.objects) - before:
        bpy.context.scene.collection.objects.unlink(obj)
        group.objects.link(obj)
    instancer = bpy.data.objects.new("Instance", None)
    instancer.instance_type, instancer.instance_collection = "COLLECTION", group
    bpy.context.scene.collection.objects.link(instancer)
    short_scene()
    simulate()
    report = bpy.context.window_manager.omi_physics_joint
    assert report.title == "Simulate"
    assert {(issue.code, issue.where) for issue in report.issues} >= {
        ("dynamic-animated", "Keyed"),
        ("instance-not-moved", "Part"),
    }
    bpy.context.scene.frame_set(12)
    assert keyed.location.z < -0.3


def test_nothing_to_simulate_is_said() -> None:
    """Without a dynamic body, or with a range turned round, a sentence says what to do."""
    box("Stone")
    with pytest.raises(RuntimeError, match="Nothing can move here: join two objects first"):
        bpy.ops.omi_joint.simulate()
    options = bpy.context.scene.omi_physics_timeline
    options.range, options.frame_start, options.frame_end = "CUSTOM", 9, 3
    with pytest.raises(RuntimeError, match="range from frame 9 to 3 has to have 2 to "):
        bpy.ops.omi_joint.simulate()
    tied(body("Falls", (0.0, 0.0, 0.0)))
    options.frame_end = 12
    simulate()
    cache = told_cache(bpy.context.scene)
    assert (cache.frame_start, cache.frame_end) == (9, 12)


def test_a_body_that_is_nowhere_is_named() -> None:
    """A location that is no number is said with its object, and nothing is raised."""
    leaf = door()[1]
    bpy.context.scene.frame_end = 5
    leaf.location.x = float("nan")
    with pytest.raises(RuntimeError, match="Door: Its location, rotation or scale is not a valid"):
        bpy.ops.omi_joint.simulate()


def test_simulating_again_starts_from_rest() -> None:
    """A second run, begun at a frame that shows motion, finds the same motion."""
    leaf = falling_door()
    rest = raw(leaf)
    simulate()
    scene = bpy.context.scene
    scene.frame_set(15)
    there = raw(leaf)
    simulate()
    assert raw(leaf) == there
    assert len([one for one in bpy.data.node_groups if one.bl_idname == "OmiMotionCache"]) == 1
    bpy.ops.omi_joint.free_cache()
    assert raw(leaf) == rest


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "ZYX", "AXIS_ANGLE"])
@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (2.0, 0.5, 3.0), (-1.0, 2.0, 2.0)])
def test_motion_is_without_what_an_object_adds_to_its_transform(
    mode: str, scale: tuple[float, float, float]
) -> None:
    """Neither its scale nor its deltas move: what is kept puts the object where it was."""
    obj = box("Crate")
    obj.rotation_mode, obj.scale, obj.delta_scale = mode, scale, (1.5, 2.0, -0.5)
    obj.delta_location = (0.3, -0.2, 0.7)
    if mode == "QUATERNION":
        obj.delta_rotation_quaternion = Quaternion((0.8, 0.0, 0.6, 0.0))
    elif mode != "AXIS_ANGLE":
        obj.delta_rotation_euler = (0.4, -0.3, 0.9)
    set_rotation(obj, Quaternion((0.5, 0.5, -0.5, 0.5)))
    obj.location = (1.0, 2.0, 3.0)
    bpy.context.view_layer.update()
    basis = np.array(obj.matrix_world)
    motion = motion_below_parents([obj], basis[None, None])
    obj.location = motion.locations[0, 0]
    set_rotation(obj, Quaternion(motion.rotations[0, 0]))
    bpy.context.view_layer.update()
    assert np.array(obj.matrix_world) == pytest.approx(basis, abs=1e-5)


def set_rotation(obj: bpy.types.Object, turn: Quaternion) -> None:
    """Turn an object, in whichever of its fields counts."""
    if obj.rotation_mode == "QUATERNION":
        obj.rotation_quaternion = turn
    elif obj.rotation_mode == "AXIS_ANGLE":
        axis, angle = turn.to_axis_angle()
        obj.rotation_axis_angle = (angle, *axis)
    else:
        obj.rotation_euler = turn.to_euler(obj.rotation_mode)


@pytest.mark.parametrize("how", ["keys", "driver", "switch"])
def test_gravity_that_changes_pulls_as_it_is_in_each_frame(how: str) -> None:
    """A simulation follows its keys, and is told of as old once these are others."""
    leaf, scene = falling_door(), short_scene()
    start, path = raw(leaf), "use_gravity" if how == "switch" else "gravity"
    if how == "driver":
        scene.driver_add("gravity", 2).driver.expression = "-9.81 * (frame > 8)"
    for frame in () if how == "driver" else (1, 9):
        scene.gravity.z, scene.use_gravity = (0.0, False) if frame == 1 else (-9.81, True)
        scene.keyframe_insert(path, frame=frame)
        curves = scene.animation_data.action.layers[0].strips[0].channelbags[0].fcurves
        for point in (point for curve in curves for point in curve.keyframe_points):
            point.interpolation = "CONSTANT"
    scene.gravity.z = -9.81 if how == "switch" else 0.0
    scene.frame_set(1)
    assert "keyed-physics" in issues()
    simulate()
    shown = []
    for frame in (8, 15):
        scene.frame_set(frame)
        shown.append(raw(leaf))
    assert shown[0] == start != shown[1]
    assert told_cache(scene).outdated == ""
    if how == "keys":
        scene.gravity.z = -1.0
        scene.keyframe_insert("gravity", frame=12)
        playback.refresh(scene)
        assert told_cache(scene).outdated
