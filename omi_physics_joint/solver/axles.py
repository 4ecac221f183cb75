# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns of joints that turn about one axis on which nothing acts: they have no row that counts.

Poses tell an angle but for whole turns. Where the joint was, and how far its rates at the start and
the end of a step must have taken it since, tells the rest.
"""

from __future__ import annotations

import numpy as np

from .rotation import Array, quaternion_of
from .state import State
from .system import System

TURN = 2.0 * np.pi


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
