# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds on several axes together: what no pose can meet, and what none ever reaches."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, pi

from ..issue import Issue
from ..joint import Freedom, JointSettings, Limit
from ..settings.reach import EXACTLY, idle_limits, left_by, most_about
from ..settings.together import MEASURES, together_in
from ..wording.words import Say
from .survey import Survey


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
