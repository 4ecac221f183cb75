# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints: which bodies they join, the narrowest type that says the same, limits and drives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite

from ....model.geometry.frames import rigid_frame
from ....model.geometry.transform import Matrix, difference
from ....model.joint import (
    AXES,
    AXIS_NAMES,
    Drive,
    DriveMode,
    Freedom,
    JointNode,
    JointSettings,
    Limit,
)
from ....model.mechanics.rounding import TURNED, rounding_of
from ....model.settings.canonical import acting, canonical
from ....model.settings.fields import BESIDE_BOUNDS, DRIVE_FIELDS, LIMIT_FIELDS, Field
from ....model.settings.reversal import is_reversible, reversed_settings
from ....model.settings.spans import Span, spans_of
from ....model.settings.together import Together, by_axis, together_in
from ....model.unknown import EXCLUDED, says
from ... import table
from ...units import WORLD, Space, has_space, space_of, unit_of, unit_of_limit
from ..draft import Draft, Writing
from ..losses import extras_of
from .centring import centred

JOINT_NAME = "Joint"
UNDAMPED = 1e-6
"""s: damping beside stiffness of a soft limit that has none."""
BY_COORDINATES = (table.FIXED, table.REVOLUTE, table.PRISMATIC)
"""Joints that an articulation of PhysX's takes for what they are, if they begin at zero."""


@dataclass(frozen=True, slots=True)
class Side:
    """One body of a joint."""

    prim: str
    """Path of the prim that the joint names; empty is the world."""
    space: Space
    """Of that prim, in m."""
    frame: Matrix
    """Of the joint on it, rigid, in the world, in m."""


def spell_joint(writing: Writing, index: int, joint: JointNode) -> None:
    """Spell the joint of a node: with its locks at zero, its bodies in the order readers want.

    One without a body that moves, or within one body, is left out.
    """
    mechanism, note = writing.mechanism, partial(writing.note, node=index)
    settings = mechanism.settings_of(joint)
    ends = (index, joint.connected_node)
    sides = [side for node in ends if (side := _side(writing, node, joint)) is not None]
    draft = writing.nodes.get(index)
    if (
        draft is None
        or len(sides) != 2
        or sides[0].prim == sides[1].prim
        or not any(mechanism.is_dynamic(mechanism.body_of(node)) for node in ends)
    ):
        note("usd-joint-left-out")
        if draft is not None and draft.type == table.JOINT:
            writing.drafts.remove(draft)
        return
    if draft.type != table.JOINT:
        label = mechanism.nodes[index].name
        draft = writing.new(draft.path, JOINT_NAME, JOINT_NAME, label=label)
    writing.joints[index] = draft
    is_excluded = index in writing.loop_joints or says(joint.unknown, EXCLUDED)
    draft.say(table.EXCLUDED, is_excluded)
    settings, frames = centred(canonical(settings), (sides[0].frame, sides[1].frame))
    sides = [replace(side, frame=frame) for side, frame in zip(sides, frames, strict=True)]
    if index in writing.reversed_joints:
        if is_reversible(settings):
            settings, sides = reversed_settings(settings), sides[::-1]
        else:
            note("usd-other-way")
    rooms, together = _rooms_of(canonical(settings), note)
    _spell_ends(draft, joint, sides)
    _spell_rooms(draft, rooms, together)
    _spell_newton(draft, rooms)
    limits = [room.limit for room in (*rooms, together) if room is not None]
    near = max(TURNED, rounding_of(mechanism, ends))
    is_at_zero = difference(sides[0].frame, sides[1].frame) <= near
    if any(limit.is_soft for limit in limits):
        note("usd-soft-limit")
    elif (
        draft.type in BY_COORDINATES
        and joint.breaking is None
        and not joint.enable_collision
        and is_at_zero
    ):
        writing.simple_joints.add(index)
    drives = [room.drive for room in rooms if room.drive is not None]
    if any(drive.mode is DriveMode.ACCELERATION for drive in drives):
        note("usd-acceleration")


def _side(writing: Writing, node: int, joint: JointNode) -> Side | None:
    """Return the side of a joint that one of its nodes is on; None where a pose is not sound."""
    mechanism, prims = writing.mechanism, writing.layout.prims
    if not 0 <= node < len(mechanism.nodes) or not has_space(mechanism.nodes[node].world):
        return None
    frame = rigid_frame(mechanism.nodes[node].world, mechanism.settings_of(joint))
    body = mechanism.body_of(node)
    if body is None:
        return Side("", WORLD, frame)
    if body not in prims or not has_space(mechanism.nodes[body].world):
        return None
    return Side(prims[body], space_of(mechanism.nodes[body].world), frame)


