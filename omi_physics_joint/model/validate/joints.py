# SPDX-License-Identifier: GPL-3.0-or-later
"""The two ends of a joint: what hangs on what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..issue import Issue
from ..joint import JointSettings
from ..settings.canonical import canonical
from ..settings.reversal import is_reversible
from .survey import Ends, Survey


def joint_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what is wrong with joint nodes and their ends."""
    for ends in survey.joints:
        yield from _alone(survey, ends)
        yield from _ends(survey, ends)
    yield from _twice(survey)


def _alone(survey: Survey, ends: Ends) -> Iterator[Issue]:
    node = survey.mechanism.nodes[ends.index]
    parts = {"body": node.motion, "collider": node.collider, "trigger": node.trigger}
    others = [word for word, part in parts.items() if part is not None]
    if others:
        yield survey.at_node("joint-not-alone", ends.index, others=" and a ".join(others))


def _ends(survey: Survey, ends: Ends) -> Iterator[Issue]:
    """A joint needs two different bodies, one of them dynamic, best the one that holds it."""
    if ends.joint.connected_node == ends.index:
        yield survey.at_node("connected-to-itself", ends.index)
        return
    if ends.body is None:
        yield survey.at_node("joint-without-body", ends.index)
    if ends.connected_body is None:
        connected = survey.name(ends.joint.connected_node)
        yield survey.at_node("connected-without-body", ends.index, connected=connected)
    if ends.body is None or ends.connected_body is None:
        return
    name, connected = survey.name(ends.body), survey.name(ends.connected_body)
    if ends.body == ends.connected_body:
        yield survey.at_node("same-body", ends.index, name=name)
    elif not survey.is_dynamic(ends.body):
        if not survey.is_dynamic(ends.connected_body):
            yield survey.at_node("nothing-dynamic", ends.index, name=name, connected=connected)
        elif is_reversible(survey.mechanism.settings_of(ends.joint)):
            yield survey.at_node("joint-under-static", ends.index, name=name, connected=connected)


def _twice(survey: Survey) -> Iterator[Issue]:
    """Two joints that do the same work, as a duplicated object leaves them."""
    numbers: dict[JointSettings, int] = {}
    meanings = [
        numbers.setdefault(canonical(replace(settings, name="")), len(numbers))
        for settings in survey.mechanism.settings
    ]
    seen: dict[tuple[object, ...], int] = {}
    for ends in survey.joints:
        if ends.body is None or ends.connected_body is None:
            continue
        world = survey.mechanism.nodes[ends.index].world
        key = (ends.body, ends.connected_body, meanings[ends.joint.settings], world)
        first = seen.setdefault(key, ends.index)
        if first != ends.index:
            yield survey.at_node("joint-twice", ends.index, first=survey.name(first))
