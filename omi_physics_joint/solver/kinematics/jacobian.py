# SPDX-License-Identifier: GPL-3.0-or-later
"""The Jacobian of all rows where islands stand, as dense matrices."""

from __future__ import annotations

import numpy as np

from ..state import State
from ..system import System
from .coordinates import Kinematics
from .rotation import Array


def jacobian_of(system: System, state: State) -> Array:
    """Return the scaled Jacobian of each island: (N, r, 6 n)."""
    free = np.full_like(state.value, np.nan)
    parts = state.position, state.rotation, state.half, state.value, free
    position, rotation, half, near, pressed = (one[:, None] for one in parts)
    entry = Kinematics(system).pose(position, rotation, half, near, pressed).entry[:, 0]
    out = np.zeros((system.islands, system.rows, system.bodies + system.others, 6))
    for side in (0, 1):
        body = system.ends[system.joint_of_row, side]
        out[:, np.arange(system.rows), body] += entry[:, :, side]
    return out[:, :, : system.bodies].reshape(system.islands, system.rows, 6 * system.bodies)
