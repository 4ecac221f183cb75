# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joints use an object as their second frame: right whatever scripts do, found quickly."""

from __future__ import annotations

from itertools import permutations

import bpy
import pytest
from mathutils import Matrix, Vector
from scenes import box, door, select, separated

from omi_physics_joint.blender.bridge.absorbed_frames import is_same_place
from omi_physics_joint.blender.bridge.poses import frame_users
from omi_physics_joint.blender.bridge.poses.frame_users import joints_from, joints_using
from omi_physics_joint.blender.bridge.poses.second_frames import fields_of

LOOKED: list[int] = []


@pytest.fixture(autouse=True)
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count how often all objects are looked at."""
    look = frame_users._look
    LOOKED.clear()
    monkeypatch.setattr(frame_users, "_look", lambda: (LOOKED.append(1), look()))
    return LOOKED


def other_joint(partner: bpy.types.Object) -> bpy.types.Object:
    """Return another joint with a partner, made as a script makes one."""
    joint = bpy.data.objects.new("Another", None)
    bpy.context.scene.collection.objects.link(joint)
    joint.omi_physics_joint.connected_node = partner
    joint.omi_physics_joint.is_joint = True
    return joint


def test_buttons_and_operators_search_once() -> None:
    """Buttons of selected second frames, and snapping them, take one search of the file at most."""
    links = [box(f"Link {index}", (0.0, 0.0, -3.0 * index)) for index in range(12)]
    select(*links)
    bpy.ops.omi_joint.create(kind="PIN", chain=True, place="MIDDLE", other_motion="dynamic")
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    partners = [separated(joint) for joint in joints]
    select(*partners)
    LOOKED.clear()
    for name in ("snap_frames", "swap_sides", "remove", "select_second_frame"):
        assert getattr(bpy.ops.omi_joint, name).poll()
    assert bpy.ops.omi_joint.snap_frames() == {"FINISHED"}
    assert joints_from(partners) == joints
    assert len(LOOKED) == 1


def test_plain_objects_are_not_searched_for_again() -> None:
    """An empty that no joint uses is known to be one."""
    empty = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(empty)
    assert joints_using(empty) == joints_using(empty) == []
    assert len(LOOKED) == 1
    bpy.context.scene.collection.children.link(home := bpy.data.collections.new("Home"))
    home.objects.link(empty)
    assert joints_using(empty) == []
    joint = other_joint(empty)
    assert joints_using(empty) == [joint]


def test_another_joint_is_found() -> None:
    """A joint that a script makes later uses the same second frame."""
    _, _, hinge = door()
    partner = separated(hinge)
    assert joints_using(partner) == [hinge]
    joint = other_joint(partner)
    assert set(joints_using(partner)) == {hinge, joint}
    joint.omi_physics_joint.is_joint = False
    assert joints_using(partner) == [hinge]
    joint.omi_physics_joint.is_joint = True
    assert set(joints_using(partner)) == {hinge, joint}
    hinge.omi_physics_joint.connected_node = None
    assert joints_using(partner) == [joint]


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_joints_that_exchange_second_frames_are_found(order: tuple[int, ...]) -> None:
    """Each frame has as many users as before, and the joint that points at it now."""
    partners = [separated(door()[2]) for _ in order]
    joints = [joints_using(partner)[0] for partner in partners]
    for joint, at in zip(joints, order, strict=True):
        joint.omi_physics_joint.connected_node = partners[at]
    found = [joints_using(partners[at]) for at in order]
    assert found == [[joint] for joint in joints]


def test_removed_joints_are_gone() -> None:
    """A joint that was removed uses nothing, and a partner that Undo brings back has its joint."""
    _, _, hinge = door()
    partner = separated(hinge)
    select(hinge)
    bpy.ops.ed.undo_push(message="Separated")
    assert joints_using(partner) == [hinge]
    bpy.data.objects.remove(hinge)
    assert joints_using(partner) == []
    bpy.ops.ed.undo_push(message="Removed")
    bpy.ops.ed.undo()
    partner = next(obj for obj in bpy.data.objects if obj.omi_physics_joint.is_partner)
    assert [joint.name for joint in joints_using(partner)] == ["Door Hinge"]


def test_removing_takes_second_frames_along() -> None:
    """Joints and their second frames go in one step, but not frames that others use or hang on."""
    _, _, hinge = door()
    partner = separated(hinge)
    other = other_joint(partner)
    select(hinge)
    assert bpy.ops.omi_joint.remove() == {"FINISHED"}
    assert joints_using(partner) == [other]
    child = bpy.data.objects.new("Child", None)
    bpy.context.scene.collection.objects.link(child)
    child.parent = partner
    select(other)
    assert bpy.ops.omi_joint.remove() == {"FINISHED"}
    assert child.parent == partner
    child.parent = None
    joint = other_joint(partner)
    select(joint)
    assert bpy.ops.omi_joint.remove() == {"FINISHED"}
    with pytest.raises(ReferenceError):
        assert partner.name


def test_bodies_made_at_once_are_solid_as_one_by_one() -> None:
    """A mesh whose part below is solid needs no collider of its own; one without does."""
    first, second, part = (box(name, (3.0 * i, 0.0, 0.0)) for i, name in enumerate("ABC"))
    for obj in (first, second, part):
        obj.omi_physics_body.is_body = obj.omi_physics_body.use_collider = False
    part.parent = first
    part.omi_physics_body.use_collider = True
    select(first, second)
    bpy.ops.omi_joint.body_add(type="static")
    assert not first.omi_physics_body.use_collider
    assert second.omi_physics_body.use_collider
    assert second.omi_physics_body.collider.shape.type == "trimesh"


@pytest.mark.parametrize("far", [0.0, 10.0, 1000.0])
@pytest.mark.parametrize("mirrored", [True, False])
def test_frames_are_at_one_place_to_single_precision(far: float, mirrored: bool) -> None:
    """As far from the origin as they are; a mirrored one is never where another is."""
    turn = Matrix.Rotation(0.7, 4, (1.0, 2.0, 3.0))
    here = Matrix.Translation((far, -far, 0.0)) @ turn
    size = Matrix.Scale(-1.0, 4, (1.0, 0.0, 0.0)) if mirrored else Matrix()
    for part, is_near in ((0.0, True), (0.5, True), (2.0, False)):
        off = part * 1e-5 * max(1.0, far)
        there = Matrix.Translation((off, 0.0, 0.0)) @ here @ size
        assert is_same_place(here, there) is (is_near and not mirrored)
    assert not is_same_place(here, here @ Matrix.Rotation(1e-4, 4, "X"))


@pytest.mark.parametrize("angle", [0.0, 2e-5, 3e-4, 0.01, 1.0, 3.1])
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (-1.0, 2.0, 3.0)])
def test_a_value_keeps_the_least_turn(angle: float, axis: tuple[float, ...]) -> None:
    """As bodies that were turned a little by hand have it, also beside a way."""
    ways = Vector(axis).normalized()
    for place in ((0.0, 0.0, 0.0), (0.3, -20.0, 4.0)):
        value = Matrix.Translation(place) @ Matrix.Rotation(angle, 4, ways)
        position, rotation = fields_of(value)
        assert tuple(position) == pytest.approx(place, abs=1e-5)
        assert tuple(rotation) == pytest.approx(tuple(angle * ways), rel=1e-3, abs=3e-7)
