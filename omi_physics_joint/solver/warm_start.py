# SPDX-License-Identifier: GPL-3.0-or-later
"""Impulses that joints go on with when their settings change, where steps begin with the last ones.

In Jolt another target, speed or stiffness is told to the joint that is there; other limits make it
anew, and it begins with none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .island_group import IslandGroup
from .kinematics.rotation import Array


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the impulses of a joint stand, and what says its limits."""

    island: int
    at: NDArray[np.intp]
    limits: tuple[Array, ...]


Borne = dict[int, tuple[tuple[Array, ...], Array]]
"""Limits and last impulses of joints, by node."""


def borne_by(groups: Iterable[IslandGroup]) -> Borne:
    """Return what joints bore in the last step."""
    return {
        node: (place.limits, group.state.impulse[place.island, place.at])
        for group in groups
        for node, place in _joints(group)
    }


def go_on(groups: Iterable[IslandGroup], borne: Borne) -> None:
    """Have joints of groups that were built anew begin with what those before bore."""
    for group in groups:
        for node, place in _joints(group):
            limits, impulse = borne.get(node, ((), np.zeros(0)))
            if impulse.size == place.at.size and all(map(np.array_equal, limits, place.limits)):
                group.state.impulse[place.island, place.at] = impulse


def _joints(group: IslandGroup) -> Iterator[tuple[int, _Place]]:
    system = group.system
    joint_of_element = system.joint_of_row[system.element_row]
    for number in range(system.joints):
        rows = np.arange(system.row_start[number], system.row_start[number + 1])
        at = np.concatenate((rows, system.rows + np.flatnonzero(joint_of_element == number)))
        for island, (_, nodes) in enumerate(group.members):
            bounds = (values[island, rows] for values in (system.hold, system.low, system.high))
            limits = (system.coordinate[rows], system.kind[rows], *bounds)
            yield nodes[number], _Place(island, at, limits)
