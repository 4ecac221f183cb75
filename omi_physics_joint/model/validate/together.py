# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds on several axes together: what no pose can meet, and what none ever reaches."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, pi

from ..issue import Issue
from ..joint import Freedom, JointSettings, Limit
from ..settings.radial import MEASURES, Together, together_in
from ..settings.reach import EXACTLY, idle_limits, left_by, most_about
from .survey import Survey


def together_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what is wrong with bounds on several axes together, and with others because of them."""
    for index, settings in enumerate(survey.mechanism.settings):
        if not any(limit.is_radial(freedom) for limit in settings.limits for freedom in Freedom):
            continue
        found = list(_impossible(survey, index, settings))
        yield from found
        if not found:
            yield from _contradictions(survey, index, settings)
            yield from _idle(survey, index, settings)


def _impossible(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    """Yield bounds on what is never below zero, or never over half a turn, that are there."""
    half = survey.words.say(pi, Freedom.ANGULAR)
    for position, limit in enumerate(settings.limits, start=1):
        for freedom in filter(limit.is_radial, Freedom):
            name = survey.words.limit(limit, position)
            measure = MEASURES[freedom, len(set(limit.axes(freedom)))]
            least, most = (survey.words.say(value, freedom) for value in (limit.min, limit.max))
            if limit.max < 0.0:
                yield survey.at_settings(
                    "limit-impossible",
                    index,
                    f"{name} allows a {measure} of at most {most}, and none is below zero.",
                    "Enter a maximum of zero or more.",
                )
            elif freedom is Freedom.ANGULAR and limit.min > pi:
                yield survey.at_settings(
                    "limit-impossible",
                    index,
                    f"{name} asks for a {measure} of at least {least}, and none is over {half}.",
                    f"Enter a minimum below {half}.",
                )


def _contradictions(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    for position, limit in enumerate(settings.limits, start=1):
        others = [one for one in settings.limits if one is not limit]
        if limit.is_soft or any(one.keys for one in settings.limits):
            continue
        for one in together_in((limit,)):
            low, high = left_by(one, others)
            if low > high or (low <= one.high + EXACTLY and high >= one.low - EXACTLY):
                continue
            if low > one.high:
                allowed = f"at most {_said(survey, one, one.high)}"
                left = f"at least {_said(survey, one, low)}"
            else:
                allowed = f"at least {_said(survey, one, one.low)}"
                left = f"at most {_said(survey, one, high)}"
            yield survey.at_settings(
                "limits-contradict",
                index,
                f"{survey.words.limit(limit, position)} allows a {one.measure} of {allowed}, and "
                f"other limits leave {left}: they cannot all hold.",
                "Widen one of these limits, or remove it.",
            )
            return


def _idle(survey: Survey, index: int, settings: JointSettings) -> Iterator[Issue]:
    idle = idle_limits(settings.limits)
    kept = [limit for at, limit in enumerate(settings.limits) if at not in idle]
    for at in idle:
        limit = settings.limits[at]
        name = survey.words.limit(limit, at + 1)
        yield survey.at_settings(
            "limit-never-reached",
            index,
            f"{name} is never reached: {_stop(survey, limit, kept)}.",
            "Remove it, or narrow it.",
        )


def _stop(survey: Survey, limit: Limit, kept: list[Limit]) -> str:
    for one in together_in((limit,)):
        low, high = left_by(one, kept)
        if limit.max < inf:
            return f"other limits leave a {one.measure} of at most {_said(survey, one, high)}"
        return f"other limits leave a {one.measure} of at least {_said(survey, one, low)}"
    freedom = Freedom.LINEAR if limit.linear_axes else Freedom.ANGULAR
    most = max(most_about(freedom, axis, kept) for axis in limit.axes(freedom))
    return f"a limit on several axes together stops at {survey.words.say(most, freedom)}"


def _said(survey: Survey, one: Together, value: float) -> str:
    return survey.words.say(value, one.freedom)
