# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands of random mechanisms by number, as the solver hands them to the kernel."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.solver.fuzz import case
from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.engines.kernel_structs import ISLAND, SHARED, STATE, Struct
from omi_physics_joint.solver.system import State, System

from .harness_input import Case, Values

KINDS = ("net", "tangle", "open", "edge")


class Begun:
    """In place of what moves a group of islands: keeps them as they are to begin; unprepared."""

    def __init__(self, system: System, state: State) -> None:
        self.system, self.state = system, state
        self.other_velocity = np.zeros((system.islands, system.others, 6))

    def begin(self, **_: object) -> None:
        """Leave them as they are."""


def random_cases(seed: int) -> list[Case]:
    """Return the islands of the mechanism of a number; every fourth one is of the same kind."""
    one = case(KINDS[seed % len(KINDS)], seed // len(KINDS))
    begun: list[Begun] = []

    def stepper(system: System, state: State) -> Begun:
        begun.append(Begun(system, state))
        return begun[-1]

    with patch(
        "omi_physics_joint.solver.simulation.engine", return_value=SimpleNamespace(stepper=stepper)
    ):
        Simulation(one.mechanism, one.options)
    accuracy = one.options.accuracy
    return [
        Case(
            seed,
            values_of(ISLAND, group.system, island),
            values_of(STATE, group.state, island),
            group.other_velocity[island],
            one.step,
            accuracy,
        )
        for group in begun
        for island in range(group.system.islands)
    ]


def values_of(struct: Struct, source: System | State, island: int) -> Values:
    """Return the value of each field for one island."""
    out: dict[str, Any] = {}
    for name in struct.names or ():
        value = getattr(source, name)
        of_all = name in SHARED or np.ndim(value) == 0
        out[name] = value if of_all else value[island]
    return out
