# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints: the narrowest type that says the same, its frames, limits and drives."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite

from ....model.geometry.transform import Matrix
from ....model.joint import AXES, AXIS_NAMES, DriveMode, Freedom, JointNode, JointSettings
from ....model.keys import Track
from ....model.settings.canonical import canonical
from ....model.settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Quantity
from ....model.settings.radial import Together
from ....model.settings.reversal import reversed_settings
from ... import table
from ...sides import is_reversible
from ...space import Space
from ...units import unit_of
from ..draft import Draft
from ..losses import Losses
from .bounds import AxisRoom, Rooms, rooms_of
from .centring import Frames, centred

LEAST, MOST = "min", "max"


@dataclass(frozen=True, slots=True)
class Side:
    """One body of a joint.

    Attributes:
        prim: path of the prim that the joint names; empty is the world.
        space: of that prim, in m.
        frame: of the joint on it, rigid, in the world, in m.
    """

    prim: str
    space: Space
    frame: Matrix


@dataclass(frozen=True, slots=True)
class Said:
    """A joint as a stage has it, before it is spelled."""

    rooms: Rooms
    sides: tuple[Side, Side]


def said(
    settings: JointSettings, sides: tuple[Side, Side], swap: bool, losses: Losses, node: int
) -> Said:
    """Return a joint with its locks at zero, its bodies in the order that readers want."""
    frames: Frames = (sides[0].frame, sides[1].frame)
    settings, frames = centred(canonical(settings), frames)
    first = Side(sides[0].prim, sides[0].space, frames[0])
    second = Side(sides[1].prim, sides[1].space, frames[1])
    if swap and not is_reversible(settings):
        losses.note("usd-other-way", node)
        swap = False
    if swap:
        settings, first, second = reversed_settings(settings), second, first
    rooms = rooms_of(canonical(settings), lambda code: losses.note(code, node))
    return Said(rooms, (first, second))


def spell_joint(draft: Draft, joint: JointNode, what: Said, losses: Losses, node: int) -> None:
    """Spell a joint into a prim.

    Raises:
        ZeroDivisionError: one of its bodies is flat.
    """
    _spell_ends(draft, joint, what.sides)
    rooms = what.rooms
    moving = [room for room in rooms.each if not room.is_fixed]
    if any(room.is_bounded and room.stiffness != inf for room in moving):
        losses.note("usd-soft-limit", node)
    drives = [room.drive for room in rooms.each if room.drive is not None]
    if any(drive.mode is DriveMode.ACCELERATION for drive in drives):
        losses.note("usd-acceleration", node)
    if not moving:
        draft.type = table.FIXED
    elif rooms.together is not None and rooms.together.freedom is Freedom.ANGULAR:
        _spell_ball(draft, rooms.together)
    elif _is_ball(rooms):
        draft.type = table.SPHERICAL
    elif rooms.together is not None and _is_rope(rooms):
        _spell_rope(draft, rooms.together)
        if rooms.together.limit.is_soft:
            losses.note("usd-soft-limit", node)
    elif len(moving) == 1 and rooms.together is None and not moving[0].is_one_sided:
        # With one bound alone: pxr takes a joint of one axis to have both or none.
        _spell_single(draft, moving[0])
    else:
        _spell_generic(draft, rooms)


def _spell_ends(draft: Draft, joint: JointNode, sides: tuple[Side, Side]) -> None:
    names = (table.BODY0, table.POS0, table.ROT0), (table.BODY1, table.POS1, table.ROT1)
    for side, (body, position, rotation) in zip(sides, names, strict=True):
        if side.prim:
            draft.aim(body, (side.prim,))
        place, turn = side.space.place_said(side.frame)
        draft.say(position, place)
        draft.say(rotation, turn)
    draft.say(table.JOINT_ENABLED, joint.enabled)
    draft.say(table.JOINT_COLLIDES, joint.enable_collision)
    for keys in joint.keys:
        draft.key_flag(table.JOINT_COLLIDES, keys)
    if joint.breaking is not None:
        draft.say(table.BREAK_FORCE, joint.breaking.force)
        draft.say(table.BREAK_TORQUE, joint.breaking.torque)


def _is_ball(rooms: Rooms) -> bool:
    linear, angular = rooms.each[: len(AXES)], rooms.each[len(AXES) :]
    free = not any(room.is_bounded or room.drive for room in angular)
    return all(room.is_fixed for room in linear) and free and rooms.together is None


def _is_rope(rooms: Rooms) -> bool:
    return not any(room.is_bounded or room.drive for room in rooms.each)


def _spell_ball(draft: Draft, cone: Together) -> None:
    draft.type = table.SPHERICAL
    draft.say(table.JOINT_AXIS, AXIS_NAMES[cone.left_axis])
    for attribute in (table.CONE0, table.CONE1):
        draft.say(attribute, cone.high)


