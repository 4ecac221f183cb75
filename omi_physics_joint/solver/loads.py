# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts from outside: gravity, forces of the user, and prescribed motion."""

from __future__ import annotations

from dataclasses import dataclass, field

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


@dataclass(slots=True)
class Loads:
    """Gravity, forces and prescribed motion for one system."""

    bodies: Bodies
    count: int
    gravity: Array
    forces: list[Force] = field(default_factory=list)
    movers: list[_Mover] = field(default_factory=list)
    steady: Array = field(default_factory=lambda: np.zeros((0, 6)))
    weight: float = 0.0
    """N, of all bodies together: what it takes to lift them."""

    def __post_init__(self) -> None:
        """Precompute the scaled weights."""
        self.set_gravity(self.gravity)

    def set_gravity(self, gravity: Array) -> None:
        """Use another gravity (3,), m/s^2."""
        self.gravity = gravity
        n = self.count
        self.steady = np.zeros((n, 6))
        weight = self.bodies.gravity_factor[:n] * np.sqrt(self.bodies.mass[:n])
        self.steady[:, :3] = weight[:, None] * gravity
        lift = np.abs(self.steady[:, :3]) * np.sqrt(self.bodies.mass[:n])[:, None]
        self.weight = float(lift.sum())

    def add_movers(self, motions: dict[int, KinematicMotion]) -> None:
        """Take over the kinematic bodies; motions by node."""
        for body in np.flatnonzero(self.bodies.kinematic):
            b = self.bodies
            node = int(b.nodes[body])
            spin = b.rotation[body] @ b.spin[body]
            rotation = b.rotation[body] @ b.principal[body].T
            arm = rotation @ b.centre[body]
            velocity = b.velocity[body] - cross(spin, arm)
            motion = motions.get(node)
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

    def place_movers(self, time: float, position: Array, rotation: Array) -> None:
        """Write where kinematic bodies are into (bodies, 3) and (bodies, 3, 3)."""
        for mover in self.movers:
            origin, turn, _, _ = self._at(mover, time)
            position[mover.body] = origin + turn @ mover.centre
            rotation[mover.body] = turn @ mover.principal

    def mover_velocities(self, time: float, step: float) -> NDArray[np.float64]:
        """Return velocities (bodies, 6), world and body axes, of all that is not dynamic.

        At a frame of the animation, where the velocity jumps, it is that of the step that ends.
        """
        out = np.zeros((len(self.bodies.mass), 6))
        for mover in self.movers:
            _, turn, velocity, spin = self._at(mover, time - 1e-6 * step)
            out[mover.body, :3] = at_centre(velocity, spin, turn @ mover.centre)
            out[mover.body, 3:] = (turn @ mover.principal).T @ spin
        return out

    def _at(self, mover: _Mover, time: float) -> tuple[Array, Array, Array, Array]:
        if mover.motion is not None:
            return mover.motion.at(time)
        origin, turn = carried(mover.origin, mover.rotation, mover.velocity, mover.spin, time)
        return origin, turn, mover.velocity, mover.spin

    def scaled_forces(self, rotation: Array) -> Array:
        """Return forces (dynamic bodies, 6) over the roots of masses and inertias."""
        if not self.forces:
            return self.steady
        out = self.steady.copy()
        for one in self.forces:
            turn = rotation[one.body]
            out[one.body, :3] += one.force / np.sqrt(self.bodies.mass[one.body])
            torque = cross(one.arm, turn.T @ one.force)
            out[one.body, 3:] += torque / np.sqrt(self.bodies.inertia[one.body])
        return out
