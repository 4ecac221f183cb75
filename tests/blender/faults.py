# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes with one fault each, as people make them: tipped, far out, below a scaled parent."""

from __future__ import annotations

from collections.abc import Callable

import bpy
from mathutils import Matrix, Vector
from scenes import box, four_bar, joined, select, separated

from omi_physics_joint.blender.joints.editing import hand_over
from tests.blender.faulty_door import AWAY, Door, at, block, put
from tests.blender.test_check_constraints import pulled


def without_settings() -> None:
    """A joint has lost its settings."""
    Door().data.settings = None


def second_body_unlinked() -> None:
    """The second body is in no scene any more."""
    door = Door()
    for collection in door.frame.users_collection:
        collection.objects.unlink(door.frame)


def second_body_gone() -> None:
    """A joint has no second body."""
    Door().data.connected_body = None


def muted() -> None:
    """A joint is muted."""
    Door().data.mute = True


def reversed_range() -> None:
    """The minimum is above the maximum."""
    Door().limit(1.2, -0.3)


def narrow() -> None:
    """A range is too small to see."""
    Door().limit(0.0, 1e-4)


def locked_loop() -> None:
    """Four hinges of a linkage have ranges at whose ends they stand."""
    before = set(bpy.data.objects)
    four_bar(use_range=True)
    for obj in set(bpy.data.objects) - before:
        if obj.parent is None:
            obj.matrix_world = AWAY.normalized() @ obj.matrix_world
    bpy.context.view_layer.update()


def motor_at_bound() -> None:
    """A motor meets the end of a range."""
    door = Door()
    bpy.ops.omi_joint.change_drive(kind="MOTOR")
    limits = door.settings.limits
    bounds = limits[2] if len(limits) > 2 else limits.add()
    bounds.freedom, bounds.axes = "angular", (False, True, False)
    bounds.use_min = bounds.use_max = True
    bounds.angular_min, bounds.angular_max = -1.0, 1.0


def idle_limit() -> None:
    """Two ranges are wider than the rope beside them."""
    limits = Door("PIN").settings.limits
    limits[0].together, limits[0].use_min, limits[0].linear_max = True, False, 0.3
    for axes in ((True, False, False), (False, True, False)):
        more = limits.add()
        more.freedom, more.axes, more.use_min, more.use_max = "linear", axes, True, True
        more.linear_min, more.linear_max = -1.0, 1.0


def on_geometry() -> None:
    """A joint is on a mesh."""
    door = Door()
    part = box("Part")
    part.parent, part.matrix_world = door.leaf, door.hinge.matrix_world
    bpy.context.view_layer.update()
    hand_over(door.hinge, part)
    bpy.data.objects.remove(door.hinge)


def trigger_part_gone() -> None:
    """A part of a trigger was deleted."""
    Door()
    trigger, left, right = (block(name, (3.0, 0.0, 0.0), (1.0, 1.0, 1.0)) for name in "TLR")
    trigger.omi_physics_body.use_trigger = True
    for part in (left, right):
        part.parent = trigger
        part.omi_physics_body.use_trigger = True
        trigger.omi_physics_body.trigger.nodes.add().object = part
    select(left)
    bpy.ops.object.delete()


def no_mesh() -> None:
    """A hull is on an empty, which is a trigger that has a mesh."""
    door = Door()
    empty = bpy.data.objects.new("Hull", None)
    bpy.context.scene.collection.objects.link(empty)
    put(empty, door.leaf)
    body = empty.omi_physics_body
    body.use_collider = body.use_trigger = True
    body.collider.shape.type = body.trigger.shape.type = "convex"
    body.trigger.shape.mesh = door.leaf.data


def no_body() -> None:
    """What the joint is below is no body."""
    Door().leaf.omi_physics_body.is_body = False


def parent_cleared() -> None:
    """The parent of the joint was cleared."""
    select(Door().hinge)
    bpy.ops.object.parent_clear(type="CLEAR_KEEP_TRANSFORM")


def second_no_body() -> None:
    """The second body is none."""
    Door().frame.omi_physics_body.is_body = False


def second_frame_cleared() -> None:
    """The second frame is below nothing."""
    second = separated(Door().hinge)
    select(second)
    bpy.ops.object.parent_clear(type="CLEAR_KEEP_TRANSFORM")


def under_static() -> None:
    """The joint is below the body that stands."""
    door = Door()
    door.frame.omi_physics_body.type, door.leaf.omi_physics_body.type = "dynamic", "static"


def apart() -> None:
    """The second frame strayed."""
    separated(Door().hinge).location.z += 0.5


