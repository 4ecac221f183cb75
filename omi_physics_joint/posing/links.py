# SPDX-License-Identifier: GPL-3.0-or-later
"""From a mechanism to bodies and links that can be posed: which values are free, and how far."""

from __future__ import annotations

from math import inf

import numpy as np

from ..model.body import MotionType
from ..model.coordinates import coordinates
from ..model.frames import is_flat, rigid_frame
from ..model.issue import Issue
from ..model.joint import Freedom
from ..model.mechanism import Mechanism, Node
from ..model.spans import Spans, spans_of
from ..model.transform import IDENTITY, Matrix, linear_part
from ..solver.joints import read_joints
from ..solver.rotation import Array
from .spanning_tree import Link, Mask


def body_world(node: Node) -> Array:
    """Return the rigid frame of a body, world from body (4, 4); at the origin where it is flat."""
    sound = np.isfinite(np.array(node.world)).all() and not is_flat(linear_part(node.world))
    return np.array(rigid_frame(node.world) if sound else IDENTITY)


def is_posable(node: Node) -> bool:
    """Whether joints may move a body: what is static, kinematic or infinitely heavy stays."""
    motion = node.motion
    return motion is not None and motion.type is MotionType.DYNAMIC and motion.mass != inf


class Reading:
    """What posing needs of a mechanism.

    Attributes:
        body_nodes: nodes with a motion, in their order.
        worlds: world from body, by number in ``body_nodes``; -1 is the world.
        links: of all joints that can be posed, by node.
        spans: what their limits leave, by node.
        values: (6,) where they stand now, limits kept or not, by node.
        issues: why other joints cannot be posed.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        nodes = mechanism.nodes
        self.body_nodes = tuple(i for i, node in enumerate(nodes) if node.motion is not None)
        self.worlds = {k: body_world(nodes[i]) for k, i in enumerate(self.body_nodes)}
        self.worlds[-1] = np.eye(4)
        self.movable = [k for k, i in enumerate(self.body_nodes) if is_posable(nodes[i])]
        joints, issues = read_joints(
            mechanism,
            mechanism.settings,
            {node: k for k, node in enumerate(self.body_nodes)},
            -1,
            frozenset(self.movable),
            rigid_soft_locks=True,
        )
        self.issues: tuple[Issue, ...] = issues
        room = {index: spans_of(own.limits) for index, own in enumerate(mechanism.settings)}
        self.links: dict[int, Link] = {}
        self.spans: dict[int, Spans] = {}
        self.values: dict[int, Array] = {}
        for joint in joints:
            own = mechanism.settings[joint.settings]
            ends = (joint.node, _partner(nodes[joint.node]))
            frames = [rigid_frame(nodes[end].world, own) for end in ends]
            self._add(joint.node, joint.bodies, room[joint.settings], frames)

    def _add(self, node: int, bodies: tuple[int, int], spans: Spans, frames: list[Matrix]) -> None:
        """Take in one joint."""
        now = np.array(coordinates(spans, *frames))
        free = free_of(spans)
        low, high = bounds_of(spans)
        ball = bool(free[3:].all()) and all(span.is_free for span in spans[3:])
        values = np.where(free, np.clip(now, low, high), low)
        local = [
            np.linalg.solve(self.worlds[body], np.array(frame))
            for body, frame in zip(bodies, frames, strict=True)
        ]
        self.links[node] = Link(node, bodies, np.array(local), values, free, low, high, ball)
        self.spans[node], self.values[node] = spans, now


def bounds_of(spans: Spans) -> tuple[Array, Array]:
    """Return the lower and upper bounds of six values, one number where they are held."""
    bounds = []
    for span in spans:
        held = span.held_at
        sound = span.low < inf and span.high > -inf
        free = (span.low, span.high) if sound else (-inf, inf)
        bounds.append(free if held is None else (held, held))
    low, high = np.array(bounds).T.copy()
    return low, high


def free_of(spans: Spans) -> Mask:
    """Return which of six values are not held at one number, soft locks being locks too."""
    return np.array([span.held_at is None for span in spans])


def _partner(node: Node) -> int:
    return -1 if node.joint is None else node.joint.connected_node


def number_of(freedom: Freedom, axis: int) -> int:
    """Return the place of a value among the six."""
    return axis + (3 if freedom is Freedom.ANGULAR else 0)
