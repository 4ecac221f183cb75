# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft limits and drives: the force that each puts on its coordinate.

An element acts on one row (one coordinate of one joint). A soft limit pushes back only outside of
its range, and never pulls outward; held at one value it is a plain spring. A
drive pulls to its targets, and spring and damper together are clamped to its largest force.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from .rotation import Array

STIFFEST = 1e15
"""Stiffness and damping beyond this are as good as infinite, and are cut to it."""
STRONGEST_MOTOR = 1e4
"""s/m or s/rad: the same for the damping of a drive over its largest force, at which it misses its
speed by 1e-4. What is stronger sees that force in the rounding of a coordinate."""


@dataclass(frozen=True, slots=True)
class Element:
    """One soft limit or one drive on a coordinate."""

    coordinate: int
    """0 to 2 along X, Y, Z; 3 to 5 about them."""
    stiffness: float
    damping: float
    low: float = -inf
    high: float = inf
    is_drive: bool = False
    target: float = 0.0
    speed: float = 0.0
    max_force: float = inf
    accelerates: bool = False


@dataclass(slots=True)
class Springs:
    """All elements as arrays of length m; ``row`` says which row each acts on.

    ``scale`` multiplies stiffness and damping: the effective inertia in acceleration mode, else 1.
    """

    row: NDArray[np.intp]
    joint: NDArray[np.intp]
    stiffness: Array
    damping: Array
    low: Array
    high: Array
    is_drive: NDArray[np.bool_]
    two_sided: NDArray[np.bool_]
    target: Array
    speed: Array
    max_force: Array
    accelerates: NDArray[np.bool_]
    scale: Array

    def __len__(self) -> int:
        """Return the number of elements."""
        return len(self.row)

    def law(self, value: Array, rate: Array, *, capped: bool = True) -> tuple[Array, Array, Array]:
        """Return force, and its slopes -dF/dvalue and -dF/drate, of every element.

        Args:
            value: coordinates of all rows, m or rad.
            rate: their velocities.
            capped: whether drives without stiffness keep to their largest force.

        Returns:
            Three arrays (m,): N or N m, and what an implicit step needs to know of them. The slopes
            are zero where an element is out of reach or at its largest force.
        """
        e, de = value.take(self.row), rate.take(self.row)
        over = np.maximum(e - self.high, 0.0) + np.minimum(e - self.low, 0.0)
        k, c = self.stiffness * self.scale, self.damping * self.scale
        error = np.where(self.is_drive, e - self.target, over)
        force = -k * error - c * np.where(self.is_drive, de - self.speed, de)
        # A one-sided limit never pulls: its force is against the excess, or nothing.
        limit = ~self.is_drive & ~self.two_sided
        idle = limit & ((over == 0.0) | (force * over >= 0.0))
        most = self.max_force if capped else np.where(k > 0.0, self.max_force, inf)
        full = np.abs(force) > most
        force = np.where(idle, 0.0, np.clip(force, -most, most))
        works = ~(idle | full)
        return force, np.where(works, k, 0.0), np.where(works, c, 0.0)

    def energy(self, value: Array) -> Array:
        """Return what each spring holds, in J; a drive with limited force counts as that force."""
        e = value.take(self.row)
        over = np.maximum(e - self.high, 0.0) + np.minimum(e - self.low, 0.0)
        k = self.stiffness * self.scale
        stretch = np.abs(np.where(self.is_drive, e - self.target, over))
        with np.errstate(over="ignore", invalid="ignore"):
            reach = np.where(k > 0.0, self.max_force / np.maximum(k, 1e-300), inf)
            inside = np.minimum(stretch, reach)
            beyond = np.where(stretch > reach, self.max_force * (stretch - reach), 0.0)
            return np.where(k > 0.0, 0.5 * k * inside * inside + beyond, 0.0)


def gather_springs(rows: list[int], joints: list[int], elements: list[Element]) -> Springs:
    """Return elements, each with the row and the joint that it belongs to, as arrays."""

    def column(name: str) -> Array:
        return np.array([getattr(one, name) for one in elements], dtype=np.float64)

    low, high = column("low"), column("high")
    strongest = np.minimum(STIFFEST, STRONGEST_MOTOR * column("max_force"))
    return Springs(
        row=np.array(rows, dtype=np.intp),
        joint=np.array(joints, dtype=np.intp),
        stiffness=np.minimum(column("stiffness"), STIFFEST),
        damping=np.minimum(column("damping"), strongest),
        low=low,
        high=high,
        is_drive=column("is_drive").astype(bool),
        two_sided=low == high,
        target=column("target"),
        speed=column("speed"),
        max_force=column("max_force"),
        accelerates=column("accelerates").astype(bool),
        scale=np.ones(len(elements)),
    )
