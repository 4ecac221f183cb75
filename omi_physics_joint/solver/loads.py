# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts from outside: gravity, forces of the user, and prescribed motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .bodies import Bodies
from .motions import KinematicMotion, at_centre, carried
from .rotation import Array, cross


@dataclass(slots=True)
class Force:
    """A constant force on a point of a body."""

    body: int
    arm: Array
    """(3,) from the centre of mass, body axes, m."""
    force: Array
    """(3,) world axes, N."""


@dataclass(slots=True)
class _Mover:
    """A body that moves by itself."""

    body: int
    motion: KinematicMotion | None
    origin: Array
    rotation: Array
    velocity: Array
    spin: Array
    centre: Array
    principal: Array


class Movers:
    """The kinematic bodies among some bodies."""

    def __init__(self, bodies: Bodies, motions: Mapping[int, KinematicMotion]) -> None:
        """Take over those that move; motions by node."""
        self.size = len(bodies.mass)
        self.movers: list[_Mover] = []
        for body in np.flatnonzero(bodies.kinematic):
            b = bodies
            spin = b.rotation[body] @ b.spin[body]
            rotation = b.rotation[body] @ b.principal[body].T
            arm = rotation @ b.centre[body]
            velocity = b.velocity[body] - cross(spin, arm)
            motion = motions.get(int(b.nodes[body]))
            if motion is None and not (spin.any() or velocity.any()):
                continue
            self.movers.append(
                _Mover(
                    int(body),
                    motion,
                    b.position[body] - arm,
                    rotation,
                    velocity,
                    spin,
                    b.centre[body],
                    b.principal[body],
                )
            )

    def __bool__(self) -> bool:
        """Return whether anything moves by itself."""
        return bool(self.movers)

    def place(self, time: float, position: Array, rotation: Array) -> None:
        """Write where kinematic bodies are into (bodies, 3) and (bodies, 3, 3)."""
        for mover in self.movers:
            origin, turn, _, _ = _at(mover, time)
            position[mover.body] = origin + turn @ mover.centre
            rotation[mover.body] = turn @ mover.principal

    def velocities(self, time: float, step: float) -> NDArray[np.float64]:
        """Return velocities (bodies, 6), world and body axes, of all that is not dynamic.

        At a frame of the animation, where the velocity jumps, it is that of the step that ends.
        """
        out = np.zeros((self.size, 6))
        for mover in self.movers:
            _, turn, velocity, spin = _at(mover, time - 1e-6 * step)
            out[mover.body, :3] = at_centre(velocity, spin, turn @ mover.centre)
            out[mover.body, 3:] = (turn @ mover.principal).T @ spin
        return out


def _at(mover: _Mover, time: float) -> tuple[Array, Array, Array, Array]:
    if mover.motion is not None:
        return mover.motion.at(time)
    origin, turn = carried(mover.origin, mover.rotation, mover.velocity, mover.spin, time)
    return origin, turn, mover.velocity, mover.spin


class Loads:
    """Gravity, forces and prescribed motion for one system."""

    def __init__(
        self,
        bodies: Bodies,
        gravity: Array,
        motions: Mapping[int, KinematicMotion],
        forces: Sequence[Force],
    ) -> None:
        """Precompute the scaled weights.

        Args:
            bodies: dynamic ones first.
            gravity: (3,) m/s^2.
            motions: of kinematic bodies, by node.
            forces: of the user.
        """
        n = self.count = int(bodies.dynamic.sum())
        self.mass, self.inertia = bodies.mass[:n], bodies.inertia[:n]
        self.gravity, self.forces = gravity, forces
        self.movers = Movers(bodies, motions)
        self.steady = np.zeros((n, 6))
        factor = bodies.gravity_factor[:n]
        self.steady[:, :3] = (factor * np.sqrt(self.mass))[:, None] * gravity
        pulled = np.where(factor != 0.0, self.mass, 0.0) * factor  # an infinite mass may float
        self.weight = pulled[:, None] * gravity
        """(dynamic bodies, 3) N."""

    def scaled_forces(self, rotation: Array) -> Array:
        """Return forces (dynamic bodies, 6) over the roots of masses and inertias."""
        if not self.forces:
            return self.steady
        out = self.steady.copy()
        for one in self.forces:
            turn = rotation[one.body]
            out[one.body, :3] += one.force / np.sqrt(self.mass[one.body])
            torque = cross(one.arm, turn.T @ one.force)
            out[one.body, 3:] += torque / np.sqrt(self.inertia[one.body])
        return out
