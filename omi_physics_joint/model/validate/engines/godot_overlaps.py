# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that stand in each other: an engine pushes them apart, and play knows no contacts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from ...geometry.extent import Corners
from ...issue import Issue
from ...wording.words import listed
from ..survey import Survey

DEEP = 0.05
"""Part of the shorter side of two boxes by which they may overlap without a word."""
SHOWN, MOST = 3, 100
"""How many pairs are named, and how many are counted."""


def overlap_issues(
    survey: Survey, solid: Collection[int | None], found: Mapping[int, Corners]
) -> Iterator[Issue]:
    """Yield the bodies whose boxes overlap at rest though no joint lets them, said once."""
    pairs = list(islice(_pairs(survey, {one: found[one] for one in found if one in solid}), MOST))
    names = [f"{survey.name(a)!r} and {survey.name(b)!r}" for a, b in pairs[:SHOWN]]
    if len(pairs) > SHOWN:
        least = "at least " if len(pairs) == MOST else ""
        names = [", ".join(names), f"{least}{len(pairs) - SHOWN} more"]
    if names:
        yield survey.at_scene("godot-overlap", pairs=listed(names))


def _pairs(survey: Survey, found: Mapping[int, Corners]) -> Iterator[tuple[int, int]]:
    """Yield bodies that overlap, one of which moves, in their order along the longest way."""
    if not found:
        return
    way = max(range(3), key=lambda axis: _spread(found, axis))
    moving = {body for body in found if survey.is_dynamic(body)}
    joined = {
        frozenset((ends.body, ends.connected_body))
        for ends in survey.joints
        if not ends.joint.enable_collision
    }
    open_: list[int] = []
    for body in sorted(found, key=lambda one: found[one][0][way]):
        box = found[body]
        open_ = [other for other in open_ if found[other][1][way] > box[0][way]]
        for other in open_:
            moves = body in moving or other in moving
            if moves and _overlap(box, found[other]) and frozenset((body, other)) not in joined:
                yield other, body
        open_.append(body)


def _spread(found: Mapping[int, Corners], axis: int) -> float:
    starts = [low[axis] for low, _ in found.values()]
    return max(starts) - min(starts)


def _overlap(a: Corners, b: Corners) -> bool:
    """Return whether two boxes overlap by more than they may along every axis."""
    (a_low, a_high), (b_low, b_high) = a, b
    for axis in range(3):
        shorter = min(a_high[axis] - a_low[axis], b_high[axis] - b_low[axis])
        shared = min(a_high[axis], b_high[axis]) - max(a_low[axis], b_low[axis])
        if not shared > DEEP * shorter:
            return False
    return True
