# SPDX-License-Identifier: GPL-3.0-or-later
"""What computes: the compiled kernel where there is one for this machine, else NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..kinematics.rotation import Array
from ..state import State
from ..system import System

Counts = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Went:
    """How a step went, for each of N islands.

    Attributes:
        done: (N,) whether it could be done; if not, the island stays where it is, slower.
        steps: (N,) that were taken.
        events: (N,) bounds met or left, elements that changed.
        first_order: (N,) steps of first order among them.
        failures: (N,) steps that were tried again, shorter.
        gap: (N,) m or rad, by which rigid rows are off at the end.
        wrench: (N, m, 6) impulses of joints without drives on the connected body, N s and N m s
            about the joint frame's origin, world axes.
    """

    done: NDArray[np.bool_]
    steps: Counts
    events: Counts
    first_order: Counts
    failures: Counts
    gap: Array
    wrench: Array

    def then(self, after: Went) -> Went:
        """Return how this and a step after it went together."""
        return Went(
            self.done & after.done,
            self.steps + after.steps,
            self.events + after.events,
            self.first_order + after.first_order,
            self.failures + after.failures,
            after.gap,
            self.wrench + after.wrench,
        )


class Engine(Protocol):
    """Moves equal islands; ``other_velocity`` (N, o, 6) are world axes, m/s and rad/s."""

    name: str

    def begin(
        self, system: System, state: State, other_velocity: Array, *, continued: bool
    ) -> None:
        """Prepare a state of which only position, rotation and velocity are known.

        Args:
            system: of the islands.
            state: all else of it is set; velocities that joints do not allow are taken out.
            other_velocity: see above.
            continued: whether ``value`` and ``half`` are known as well.
        """

    def step(
        self,
        system: System,
        state: State,
        other_velocity: Array,
        dt: float,
        most: float,
        tolerance: float,
    ) -> Went:
        """Advance all islands.

        Args:
            system: of the islands.
            state: is changed.
            other_velocity: constant during the step.
            dt: s.
            most: s, no step is longer.
            tolerance: m or rad, error of a step.
        """

    def relax(self, system: System, state: State, other_velocity: Array, dt: float) -> Went:
        """Advance all islands by one step of first order, for the search of rest."""


@lru_cache(maxsize=1)
def engine() -> Engine:
    """Return what computes in this process."""
    from .compiled import CompiledEngine
    from .kernel import kernel

    library = kernel().library
    if library is not None:
        return CompiledEngine(library)
    from .reference import ReferenceEngine

    return ReferenceEngine()
