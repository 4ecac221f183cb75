# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits and drives: what the specification forbids, and what contradicts itself.

Of bounds on several axes together also what no pose can meet, and what none ever reaches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf, isfinite, isinf, isnan, pi, radians

from ..geometry.extent import longest_side
from ..issue import Issue
from ..joint import AXES, Drive, Freedom, JointSettings, Limit
from ..settings.canonical import is_idle
from ..settings.fields import BESIDE_BOUNDS, Below
from ..settings.reach import EXACTLY, idle_limits, left_by, most_about
from ..settings.spans import Span, span_on
from ..settings.together import KINDS, MEASURES, together_in
from ..wording.words import Say, number
from .survey import OMI, Survey


def settings_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what is wrong with joint settings."""
    for index, settings in enumerate(survey.mechanism.settings):
        if not (settings.limits or settings.drives or settings.foreign_drives):
            yield survey.at_settings("settings-idle", index)
            continue
        for position, limit in enumerate(settings.limits, start=1):
            yield from _limit(survey, index, limit, position)
        for drive in settings.drives:
            yield from _drive(survey, index, drive)
        yield from _together(survey, index, settings)


def _limit(survey: Survey, index: int, limit: Limit, position: int) -> Iterator[Issue]:
    name = survey.words.limit(limit, position)
    if not (limit.linear_axes or limit.angular_axes):
        yield survey.at_settings("limit-without-axes", index, limit=name)
    elif strange := [a for a in limit.linear_axes + limit.angular_axes if a not in AXES]:
        yield survey.at_settings("limit-axis", index, limit=name, axis=strange[0])
    elif is_idle(limit):
        yield survey.at_settings("limit-without-bound", index, limit=name)
    elif limit.is_reversed:
        freedom = Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR
        # Named in the order in which they stand, which is the wrong one.
        high, low = survey.words.bounds(freedom, limit.axes(freedom)[0], limit.max, limit.min)
        yield survey.at_settings("limit-reversed", index, limit=name, low=low, high=high)
    yield from _limit_numbers(survey, index, limit, name)
    yield from _shared_range(survey, index, limit, name)


def _limit_numbers(survey: Survey, index: int, limit: Limit, name: str) -> Iterator[Issue]:
    bad = isnan(limit.min) or isnan(limit.max) or limit.min == inf or limit.max == -inf
    beside = [(field, getattr(limit, field.name)) for field in BESIDE_BOUNDS]
    bad |= any(isnan(value) or (isinf(value) and field.default != inf) for field, value in beside)
    if bad:
        yield survey.at_settings("limit-number", index, limit=name)
    for field, value in beside:
        if value < 0.0 and field.below is not Below.ITSELF:
            rigid = "Make it rigid, or enter zero or more."
            yield survey.at_settings(
                "limit-negative",
                index,
                mend=rigid if field.below is Below.INFINITE else "",
                limit=name,
                number=field.label,
                value=number(value),
            )


def _shared_range(survey: Survey, index: int, limit: Limit, name: str) -> Iterator[Issue]:
    """One range on several axes is a box to OMI and Godot; OMI cannot hold them together."""
    several = len(limit.linear_axes) > 1 or len(limit.angular_axes) > 1
    if not several or limit.is_fixed or is_idle(limit):
        return
    if limit.together:
        if OMI not in survey.spoken:
            return
        freedom = next(one for one in Freedom if limit.is_together(one))
        kind = KINDS[freedom, len(limit.axes(freedom))]
        lost = "; a minimum is lost" if limit.min > 0.0 else ""
        yield survey.at_settings("limit-together", index, limit=name, kind=kind, lost=lost)
    else:
        yield survey.at_settings("limit-shared-range", index, limit=name)


def _drive(survey: Survey, index: int, drive: Drive) -> Iterator[Issue]:
    way = survey.way(drive)
    if drive.axis not in AXES:
        yield survey.at_settings("drive-axis", index, axis=drive.axis)
    targets = (drive.position_target or 0.0, drive.velocity_target or 0.0)
    if isnan(drive.max_force) or not all(
        isfinite(value) for value in (*targets, drive.stiffness, drive.damping)
    ):
        yield survey.at_settings("drive-number", index, way=way)
    force = "force" if drive.type is Freedom.LINEAR else "torque"
    for word, value in (
        ("stiffness", drive.stiffness),
        ("damping", drive.damping),
        (f"largest {force}", drive.max_force),
    ):
        if value < 0.0:
            said = number(value)
            yield survey.at_settings("drive-negative", index, way=way, number=word, value=said)


def _together(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    """Yield what is wrong with limits and drives together."""
    spans = survey.spans[index]
    for span in spans:
        if span.contradiction:
            yield survey.at_settings("limits-contradict", index, way=survey.way(span))
    counts = Counter((drive.type, drive.axis) for drive in settings.drives)
    for (freedom, axis), count in counts.items():
        way = survey.words.way(freedom, axis)
        if count > 1:
            yield survey.at_settings("several-drives", index, count=count, way=way)
        if axis in AXES and (span := span_on(spans, freedom, axis)).is_rigidly_locked:
            held = survey.words.value(freedom, axis, span.rigid_low)
            yield survey.at_settings("drive-on-lock", index, way=way, held=held)


LEAST_WAY, LEAST_PART, LEAST_TURN = 1e-3, 1e-2, radians(0.1)
"""m, part of the length of the shortest body, and rad: a smaller room looks like a lock."""


def narrow_issues(survey: Survey) -> Iterator[Issue]:
    """Yield a warning for each rigid range in which nothing can move."""
    found = [
        (index, span)
        for index, spans in enumerate(survey.spans)
        for span in spans
        if is_narrow(span)
    ]
    if not found:
        return
    shortest = _shortest(survey)
    for index, span in found:
        width = span.rigid_high - span.rigid_low
        if span.freedom is Freedom.LINEAR and width >= LEAST_PART * shortest.get(index, inf):
            continue
        way, said = survey.way(span), survey.words.say(width, span.freedom)
        yield survey.at_settings("limit-narrow", index, way=way, width=said)


def is_narrow(span: Span) -> bool:
    """Return whether a rigid range has less room than anybody sees on bodies of usual size."""
    least = LEAST_WAY if span.freedom is Freedom.LINEAR else LEAST_TURN
    return 0.0 < span.rigid_high - span.rigid_low < least


def _shortest(survey: Survey) -> dict[int, float]:
    """Return the length in m of the shortest body that joints with each settings are on."""
    lengths = {body: longest_side(room) for body, room in survey.rooms.items()}
    shortest: dict[int, float] = {}
    for ends in survey.joints:
        known = (lengths[body] for body in ends.bodies if lengths.get(body))
        before = shortest.get(ends.joint.settings, inf)
        shortest[ends.joint.settings] = min((before, *known))
    return shortest


def together_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what is wrong with bounds on several axes together, and with others because of them."""
    for index, settings in enumerate(survey.mechanism.settings):
        if not any(limit.is_together(freedom) for limit in settings.limits for freedom in Freedom):
            continue
        found = list(_impossible(survey, index, settings))
        yield from found
        if not found:
            yield from _contradictions(survey, index, settings)
            yield from _idle(survey, index, settings)


