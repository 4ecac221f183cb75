# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that stand in each other: an engine pushes them apart, and play knows no contacts."""

from __future__ import annotations

from collections.abc import Iterator

from ..extent import Corners, boxes
from ..issue import Issue
from ..target import Target
from .survey import Survey
from .words import some_of

DEEP = 0.05
"""Part of the shorter side of two boxes by which they may overlap without a word."""


def overlap_issues(survey: Survey) -> Iterator[Issue]:
    """Yield the bodies whose boxes overlap at rest though no joint lets them, said once."""
    if survey.target is not Target.GODOT:
        return
    nodes = survey.mechanism.nodes
    solid = {survey.bodies[i] for i, node in enumerate(nodes) if node.collider is not None}
    found = boxes(survey.mechanism)
    order = sorted((body for body in found if body in solid), key=lambda body: found[body][0][0])
    joined = {
        frozenset((ends.body, ends.connected_body))
        for ends in survey.joints
        if not ends.joint.enable_collision
    }
    names: list[str] = []
    open_: list[int] = []
    for body in order:
        left = found[body][0][0]
        open_ = [other for other in open_ if found[other][1][0] > left]
        for other in open_:
            moves = survey.is_dynamic(body) or survey.is_dynamic(other)
            apart = frozenset((body, other)) not in joined
            if moves and apart and _overlap(found[body], found[other]):
                names.append(f"{survey.name(other)!r} and {survey.name(body)!r}")
        open_.append(body)
    if names:
        yield survey.at_scene(
            "godot-overlap",
            f"The colliders of {some_of(names)} may overlap at rest; Godot then pushes the bodies "
            "apart, and play does not.",
            "Make the colliders smaller, or join the two bodies.",
        )


def _overlap(a: Corners, b: Corners) -> bool:
    """Return whether two boxes overlap by more than they may along every axis."""
    for axis in range(3):
        shorter = min(corners[1][axis] - corners[0][axis] for corners in (a, b))
        shared = min(a[1][axis], b[1][axis]) - max(a[0][axis], b[0][axis])
        if not shared > DEEP * shorter:
            return False
    return True
