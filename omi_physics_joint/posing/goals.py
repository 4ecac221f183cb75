# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody who poses wants: a value, or a point at a place; and its derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..solver.rotation import Array, cross, rotation_vector
from .spanning_tree import Tree


class Goal(Protocol):
    """What a search makes as small as it can: half the square of a residual."""

    def residual(self, tree: Tree) -> Array:
        """Return the residual, (m,), in m."""

    def slope(self, tree: Tree, spin: Array, velocity: Array) -> Array:
        """Return its derivative, (m, n)."""

    def bend(self, tree: Tree, spin: Array, velocity: Array, residual: Array) -> Array:
        """Return the residual times its second derivative, (n, n)."""


@dataclass(frozen=True, slots=True)
class ValueGoal:
    """One unknown at a value."""

    dof: int
    value: float

    def residual(self, tree: Tree) -> Array:
        """See ``Goal``."""
        now = tree.values[tree.dof_link[self.dof], tree.dof_coordinate[self.dof]]
        return np.array([(now - self.value) * self._scale(tree)])

    def slope(self, tree: Tree, spin: Array, velocity: Array) -> Array:
        """See ``Goal``."""
        row = np.zeros((1, len(tree)))
        row[0, self.dof] = self._scale(tree)
        return row

    def bend(self, tree: Tree, spin: Array, velocity: Array, residual: Array) -> Array:
        """See ``Goal``."""
        return np.zeros((len(tree), len(tree)))

    def _scale(self, tree: Tree) -> float:
        return tree.size if tree.angular[self.dof] else 1.0


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

    def where(self, tree: Tree) -> Array:
        """Return where the point is."""
        world = tree.world[self.slot]
        return np.asarray(world[:3, :3] @ self.point + world[:3, 3])

    def residual(self, tree: Tree) -> Array:
        """See ``Goal``."""
        off = self.where(tree) - self.place
        if self.turn is None:
            return off
        turned = tree.world[self.slot, :3, :3] @ self.turn.T
        return np.concatenate([off, tree.size * rotation_vector(turned[None])[0]])

    def slope(self, tree: Tree, spin: Array, velocity: Array) -> Array:
        """See ``Goal``."""
        columns = velocity + cross(spin, self.where(tree))
        if self.turn is not None:
            columns = np.concatenate([columns, tree.size * spin], 1)
        return np.where(tree.reach[self.slot][:, None], columns, 0.0).T

    def bend(self, tree: Tree, spin: Array, velocity: Array, residual: Array) -> Array:
        """See ``Goal``."""
        return bend_of_point(tree, self.slot, self.where(tree), residual[:3], (spin, velocity))


def bend_of_point(
    tree: Tree, slot: int, place: Array, weight: Array, twists: tuple[Array, Array]
) -> Array:
    """Return the second derivative of a point of a body along a vector: (n, n).

    The velocity v_j that unknown j gives to the point turns with every unknown i nearer to the
    root: d v_j / d q_i = w_i x v_j.
    """
    spin, velocity = twists
    on = tree.reach[slot][:, None]
    spin, at = np.where(on, spin, 0.0), np.where(on, velocity + cross(spin, place), 0.0)
    full = np.triu(spin @ cross(at, weight).T)
    return np.asarray(full + np.triu(full, 1).T)
