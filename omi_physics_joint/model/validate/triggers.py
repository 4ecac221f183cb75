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
        yield survey.at_node(
            "trigger-both",
            index,
            "This trigger has a shape of its own and is also made up of other triggers.",
            "Keep the shape or the list of triggers.",
        )
    elif trigger.shape is None and not trigger.nodes and has_parts:
        yield survey.at_node(
            "trigger-parts-unnamed",
            index,
            "This trigger has no shape and does not name the triggers below as its parts.",
            "Put the triggers below on its list, or remove this one.",
        )
    elif trigger.shape is None and not trigger.nodes:
        yield survey.at_node(
            "trigger-empty",
            index,
            "This trigger has no shape, so nothing can enter it.",
            "Give it a shape, or name the triggers below that make it up.",
        )
    elif trigger.nodes and trigger.collision_filter is not None:
        yield survey.at_node(
            "trigger-filter",
            index,
            "This trigger is made up of others and cannot have a collision filter itself.",
            "Give the filter to the triggers that make it up.",
        )


def _nodes(survey: Survey, index: int, trigger: Trigger) -> Iterator[Issue]:
    mechanism = survey.mechanism
    for part in dict.fromkeys(trigger.nodes):
        if part == index or index not in mechanism.ancestry(part):
            yield survey.at_node(
                "trigger-node-elsewhere",
                index,
                f"{survey.name(part)} is part of this trigger but does not lie below it.",
                f"Parent {survey.name(part)} to this trigger, or take it off the list.",
            )
        elif mechanism.nodes[part].trigger is None:
            yield survey.at_node(
                "trigger-node-without-trigger",
                index,
                f"{survey.name(part)} is part of this trigger but is no trigger itself.",
                f"Make {survey.name(part)} a trigger, or take it off the list.",
            )
