# SPDX-License-Identifier: GPL-3.0-or-later
"""What Unity's ConfigurableJoint, and the handlers that make it, do otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from ...issue import Issue
from ...joint import AXES, DriveMode, Freedom, JointSettings
from ...settings.spans import Span
from ...shape import Capsule, Cylinder
from ...wording.on_axes import named, some_of
from ..survey import Survey


def unity_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what differs in Unity."""
    for index, settings in enumerate(survey.mechanism.settings):
        yield from _bounds(survey, index)
        yield from _drives(survey, index, settings)
    for index, node in enumerate(survey.mechanism.nodes):
        pull = 1.0 if node.motion is None else node.motion.gravity_factor
        if pull != 1.0 and survey.is_dynamic(index):
            yield survey.at_node(
                "unity-gravity-factor",
                index,
                "This body has a gravity of its own, which Unity does not read from the file.",
            )
    yield from _colliders(survey)


def _bounds(survey: Survey, index: int) -> Iterator[Issue]:
    spans = survey.within[index]
    bounded = [span for span in spans if not span.is_free and not _is_locked_at_zero(span)]
    uneven = [span for span in bounded if span.low != -span.high and not _is_twist(span)]
    if uneven:
        ways = [survey.words.way(span.freedom, span.axis) for span in uneven]
        yield survey.at_settings(
            "unity-even-bounds",
            index,
            f"The bounds {some_of(ways)} are not the same both ways; Unity takes the farther one "
            "for both.",
        )
    reaches = {max(abs(span.low), abs(span.high)) for span in bounded if _slides(span)}
    if len(reaches) > 1:
        yield survey.at_settings(
            "unity-one-reach",
            index,
            "This joint slides along several axes, each as far as it says; Unity has one reach for "
            "all.",
        )


def _is_locked_at_zero(span: Span) -> bool:
    return span.is_locked and span.low == 0.0


def _slides(span: Span) -> bool:
    return span.freedom is Freedom.LINEAR


def _is_twist(span: Span) -> bool:
    return span.freedom is Freedom.ANGULAR and span.axis == AXES[0]


def _drives(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    swings = [
        drive
        for drive in settings.drives
        if drive.type is Freedom.ANGULAR and drive.axis in AXES[1:]
    ]
    if len({drive.axis for drive in swings}) > 1:
        ways = [survey.words.way(drive.type, drive.axis) for drive in swings]
        yield survey.at_settings(
            "unity-one-drive",
            index,
            f"There are drives {some_of(ways)}; Unity takes the strength of the last for both.",
        )
    for drive in settings.drives:
        if drive.mode is DriveMode.ACCELERATION:
            yield survey.at_settings(
                "unity-acceleration",
                index,
                f"The drive {survey.words.way(drive.type, drive.axis)} works by acceleration; "
                "Unity takes its numbers as forces.",
            )


def _colliders(survey: Survey) -> Iterator[Issue]:
    """Yield what is lost of colliders, each kind once."""
    mechanism = survey.mechanism
    filtered, round_ones = [], []
    for index, node in enumerate(mechanism.nodes):
        collider = node.collider
        if collider is None:
            continue
        if collider.collision_filter is not None:
            filtered.append(survey.name(index))
        shape = None if collider.shape is None else mechanism.shapes[collider.shape]
        tapers = isinstance(shape, Capsule) and shape.radius_bottom != shape.radius_top
        if tapers or isinstance(shape, Cylinder):
            round_ones.append(survey.name(index))
    if filtered:
        who = "Object" if len(filtered) == 1 else "Objects"
        yield survey.at_scene(
            "unity-filter", f"{who} {named(filtered)}: Unity does not read collision filters."
        )
    if round_ones:
        who = "Object" if len(round_ones) == 1 else "Objects"
        yield survey.at_scene(
            "unity-round",
            f"{who} {named(round_ones)}: the shape is a capsule of one radius in Unity.",
        )
