# SPDX-License-Identifier: GPL-3.0-or-later
"""Known motions are followed as nearly as docs/measurements says, and in as few steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.truths.catalogue import cases, truth_of
from benchmarks.truths.judging import marks_of
from omi_physics_joint.solver import Options, Simulation

SECONDS = 2.0
TAKES = {
    "double_pendulum": (2e-6, 120),
    "ten_on_hinges": (1.5e-6, 102),
    "tree_of_40_hinges": (1.5e-6, 110),
    "crank_rocker": (6e-5, 148),
    "slider_crank": (3.5e-6, 140),
    "slider_crank_soft_stop": (2.5e-6, 138),
    "gimbals": (1e-5, 315),
    "top": (1e-4, 770),
    "spring_20_hz_24_fps": (6e-5, 500),
    "andrews": (1.5e-7, 670),
    "governor": (1.5e-5, 185),
    "ragdoll": (1.5e-6, 128),
    "peaucellier": (1.5e-7, 120),
}
"""By mechanism: how far it may be off, of its length, half more than it is; and how many steps it
may take in all, tries among them, some 6 % more than it does."""


@pytest.mark.parametrize("name", TAKES)
def test_a_known_motion_takes_few_steps(name: str) -> None:
    """Two seconds at default settings: what is more exact takes more, and what is less is seen."""
    error, work = TAKES[name]
    case = cases()[name]
    case = replace(case, seconds=min(case.seconds, SECONDS))
    assembly, truth = case.build(), truth_of(case)
    x, y, z = assembly.gravity.tolist()
    simulation = Simulation(case.mechanism(), Options((x, y, z)))
    arms = np.array([assembly.bodies[body].mark for body in case.bodies()])
    rows = [simulation.body_nodes.index(body + 1) for body in case.bodies()]
    worst, took = 0.0, 0
    for frame in range(1, case.frames + 1):
        report = simulation.step(1.0 / case.fps)
        took += report.steps + report.retries
        assert report.first_order == []
        away = marks_of(simulation, rows, arms) - truth.marks[frame]
        worst = max(worst, float(np.sqrt((away**2).sum(-1)).max()))
    assert worst <= error * case.length
    assert took <= work
