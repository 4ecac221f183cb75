# SPDX-License-Identifier: GPL-3.0-or-later
"""The Jacobian of all rows where islands stand, as dense matrices."""

from __future__ import annotations

import numpy as np

from .kinematics.coordinates import Frames, Kinematics
from .rotation import Array
from .state import State
from .system import RowKind, System


def jacobian_of(system: System, state: State) -> Array:
    """Return the scaled Jacobian of each island: (N, r, 6 n)."""
    s, count = system, system.islands
    inverse = np.zeros((count, s.bodies + s.others, 6))
    inverse[:, : s.bodies] = 1.0 / s.roots
    frames = Frames(
        ends=s.ends.T.reshape(-1).astype(np.intp),
        anchors=s.anchors.swapaxes(1, 2).reshape(count, 2 * s.joints, 3),
        axes=s.axes.swapaxes(1, 2).reshape(count, 2 * s.joints, 3, 3),
        rows=6 * s.joint_of_row + s.coordinate,
        locked=s.kind == RowKind.LOCK,
        lock_angle=s.hold,
    )
    still = np.zeros((1, count, s.bodies + s.others, 3))
    found = Kinematics(frames, inverse).evaluate(
        state.position[None], state.rotation[None], still, still
    )
    out = np.zeros((count, s.rows, s.bodies + s.others, 6))
    ends = s.ends[s.joint_of_row]
    for side in (0, 1):
        out[:, np.arange(s.rows), ends[:, side]] += found.entries[0, :, :, side]
    return out[:, :, : s.bodies].reshape(count, s.rows, 6 * s.bodies)


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
        out[island] = 1.0 / np.maximum(np.maximum(square, 1e-12 * whole), 1e-290)
    return out