def _spell_rope(draft: Draft, room: Together) -> None:
    draft.type = table.DISTANCE
    limit = room.limit
    ends = {LEAST: (table.MIN_DISTANCE, room.low), MOST: (table.MAX_DISTANCE, room.high)}
    for attribute, value in ends.values():
        if isfinite(value):
            draft.say(attribute, value)
    springs = {"stiffness": table.DISTANCE_STIFFNESS, "damping": table.DISTANCE_DAMPING}
    if limit.is_soft:
        draft.apply(table.PHYSX_DISTANCE_API)
        draft.insist(table.DISTANCE_SPRING, True)
        draft.say(springs["stiffness"], limit.stiffness)
        draft.say(springs["damping"], limit.damping)
    for keys in limit.keys:
        draft.key(ends[keys.field][0] if keys.field in ends else springs[keys.field], keys)


def _spell_single(draft: Draft, room: AxisRoom) -> None:
    about = room.freedom is Freedom.ANGULAR
    draft.type = table.REVOLUTE if about else table.PRISMATIC
    draft.say(table.JOINT_AXIS, AXIS_NAMES[room.axis])
    instance = table.ABOUT if about else table.ALONG
    names = {LEAST: table.LOWER, MOST: table.UPPER}
    unit = unit_of(Quantity.POSITION, room.freedom)
    for field, value in ((LEAST, room.low), (MOST, room.high)):
        draft.say(names[field], value, unit=unit)
    for keys in room.keys:
        if keys.field in names:
            draft.key(names[keys.field], keys, unit=unit)
    _spell_softness(draft, room, instance)
    _spell_drive(draft, room, instance)


def _spell_generic(draft: Draft, rooms: Rooms) -> None:
    draft.type = table.JOINT
    if rooms.together is not None:
        _spell_distance(draft, rooms.together)
    for room in rooms.each:
        instance = table.DEGREES_OF_FREEDOM[room.freedom, room.axis]
        # Also where nothing bounds it: Newton gives no freedom to axes without this schema.
        draft.apply(table.LIMIT_API, instance)
        if room.is_fixed:
            for attribute, locked in zip((table.LOW, table.HIGH), table.LOCKED, strict=True):
                draft.attributes[attribute.of(instance)] = locked
            continue
        _spell_bounds(draft, room.freedom, (room.low, room.high), room.keys, instance)
        _spell_softness(draft, room, instance)
        _spell_drive(draft, room, instance)


def _spell_distance(draft: Draft, room: Together) -> None:
    instance, limit = table.APART, room.limit
    draft.apply(table.LIMIT_API, instance)
    _spell_bounds(draft, Freedom.LINEAR, (room.low, room.high), limit.keys, instance)
    as_room = AxisRoom(
        Freedom.LINEAR, 0, room.low, room.high, limit.stiffness, limit.damping, limit.keys
    )
    _spell_softness(draft, as_room, instance)


def _spell_bounds(
    draft: Draft, freedom: Freedom, bounds: tuple[float, float], track: Track, instance: str
) -> None:
    unit = unit_of(Quantity.POSITION, freedom)
    for field, value in zip((LEAST, MOST), bounds, strict=True):
        draft.say(table.LIMIT_NUMBERS[field], value, instance, unit)
    for keys in track:
        if keys.field in (LEAST, MOST):
            draft.key(table.LIMIT_NUMBERS[keys.field], keys, instance, unit)


def _spell_softness(draft: Draft, room: AxisRoom, instance: str) -> None:
    """Spell how a bound gives way; one that is rigid says nothing."""
    keyed = {keys.field for keys in room.keys}
    if room.stiffness == inf and "stiffness" not in keyed:
        return
    draft.apply(table.PHYSX_LIMIT_API, instance)
    values = {"stiffness": room.stiffness, "damping": room.damping}
    for field in LIMIT_FIELDS:
        if field.name not in values:
            continue
        unit = unit_of(field.quantity, room.freedom)
        attribute = table.LIMIT_NUMBERS[field.name]
        if isfinite(values[field.name]):
            draft.say(attribute, values[field.name], instance, unit)
        for keys in room.keys:
            if keys.field == field.name:
                draft.key(attribute, keys, instance, unit)


def _spell_drive(draft: Draft, room: AxisRoom, instance: str) -> None:
    drive = room.drive
    if drive is None:
        return
    draft.apply(table.DRIVE_API, instance)
    if drive.mode is DriveMode.ACCELERATION:
        draft.say(table.DRIVE_TYPE, drive.mode.value, instance)
    for field in DRIVE_FIELDS:
        unit = unit_of(field.quantity, room.freedom, drive.mode)
        attribute = table.DRIVE_NUMBERS[field.name]
        value = getattr(drive, field.name)
        if value is not None:
            draft.say(attribute, value, instance, unit)
        for keys in drive.keys:
            if keys.field == field.name:
                draft.key(attribute, keys, instance, unit)
