# SPDX-License-Identifier: GPL-3.0-or-later
"""First route: each body on its own, joints by the accelerations that they forbid (index one).

J W J^T f = -(J W F + c) with W the inverse masses, F what acts from outside, and c what velocities
add to the accelerations of the joints' distances and angles. Where joints say the same twice, f is
the least in N and N m that does it. Angles are held by products of directions of the two frames.
"""

from __future__ import annotations

import numpy as np

from .assembly import EYE, Array, Assembly, matrix_of, quaternion_of
from .stretches import Pressed, integrate, push_of, stored

RANK = 1e-11
"""Singular values below this part of the largest are rows that say nothing new."""


class Maximal:
    """The equations of motion of an assembly, body by body."""

    def __init__(self, assembly: Assembly) -> None:
        self.assembly = assembly
        self.count = n = len(assembly.bodies)
        self.masses = np.array([body.mass for body in assembly.bodies])
        self.inertias = np.array([body.inertia for body in assembly.bodies])
        joints = assembly.joints
        self.a = np.array([j.a if j.a >= 0 else n for j in joints])
        self.b = np.array([j.b if j.b >= 0 else n for j in joints])
        places = np.array([*(body.place for body in assembly.bodies), np.zeros(3)])
        turns = np.array([*(body.turn for body in assembly.bodies), EYE])
        at = np.array([j.place for j in joints])
        frames = np.array([j.frame for j in joints])
        self.frame_a, self.frame_b = (_back(turns[side]) @ frames for side in (self.a, self.b))
        self.arm_a, self.arm_b = (
            (_back(turns[side]) @ (at - places[side])[:, :, None])[:, :, 0]
            for side in (self.a, self.b)
        )
        self.linear = np.array([(i, k) for i, j in enumerate(joints) for k in j.locked if k < 3])
        self.linear = self.linear.reshape(-1, 2)
        self._products(len(self.linear))
        self.springs = [(i, spring) for i, j in enumerate(joints) for spring in j.springs]
        self.is_redundant = bool(assembly.loops)

    def _products(self, first: int) -> None:
        """List the products of directions that are held: row, joint, axis in a, axis in b, sign."""
        found: list[tuple[int, int, int, int, int]] = []
        row = first
        for number, joint in enumerate(self.assembly.joints):
            locked = [axis - 3 for axis in joint.locked if axis >= 3]
            if len(locked) == 2:
                (free,) = {0, 1, 2} - {*locked}
                pairs = [((axis, free, 1),) for axis in locked]
            else:  # sines of the angles: 4 w x = m_zy - m_yz
                pairs = [
                    (((i + 2) % 3, (i + 1) % 3, 1), ((i + 1) % 3, (i + 2) % 3, -1)) for i in locked
                ]
            for terms in pairs:
                scale = len(terms)
                found += [(row, number, i, j, sign * scale) for i, j, sign in terms]
                row += 1
        self.products = np.array(found, dtype=np.intp).reshape(-1, 5)
        self.rows = row

    def start(self) -> Array:
        """Return places, quaternions, velocities and spins in the rest pose, in one row."""
        bodies = self.assembly.bodies
        parts = (
            [body.place for body in bodies],
            [quaternion_of(body.turn) for body in bodies],
            [body.velocity for body in bodies],
            [body.spin for body in bodies],
        )
        return np.concatenate([np.array(part).ravel() for part in parts])

    def state_of(self, places: Array, turns: Array, velocities: Array, spins: Array) -> Array:
        """Return the state of bodies, (n, 3), (n, 3, 3), (n, 3), (n, 3)."""
        quaternions = np.array([quaternion_of(turn) for turn in turns])
        return np.concatenate([part.ravel() for part in (places, quaternions, velocities, spins)])

    def origins(self, state: Array) -> Array:
        """Return where the joints' frames are, (joints, 3)."""
        x, turns, v, w = self.parts(state)
        return x[self.a] + self._gaps(x, turns, v, w)[0]

    def parts(self, state: Array) -> tuple[Array, Array, Array, Array]:
        """Return places, rotations, velocities and spins, those of the ground last."""
        n = self.count
        x, q, v, w = np.split(state, [3 * n, 7 * n, 10 * n])
        o = np.zeros((1, 3))
        turns = np.concatenate([matrix_of(q.reshape(n, 4)), EYE[None]])
        return (
            np.concatenate([x.reshape(n, 3), o]),
            turns,
            np.concatenate([v.reshape(n, 3), o]),
            np.concatenate([w.reshape(n, 3), o]),
        )

    def rate(self, state: Array, pressed: Pressed) -> Array:
        """Return the time derivative of a state."""
        n = self.count
        q, w = state[3 * n : 7 * n].reshape(n, 4), state[10 * n :].reshape(n, 3)
        acceleration = self.solve(state, pressed)[0]
        turning = np.empty((n, 4))
        turning[:, :3] = 0.5 * (q[:, 3:] * w + np.cross(w, q[:, :3]))
        turning[:, 3] = -0.5 * (w * q[:, :3]).sum(-1)
        return np.concatenate([state[7 * n : 10 * n], turning.ravel(), acceleration])

    def solve(
        self, state: Array, pressed: Pressed, *, least: bool = False
    ) -> tuple[Array, Array, Array]:
        """Return accelerations (3 n linear, then 3 n angular), forces of the rows, and J.

        Only if least is set are the forces of redundant rows the least.
        """
        n = self.count
        x, turns, v, w = self.parts(state)
        turns = turns[:n]
        spin = (_back(turns) @ w[:n, :, None])[:, :, 0]
        force = np.concatenate([self.masses[:, None] * self.assembly.gravity, np.zeros((n, 3))])
        gyro = -np.cross(spin, self.inertias * spin)
        force[n:] = (turns @ gyro[:, :, None])[:, :, 0]
        jacobian, bias = self.constraints(state)
        push = force.ravel() + self._pushes(x, turns, v, w, pressed)
        inverse = (turns / self.inertias[:, None, :]) @ _back(turns)

        def weighed(columns: Array) -> Array:
            rows = columns.reshape(2, n, 3, -1)
            out = np.empty_like(rows)
            out[0] = rows[0] / self.masses[:, None, None]
            out[1] = inverse @ rows[1]
            return out.reshape(columns.shape)

        free = weighed(push)
        if not self.rows:
            return free, np.zeros(0), jacobian
        spread = weighed(jacobian.T)
        system, right = jacobian @ spread, -(jacobian @ free + bias)
        if least:
            forces = np.linalg.lstsq(system, right, rcond=RANK)[0]
        elif self.is_redundant:  # rows made alike, so that rank can be told beside light bodies
            scale = 1.0 / np.sqrt(np.diag(system))
            scaled = scale[:, None] * system * scale
            forces = scale * np.linalg.lstsq(scaled, scale * right, rcond=RANK)[0]
        else:
            forces = np.linalg.solve(system, right)
        return free + spread @ forces, forces, jacobian

    def constraints(self, state: Array) -> tuple[Array, Array]:
        """Return J (rows, 6 n), and what velocities add to the accelerations of the rows."""
        x, turns, v, w = self.parts(state)
        a, b, n = self.a, self.b, self.count
        fa, fb = turns[a] @ self.frame_a, turns[b] @ self.frame_b
        ra, rb, gap, speed = self._gaps(x, turns, v, w)
        pull = np.cross(w[b], np.cross(w[b], rb)) - np.cross(w[a], np.cross(w[a], ra))
        out = np.zeros((self.rows, 2, n + 1, 3))
        bias = np.zeros(self.rows)
        j, i = self.linear.T
        row = np.arange(len(j))
        e = fa[j, :, i]
        out[row, 0, a[j]] -= e
        out[row, 0, b[j]] += e
        out[row, 1, a[j]] -= np.cross(ra[j] + gap[j], e)
        out[row, 1, b[j]] += np.cross(rb[j], e)
        swung = np.cross(w[a[j]], e)
        bias[row] = (
            (e * pull[j]).sum(-1)
            + 2.0 * (swung * speed[j]).sum(-1)
            + (np.cross(w[a[j]], swung) * gap[j]).sum(-1)
        )
        row, j, i, k, sign = self.products.T
        weight = np.sign(sign) / np.abs(sign)
        u, s = fa[j, :, i], fb[j, :, k]
        wa, wb = w[a[j]], w[b[j]]
        across = np.cross(s, u) * weight[:, None]
        np.add.at(out, (row, 1, a[j]), -across)
        np.add.at(out, (row, 1, b[j]), across)
        change = np.cross(np.cross(wb, s), u) + np.cross(s, np.cross(wa, u))
        np.add.at(bias, row, weight * (change * (wb - wa)).sum(-1))
        return out[:, :, :n].reshape(self.rows, -1), bias

    def _gaps(
        self, x: Array, turns: Array, v: Array, w: Array
    ) -> tuple[Array, Array, Array, Array]:
        """Return the arms of both frames of the joints, the gaps between them, and their rates."""
        a, b = self.a, self.b
        ra = (turns[a] @ self.arm_a[:, :, None])[:, :, 0]
        rb = (turns[b] @ self.arm_b[:, :, None])[:, :, 0]
        gap = x[b] + rb - x[a] - ra
        return ra, rb, gap, v[b] + np.cross(w[b], rb) - v[a] - np.cross(w[a], ra)

    def _pushes(self, x: Array, turns: Array, v: Array, w: Array, pressed: Pressed) -> Array:
        """Return the forces of all springs, (6 n)."""
        n = self.count
        out = np.zeros((2, n + 1, 3))
        if not self.springs:
            return out[:, :n].ravel()
        turns = np.concatenate([turns, EYE[None]])
        fa, fb = turns[self.a] @ self.frame_a, turns[self.b] @ self.frame_b
        ra, rb, gap, speed = self._gaps(x, turns, v, w)
        stop = iter(pressed)
        for j, spring in self.springs:
            a, b, k = self.a[j], self.b[j], spring.axis % 3
            e = fa[j, :, k]
            side = next(stop) if spring.is_stop else 0
            if spring.axis < 3:
                rate = e @ speed[j] + np.cross(w[a], e) @ gap[j]
                f = push_of(spring, float(e @ gap[j]), float(rate), side) * e
                out[0, a] -= f
                out[0, b] += f
                out[1, a] -= np.cross(ra[j] + gap[j], f)
                out[1, b] += np.cross(rb[j], f)
            else:
                angle = _angle(fa[j], fb[j], k)
                f = push_of(spring, angle, float(e @ (w[b] - w[a])), side) * e
                out[1, a] -= f
                out[1, b] += f
        return out[:, :n].ravel()

    def values(self, state: Array) -> Array:
        """Return the coordinates of all springs, those of stops alone if ``stops`` is wanted."""
        x, turns, v, w = self.parts(state)
        fa, fb = turns[self.a] @ self.frame_a, turns[self.b] @ self.frame_b
        gap = self._gaps(x, turns, v, w)[2]
        return np.array(
            [
                fa[j, :, s.axis] @ gap[j] if s.axis < 3 else _angle(fa[j], fb[j], s.axis % 3)
                for j, s in self.springs
            ]
        )

    def stop_values(self, state: Array) -> Array:
        """Return the coordinates of the soft stops."""
        chosen = [spring.is_stop for _, spring in self.springs]
        return self.values(state)[chosen] if any(chosen) else np.zeros(0)

    def energy(self, state: Array) -> tuple[float, float]:
        """Return kinetic and potential energy in J."""
        n = self.count
        x, turns, v, w = self.parts(state)
        spin = (_back(turns[:n]) @ w[:n, :, None])[:, :, 0]
        kinetic = 0.5 * (self.masses[:, None] * v[:n] ** 2 + self.inertias * spin**2).sum()
        potential = -(self.masses[:, None] * x[:n] * self.assembly.gravity).sum()
        values = self.values(state)
        springs = sum(stored(s, float(z)) for (_, s), z in zip(self.springs, values, strict=True))
        return float(kinetic), float(potential + springs)

    def path(self, times: Array, tolerance: float = 1e-11, method: str = "DOP853") -> Array:
        """Return the states at all times."""
        return integrate(
            self.assembly,
            self.rate,
            self.stop_values,
            self.start(),
            times,
            tolerance=tolerance,
            method=method,
        )

    def marks(self, state: Array) -> Array:
        """Return where the marks of the bodies are, (n, 3)."""
        x, turns, _, _ = self.parts(state)
        marks = np.array([body.mark for body in self.assembly.bodies])
        return x[: self.count] + (turns[: self.count] @ marks[:, :, None])[:, :, 0]

    def wrenches(self, state: Array) -> tuple[Array, Array]:
        """Return force and torque of each joint on its connected body, world axes, (joints, 3).

        Without its springs, the torque about the joint's origin; the least where joints repeat each
        other. For states in which no soft stop is pressed.
        """
        pressed = (0,) * len(self.assembly.stops)
        forces = self.solve(state, pressed, least=True)[1]
        count = len(self.a)
        force, torque = np.zeros((count, 3)), np.zeros((count, 3))
        _, turns, _, _ = self.parts(state)
        fa, fb = turns[self.a] @ self.frame_a, turns[self.b] @ self.frame_b
        j, i = self.linear.T
        np.add.at(force, j, forces[: len(j), None] * fa[j, :, i])
        row, j, i, k, sign = self.products.T
        weight = np.sign(sign) / np.abs(sign)
        across = np.cross(fb[j, :, k], fa[j, :, i]) * weight[:, None]
        np.add.at(torque, j, forces[row, None] * across)
        gap = self._gaps(*self.parts(state))[2]
        return force, torque + np.cross(gap, force)


def _back(turns: Array) -> Array:
    return turns.transpose(0, 2, 1)


def _angle(fa: Array, fb: Array, axis: int) -> float:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    return float(np.arctan2(fa[:, j] @ fb[:, i], fa[:, i] @ fb[:, i]))
