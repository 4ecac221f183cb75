# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes joints that exist: aims them anew, swaps their sides, mends their partners."""

from __future__ import annotations

from math import pi

import bpy
from mathutils import Matrix, Vector

from ..model.describe import special_name
from ..model.frames import rigid_frame
from ..model.joint import AXES, Freedom, JointSettings
from ..model.ranges import axis_range, is_free, is_locked
from .authoring import (
    HINGE_AXIS,
    AuthoringError,
    add_frame,
    ask_for_home,
    body_of,
    frame_for,
    is_plain_frame,
    joints_using,
    make_body,
    only_first_moves,
    place_frame,
    remove_unused_partner,
)
from .bridge.placed import plain
from .bridge.read_settings import settings_from_tree


def main_axis(settings: JointSettings) -> int | None:
    """Return the one axis (Blender's) that a joint moves along or about, if there is just one."""
    moving = {
        axis for freedom in Freedom for axis in AXES if not is_locked(settings, freedom, axis)
    }
    return moving.pop() if len(moving) == 1 else None


def aimed_axis(settings: JointSettings) -> int | None:
    """Return the axis (Blender's) that a joint is aimed by, None where it has none.

    It is the one that a hinge turns about or a slider slides along. Of what turns about several
    axes, as a ball joint does, it is the axis of the cone: the one that is held, or the one that it
    twists about.
    """
    axis = main_axis(settings)
    if axis is not None or not all(is_locked(settings, Freedom.LINEAR, one) for one in AXES):
        return axis
    held = [one for one in AXES if is_locked(settings, Freedom.ANGULAR, one)]
    if len(held) == len(AXES):
        return None
    return held[0] if held else HINGE_AXIS


def turn_frames(joint: bpy.types.Object, rotation: Matrix) -> None:
    """Turn both frames of a joint by a rotation about their own axes, where they stand."""
    tree = joint.omi_physics_joint.settings
    settings = settings_from_tree(tree) if tree is not None else None
    partner = own_partner(joint)
    for frame in (partner, joint):
        if frame is not None:
            place_frame(frame, frame_of(frame, settings) @ rotation)


def frame_of(obj: bpy.types.Object, settings: JointSettings | None = None) -> Matrix:
    """Return the rigid frame that an object stands for."""
    return Matrix(rigid_frame(plain(obj.matrix_world), settings))


def reaim(joint: bpy.types.Object, direction: Vector) -> None:
    """Turn both frames of a joint so that it moves along or about a direction.

    The cone of a ball joint points along it then.

    A positive value then moves the body that stands against a still one along the direction, as
    with a new joint.

    Raises:
        AuthoringError: the joint has no axis that could be aimed.
    """
    data = joint.omi_physics_joint
    axis = aimed_axis(settings_from_tree(data.settings)) if data.settings else None
    if axis is None:
        message = f"{joint.name} has no axis that could be aimed."
        raise AuthoringError(message)
    partner = own_partner(joint)
    holder, other = body_of(joint), body_of(partner) if partner else None
    reversed_sides = holder is not None and other is not None and only_first_moves(holder, other)
    way = -direction if reversed_sides else direction
    place = joint.matrix_world.translation.copy()
    frame = frame_for(axis, way, place)
    place_frame(joint, frame)
    if partner is not None:
        place_frame(partner, frame)


def swap_sides(joint: bpy.types.Object) -> bpy.types.Object:
    """Make the partner the joint frame, and the joint frame its partner. Nothing moves otherwise.

    The value of a joint is then measured the other way round. Where a joint moves on one axis
    only, both frames turn by half a turn about another axis, which reverses the value again: the
    shared settings stay as they are. Where it only turns, freely, there is nothing to reverse.

    Returns:
        The new joint frame.

    Raises:
        AuthoringError: no turn of the frames gives the same joint with the same settings.
    """
    data = joint.omi_physics_joint
    if data.connected_node is None or data.settings is None:
        message = f"{joint.name} has no partner or no settings: there are no sides to swap."
        raise AuthoringError(message)
    settings = settings_from_tree(data.settings)
    axis = main_axis(settings)
    turns = not _reverses_itself(settings)
    if turns and (axis is None or not _locks_at_zero(settings, axis)):
        message = f"{joint.name} moves on several axes: its bounds mean something else there."
        raise AuthoringError(message)
    if joints_using(joint):
        message = f"{joint.name} is the partner of another joint and cannot become one twice."
        raise AuthoringError(message)
    partner = own_partner(joint)
    if turns:
        half_turn = Matrix.Rotation(pi, 4, "XYZ"[(axis + 1) % 3])
        turn_frames(joint, half_turn)
    new = partner.omi_physics_joint
    new.is_joint = True
    new.settings = data.settings
    new.connected_node = joint
    new.enable_collision = data.enable_collision
    new.mute = data.mute
    new.unknown = data.unknown
    new.is_partner = False
    clear_joint(joint)
    data.is_partner = True
    size = joint.empty_display_size
    joint.empty_display_size, partner.empty_display_size = partner.empty_display_size, size
    name, partner_name = joint.name, partner.name
    joint.name = ""
    partner.name, joint.name = name, partner_name
    return partner


