# SPDX-License-Identifier: GPL-3.0-or-later
"""What Godot's engine, Jolt, does not do as it is specified, whichever add-on reads the file.

Measured in Godot 4.6.3 in steps of half a millisecond, in files as specified with our add-on and in
files that are written for Godot with omi-godot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot, inf, isnan, pi

from ...body import Vector3
from ...geometry.frames import is_flat
from ...geometry.transform import linear_part, translation_of
from ...godot.layout import turning_error
from ...godot.nodes import godot_joint
from ...godot.settings import (
    NONE,
    drive_on,
    is_far_spring,
    lock_as_spring,
    pulls_to_place,
    sliding_axes,
    turning_axes,
)
from ...godot.written import written_joint
from ...issue import Issue
from ...joint import Drive, DriveMode, Freedom, JointSettings, Limit
from ...keys import is_keyed
from ...mechanics.sagging import carried_rigidly
from ...readers import DIFFERENCES, Reader
from ...settings.spans import Span, Spans, span_on, spans_within
from ...target import Target
from ...wording.on_axes import named
from ..codes import SEVERITIES
from ..survey import Ends, Survey
from .omi_godot import explodes

NOTICED = 0.0175
"""rad: a degree."""
FASTEST = 47.1
"""rad/s: Jolt lets nothing turn faster."""
GRAVITY = 9.81


def godot_joint_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what Godot does otherwise with joints."""
    held = _carried(survey)
    first_users = {user: settings for settings, user in enumerate(survey.users) if user is not None}
    sound = [_is_sound(settings) for settings in survey.mechanism.settings]
    kinds = _Kinds([], [], [])
    for ends in survey.joints:
        rigid = held.get(ends.index, NONE)
        if ends.index in first_users:
            yield from _settings(survey, ends.joint.settings, rigid)
        if is_keyed(survey.settings_of(ends)) or ends.joint.keys:
            yield unread_keys(survey.name(ends.index), ends.index)
        if not sound[ends.joint.settings]:
            continue
        yield from _motors(survey, ends)
        if survey.target is not Target.GODOT:
            settings, spans = survey.settings_of(ends), survey.within[ends.joint.settings]
            kinds.add(survey, ends, settings, spans)
            if Reader.GODOT in survey.readers and _is_free_slider(settings, spans):
                kinds.fragile.append(survey.name(ends.index))
            continue
        nodes = survey.mechanism.nodes
        worlds = (nodes[ends.index].world, nodes[ends.joint.connected_node].world)
        if any(is_flat(linear_part(world)) for world in worlds):
            continue
        made = written_joint(survey.settings_of(ends), *worlds, rigid)
        spans = spans_within(made.settings.limits)
        if not made.rest.is_exact:
            yield _pose(survey, ends)
        if explodes(spans, godot_joint(made.settings, spans)):
            kinds.fragile.append(survey.name(ends.index))
        kinds.add(survey, ends, made.settings, spans)
    yield from _engine(survey, kinds)


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Names of joints of which something is said once for all."""

    fragile: list[str]
    """Such as Godot's older engine cannot hold."""
    sprung: list[str]
    stopped: list[str]

    def add(self, survey: Survey, ends: Ends, settings: JointSettings, spans: Spans) -> None:
        """Note a joint as Godot gets it."""
        if any(pulls_to_place(d) or d.type is Freedom.LINEAR for d in settings.drives):
            self.sprung.append(survey.name(ends.index))
        if any(span.is_bounded for span in spans):
            self.stopped.append(survey.name(ends.index))


def _is_free_slider(settings: JointSettings, spans: Spans) -> bool:
    """Return whether our add-on makes a SliderJoint3D, which Godot's older engine cannot hold."""
    free = [span for span in spans[:3] if not span.is_locked]
    turns = any(not span.is_locked for span in spans[3:])
    return len(free) == 1 and free[0].is_free and not turns and not settings.drives


def _carried(survey: Survey) -> dict[int, frozenset[Limit]]:
    """Return the limits of each joint that are rigid, however soft they say they are."""
    if not any(limit.is_soft for one in survey.mechanism.settings for limit in one.limits):
        return {}
    return carried_rigidly(survey.mechanism)


