# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes joints that exist: says where they point, aims them anew, mends their second frames."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, Object, RegionView3D
from mathutils import Matrix, Vector

from ...model.geometry.frames import rigid_frame
from ...model.joint import AXES, Freedom, JointSettings
from ...model.settings.spans import locked_axes
from ...model.wording.describe import sole_axis
from ..between_bodies.contact import middle_of
from ..between_bodies.forms import mostly_positive
from ..between_bodies.remembered import remember_bodies, remember_place, turn_along
from ..bridge.placed import bodies_of, body_of, plain
from ..bridge.poses.frame_users import joints_using
from ..bridge.poses.second_frames import below, between, second_world, set_value, value_of
from ..bridge.poses.transforms import tidy
from ..bridge.read_settings import settings_of
from .authoring import (
    HINGE_AXIS,
    AuthoringError,
    add_frame,
    aimed,
    is_plain_frame,
    make_bodies,
    moving_of,
    place_frame,
    remove_unused,
)

HANDED_OVER = {
    "omi_physics_joint": (
        *("is_joint", "settings", "connected_body", "connected_node", "connected_name"),
        *("enable_collision", "mute", "unknown"),
    ),
    "omi_physics_breaking": ("use_breaking", "use_force", "force", "use_torque", "torque"),
}
"""What makes an object a joint, by group."""
UPRIGHT = Vector((0.0, 0.0, 1.0))
LYING = 0.3
"""Smallest part of an upright way that is across an axis, else that axis is upright itself."""


def aimed_axis(settings: JointSettings) -> int | None:
    """Return the axis (Blender's) that a joint is aimed by, None where it has none.

    It is the one that a hinge turns about or a slider slides along. Of what turns about several
    axes, as a ball joint does, it is the axis of the cone: the one that is held, or the one that it
    twists about.
    """
    axis = sole_axis(settings)
    if axis is not None or locked_axes(settings, Freedom.LINEAR) != AXES:
        return axis
    held = locked_axes(settings, Freedom.ANGULAR)
    if len(held) == len(AXES):
        return None
    return held[0] if held else HINGE_AXIS


def main_axis(settings: JointSettings) -> int:
    """Return the axis that a joint is aimed by; where it has none, that of hinges."""
    axis = aimed_axis(settings)
    return HINGE_AXIS if axis is None else axis


def turns_about(settings: JointSettings, axis: int) -> bool:
    """Return whether a joint moves on one axis only and turns about it."""
    is_sole = sole_axis(settings) == axis
    return is_sole and axis not in locked_axes(settings, Freedom.ANGULAR)


def turn_frames(joint: Object, settings: JointSettings, rotation: Matrix) -> None:
    """Turn both frames of a joint by a rotation about their own axes, where they stand."""
    for frame in (own_partner(joint), joint):
        if frame is not None:
            place_frame(frame, frame_of(frame, settings) @ rotation)
            tidy(frame)
    turn_along(joint, rotation)
    value = value_of(joint)
    if value is not None:
        set_value(joint, rotation.inverted() @ value @ rotation)


def frame_of(obj: Object, settings: JointSettings | None = None) -> Matrix:
    """Return the rigid frame that an object stands for."""
    return Matrix(rigid_frame(plain(obj.matrix_world), settings))


def reaim(joint: Object, direction: Vector) -> None:
    """Turn both frames of a joint so that it moves along or about a direction.

    The cone of a ball joint points along it then.

    A positive value then moves the body that stands against a still one along the direction, as
    with a new joint.

    Raises:
        AuthoringError: the joint has no axis that could be aimed.
    """
    settings = settings_of(joint)
    axis = aimed_axis(settings)
    if axis is None:
        raise AuthoringError(f"{joint.name} has no axis that could be aimed.")
    partner = own_partner(joint)
    frame = aimed(
        axis,
        direction,
        joint.matrix_world.translation,
        bodies_of(joint),
        is_cone=sole_axis(settings) is None,
        turns=turns_about(settings, axis),
    )
    remember_place(joint, frame)
    for each in (joint, partner):
        if each is not None:
            place_frame(each, frame)
            tidy(each)
    set_value(joint, None)


def snap_partner(joint: Object) -> None:
    """Put the second frame of a joint where the joint is.

    Raises:
        AuthoringError: the joint is connected to nothing.
    """
    if below(joint) is None:
        raise AuthoringError(f"{joint.name} has no second frame to snap.")
    partner = own_partner(joint)
    if partner is None:
        set_value(joint, None)
    else:
        place_frame(partner, frame_of(joint, settings_of(joint)))