def snap_partner(joint: bpy.types.Object) -> None:
    """Put the partner of a joint where the joint is.

    Raises:
        AuthoringError: there is no partner.
    """
    data = joint.omi_physics_joint
    if data.connected_node is None:
        message = f"{joint.name} has no partner to snap."
        raise AuthoringError(message)
    settings = settings_from_tree(data.settings) if data.settings else None
    place_frame(own_partner(joint), frame_of(joint, settings))


def own_partner(joint: bpy.types.Object) -> bpy.types.Object | None:
    """Return the partner of a joint as a frame that may be moved for this joint alone.

    A partner that other joints use too, that is a joint itself, or that is more than a frame (an
    imported file may name a body) stays as it is, and the joint gets a partner of its own there.

    Raises:
        AuthoringError: the partner is linked from another file, or below no body.
    """
    data = joint.omi_physics_joint
    partner = data.connected_node
    if partner is None:
        return None
    shared = len(joints_using(partner)) > 1 or partner.omi_physics_joint.is_joint
    if not shared and is_plain_frame(partner) and partner.is_editable:
        return partner
    body = body_of(partner)
    if body is None:
        message = f"The partner of {joint.name} is below no body: Check tells how to mend that."
        raise AuthoringError(message)
    settings = settings_from_tree(data.settings) if data.settings else None
    return _new_partner(joint, body, frame_of(partner, settings))


def add_partner(joint: bpy.types.Object, body: bpy.types.Object) -> bpy.types.Object:
    """Make a new partner for a joint under an object, which becomes a static body if it is none.

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
    ask_for_home(owner)
    if is_new:
        make_body(owner, "static")
    old = joint.omi_physics_joint.connected_node
    partner = _new_partner(joint, owner, frame_of(joint))
    remove_unused_partner(old)
    return partner


def _new_partner(
    joint: bpy.types.Object, body: bpy.types.Object, world: Matrix
) -> bpy.types.Object:
    size = 0.5 * joint.empty_display_size
    partner = add_frame(f"{joint.name} Partner", body, world, size)
    partner.omi_physics_joint.is_partner = True
    joint.omi_physics_joint.connected_node = partner
    return partner


def clear_joint(obj: bpy.types.Object) -> None:
    """Make an object no joint any more."""
    data = obj.omi_physics_joint
    data.is_joint = False
    data.settings = None
    data.connected_node = None
    data.enable_collision = False
    data.mute = False
    data.unknown = ""


def partner_of(obj: bpy.types.Object) -> bpy.types.Object | None:
    """Return the partner of a joint, or the joint of a partner."""
    if obj.omi_physics_joint.is_joint:
        return obj.omi_physics_joint.connected_node
    return next(iter(joints_using(obj)), None)


def _reverses_itself(settings: JointSettings) -> bool:
    """Return whether a joint means the same from its other side, as welds and free pins do."""
    if settings.drives:
        return False
    if special_name(settings) == "Weld":
        return True
    fixed = all(axis_range(settings, Freedom.LINEAR, axis) == (0.0, 0.0) for axis in AXES)
    return fixed and all(is_free(settings, Freedom.ANGULAR, axis) for axis in AXES)


def _locks_at_zero(settings: JointSettings, moving: int) -> bool:
    """Return whether all axes but the moving one are held at zero."""
    return all(
        axis_range(settings, freedom, axis) == (0.0, 0.0)
        for axis in AXES
        if axis != moving
        for freedom in Freedom
    )
