# SPDX-License-Identifier: GPL-3.0-or-later
"""What Godot's engine, Jolt, does not do as it is specified, whichever add-on reads the file.

Measured in Godot 4.6.3 in steps of half a millisecond, in files as specified with our add-on and in
files that are written for Godot with omi-godot.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from math import inf, isnan, pi, sqrt

from ...body import MotionType
from ...geometry.frames import is_flat, rigid_frame
from ...geometry.transform import linear_part, normalized, off_line, translation_of, transpose
from ...godot.layout import explodes, godot_joint, turning_error
from ...godot.settings import (
    NONE,
    acting_drives,
    drive_on,
    is_far_spring,
    lock_as_spring,
    sliding_axes,
    turning_axes,
)
from ...godot.written import written_joint
from ...issue import Issue
from ...joint import AXES, Drive, Freedom, JointSettings, Limit
from ...mechanics.inertias import centre_of
from ...mechanics.sagging import carried_rigidly, mass_of, upright
from ...mechanism import GRAVITY
from ...readers import Reader
from ...settings.coordinates import coordinates
from ...settings.keyed import is_keyed
from ...settings.spans import Span, Spans, spans_within
from ..burdens import is_thrown_back, parts_of_single_bodies
from ..survey import Ends, Survey

NOTICED = 0.0175
"""rad: a degree."""
SLOWER = 0.05
"""Part of its speed that a motor may lack at its largest force without a word."""
FAR = 0.7
"""rad from its target at which a spring is noticeably weaker."""
FAR_SPRING = ("godot-far-spring", "physx-far-spring")


def godot_joint_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what Godot does otherwise with joints."""
    held = carried_rigidly(survey.mechanism)
    first_users = set(survey.users)
    sound = [_is_sound(settings) for settings in survey.mechanism.settings]
    fragile, sprung, stopped = [], [], []
    parts = parts_of_single_bodies(survey)
    strained = {
        ends.joint.settings
        for ends in survey.joints
        if sound[ends.joint.settings]
        and any(drive.max_force != inf for drive in survey.settings_of(ends).drives)
        and not _is_at_hand(survey, ends, parts)
    }
    for ends in survey.joints:
        rigid = held.get(ends.index, NONE)
        if ends.index in first_users:
            is_strained = ends.joint.settings in strained
            yield from _settings(survey, ends.joint.settings, rigid, is_strained=is_strained)
        if is_keyed(survey.settings_of(ends)) or ends.joint.keys:
            yield survey.at_node("godot-keyed", ends.index)
        if not sound[ends.joint.settings]:
            continue
        yield from _motors(survey, ends)
        yield from _springs(survey, ends)
        settings, spans = survey.settings_of(ends), survey.within[ends.joint.settings]
        is_fragile = Reader.GODOT in survey.readers and _is_free_slider(settings, spans)
        if survey.target.is_godots:
            worlds = survey.worlds(ends)
            if any(is_flat(linear_part(world)) for world in worlds):
                continue
            made = written_joint(settings, *worlds, rigid)
            settings, spans = made.settings, spans_within(made.settings.limits)
            is_fragile = explodes(spans, godot_joint(settings, spans))
            if not made.rest.is_exact:
                yield survey.at_node("godot-pose", ends.index)
        if is_fragile:
            fragile.append(ends.index)
        if any(d.pulls_to_place or d.type is Freedom.LINEAR for d in settings.drives):
            sprung.append(ends.index)
        is_bounded = any(span.is_bounded or _is_led(span) for span in spans)
        if is_bounded and is_thrown_back(survey, ends, parts):
            stopped.append(ends.index)
    yield from survey.of_nodes("godot-hard-limits", fragile)
    yield from survey.of_nodes("godot-springs", sprung)
    yield from survey.of_nodes("godot-stops", stopped)


def _is_led(span: Span) -> bool:
    """Return whether a bound changes with time: what is locked now moves then."""
    return any(key.field in ("min", "max") for limit in span.limits for key in limit.keys)


