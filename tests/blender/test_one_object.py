# SPDX-License-Identifier: GPL-3.0-or-later
"""A joint is one empty and two bodies: what is moved by hand, played, keyed or re-targeted."""

from __future__ import annotations

from collections.abc import Callable
from math import radians
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix, Quaternion, Vector
from omi_export import export, import_file, reading
from scenes import IDENTITY, box, door, issues, joined, numbers, relative, select, separated

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.poses.second_frames import (
    after,
    between,
    fields_of,
    second_world,
    value_of,
)
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.model.geometry.transform import difference

RELEASE = Path(__file__).parents[1] / "data" / "release_0.1.0.blend"


def plain(matrix: Matrix) -> tuple[tuple[float, ...], ...]:
    """Return a matrix as the model has them."""
    return tuple(map(tuple, matrix))


@pytest.mark.parametrize("what", ["Frame", "Door", "Door Hinge"])
def test_moving_by_hand_never_tears_frames_apart(what: str) -> None:
    """G on either body or on the joint leaves its two frames at one place, with no complaint."""
    _, _, hinge = door()
    obj = bpy.data.objects[what]
    obj.location += Vector((0.3, -2.0, 0.7))
    obj.rotation_euler.x += 0.4
    assert numbers(relative(hinge)) == pytest.approx(IDENTITY, abs=1e-6)
    assert "frames-apart" not in issues()


@pytest.mark.parametrize("scale", [(-1.0, 1.0, 1.0), (1.0, -2.0, 1.0), (-1.0, -0.5, -1.0)])
@pytest.mark.parametrize("turn", [0.0, 1.1])
def test_the_second_frame_of_a_mirrored_joint_is_mirrored(
    scale: tuple[float, float, float], turn: float
) -> None:
    """A value that is next to none leaves it where it is at rest, and is read as it was."""
    rotation = Quaternion((1.0, 2.0, -0.5), turn)
    world = Matrix.LocRotScale((3.0, -20.0, 1.0), rotation, scale)
    at_rest = after(world, None)
    for angle in (1e-5, 0.8):
        value = Matrix.Translation((0.0, 0.0, angle)) @ Matrix.Rotation(angle, 4, "X")
        second = after(world, value)
        assert difference(plain(between(world, second)), plain(value)) < 1e-5
        for moved, still in zip(second.to_3x3().col, at_rest.to_3x3().col, strict=True):
            assert moved.angle(still) < angle + 1e-3


def test_second_body_is_picked() -> None:
    """Another second body re-targets the joint where it stands, and brings it to rest."""
    _, leaf, hinge = door()
    wall = box("Wall", (0.0, 6.0, 0.0))
    wall.omi_physics_body.is_body = True
    wall.omi_physics_body.type = "static"
    hinge.omi_physics_pose.about_y = 0.3
    bpy.context.view_layer.update()
    place = numbers(hinge.matrix_world)
    hinge.omi_physics_joint.connected_body = wall
    assert numbers(relative(hinge)) == pytest.approx(IDENTITY, abs=1e-6)
    assert numbers(hinge.matrix_world) == place
    assert hinge.parent == leaf
    found = issues()
    assert "error" not in found.values()
    assert "moved-since-joined" not in found  # where the old one was tells nothing of it


def test_first_body_is_picked() -> None:
    """Another first body takes the joint where it stands; the field follows what is active."""
    frame, leaf, hinge = door()
    options = bpy.context.scene.omi_physics_joint
    other = box("Other", (0.0, 6.0, 0.0))
    other.scale = (1.0, 3.0, 0.5)
    other.omi_physics_body.is_body = True
    select(hinge)
    bpy.context.view_layer.update()
    assert options.first_body == leaf
    place = numbers(hinge.matrix_world)
    options.first_body = other
    bpy.context.view_layer.update()
    assert hinge.parent == other
    assert numbers(hinge.matrix_world) == pytest.approx(place, abs=1e-6)
    options.first_body = frame
    assert (hinge.parent, options.first_body) == (other, other), "a joint needs two bodies"
    hinge.parent = leaf
    bpy.context.view_layer.update()
    assert options.first_body == leaf
    select(frame)
    bpy.context.view_layer.update()
    assert options.first_body is None