def static_below() -> None:
    """A static body is below the handle of the door, a body that moves below another one."""
    door = Door()
    handle = block("Handle", (0.95, -0.1, 1.0), (0.1, 0.1, 0.1))
    joined("WELD", door.leaf, handle)
    post = block("Post", (1.5, 0.0, 1.0), (0.1, 0.1, 2.0))
    select(post)
    bpy.ops.omi_joint.body_add(type="static")
    for below, above in ((handle, door.leaf), (post, handle)):
        select(below, above)
        bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)


def separated_part() -> None:
    """A part of the door became a body by Separate."""
    door = Door()
    more = block("More", (0.9, -0.1, 1.0), (0.1, 0.1, 0.1))
    select(more, door.leaf)
    bpy.ops.object.join()
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.separate(type="LOOSE")
    bpy.ops.object.mode_set(mode="OBJECT")


def duplicated() -> None:
    """The door was duplicated without its joint."""
    select(Door().leaf)
    bpy.ops.object.duplicate()
    bpy.context.object.location.y += 3.0


def keyed(obj: bpy.types.Object) -> None:
    """Key an object at two frames."""
    place = obj.location.copy()
    for frame, far in ((0, 0.0), (25, 0.3)):
        obj.location = place + Vector((0.0, 0.0, far))
        obj.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(0)


def static_keyed() -> None:
    """The frame is keyed."""
    keyed(Door().frame)


def dynamic_keyed() -> None:
    """The door is keyed."""
    keyed(Door().leaf)


def dynamic_keyed_with_others() -> None:
    """The door is keyed, and a dynamic knob is on it alone."""
    door = Door()
    knob = block("Knob", (0.9, -0.2, 1.0), (0.1, 0.1, 0.1))
    door.data.connected_body.omi_physics_body.type = "dynamic"
    joined("WELD", door.leaf, knob)
    keyed(door.leaf)


def constrained() -> None:
    """The door is a child of another object by a constraint."""
    door = Door()
    pulled(door.leaf, block("Ship", (3.0, 0.0, 0.0), (1.0, 1.0, 1.0)), "CHILD_OF")
    bpy.ops.object.select_all(action="DESELECT")


def rigid_too() -> None:
    """The door is a rigid body of Blender's."""
    select(Door().leaf)
    bpy.ops.rigidbody.world_add()
    bpy.ops.rigidbody.object_add(type="ACTIVE")


def cloth_too() -> None:
    """The door is cloth."""
    Door().leaf.modifiers.new("Cloth", "CLOTH")


def lid_stands() -> None:
    """A lid was clicked before its chest."""
    chest = block("Chest", (0.0, 0.0, 0.3), (1.0, 0.6, 0.6))
    lid = block("Lid", (0.0, 0.0, 0.625), (1.0, 0.6, 0.05))
    at(0.0, 0.3, 0.6)
    joined("HINGE", lid, chest, place="CURSOR", direction="LOCAL_X")


def one_body() -> None:
    """Both ends are on the door."""
    door = Door()
    door.data.connected_body = door.leaf


def scaled_shape() -> None:
    """The colliders are scaled."""
    Door()


def uneven_ball() -> None:
    """The door, which is scaled unevenly, is a ball to what touches it."""
    Door().leaf.omi_physics_body.collider.shape.type = "sphere"


def opened() -> None:
    """The door was opened by hand after it was joined."""
    door = Door(use_range=True)
    place = door.hinge.matrix_world.normalized()
    turn = Matrix.Rotation(-0.7, 4, "Y")
    door.leaf.matrix_world = place @ turn @ place.inverted() @ door.leaf.matrix_world
    bpy.context.view_layer.update()


def scaled_slider() -> None:
    """A drawer was scaled after it was joined."""
    door = Door("SLIDER", use_range=True, distance_min=0.0, distance_max=0.4)
    door.leaf.scale *= 1.5
    bpy.context.view_layer.update()


def scaled_import() -> None:
    """A door of a file that gave its inertia was scaled after it was imported."""
    leaf = Door().leaf
    leaf.omi_physics_body.inertia_diagonal = (150.0, 180.0, 30.0)
    leaf.omi_physics_body.read_scale = leaf.matrix_world.to_scale()
    leaf.scale *= 0.8
    bpy.context.view_layer.update()


def scaled_body() -> None:
    """The door was scaled after it was weighed."""
    Door().leaf.scale *= 0.8


def mirrored() -> None:
    """The empty of the joint is mirrored."""
    Door().hinge.scale.x = -1.0


