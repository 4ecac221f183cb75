# SPDX-License-Identifier: GPL-3.0-or-later
"""In which order bodies and joints are eliminated: the fewest neighbours first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np


def elimination_plan(bodies: int, ends: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Return the fields of an island that say how it is eliminated.

    Args:
        bodies: How many of them move.
        ends: The two bodies of each joint.
    """
    beside: list[set[int]] = [set() for _ in range(bodies + len(ends))]
    for joint, pair in enumerate(ends, bodies):
        for body in (one for one in pair if one < bodies):
            beside[body].add(joint)
            beside[joint].add(body)
    # A joint has a pivot only when one of its bodies has gone.
    ready, left = set(range(bodies)), set(range(len(beside)))
    order: list[int] = []
    later: list[set[int]] = []
    while left:
        node = min(left, key=lambda one: (one not in ready, len(beside[one]), one))
        around = beside[node]
        order.append(node)
        later.append(set(around))
        left.discard(node)
        ready |= around if node < bodies else set()
        for one in around:
            beside[one] = (beside[one] | around) - {one, node}
    place = {node: number for number, node in enumerate(order)}
    start, nodes, block = [0], [], {}
    for node, around in zip(order, later, strict=True):
        for other in sorted(around, key=place.__getitem__):
            block[node, other] = len(nodes)
            nodes.append(other)
        start.append(len(nodes))
    update = [
        block[nodes[first], nodes[second]]
        for begin, end in pairwise(start)
        for second in range(begin, end)
        for first in range(begin, second)
    ]
    return {
        "nodes": len(order),
        "blocks": len(nodes),
        "order": np.array(order, np.int32),
        "later_start": np.array(start, np.int32),
        "later_node": np.array(nodes, np.int32),
        "update": np.array(update, np.int32),
    }
