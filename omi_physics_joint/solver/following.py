# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds that move: bodies that they come over follow them closely.

What a bound violates comes in along a curve of half a second, from rest. Bounds that move a little
in each output step would begin it again and again and leave bodies behind. So bodies are put on its
end, where (1 - u)^3 of it is left: that much is s, and s goes on from where the body is.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from .island_group import IslandGroup
from .state import BRINGING_IN, brought_in

STEPS = 2.0
"""Output steps in which what a bound has passed comes in."""
EARLIEST = 0.5
"""Part of the curve behind which bodies are put, however long a step is."""


def follow_bounds(group: IslandGroup, step: float, time: float, late: Collection[int]) -> None:
    """Have bodies that bounds came over be where they are on the end of the curve.

    Args:
        group: islands, just built anew on their way.
        step: s of an output step.
        time: s since the rest pose.
        late: joint nodes of islands whose rest pose violated bounds: they take their time.
    """
    excess = group.state.excess
    for island, (_, nodes) in enumerate(group.members):
        if not excess[island].any():
            continue
        u = max(EARLIEST, 1.0 - STEPS * step / BRINGING_IN)
        if not set(nodes).isdisjoint(late):
            u = min(u, time / BRINGING_IN)
        excess[island] /= brought_in(np.array(u))
        group.state.span[island, 2] = u * BRINGING_IN


def coming_in(groups: Collection[IslandGroup]) -> frozenset[int]:
    """Return the joint nodes of islands that violate bounds."""
    return frozenset(
        node
        for group in groups
        for island, (_, nodes) in enumerate(group.members)
        if np.any(group.state.excess[island])
        for node in nodes
    )
