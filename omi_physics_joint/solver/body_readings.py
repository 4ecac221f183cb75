# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the bodies of a simulation are and how fast, as nodes of the mechanism."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .engines.compiled import engine
from .island_group import IslandGroup
from .kinematics.rotation import Array, cross
from .reading.bodies import Bodies, KinematicBodies


class BodyReadings:
    """Reads islands, which somebody moves, in terms of nodes: origins, and axes of the nodes.

    Attributes:
        time: s since the rest pose.
        groups: islands, equal ones together, with all that is known of where they are.
        body_nodes: nodes of bodies.
    """

    groups: Sequence[IslandGroup]

    def __init__(self, rest: Bodies, movers: KinematicBodies) -> None:
        """Take over bodies at rest, and what moves by itself."""
        self._rest, self._movers = rest, movers
        self.body_nodes: tuple[int, ...] = tuple(int(n) for n in rest.nodes if n >= 0)
        self._position, self._rotation = rest.position.copy(), rest.rotation.copy()
        place = self._place = np.flatnonzero(rest.nodes >= 0)
        self._from_node = rest.principal[place].transpose(0, 2, 1)
        self._centre = rest.centre[place][:, :, None]
        self._is_plain = not self._centre.any()
        self._is_aligned = bool((self._from_node == np.eye(3)).all())

    def _arrive(self, time: float, span: float) -> None:
        """Take note of the time, and of the length of the step that led there, s."""
        self.time, self._span, self._is_gathered = time, span, False

    def _gathered(self) -> tuple[Array, Array]:
        """Return where all bodies are, put together when somebody asks: positions and rotations."""
        position, rotation = self._position, self._rotation
        if not self._is_gathered:
            self._is_gathered = True
            self._movers.place(self.time, position, rotation)
            for group in self.groups:
                rows, n = group.numbers.bodies, group.system.bodies
                position[rows] = group.state.position[:, :n]
                rotation[rows] = group.state.rotation[:, :n]
        return position, rotation

    @property
    def rotations(self) -> Array:
        """World rotations of the body nodes: (n, 4), x y z w."""
        return engine().quaternions(self._node_turns())

    @property
    def positions(self) -> Array:
        """World positions of the origins of the body nodes: (n, 3), m."""
        place = self._gathered()[0].take(self._place, 0)
        return place if self._is_plain else place - self._arms()

    @property
    def angular_velocities(self) -> Array:
        """World axes: (n, 3), rad/s."""
        return self._velocities()[1]

    @property
    def linear_velocities(self) -> Array:
        """Of the origins of the body nodes: (n, 3), m/s."""
        velocity, spin = self._velocities()
        return velocity - cross(spin, self._arms())

    def _node_turns(self) -> Array:
        turns = self._gathered()[1].take(self._place, 0)
        return turns if self._is_aligned else np.asarray(turns @ self._from_node)

    def _arms(self) -> Array:
        return np.asarray((self._node_turns() @ self._centre)[:, :, 0])

    def _velocities(self) -> tuple[Array, Array]:
        position, _ = self._gathered()
        out = np.zeros((len(position), 6))
        before = max(self.time - 1e-6 * self._span, 0.0)  # where it jumps, that of what ended
        for body, mover in self._movers.movers.items():
            out[body] = np.concatenate(mover.at(before)[2:])
            arm = position[body] - mover.at(self.time)[0]
            out[body, :3] += cross(out[body, 3:], arm)
        for group in self.groups:
            velocity, n = group.velocities(), group.system.bodies
            turns = group.state.rotation[:, :n].reshape(-1, 3, 3)
            velocity[:, 3:] = (turns @ velocity[:, 3:, None])[:, :, 0]
            out[group.numbers.bodies.reshape(-1)] = velocity
        return out[self._place, :3], out[self._place, 3:]