def _spell_ends(draft: Draft, joint: JointNode, sides: Sequence[Side]) -> None:
    names = (table.BODY0, table.POS0, table.ROT0), (table.BODY1, table.POS1, table.ROT1)
    for side, (body, position, rotation) in zip(sides, names, strict=True):
        if side.prim:
            draft.aim(body, (side.prim,))
        place, turn = side.space.place_said(side.frame)
        draft.say(position, place)
        draft.say(rotation, turn)
    draft.say(table.JOINT_ENABLED, joint.enabled)
    draft.say(table.JOINT_COLLIDES, joint.enable_collision)
    draft.say(table.EXTRAS, extras_of(joint))
    for keys in joint.keys:
        draft.key(table.JOINT_COLLIDES, keys)
    if joint.breaking is not None:
        draft.say(table.BREAK_FORCE, joint.breaking.force)
        draft.say(table.BREAK_TORQUE, joint.breaking.torque)


def _spell_rooms(draft: Draft, rooms: Sequence[AxisRoom], together: Together | None) -> None:
    """Spell a joint as the narrowest type that says what is left and driven."""
    moving = [room for room in rooms if not room.is_fixed]
    linear = rooms[: len(AXES)]
    is_free = not any(room.is_bounded or room.drive for room in moving)
    if not moving:
        draft.type = table.FIXED
    elif together is not None and together.freedom is Freedom.ANGULAR:
        draft.type = table.SPHERICAL
        draft.say(table.JOINT_AXIS, AXIS_NAMES[together.left_axis])
        draft.say(table.CONE0, together.high)
        draft.say(table.CONE1, together.high)
    elif together is None and is_free and len(moving) == 3 and all(one.is_fixed for one in linear):
        draft.type = table.SPHERICAL
    elif together is not None and is_free and len(moving) == len(rooms):
        draft.type = table.DISTANCE
        limit = _as_read(together)
        if gives_way(limit):
            draft.apply(table.PHYSX_DISTANCE_API)
            draft.insist(table.DISTANCE_SPRING, True)
        _spell_numbers(draft, limit, _said_of(limit), table.DISTANCE_NUMBERS, "", Freedom.LINEAR)
    elif len(moving) == 1 and together is None and not moving[0].is_one_sided:
        # With one bound alone: pxr takes a joint of one axis to have both or none.
        room = moving[0]
        about = room.freedom is Freedom.ANGULAR
        draft.type = table.REVOLUTE if about else table.PRISMATIC
        draft.say(table.JOINT_AXIS, AXIS_NAMES[room.axis])
        _spell_room(draft, room, table.ABOUT if about else table.ALONG, table.AXIS_NUMBERS)
    else:
        _spell_generic(draft, rooms, together)


def _spell_newton(draft: Draft, rooms: Sequence[AxisRoom]) -> None:
    """Spell for Newton how soft the bounds are, where one word serves all degrees of freedom.

    It would take rigid ones for springs of its own that bodies bounce off.
    """
    bounded = [room for room in rooms if room.is_bounded and not room.is_fixed]
    if any(keys.field in table.NEWTON_LIMIT for room in bounded for keys in room.limit.keys):
        return
    if bounded and not any(room.limit.is_soft for room in bounded):
        draft.apply(table.NEWTON_JOINT_API)
        draft.say(table.NEWTON_LIMIT["stiffness"], inf)
    elif len({(one.freedom, one.limit.stiffness, one.limit.damping) for one in bounded}) == 1:
        draft.apply(table.NEWTON_JOINT_API)
        for field in BESIDE_BOUNDS:
            unit = unit_of(field.quantity, bounded[0].freedom)
            value = getattr(bounded[0].limit, field.name)
            if field.name == "damping":  # without one Newton takes a spring of its own
                value = max(value, UNDAMPED * bounded[0].limit.stiffness)
            draft.say(table.NEWTON_LIMIT[field.name], value, unit=unit)
        draft.say(table.MUJOCO_IMPEDANCE, table.FAINT_IMPEDANCE)


def _spell_generic(draft: Draft, rooms: Sequence[AxisRoom], together: Together | None) -> None:
    draft.type = table.JOINT
    if together is not None:
        draft.apply(table.LIMIT_API, table.APART)
        room = AxisRoom(Freedom.LINEAR, 0, _as_read(together))
        _spell_room(draft, room, table.APART, table.LIMIT_NUMBERS)
    for room in rooms:
        instance = table.DEGREES_OF_FREEDOM[room.freedom, room.axis]
        # Also where nothing bounds it: Newton gives no freedom to axes without this schema.
        draft.apply(table.LIMIT_API, instance)
        if room.is_fixed:
            for attribute, locked in zip((table.LOW, table.HIGH), table.LOCKED, strict=True):
                draft.attributes[attribute.of(instance)] = locked
        else:
            _spell_room(draft, room, instance, table.LIMIT_NUMBERS)


def _as_read(one: Together) -> Limit:
    return replace(one.limit, min=one.low, max=one.high)


def _said_of(limit: Limit) -> tuple[Field, ...]:
    """Return the numbers of a limit that are said: one that is rigid says nothing of softness."""
    return LIMIT_FIELDS if gives_way(limit) else LIMIT_FIELDS[:2]


