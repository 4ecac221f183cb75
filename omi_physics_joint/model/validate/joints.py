# SPDX-License-Identifier: GPL-3.0-or-later
"""The two ends of a joint: what hangs on what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..issue import Issue
from ..joint import JointSettings
from ..settings.canonical import canonical
from .survey import Ends, Survey

DYNAMIC_FIX = "Make one of the two bodies dynamic."


def joint_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what is wrong with joint nodes and their ends."""
    for ends in survey.joints:
        yield from _alone(survey, ends)
        yield from _ends(survey, ends)
    yield from _twice(survey)


def _alone(survey: Survey, ends: Ends) -> Iterator[Issue]:
    node = survey.mechanism.nodes[ends.index]
    others = [
        word
        for word, part in (
            ("body", node.motion),
            ("collider", node.collider),
            ("trigger", node.trigger),
        )
        if part is not None
    ]
    if others:
        yield survey.at_node(
            "joint-not-alone",
            ends.index,
            f"This joint is on the same node as a {' and a '.join(others)}.",
            "Give the joint an empty of its own below the body.",
        )


def _ends(survey: Survey, ends: Ends) -> Iterator[Issue]:
    """A joint needs two different bodies, one of them dynamic, best the one that holds it."""
    if ends.joint.connected_node == ends.index:
        yield survey.at_node(
            "connected-to-itself",
            ends.index,
            "This joint is connected to itself.",
            "Connect it to a node below another body.",
        )
        return
    if ends.body is None or ends.connected_body is None:
        yield from _missing_bodies(survey, ends)
        return
    name, connected = survey.name(ends.body), survey.name(ends.connected_body)
    if ends.body == ends.connected_body:
        yield survey.at_node(
            "same-body",
            ends.index,
            f"Both ends of this joint belong to the body {name}, so the joint is ignored.",
            "Move one of its two frames below another body.",
        )
    elif not survey.is_dynamic(ends.body):
        if not survey.is_dynamic(ends.connected_body):
            yield survey.at_node(
                "nothing-dynamic",
                ends.index,
                f"Neither {name} nor {connected} is dynamic, so nothing can move.",
                DYNAMIC_FIX,
            )
        else:
            yield survey.at_node(
                "joint-under-static",
                ends.index,
                f"This joint is below {name}, which is not dynamic; it belongs below {connected}.",
                "Swap the sides of the joint.",
            )


def _missing_bodies(survey: Survey, ends: Ends) -> Iterator[Issue]:
    if ends.body is None:
        yield survey.at_node(
            "joint-without-body",
            ends.index,
            "This joint has no body above it.",
            "Parent it to a body.",
        )
    if ends.connected_body is None:
        connected = survey.name(ends.joint.connected_node)
        yield survey.at_node(
            "connected-without-body",
            ends.index,
            f"{connected}, to which this joint is connected, has no body above it.",
            f"Parent {connected} to a body; to hold something in the world, to a static one.",
        )


def _twice(survey: Survey) -> Iterator[Issue]:
    """Two joints that do the same work, as a duplicated object leaves them."""
    meanings = _meanings(survey.mechanism.settings)
    seen: dict[tuple[object, ...], int] = {}
    for ends in survey.joints:
        if ends.body is None or ends.connected_body is None:
            continue
        world = survey.mechanism.nodes[ends.index].world
        key = (ends.body, ends.connected_body, meanings[ends.joint.settings], world)
        first = seen.setdefault(key, ends.index)
        if first != ends.index:
            yield survey.at_node(
                "joint-twice",
                ends.index,
                f"This joint does the same as {survey.name(first)}, in the same place.",
                "Remove one of the two.",
            )


def _meanings(all_settings: Sequence[JointSettings]) -> list[int]:
    """Return a number for each settings; those that mean the same have the same."""
    numbers: dict[JointSettings, int] = {}
    return [
        numbers.setdefault(canonical(replace(settings, name="")), len(numbers))
        for settings in all_settings
    ]
