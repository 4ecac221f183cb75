# SPDX-License-Identifier: GPL-3.0-or-later
"""Which islands are built alike, so that they are computed together where they step alike."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from ..model.islands import Island, islands_of


def alike(
    dynamic: Sequence[int],
    ends: Sequence[tuple[int, int]],
    build: Callable[[int], Hashable],
    kind: Callable[[Island[int]], Hashable],
) -> list[list[Island[int]]]:
    """Sort dynamic bodies and joints into groups of islands that have the same build.

    Args:
        dynamic: indices of the bodies that forces move.
        ends: the two bodies of each joint; what is not dynamic does not connect.
        build: what must be the same of two joints for their islands to be alike.
        kind: what else must be the same of two islands.

    Returns:
        Groups in the order of their first bodies; bodies and joints match across a group's islands.
    """
    groups: dict[Hashable, list[Island[int]]] = {}
    for island in islands_of(dynamic, ends):
        local = {body: number for number, body in enumerate(island.bodies)}
        joints = tuple(
            (local.get(ends[j][0], -1), local.get(ends[j][1], -1), build(j)) for j in island.joints
        )
        key = (len(island.bodies), joints, kind(island))
        groups.setdefault(key, []).append(island)
    return list(groups.values())
