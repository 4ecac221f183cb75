# SPDX-License-Identifier: GPL-3.0-or-later
"""The values that joints have after a pose: whoever moves bodies by joints writes them as well."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from bpy.types import Object
from mathutils import Matrix
from numpy.typing import NDArray

from ...model.mechanism import Mechanism
from ..bridge.placed import PlacedObject
from ..bridge.poses.moving import MovedBodies
from ..bridge.poses.second_frames import between, keep_values, put_values_back, set_value

Array = NDArray[np.float64]


class JointValues:
    """Joints whose second frames are no objects, from the moment when this is made."""

    def __init__(
        self, placed: Sequence[PlacedObject], mechanism: Mechanism, moving: MovedBodies
    ) -> None:
        row = {node: k for k, node in enumerate(moving.nodes)}

        def carrier(index: int) -> int | None:
            return next((row[one] for one in mechanism.ancestry(index) if one in row), None)

        self._ends: dict[Object, tuple[int | None, Array, int | None, Array]] = {}
        for index, node in enumerate(placed):
            if node.second_of is not None:
                own = placed[node.second_of]
                first = carrier(node.second_of), np.array(own.world)
                self._ends[own.owner] = (*first, carrier(index), np.array(node.world))
        self._kept = keep_values(joint for joint in self._ends if joint.is_editable)
        self.changed: list[Object] = []
        """Joints that have got another value."""

    def write(self, way: Array, moved: Array) -> None:
        """Give joints the values that the motion of bodies has brought.

        Args:
            way: where each body is now, from where it was, in the world: (n, 4, 4).
            moved: which bodies moved at all: (n,).
        """
        self.changed = []
        for joint, kept in self._kept.items():
            first, own, second, other = self._ends[joint]
            if not any(row is not None and moved[row] for row in (first, second)):
                put_values_back({joint: kept})
                continue
            here = own if first is None else way[first] @ own
            there = other if second is None else way[second] @ other
            set_value(joint, between(Matrix(here.tolist()), Matrix(there.tolist())))
            self.changed.append(joint)

    @property
    def joints(self) -> list[Object]:
        """All joints that have a value of their own."""
        return list(self._ends)

    def restore(self) -> None:
        """Give all joints back what they had, bit by bit."""
        put_values_back(self._kept)
