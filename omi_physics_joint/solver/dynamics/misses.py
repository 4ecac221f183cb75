# SPDX-License-Identifier: GPL-3.0-or-later
"""How far rigid rows are off, joint by joint."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..kinematics.rotation import Array
from ..state import BRINGING_IN, State
from ..system import RowKind, System


def misses(system: System, state: State) -> Array:
    """Return separation, misalignment and overshoot of the joints: (3, N, m).

    What was violated at rest is not missed as far as it is still on the way.
    """
    off, locked = rows_off(system, state)
    joint, straight = system.joint_of_row, system.coordinate < 3
    worst = np.zeros((3, system.joints, system.islands))
    for number, which in enumerate((locked & straight, locked & ~straight)):
        np.add.at(worst[number], joint[which], off[:, which].T ** 2)
    worst[:2] = np.sqrt(worst[:2])
    np.maximum.at(worst[2], joint, off.T)
    return worst.swapaxes(1, 2)


def joints_off(system: System, state: State) -> Array:
    """Return by how much joints are off, bounds like locks: m and rad, (2, N, m)."""
    off, _ = rows_off(system, state)
    joint, straight = system.joint_of_row, system.coordinate < 3
    out = np.zeros((2, system.joints, system.islands))
    for number, which in enumerate((straight, ~straight)):
        np.add.at(out[number], joint[which], off[:, which].T ** 2)
    return np.sqrt(out).swapaxes(1, 2)


def rows_off(system: System, state: State) -> tuple[Array, NDArray[np.bool_]]:
    """Return by how much each row is off, (N, r) m or rad, and (r,) which are locks."""
    u = np.minimum(state.span[:, 2:3] / BRINGING_IN, 1.0)
    rest = 1.0 - u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
    value, allowed = state.value, rest * state.excess
    locked = system.kind == RowKind.LOCK
    below = np.where(locked, 0.0, system.low) + np.minimum(allowed, 0.0) - value
    above = value - np.where(locked, 0.0, system.high) - np.maximum(allowed, 0.0)
    off = np.where(locked, np.abs(value - allowed), np.maximum(np.maximum(below, above), 0.0))
    return off, locked