def _impossible(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    """Yield bounds on what is never below zero, or never over half a turn, that are there."""
    say = survey.words.say
    for position, limit in enumerate(settings.limits, start=1):
        for freedom in filter(limit.is_together, Freedom):
            name = survey.words.limit(limit, position)
            measure = MEASURES[freedom, len(set(limit.axes(freedom)))]
            if limit.max < 0.0:
                most = say(limit.max, freedom)
                yield survey.at_settings(
                    "limit-impossible", index, limit=name, measure=measure, most=most
                )
            elif freedom is Freedom.ANGULAR and limit.min > pi:
                asked, half = f"{measure} of at least {say(limit.min, freedom)}", say(pi, freedom)
                says = f"{name} asks for a {asked}, and none is over {half}."
                mend = f"Enter a minimum below {half}."
                yield survey.at_settings("limit-impossible", index, says=says, mend=mend)


def _contradictions(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    for position, limit in enumerate(settings.limits, start=1):
        others = [one for one in settings.limits if one is not limit]
        if limit.is_soft or any(one.keys for one in settings.limits):
            continue
        for one in together_in((limit,)):
            say, way = survey.words.say, one.freedom
            low, high = left_by(one, others)
            if low > high or (low <= one.high + EXACTLY and high >= one.low - EXACTLY):
                continue
            if low > one.high:
                allowed, left = f"at most {say(one.high, way)}", f"at least {say(low, way)}"
            else:
                allowed, left = f"at least {say(one.low, way)}", f"at most {say(high, way)}"
            says = (
                f"{survey.words.limit(limit, position)} allows a {one.measure} of {allowed}, and "
                f"other limits leave {left}: they cannot all hold."
            )
            mend = "Widen one of these limits, or remove it."
            yield survey.at_settings("limits-contradict", index, says=says, mend=mend)
            return


def _idle(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    idle = idle_limits(settings.limits)
    kept = [limit for at, limit in enumerate(settings.limits) if at not in idle]
    for at in idle:
        limit = settings.limits[at]
        name = survey.words.limit(limit, at + 1)
        stop = _stop(survey.words.say, limit, kept)
        yield survey.at_settings("limit-never-reached", index, limit=name, stop=stop)


def _stop(say: Say, limit: Limit, kept: list[Limit]) -> str:
    for one in together_in((limit,)):
        low, high = left_by(one, kept)
        bound = f"at most {say(high, one.freedom)}"
        if limit.max == inf:
            bound = f"at least {say(low, one.freedom)}"
        return f"other limits leave a {one.measure} of {bound}"
    freedom = Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR
    most = max(most_about(freedom, axis, kept) for axis in limit.axes(freedom))
    return f"a limit on several axes together stops at {say(most, freedom)}"
