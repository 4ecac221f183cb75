# SPDX-License-Identifier: GPL-3.0-or-later
"""What single precision has rounded in joints is mended, by the least change at rest.

Joints that close loops say some things more than once: two hinges of a lid lie on one line, the
cranks of a linkage turn about parallel axes and are as far apart as the ends of what couples them.
In single precision they say it twice otherwise, by 1e-7; rows that contradict each other by so
little are half met, afresh in each step, and brake. So what is equal within rounding is made equal:

1. Both frames of a joint meet along and about what it locks, half way each.
2. Directions of an island that are parallel become one, their mean; directions that are then at
   right angles to those of more joints are made so. They are the axes that hinges turn about and
   that slides move along; frames are turned onto them by the shortest way.
3. Hinges about one direction, seen along it, are points in a plane. Points at the same place become
   one: hinges of one pair of bodies lie on a line, and pins between the two on it. Pins of a pair
   without a hinge come to one place, or onto one line.
4. What separates two such points on a body is a vector. Vectors that are equal or opposite become
   equal: P x = 0 is linear in the points x, and the least change of x0 is -pinv(P) P x0.

Only then, a bound that the rest pose lies beyond by rounding is moved to where the joint rests.

What is off by more than rounding stays as it is, and whoever diagnoses says so. Frames of joints
change, nothing else: bodies, the mechanism and files stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import tau
from typing import NamedTuple

import numpy as np

from ...model.mechanics.islands import islands_of
from ...model.mechanics.rounding import TURNED, rounding_of
from ...model.mechanism import Mechanism
from ..kinematics.rotation import (
    Array,
    Index,
    Mask,
    cross,
    exponential,
    quaternion_of,
    rotation_vector,
)
from ..kinematics.together import TogetherRows
from ..system import CONE, LINE, WHOLE
from .joints import Joint

STRAIGHT = [0, 1, 2, *range(LINE, CONE)]
"""Coordinates that are distances."""
MOST_POINTS = 200
"""Of an island, between which vectors are compared: many squares of hinges on a body. 800 take 0.3
s, and the time grows with the cube."""
GROUND = -1
"""The number of all bodies that stand still."""


class Mended(NamedTuple):
    """A joint as it was meant to be at rest."""

    frames: Array
    """(2, 4, 4): world from joint frame, and from connected frame."""
    near: float
    """m, by which its places may have been rounded."""


def mended(
    mechanism: Mechanism,
    joints: Sequence[Joint],
    movable: Iterable[int],
    body_index: Mapping[int, int],
) -> dict[int, Mended]:
    """Return the joints of a mechanism at rest without what single precision has rounded, by node.

    ``movable`` are indices of the bodies that forces move, ``body_index`` that of each by its node.
    """
    if not joints:
        return {}
    nodes = {index: node for node, index in body_index.items()}
    moving = {index for index, node in nodes.items() if mechanism.nodes[node].moves}
    still = [[body if body in moving else GROUND for body in one.bodies] for one in joints]
    ends = [(first, second) for first, second in still]
    islands = [one for one in islands_of(movable, ends) if one.joints]
    near = np.zeros(len(joints))
    for island in islands:
        places = [nodes[body] for body in island.bodies]
        for j in island.joints:
            joint = mechanism.nodes[joints[j].node].joint
            assert joint is not None  # that is what makes it a joint node
            places += [joints[j].node, joint.connected_node]
        near[island.joints] = rounding_of(mechanism, places)
    mending = _Mending(joints, ends, near)
    mending.meet(np.arange(len(joints)))
    for own in (np.array(one.joints, dtype=np.intp) for one in islands if one.closes(ends)):
        mending.line_up(own, *mending.align(own))
        mending.meet(own)
    found = zip(joints, mending.frames, near.tolist(), strict=True)
    return {joint.node: Mended(frames, own) for joint, frames, own in found}


def mend(joints: Iterable[Joint], how: Mapping[int, Mended]) -> None:
    """Have joints stand as they were meant to; bounds that they rest beyond by rounding give way.

    Joints that are not among the mended ones, as those of a hand, stay as they are.
    """
    known = [joint for joint in joints if joint.node in how]
    for joint in known:
        joint.frames = how[joint.node].frames
    bounded = [
        joint
        for joint in known
        if ((joint.low != joint.high) & (np.isfinite(joint.low) | np.isfinite(joint.high))).any()
    ]
    if not bounded:
        return
    low, high = (np.array([getattr(one, name) for one in bounded]) for name in ("low", "high"))
    value = _values(np.array([one.frames for one in bounded]), low, high)
    near = np.full(value.shape, TURNED)
    near[:, STRAIGHT] = np.array([how[one.node].near for one in bounded])[:, None]
    free = low != high
    new_low = np.where(free & (value < low) & (value >= low - near), value, low)
    new_high = np.where(free & (value > high) & (value <= high + near), value, high)
    for joint, own_low, own_high in zip(bounded, new_low, new_high, strict=True):
        joint.low, joint.high = own_low, own_high


def _values(frames: Array, low: Array, high: Array) -> Array:
    """Return all coordinates (J, 14) of joints from their frames (J, 2, 4, 4).

    Twists are on the turn on which they are least outside of their bounds.
    """
    back = frames[:, 0, :3, :3].swapaxes(-1, -2)
    place = (back @ (frames[:, 1, :3, 3] - frames[:, 0, :3, 3])[..., None])[..., 0]
    q = quaternion_of(back @ frames[:, 1, :3, :3])
    out = np.empty(low.shape)
    out[:, :3] = place
    twist = 2.0 * np.arctan2(q[:, :3], q[:, 3:])
    turned = twist[..., None] + np.array([0.0, tau, -tau])
    beyond = np.maximum(low[:, 3:6, None] - turned, turned - high[:, 3:6, None])
    best = np.maximum(beyond, 0.0).argmin(-1)[..., None]
    out[:, 3:6] = np.take_along_axis(turned, best, -1)[..., 0]
    several = TogetherRows(np.arange(LINE, WHOLE + 1))
    every = (np.repeat(one[:, None], WHOLE + 1 - LINE, 1) for one in (place, q))
    out[:, LINE:] = several.directions(*every).value
    return out


class _Mending:
    """Frames of joints on their way to what was meant.

    Attributes:
        frames: (J, 2, 4, 4), world from frame.
        near: (J,) m, what is rounding.
    """

    def __init__(
        self, joints: Sequence[Joint], ends: Sequence[tuple[int, int]], near: Array
    ) -> None:
        """Take the joints, the bodies that they are on, and what is rounding: (J,) m."""
        self.frames = np.array([joint.frames for joint in joints])
        self.near, self.ends = near, ends
        low = np.array([joint.low[:6] for joint in joints])
        high = np.array([joint.high[:6] for joint in joints])
        self.locked: Mask = low == high
        """(J, 6) which coordinates are held rigidly."""
        self.hold = np.where(self.locked, low, 0.0)
        self.plain: Mask = ~(self.hold[:, 3:] != 0.0).any(1)
        """(J,) whether no axis is held at an angle."""

    def meet(self, own: Index) -> None:
        """Bring both frames of joints together along and about what they lock, half each."""
        frames, locked = self.frames[own], self.locked[own]
        turns = locked[:, 3:] & self.plain[own, None]
        count = turns.sum(1)
        first, second = frames[:, 0, :3, :3], frames[:, 1, :3, :3]
        relative = first.swapaxes(-1, -2) @ second
        # Two axes held: the third has one direction in both frames. Else twists about what is held.
        axle = np.argmin(turns, axis=1)
        rows = np.arange(len(frames))
        axis = relative[rows, :, axle]
        lean = cross(np.eye(3)[axle], axis)
        q = quaternion_of(relative)
        twist = 2.0 * np.arctan2(q[:, :3], q[:, 3:])
        by = np.where((count == 2)[:, None], lean, np.where(turns, twist, 0.0))
        by = np.where((count == 3)[:, None], rotation_vector(relative), by)
        ahead = (count != 2) | (axis[rows, axle] > 0.0)
        by[(np.abs(by).max(1) > TURNED) | ~ahead] = 0.0
        half = 0.5 * by
        frames[:, 0, :3, :3] = first @ exponential(half)
        # In the axes of the second frame, which are turned against those of the first.
        back = (relative.swapaxes(-1, -2) @ half[..., None])[..., 0]
        back = np.where((count == 1)[:, None], half, back)
        frames[:, 1, :3, :3] = second @ exponential(-back)
        axes, apart = frames[:, 0, :3, :3], frames[:, 1, :3, 3] - frames[:, 0, :3, 3]
        off = (axes.swapaxes(-1, -2) @ apart[..., None])[..., 0] - self.hold[own, :3]
        off[~locked[:, :3] | (np.abs(off) > self.near[own, None])] = 0.0
        way = 0.5 * (axes @ off[..., None])[..., 0]
        frames[:, 0, :3, 3] += way
        frames[:, 1, :3, 3] -= way
        self.frames[own] = frames

    def align(self, own: Index) -> tuple[Index, Array]:
        """Make directions of an island's joints one, or square.

        Returns:
            For each joint the number of the direction that it turns about, or -1, and all
            directions (k, 3).
        """
        axes = [(j, end, axis) for j in own.tolist() for end, axis in self._axes_of(j)]
        if not axes:
            return np.full(len(own), -1), np.zeros((0, 3))
        joint, end, axis = np.array(axes).T
        label, directions = _directions(self.frames[joint, end, :3, axis])
        wanted: dict[tuple[int, int], dict[int, int]] = {}
        for (j, end, axis), number in zip(axes, label.tolist(), strict=True):
            wanted.setdefault((j, end), {})[axis] = number
        for (j, end), numbers in wanted.items():
            turn, about = self.frames[j, end, :3, :3], None
            for axis, number in numbers.items():
                old, new = turn[:, axis], directions[number]
                way = np.cross(old, new if new @ old > 0.0 else -new)
                if about is not None:  # the first axis stays
                    way = about * (about @ way)
                turn = exponential(way) @ turn
                about = turn[:, axis]
            self.frames[j, end, :3, :3] = turn
        axles = (wanted.get((j, 0), {}).get(self._axle(j), -1) for j in own.tolist())
        return np.array(list(axles)), directions

    def _axle(self, j: int) -> int:
        """Return the one axis that a joint turns about, or -1."""
        free = np.flatnonzero(~self.locked[j, 3:])
        return int(free[0]) if len(free) == 1 and self.plain[j] else -1

    def _axes_of(self, j: int) -> Iterator[tuple[int, int]]:
        """Yield which axes of which frame of a joint may be parallel to others: end, axis."""
        turning = np.flatnonzero(~self.locked[j, 3:]).tolist()
        if len(turning) > 1 or not self.plain[j]:
            return
        free = np.flatnonzero(~self.locked[j, :3]).tolist()
        held = np.flatnonzero(self.locked[j, :3]).tolist()
        along = free if len(free) == 1 else held if len(held) == 1 else []
        yield from ((end, axis) for axis in turning for end in (0, 1))
        for axis in along:
            if axis not in turning:
                # Places are counted along the axes of the first frame.
                yield from ((end, axis) for end in ((0,) if turning else (0, 1)))

    def line_up(self, own: Index, axles: Index, directions: Array) -> None:
        """Move hinges of an island to where they were meant, seen along what they turn about."""
        loose = [j for j in own[axles < 0].tolist() if self.locked[j, :3].all()]
        hinged: set[frozenset[int]] = set()
        for number in np.unique(axles[axles >= 0]).tolist():
            hinges = [
                j
                for j in own[axles == number].tolist()
                if np.delete(self.locked[j, :3], self._axle(j)).all()
            ]
            pairs = {frozenset(self.ends[j]) for j in hinges}
            pins = [j for j in loose if frozenset(self.ends[j]) in pairs]
            self._place(hinges, pins, directions[number])
            hinged |= pairs
        count = Counter(frozenset(self.ends[j]) for j in loose)
        for pair in [one for one, many in count.items() if many > 1 and one not in hinged]:
            self._string([j for j in loose if frozenset(self.ends[j]) == pair])

    def _string(self, pins: list[int]) -> None:
        """Move pins of one pair of bodies to one place, or onto one line, if they nearly are."""
        near = float(self.near[pins].max())
        places = self.frames[pins, 0, :3, 3]
        label = _gathered(places, 2.0 * near)
        points = np.array([places[label == one].mean(0) for one in range(label.max() + 1)])
        if len(points) > 2:
            arms = points - points.mean(0)
            line = np.linalg.svd(arms, full_matrices=False)[2][0]
            off = arms - np.outer(arms @ line, line)
            if np.abs(off).max() <= 2.0 * near:
                points -= off
        self.frames[pins, :, :3, 3] += (points[label] - places)[:, None]

    def _place(self, hinges: list[int], pins: list[int], direction: Array) -> None:
        """Move hinges about a direction, and pins on their lines, in the plane across it."""
        every = [*hinges, *pins]
        if len(every) < 2:
            return
        near = float(self.near[every].max())
        origins = self.frames[every, 0, :3, 3]
        middle = origins.mean(0)
        across = np.linalg.svd(direction[None])[2][1:]
        flat = (origins - middle) @ across.T
        label = _gathered(flat, 2.0 * near)
        alone = np.bincount(label)[label] == 1
        alone[: len(hinges)] = False  # a pin that is on no line stays where it is
        points = np.array([flat[label == one].mean(0) for one in range(label.max() + 1)])
        on_body: dict[int, set[int]] = {}
        for j, point in zip(hinges, label.tolist(), strict=False):
            for body in self.ends[j]:
                on_body.setdefault(body, set()).add(point)
        moved = points + _equal_vectors(points, [sorted(one) for one in on_body.values()], near)
        by = np.where(alone[:, None], 0.0, moved[label] - flat)
        self.frames[every, :, :3, 3] += (by @ across)[:, None]


def _directions(vectors: Array) -> tuple[Index, Array]:
    """Return which direction each unit vector (n, 3) has, of either sign, and these (k, 3)."""
    label = np.full(len(vectors), -1)
    means: list[Array] = []
    while (left := np.flatnonzero(label < 0)).size:
        lead, rest = vectors[left[0]], vectors[left]
        same = np.sqrt((cross(rest, lead[None]) ** 2).sum(-1)) <= TURNED
        label[left[same]] = len(means)
        alike = rest[same] * np.sign(rest[same] @ lead)[:, None]
        mean = alike.mean(0)
        means.append(mean / np.sqrt(mean @ mean))
    directions = np.array(means)
    order = np.argsort(-np.bincount(label), kind="stable")
    for place, one in enumerate(order.tolist()):
        before = directions[order[:place]]
        square = before[np.abs(before @ directions[one]) <= TURNED]
        if len(square):
            # Three in a plane, but for rounding, are two: what is left of the third says nothing.
            by = np.linalg.lstsq(square, square @ directions[one], rcond=1e-3)[0]
            directions[one] -= by
            directions[one] /= np.sqrt(directions[one] @ directions[one])
    return label, directions


def _gathered(points: Array, near: float) -> Index:
    """Return numbers of places that points are at, the same where they are near."""
    label = np.full(len(points), -1)
    count = 0
    while (left := np.flatnonzero(label < 0)).size:
        away = np.abs(points[left] - points[left[0]]).max(1)
        label[left[away <= near]] = count
        count += 1
    return label


def _equal_vectors(points: Array, bodies: Sequence[Sequence[int]], near: float) -> Array:
    """Return by how much points (n, 2) move for vectors between those of a body to be equal."""
    owner: dict[tuple[int, int], int] = {}
    for number, own in enumerate(sorted(bodies, key=len)):
        for pair in combinations(own, 2):
            owner.setdefault(pair, number)
    if len(owner) < 2 or len(points) > MOST_POINTS:
        return np.zeros_like(points)
    first, second = np.array(list(owner)).T
    way = np.eye(len(points))[second] - np.eye(len(points))[first]
    body, vectors = np.array(list(owner.values())), way @ points
    # Pairs with one that they equal, and its sign. What a single body has equal closes no loop.
    equal: list[tuple[int, int, float]] = []
    left = np.arange(len(body))
    while len(left) and body[left[-1]] != body[left[0]]:
        lead = left[0]
        one = np.abs(vectors[left] - vectors[lead]).max(1) <= 2.0 * near
        other = np.abs(vectors[left] + vectors[lead]).max(1) <= 2.0 * near
        alike = left[one | other]
        if body[alike[-1]] != body[lead]:
            signs = np.where(one, -1.0, 1.0)[one | other]
            equal += [(k, lead, sign) for k, sign in zip(alike[1:], signs[1:], strict=True)]
        left = left[~(one | other)]
    if not equal:
        return np.zeros_like(points)
    matrix = np.array([way[k] + sign * way[lead] for k, lead, sign in equal])
    return np.asarray(-np.linalg.lstsq(matrix, matrix @ points, rcond=1e-9)[0])
