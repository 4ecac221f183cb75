# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody who poses wants: a value, or a point at a place; and its derivatives.

A search makes half the square of a goal's residual as small as it can.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..solver.kinematics.rotation import Array, rotation_vector
from .spanning_tree import SpanningTree, bend_of


@dataclass(frozen=True, slots=True)
class ValueGoal:
    """One unknown at a value."""

    unknown: int
    value: float

    def residual(self, tree: SpanningTree) -> Array:
        """Return how far off it is: (1,), m."""
        now = tree.values[tree.link_of[self.unknown], tree.coordinate[self.unknown]]
        return np.array([(now - self.value) * tree.scale[self.unknown]])

    def derivatives(self, tree: SpanningTree, residual: Array) -> tuple[Array, Array]:
        """Return that of the residual, (1, n), and the second one, (n, n), which is zero."""
        return np.eye(len(tree))[[self.unknown]], np.zeros((len(tree), len(tree)))


@dataclass(frozen=True, slots=True)
class PointGoal:
    """A point of a body at a place, and maybe its turn as well."""

    slot: int
    point: Array
    """(3,) in the frame of the body."""
    place: Array
    """(3,) in the world."""
    turn: Array | None = None
    """(3, 3) world from body."""

    def off(self, tree: SpanningTree) -> Array:
        """Return the way from the place to the point: (3,), m."""
        world = tree.world[self.slot]
        return np.asarray(world[:3, :3] @ self.point + world[:3, 3] - self.place)

    def residual(self, tree: SpanningTree) -> Array:
        """Return how far off it is: (3,), or with the turn (6,), m."""
        off = self.off(tree)
        if self.turn is None:
            return off
        turned = tree.world[self.slot, :3, :3] @ self.turn.T
        return np.concatenate([off, tree.size * rotation_vector(turned[None])[0]])

    def derivatives(self, tree: SpanningTree, residual: Array) -> tuple[Array, Array]:
        """Return that of the residual, and the residual times the second one of the point."""
        spin, velocity = rates = tree.rates(self.slot, residual[:3] + self.place)
        rows = velocity if self.turn is None else np.concatenate([velocity, tree.size * spin], 1)
        return rows.T, bend_of(rates, residual[:3])


Goal = ValueGoal | PointGoal
