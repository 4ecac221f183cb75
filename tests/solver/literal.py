# SPDX-License-Identifier: GPL-3.0-or-later
"""What the numbers of soft limits say, integrated straight from their law and nothing else.

A route of its own beside the solver: forces from the text of the specification, Newton and Euler
for each body, DOP853 at a tolerance of 1e-8. For bodies whose centre of mass is their origin.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.joint import AXES, Freedom, JointSettings
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver.reading.bodies import read_bodies

WHY = "scipy, which the truths need, is not in this Python"
solve_ivp = pytest.importorskip("scipy.integrate", reason=WHY).solve_ivp
Rotation = pytest.importorskip("scipy.spatial.transform", reason=WHY).Rotation

Array = NDArray[np.float64]
GRAVITY = np.array([0.0, -9.81, 0.0])


@dataclass(frozen=True, slots=True)
class Joint:
    """Two frames in the spaces of their bodies, and what is between them."""

    bodies: tuple[int, int]
    """Places in the list of bodies: the joint's and the connected one's."""
    frames: tuple[Array, Array]
    """(4, 4) body from frame."""
    settings: JointSettings


class Literal:
    """Bodies on soft limits.

    Angles are rotation vectors: right where all three are locked, and where a mechanism turns
    about one axis only.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        found, _ = read_bodies(mechanism)
        nodes = [node for node in found.nodes.tolist() if node >= 0]
        self.poses = [np.array(rigid_frame(mechanism.nodes[node].world)) for node in nodes]
        motions = [mechanism.nodes[node].motion for node in nodes]
        self.moves = [m is not None and m.type is MotionType.DYNAMIC for m in motions]
        self.mass = [m.mass if m else 1.0 for m in motions]
        self.inertia = np.einsum("nij,nj,nkj->nik", found.principal, found.inertia, found.principal)
        spins = np.einsum("nij,nj->ni", found.rotation, found.spin)
        turns = Rotation.from_matrix([pose[:3, :3] for pose in self.poses]).as_quat()
        states = [
            [*pose[:3, 3], *turn, *velocity, *spin]
            for pose, turn, velocity, spin in zip(
                self.poses, turns, found.velocity[:-1], spins[:-1], strict=True
            )
        ]
        self.start = np.concatenate(states)
        self.joints = [
            self.joint(mechanism, nodes, index, joint.connected_node, joint.settings)
            for index, _, joint in mechanism.joints()
        ]

    def joint(
        self, mechanism: Mechanism, nodes: list[int], first: int, second: int, settings: int
    ) -> Joint:
        """Return a joint between the frames of two nodes."""
        bodies, frames = [], []
        for node in (first, second):
            owner = mechanism.body_of(node)
            assert owner is not None
            bodies.append(nodes.index(owner))
            world = np.array(rigid_frame(mechanism.nodes[node].world))
            frames.append(np.linalg.inv(self.poses[bodies[-1]]) @ world)
        return Joint((bodies[0], bodies[1]), (frames[0], frames[1]), mechanism.settings[settings])

    def positions(self, times: Array) -> Array:
        """Return the origins of all bodies: (times, bodies, 3)."""
        span = (0.0, float(times[-1]))
        found = solve_ivp(self.rates, span, self.start, "DOP853", times, rtol=1e-8, atol=1e-8)
        return np.asarray(found.y.T.reshape(len(times), -1, 13)[:, :, :3])

    def rates(self, _: float, state: Array) -> Array:
        """Return the rates of positions, quaternions, velocities and angular velocities."""
        rows = state.reshape(-1, 13)
        turns = Rotation.from_quat(rows[:, 3:7]).as_matrix()
        force = np.outer(self.mass, GRAVITY)
        torque = np.zeros_like(force)
        for joint in self.joints:
            self.pull(joint, rows, turns, force, torque)
        out = np.zeros_like(rows)
        for i, row in enumerate(rows):
            if self.moves[i]:
                w = row[10:]
                inertia = turns[i] @ self.inertia[i] @ turns[i].T
                out[i, :3] = row[7:10]
                x, y, z, s = row[3:7]
                out[i, 3:6] = 0.5 * (s * w + np.cross(w, (x, y, z)))
                out[i, 6] = -0.5 * np.dot(w, (x, y, z))
                out[i, 7:10] = force[i] / self.mass[i]
                out[i, 10:] = np.linalg.solve(inertia, torque[i] - np.cross(w, inertia @ w))
        return out.reshape(-1)

    @staticmethod
    def pull(joint: Joint, rows: Array, turns: Array, force: Array, torque: Array) -> None:
        """Add what one joint does to its two bodies.

        Both forces act where the connected frame is, so that the pair has no moment.
        """
        a, b = joint.bodies
        axes = turns[a] @ joint.frames[0][:3, :3]
        start, end = (
            rows[body, :3] + turns[body] @ frame[:3, 3]
            for body, frame in zip(joint.bodies, joint.frames, strict=True)
        )
        velocities = [
            rows[body, 7:10] + np.cross(rows[body, 10:], end - rows[body, :3]) for body in (a, b)
        ]
        values = axes.T @ (end - start)
        rates = axes.T @ (velocities[1] - velocities[0])
        pushed = axes @ law(joint.settings, Freedom.LINEAR, values, rates)
        relative = axes.T @ turns[b] @ joint.frames[1][:3, :3]
        angles = Rotation.from_matrix(relative).as_rotvec()
        turning = axes.T @ (rows[b, 10:] - rows[a, 10:])
        twisted = axes @ law(joint.settings, Freedom.ANGULAR, angles, turning)
        for body, sign in ((a, -1.0), (b, 1.0)):
            force[body] += sign * pushed
            torque[body] += sign * (twisted + np.cross(end - rows[body, :3], pushed))


def law(settings: JointSettings, freedom: Freedom, values: Array, rates: Array) -> Array:
    """Return the forces (3,) along the axes: -(k e + c e') outside, never pulling outward."""
    out = np.zeros(3)
    for limit in settings.limits:
        for axis in AXES:
            if axis not in limit.axes(freedom):
                continue
            value, rate = float(values[axis]), float(rates[axis])
            if limit.is_lock:
                out[axis] -= limit.stiffness * (value - limit.min) + limit.damping * rate
            elif value > limit.max:
                force = limit.stiffness * (value - limit.max) + limit.damping * rate
                out[axis] -= max(force, 0.0)
            elif value < limit.min:
                force = limit.stiffness * (value - limit.min) + limit.damping * rate
                out[axis] -= min(force, 0.0)
    return out
