# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns of joints that turn about one axis on which nothing acts: they have no row that counts.

Poses tell an angle but for whole turns. Where the joint was, and how far its rates at the start and
the end of a step must have taken it since, tells the rest. While nothing can have turned far, there
is nothing to do: whoever asks finds the angle that is nearest to the last one that was looked at.
"""

from __future__ import annotations

import numpy as np

from ..state import State
from ..system import System
from .rotation import Array, quaternion_of

TURN = 2.0 * np.pi
NEAR = 1.5
"""rad: what has turned by less than this is certainly nearest to where it was."""


def angles_near(system: System, state: State, near: Array) -> Array:
    """Return the angles of axles that are nearest to some: (N, a), rad."""
    joint, axis = system.axles
    ends = system.ends[joint]
    frames = state.rotation[:, ends] @ system.axes[:, joint]
    between = frames[:, :, 0].swapaxes(-1, -2) @ frames[:, :, 1]
    q = quaternion_of(between.reshape(-1, 3, 3)).reshape(*between.shape[:2], 4)
    angle = 2.0 * np.arctan2(q[:, np.arange(len(axis)), axis], q[..., 3])
    return np.asarray(angle + TURN * np.rint((near - angle) / TURN))


def axle_rates(system: System, state: State, other_spin: Array) -> Array:
    """Return how fast axles turn: (N, a), rad/s.

    Args:
        system: of the islands.
        state: where they are.
        other_spin: (N, o, 3) of what moves by itself, rad/s about world axes.
    """
    joint, axis = system.axles
    n, ends = system.bodies, system.ends[joint]
    own = (state.velocity[..., 3:] / system.roots[..., 3:])[..., None]
    spin = np.concatenate([(state.rotation[:, :n] @ own)[..., 0], other_spin], 1)
    places = state.rotation[:, ends[:, 0]] @ system.axes[:, joint, 0]
    along = places[:, np.arange(len(axis)), :, axis].swapaxes(0, 1)
    return np.asarray(((spin[:, ends[:, 1]] - spin[:, ends[:, 0]]) * along).sum(-1))


class TurnCount:
    """Looks at the axles of equal islands often enough to know all their turns."""

    def __init__(self, system: System, state: State) -> None:
        """Count for a state, whose arrays stay the same."""
        self._system, self._state = system, state
        self._spin = state.velocity[..., 3:]
        # Two bodies against each other, of whose spins the largest component is known.
        self._worth = 2.0 * np.sqrt(3.0) / system.roots[..., 3:]
        self._room = np.empty_like(self._worth)
        self._away = 0.0
        self._speed = self.speed()

    def speed(self) -> float:
        """Return what no axle is faster than, of those that nothing leads: rad/s."""
        np.multiply(self._spin, self._worth, out=self._room)
        return float(np.abs(self._room, out=self._room).max(initial=0.0))

    def forget(self) -> None:
        """Take note that velocities have changed between steps."""
        self._speed = self.speed()

    def look(self, far: Array | float = 0.0) -> None:
        """Write down where axles are, which have turned by about so many rad since."""
        state = self._state
        state.turn[:] = angles_near(self._system, state, state.turn + far)
        self._away = 0.0

    def is_slow(self, dt: float) -> bool:
        """Return whether no axle gets far in a step of dt seconds that begins."""
        return self._away + self._speed * dt < NEAR

    def stays_near(self, dt: float) -> bool:
        """Return whether no axle got far in a step that has ended, nor in those before it."""
        before, self._speed = self._speed, self.speed()
        self._away += max(before, self._speed) * dt
        return self._away < NEAR
