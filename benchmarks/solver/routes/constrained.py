# SPDX-License-Identifier: GPL-3.0-or-later
"""Truth of any scene of balls and hinges: accelerations from the constraints (index one).

Each body has a place, a quaternion, a velocity and an angular velocity of its own. The joints'
accelerations vanish: J W J^T f = -(J W F + c), with W the inverse masses, F the outer forces and
gyroscopic torques, and c what the velocities add. Integrated this precisely, nothing drifts.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import splu

from ..rotations import conjugate, product, turned
from ..scene import DOWN, WORLD, Array, Kind, Path, Scene


class Constrained:
    """The right-hand side of the equations of motion of a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.count = n = scene.count
        self.inverse_inertia = 1.0 / scene.inertias()
        joints = scene.joints
        # A last body that never moves stands for the world.
        self.parents = np.array([n if j.parent == WORLD else j.parent for j in joints])
        self.children = np.array([j.child for j in joints])
        places = np.vstack([scene.positions, np.zeros(3)])
        turns = np.vstack([scene.rotations, [0.0, 0.0, 0.0, 1.0]])
        anchors = np.array([j.anchor for j in joints])
        axes = np.array([j.axis for j in joints])
        self.at_parent = turned(conjugate(turns[self.parents]), anchors - places[self.parents])
        self.at_child = turned(conjugate(turns[self.children]), anchors - places[self.children])
        self.hinges = np.array([i for i, j in enumerate(joints) if j.kind is Kind.HINGE], int)
        self.sides = [
            turned(conjugate(turns[self.parents[self.hinges]]), side)
            for side in _two_across(axes[self.hinges])
        ]
        self.rows = 3 * len(joints) + 2 * len(self.hinges)

    def start(self) -> Array:
        """Return the state in the rest pose."""
        scene = self.scene
        still = np.zeros((scene.count, 3))
        return np.concatenate(
            [part.ravel() for part in (scene.positions, scene.rotations, still, still)]
        )

    def parts(self, state: Array) -> tuple[Array, Array, Array, Array]:
        """Return places, quaternions, velocities and angular velocities, last axis components."""
        n = self.count
        shape = state.shape[:-1]
        x, q, v, w = np.split(state, [3 * n, 7 * n, 10 * n], axis=-1)
        return (
            x.reshape(*shape, n, 3),
            q.reshape(*shape, n, 4),
            v.reshape(*shape, n, 3),
            w.reshape(*shape, n, 3),
        )

    def rate(self, _: float, state: Array) -> Array:
        """Return the time derivative of the state."""
        _, q, v, w = self.parts(state)
        q = q / np.linalg.norm(q, axis=-1, keepdims=True)
        spin = np.concatenate([w, np.zeros((self.count, 1))], -1)
        free = np.empty((self.count, 2, 3))
        free[:, 0] = DOWN
        body_spin = turned(conjugate(q), w)
        body_torque = -np.cross(body_spin, self.scene.inertias() * body_spin)
        free[:, 1] = turned(q, self.inverse_inertia * body_torque)
        jacobian, bias = self._constraints(q, w)
        weighted = self._weights(q) @ jacobian.T
        forces = self._solve(jacobian @ weighted, jacobian @ free.ravel() + bias)
        acceleration = (free.ravel() - weighted @ forces).reshape(self.count, 2, 3)
        return np.concatenate(
            [
                v.ravel(),
                0.5 * product(spin, q).ravel(),
                acceleration[:, 0].ravel(),
                acceleration[:, 1].ravel(),
            ]
        )

    def _solve(self, system: csr_matrix, right: Array) -> Array:
        if self.scene.has_loop:  # joints may be redundant: any solution moves the bodies alike
            return np.linalg.lstsq(system.toarray(), right, rcond=1e-12)[0]
        return splu(system.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0).solve(right)

    def _weights(self, q: Array) -> csr_matrix:
        """Return the inverse masses and inertias in the world, block diagonal."""
        frames = np.stack([turned(q, np.eye(3)[i]) for i in range(3)], -1)
        blocks = np.zeros((self.count, 2, 3, 3))
        blocks[:, 0] = np.eye(3) / self.scene.masses[:, None, None]
        blocks[:, 1] = (frames * self.inverse_inertia[:, None, :]) @ frames.transpose(0, 2, 1)
        first = 3 * np.arange(2 * self.count)[:, None, None]
        i, j = np.indices((3, 3))
        size = 6 * self.count
        entries = (blocks.reshape(-1, 3, 3).ravel(), ((first + i).ravel(), (first + j).ravel()))
        return csr_matrix(entries, (size, size))

    def _constraints(self, q: Array, w: Array) -> tuple[csr_matrix, Array]:
        """Return J over the 6 n velocities, and what the velocities add to its accelerations."""
        q = np.vstack([q, [0.0, 0.0, 0.0, 1.0]])
        w = np.vstack([w, np.zeros(3)])
        count = len(self.parents)
        data, rows, columns = [], [], []
        bias = np.zeros(self.rows)

        def put(row: Array, body: Array, offset: int, blocks: Array) -> None:
            moving = body < self.count
            i, j = np.indices(blocks.shape[1:])
            data.append(blocks[moving].ravel())
            rows.append((row[moving, None, None] + i).ravel())
            columns.append((6 * body[moving, None, None] + offset + j).ravel())

        row = 3 * np.arange(count)
        for body, local, sign in (
            (self.children, self.at_child, 1.0),
            (self.parents, self.at_parent, -1.0),
        ):
            arm = turned(q[body], local)
            put(row, body, 0, np.broadcast_to(sign * np.eye(3), (count, 3, 3)))
            put(row, body, 3, -sign * _skew(arm))
            inward = np.cross(w[body], np.cross(w[body], arm))
            bias[: 3 * count] += sign * inward.ravel()
        child, parent = self.children[self.hinges], self.parents[self.hinges]
        for side, local in enumerate(self.sides):
            across = turned(q[parent], local)
            row = 3 * count + 2 * np.arange(len(self.hinges)) + side
            put(row, child, 3, across[:, None])
            put(row, parent, 3, -across[:, None])
            relative = w[child] - w[parent]
            bias[row] = (np.cross(w[parent], across) * relative).sum(-1)
        entries = (np.concatenate(data), (np.concatenate(rows), np.concatenate(columns)))
        return csr_matrix(entries, (self.rows, 6 * self.count)), bias


def path_of(scene: Scene, rtol: float = 1e-11) -> Path:
    """Return the path of a scene of balls and hinges."""
    system = Constrained(scene)
    times = np.arange(scene.frames + 1) / scene.fps
    solution = solve_ivp(
        system.rate, (0.0, times[-1]), system.start(), "DOP853", times, rtol=rtol, atol=rtol * 0.1
    )
    x, q, v, w = system.parts(solution.y.T)
    return Path(x, q / np.linalg.norm(q, axis=-1, keepdims=True), v, w)


def _skew(v: Array) -> Array:
    skew = np.zeros((len(v), 3, 3))
    skew[:, 0, 1], skew[:, 0, 2], skew[:, 1, 2] = -v[:, 2], v[:, 1], -v[:, 0]
    return skew - skew.transpose(0, 2, 1)


def _two_across(axes: Array) -> tuple[Array, Array]:
    """Return two unit directions across each axis, (hinges, 3) each."""
    hint = np.where(np.abs(axes[:, :1]) < 0.7, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    first = np.cross(axes, hint)
    first = first / np.maximum(np.linalg.norm(first, axis=-1, keepdims=True), 1e-300)
    return first, np.cross(axes, first)
