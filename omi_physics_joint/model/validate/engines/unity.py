# SPDX-License-Identifier: GPL-3.0-or-later
"""What Unity's ConfigurableJoint, and the handlers that make it, do otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from ...issue import Issue
from ...joint import AXES, Freedom, JointSettings
from ...wording.words import some
from ..survey import Survey


def unity_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what differs in Unity."""
    for index, settings in enumerate(survey.mechanism.settings):
        yield from _bounds(survey, index)
        yield from _drives(survey, index, settings)


def _bounds(survey: Survey, index: int) -> Iterator[Issue]:
    spans = survey.within[index]
    uneven = [span for at, span in enumerate(spans) if span.is_lopsided and at != 3]  # the twist
    if uneven:
        ways = some([survey.way(span) for span in uneven])
        yield survey.at_settings("unity-even-bounds", index, ways=ways)
    if len({span.reach for span in spans[:3] if not span.is_free} - {0.0}) > 1:
        yield survey.at_settings("unity-one-reach", index)


def _drives(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    swings = [
        drive
        for drive in settings.drives
        if drive.type is Freedom.ANGULAR and drive.axis in AXES[1:]
    ]
    if len({drive.axis for drive in swings}) > 1:
        ways = [survey.way(drive) for drive in swings]
        yield survey.at_settings("unity-one-drive", index, ways=some(ways))
