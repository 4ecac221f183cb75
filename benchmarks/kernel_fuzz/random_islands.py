# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands of random mechanisms by number, as the solver hands them to the kernel."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.solver.fuzz import case
from omi_physics_joint.solver import Simulation, island_group
from omi_physics_joint.solver.engines.kernel_structs import ISLAND, SHARED, STATE, Struct
from omi_physics_joint.solver.kinematics.rotation import Array
from omi_physics_joint.solver.state import State
from omi_physics_joint.solver.system import System

from .harness_input import Case, Values

KINDS = ("net", "tangle", "open", "edge")


class Begun:
    """In place of an engine: keeps what it is to begin with, as it is handed over."""

    def __init__(self) -> None:
        self.calls: list[tuple[System, State, Array]] = []

    def begin(self, system: System, state: State, other_velocity: Array, **_: object) -> None:
        """Keep the islands of a group; they stay unprepared."""
        self.calls.append((system, state.copy(), other_velocity.copy()))


def random_cases(seed: int) -> list[Case]:
    """Return the islands of the mechanism of a number; every fourth one is of the same kind."""
    one = case(KINDS[seed % len(KINDS)], seed // len(KINDS))
    begun = Begun()
    with patch.object(island_group, "engine", return_value=begun):
        Simulation(one.mechanism, one.options)
    accuracy = one.options.accuracy
    return [
        Case(
            seed,
            _values(ISLAND, system, island),
            _values(STATE, state, island),
            other[island],
            one.step,
            accuracy,
        )
        for system, state, other in begun.calls
        for island in range(system.islands)
    ]


def _values(struct: Struct, source: System | State, island: int) -> Values:
    """Return the value of each field for one island."""
    out: dict[str, Any] = {}
    for name in struct.names or ():
        value = getattr(source, name)
        of_all = name in SHARED or np.ndim(value) == 0
        out[name] = value if of_all else value[island]
    return out
