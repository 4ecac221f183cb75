# SPDX-License-Identifier: GPL-3.0-or-later
"""Triggers: one shape, or the triggers below."""

from __future__ import annotations

from collections.abc import Iterator

from ..body import Trigger
from ..issue import Issue
from .survey import Survey


def trigger_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what is wrong with triggers."""
    above = _above_triggers(survey)
    for index, node in enumerate(survey.mechanism.nodes):
        if node.trigger is not None:
            yield from _parts(survey, index, node.trigger, has_parts=index in above)
            yield from _nodes(survey, index, node.trigger)


def _above_triggers(survey: Survey) -> set[int]:
    """Return the triggers that have another trigger below them."""
    nodes = survey.mechanism.nodes
    above: set[int] = set()
    for index, node in enumerate(nodes):
        if node.trigger is not None:
            climb = survey.mechanism.ancestry(node.parent)
            nearest = next((i for i in climb if nodes[i].trigger is not None), index)
            above.update({nearest} - {index})
    return above


def _parts(survey: Survey, index: int, trigger: Trigger, *, has_parts: bool) -> Iterator[Issue]:
    if trigger.shape is not None and trigger.nodes:
        yield survey.at_node("trigger-both", index)
    elif trigger.shape is None and not trigger.nodes:
        yield survey.at_node("trigger-parts-unnamed" if has_parts else "trigger-empty", index)
    elif trigger.nodes and trigger.collision_filter is not None:
        yield survey.at_node("trigger-filter", index)


def _nodes(survey: Survey, index: int, trigger: Trigger) -> Iterator[Issue]:
    mechanism = survey.mechanism
    for part in dict.fromkeys(trigger.nodes):
        if part == index or index not in mechanism.ancestry(part):
            yield survey.at_node("trigger-node-elsewhere", index, part=survey.name(part))
        elif mechanism.nodes[part].trigger is None:
            yield survey.at_node("trigger-node-without-trigger", index, part=survey.name(part))
