# SPDX-License-Identifier: GPL-3.0-or-later
"""In which order bodies and joints of an island are eliminated, and which blocks that fills.

The matrix of bodies and joints is sparse: it has a block where a joint is on a body, and what is
eliminated connects all that is left of its neighbours. Those with fewest neighbours go first, so
trees fill nothing. A joint has a pivot only after one of its bodies has been eliminated; in a loop,
where its rows may follow from others, one that does not cancel only after both have been.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise


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
    update: list[int]


def ordering_of(bodies: int, ends: Sequence[Sequence[int]]) -> Ordering:
    """Return an order for so many bodies and the joints between them.

    Args:
        bodies: those that forces move.
        ends: two bodies of each joint; numbers beyond ``bodies`` are not moved, and are no nodes.
    """
    near: list[set[int]] = [set() for _ in range(bodies + len(ends))]
    for joint, pair in enumerate(ends, bodies):
        for body in pair:
            if body < bodies:
                near[body].add(joint)
                near[joint].add(body)
    waits = [
        len(near[bodies + j]) if loops else 1 for j, loops in enumerate(in_loops(bodies, ends))
    ]
    order, later = _eliminated(bodies, near, [0] * bodies + waits)
    place = {node: at for at, node in enumerate(order)}
    later_start, later_node = [0], list[int]()
    block: dict[tuple[int, int], int] = {}
    for node in order:
        for other in sorted(later[node], key=place.__getitem__):
            block[node, other] = len(later_node)
            later_node.append(other)
        later_start.append(len(later_node))
    update = [
        block[later_node[i], later_node[j]]
        for first, last in pairwise(later_start)
        for j in range(first, last)
        for i in range(first, j)
    ]
    return Ordering(order, later_start, later_node, update)


def in_loops(bodies: int, ends: Sequence[Sequence[int]]) -> list[bool]:
    """Return which joints close loops or lie between such: what is left when ends are cut off.

    Args:
        bodies: those that forces move; all others are one.
        ends: two bodies of each joint.
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


def _eliminated(
    bodies: int, near: list[set[int]], waits: list[int]
) -> tuple[list[int], list[set[int]]]:
    """Return the order, and of each node the neighbours that it left.

    Args:
        bodies: number of them.
        near: neighbours of each node; is changed.
        waits: how many bodies each node waits for.
    """
    is_gone = [False] * len(near)
    # Few neighbours first, bodies before joints, as nodes are numbered.
    heap = [(len(near[node]), node) for node in range(len(near)) if waits[node] == 0]
    heapify(heap)
    order: list[int] = []
    while heap:
        degree, node = heappop(heap)
        if is_gone[node] or degree != len(near[node]):
            continue  # there is a newer entry
        is_gone[node] = True
        order.append(node)
        for other in near[node]:
            near[other].discard(node)
            near[other] |= near[node]
            near[other].discard(other)
            waits[other] -= node < bodies
        for other in near[node]:
            if waits[other] <= 0:
                heappush(heap, (len(near[other]), other))
    return order, near
