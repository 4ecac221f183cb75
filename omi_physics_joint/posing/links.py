# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of a mechanism as links between bodies: which values are free, and how far."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from ..model.geometry.frames import is_sound, rigid_frame
from ..model.geometry.transform import IDENTITY
from ..model.issue import Issue
from ..model.mechanism import Mechanism, Node
from ..model.settings.coordinates import coordinates
from ..model.settings.radial import Together, together_in
from ..model.settings.spans import Spans, spans_of
from ..solver.kinematics.rotation import Array, Mask
from ..solver.reading.joints import read_joints


@dataclass(frozen=True, slots=True)
class TreeJoint:
    """A joint as an edge between two bodies.

    Attributes:
        node: of the joint.
        bodies: number of the joint's body, and of the connected body; -1 is the world.
        frames: (2, 4, 4) body from joint frame, connected body from connected frame.
        start: (6,) m and rad where it stands at first, limits kept or not.
        low, high: (6,) bounds; the same where a value is held.
    """

    node: int
    bodies: tuple[int, int]
    frames: Array
    start: Array
    low: Array
    high: Array
    together: tuple[Together, ...] = ()
    """Bounds on several axes together."""

    @property
    def free(self) -> Mask:
        """(6,) which values may change."""
        return np.asarray(self.low < self.high)

    @property
    def ball(self) -> bool:
        """Whether nothing bounds its turning, so that it needs no angles."""
        return bool((self.high[3:] - self.low[3:] == 2.0 * inf).all())


def body_world(node: Node) -> Array:
    """Return the rigid frame of a body, world from body (4, 4); at the origin where it is flat."""
    return np.array(rigid_frame(node.world) if is_sound(node.world) else IDENTITY)


def is_posable(node: Node) -> bool:
    """Whether joints may move a body: what is static, kinematic or infinitely heavy stays."""
    return node.motion is not None and node.motion.is_movable


def read_links(
    mechanism: Mechanism, bodies: Sequence[int], worlds: Array, movable: Collection[int]
) -> tuple[dict[int, TreeJoint], tuple[Issue, ...]]:
    """Return the joints that can be posed, by node in node order, and why others cannot.

    Args:
        mechanism: in glTF axes.
        bodies: their nodes.
        worlds: (bodies + 1, 4, 4) world from body, the world last.
        movable: numbers of those that joints may move.
    """
    numbers = {node: k for k, node in enumerate(bodies)}
    settings = mechanism.settings
    joints, issues = read_joints(mechanism, settings, numbers, -1, frozenset(movable))
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
    bounds = []
    for span in spans:
        sound, held = span.low < inf and span.high > -inf, span.held_at
        free = (span.low, span.high) if sound else (-inf, inf)
        bounds.append(free if held is None else (held, held))
    low, high = np.array(bounds).T.copy()
    return low, high
