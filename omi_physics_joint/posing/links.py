# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of a mechanism as links between bodies: which values are free, and how far."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from ..model.issue import Issue
from ..model.mechanism import Mechanism
from ..model.settings.coordinates import coordinates
from ..model.settings.spans import Spans, spans_of
from ..model.settings.together import Together, together_in
from ..solver.kinematics.rotation import Array, Mask
from ..solver.reading.joints import read_joints
from ..solver.reading.mending import mend, mended


@dataclass(frozen=True, slots=True)
class TreeJoint:
    """A joint as an edge between two bodies."""

    node: int
    bodies: tuple[int, int]
    """Number of the joint's body, and of the connected body; -1 is the world."""
    frames: Array
    """(2, 4, 4) body from joint frame, connected body from connected frame."""
    start: Array
    """(6,) m and rad where it stands at first, limits kept or not."""
    low: Array
    high: Array
    """(6,) bounds; the same where a value is held."""
    together: tuple[Together, ...]
    """Bounds on several axes together."""

    @property
    def free(self) -> Mask:
        """(6,) which values may change."""
        return np.asarray(self.low < self.high)

    @property
    def ball(self) -> bool:
        """Whether nothing bounds its turning, so that it needs no angles."""
        return bool(np.isinf((self.low[3:], self.high[3:])).all())


def read_links(
    mechanism: Mechanism, bodies: Sequence[int], worlds: Array, movable: Collection[int]
) -> tuple[dict[int, TreeJoint], tuple[Issue, ...]]:
    """Return the joints that can be posed, by node in node order, and why others cannot.

    ``bodies`` are their nodes, ``worlds`` (bodies + 1, 4, 4) world from body, the world last, and
    ``movable`` the numbers of those that joints may move.
    """
    numbers = {node: k for k, node in enumerate(bodies)}
    settings = mechanism.settings
    joints, issues = read_joints(mechanism, settings, numbers, -1, frozenset(movable))
    mend(joints, mended(mechanism, joints, movable, numbers))
    rooms = [(spans_of(own.limits), together_in(own.limits)) for own in settings]
    links = {}
    for joint in sorted(joints, key=lambda joint: joint.node):
        spans, together = rooms[joint.settings]
        local = np.asarray(np.linalg.solve(worlds[list(joint.bodies)], joint.frames), np.float64)
        start = np.array(coordinates(spans, *joint.frames.tolist()))
        links[joint.node] = TreeJoint(
            joint.node, joint.bodies, local, start, *bounds_of(spans), together
        )
    return links, issues


def bounds_of(spans: Spans) -> tuple[Array, Array]:
    """Return the lower and upper bounds of six values, one number where they are held."""
    bounds = np.array([(span.low, span.high) for span in spans])
    bounds[(bounds[:, 0] == inf) | (bounds[:, 1] == -inf)] = -inf, inf
    for own, span in zip(bounds, spans, strict=True):
        if span.held_at is not None:
            own[:] = span.held_at
    low, high = bounds.T.copy()
    return low, high