def hold_by(joint: Object, body: Object) -> None:
    """Put a joint below another body, where it stands; it is at rest then.

    Raises:
        AuthoringError: that is the body that it is connected to, or the joint itself.
    """
    other = below(joint)
    if other is not None and body_of(other) == body_of(body):
        message = f"{joint.name} is connected to {body.name} already: a joint needs two bodies."
        raise AuthoringError(message)
    if joint == body or body in joint.children_recursive:
        raise AuthoringError(f"{body.name} is below {joint.name} and cannot hold it.")
    put_below(joint, body, joint.matrix_world.copy())
    joint.omi_physics_joint.property_unset("joined")
    set_value(joint, None)


def connect(joint: Object, body: Object) -> None:
    """Connect a joint to a body, or to an object, which becomes a static body if it is none.

    A second frame of its own goes, since it belongs to the body that was connected before.

    Raises:
        AuthoringError: the object belongs to the joint's own body, or is linked.
    """
    owner = body_of(body)
    is_new = owner is None and body.is_editable and joint not in body.children_recursive
    if is_new:
        owner = body
    if owner is None or owner == body_of(joint):
        message = f"{body.name} is not another body: select the body to connect {joint.name} to."
        raise AuthoringError(message)
    if is_new:
        make_bodies({owner: "static"})
    data = joint.omi_physics_joint
    old, data.connected_node = data.connected_node, None
    data.connected_body = owner
    remember_bodies(joint, joint.matrix_world)
    remove_unused({old})


def separate(joint: Object) -> Object:
    """Give a joint an object of its own for its second frame, where that stands, and return it.

    Raises:
        AuthoringError: the joint is connected to no body.
    """
    data = joint.omi_physics_joint
    partner: Object | None = data.connected_node
    if partner is not None:
        return partner
    body = body_of(data.connected_body)
    if body is None:
        raise AuthoringError(f"{joint.name} is connected to no body: choose its second body first.")
    world = second_world(joint)
    assert world is not None
    return _new_partner(joint, body, world.copy())


def merge(joint: Object) -> Object | None:
    """Make what the object of a second frame says the value of the joint, and return that object.

    It is up to the caller to remove it.

    Raises:
        AuthoringError: the second frame is below no body, or mirrored against the joint.
    """
    data = joint.omi_physics_joint
    partner: Object | None = data.connected_node
    if partner is None:
        return None
    body = body_of(partner)
    if body is None or body == body_of(joint):
        raise AuthoringError(f"The second frame of {joint.name} is below no other body.")
    value = between(joint.matrix_world, partner.matrix_world)
    if value.determinant() < 0.0:
        raise AuthoringError(f"One frame of {joint.name} is mirrored: it needs both.")
    data.connected_node = None
    data.connected_body = body
    set_value(joint, value)
    return partner


def put_below(frame: Object, body: Object, world: Matrix) -> None:
    """Parent a frame to a body and put it at a world matrix."""
    frame.parent, frame.parent_type, frame.parent_bone = body, "OBJECT", ""
    place_frame(frame, world)


def own_partner(joint: Object) -> Object | None:
    """Return the partner of a joint as a frame that may be moved for this joint alone.

    A partner that other joints use too, that is a joint itself, or that is more than a frame (an
    imported file may name a body) stays as it is, and the joint gets a partner of its own there.

    Raises:
        AuthoringError: the partner is linked from another file, or below no body.
    """
    data = joint.omi_physics_joint
    partner: Object | None = data.connected_node
    if partner is None:
        return None
    shared = len(joints_using(partner)) > 1 or partner.omi_physics_joint.is_joint
    if not shared and is_plain_frame(partner) and partner.is_editable:
        return partner
    body = body_of(partner)
    if body is None:
        message = f"The second frame of {joint.name} is below no body: Check says how to fix that."
        raise AuthoringError(message)
    return _new_partner(joint, body, frame_of(partner, settings_of(joint)))


def _new_partner(joint: Object, body: Object, world: Matrix) -> Object:
    size = 0.5 * joint.empty_display_size
    partner = add_frame(f"{joint.name} Second Frame", body, world, size)
    partner.omi_physics_joint.is_partner = True
    data = joint.omi_physics_joint
    if data.connected_node is None and data.connected_name:
        partner.name = data.connected_name
    data.connected_node = partner
    data.connected_body = None
    return partner


