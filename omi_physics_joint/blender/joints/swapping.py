# SPDX-License-Identifier: GPL-3.0-or-later
"""Swaps the sides of a joint: what was its first body is its second."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import bpy
from mathutils import Matrix

from ...model.geometry.frames import rigid_frame
from ...model.joint import AXES, Freedom, JointSettings
from ...model.settings.ranges import axis_range, is_free
from ...model.wording.describe import sole_axis, special_name
from ..between_bodies.tidying import tidy
from ..between_bodies.zero_angle import half_turn
from ..bridge.placed import body_of, plain
from ..bridge.poses.frame_users import joints_using
from ..bridge.poses.second_frames import below, between, second_world, set_value, value_of
from ..bridge.read_settings import settings_from_block
from ..data.joint import OmiJointSettings
from .authoring import AuthoringError
from .editing import frame_of, hand_over, own_partner, put_below, turn_frames


def swap_sides(
    joint: bpy.types.Object,
    read: Callable[[OmiJointSettings], JointSettings] = settings_from_block,
) -> bpy.types.Object:
    """Put a joint below its second body, and connect it to its first. Nothing moves otherwise.

    The value of a joint is then measured the other way round. Where a joint moves on one axis
    only, both frames turn by half a turn about another axis, which reverses the value again: the
    shared settings stay as they are. Where it only turns, freely, there is nothing to reverse.
    A second frame that is an object becomes the joint, and the joint its second frame.

    Args:
        joint: whose sides are swapped.
        read: how settings are read; thousands of joints that share some ask one that remembers.

    Returns:
        The joint; another object than before where the second frame was one.

    Raises:
        AuthoringError: no turn of the frames gives the same joint with the same settings.
    """
    data = joint.omi_physics_joint
    other = below(joint)
    if other is None or data.settings is None:
        message = f"{joint.name} has no second body or no settings: there are no sides to swap."
        raise AuthoringError(message)
    settings = read(data.settings)
    turn = _turn_for(settings)
    if turn is None:
        message = f"{joint.name} moves on several axes: its limits mean something else there."
        raise AuthoringError(message)
    if data.connected_node is None:
        return _exchange_bodies(joint, other, settings, turn)
    if joints_using(joint):
        message = f"{joint.name} is the second frame of another joint and cannot become one twice."
        raise AuthoringError(message)
    partner = own_partner(joint)
    assert partner is not None
    if turn != Matrix.Identity(4):
        turn_frames(joint, settings, turn)
    return _exchange_frames(joint, partner)


def _exchange_bodies(
    joint: bpy.types.Object, second: bpy.types.Object, settings: JointSettings, turn: Matrix
) -> bpy.types.Object:
    """Swap the sides of a joint that is one object; see ``swap_sides``."""
    first = body_of(joint)
    if first is None:
        message = f"{joint.name} is below no body: Check says how to fix that."
        raise AuthoringError(message)
    own = frame_of(joint, settings) @ turn
    other = Matrix(rigid_frame(plain(second_world(joint)), settings)) @ turn
    at_rest = value_of(joint) is None
    put_below(joint, second, other)
    tidy(joint)
    joint.omi_physics_joint.connected_body = first
    set_value(joint, None if at_rest else between(other, own))
    return joint


def _exchange_frames(joint: bpy.types.Object, partner: bpy.types.Object) -> bpy.types.Object:
    """Make the second frame the joint and the joint its second frame; return the new joint."""
    data, new = joint.omi_physics_joint, partner.omi_physics_joint
    data.connected_node = None
    hand_over(joint, partner)
    new.connected_node = joint
    data.is_partner, new.is_partner = True, False
    size = joint.empty_display_size
    joint.empty_display_size, partner.empty_display_size = partner.empty_display_size, size
    partner_name = partner.name
    partner.rename(joint.name, mode="ALWAYS")  # the joint gets another
    joint.name = partner_name
    return partner


@lru_cache(maxsize=64)  # thousands of joints share few settings
def _turn_for(settings: JointSettings) -> Matrix | None:
    """Return by what both frames turn for settings to mean the same from the other side, if any."""
    if _reverses_itself(settings):
        return Matrix.Identity(4).freeze()
    axis = sole_axis(settings)
    if axis is None or not _locks_at_zero(settings, axis):
        return None
    return half_turn(axis).freeze()


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