def sheared() -> None:
    """The empty of the joint is turned below a door that is scaled unevenly."""
    door = Door()
    world = door.hinge.matrix_world.copy()
    door.hinge.matrix_parent_inverse.identity()
    door.hinge.matrix_basis = door.leaf.matrix_world.inverted().normalized() @ world
    door.hinge.rotation_euler = (0.4, 0.5, 0.6)


def mass_on_hinge() -> None:
    """The origin came to the hinge, and the mass with it."""
    door = Door(direction="LOCAL_Z")
    select(door.leaf)
    at(0.07, 0.0, 1.0)
    bpy.ops.object.origin_set(type="ORIGIN_CURSOR")
    door.leaf.omi_physics_body.computed_center = False


def reset_joint() -> None:
    """The location and rotation of a joint were cleared."""
    hinge = Door().hinge
    hinge.location = hinge.rotation_euler = (0.0, 0.0, 0.0)
    bpy.context.view_layer.update()


def joint_moved_off() -> None:
    """A joint was moved 5 m off its bodies."""
    Door().hinge.location.x += 5.0
    bpy.context.view_layer.update()


def origin_moved() -> None:
    """The origin was moved towards the hinge, and the mass went along."""
    leaf = Door().leaf
    select(leaf)
    at(0.3, 0.0, 1.0)
    bpy.ops.object.origin_set(type="ORIGIN_CURSOR")


def mass_outside() -> None:
    """The center of mass was typed far away."""
    body = Door().leaf.omi_physics_body
    body.computed_center, body.center_of_mass = False, (4.0, 3.0, 0.0)


def accelerated() -> None:
    """A spring works by acceleration."""
    Door()
    bpy.ops.omi_joint.change_drive(kind="SPRING")
    (drive,) = bpy.context.object.omi_physics_joint.settings.drives
    drive.mode, drive.stiffness, drive.damping = "acceleration", 30.0, 2.0
    bpy.context.scene.omi_physics_joint.readers = {"GODOT", "BABYLON", "UNITY", "NEWTON", "PHYSX"}


def stood() -> None:
    """What stood is to move: it has the shape, and the mass, of what stands."""
    Door().frame.omi_physics_body.type = "dynamic"


def stray_frame() -> None:
    """A joint was removed, and its second frame stayed."""
    door = Door()
    separated(door.hinge)
    bpy.data.objects.remove(door.hinge)


FAULTS: dict[str, tuple[Callable[[], None], ...]] = {
    "joint-without-settings": (without_settings,),
    "joint-without-partner": (second_body_unlinked, second_body_gone),
    "joint-muted": (muted,),
    "limit-reversed": (reversed_range,),
    "limit-narrow": (narrow,),
    "limits-lock": (locked_loop,),
    "motor-meets-bound": (motor_at_bound,),
    "limit-never-reached": (idle_limit,),
    "joint-on-geometry": (on_geometry,),
    "trigger-part-missing": (trigger_part_gone,),
    "shape-without-mesh": (no_mesh,),
    "trimesh-moves": (stood,),
    "joint-without-body": (no_body, parent_cleared),
    "connected-without-body": (second_no_body, second_frame_cleared),
    "joint-under-static": (under_static,),
    "frames-apart": (apart,),
    "static-below-dynamic": (static_below,),
    "body-without-joint": (separated_part, duplicated),
    "static-animated": (static_keyed,),
    "dynamic-animated": (dynamic_keyed, dynamic_keyed_with_others),
    "constraint-on-body": (constrained,),
    "rigid-body-too": (rigid_too,),
    "soft-body-too": (cloth_too,),
    "wrong-one-moves": (lid_stands,),
    "same-body": (one_body,),
    "collider-scaled": (scaled_shape,),
    "collider-uneven": (uneven_ball,),
    "reset-since-joined": (reset_joint,),
    "off-since-joined": (joint_moved_off,),
    "opened-since-joined": (opened,),
    "scaled-since-joined": (scaled_slider,),
    "scaled-since-read": (scaled_import,),
    "mass-outdated": (scaled_body,),
    "center-outdated": (origin_moved,),
    "frame-mirrored": (mirrored,),
    "frame-sheared": (sheared,),
    "center-on-hinge": (mass_on_hinge,),
    "center-outside": (mass_outside,),
    **dict.fromkeys(
        [f"{one}-acceleration" for one in ("godot", "babylon", "unity", "newton", "physx")],
        (accelerated,),
    ),
    "partner-of-no-joint": (stray_frame,),
}
"""By code of what Fix is for: the scenes that have it."""
