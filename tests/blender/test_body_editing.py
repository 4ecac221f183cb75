# SPDX-License-Identifier: GPL-3.0-or-later
"""Body buttons pass over frames, copies take what is meant, only the owner of keys is named."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import pytest
from mathutils import Matrix
from omi_differences import differences
from scenes import box, door, issues, numbers, select, separated

from omi_physics_joint.blender.bodies.takeover import take_over
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.check.diagnosis import diagnose_scene
from omi_physics_joint.blender.check.fixes import FIXES
from omi_physics_joint.blender.joints.authoring import AuthoringError
from omi_physics_joint.model.geometry.scale import standing
from omi_physics_joint.model.issue import Severity
from omi_physics_joint.model.shape import Shape
from tests.blender.test_takeover import rigid


def test_making_bodies_skips_frames_of_joints() -> None:
    """With everything selected only the objects become bodies, not joint frames and partners."""
    frame, leaf, hinge = door()
    partner = separated(hinge)
    select(frame, leaf, hinge, partner)
    assert bpy.ops.omi_joint.body_add(type="kinematic") == {"FINISHED"}
    assert [obj.omi_physics_body.is_body for obj in (hinge, partner)] == [False, False]
    assert [obj.omi_physics_body.type for obj in (frame, leaf)] == ["kinematic", "kinematic"]


def test_only_frames_selected_changes_nothing() -> None:
    """Frames alone are refused with a reason, in the grey entry of the menu."""
    _, _, hinge = door()
    select(separated(hinge), hinge)
    with pytest.raises(RuntimeError, match="these are joints"):
        bpy.ops.omi_joint.body_add(type="static")
    assert not hinge.omi_physics_body.is_body


def test_a_body_that_is_a_partner_stays_a_body() -> None:
    """A body that a joint connects to directly can still change its motion."""
    frame, _, hinge = door()
    hinge.omi_physics_joint.connected_node = frame
    select(frame)
    assert bpy.ops.omi_joint.body_add(type="kinematic") == {"FINISHED"}
    assert frame.omi_physics_body.type == "kinematic"


def test_copy_skips_frames_of_joints() -> None:
    """Copy Body to Selected changes bodies and plain objects, and no frame."""
    frame, leaf, hinge = door()
    partner, plain = separated(hinge), box("Plain", (9.0, 0.0, 0.0))
    leaf.omi_physics_body.mass = 8.0
    select(frame, hinge, partner, plain, leaf)
    assert bpy.ops.omi_joint.body_copy() == {"FINISHED"}
    assert [obj.omi_physics_body.is_body for obj in (hinge, partner)] == [False, False]
    assert [obj.omi_physics_body.mass for obj in (frame, plain)] == [8.0, 8.0]


def test_copy_leaves_what_belongs_to_one_object() -> None:
    """Parts of a trigger and unknown members of a file are not copied, all else is."""
    source, target, part = box("Source"), box("Target"), box("Part")
    theirs = source.omi_physics_body
    theirs.is_body, theirs.mass, theirs.use_trigger = True, 3.0, True
    theirs.collider.physics_material.restitution = 0.5
    theirs.trigger.nodes.add().object = part
    theirs.unknown = theirs.motion_unknown = theirs.collider.unknown = '{"a":1}'
    theirs.collider.shape.unknown = theirs.trigger.unknown = '{"a":1}'
    ours = target.omi_physics_body
    ours.motion_unknown = '{"mine":2}'
    select(target, source)
    assert bpy.ops.omi_joint.body_copy() == {"FINISHED"}
    assert (ours.is_body, ours.mass, ours.use_trigger) == (True, 3.0, True)
    assert ours.collider.physics_material.restitution == pytest.approx(0.5)
    assert len(ours.trigger.nodes) == 0
    assert ours.motion_unknown == '{"mine":2}'
    owners = (ours, ours.collider, ours.collider.shape, ours.trigger)
    assert [owner.unknown for owner in owners] == [""] * 4


@pytest.mark.parametrize("name", ["body_copy", "trigger_parts"])
def test_no_active_object_is_said(name: str) -> None:
    """Where the active object was deleted the button is grey and says why."""
    source, target = box("Source"), box("Target")
    select(target, source)
    bpy.data.objects.remove(source)
    with pytest.raises(RuntimeError, match="No active object"):
        getattr(bpy.ops.omi_joint, name)()


def shared_action(other: bpy.types.Object, body: bpy.types.Object) -> bpy.types.Action:
    """Key the mass of a body and the place of another object in two slots of one action."""
    body.omi_physics_body.keyframe_insert("mass", frame=1)
    action = body.animation_data.action
    animation = other.animation_data_create()
    animation.action = action
    animation.action_slot = action.slots.new("OBJECT", other.name)
    other.keyframe_insert("location", frame=1)
    assert len(action.slots) == 2
    return action


def keyed() -> list[str]:
    """Check the scene and return who is said to animate physics."""
    issues()
    found = bpy.context.window_manager.omi_physics_joint.issues
    return [issue.where for issue in found if issue.code == "keyed-physics"]


@pytest.mark.parametrize("where", ["active", "strip"])
def test_shared_action_counts_for_its_slot(where: str) -> None:
    """Of two objects that share an action only the one that keys physics is said to, strips too."""
    frame, leaf, _ = door()
    action = shared_action(frame, leaf)
    if where == "strip":
        for obj in (frame, leaf):
            slot = obj.animation_data.action_slot
            obj.animation_data.action = None
            strip = obj.animation_data.nla_tracks.new().strips.new("Strip", 1, action)
            strip.action_slot = slot
    assert keyed() == ["Door"]


def test_the_scale_of_a_collider_is_put_into_its_shape() -> None:
    """Fix leaves every corner, every child and the pose of every joint where it was."""
    _, leaf, hinge = door()
    leaf.scale = (1.0, 0.1, 2.0)
    bpy.context.view_layer.update()
    places = [(obj, obj.matrix_world.copy()) for obj in (hinge, *leaf.children)]
    corners = [leaf.matrix_world @ vertex.co for vertex in leaf.data.vertices]
    (found,) = [x for x in diagnose_scene(bpy.context.scene)[0] if x.code == "collider-scaled"]
    assert "1 × 0.1 × 2" in found.message, "in the order of Blender's axes"
    assert found.severity is Severity.HINT
    FIXES["collider-scaled"].mend(leaf)
    bpy.context.view_layer.update()
    assert tuple(leaf.scale) == (1.0, 1.0, 1.0)
    for corner, vertex in zip(corners, leaf.data.vertices, strict=True):
        assert (leaf.matrix_world @ vertex.co - corner).length < 1e-6
    for obj, world in places:
        assert (obj.matrix_world - world).to_translation().length < 1e-6
        assert (obj.matrix_world.to_scale() - world.to_scale()).length < 1e-6
    assert "collider-scaled" not in {x.code for x in diagnose_scene(bpy.context.scene)[0]}


@pytest.mark.parametrize("kind", ["box", "sphere", "capsule", "cylinder", "plane"])
def test_fix_of_a_scale_leaves_shapes_as_they_stand(kind: str) -> None:
    """What plays and is exported is as large afterwards, turned and below what is scaled too."""
    above = bpy.data.objects.new("Above", None)
    bpy.context.collection.objects.link(above)
    solid = box("Solid")
    bpy.ops.omi_joint.body_add(type="dynamic")
    solid.parent, above.scale = above, (2.0, 2.0, 2.0)
    solid.scale, solid.rotation_euler = (1.0, 2.0, 0.3), (0.4, 0.5, 0.6)
    shape = solid.omi_physics_body.collider.shape
    shape.type, shape.size, shape.use_size = kind, (1.0, 0.5, 2.0), (True, True)
    shape.radius_bottom, shape.radius_top = 0.2, 0.1

    def stands() -> Shape:
        bpy.context.view_layer.update()
        mechanism = mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism
        (node,) = (one for one in mechanism.nodes if one.collider is not None)
        found = mechanism.shape_of(node)
        assert found is not None
        return standing(found, node.world)

    before = stands()
    FIXES["collider-scaled"].mend(solid)
    assert shape.type == kind
    assert differences(stands(), before) == []
    assert tuple(solid.matrix_world.to_scale()) == pytest.approx((1.0, 1.0, 1.0), abs=1e-6)


def mirrored_twice(solid: bpy.types.Object) -> None:
    """Mirror an object below what is mirrored: it looks as it was."""
    solid.parent = box("Above")
    solid.scale.z = solid.parent.scale.z = -1.0


def centred(solid: bpy.types.Object) -> None:
    """Type a center of mass."""
    solid.omi_physics_body.computed_center = False
    solid.omi_physics_body.center_of_mass.y = 0.5


def shaped_by_another(solid: bpy.types.Object) -> None:
    """Have the shape be another mesh."""
    shape = solid.omi_physics_body.collider.shape
    shape.type, shape.mesh = "convex", box("Other").data


WHY_NOT: dict[str, Callable[[bpy.types.Object], object]] = {
    "shares its mesh": lambda solid: setattr(box("Other"), "data", solid.data),
    "is mirrored": lambda solid: setattr(solid.scale, "x", -1.0),
    "is mirrored or flat": mirrored_twice,
    "has modifiers": lambda solid: solid.modifiers.new("Bevel", "BEVEL"),
    "or constraints": lambda solid: solid.constraints.new("LIMIT_SCALE"),
    "is animated": lambda solid: solid.keyframe_insert("scale"),
    "has a delta scale": lambda solid: setattr(solid.delta_scale, "z", 3.0),
    "or a center of mass": centred,
    "is another mesh": shaped_by_another,
}


@pytest.mark.parametrize("why", WHY_NOT)
def test_a_scale_that_cannot_be_applied_says_why(why: str) -> None:
    """Where more than the shape would change nothing is touched, and the sentence says why."""
    solid = box("Solid")
    bpy.ops.omi_joint.body_add(type="dynamic")
    solid.scale = (1.0, 2.0, 1.0)
    solid.data.use_fake_user = True  # which is no user that would see it
    WHY_NOT[why](solid)
    bpy.context.view_layer.update()
    before = numbers(solid.matrix_world), [tuple(one.co) for one in solid.data.vertices]
    with pytest.raises(AuthoringError, match=rf"{why}.*\.$"):
        FIXES["collider-scaled"].mend(solid)
    bpy.context.view_layer.update()
    assert (numbers(solid.matrix_world), [tuple(one.co) for one in solid.data.vertices]) == before


def test_a_scale_is_applied_where_nothing_of_that_is_about_it() -> None:
    """Keys of a place, its own mesh that is kept and named, a center of mass that is computed."""
    solid = box("Solid")
    bpy.ops.omi_joint.body_add(type="dynamic")
    solid.scale = (1.0, 2.0, 1.0)
    solid.data.use_fake_user = True
    solid.keyframe_insert("location")
    centred(solid)
    solid.omi_physics_body.computed_center = True
    shape = solid.omi_physics_body.collider.shape
    shape.type, shape.mesh = "convex", solid.data
    FIXES["collider-scaled"].mend(solid)
    assert tuple(solid.scale) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("kind", "enabled", "animated", "motion"),
    [
        ("ACTIVE", True, False, "dynamic"),
        ("ACTIVE", True, True, "kinematic"),
        ("ACTIVE", False, False, "kinematic"),
        ("PASSIVE", True, False, "static"),
        ("PASSIVE", False, False, "static"),
        ("PASSIVE", True, True, "kinematic"),
    ],
)
def test_a_rigid_body_of_blender_moves_as_before(
    kind: str, enabled: bool, animated: bool, motion: str
) -> None:
    """What Bullet does not move is not moved by us; what is animated is led."""
    bpy.ops.rigidbody.world_add()
    select(box("Crate"))
    bpy.ops.rigidbody.object_add(type=kind)
    rigid = bpy.context.object.rigid_body
    rigid.enabled, rigid.kinematic = enabled, animated
    assert bpy.ops.omi_joint.from_rigid_body() == {"FINISHED"}
    assert bpy.context.object.omi_physics_body.type == motion


@pytest.mark.parametrize(
    ("shape", "tall", "height"),
    [("CYLINDER", 3.0, 3.0), ("CONE", 3.0, 3.0), ("CAPSULE", 3.0, 1.0), ("CAPSULE", 1.5, 0.0)],
)
def test_what_is_round_is_as_wide_as_its_mesh(shape: str, tall: float, height: float) -> None:
    """Along whichever axis that is wider; a cone has a point above, a wide capsule is a ball."""
    obj = rigid(box("Oval"))
    obj.data.transform(Matrix.Diagonal((0.5, 1.0, 0.5 * tall, 1.0)))
    obj.rigid_body.collision_shape = shape
    take_over([obj])
    found = obj.omi_physics_body.collider.shape
    top = 0.0 if shape == "CONE" else 1.0
    assert (found.radius_bottom, found.radius_top, found.height) == (1.0, top, height)
