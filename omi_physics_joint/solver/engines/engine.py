# SPDX-License-Identifier: GPL-3.0-or-later
"""What all engines have in common: steps of equal islands, and how they went."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kinematics.rotation import Array
from ..system import State, System
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

        Steps, events (bounds met or left, elements that changed), first_order, substeps (of
        RATTLE), retries (steps tried again, shorter), unfollowed (elements that push, move and
        are too stiff to be followed), done (0 where the step failed: the island stays where it
        is, slower), left_out (points of contact for which there was no room), gap (m or rad, by
        which rigid rows are off at the end).
        """
        return np.frombuffer(self.kept, REPORT)

    def then(self, after: StepResult) -> StepResult:
        """Return how this and a step after it went together."""
        before, reports = self.reports, after.reports.copy()
        for name in ("steps", "events", "first_order", "substeps", "retries"):
            reports[name] += before[name]
        for name in ("unfollowed", "left_out"):
            reports[name] = np.maximum(reports[name], before[name])
        reports["done"] &= before["done"]
        return StepResult(after.off if before["done"].all() else np.inf, reports.tobytes())


class Stepper(ABC):
    """Moves equal islands, whose arrays it goes on to read and write.

    Attributes:
        other_velocity: (N, o, 6) of what moves by itself, world axes, m/s and rad/s; whoever steps
            sets it before, and it is constant during a step.
        wrench: (N, m, 6) impulses of joints without drives on the connected body during the last
            step, N s and N m s about the joint frame's origin, world axes.
    """

    def __init__(self, system: System, state: State) -> None:
        """Prepare what does not change."""
        self._system, self._state = system, state
        self.other_velocity: Array = np.zeros((system.islands, system.others, 6))
        self.wrench: Array = np.zeros((system.islands, system.joints, 6))

    @abstractmethod
    def begin(self, *, continued: bool, time: float = 0.0) -> None:
        """Prepare a state of which only position, rotation and velocity are known.

        All else of it is set; velocities that joints do not allow are taken out.

        Args:
            continued: whether ``value`` and ``half`` are known as well, and ``turn`` nearly.
            time: s since the simulation began, for steps that come by the clock.
        """

    @abstractmethod
    def step(self, dt: float, most: float, tolerance: float) -> StepResult:
        """Advance all islands.

        Args:
            dt: s.
            most: s, no step is longer.
            tolerance: m or rad, error of a step.
        """

    def relax(self, dt: float) -> StepResult:
        """Advance all islands by one step of first order, for the search of rest."""
        return self.step(dt, 0.0, 0.0)


class Engine(NamedTuple):
    """What computes."""

    name: str
    stepper: Callable[[System, State], Stepper]
    quaternions: Callable[[Array], Array]
    """Unit quaternions (n, 4), x y z w, w >= 0, of rotations (n, 3, 3)."""
