# SPDX-License-Identifier: GPL-3.0-or-later
"""What is read where islands stand: the six coordinates of every joint, and the Jacobian."""

from __future__ import annotations

import numpy as np

from ..state import State
from ..system import RowKind, System
from .coordinates import Kinematics
from .island_rows import IslandRows
from .rotation import Array, quaternion_of


def relative_poses(system: System, state: State) -> tuple[Array, Array]:
    """Return where the connected frames are in the joints' frames.

    That is (N, m, 3) in m, and unit quaternions (N, m, 4), x y z w, w >= 0.
    """
    turns = state.rotation[:, system.ends]
    points = state.position[:, system.ends] + (turns @ system.anchors[..., None])[..., 0]
    frames = turns @ system.axes
    back = frames[:, :, 0].swapaxes(-1, -2)
    place = (back @ (points[:, :, 1] - points[:, :, 0])[..., None])[..., 0]
    q = quaternion_of((back @ frames[:, :, 1]).reshape(-1, 3, 3))
    return place, q.reshape(system.islands, system.joints, 4)


def coordinates_of(system: System, state: State) -> Array:
    """Return X Y Z in m and the twists about them in rad: (N, m, 6).

    An axis that is held, rigidly or softly, says by how much it is off its hold. Twists with a row
    go on over all turns, and so do axles; others over two, as the quaternion that goes on tells.
    """
    place, q = relative_poses(system, state)
    ahead = np.where((q * state.half).sum(-1, keepdims=True) < 0.0, -q, q)
    out = np.empty((*place.shape[:2], 6))
    out[..., :3] = place
    out[..., 3:] = 2.0 * np.arctan2(ahead[..., :3], ahead[..., 3:])
    joint, axis = system.joint_of_row, system.coordinate
    known = np.flatnonzero(system.twisting & (system.kind == RowKind.FREE))
    out[:, joint[known], axis[known]] = state.value[:, known]
    axles = np.flatnonzero(system.axle >= 0)
    out[:, axles, 3 + system.axle[axles]] = state.angle[:, axles]
    held = np.flatnonzero(system.twisting & (system.kind != RowKind.FREE))
    if len(held):
        hold, own = system.hold[:, held], q[:, joint[held]]
        vector = own[:, np.arange(len(held)), axis[held] - 3]
        cosine, sine = np.cos(0.5 * hold), np.sin(0.5 * hold)
        along = cosine * vector - sine * own[..., 3]
        across = cosine * own[..., 3] + sine * vector
        along = np.where(across < 0.0, -along, along)
        out[:, joint[held], axis[held]] = hold + 2.0 * np.arcsin(np.clip(along, -1.0, 1.0))
    return out


def jacobian_of(system: System, state: State) -> Array:
    """Return the scaled Jacobian of each island: (N, r, 6 n)."""
    return dense(system, IslandRows(Kinematics(system), state).now().entry[:, 0])


def dense(system: System, entry: Array) -> Array:
    """Return the scaled Jacobians (N, r, 6 n) of rows' entries (N, r, 2, 6)."""
    out = np.zeros((system.islands, system.rows, system.bodies + system.others, 6))
    for end in (0, 1):
        body = system.ends[system.joint_of_row, end]
        out[:, np.arange(system.rows), body] += entry[:, :, end]
    return out[:, :, : system.bodies].reshape(system.islands, system.rows, 6 * system.bodies)
