# SPDX-License-Identifier: GPL-3.0-or-later
"""In which order bodies and joints of an island are eliminated, and which blocks that fills.

The matrix of bodies and joints is sparse: it has a block where a joint is on a body, and what is
eliminated connects all that is left of its neighbours. Bodies of one or two joints go first, since
their blocks are one, then those with fewest neighbours: chains are left with a block between each
two joints, all other trees fill nothing. A joint has a pivot only after its body that is farther
from the root has been eliminated, since rows of the joints that are gone are to be independent on
the bodies that are; in a loop, where rows may follow from others, one that does not cancel only
after both have been.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise

import numpy as np

from ..kinematics.rotation import Index

CHAIN = 2
"""Joints of a body that goes before them: what they have in common is one block."""


@dataclass(frozen=True, slots=True)
class Ordering:
    """An order of elimination. Nodes are the bodies, then the joints.

    Attributes:
        order: the nodes.
        later_start: by place in the order, where its blocks begin; one more than nodes.
        later_node: of each block, the neighbour that is eliminated later, in that order.
        update: for each pair of blocks of a node, rising, the block between their neighbours.
    """

    order: list[int]
    later_start: list[int]
    later_node: list[int]
    update: Index


def ordering_of(bodies: int, ends: Sequence[Sequence[int]]) -> Ordering:
    """Return an order for so many bodies and the joints between them, with two bodies each.

    Bodies of higher numbers are not moved by forces, and are no nodes.
    """
    near: list[set[int]] = [set() for _ in range(bodies + len(ends))]
    for joint, pair in enumerate(ends, bodies):
        for body in pair:
            if body < bodies:
                near[body].add(joint)
                near[joint].add(body)
    waits = [
        {body for body in pair if body < bodies} if loops else {far}
        for pair, loops, far in zip(
            ends, in_loops(bodies, ends), far_bodies(bodies, ends), strict=True
        )
    ]
    order, later = _eliminated(bodies, near, waits)
    place = {node: at for at, node in enumerate(order)}
    later_start, later_node = [0], list[int]()
    for node in order:
        later_node += sorted(later[node], key=place.__getitem__)
        later_start.append(len(later_node))
    return Ordering(order, later_start, later_node, _updates(order, later_start, later_node))


def _updates(order: list[int], later_start: list[int], later_node: list[int]) -> Index:
    """Return the block between each two later neighbours of a node; there may be millions.

    Blocks are numbered by the places of both nodes, the later neighbour last, so those are sorted.
    """
    count = len(order)
    place = np.empty(count, dtype=np.intp)
    place[order] = np.arange(count)
    later = place[later_node] if later_node else np.empty(0, dtype=np.intp)
    block = np.repeat(np.arange(count), np.diff(later_start)) * count + later
    asked = [np.empty(0, dtype=np.intp)]
    for first, last in pairwise(later_start):
        if last - first > 1:
            own = later[first:last]
            second, one = np.tril_indices(len(own), -1)
            asked.append(own[one] * count + own[second])
    return np.searchsorted(block, np.concatenate(asked))


def in_loops(bodies: int, ends: Sequence[Sequence[int]]) -> list[bool]:
    """Return which joints close loops or lie between such: what is left when ends are cut off.

    All bodies from number ``bodies`` on, which forces do not move, are one.
    """
    nodes = [(min(a, bodies), min(b, bodies)) for a, b in ends]
    at: list[set[int]] = [set() for _ in range(bodies + 1)]
    for joint, pair in enumerate(nodes):
        for node in pair:
            at[node].add(joint)
    loose = [node for node, joints in enumerate(at) if len(joints) == 1]
    left = [True] * len(nodes)
    while loose:
        node = loose.pop()
        for joint in at[node]:
            left[joint] = False
            a, b = nodes[joint]
            other = b if a == node else a
            at[other].discard(joint)
            if len(at[other]) == 1:
                loose.append(other)
        at[node] = set()
    return left


def far_bodies(bodies: int, ends: Sequence[Sequence[int]]) -> list[int]:
    """Return of each joint the body that is farther from what stands still, or from some body.

    All bodies from number ``bodies`` on, which forces do not move, are one.
    """
    at: list[list[int]] = [[] for _ in range(bodies + 1)]
    for joint, pair in enumerate(ends):
        for body in pair:
            at[min(body, bodies)].append(joint)
    far = [-1] * len(ends)
    is_reached = [False] * (bodies + 1)
    for root in range(bodies, -1, -1):
        reached = [] if is_reached[root] else [root]
        is_reached[root] = True
        for body in reached:
            for joint in at[body]:
                a, b = ends[joint]
                other = min(b if min(a, bodies) == body else a, bodies)
                if far[joint] < 0:
                    far[joint] = other
                if not is_reached[other]:
                    is_reached[other] = True
                    reached.append(other)
    return far


def _eliminated(
    bodies: int, near: list[set[int]], waits: list[set[int]]
) -> tuple[list[int], list[set[int]]]:
    """Return the order, and of each node the neighbours that it left.

    Neighbours of nodes, and the bodies that joints wait for, are changed.
    """
    is_gone = [False] * len(near)

    first = [len(joints) <= CHAIN for joints in near[:bodies]] + [False] * (len(near) - bodies)

    def rank(node: int) -> int:
        """Few neighbours first, but bodies of chains before all: their blocks are one."""
        return 0 if first[node] else len(near[node])

    # Among equals bodies before joints, as nodes are numbered.
    heap = [(rank(body), body) for body in range(bodies)]
    heapify(heap)
    order: list[int] = []
    while heap:
        ranked, node = heappop(heap)
        if is_gone[node] or ranked != rank(node):
            continue  # there is a newer entry
        is_gone[node] = True
        order.append(node)
        for other in near[node]:
            near[other].discard(node)
            near[other] |= near[node]
            near[other].discard(other)
            if other >= bodies:
                waits[other - bodies].discard(node)
        for other in near[node]:
            if other < bodies or not waits[other - bodies]:
                heappush(heap, (rank(other), other))
    return order, near
