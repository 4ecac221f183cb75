# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel and the reference do the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from solver.building import Builder
from solver.test_islands import doors, limited, looped, rope, sprung

from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.compiled import CompiledEngine
from omi_physics_joint.solver.kernel import load
from omi_physics_joint.solver.reference import ReferenceEngine

FRAME = 1.0 / 60.0
Adds = Callable[[Builder, int, float], None]


def falling(adds: Adds) -> Simulation:
    """Return a simulation of three that are built alike."""
    made = Builder()
    ground = made.ground()
    for number in range(3):
        adds(made, ground, 0.3 * number)
    return Simulation(made.mechanism())


@pytest.mark.parametrize(
    "adds",
    [limited, sprung, looped, rope, lambda made, ground, _: doors(made, ground, 1)],
    ids=("limited", "sprung", "looped", "rope", "doors"),
)
def test_both_do_the_same(adds: Adds, kernel_library: Path) -> None:
    """From wherever the kernel is, the reference goes where it goes, by the same steps."""
    library = load(kernel_library).library
    assert library is not None
    kernel, reference = CompiledEngine(library), ReferenceEngine()
    for group in falling(adds).groups:
        system, state = group.system, group.state
        still = np.zeros((system.islands, system.others, 6))
        for frame in range(40):
            other = state.copy()
            went = kernel.step(system, state, still, FRAME, FRAME, 1e-6)
            same = reference.step(system, other, still, FRAME, FRAME, 1e-6)
            assert other.position == pytest.approx(state.position, abs=1e-9), frame
            assert other.velocity == pytest.approx(state.velocity, abs=1e-8), frame
            assert same.steps.tolist() == went.steps.tolist(), frame
            assert same.wrench == pytest.approx(went.wrench, abs=1e-7), frame
