# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes joints others: of another kind, the other way round, with their sides swapped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf

import bpy
from bpy.types import Object
from mathutils import Matrix, Vector

from ...model.geometry.frames import rigid_frame
from ...model.joint import AXES, Drive, Freedom, JointSettings, Limit, on_axes
from ...model.settings.spans import axis_range
from ...model.wording.describe import sole_axis, special_name
from ...model.wording.words import listed, some
from ..between_bodies.zero_angle import half_turn, relabelling, settled
from ..bridge.placed import bodies_of, body_of, plain
from ..bridge.poses.frame_users import joints_using
from ..bridge.poses.second_frames import below, between, second_world, set_value, value_of
from ..bridge.poses.transforms import tidy
from ..bridge.read_settings import settings_from_block, settings_of
from ..bridge.write import fill_settings, new_settings
from ..data.joint import OmiJointSettings
from .authoring import AuthoringError, JointKind, faces_back, moving_body
from .editing import (
    aimed_axis,
    frame_of,
    hand_over,
    main_axis,
    own_partner,
    put_below,
    turn_frames,
    turns_about,
)
from .settings_editing import by_settings

FREEDOM_OF = {"HINGE": Freedom.ANGULAR, "SLIDER": Freedom.LINEAR}
"""What each kind with a range leaves free on its axis."""
WAYS = {"HINGE": " about ", "SLIDER": " along "}
LOCAL = "local "
"""Begins the name of an axis of a body."""
SQUARE = 0.99995
"""Cosine of half a degree: an axis of the world is called so within that."""


def has_range(joint: Object, kind: str) -> bool:
    """Return whether a joint has a range already that it would keep as another kind."""
    freedom, settings = FREEDOM_OF.get(kind), settings_of(joint)
    if freedom is None:
        return False
    return bool(_limits_kept(settings, freedom, main_axis(settings), 0))


def along_which(kind: str, directions: Iterable[Vector], bodies: Iterable[Object]) -> str:
    """Return " about Z" or " along X and local Y of Lid"; nothing for what has no axis."""
    if kind not in WAYS:
        return ""
    named: dict[str, list[str]] = {}
    for direction, body in zip(directions, bodies, strict=True):
        named.setdefault(_axis(direction, body), []).append(body.name)
    of = {axis: f" of {some(names, 2)}" * (LOCAL in axis) for axis, names in named.items()}
    ways = listed([axis + bodies for axis, bodies in of.items()])
    return WAYS[kind] + ways


def _axis(direction: Vector, body: Object) -> str:
    own = direction @ body.matrix_world.to_3x3().normalized()
    for of, way in (("", direction), (LOCAL, own)):
        for letter, part in zip("XYZ", way.normalized(), strict=True):
            if abs(part) > SQUARE:
                return of + letter
    is_level = abs(direction.normalized().z) < (1.0 - SQUARE**2) ** 0.5
    return "a level axis" if is_level else "a slanted axis"


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
                rotation = rotation @ settled(frame, kind.axis, moving_body(joint), body_of(joint))
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


def swap_sides(
    joint: Object, read: Callable[[OmiJointSettings], JointSettings] = settings_from_block
) -> Object:
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
    joint: Object, second: Object, settings: JointSettings, turn: Matrix
) -> Object:
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


def _exchange_frames(joint: Object, partner: Object) -> Object:
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
    if not settings.drives and special_name(settings) in {"Weld", "Pin"}:
        return Matrix.Identity(4).freeze()
    moving = sole_axis(settings)
    others = [(freedom, axis) for freedom in Freedom for axis in AXES if axis != moving]
    held = all(axis_range(settings, *other) == (0.0, 0.0) for other in others)
    return None if moving is None or not held else half_turn(moving).freeze()