def _is_free_slider(settings: JointSettings, spans: Spans) -> bool:
    """Return whether our add-on makes a SliderJoint3D, which Godot's older engine cannot hold."""
    free = [span for span in spans[:3] if not span.is_locked]
    turns = any(not span.is_locked for span in spans[3:])
    return len(free) == 1 and free[0].is_free and not turns and not settings.drives


def _is_sound(settings: JointSettings) -> bool:
    """Return whether all axes and numbers are such that a joint can be spelled."""
    axes = (axis for limit in settings.limits for axis in limit.linear_axes + limit.angular_axes)
    numbers = (value for limit in settings.limits for value in (limit.min, limit.max))
    return (
        all(axis in AXES for axis in axes)
        and all(drive.axis in AXES for drive in settings.drives)
        and not any(map(isnan, numbers))
    )


def _settings(
    survey: Survey, index: int, held: frozenset[Limit], *, is_strained: bool
) -> Iterator[Issue]:
    """Yield what is wrong with joint settings wherever they are used."""
    settings, spans = survey.mechanism.settings[index], survey.within[index]
    off = turning_error(settings, spans)
    if off > NOTICED:
        said = survey.words.say(off, Freedom.ANGULAR)
        yield survey.at_settings("godot-several-turns", index, off=said)
    yield from _loose(survey, index, spans)
    for span in spans:
        yield from _soft(survey, index, span, held, has_drive=drive_on(settings, span) is not None)
    acting = acting_drives(settings, spans)
    for drive in settings.drives:
        if drive.axis in AXES:
            acts = any(drive is one for one in acting)
            yield from _drive(survey, index, drive, acts=acts, is_strained=is_strained)


def _loose(survey: Survey, index: int, spans: Spans) -> Iterator[Issue]:
    """Jolt's locks of what slides and turns give way behind half a turn; up to 26 degrees a second.

    A plain hinge, which is another node in Godot, does not.
    """
    turns = turning_axes(spans)
    if len(turns) == 1 and turns == sliding_axes(spans) and spans[3 + turns[0]].reach > pi:
        says = (
            "This joint slides along and turns about one axis without an end; past half "
            "a turn Godot no longer holds the direction of its axis under load."
        )
        yield survey.at_settings("godot-full-turn", index, says=says)


def _soft(
    survey: Survey, index: int, span: Span, held: frozenset[Limit], *, has_drive: bool
) -> Iterator[Issue]:
    soft = [limit for limit in span.limits if limit.is_soft and limit not in held]
    way = survey.way(span)
    if soft and span.opinions > 1 and survey.target.is_godots:
        says = f"There is more than one limit {way}, and Godot takes only one of them, rigidly."
        yield survey.at_settings("godot-last-limit-wins", index, says=says)
    elif soft and (span.opinions > 1 or has_drive or lock_as_spring(span, held) is None):
        yield survey.at_settings("godot-soft-limit", index, way=way)


def _drive(
    survey: Survey, index: int, drive: Drive, *, acts: bool, is_strained: bool
) -> Iterator[Issue]:
    way = survey.way(drive)
    speed = drive.velocity_target
    if survey.target.is_godots or Reader.GODOT_OMI not in survey.readers:
        speed = speed or None  # a speed of zero is said without one
    if drive.pulls_to_place and speed is not None:
        yield survey.at_settings("godot-position-and-velocity", index, way=way)
    is_spring = is_strained if drive.pulls_to_place else not drive.velocity_target
    if acts and is_spring and drive.max_force != inf:
        yield survey.at_settings("godot-spring-force", index, way=way)


def _motors(survey: Survey, ends: Ends) -> Iterator[Issue]:
    """Godot's motors have their speed at once; a damped one falls behind its load."""
    for drive in acting_drives(survey.settings_of(ends), survey.within[ends.joint.settings]):
        if not is_far_spring(drive) and falls_behind(survey, ends, drive):
            yield survey.at_node("godot-motor-damping", ends.index, way=survey.way(drive))