def hand_over(joint: Object, other: Object) -> None:
    """Make another object the joint instead; place and value stay behind."""
    for group, names in HANDED_OVER.items():
        old, new = getattr(joint, group), getattr(other, group)
        for name in names:
            setattr(new, name, getattr(old, name))
    data = joint.omi_physics_joint
    data.is_joint = data.enable_collision = data.mute = False
    data.settings = data.connected_node = data.connected_body = None
    data.connected_name = data.unknown = ""
    joint.property_unset("omi_physics_breaking")


def partner_of(obj: Object) -> Object | None:
    """Return the second frame of a joint where that is an object, or the joint of such a one."""
    if obj.omi_physics_joint.is_joint:
        partner: Object | None = obj.omi_physics_joint.connected_node
        return partner
    return next(iter(joints_using(obj)), None)


def upright_across(axis: Vector) -> Vector:
    """Return the way that is most upright of all across an axis; up itself for an upright one."""
    across = UPRIGHT - UPRIGHT.project(axis)
    return across.normalized() if across.length > LYING else UPRIGHT.copy()


def direction_of(choice: str, context: Context, obj: Object) -> Vector:
    """Return a unit vector in the world for one of ``data.scene.DIRECTIONS`` but "TOWARDS".

    The object tells local axes and selected edges.

    Raises:
        AuthoringError: there is no view, or not one selected edge.
    """
    frame, _, axis = choice.partition("_")
    if frame == "GLOBAL":
        return Vector([name == axis for name in "XYZ"])
    if frame == "LOCAL":
        column = obj.matrix_world.col["XYZ".index(axis)].to_3d()
        if column.length == 0.0:
            message = f"{obj.name} has no size along its {axis} axis: give it a scale first."
            raise AuthoringError(message)
        return column.normalized()
    if frame == "VIEW":
        view = _view_of(context)
        if view is None:
            message = "There is no 3D view to take the axis from: choose a global or local axis."
            raise AuthoringError(message)
        return view.view_rotation @ UPRIGHT
    return _edge_direction(obj)


def towards(place: Vector, moving: Object, still: Object) -> Vector:
    """Return the direction from a joint into the body that moves, as along a limb.

    Where the joint is in the middle of that body it is the way from the other body; upright where
    both have the same middle.
    """
    middle = middle_of(moving)
    small = 1e-4 * max(*moving.dimensions, *still.dimensions, 1e-3)
    for way in (middle - place, middle - middle_of(still)):
        if way.length > small:
            return way.normalized()
    return UPRIGHT.copy()


def into_moving_body(joint: Object) -> Vector:
    """Return the direction from a joint into the body that moves against the other one.

    Raises:
        AuthoringError: the joint does not join two bodies.
    """
    holder, other = bodies_of(joint)
    if holder is None or other is None:
        raise AuthoringError(f"{joint.name} does not join two bodies: Check says how to fix that.")
    moving = moving_of(holder, other)
    return towards(joint.matrix_world.translation, moving, other if moving == holder else holder)


def _view_of(context: Context) -> RegionView3D | None:
    """Return the 3D view that the user means: the one that was clicked in, or else the largest.

    Buttons of the sidebar, of the Properties editor and of the redo box are in no view; those of
    their own window come before those of others.
    """
    if context.region_data is not None:
        return context.region_data
    areas = [context.area] if context.area is not None else []
    windows = sorted(context.window_manager.windows, key=lambda one: one != context.window)
    for window in windows:
        areas += sorted(window.screen.areas, key=lambda one: -one.width * one.height)
    return next((one.spaces.active.region_3d for one in areas if one.type == "VIEW_3D"), None)


def _edge_direction(obj: Object) -> Vector:
    """Return the direction of the one selected edge; of its two ways the mostly positive one."""
    edges = selected(obj, "edges")
    if len(edges) != 1:
        message = f"Select exactly one edge of {obj.name} in Edit Mode ({len(edges)} are selected)."
        raise AuthoringError(message)
    a, b = (obj.matrix_world @ obj.data.vertices[i].co for i in edges[0].vertices)
    direction = (b - a).normalized()
    if not any(direction):
        raise AuthoringError(f"The selected edge of {obj.name} has no length.")
    return mostly_positive(direction)


def selected(obj: Object, parts: str) -> list[Any]:
    """Return the selected "edges" or "vertices" of an object, those of Edit Mode if it is on."""
    if obj.type != "MESH":
        return []
    if obj.mode == "EDIT":
        obj.update_from_editmode()
    return [part for part in getattr(obj.data, parts) if part.select]
