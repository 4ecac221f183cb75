# SPDX-License-Identifier: GPL-3.0-or-later
"""What several readers do otherwise that are seen in the same thing, each by a code of its own."""

from __future__ import annotations

from collections.abc import Iterator

from ...issue import Issue
from ...joint import DriveMode, Freedom
from ...keys import is_keyed
from ...settings.together import KINDS
from ..survey import Survey

ACCELERATION = tuple(
    f"{one}-acceleration" for one in ("godot", "babylon", "unity", "newton", "physx")
)
ONE_BOUND = ("viewers-one-bound", "physx-one-bound")
TOGETHER = ("viewers-together", "godot-together")
STOPS = ("babylon-stops", "physx-stops")
KEYED = ("newton-keyed", "physx-keyed")


def alike_issues(survey: Survey) -> Iterator[Issue]:
    """Yield it of all of them; what is not of the readers of a scene is not said."""
    for index, settings in enumerate(survey.mechanism.settings):
        for drive in settings.drives:
            if drive.mode is DriveMode.ACCELERATION:
                way = survey.words.way(drive.type, drive.axis)
                for code in ACCELERATION:
                    yield survey.at_settings(code, index, way=way)
        for span in survey.spans[index]:
            if span.is_one_sided:
                way = survey.words.way(span.freedom, span.axis)
                for code in ONE_BOUND:
                    yield survey.at_settings(code, index, way=way)
        for limit in settings.limits:
            for freedom in filter(limit.is_together, Freedom):
                kind = KINDS[freedom, len(limit.axes(freedom))]
                for code in TOGETHER:
                    yield survey.at_settings(code, index, kind=kind)
    bounded = [any(span.is_bounded for span in spans) for spans in survey.spans]
    stopped = [ends.index for ends in survey.joints if bounded[ends.joint.settings]]
    keyed = [
        ends.index
        for ends in survey.joints
        if ends.joint.keys or is_keyed(survey.settings_of(ends))
    ]
    for codes, nodes in ((STOPS, stopped), (KEYED, keyed)):
        for code in codes:
            yield from survey.of_nodes(code, nodes)
