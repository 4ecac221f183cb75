# SPDX-License-Identifier: GPL-3.0-or-later
"""What computes: the compiled kernel where there is one for this machine, else NumPy."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..kinematics.rotation import Array
from ..state import State
from ..system import System
from .kernel_structs import REPORT


class StepResult(NamedTuple):
    """How a step of N islands went.

    Attributes:
        off: the largest gap over the size of its island, which counts as 1 m at least; infinite
            where one could not be done.
        kept: ``reports`` by value; hardly anybody reads them.
    """

    off: float
    kept: bytes

    @property
    def reports(self) -> NDArray[np.void]:
        """(N,) structs of the kernel (``kernel_structs.REPORT``).

        Steps, events (bounds met or left, elements that changed), first_order, failures (steps
        tried again, shorter), done, gap (m or rad, by which rigid rows are off at the end). What
        could not be done stays where it is, slower.
        """
        return np.frombuffer(self.kept, REPORT)

    def then(self, after: StepResult) -> StepResult:
        """Return how this and a step after it went together."""
        before, reports = self.reports, after.reports.copy()
        for name in ("steps", "events", "first_order", "failures"):
            reports[name] += before[name]
        reports["done"] &= before["done"]
        return StepResult(after.off if before["done"].all() else np.inf, reports.tobytes())


class Stepper(Protocol):
    """Moves equal islands: changes their state.

    Attributes:
        other_velocity: (N, o, 6) of what moves by itself, world axes, m/s and rad/s; whoever steps
            sets it before, and it is constant during a step.
        wrench: (N, m, 6) impulses of joints without drives on the connected body during the last
            step, N s and N m s about the joint frame's origin, world axes.
    """

    other_velocity: Array
    wrench: Array

    def begin(self, *, continued: bool, time: float = 0.0) -> None:
        """Prepare a state of which only position, rotation and velocity are known.

        All else of it is set; velocities that joints do not allow are taken out.

        Args:
            continued: whether ``value`` and ``half`` are known as well, and ``turn`` nearly.
            time: s since the simulation began, for steps that come by the clock.
        """

    def step(self, dt: float, most: float, tolerance: float) -> StepResult:
        """Advance all islands.

        Args:
            dt: s.
            most: s, no step is longer.
            tolerance: m or rad, error of a step.
        """

    def relax(self, dt: float) -> StepResult:
        """Advance all islands by one step of first order, for the search of rest."""


class Engine(Protocol):
    """What computes."""

    name: str

    def stepper(self, system: System, state: State) -> Stepper:
        """Return what moves these islands, whose arrays it goes on to read and write."""

    def quaternions(self, rotations: Array) -> Array:
        """Return unit quaternions (n, 4), x y z w, w >= 0, of rotations (n, 3, 3)."""


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
