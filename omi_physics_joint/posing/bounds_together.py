# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds on several axes together, of joints that are posed: how far off, and how that changes.

They are no bounds on one unknown. Where one is passed it is a row beside those of loops, and
closing them brings the joint back onto it the shortest way; within it the row is nothing.
Directions are those of the solver (``solver.kinematics.together``).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from ..model.geometry.transform import quaternion_from_rotation
from ..model.settings.together import Together
from ..solver.kinematics.rotation import Array, quaternion_of
from ..solver.kinematics.together import TogetherRows
from ..solver.reading.joints import coordinate_of


class BoundsTogether:
    """Those of the joints of one island; ``owners`` are the numbers of their joints."""

    def __init__(self, bounds: Sequence[Sequence[Together]]) -> None:
        """Take the bounds of each joint."""
        pairs = [(link, one) for link, own in enumerate(bounds) for one in own]
        pairs = [(link, one) for link, one in pairs if (one.low, one.high) != (-inf, inf)]
        self.owners = np.array([link for link, _ in pairs], dtype=np.intp)
        self._bounds = [one for _, one in pairs]
        self._rows = TogetherRows(np.array([coordinate_of(one) for one in self._bounds], np.intp))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.owners)

    def offs(self, values: Array, turns: Array, size: float) -> Array:
        """Return by how much each is passed: (k,), m, angles times ``size`` in m; negative below.

        ``values`` (links, 6) and rotations ``turns`` (links, 3, 3) are those of the joints.
        """
        out = np.zeros(len(self))
        for number, (link, one) in enumerate(zip(self.owners, self._bounds, strict=True)):
            turn = quaternion_from_rotation(turns[link].tolist())
            value = one.value(values[link, :3].tolist(), turn)
            out[number] = max(value - one.high, 0.0) + min(value - one.low, 0.0)
        return np.where(self._rows.straight, out, size * out)

    def normals(self, values: Array, turns: Array) -> Array:
        """Return how each grows: (k, 6) along and about the axes of its joint frame."""
        q, straight = quaternion_of(turns[self.owners]), self._rows.straight[:, None]
        normal = self._rows.directions(values[self.owners, :3], q).normal
        return np.concatenate([normal * straight, normal * ~straight], 1)
