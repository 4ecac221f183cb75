# SPDX-License-Identifier: GPL-3.0-or-later
"""How far rigid rows are off, joint by joint."""

from __future__ import annotations

import numpy as np

from ..kinematics.rotation import Array
from ..state import BRINGING_IN, State, brought_in
from ..system import RowKind, System


def misses(system: System, state: State) -> Array:
    """Return separation, misalignment and overshoot of the joints: (3, N, m).

    What was violated at rest is not missed as far as it is still on the way.
    """
    off = rows_off(system, state)
    overshoot = np.zeros((system.joints, system.islands))
    np.maximum.at(overshoot, system.joint_of_row, off.T)
    locked = np.where(system.kind == RowKind.LOCK, off, 0.0)
    return np.concatenate([joints_off(system, locked), overshoot.T[None]])


def joints_off(system: System, off: Array) -> Array:
    """Return by how much joints are off, m and rad, (2, N, m), from ``rows_off``."""
    out = np.zeros((2, system.joints, system.islands))
    np.add.at(out, (np.where(system.straight, 0, 1), system.joint_of_row), off.T**2)
    return np.sqrt(out).swapaxes(1, 2)


def rows_off(system: System, state: State) -> Array:
    """Return by how much each row is off: (N, r) m or rad, bounds as well as locks."""
    left = brought_in(np.minimum(state.span[:, 2:3] / BRINGING_IN, 1.0))
    value, allowed = state.value, left * state.excess
    locked = system.kind == RowKind.LOCK
    below = np.where(locked, 0.0, system.low) + np.minimum(allowed, 0.0) - value
    above = value - np.where(locked, 0.0, system.high) - np.maximum(allowed, 0.0)
    beyond = np.maximum(np.maximum(below, above), 0.0)
    return np.where(locked, np.abs(value - allowed), beyond)
