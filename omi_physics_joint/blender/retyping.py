# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes the kind of joints that exist, and which way is positive; place and bodies stay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import inf, pi

import bpy
from mathutils import Matrix

from ..model.describe import special_name
from ..model.joint import AXES, Freedom, JointSettings
from ..model.ranges import is_locked
from ..model.retyping import limits_kept, retyped
from .authoring import HINGE_AXIS, AuthoringError, Kind
from .bridge.read_settings import settings_from_tree
from .bridge.write import fill_settings, new_settings
from .editing import aimed_axis, main_axis, turn_frames
from .properties.joint import OmiJointSettings
from .settings_editing import users_of

FREEDOM_OF = {"HINGE": Freedom.ANGULAR, "SLIDER": Freedom.LINEAR}
"""What each kind with a range leaves free on its axis."""


def kind_of(settings: JointSettings) -> str:
    """Return WELD, PIN, HINGE or SLIDER, or nothing for what is none of them.

    What moves freely on its one axis is a hinge or a slider as well.
    """
    moving = {
        (freedom, axis)
        for freedom in Freedom
        for axis in AXES
        if not is_locked(settings, freedom, axis)
    }
    if len(moving) == 1:
        return "HINGE" if moving.pop()[0] is Freedom.ANGULAR else "SLIDER"
    return special_name(settings).upper()


def has_range(joint: bpy.types.Object, kind: str) -> bool:
    """Return whether a joint has a range already that it would keep as another kind."""
    tree = joint.omi_physics_joint.settings
    freedom = FREEDOM_OF.get(kind)
    if tree is None or freedom is None:
        return False
    settings = settings_from_tree(tree)
    return bool(limits_kept(settings, freedom, _axis(settings), 0))


def change_kind(joints: Sequence[bpy.types.Object], kind: Kind, *, keep_range: bool) -> None:
    """Make joints another kind, at the same place, about or along the same axis.

    Settings that other joints share stay as they are: the chosen joints get a copy, one for all
    that shared a block.

    Args:
        joints: the joints to change.
        kind: what they become; its range is for joints that have none of their own.
        keep_range: keep ranges and drives that still mean something.
    """
    blocks: dict[OmiJointSettings | None, list[bpy.types.Object]] = {}
    for joint in joints:
        blocks.setdefault(joint.omi_physics_joint.settings, []).append(joint)
    for tree, users in blocks.items():
        old = settings_from_tree(tree) if tree is not None else JointSettings()
        for joint in users:
            _turn_to(joint, _axis(old), kind.axis)
        new = _settings(old, kind, keep_range=keep_range)
        if tree is not None and tree.is_editable and len(users_of(tree)) == len(users):
            fill_settings(tree, new)
            tree.name = _renamed(tree.name, kind)
            continue
        made = new_settings(replace(new, name=_renamed(tree.name if tree else "", kind)))
        for joint in users:
            joint.omi_physics_joint.settings = made
    for joint in joints:
        joint.name = _renamed(joint.name, kind)


def flip(joint: bpy.types.Object) -> None:
    """Let a joint with one axis move the other way: a door that opened inward opens outward.

    Raises:
        AuthoringError: the joint moves on no axis or on several.
    """
    tree = joint.omi_physics_joint.settings
    axis = main_axis(settings_from_tree(tree)) if tree is not None else None
    if axis is None:
        message = f"{joint.name} does not move along or about one single axis: it has no direction."
        raise AuthoringError(message)
    turn_frames(joint, Matrix.Rotation(pi, 4, "XYZ"[(axis + 1) % 3]))


def _axis(settings: JointSettings) -> int:
    axis = aimed_axis(settings)
    return HINGE_AXIS if axis is None else axis


def _settings(old: JointSettings, kind: Kind, *, keep_range: bool) -> JointSettings:
    """Return the settings of a kind, with what is left of the old ones."""
    freedom, axes = FREEDOM_OF.get(kind.name), (_axis(old), kind.axis)
    bare = replace(kind, low=-inf, high=inf).settings()
    kept = limits_kept(old, freedom, *axes) if freedom is not None and keep_range else ()
    if not kept:
        whole = kind.settings()
        kept = tuple(limit for limit in whole.limits if limit not in bare.limits)
    return retyped(old, bare, freedom, axes, kept)


def _turn_to(joint: bpy.types.Object, old: int, new: int) -> None:
    """Turn the frames of a joint so that a new axis points where the old one did."""
    if old == new:
        return
    third = 3 - old - new
    sign = 1.0 if (new + 1) % 3 == old else -1.0  # about the third axis, from the new to the old
    turn_frames(joint, Matrix.Rotation(sign * pi / 2.0, 4, "XYZ"[third]))


def _renamed(name: str, kind: Kind) -> str:
    """Return a name in which the old kind gives way to the new one; other names stay."""
    title = kind.name.title()
    return re.sub(r"\b(Weld|Pin|Hinge|Slider)(\.\d+)?$", title, name) if name else title
