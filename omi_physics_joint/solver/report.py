# SPDX-License-Identifier: GPL-3.0-or-later
"""What the solver says of a step, of its joints, and of its energy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from .kinematics.rotation import Array


class SoftLocks(StrEnum):
    """How limits are read that have a stiffness."""

    AUTOMATIC = "automatic"
    """As rigid where they cannot hold the weight that they carry (``model.sagging``), so that what
    carries Godot's numbers of softness hangs together; else as springs."""
    LITERAL = "literal"
    """As the springs that they are."""
    RIGID = "rigid"
    """As rigid, whatever their stiffness: what Jolt makes of them."""


@dataclass(frozen=True, slots=True)
class IslandReport:
    """How one output step went for one island: bodies that joints connect.

    Attributes:
        bodies: nodes of its bodies.
        joints: nodes of its joints.
        steps: in which it was done.
        first_order: how many of them are of first order only, as nothing else would do.
        converged: whether all joints could be met.
        failures: how many steps were tried again, shorter.
        contradicting: where they could not, nodes of the joints that are off, farthest first.
        separation, misalignment: by how much at most, m and rad.
    """

    bodies: tuple[int, ...]
    joints: tuple[int, ...]
    steps: int
    first_order: int
    converged: bool
    failures: int
    contradicting: tuple[int, ...] = ()
    separation: float = 0.0
    misalignment: float = 0.0


@dataclass(frozen=True, slots=True)
class StepReport:
    """How one output step went: what the islands have had at most.

    Attributes:
        steps: of the island that had most.
        most_first_order: steps of first order of the island that had most.
        converged: whether all joints of all islands could be met.
        failures: of the island that had most.
        of_islands: says how each went, when it is asked.
    """

    steps: int
    most_first_order: int
    converged: bool
    failures: int
    of_islands: Callable[[], list[IslandReport]] = list

    @property
    def islands(self) -> list[IslandReport]:
        """How it went, island by island."""
        return self.of_islands()

    @property
    def not_met(self) -> list[IslandReport]:
        """The islands that could not meet all their joints."""
        return [] if self.converged else [one for one in self.islands if not one.converged]

    @property
    def first_order(self) -> list[IslandReport]:
        """The islands that were stepped to first order only, in part at least."""
        if not self.most_first_order:
            return []
        return [one for one in self.islands if one.first_order]


@dataclass(frozen=True, slots=True)
class Energy:
    """J. Potential energy counts from the origin of the world, and includes springs."""

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.kinetic + self.potential


@dataclass(frozen=True, slots=True)
class JointReport:
    """Arrays with one entry for each of ``joint_nodes``.

    Attributes:
        separation: (n,) how far rigidly locked distances are off, m.
        misalignment: (n,) how far rigidly locked angles are off, rad.
        overshoot: (n,) largest excess over any rigid bound, locks included, m or rad.
        force: (n, 3) of the joint without its drives on the connected body, world axes, N, mean
            over the last step.
        torque: (n, 3) likewise, about the joint frame's origin, N m.
        broken: (n,) whether the joint has given way.
    """

    separation: Array
    misalignment: Array
    overshoot: Array
    force: Array
    torque: Array
    broken: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Breaking:
    """What a joint bears in the preview; the files know no such thing."""

    force: float = float("inf")
    """N."""
    torque: float = float("inf")
    """N m."""
