# SPDX-License-Identifier: GPL-3.0-or-later
"""The Jacobian of all rows where islands stand, as dense matrices."""

from __future__ import annotations

import numpy as np

from ..dynamics.shape import Shape
from ..state import State
from ..system import RowKind, System
from .rotation import Array


def jacobian_of(system: System, state: State) -> Array:
    """Return the scaled Jacobian of each island: (N, r, 6 n)."""
    shape = Shape(system)
    parts = state.position, state.rotation, state.half, state.value
    position, rotation, half, value = (one[:, None] for one in parts)
    pose = shape.kinematics.pose(position, rotation, half, value)
    n, rows = system.bodies, np.arange(system.rows)
    of_rows = pose.jacobian[:, 0, :-1].reshape(system.islands, -1, 2, 6)[:, system.slot]
    out = np.zeros((system.islands, system.rows, n + system.others, 6))
    joint = system.joint_of_row
    for side in (0, 1):
        out[:, rows, system.ends[joint, side]] += of_rows[:, :, side]
    return out[:, :, :n].reshape(system.islands, system.rows, 6 * n)


LEAST = 1e-6
"""Of what bodies yield that are alone: what yields less is held, and not accelerated."""


def moved_inertia(system: System, state: State) -> Array:
    """Return the inertia that each element moves with all locks enforced, kg or kg m^2: (N, e)."""
    jacobian = jacobian_of(system, state)
    locked = system.kind == RowKind.LOCK
    out = np.empty((system.islands, system.elements))
    for island, rows in enumerate(jacobian):
        along = rows[system.element_row].T
        held = rows[locked].T
        free = along - held @ np.linalg.lstsq(held, along, rcond=1e-8)[0]
        square, whole = (free * free).sum(0), (along * along).sum(0)
        least = LEAST * whole
        out[island] = square / np.maximum(square * square + least * least, 1e-290)
    return out
