# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that are drawn follow the frame of the scene without another update."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from numpy.typing import NDArray
from scenes import door, instanced, select, separated

from omi_physics_joint.blender.bridge.placed import bodies_of
from omi_physics_joint.blender.bridge.poses import away
from omi_physics_joint.blender.bridge.write import fill_settings
from omi_physics_joint.blender.overlay import viewport
from omi_physics_joint.blender.overlay.drawn_joints import WATCH, DrawnJoints, FramePlaces
from omi_physics_joint.blender.overlay.survey import survey
from omi_physics_joint.model.joint import JointSettings, Limit


def refreshed() -> DrawnJoints:
    """Return the joints of the scene as they are drawn in a redraw."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    seen = viewport.kept_of(scene, layer).drawn
    seen.refresh(scene, layer)
    return seen


def test_another_frame_moves_what_is_keyed() -> None:
    """Going to another frame redraws joints of animated bodies."""
    _, leaf, _ = door()
    leaf.keyframe_insert("location", frame=1)
    leaf.location.x += 1.0
    leaf.keyframe_insert("location", frame=10)
    bpy.context.scene.frame_set(1)
    bpy.context.view_layer.update()
    first = [refreshed().joints.copy(), refreshed().partners.copy()]
    bpy.context.scene.frame_set(10)
    seen = refreshed()
    assert not (np.allclose(seen.joints, first[0]) and np.allclose(seen.partners, first[1]))


def test_another_frame_draws_the_value_that_is_keyed() -> None:
    """A joint's own value may be keyed, as Key Pose does: its second frame is drawn where it is."""
    _, _, joint = door()
    data = joint.omi_physics_joint
    for frame, angle in ((1, 0.0), (10, 0.75)):
        data.connected_rotation = (0.0, 0.0, angle)
        data.keyframe_insert("connected_rotation", frame=frame)
    for frame, angle in ((1, 0.0), (10, 0.75), (1, 0.0)):
        bpy.context.scene.frame_set(frame)
        seen = refreshed()
        turned = seen.joints[0, :3, :3].T @ seen.partners[0, :3, :3]
        assert np.arccos(0.5 * (np.trace(turned) - 1.0)) == pytest.approx(angle, abs=1e-3), frame


def test_each_other_value_moves_a_joint_once() -> None:
    """From rest, to rest, from one to another; what it is already moves nothing."""
    door()
    places = FramePlaces(survey(bpy.context.scene, 1.0, {}).rows)
    own, second, moved = places.worlds()
    assert moved.tolist() == [0]
    before = None
    for angle in (0.0, 0.5, 0.5, -0.25, 0.0, 0.0, 0.75, 0.0):
        turn = Matrix.Rotation(angle, 4, "Y")
        places.take_value(0, tuple(map(tuple, turn)) if angle else None)
        own, second, moved = places.worlds()
        assert moved.tolist() == ([] if angle == (before or 0.0) else [0]), (before, angle)
        if len(moved):
            turned = own[0, :3, :3].T @ second[0, :3, :3]
            assert np.trace(turned) == pytest.approx(1.0 + 2.0 * np.cos(angle), abs=1e-6)
        before = angle


def test_another_frame_hides_what_is_keyed_to_be_hidden() -> None:
    """What shows and hides a joint may be keyed: another frame is another look."""
    _, _, joint = door()
    for frame, hidden in ((1, False), (10, True)):
        joint.hide_viewport = hidden
        joint.keyframe_insert("hide_viewport", frame=frame)
    for frame, shown in ((1, True), (10, False), (1, True)):
        bpy.context.scene.frame_set(frame)
        seen = refreshed()
        assert seen.visible.tolist() == [shown], frame


@pytest.mark.parametrize("flipped", range(3))
def test_edited_settings_turn_a_mirrored_frame_as_if_it_were_found_anew(flipped: int) -> None:
    """Which of its axes flips depends on its bounds, though no object has moved."""
    _, _, joint = door()
    joint.scale[flipped] = -1.0
    found = []
    for axis in (0, 1, 2, 0):
        limit = Limit(angular_axes=(axis,), min=0.0, max=1.0)
        fill_settings(joint.omi_physics_joint.settings, JointSettings("", (limit,)))
        bpy.context.view_layer.update()
        anew = DrawnJoints()
        anew.refresh(bpy.context.scene, bpy.context.view_layer)
        found.append(refreshed().joints.copy())
        assert np.allclose(found[-1], anew.joints)
    assert not np.allclose(found[0], found[1])


