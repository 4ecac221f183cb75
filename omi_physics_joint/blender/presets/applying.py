# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives joints the settings of a preset, and keeps them pointing where they pointed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from bpy.types import Object

from ...model.joint import JointSettings
from ..between_bodies.forms import are_parallel, round_shape
from ..between_bodies.zero_angle import relabelling
from ..bridge.placed import bodies_of
from ..bridge.poses.frame_users import joints_using
from ..bridge.read_settings import settings_of
from ..bridge.write import fill_settings, new_settings
from ..data.joint import OmiJointSettings
from ..joints.authoring import AuthoringError, moving_body
from ..joints.editing import UPRIGHT, aimed_axis, reaim, turn_frames, upright_across
from ..joints.settings_editing import users_of
from .carried import borne_by

UPWARD = 0.5
"""Smallest part of its travel by which what bears something goes up."""


def apply_to(
    joints: Sequence[Object], settings: JointSettings
) -> tuple[OmiJointSettings, list[Object]]:
    """Give joints one new settings block; return it and the joints that could not be kept aimed."""
    misaimed = keep_aim(joints, settings)
    block = new_settings(settings)
    for joint in joints:
        joint.omi_physics_joint.settings = block
    return block, misaimed


def overwrite(
    block: OmiJointSettings, settings: JointSettings
) -> tuple[list[Object], list[Object]]:
    """Replace what a settings block says, for all joints that use it; it keeps its name.

    Return those joints, and those of them that could not be kept aimed.
    """
    users = users_of(block)
    misaimed = keep_aim(users, settings)
    fill_settings(block, settings)
    return users, misaimed


def stand_up(joints: Sequence[Object]) -> list[Object]:
    """Aim joints upright that bear what is above them, and return them; what slopes up stays.

    A wheel is borne across its axle, however its car stands. Positive values lift what is borne.
    """
    turned = []
    for joint in joints:
        axis = aimed_axis(settings_of(joint))
        if axis is None or not joint.is_editable:
            continue
        holder, other = bodies_of(joint)
        wheels = (round_shape(body) for body in (holder, other) if body is not None)
        axle = next((wheel.axis for wheel in wheels if wheel is not None and wheel.is_disc), None)
        way = joint.matrix_world.col[axis].to_3d().normalized()
        up, borne = way.dot(UPRIGHT), borne_by(joint)
        lies = abs(up) < UPWARD or (axle is not None and are_parallel(way, axle))
        if not lies and (up > 0.0) == (borne == other):
            continue
        line = way if up > 0.0 else -way
        if lies:
            line = upright_across(axle or way)
        with suppress(AuthoringError):  # which Check says of its second frame
            reaim(joint, line if borne == moving_body(joint) else -line)
            if lies:
                turned.append(joint)
    return turned


def keep_aim(joints: Sequence[Object], settings: JointSettings) -> list[Object]:
    """Turn frames so that new settings move joints along or about the same line as the old ones.

    A plain hinge turns about Y, one with a motor about Z, a slider slides along X: without this a
    door would fall over when it gets a closer. Return the joints that cannot turn, and have another
    axis now: what is linked, or is a second frame of others, which must not change.
    """
    new, stuck = aimed_axis(settings), []
    if new is None:
        return []
    for joint in joints:
        old = settings_of(joint)
        axis = aimed_axis(old)
        if axis in (None, new):
            continue
        with suppress(AuthoringError):  # which Check says of its second frame
            if joint.is_editable and not joints_using(joint):
                turn_frames(joint, old, relabelling(axis, new))
                continue
        stuck.append(joint)
    return stuck
