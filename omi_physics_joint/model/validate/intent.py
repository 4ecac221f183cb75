# SPDX-License-Identifier: GPL-3.0-or-later
"""What is allowed and works, but looks unintended."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isfinite

from ..body import MotionType
from ..issue import Issue
from ..joint import AXES, Drive, Freedom, JointSettings
from ..mechanics.sagging import SOFTNESS, Sag, hanging_body, mass_of, sags, weight_of
from ..settings.reach import most_about
from ..settings.spans import span_on
from ..wording.on_axes import some_of
from ..wording.words import number
from .survey import Ends, Survey

SAG = 0.01
"""m that a soft lock may give way under the weight of a body without a word."""
MASS_RATIO, LARGE_MASS_RATIO = 10.0, 100.0
"""From these on PhysX advises against a joint, and Jolt's opens by centimetres."""


def intent_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what looks unintended."""
    for index, settings in enumerate(survey.mechanism.settings):
        yield from _limits(survey, index)
        for drive in settings.drives:
            yield from _drive(survey, index, drive)
    yield from _sagging(survey)
    for ends in survey.joints:
        yield from _mass_ratio(survey, ends)
    yield from _without_collider(survey)


def _limits(survey: Survey, index: int) -> Iterator[Issue]:
    for position, limit in enumerate(_settings(survey, index).limits, start=1):
        if limit.stiffness == limit.damping == 0.0:
            yield survey.at_settings(
                "limit-powerless",
                index,
                f"{survey.words.limit(limit, position)} has neither stiffness nor damping, "
                "so it holds nothing.",
                "Make it rigid, or give it a stiffness.",
            )
    twice = [
        survey.words.way(span.freedom, span.axis)
        for span in survey.spans[index]
        if len(span.limits) > len({(x.min, x.max, x.stiffness, x.damping) for x in span.limits})
    ]
    if twice:
        yield survey.at_settings(
            "limit-twice",
            index,
            f"The same limit is there twice {some_of(twice)}.",
            "Remove one of the two.",
        )


def _drive(survey: Survey, index: int, drive: Drive) -> Iterator[Issue]:
    name = f"The drive {survey.words.way(drive.type, drive.axis)}"
    if drive.velocity_target is not None and drive.damping == 0.0 and not _is_spring(drive):
        yield survey.at_settings(
            "velocity-without-damping",
            index,
            f"{name} has a target velocity but no damping, so it never pushes.",
            "Give it a damping: the force for each unit of missing velocity.",
        )
    if drive.position_target is not None and drive.stiffness == 0.0:
        yield survey.at_settings(
            "position-without-stiffness",
            index,
            f"{name} has a target position but no stiffness, so it never pulls there.",
            "Give it a stiffness.",
        )
    if drive.position_target is None and (drive.stiffness > 0.0 or drive.velocity_target is None):
        yield survey.at_settings(
            "drive-without-target",
            index,
            f"{name} has a stiffness but no target position, so the stiffness does nothing."
            if drive.stiffness > 0.0
            else f"{name} has no target, so it does nothing.",
            "Give it a target; zero is one.",
        )
    yield from _beyond_bound(survey, index, drive, name)


def _is_spring(drive: Drive) -> bool:
    """Whether a drive pulls to a place; it may well do so undamped."""
    return drive.position_target is not None and drive.stiffness > 0.0


def _beyond_bound(survey: Survey, index: int, drive: Drive, name: str) -> Iterator[Issue]:
    if drive.position_target is None or drive.axis not in AXES:
        return
    span = span_on(survey.spans[index], drive.type, drive.axis)
    most = most_about(drive.type, drive.axis, _settings(survey, index).limits)
    low, high = max(span.low, -most), min(span.high, most)
    if span.is_rigidly_locked or low <= drive.position_target <= high:
        return
    bound = high if drive.position_target > high else low
    target, stop = (
        survey.words.value(drive.type, drive.axis, value)
        for value in (drive.position_target, bound)
    )
    yield survey.at_settings(
        "drive-beyond-bound",
        index,
        f"{name} pulls to {target}, beyond the limit at {stop}, and comes to rest there.",
        "Move the target inside the limits, unless it should press against the limit.",
    )


def _sagging(survey: Survey) -> Iterator[Issue]:
    """Yield, for every settings, the joint whose soft locks sag most under a body."""
    worst: dict[int, tuple[Sag, str]] = {}
    counts: dict[int, int] = {}
    for ends in survey.joints:
        index = ends.joint.settings
        body = hanging_body(survey.mechanism, ends.body, ends.connected_body)
        if body is None or not any(limit.is_soft for limit in _settings(survey, index).limits):
            continue
        weight = weight_of(survey.mechanism, body)
        limits = _settings(survey, index).limits
        found = sags(survey.mechanism, ends.index, limits, survey.spans[index], weight)
        sag = max((one for one in found if one.is_lock), key=lambda one: one.distance, default=None)
        if sag is None or not (sag.distance > SAG and isfinite(weight)):
            continue
        counts[index] = counts.get(index, 0) + 1
        if index not in worst or sag.distance > worst[index][0].distance:
            worst[index] = (sag, survey.name(body))
    for index, (sag, name) in worst.items():
        others = counts[index] - 1
        more = f", and {others} other{'s' if others > 1 else ''} of these joints sag" * (others > 0)
        godot = sag.stiffness <= SOFTNESS
        yield survey.at_settings(
            "soft-lock-sags",
            index,
            f"With {number(sag.stiffness)} N/m the weight of {name} pulls its joint "
            f"{survey.words.say(sag.distance, Freedom.LINEAR)} apart{more}."
            + (" Such small numbers are Godot's softness, not a stiffness." if godot else ""),
            f"Make the limit rigid, or give it at least {number(sag.load / SAG)} N/m.",
        )


def _settings(survey: Survey, index: int) -> JointSettings:
    return survey.mechanism.settings[index]


def _mass_ratio(survey: Survey, ends: Ends) -> Iterator[Issue]:
    if ends.body is None or ends.connected_body is None:
        return
    bodies = (ends.body, ends.connected_body)
    if not all(map(survey.is_dynamic, bodies)):
        return
    light, heavy = sorted(bodies, key=lambda body: mass_of(survey.mechanism, body))
    low, high = mass_of(survey.mechanism, light), mass_of(survey.mechanism, heavy)
    if 0.0 < low < inf and MASS_RATIO * low <= high < inf:
        large = LARGE_MASS_RATIO * low <= high
        gives = "come apart" if large else "stretch"
        yield survey.at_node(
            "mass-ratio-large" if large else "mass-ratio",
            ends.index,
            f"{survey.name(heavy)} weighs {number(high / low)} times as much as "
            f"{survey.name(light)}, which makes joints {gives} in most engines.",
            "Make the two masses more alike.",
        )


def _without_collider(survey: Survey) -> Iterator[Issue]:
    nodes = survey.mechanism.nodes
    solid = {survey.bodies[i] for i, node in enumerate(nodes) if node.collider is not None}
    for index, node in enumerate(nodes):
        dynamic = node.motion is not None and node.motion.type is MotionType.DYNAMIC
        if dynamic and index not in solid:
            yield survey.at_node(
                "body-without-collider",
                index,
                "This dynamic body has no collider, so it falls through everything.",
                "Add a collider to it or below it.",
            )
