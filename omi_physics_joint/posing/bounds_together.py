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

from ..model.joint import Freedom
from ..model.radial import Together
from ..model.transform import quaternion_from_rotation
from ..solver.kinematics.rotation import Array


class BoundsTogether:
    """Those of the joints of one island.

    Attributes:
        owners: the number of the joint of each.
    """

    def __init__(self, bounds: Sequence[Sequence[Together]]) -> None:
        """Take the bounds of each joint."""
        pairs = [(link, one) for link, own in enumerate(bounds) for one in own]
        self.owners = np.array([link for link, _ in pairs], dtype=np.intp)
        self._bounds = [one for _, one in pairs if (one.low, one.high) != (-inf, inf)]
        if len(self._bounds) != len(pairs):
            kept = [(one.low, one.high) != (-inf, inf) for _, one in pairs]
            self.owners = self.owners[kept]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._bounds)

    def offs(self, values: Array, turns: Array, size: float) -> Array:
        """Return by how much each is passed: (k,), m, angles times ``size``; negative below.

        Args:
            values: (links, 6) of the joints.
            turns: (links, 3, 3) their rotations.
            size: m.
        """
        out = np.zeros(len(self))
        for number, (link, one) in enumerate(zip(self.owners, self._bounds, strict=True)):
            turn = quaternion_from_rotation(turns[link].tolist())
            value = one.value(values[link, :3].tolist(), turn)
            off = max(value - one.high, 0.0) + min(value - one.low, 0.0)
            out[number] = off * (size if one.freedom is Freedom.ANGULAR else 1.0)
        return out

    def normals(self, values: Array, turns: Array) -> Array:
        """Return how each grows: (k, 6) along and about the axes of its joint frame."""
        out = np.zeros((len(self), 6))
        for number, (link, one) in enumerate(zip(self.owners, self._bounds, strict=True)):
            turn = np.array(quaternion_from_rotation(turns[link].tolist()))
            if one.freedom is Freedom.ANGULAR:
                out[number, 3:] = _about(one, turn)
            else:
                out[number, list(one.axes)] = _unit(values[link, list(one.axes)])
        return out


def _unit(way: Array) -> Array:
    """Return a direction, the first axis where there is none."""
    length = float(np.linalg.norm(way))
    return way / length if length > 0.0 else np.eye(len(way))[0]


def _about(one: Together, turn: Array) -> Array:
    """Return the axis about which an angle grows."""
    if len(one.axes) > 2:
        return _unit(turn[:3] if turn[3] >= 0.0 else -turn[:3])
    k = one.left_axis
    i, j = (k + 1) % 3, (k + 2) % 3
    (a, b), (c, e) = _unit(turn[[i, j]]), _unit(turn[[3, k]])
    out = np.zeros(3)
    out[i], out[j] = c * a - e * b, c * b + e * a
    return out
