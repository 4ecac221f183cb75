# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits and drives: what the specification forbids, and what contradicts itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf, isfinite, isinf, isnan

from ..issue import Issue
from ..joint import AXES, Drive, Freedom, JointSettings, Limit
from ..settings.canonical import is_idle
from ..settings.fields import BESIDE_BOUNDS, Below
from ..settings.radial import KINDS
from ..settings.spans import Span, span_on
from ..wording.words import number
from .survey import OMI, Survey


def settings_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what is wrong with joint settings."""
    for index, settings in enumerate(survey.mechanism.settings):
        if not (settings.limits or settings.drives or settings.foreign_drives):
            yield survey.at_settings(
                "settings-idle",
                index,
                "These joint settings have no limits and no drives, so the joint does nothing.",
                "Add a limit or a drive, or remove the joint.",
            )
            continue
        for position, limit in enumerate(settings.limits, start=1):
            yield from _limit(survey, index, limit, position)
        for drive in settings.drives:
            yield from _drive(survey, index, drive)
        yield from _together(survey, index, settings)


def _limit(survey: Survey, index: int, limit: Limit, position: int) -> Iterator[Issue]:
    name = survey.words.limit(limit, position)
    if not (limit.linear_axes or limit.angular_axes):
        yield survey.at_settings(
            "limit-without-axes",
            index,
            f"{name} is on no axis.",
            "Choose at least one axis, or remove the limit.",
        )
    elif strange := [a for a in limit.linear_axes + limit.angular_axes if a not in AXES]:
        yield survey.at_settings(
            "limit-axis",
            index,
            f"{name} is on axis {strange[0]}, and there are only 0, 1 and 2.",
            "Choose X, Y or Z.",
        )
    elif is_idle(limit):
        yield survey.at_settings(
            "limit-without-bound",
            index,
            f"{name} has no minimum and no maximum, so it does nothing.",
            "Give it a minimum or a maximum, or remove it.",
        )
    elif limit.min > limit.max:
        yield from _reversed(survey, index, limit, name)
    yield from _limit_numbers(survey, index, limit, name)
    yield from _shared_range(survey, index, limit, name)


def _reversed(survey: Survey, index: int, limit: Limit, name: str) -> Iterator[Issue]:
    freedom = Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR
    axis = limit.axes(freedom)[0]
    # Named in the order in which they stand, which is the wrong one.
    high, low = survey.words.bounds(freedom, axis, limit.max, limit.min)
    yield survey.at_settings(
        "limit-reversed",
        index,
        f"{name} has its minimum, {low}, above its maximum, {high}.",
        "Swap the two.",
    )


def _limit_numbers(survey: Survey, index: int, limit: Limit, name: str) -> Iterator[Issue]:
    bad = isnan(limit.min) or isnan(limit.max) or limit.min == inf or limit.max == -inf
    beside = [(field, getattr(limit, field.name)) for field in BESIDE_BOUNDS]
    bad |= any(isnan(value) or (isinf(value) and field.default != inf) for field, value in beside)
    if bad:
        yield survey.at_settings(
            "limit-number",
            index,
            f"{name} has a value that is not a valid number.",
            "Enter a valid number.",
        )
    for field, value in beside:
        if value < 0.0 and field.below is not Below.ITSELF:
            yield survey.at_settings(
                "limit-negative",
                index,
                f"{name} has a negative {field.label}, {number(value)}.",
                "Make it rigid, or enter zero or more."
                if field.below is Below.INFINITE
                else "Enter zero or more.",
            )


def _shared_range(survey: Survey, index: int, limit: Limit, name: str) -> Iterator[Issue]:
    """One range on several axes is a box to OMI and Godot; OMI cannot hold them together."""
    several = len(limit.linear_axes) > 1 or len(limit.angular_axes) > 1
    if not several or limit.is_fixed or is_idle(limit):
        return
    if limit.together:
        if OMI not in survey.spoken:
            return
        freedom = next(one for one in Freedom if limit.is_radial(one))
        kind = KINDS[freedom, len(limit.axes(freedom))]
        near = "; a minimum is lost" if limit.min > 0.0 else ""
        yield survey.at_settings(
            "limit-together",
            index,
            f"{name} is one bound on several axes, on a {kind}, which OMI_physics_joint does not "
            f"have: there each axis has the largest range within it{near}. Play is exact.",
            "Readers of Khronos' extensions have it, if the file is written with them; for others "
            "give each axis a limit of its own.",
        )
    else:
        yield survey.at_settings(
            "limit-shared-range",
            index,
            f"{name} gives one range to several axes: Godot reads it axis by axis, "
            "other readers as a distance or a cone.",
            "Give each of these axes a limit of its own.",
        )


def _drive(survey: Survey, index: int, drive: Drive) -> Iterator[Issue]:
    name = f"The drive {survey.words.way(drive.type, drive.axis)}"
    if drive.axis not in AXES:
        yield survey.at_settings(
            "drive-axis",
            index,
            f"A drive is on axis {drive.axis}, and there are only 0, 1 and 2.",
            "Choose X, Y or Z.",
        )
    targets = (drive.position_target or 0.0, drive.velocity_target or 0.0)
    if isnan(drive.max_force) or not all(
        isfinite(value) for value in (*targets, drive.stiffness, drive.damping)
    ):
        yield survey.at_settings(
            "drive-number",
            index,
            f"{name} has a value that is not a valid number.",
            "Enter a valid number.",
        )
    force = "force" if drive.type is Freedom.LINEAR else "torque"
    for word, value in (
        ("stiffness", drive.stiffness),
        ("damping", drive.damping),
        (f"largest {force}", drive.max_force),
    ):
        if value < 0.0:
            yield survey.at_settings(
                "drive-negative",
                index,
                f"{name} has a negative {word}, {number(value)}.",
                "Enter zero or more.",
            )


def _together(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    """Yield what is wrong with limits and drives together."""
    spans = survey.spans[index]
    for span in spans:
        if span.contradiction:
            yield survey.at_settings(
                "limits-contradict",
                index,
                f"Rigid limits {survey.words.way(span.freedom, span.axis)} leave no room between "
                "them, so the first one wins.",
                "Remove one of these limits.",
            )
    counts = Counter((drive.type, drive.axis) for drive in settings.drives)
    for (freedom, axis), count in counts.items():
        way = survey.words.way(freedom, axis)
        if count > 1:
            yield survey.at_settings(
                "several-drives",
                index,
                f"There are {count} drives {way}, and most engines take only one.",
                "Join them into one drive.",
            )
        if axis in AXES and (span := span_on(spans, freedom, axis)).is_rigidly_locked:
            yield survey.at_settings(
                "drive-on-lock",
                index,
                f"There is a drive {way}, but that axis is held at "
                f"{_held(survey, span)} and cannot move.",
                "Remove the drive, or give the axis a range.",
            )


def _held(survey: Survey, span: Span) -> str:
    return survey.words.value(span.freedom, span.axis, span.rigid_low)