def falls_behind(survey: Survey, ends: Ends, drive: Drive) -> bool:
    """Return whether a drive is a motor whose load keeps it from its speed noticeably.

    It runs up by its largest force, there too, until it lacks no more than that can be of damping.
    What turns bears its weight the other way half a turn later.
    """
    speed = abs(drive.velocity_target or 0.0)
    if drive.pulls_to_place or speed == 0.0 or not 0.0 < drive.damping < inf:
        return False
    lacks = min(speed, drive.max_force / drive.damping)
    if lacks < SLOWER * speed:
        return False
    load, inertia = _load(survey, ends, drive)
    lasts = min(1.0, 2.0 / speed) if drive.type is Freedom.ANGULAR else 1.0
    return max(load * lasts, inertia * lacks) / drive.damping > NOTICED


def _springs(survey: Survey, ends: Ends) -> Iterator[Issue]:
    """Springs of Jolt and PhysX about an axis pull with the torque of 2 sin(x / 2), not of x."""
    for drive, far in _swings(survey, ends):
        if drive.type is Freedom.ANGULAR and far > FAR:
            way = survey.way(drive)
            yield from (survey.at_node(code, ends.index, way=way) for code in FAR_SPRING)


def _swings(survey: Survey, ends: Ends) -> Iterator[tuple[Drive, float]]:
    """Yield springs, and how far from its target each may be, by what its own bodies weigh."""
    settings, spans = survey.settings_of(ends), survey.within[ends.joint.settings]
    worlds = survey.worlds(ends)
    if not settings.drives or any(is_flat(linear_part(world)) for world in worlds):
        return
    values = coordinates(spans, *worlds)
    for drive in acting_drives(settings, spans):
        if drive.pulls_to_place:
            load, _ = _load(survey, ends, drive)
            value = values[drive.axis + (3 if drive.type is Freedom.ANGULAR else 0)]
            # Let go, it swings as far beyond where it comes to rest.
            yield drive, abs((drive.position_target or 0.0) - value) + 2.0 * load / drive.stiffness


def _is_at_hand(survey: Survey, ends: Ends, single: Container[int | None]) -> bool:
    """Return whether its springs stay below their largest force, as what they bear is known."""
    motions = [survey.mechanism.nodes[body].motion for body in ends.bodies if body in single]
    return (
        bool(motions)
        and _hangs_still(survey, ends)
        and all(one is not None and one.is_still for one in motions)
        and all(drive.stiffness * far < drive.max_force for drive, far in _swings(survey, ends))
    )


def _load(survey: Survey, ends: Ends, drive: Drive) -> tuple[float, float]:
    """Return the largest weight (N or N m) and inertia (kg or kg m^2) that a motor may move."""
    nodes = survey.mechanism.nodes
    worst, share = (0.0, 0.0), _share_of_weight(survey, ends, drive)
    for body in filter(survey.is_dynamic, ends.bodies):
        mass, arm, wide = mass_of(survey.mechanism, body), 1.0, 1.0
        ways = [linear_part(nodes[one].world) for one in (ends.index, body)]
        if drive.type is Freedom.ANGULAR and not any(map(is_flat, ways)):
            frame = rigid_frame(nodes[ends.index].world)
            centre = centre_of(survey.mechanism, body, survey.parts[body])
            along = normalized(transpose(linear_part(frame))[drive.axis])
            arm = off_line(centre, translation_of(frame), along)
            wide = max(arm, 0.05)
        if mass > 0.0:
            weight = share * mass * GRAVITY if mass < inf else 0.0  # what is endless does not fall
            worst = max(worst[0], weight * arm), max(worst[1], mass * wide * wide)
    return worst


def _share_of_weight(survey: Survey, ends: Ends, drive: Drive) -> float:
    """Return the largest part of a weight that a drive may bear: none of a door's.

    Where both bodies move, or what one hangs on does, its axis may come to point anyhow.
    """
    if not _hangs_still(survey, ends):
        return 1.0
    up = min(upright(survey.mechanism.nodes[ends.index].world, drive.axis), 1.0)
    return up if drive.type is Freedom.LINEAR else sqrt(1.0 - up * up)


def _hangs_still(survey: Survey, ends: Ends) -> bool:
    """Return whether only one of the bodies at the ends of a joint moves."""
    motions = [survey.mechanism.nodes[body].motion for body in ends.bodies]
    return sum(one is not None and one.type is not MotionType.STATIC for one in motions) < 2