def unread_keys(where: str, node: int) -> Issue:
    """Return what omi-godot does with animated settings of a joint."""
    return Issue(
        SEVERITIES["godot-keyed"],
        "godot-keyed",
        where,
        "Settings of this joint are animated, which the add-on omi-godot does not read: they stay "
        "as they are at rest.",
        DIFFERENCES["godot-keyed"].mend,
        node,
    )


def _is_sound(settings: JointSettings) -> bool:
    """Return whether all axes and numbers are such that a joint can be spelled."""
    axes = (axis for limit in settings.limits for axis in limit.linear_axes + limit.angular_axes)
    numbers = (value for limit in settings.limits for value in (limit.min, limit.max))
    return (
        all(axis in (0, 1, 2) for axis in axes)
        and all(drive.axis in (0, 1, 2) for drive in settings.drives)
        and not any(map(isnan, numbers))
    )


def _settings(survey: Survey, index: int, held: frozenset[Limit]) -> Iterator[Issue]:
    """Yield what is wrong with joint settings wherever they are used."""
    settings, spans = survey.mechanism.settings[index], survey.within[index]
    yield from _several_turns(survey, index, spans, settings)
    yield from _loose(survey, index, spans)
    for span in spans:
        yield from _full_turn(survey, index, span)
        yield from _soft(survey, index, span, held, has_drive=drive_on(settings, span) is not None)
    for drive in settings.drives:
        if drive.axis not in (0, 1, 2):
            continue
        yield from _targets(survey, index, drive)
        yield from _drive(survey, index, drive)


def _several_turns(
    survey: Survey, index: int, spans: Spans, settings: JointSettings
) -> Iterator[Issue]:
    """Jolt takes rotations apart into a twist and a swing, and holds the twist aside."""
    off = turning_error(settings, spans)
    if off > NOTICED:
        yield survey.at_settings(
            "godot-several-turns",
            index,
            "This joint turns about several axes, which Godot measures and holds otherwise: at the "
            f"ends of their ranges by up to {survey.words.say(off, Freedom.ANGULAR)}.",
        )


def _loose(survey: Survey, index: int, spans: Spans) -> Iterator[Issue]:
    """Jolt's locks of what slides and turns give way behind half a turn; up to 26 degrees a second.

    A plain hinge, which is another node in Godot, does not.
    """
    turns = turning_axes(spans)
    if len(turns) == 1 and turns == sliding_axes(spans) and _reach(spans[3 + turns[0]]) > pi:
        yield survey.at_settings(
            "godot-full-turn",
            index,
            "This joint slides along and turns about one axis without an end; past half "
            "a turn Godot no longer holds the direction of its axis under load.",
        )


def _reach(span: Span) -> float:
    return max(abs(span.low), abs(span.high))


def _full_turn(survey: Survey, index: int, span: Span) -> Iterator[Issue]:
    bounds = [bound for bound in (span.low, span.high) if abs(bound) != inf]
    if span.freedom is Freedom.ANGULAR and any(abs(bound) > pi + 1e-6 for bound in bounds):
        way = survey.words.way(span.freedom, span.axis)
        yield survey.at_settings(
            "godot-full-turn",
            index,
            f"The limits {way} go beyond half a turn, which Godot cannot count.",
        )


def _soft(
    survey: Survey, index: int, span: Span, held: frozenset[Limit], *, has_drive: bool
) -> Iterator[Issue]:
    soft = [limit for limit in span.limits if limit.is_soft and limit not in held]
    way = survey.words.way(span.freedom, span.axis)
    several = len({(x.min, x.max, x.stiffness, x.damping) for x in span.limits}) > 1
    if soft and several and survey.target is Target.GODOT:
        yield survey.at_settings(
            "godot-last-limit-wins",
            index,
            f"There is more than one limit {way}, and Godot takes only one of them, rigidly.",
        )
    elif soft and (several or has_drive or lock_as_spring(span, held) is None):
        yield survey.at_settings(
            "godot-soft-limit", index, f"The limit {way} gives way; in Godot it is rigid."
        )


