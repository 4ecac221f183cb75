# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands: what is connected moves together; equal islands are computed together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Group:
    """Islands of the same build.

    Attributes:
        islands: for each, its bodies and its joints, matching one another across islands.
    """

    islands: list[tuple[list[int], list[int]]] = field(default_factory=list)


def grouped_islands(
    dynamic: Sequence[int],
    ends: Sequence[tuple[int, int]],
    build: Callable[[int], Hashable],
) -> list[Group]:
    """Sort dynamic bodies and joints into groups of islands that have the same build.

    Args:
        dynamic: indices of the bodies that forces move.
        ends: the two bodies of each joint; what is not dynamic does not connect.
        build: what must be the same of two joints for their islands to be alike.

    Returns:
        Groups in the order of their first bodies; bodies and joints of an island in their order.
    """
    root = {body: body for body in dynamic}

    def find(body: int) -> int:
        while root[body] != body:
            root[body] = root[root[body]]
            body = root[body]
        return body

    for a, b in ends:
        if a in root and b in root:
            low, high = sorted((find(a), find(b)))
            root[high] = low
    members: dict[int, tuple[list[int], list[int]]] = {}
    for body in dynamic:
        members.setdefault(find(body), ([], []))[0].append(body)
    for joint, (a, b) in enumerate(ends):
        members[find(a if a in root else b)][1].append(joint)
    groups: dict[Hashable, Group] = {}
    for bodies, joints in members.values():
        local = {body: number for number, body in enumerate(bodies)}
        key = (
            len(bodies),
            tuple((local.get(ends[j][0], -1), local.get(ends[j][1], -1), build(j)) for j in joints),
        )
        groups.setdefault(key, Group()).islands.append((bodies, joints))
    return list(groups.values())
