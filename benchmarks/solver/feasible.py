# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether poses that the solver says cannot be met really cannot: a search of another kind.

    python -m benchmarks.solver.feasible [--count 30] [--starts 20] [--seed 0]

Random tangles run for a second, so that all violated bounds have come in. Where the solver still
reports "not converged", SciPy's least squares look for a pose of all bodies with less violation,
from where the solver stands and from random places. Needs SciPy.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.island_group import IslandGroup
from omi_physics_joint.solver.kinematics.readings import coordinates_of
from omi_physics_joint.solver.system import RowKind

from .random_mechanisms import tangle

Array = NDArray[np.float64]
MET = 1e-6
"""m or rad: with less violation a pose meets its rows."""


class Violation:
    """How far poses of the dynamic bodies of equal islands miss their rigid rows."""

    def __init__(self, group: IslandGroup) -> None:
        self.system, self.state = group.system, group.state.copy()
        self.position, self.rotation = group.state.position, group.state.rotation
        self.count = self.system.islands * self.system.bodies

    def __call__(self, moves: Array) -> Array:
        """Return what is missing in each row, m or rad, after moves (6 n,): m and rad."""
        each = moves.reshape(self.count, 6)
        system, n = self.system, self.system.bodies
        shape = (system.islands, n)
        turns = Rotation.from_rotvec(each[:, 3:]).as_matrix().reshape(*shape, 3, 3)
        self.state.position[:, :n] = self.position[:, :n] + each[:, :3].reshape(*shape, 3)
        self.state.rotation[:, :n] = self.rotation[:, :n] @ turns
        read = coordinates_of(system, self.state)[:, system.joint_of_row, system.coordinate]
        locked = system.kind == RowKind.LOCK
        low, high = (np.where(locked, system.hold, one) for one in (system.low, system.high))
        missed = np.maximum(read - high, 0.0) + np.minimum(read - low, 0.0)
        return np.asarray(missed.reshape(-1))

    def least(self, starts: int, random: np.random.Generator) -> float:
        """Return the smallest largest violation that was found from some starts."""
        best = np.inf
        for number in range(starts):
            start = np.zeros(6 * self.count)
            if number:
                start = random.normal(size=(self.count, 6)) * (1.0, 1.0, 1.0, 1.5, 1.5, 1.5)
            found = least_squares(self, np.ravel(start), xtol=1e-14, ftol=1e-14, gtol=1e-14)
            best = min(best, float(np.abs(found.fun).max(initial=0.0)))
            if best < MET:
                break
        return best


def unmet(seed: int, seconds: float = 1.0) -> Simulation | None:
    """Run a tangle; return its simulation where the last frame was not converged."""
    simulation = Simulation(tangle(seed, wild=False))
    converged = True
    for _ in range(round(60 * seconds)):
        converged = simulation.step(1.0 / 60.0).converged
    return None if converged else simulation


def main(words: list[str]) -> int:
    """Run with the words of the command line; return 1 where a pose was missed."""
    parser = argparse.ArgumentParser(prog="benchmarks.solver.feasible", description=__doc__)
    parser.add_argument("--count", type=int, default=30, help="unmet tangles to look at")
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(words)
    seed, looked, missed = arguments.seed, 0, []
    while looked < arguments.count:
        simulation = unmet(seed)
        seed += 1
        if simulation is None:
            continue
        looked += 1
        here = least = 0.0
        for violation in map(Violation, simulation.groups):
            now = np.abs(violation(np.zeros(6 * violation.count))).max(initial=0.0)
            here = max(here, float(now))
            least = max(least, violation.least(arguments.starts, np.random.default_rng(seed)))
        print(f"{seed - 1}: solver {here:.1e}, least squares {least:.1e}", flush=True)
        if least < MET:
            missed.append(seed - 1)
    run = seed - arguments.seed
    print(f"{run} tangles, {looked} not met, of which {len(missed)} could be: {missed}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
