# SPDX-License-Identifier: GPL-3.0-or-later
"""Prescribed motion of kinematic bodies: lerp and slerp between frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..kinematics.rotation import Array, exponential, matrix_of, rotation_vector


@dataclass(frozen=True)
class KinematicMotion:
    """Where the node of a kinematic body is, frame by frame; it rests before and after.

    Attributes:
        times: (k,) rising, s.
        translations: (k, 3) world positions of the node's origin, m.
        rotations: (k, 4) world rotations, x y z w.
    """

    times: Array
    translations: Array
    rotations: Array

    @cached_property
    def moments(self) -> Array:
        """The times as an array."""
        return np.asarray(self.times, dtype=np.float64)

    def at(self, time: float) -> tuple[Array, Array, Array, Array]:
        """Return position (3,), rotation (3, 3), velocity and angular velocity (3,), world axes."""
        times = self.moments
        number = int(np.searchsorted(times, time, side="right")) - 1
        if number < 0 or number + 1 >= len(times):
            (place,), (turn,) = self._poses(min(max(number, 0), len(times) - 1), 1)
            return place, turn, np.zeros(3), np.zeros(3)
        places, turns = self._poses(number, 2)
        span = times[number + 1] - times[number]
        part = (time - times[number]) / span
        velocity = (places[1] - places[0]) / span
        step = rotation_vector((turns[1] @ turns[0].T)[None])
        turn = exponential(part * step)[0] @ turns[0]
        return places[0] + part * span * velocity, turn, velocity, step[0] / span

    def _poses(self, first: int, count: int) -> tuple[Array, Array]:
        own = slice(first, first + count)
        turns = np.asarray(self.rotations, dtype=np.float64).reshape(-1, 4)[own]
        return np.asarray(self.translations, dtype=np.float64).reshape(-1, 3)[own], matrix_of(turns)
