# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes the kind of joints that exist, and which way is positive; place and bodies stay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import inf

import bpy
from bpy.types import Object
from mathutils import Matrix

from ...model.joint import Drive, Freedom, JointSettings, Limit, on_axes
from ...model.wording.describe import sole_axis
from ..between_bodies.zero_angle import half_turn, into_body, relabelling
from ..bridge.placed import bodies_of
from ..bridge.read_settings import settings_from_block, settings_of
from ..bridge.write import fill_settings, new_settings
from ..joints.authoring import AuthoringError, JointKind, faces_back, moving_body
from ..joints.editing import aimed_axis, frame_of, main_axis, turn_frames, turns_about
from ..joints.settings_editing import by_settings

FREEDOM_OF = {"HINGE": Freedom.ANGULAR, "SLIDER": Freedom.LINEAR}
"""What each kind with a range leaves free on its axis."""


def has_range(joint: Object, kind: str) -> bool:
    """Return whether a joint has a range already that it would keep as another kind."""
    freedom, settings = FREEDOM_OF.get(kind), settings_of(joint)
    if freedom is None:
        return False
    return bool(_limits_kept(settings, freedom, main_axis(settings), 0))


def change_kind(joints: Sequence[Object], kind: JointKind, *, keep_range: bool) -> None:
    """Make joints another kind, at the same place, about or along the same axis.

    What keeps a range or a motor moves as before; others look where new joints would, and have the
    range of the kind. Settings that other joints share stay as they are: the chosen joints get a
    copy, one for all that shared a block.
    """
    everywhere = by_settings(bpy.data.objects)
    for block, users in by_settings(joints).items():
        old = settings_from_block(block) if block is not None else JointSettings()
        limits, drives = _left(old, kind) if keep_range else ((), ())
        new = _settings(old, kind, limits, drives)
        was_cone = aimed_axis(old) is not None and sole_axis(old) is None
        to_new_axis = relabelling(main_axis(old), kind.axis)
        for joint in users:
            rotation = to_new_axis
            if not (limits or drives) and _is_turned(joint, kind, was_cone=was_cone):
                rotation = to_new_axis @ half_turn(kind.axis)
            if kind.name == "HINGE" and not turns_about(old, main_axis(old)):
                frame = frame_of(joint, old) @ rotation
                rotation = rotation @ into_body(frame, kind.axis, moving_body(joint))
            if rotation != Matrix.Identity(4):
                turn_frames(joint, old, rotation)
        if block is not None and block.is_editable and len(everywhere[block]) == len(users):
            fill_settings(block, new)
            block.name = _renamed(block.name, kind)
            continue
        made = new_settings(replace(new, name=_renamed(block.name if block else "", kind)))
        for joint in users:
            joint.omi_physics_joint.settings = made
    for joint in joints:
        joint.name = _renamed(joint.name, kind)


def flip(joint: Object) -> None:
    """Let a joint with one axis move the other way: a door that opened inward opens outward.

    Raises:
        AuthoringError: the joint moves on no axis or on several.
    """
    settings = settings_of(joint)
    axis = sole_axis(settings)
    if axis is None:
        message = f"{joint.name} does not move along or about one single axis: it has no direction."
        raise AuthoringError(message)
    turn_frames(joint, settings, half_turn(axis))


def _left(old: JointSettings, kind: JointKind) -> tuple[tuple[Limit, ...], tuple[Drive, ...]]:
    """Return the limits and drives of settings that still mean something as another kind."""
    freedom, axis = FREEDOM_OF.get(kind.name), main_axis(old)
    if freedom is None:
        return (), ()
    drives = (drive for drive in old.drives if drive.type is freedom and drive.axis == axis)
    kept = tuple(replace(drive, axis=kind.axis) for drive in drives)
    return _limits_kept(old, freedom, axis, kind.axis), kept


def _limits_kept(
    settings: JointSettings, freedom: Freedom, old_axis: int, axis: int
) -> tuple[Limit, ...]:
    """Return the limits that leave a range on one axis, for another axis."""
    return tuple(
        on_axes(limit, freedom, (axis,))
        for limit in settings.limits
        if old_axis in limit.axes(freedom) and not limit.is_lock
    )


def _settings(
    old: JointSettings, kind: JointKind, limits: tuple[Limit, ...], drives: tuple[Drive, ...]
) -> JointSettings:
    """Return the settings of a kind, with what is left of the old ones."""
    bare = replace(kind, low=-inf, high=inf).settings()
    if not limits:
        limits = tuple(limit for limit in kind.settings().limits if limit not in bare.limits)
    return replace(old, limits=(*bare.limits, *limits), drives=drives)


def _is_turned(joint: Object, kind: JointKind, *, was_cone: bool) -> bool:
    """Return whether a new joint of a kind would look the other way than this one does."""
    bodies = bodies_of(joint)
    is_cone = kind.name == "PIN"
    return faces_back(*bodies, is_cone=was_cone) != faces_back(*bodies, is_cone=is_cone)


def _renamed(name: str, kind: JointKind) -> str:
    """Return a name in which the old kind gives way to the new one; other names stay."""
    title = kind.name.title()
    return re.sub(r"\b(Weld|Pin|Hinge|Slider)(\.\d+)?$", title, name) if name else title