def test_separate_frames_come_and_go() -> None:
    """Separate Frames makes an object where the second frame stands, and takes it away again."""
    frame, _, hinge = door()
    hinge.omi_physics_pose.about_y = 0.3
    bpy.context.view_layer.update()
    value = numbers(relative(hinge))
    second = separated(hinge)
    assert (second.parent, hinge.omi_physics_joint.connected_body) == (frame, None)
    assert numbers(relative(hinge)) == pytest.approx(value, abs=1e-6)
    select(hinge)
    assert bpy.ops.omi_joint.separate_frames(use_separate=False) == {"FINISHED"}
    assert hinge.omi_physics_joint.connected_body == frame
    assert numbers(relative(hinge)) == pytest.approx(value, abs=1e-6)
    assert not [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_partner]


def test_second_frame_goes_with_its_body_while_it_plays() -> None:
    """In play the value is that between the bodies, not what is stored; at the end it is back."""
    _, leaf, hinge = door(direction="GLOBAL_Y", use_range=False)
    session = play.start(bpy.context.scene)
    for _ in range(20):
        assert session.tick(1.0 / 60.0), session.reason
    turned = leaf.matrix_world.to_quaternion().angle
    assert turned > 0.1
    assert relative(hinge).to_quaternion().angle == pytest.approx(turned, abs=1e-4)
    assert value_of(hinge) is None
    play.stop()
    assert numbers(relative(hinge)) == pytest.approx(IDENTITY, abs=1e-6)


def test_second_frame_goes_with_its_body_in_simulated_frames(tmp_path: Path) -> None:
    """The same of a simulated frame, also after the file was opened again; exports are at rest."""
    _, _, hinge = door(direction="GLOBAL_Y", use_range=False)
    scene = bpy.context.scene
    scene.frame_end = 20
    bpy.ops.omi_joint.simulate()
    scene.frame_set(15)
    turned = relative(hinge).to_quaternion().angle
    assert turned > 0.1
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    hinge = bpy.data.objects["Door Hinge"]
    assert relative(hinge).to_quaternion().angle == pytest.approx(turned, abs=1e-4)
    mechanism = reading(export(tmp_path / "door.gltf")).mechanism
    ((_, node, joint),) = mechanism.joints()
    assert difference(node.world, mechanism.nodes[joint.connected_node].world) < 1e-6


def test_bake_keys_the_values_with_the_bodies(tmp_path: Path) -> None:
    """Baked frames have the same two frames as simulated ones; Check has no word against it."""
    _, _, hinge = door(direction="GLOBAL_Y", use_range=False)
    scene = bpy.context.scene
    scene.frame_end = 20
    bpy.ops.omi_joint.simulate()
    shown = {}
    for frame in (1, 8, 20):
        scene.frame_set(frame)
        shown[frame] = numbers(second_world(hinge))
    assert bpy.ops.omi_joint.bake() == {"FINISHED"}
    for frame, expected in shown.items():
        scene.frame_set(frame)
        assert numbers(second_world(hinge)) == pytest.approx(expected, abs=1e-5)
    assert "keyed-physics" not in issues()
    mechanism = reading(export(tmp_path / "door.gltf")).mechanism
    ((_, node, joint),) = mechanism.joints()
    assert difference(node.world, mechanism.nodes[joint.connected_node].world) < 1e-5
    file = load(tmp_path / "door.gltf").json
    moved = {
        file["nodes"][channel["target"]["node"]]["name"]
        for animation in file["animations"]
        for channel in animation["channels"]
    }
    assert "Door Hinge" not in moved, "the keys of a value move no node"


def test_key_pose_keys_the_values_with_the_bodies() -> None:
    """Between two keyed poses the second frame is where the hinge is, at the angle of the door."""
    _, leaf, hinge = door()
    scene = bpy.context.scene
    for frame, angle in ((1, 0.0), (11, 80.0)):
        scene.frame_set(frame)
        hinge.omi_physics_pose.about_y = radians(angle)
        select(leaf)
        assert bpy.ops.omi_joint.pose_key() == {"FINISHED"}
    for frame in (1, 4, 6, 11):
        scene.frame_set(frame)
        angle = hinge.omi_physics_pose.about_y
        assert angle == pytest.approx(leaf.rotation_euler.z, abs=1e-4), frame


def test_whole_turns_are_kept() -> None:
    """A rotation goes on from the one before, past half and whole turns."""
    before = Vector()
    for step in range(1, 50):
        _, before = fields_of(Matrix.Rotation(radians(20.0 * step), 4, "Y"), before)
        assert tuple(before) == pytest.approx((0.0, radians(20.0 * step), 0.0), abs=1e-4)


