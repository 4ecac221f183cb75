# SPDX-License-Identifier: GPL-3.0-or-later
"""Centres of mass that nobody typed and that make a joint behave oddly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, sqrt

from ..body import ZERO, Vector3
from ..geometry.extent import Corners, boxes, diagonal
from ..geometry.transform import Matrix, cross, dot, linear_part, normalized, translation_of
from ..issue import Issue
from .survey import Ends, Survey

NEAR, FAR = 0.01, 0.05
"""How far an origin on the axis and a middle off it are, as parts of the size of a body."""
UPRIGHT = 0.999
"""Cosine of the angle to gravity from which an axis counts as vertical."""


def centre_issues(survey: Survey) -> Iterator[Issue]:
    """Yield dynamic bodies whose mass sits on the axis of their own hinge though they do not."""
    meshes = boxes(survey.mechanism, colliders=False)
    said: set[int] = set()
    for ends in survey.joints:
        for body in (ends.body, ends.connected_body):
            if body in meshes and body not in said and _hangs_on(survey, ends, body, meshes[body]):
                said.add(body)
                yield survey.at_node("center-on-hinge", body, hinge=survey.name(ends.index))


def _hangs_on(survey: Survey, ends: Ends, body: int, box: Corners) -> bool:
    """Return whether a body has its mass on a sloping hinge that its middle is off."""
    nodes = survey.mechanism.nodes
    motion, axis = nodes[body].motion, _hinge_axis(survey, ends)
    if motion is None or axis is None or not survey.is_dynamic(body):
        return False
    if motion.center_of_mass != ZERO or motion.gravity_factor == 0.0:
        return False
    frame = nodes[ends.index].world
    direction = normalized(tuple(row[axis] for row in linear_part(frame)))
    size = diagonal(box)
    if abs(direction[1]) > UPRIGHT or not 0.0 < size < inf:
        return False
    if not _away(translation_of(nodes[body].world), frame, direction) < NEAR * size:
        return False
    middle = tuple(0.5 * (a + b) for a, b in zip(*box, strict=True))
    return FAR * size < _away(middle, frame, direction) < inf


def _hinge_axis(survey: Survey, ends: Ends) -> int | None:
    """Return the one axis that a joint turns about and does nothing else; None for other joints."""
    spans = survey.spans[ends.joint.settings]
    open_ones = [number for number, span in enumerate(spans) if not span.is_locked]
    return open_ones[0] - 3 if len(open_ones) == 1 and open_ones[0] >= 3 else None


def _away(point: Sequence[float], frame: Matrix, direction: Vector3) -> float:
    """Return how far a point is from the line through a frame's origin, in m."""
    arm = tuple(a - b for a, b in zip(point, translation_of(frame), strict=True))
    across = cross(arm, direction)
    return sqrt(dot(across, across))
