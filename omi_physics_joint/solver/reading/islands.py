# SPDX-License-Identifier: GPL-3.0-or-later
"""Which islands are built alike, so that they share what says how they are computed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from ...model.islands import Island, islands_of


def alike(
    dynamic: Sequence[int], ends: Sequence[tuple[int, int]], build: Callable[[int], Hashable]
) -> list[list[Island[int]]]:
    """Sort dynamic bodies and joints into groups of islands that have the same build.

    Args:
        dynamic: indices of the bodies that forces move.
        ends: the two bodies of each joint; what is not dynamic does not connect.
        build: what must be the same of two joints for their islands to be alike.

    Returns:
        Groups in the order of their first bodies; bodies and joints match across a group's islands.
    """
    groups: dict[Hashable, list[Island[int]]] = {}
    for island in islands_of(dynamic, ends):
        local = numbered(island, ends)
        joints = tuple((local[ends[j][0]], local[ends[j][1]], build(j)) for j in island.joints)
        groups.setdefault((len(island.bodies), joints), []).append(island)
    return list(groups.values())


def numbered(island: Island[int], ends: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return the numbers of an island's bodies, then of what its joints are on besides."""
    local = {body: number for number, body in enumerate(island.bodies)}
    for joint in island.joints:
        for body in ends[joint]:
            local.setdefault(body, len(local))
    return local
