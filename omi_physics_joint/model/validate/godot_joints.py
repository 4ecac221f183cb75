# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left in a file for Godot that its engine, Jolt, does not do as it is specified.

Measured in Godot 4.6.3 with the OMI add-on, in steps of half a millisecond.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot, inf, isnan, pi

from ..body import Vector3
from ..frames import is_flat
from ..godot.layout import turning_error
from ..godot.nodes import godot_joint
from ..godot.settings import (
    NONE,
    drive_on,
    is_far_spring,
    lock_as_spring,
    pulls_to_place,
    sliding_axes,
    turning_axes,
)
from ..godot.written import written_joint
from ..issue import Issue
from ..joint import Drive, Freedom, JointSettings, Limit
from ..keys import is_keyed
from ..sagging import carried_rigidly
from ..spans import Span, Spans, span_on, spans_within
from ..target import Target
from ..transform import linear_part, translation_of
from .codes import SEVERITIES
from .engines import drive_issues, explodes
from .survey import Ends, Survey
from .words import named

NOTICED = 0.0175
"""rad: a degree."""
FASTEST = 47.1
"""rad/s: Jolt lets nothing turn faster."""
GRAVITY = 9.81


def godot_joint_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what Godot does otherwise with joints of a file that is written for it."""
    if survey.target is not Target.GODOT:
        return
    held = carried_rigidly(survey.mechanism)
    first_users = {user: settings for settings, user in enumerate(survey.users) if user is not None}
    fragile: list[str] = []
    sprung: list[str] = []
    stopped: list[str] = []
    for ends in survey.joints:
        settings = survey.settings_of(ends)
        name = survey.name(ends.index)
        if ends.index in first_users:
            yield from _settings(survey, ends.joint.settings, held.get(ends.index, NONE))
        nodes = survey.mechanism.nodes
        worlds = (nodes[ends.index].world, nodes[ends.joint.connected_node].world)
        if is_keyed(settings) or ends.joint.keys:
            yield unread_keys(name, ends.index)
        if any(is_flat(linear_part(world)) for world in worlds) or not _is_sound(settings):
            continue
        made = written_joint(settings, *worlds, held.get(ends.index, NONE))
        spans = spans_within(made.settings.limits)
        if not made.rest.is_exact:
            yield _pose(survey, ends)
        yield from _motors(survey, ends)
        if explodes(spans, godot_joint(made.settings, spans)):
            fragile.append(name)
        if any(pulls_to_place(d) or d.type is Freedom.LINEAR for d in made.settings.drives):
            sprung.append(name)
        if any(not span.is_locked and not span.is_free for span in spans):
            stopped.append(name)
    yield from _engine(survey, fragile, sprung, stopped)


def unread_keys(where: str, node: int) -> Issue:
    """Return what omi-godot does with animated settings of a joint."""
    return Issue(
        SEVERITIES["godot-keyed"],
        "godot-keyed",
        where,
        "Settings of this joint are animated, which the add-on omi-godot does not read: they stay "
        "as they are at rest.",
        "Use our own add-on for Godot, which imports them.",
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
        yield from drive_issues(survey, index, drive)
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
            "Keep their ranges small, or make it of hinges with a small body between them.",
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
            "Bound the angle to half a turn both ways, or use a hinge and a slider.",
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
            "Keep them within 180\N{DEGREE SIGN}, or leave them out.",
        )


def _soft(
    survey: Survey, index: int, span: Span, held: frozenset[Limit], *, has_drive: bool
) -> Iterator[Issue]:
    soft = [limit for limit in span.limits if limit.is_soft and limit not in held]
    way = survey.words.way(span.freedom, span.axis)
    if soft and len({(x.min, x.max, x.stiffness, x.damping) for x in span.limits}) > 1:
        yield survey.at_settings(
            "godot-last-limit-wins",
            index,
            f"There is more than one limit {way}, and Godot takes only one of them, rigidly.",
            "Join them into one limit for each axis.",
        )
    elif soft and (has_drive or lock_as_spring(span, held) is None):
        yield survey.at_settings(
            "godot-soft-limit",
            index,
            f"The limit {way} gives way; in Godot it is rigid.",
            "Make it rigid, or let a drive pull back instead.",
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
            "Choose a stiffness and damping that stay below that force.",
        )
    speed = drive.velocity_target or 0.0
    if drive.type is Freedom.ANGULAR and abs(speed) > FASTEST:
        yield survey.at_settings(
            "godot-fast",
            index,
            f"The drive {way} turns faster than Godot lets anything turn, {FASTEST:g} rad/s.",
            "Make it slower.",
        )


def _motors(survey: Survey, ends: Ends) -> Iterator[Issue]:
    """Godot's motors have their speed at once; a damped one falls behind its load."""
    settings = survey.settings_of(ends)
    for drive in settings.drives:
        span = span_on(survey.within[ends.joint.settings], drive.type, drive.axis)
        if drive_on(settings, span) is not drive or pulls_to_place(drive):
            continue
        speed = abs(drive.velocity_target or 0.0)
        if speed == 0.0 or is_far_spring(drive) or not drive.damping < inf:
            continue
        load, inertia = _load(survey, ends, drive)
        if max(load, inertia * speed) / drive.damping > NOTICED:
            yield survey.at_node(
                "godot-motor-damping",
                ends.index,
                f"The damped motor {survey.words.way(drive.type, drive.axis)} falls behind its "
                "load; in Godot it keeps its speed, up to its largest force.",
                "Give it so much damping that it keeps its speed, and a largest force.",
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
        "Put the joint to rest where its values are zero.",
    )


def _engine(
    survey: Survey, fragile: list[str], sprung: list[str], stopped: list[str]
) -> Iterator[Issue]:
    """Yield what belongs to an engine as a whole, each said once."""
    if fragile:
        yield survey.at_scene(
            "godot-hard-limits",
            f"Rigid limits of {named(fragile)} are unstable in Godot Physics (Jolt is fine).",
            "Choose Jolt Physics in Godot's project settings.",
        )
    if sprung:
        yield survey.at_scene(
            "godot-springs",
            f"Godot Physics has no springs, which {named(sprung)} need (Jolt has).",
            "Choose Jolt Physics in Godot's project settings.",
        )
    if stopped:
        yield survey.at_scene(
            "godot-stops",
            f"At the limits of {named(stopped)} Godot gives back up to a quarter of the speed, "
            "and play does not.",
            "Let the bodies reach their limits slowly, for instance with a damped drive.",
        )
