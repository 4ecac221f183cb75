# SPDX-License-Identifier: GPL-3.0-or-later
"""Our solver on drives and soft limits, at its own choice of substeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.solver import Options, Simulation

from .drives import FPS, TIMES, Case

LAST = FPS // 2
"""Frames that count where only rest does."""
MOST = 1e-3
JOINT = 3


@dataclass(frozen=True, slots=True)
class DriveResult:
    """How far one coordinate was from its truth, as a fraction of its amplitude."""

    case: Case
    error: float
    substeps: int
    """The most in a frame."""
    rough: int
    """Frames of first order."""

    @property
    def is_met(self) -> bool:
        """Whether it is as near as is asked."""
        return self.error <= MOST


def drive_results(cases: Sequence[Case]) -> list[DriveResult]:
    """Run all cases."""
    return [_run(case) for case in cases]


def drive_table(results: Sequence[DriveResult]) -> Iterator[str]:
    """Yield the results as a table."""
    yield "## drives and soft limits: closed forms"
    yield ""
    yield f"{FPS} frames a second, own choice of substeps. Error over all frames, as a fraction of "
    yield "the amplitude; where omega h is above 0.25, over the last half second, against rest."
    yield ""
    yield "| case | omega h | error | at most | met | substeps, frames of first order |"
    yield "|-|-|-|-|-|-|"
    for result in results:
        case = result.case
        met = "yes" if result.is_met else "**no**"
        yield (
            f"| {case.name} | {case.omega / FPS:.2g} | {result.error:.1e} | {MOST:g} | {met} "
            f"| {result.substeps}, {result.rough} |"
        )


def _run(case: Case) -> DriveResult:
    simulation = Simulation(case.mechanism, Options(gravity=case.gravity))
    column = 0 if case.freedom is Freedom.LINEAR else 5
    values, substeps, rough = [simulation.coordinates(JOINT)[column]], 0, 0
    for _ in TIMES[1:]:
        report = simulation.step(1.0 / FPS)
        substeps = max(substeps, report.steps)
        rough += bool(report.first_order)
        values.append(simulation.coordinates(JOINT)[column])
    away = np.abs(np.array(values) - case.truth(TIMES))
    counted = away[-LAST:] if case.is_stiff else away
    return DriveResult(case, float(counted.max() / case.amplitude), substeps, rough)
