# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes on when settings change on the way: bounds that move, and impulses of the last step.

What a bound violates comes in along a curve of half a second, from rest. Bounds that move a little
in each output step would begin it again and again and leave bodies behind. So bodies are put on its
end, where (1 - u)^3 of it is left: that much is s, and s goes on from where the body is.

Godot's steps begin with the last impulses. In Jolt another target, speed or stiffness is told to
the joint that is there; other limits make it anew, and it begins with none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .island_group import IslandGroup
from .kinematics.rotation import Array, Index
from .system import BRINGING_IN, brought_in

STEPS = 2.0
"""Output steps in which what a bound has passed comes in."""
EARLIEST = 0.5
"""Part of the curve behind which bodies are put, however long a step is."""
_Impulses = tuple[int, int, Index, tuple[NDArray[Any], ...]]
"""Of a joint its node, its island, where its impulses stand, and what says its limits."""
Borne = dict[int, tuple[tuple[NDArray[Any], ...], Array]]
"""Limits and last impulses of joints, by node."""


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


def borne_by(groups: Iterable[IslandGroup]) -> Borne:
    """Return what joints bore in the last step."""
    return {
        node: (limits, group.state.impulse[island, at])
        for group in groups
        for node, island, at, limits in _joints(group)
    }


def go_on(groups: Iterable[IslandGroup], borne: Borne) -> None:
    """Have joints of groups that were built anew begin with what those before bore."""
    for group in groups:
        for node, island, at, limits in _joints(group):
            before, impulse = borne.get(node, ((), np.zeros(0)))
            if impulse.size == at.size and all(map(np.array_equal, before, limits)):
                group.state.impulse[island, at] = impulse


def _joints(group: IslandGroup) -> Iterator[_Impulses]:
    system = group.system
    joint_of_element = system.joint_of_row[system.element_row]
    for number in range(system.joints):
        rows = np.arange(system.row_start[number], system.row_start[number + 1])
        at = np.concatenate((rows, system.rows + np.flatnonzero(joint_of_element == number)))
        for island, (_, nodes) in enumerate(group.members):
            bounds = (values[island, rows] for values in (system.hold, system.low, system.high))
            yield nodes[number], island, at, (system.coordinate[rows], system.kind[rows], *bounds)