def _spell_room(
    draft: Draft, room: AxisRoom, instance: str, attributes: Mapping[str, table.Attribute]
) -> None:
    """Spell bounds and drive of one degree of freedom."""
    if gives_way(room.limit):
        draft.apply(table.PHYSX_LIMIT_API, instance)
    _spell_numbers(draft, room.limit, _said_of(room.limit), attributes, instance, room.freedom)
    drive = room.drive
    if drive is not None:
        draft.apply(table.DRIVE_API, instance)
        if drive.mode is DriveMode.ACCELERATION:
            draft.say(table.DRIVE_TYPE, drive.mode.value, instance)
        _spell_numbers(
            draft, drive, DRIVE_FIELDS, table.DRIVE_NUMBERS, instance, room.freedom, drive.mode
        )


def _spell_numbers(
    draft: Draft,
    part: Limit | Drive,
    fields: Iterable[Field],
    attributes: Mapping[str, table.Attribute],
    instance: str,
    freedom: Freedom,
    mode: DriveMode = DriveMode.FORCE,
) -> None:
    """Spell numbers of a limit or a drive, and how they change."""
    keyed = {keys.field: keys for keys in part.keys}
    for field in fields:
        attribute, unit = attributes[field.name], unit_of_limit(field.quantity, freedom)
        if isinstance(part, Drive):
            unit = unit_of(field.quantity, freedom, mode)
        value = getattr(part, field.name)
        if value is not None and isfinite(value):
            draft.say(attribute, value, instance, unit)
        if field.name in keyed:
            draft.key(attribute, keyed[field.name], instance, unit)


Note = Callable[[str], None]
"""Takes the code of something that a stage cannot say."""


@dataclass(frozen=True, slots=True)
class AxisRoom:
    """What is left of one degree of freedom."""

    freedom: Freedom
    axis: int
    limit: Limit
    """On no axes."""
    drive: Drive | None = None

    @property
    def is_fixed(self) -> bool:
        """Whether it is held where the frames coincide, rigidly and always."""
        return self.limit.is_fixed and not (self.limit.is_soft or self.limit.keys)

    @property
    def is_bounded(self) -> bool:
        """Whether anything bounds it."""
        return isfinite(self.limit.min) or isfinite(self.limit.max) or bool(self.limit.keys)

    @property
    def is_one_sided(self) -> bool:
        """Whether exactly one bound is there, at rest."""
        return isfinite(self.limit.min) != isfinite(self.limit.max)


def _rooms_of(settings: JointSettings, note: Note) -> tuple[list[AxisRoom], Together | None]:
    """Return what a stage is to say of a joint: of its axes, linear X, Y, Z, then angular.

    Then the bound on several that USD knows: a distance from a point, or a cone.
    """
    together = together_in(settings.limits)
    kept = next((one for one in together if _has_a_word(one, settings)), None)
    limits: list[Limit] = []
    for limit in settings.limits:
        if kept is not None and limit is kept.limit:
            continue
        if any(limit is one.limit for one in together):
            note("usd-round-limit")
        limits.append(by_axis(limit, Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR))
    if settings.foreign_drives:
        note("usd-foreign-drive")
    drives = tuple(map(acting, settings.drives))
    return [_room(span, drives, note) for span in spans_of(limits)], kept


def gives_way(limit: Limit) -> bool:
    """Return whether a limit is soft, at rest or later."""
    return limit.is_soft or any(keys.field == "stiffness" for keys in limit.keys)


def _has_a_word(one: Together, settings: JointSettings) -> bool:
    """Return whether a bound is the distance from a point, or the cone of a ball joint."""
    others = [limit for limit in settings.limits if limit is not one.limit]
    if one.freedom is Freedom.LINEAR:
        return len(one.axes) == len(AXES) and not any(limit.linear_axes for limit in others)
    rigid = not (one.limit.keys or one.limit.is_soft)
    alone = not any(limit.angular_axes for limit in others) and not any(
        drive.type is Freedom.ANGULAR for drive in settings.drives
    )
    linear = spans_of(settings.limits)[: len(AXES)]
    pinned = all(span.rigid_low == 0.0 == span.rigid_high for span in linear)
    return len(one.axes) == len(AXES) - 1 and one.low == -inf and rigid and alone and pinned


def _room(span: Span, drives: tuple[Drive, ...], note: Note) -> AxisRoom:
    rigid = [limit for limit in span.limits if not gives_way(limit)]
    soft = [limit for limit in span.limits if gives_way(limit)]
    keyed = any(limit.keys for limit in rigid)
    if (rigid and soft) or len(soft) > 1 or (len(rigid) > 1 and keyed):
        note("usd-several-limits")
    limit = soft[0] if soft else Limit()
    if rigid:
        keys = rigid[0].keys if len(rigid) == 1 else ()
        limit = Limit(min=span.rigid_low, max=span.rigid_high, keys=keys)
    here = [
        one
        for one in drives
        if (one.type, one.axis) == (span.freedom, span.axis)
        and (one.stiffness or one.damping or one.keys)
    ]
    if len(here) > 1:
        note("usd-several-drives")
    is_locked = limit.is_lock and not (limit.is_soft or limit.keys)
    return AxisRoom(span.freedom, span.axis, limit, here[0] if here and not is_locked else None)
