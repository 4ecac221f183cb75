# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns of joints that turn about one axis on which nothing acts: they have no row that counts.

Poses tell an angle but for whole turns. Where the joint was at the start of a step, and how far the
mean of its rates at the start and the end takes it, tells the rest.
"""

from __future__ import annotations

from math import tau

import numpy as np

from ..state import State
from ..system import System
from .rotation import Array


class Axles:
    """The joints of equal islands that turn so."""

    def __init__(self, system: System) -> None:
        """Find them."""
        self.joint = np.flatnonzero(system.axle >= 0)
        self.axis = system.axle[self.joint]
        self._own, self._connected = system.ends[self.joint].T
        frames = system.axes[:, self.joint, 0]
        self._along = frames[:, np.arange(len(self.joint)), :, self.axis].swapaxes(0, 1)[..., None]
        self._roots = system.roots[..., 3:]

    def rates(self, state: State, other_velocity: Array) -> Array:
        """Return how fast they turn: (N, a), rad/s."""
        if not len(self.joint):
            return np.zeros((len(self._roots), 0))
        n = self._roots.shape[1]
        own = (state.velocity[..., 3:] / self._roots)[..., None]
        spin = np.concatenate(
            [(state.rotation[:, :n] @ own)[..., 0], other_velocity[..., 3:]], axis=1
        )
        along = (state.rotation[:, self._own] @ self._along)[..., 0]
        return np.asarray(((spin[:, self._connected] - spin[:, self._own]) * along).sum(-1))

    def count(self, state: State, way: Array | float) -> None:
        """Take note that they have turned by about so many rad, (N, a)."""
        if not len(self.joint):
            return
        half = state.half[:, self.joint]
        angle = 2.0 * np.arctan2(half[:, np.arange(len(self.axis)), self.axis], half[..., 3])
        near = state.turn[:, self.joint] + way
        state.turn[:, self.joint] = angle + tau * np.rint((near - angle) / tau)
