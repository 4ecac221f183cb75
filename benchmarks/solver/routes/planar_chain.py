# SPDX-License-Identifier: GPL-3.0-or-later
"""Truth of a planar chain: absolute angles, joint forces from a banded system.

Rod i hangs at joint i; s_i is the vector from its centre to joint i, e_i to joint i + 1. With joint
forces f_i (on rod i at joint i, and -f_i on rod i - 1), m a_i = f_i - f_{i+1} + m g and
I alpha_i = s_i x f_i - e_i x f_{i+1}. That the two ends at a joint accelerate alike,
a_i + alpha_i z x s_i - w_i^2 s_i = a_{i-1} + alpha_{i-1} z x e_{i-1} - w_{i-1}^2 e_{i-1}, gives
two rows a joint that touch only f_{i-1}, f_i and f_{i+1}.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import solve_banded

from ..scene import DOWN, Array, Scene


def tip_path(scene: Scene, rtol: float = 1e-11) -> Array:
    """Return the path of the end of the last rod, (frames + 1, 1, 3)."""
    half = scene.sizes[:, 0] / 2.0
    inertia = scene.inertias()[:, 2]
    count = scene.count

    def rate(_: float, state: Array) -> Array:
        angle, spin = state[:count], state[count:]
        end = half[:, None] * np.stack([np.cos(angle), np.sin(angle)], -1)
        return np.concatenate([spin, _accelerations(end, spin, scene.masses, inertia)])

    times = np.arange(scene.frames + 1) / scene.fps
    start = np.zeros(2 * count)
    solution = solve_ivp(rate, (0.0, times[-1]), start, "DOP853", times, rtol=rtol, atol=rtol * 0.1)
    angles = solution.y[:count].T
    reach = 2.0 * half
    tip = np.stack([np.cos(angles) @ reach, np.sin(angles) @ reach, 0.0 * times], -1)
    return tip[:, None]


def _accelerations(end: Array, spin: Array, masses: Array, inertia: Array) -> Array:
    """Return the angular accelerations of the rods; ``end`` is e, and s is -e."""
    count = len(spin)
    across = np.stack([-end[:, 1], end[:, 0]], -1)  # z x e
    pull = -(spin**2)[:, None] * end  # acceleration of the end from the turning itself
    # A force f at the end moves that end by (1/m + (z x e)(z x e)^T / I) f, and the other end
    # by (1/m - ...): the turn has the opposite effect there.
    turn = across[:, :, None] * across[:, None, :] / inertia[:, None, None]
    shift = np.eye(2) / masses[:, None, None]
    same, other = shift + turn, shift - turn
    diagonal = same.copy()
    diagonal[1:] += same[:-1]
    above = -other[:-1]  # of row i to f_{i+1} through rod i; symmetric
    # Near ends: -pull of the rod after the joint; far ends: +pull of the one before.
    right = np.zeros((count, 2))
    right += pull
    right[1:] += pull[:-1]
    right[0] -= np.array(DOWN[:2])
    forces = _solve(diagonal, above, right)
    # I alpha = -e x f_i - e x f_{i+1}, and e x f = (z x e) . f
    torque = -(across * forces).sum(-1)
    torque[:-1] -= (across[:-1] * forces[1:]).sum(-1)
    return torque / inertia


def _solve(diagonal: Array, above: Array, right: Array) -> Array:
    """Solve a symmetric block tridiagonal system of 2 x 2 blocks."""
    count = len(diagonal)
    bands = np.zeros((7, 2 * count))
    for i in range(2):
        for j in range(2):
            bands[3 + i - j, j::2] = diagonal[:, i, j]
            if count > 1:
                bands[1 + i - j, 2 + j :: 2] = above[:, i, j]
                bands[5 + i - j, j : 2 * count - 2 : 2] = above[:, j, i]
    return solve_banded((3, 3), bands, right.ravel()).reshape(count, 2)
