# SPDX-License-Identifier: GPL-3.0-or-later
"""Impulses that joints go on with when their settings change, where steps begin with the last ones.

In Jolt another target, speed or stiffness is told to the joint that is there; other limits make it
anew, and it begins with none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .island_group import IslandGroup
from .kinematics.rotation import Array, Index

_Impulses = tuple[int, int, Index, tuple[NDArray[Any], ...]]
"""Of a joint its node, its island, where its impulses stand, and what says its limits."""
Borne = dict[int, tuple[tuple[NDArray[Any], ...], Array]]
"""Limits and last impulses of joints, by node."""


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
