# SPDX-License-Identifier: GPL-3.0-or-later
"""Which links do not meet: collision filters, pair by pair of bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from ...model.body import CollisionFilter
from ...model.mechanism import Mechanism
from ...model.wording.findings import Findings
from ..robot import Link

Pair = tuple[int, int]
MOST = 400
"""Bodies with filters; of more the pairs are not counted out."""


def apart(
    mechanism: Mechanism,
    link_of: Callable[[int | None], int],
    links: Sequence[Link],
    findings: Findings,
) -> tuple[Pair, ...]:
    """Return the pairs of links that filters keep apart."""
    filters: dict[int, set[int | None]] = {}
    for index, node in enumerate(mechanism.nodes):
        if node.collider is None or node.collider.shape is None:
            continue
        body = mechanism.body_of(index)
        if body is not None:
            filters.setdefault(link_of(body), set()).add(node.collider.collision_filter)
    if len(filters) > MOST or all(own == {None} for own in filters.values()):
        return ()
    found: list[Pair] = []
    for one, other in combinations(sorted(filters), 2):
        met = {_meet(mechanism, a, b) for a in filters[one] for b in filters[other]}
        if met == {False}:
            found.append((one, other))
        elif False in met:
            names = ["world" if link < 0 else links[link].name for link in (one, other)]
            findings.note("filter", " and ".join(names))
    return tuple(found)


def _meet(mechanism: Mechanism, one: int | None, other: int | None) -> bool:
    """Return whether two filters let shapes meet."""
    a, b = (
        CollisionFilter() if index is None else mechanism.collision_filters[index]
        for index in (one, other)
    )
    return a.meets(b)