def test_what_a_script_edits_of_the_active_joint_is_drawn_at_once() -> None:
    """Of however many joints; edits of the others are seen in turn."""
    _, _, first = door()
    joints = [first]
    for _ in range(2 * WATCH):
        joints.append(first.copy())
        bpy.context.scene.collection.objects.link(joints[-1])
        data = joints[-1].omi_physics_joint
        data.settings = data.settings.copy()
    for number, joint in enumerate(joints):
        select(joint)
        bpy.context.view_layer.update()
        seen = refreshed()
        limit = next(one for one in joint.omi_physics_joint.settings.limits if one.angular_max)
        limit.angular_max = 2.0 + 0.01 * number
        seen = refreshed()
        bounds = [
            bound for one in seen.table.settings[seen.active].limits for bound in (one.min, one.max)
        ]
        assert any(abs(bound) == pytest.approx(2.0 + 0.01 * number) for bound in bounds)


@pytest.mark.parametrize("left", ["nobody", "own body", "second body"])
def test_a_joint_in_an_instance_holds_where_both_of_its_bodies_are(left: str) -> None:
    """What was left out of the collection is nowhere."""
    frame, leaf, joint = door()
    own, second = bodies_of(joint)
    away = {"nobody": None, "own body": own, "second body": second}[left]
    parts = bpy.data.collections.new("Parts")
    for obj in (frame, leaf, joint):
        bpy.context.scene.collection.objects.unlink(obj)
        if obj != away:
            parts.objects.link(obj)
    bpy.ops.object.collection_instance_add(collection="Parts", location=(9.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    (row,) = survey(bpy.context.scene, 1.0, {}).rows
    assert row.holds is (away is None)


def origins() -> NDArray[np.float64]:
    """Return where both frames of the one joint are drawn, in glTF's axes: (2, 3)."""
    seen = refreshed()
    return np.array([seen.joints[0, :3, 3], seen.partners[0, :3, 3]])


@pytest.mark.parametrize("around", ["nothing", "joint", "both", "joint in both"])
def test_each_frame_of_a_joint_is_drawn_where_its_instance_is(around: str) -> None:
    """The body that a joint of a linked asset holds on to may be of what is around the asset.

    It is seen as what is outermost is.
    """
    frame, leaf, joint = door()
    own, second, before = [frame, joint], [leaf, separated(joint)], origins()
    shower = joint
    if around.startswith("joint"):
        own = [shower := instanced(*own)]
        shower.location.x += 4.0
    if around.endswith("both"):
        shower = instanced(*own, *second)
        shower.location.z += 7.0
    bpy.context.view_layer.update()
    up = 7.0 * around.endswith("both")
    expected = [[4.0 * around.startswith("joint"), up, 0.0], [0.0, up, 0.0]]
    np.testing.assert_allclose(origins() - before, expected, atol=1e-5)
    assert survey(bpy.context.scene, 1.0, {}).shown_by == (shower,)


def test_what_is_shown_away_is_drawn_there_and_back() -> None:
    """A second frame that is no object goes with its body while a play shows it elsewhere."""
    _, _, hinge = door()
    drawn = [refreshed().partners.copy()]
    gone = away.leave((), carried={hinge.session_uid: Matrix.Translation((3.0, 0.0, 0.0))})
    for come_back in (lambda: None, lambda: away.come_back(gone)):
        come_back()
        anew = DrawnJoints()
        anew.refresh(bpy.context.scene, bpy.context.view_layer)
        drawn.append(refreshed().partners.copy())
        assert np.allclose(drawn[-1], anew.partners)
    assert [np.allclose(drawn[0], one) for one in drawn] == [True, False, True]


@pytest.mark.parametrize("instances", [1, 2])
def test_what_plays_carries_no_second_frame_of_an_instance(instances: int) -> None:
    """Objects that are in the scene too are shown elsewhere; their instances stay at rest."""
    objects = door()
    asset = instanced(*objects).instance_collection
    for obj in objects:
        bpy.context.scene.collection.objects.link(obj)
    for number in range(1, instances):
        empty = bpy.data.objects.new(f"Instance {number}", None)
        empty.instance_type, empty.instance_collection = "COLLECTION", asset
        bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.update()
    rest = refreshed().partners.copy()
    shown_by = survey(bpy.context.scene, 1.0, {}).shown_by
    gone = away.leave((), carried={objects[2].session_uid: Matrix.Translation((3.0, 0.0, 0.0))})
    moved = DrawnJoints()
    moved.refresh(bpy.context.scene, bpy.context.view_layer)
    is_moved = [
        not np.allclose(one, other) for one, other in zip(moved.partners, rest, strict=True)
    ]
    assert is_moved == [shower == objects[2] for shower in shown_by]
    assert len(is_moved) == 1 + instances
    away.come_back(gone)
