# SPDX-License-Identifier: GPL-3.0-or-later
"""Axes that have room, but too little for anybody to see them move."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, radians

from ..geometry.extent import extents
from ..issue import Issue
from ..joint import Freedom
from ..settings.spans import Span
from .survey import Survey

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
    lengths = extents(survey.mechanism)
    shortest: dict[int, float] = {}
    for ends in survey.joints:
        for body in (ends.body, ends.connected_body):
            if body in lengths:
                before = shortest.get(ends.joint.settings, inf)
                shortest[ends.joint.settings] = min(before, lengths[body])
    return shortest