def test_posed_joint_comes_back_from_a_file(tmp_path: Path) -> None:
    """A door that was exported ajar is ajar after import, with a frame of its own for that."""
    _, _, hinge = door()
    hinge.omi_physics_pose.about_y = 0.3
    first = reading(export(tmp_path / "ajar.gltf")).mechanism
    import_file(tmp_path / "ajar.gltf")
    hinge = bpy.data.objects["Door Hinge"]
    assert hinge.omi_physics_joint.connected_node.name == "Door Hinge Second Frame"
    assert hinge.omi_physics_pose.about_y == pytest.approx(0.3, abs=1e-5)
    second = reading(export(tmp_path / "again.gltf")).mechanism
    assert {node.name for node in first.nodes} == {node.name for node in second.nodes}


def tracked(second: bpy.types.Object, _: bpy.types.Object) -> None:
    """Have another object look at a second frame, some day."""
    track = second.parent.constraints.new("TRACK_TO")
    track.target, track.mute = second, True


def instancing(second: bpy.types.Object, _: bpy.types.Object) -> None:
    """Have a second frame show a collection."""
    second.instance_type = "COLLECTION"


KEPT: tuple[Callable[[bpy.types.Object, bpy.types.Object], object], ...] = (
    tracked,
    instancing,
    lambda second, _: second.__setitem__("note", "mine"),
    lambda second, _: setattr(box("Below"), "parent", second),
    lambda second, _: second.keyframe_insert("location"),
    lambda second, _: second.constraints.new("LIMIT_ROTATION"),
    lambda second, _: setattr(second.omi_physics_body, "use_trigger", True),
    lambda second, _: setattr(second.location, "x", second.location.x + 0.01),
    lambda second, _: setattr(second.parent.location, "x", 1.0),
    lambda second, _: setattr(second.parent.omi_physics_body, "is_body", False),
    lambda _, hinge: hinge.keyframe_insert("location"),
    lambda _, hinge: hinge.constraints.new("LIMIT_ROTATION"),
)
"""What somebody may have done to a second frame, or to its joint, for which it stays an object."""


def test_a_frame_with_something_on_it_stays_an_object(tmp_path: Path) -> None:
    """Whatever that is, of as many joints at once, the second frame of an old file is kept."""
    path = tmp_path / "old.blend"
    hinges = []
    for index in range(len(KEPT) + 1):
        frame, leaf = box(f"Frame {index}", (0.0, 5.0 * index, 0.0)), box(f"Door {index}")
        hinges.append(joined("HINGE", frame, leaf))
    for hinge, edit in zip(hinges, KEPT, strict=False):
        edit(separated(hinge), hinge)
    separated(hinges[-1])
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    for obj in bpy.data.objects:
        if obj.omi_physics_joint.is_joint:
            obj.omi_physics_joint.schema_version = 1
    from omi_physics_joint.blender.migration import migrate

    migrate()
    kept = [hinge.omi_physics_joint.connected_node is not None for hinge in hinges]
    assert kept == [True] * len(KEPT) + [False]
    assert hinges[-1].omi_physics_joint.connected_body.name == f"Frame {len(KEPT)}"
    name = f"Door {len(KEPT)} Hinge Second Frame"
    assert hinges[-1].omi_physics_joint.connected_name == name


def test_release_file_has_one_object_for_each_joint() -> None:
    """No partner of the file of 0.1.0 is left, and every joint has its two bodies."""
    bpy.ops.wm.open_mainfile(filepath=str(RELEASE))
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    assert joints
    assert not [obj.name for obj in bpy.data.objects if obj.omi_physics_joint.is_partner]
    for joint in joints:
        assert joint.omi_physics_joint.connected_body.omi_physics_body.is_body
        assert joint.omi_physics_joint.connected_name.endswith("Partner")


def test_appended_joints_of_the_release_are_migrated() -> None:
    """What is appended from an old file is brought up to date as what is opened."""
    with bpy.data.libraries.load(str(RELEASE)) as (there, here):
        here.objects = there.objects
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    assert joints
    assert all(joint.omi_physics_joint.connected_body is not None for joint in joints)


def test_linked_joints_of_the_release_keep_their_frames() -> None:
    """Linked data stays as its file has it, and works: the partner is a separate frame."""
    with bpy.data.libraries.load(str(RELEASE), link=True) as (there, here):
        here.objects = there.objects
    for obj in here.objects:
        bpy.context.scene.collection.objects.link(obj)
    joints = [obj for obj in here.objects if obj.omi_physics_joint.is_joint]
    assert all(joint.omi_physics_joint.connected_node is not None for joint in joints)
    assert "error" not in issues().values()
