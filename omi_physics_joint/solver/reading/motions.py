# SPDX-License-Identifier: GPL-3.0-or-later
"""The bodies that forces do not move: where they are at any time, and how fast.

Their frame, in the solver, is that of their node: its origin goes straight on, and the body turns
about it, while neither velocity changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ..kinematics.rotation import Array, cross, exponential, matrix_of, rotation_vector
from .bodies import Bodies

SAME = 1e-6
"""Part of a step: frames of an animation that are nearer to its ends divide it no more. Times in s
have 1e-10 of a step by rounding after hours, and a thousandth of one would not be seen."""


@dataclass(frozen=True, slots=True)
class KinematicMotion:
    """Where the node of a kinematic body is, frame by frame; it rests before and after.

    Attributes:
        times: (k,) rising, s.
        translations: (k, 3) world positions of the node's origin, m.
        rotations: (k, 4) world rotations, x y z w.
    """

    times: Array
    translations: Array
    rotations: Array

    def at(self, time: float) -> tuple[Array, Array, Array, Array]:
        """Return position (3,), rotation (3, 3), velocity and angular velocity (3,), world axes."""
        times = self.times
        number = int(np.searchsorted(times, time, side="right")) - 1
        if number < 0 or number + 1 >= len(times):
            (place,), (turn,) = self._poses(min(max(number, 0), len(times) - 1), 1)
            return place, turn, np.zeros(3), np.zeros(3)
        places, turns = self._poses(number, 2)
        span = times[number + 1] - times[number]
        part = (time - times[number]) / span
        velocity = (places[1] - places[0]) / span
        step = rotation_vector((turns[1] @ turns[0].T)[None])
        turn = exponential(part * step)[0] @ turns[0]
        return places[0] + part * span * velocity, turn, velocity, step[0] / span

    def _poses(self, first: int, count: int) -> tuple[Array, Array]:
        own = slice(first, first + count)
        return self.translations[own], matrix_of(self.rotations[own])


@dataclass(slots=True)
class Mover:
    """A body that moves by itself: by a motion, or always on."""

    motion: KinematicMotion | None
    origin: Array
    rotation: Array
    velocity: Array
    spin: Array

    def at(self, time: float) -> tuple[Array, Array, Array, Array]:
        """Return origin, rotation, velocity of the origin and angular velocity, world axes."""
        if self.motion is not None:
            return self.motion.at(time)
        turn = exponential((self.spin * time)[None])[0]
        return self.origin + self.velocity * time, turn @ self.rotation, self.velocity, self.spin


class KinematicBodies:
    """The kinematic bodies among all bodies."""

    def __init__(self, bodies: Bodies, motions: Mapping[int, KinematicMotion]) -> None:
        """Take over those that move; motions by node."""
        self.bodies = bodies
        self.turns = bodies.rotation @ bodies.principal.transpose(0, 2, 1)
        """(bodies, 3, 3) world from node, at rest."""
        self.origins = bodies.position - (self.turns @ bodies.centre[:, :, None])[:, :, 0]
        """(bodies, 3) of the nodes, at rest."""
        self.movers: dict[int, Mover] = {}
        for body in np.flatnonzero(bodies.kinematic).tolist():
            spin = bodies.rotation[body] @ bodies.spin[body]
            arm = bodies.position[body] - self.origins[body]
            velocity = bodies.velocity[body] - cross(spin, arm)
            motion = motions.get(int(bodies.nodes[body]))
            if motion is not None or spin.any() or velocity.any():
                origin, turn = self.origins[body], self.turns[body]
                self.movers[body] = Mover(motion, origin, turn, velocity, spin)

    def place(self, time: float, position: Array, rotation: Array) -> None:
        """Write where moved bodies have their mass, and its axes, into arrays of all bodies."""
        for body, mover in self.movers.items():
            origin, turn, _, _ = mover.at(time)
            position[body] = origin + turn @ self.bodies.centre[body]
            rotation[body] = turn @ self.bodies.principal[body]

    def frames(self, time: float, position: Array, rotation: Array) -> tuple[Array, Array]:
        """Return the frames of all bodies, those that no force moves in the frames of their nodes.

        Args:
            time: s.
            position: (bodies, 3) of those that forces move.
            rotation: (bodies, 3, 3) of the same.
        """
        own = self.bodies.dynamic
        position = np.where(own[:, None], position, self.origins)
        rotation = np.where(own[:, None, None], rotation, self.turns)
        for body, mover in self.movers.items():
            position[body], rotation[body] = mover.at(time)[:2]
        return position, rotation

    def parts(self, bodies: Iterable[int], time: float, dt: float) -> Iterator[tuple[float, float]]:
        """Yield start and length of the parts of a step in which no velocity of bodies changes."""
        cuts: set[float] = set()
        for body in bodies:
            motion = self.movers[body].motion
            if motion is not None:
                first, last = np.searchsorted(
                    motion.times, [time + SAME * dt, time + dt - SAME * dt]
                )
                cuts.update(motion.times[first:last].tolist())
        start = time
        for end in (*sorted(cuts), time + dt):
            if end < time + dt and end - start < SAME * dt:
                continue  # two animations whose frames are the same but for rounding
            yield start, (end - start if cuts else dt)
            start = end
