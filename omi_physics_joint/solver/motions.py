# SPDX-License-Identifier: GPL-3.0-or-later
"""Prescribed motion of kinematic bodies: lerp and slerp between frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .rotation import EYE, Array, cross, exponential, matrix_of, rotation_vector


@dataclass(frozen=True, slots=True)
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

    def at(self, time: float) -> tuple[Array, Array, Array, Array]:
        """Return position (3,), rotation (3, 3), velocity and angular velocity (3,), world axes."""
        times = np.asarray(self.times, dtype=np.float64)
        turns = matrix_of(np.asarray(self.rotations, dtype=np.float64).reshape(-1, 4))
        places = np.asarray(self.translations, dtype=np.float64).reshape(-1, 3)
        number = int(np.searchsorted(times, time, side="right")) - 1
        if number < 0 or number + 1 >= len(times):
            end = min(max(number, 0), len(times) - 1)
            return places[end], turns[end], np.zeros(3), np.zeros(3)
        span = times[number + 1] - times[number]
        part = (time - times[number]) / span
        velocity = (places[number + 1] - places[number]) / span
        step = rotation_vector((turns[number + 1] @ turns[number].T)[None])
        turn = exponential(part * step)[0] @ turns[number]
        return places[number] + part * span * velocity, turn, velocity, step[0] / span


def carried(
    position: Array, rotation: Array, velocity: Array, spin: Array, time: float
) -> tuple[Array, Array]:
    """Return pose of a body that keeps its velocities: origin (3,), world from node (3, 3)."""
    turn = exponential((spin * time)[None])[0]
    return position + velocity * time, turn @ rotation


def at_centre(velocity: Array, spin: Array, arm: Array) -> Array:
    """Return the velocity of the centre of mass, an arm (world axes) away from the origin."""
    return velocity + cross(spin, arm)


__all__ = ["EYE", "KinematicMotion", "at_centre", "carried"]