def _targets(survey: Survey, index: int, drive: Drive) -> Iterator[Issue]:
    way = survey.words.way(drive.type, drive.axis)
    if drive.mode is DriveMode.ACCELERATION:
        yield survey.at_settings(
            "godot-acceleration",
            index,
            f"The drive {way} works by acceleration; Godot takes its numbers as forces.",
        )
    speed = drive.velocity_target
    if survey.target is Target.GODOT or Reader.GODOT_OMI not in survey.readers:
        speed = speed or None  # a speed of zero is said without one
    if drive.position_target is not None and speed is not None:
        yield survey.at_settings(
            "godot-position-and-velocity",
            index,
            f"The drive {way} has a target position and a target velocity; Godot drops one of "
            "the two.",
        )


def _drive(survey: Survey, index: int, drive: Drive) -> Iterator[Issue]:
    span = span_on(survey.within[index], drive.type, drive.axis)
    if drive_on(survey.mechanism.settings[index], span) is not drive:
        return
    way = survey.words.way(drive.type, drive.axis)
    is_spring = pulls_to_place(drive) or not drive.velocity_target
    if is_spring and drive.max_force != inf:
        yield survey.at_settings(
            "godot-spring-force",
            index,
            f"The drive {way} has a largest force, which Godot ignores where it pulls or brakes.",
        )
    speed = drive.velocity_target or 0.0
    if drive.type is Freedom.ANGULAR and abs(speed) > FASTEST:
        yield survey.at_settings(
            "godot-fast",
            index,
            f"The drive {way} turns faster than Godot lets anything turn, {FASTEST:g} rad/s.",
        )


def _motors(survey: Survey, ends: Ends) -> Iterator[Issue]:
    """Godot's motors have their speed at once; a damped one falls behind its load."""
    settings = survey.settings_of(ends)
    for drive in settings.drives:
        span = span_on(survey.within[ends.joint.settings], drive.type, drive.axis)
        if drive_on(settings, span) is not drive or pulls_to_place(drive):
            continue
        speed = abs(drive.velocity_target or 0.0)
        if speed == 0.0 or is_far_spring(drive) or not 0.0 < drive.damping < inf:
            continue
        load, inertia = _load(survey, ends, drive)
        if max(load, inertia * speed) / drive.damping > NOTICED:
            yield survey.at_node(
                "godot-motor-damping",
                ends.index,
                f"The damped motor {survey.words.way(drive.type, drive.axis)} falls behind its "
                "load; in Godot it keeps its speed, up to its largest force.",
            )


def _load(survey: Survey, ends: Ends, drive: Drive) -> tuple[float, float]:
    """Return the largest weight (N or N m) and inertia (kg or kg m^2) that a motor may move."""
    place = translation_of(survey.mechanism.nodes[ends.index].world)
    worst = (0.0, 0.0)
    for body in (ends.body, ends.connected_body):
        if body is None or not survey.is_dynamic(body):
            continue
        node = survey.mechanism.nodes[body]
        if node.motion is None or not 0.0 < node.motion.mass < inf:
            continue
        arm = 1.0
        if drive.type is Freedom.ANGULAR:
            arm = max(_distance(translation_of(node.world), place), 0.05)
        mass = node.motion.mass
        worst = max(worst[0], mass * GRAVITY * arm), max(worst[1], mass * arm * arm)
    return worst


def _distance(a: Vector3, b: Vector3) -> float:
    return hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _pose(survey: Survey, ends: Ends) -> Issue:
    return survey.at_node(
        "godot-pose",
        ends.index,
        "At rest this joint is not where its values are zero; Godot counts from the rest pose, and "
        "limits about several axes cannot be counted so.",
    )


def _engine(survey: Survey, kinds: _Kinds) -> Iterator[Issue]:
    """Yield what belongs to an engine as a whole, each said once."""
    if kinds.fragile:
        yield survey.at_scene(
            "godot-hard-limits",
            f"Rigid limits of {named(kinds.fragile)} are unstable in Godot Physics (Jolt is fine).",
        )
    if kinds.sprung:
        yield survey.at_scene(
            "godot-springs",
            f"Godot Physics has no springs, which {named(kinds.sprung)} need (Jolt has).",
        )
    if kinds.stopped:
        yield survey.at_scene(
            "godot-stops",
            f"At the limits of {named(kinds.stopped)} Godot gives back up to a quarter of the "
            "speed, and play does not.",
        )
