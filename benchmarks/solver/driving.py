# SPDX-License-Identifier: GPL-3.0-or-later
"""Our solver on drives and soft limits, at its own choice of substeps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.solver import Options, Simulation

from .drives import FPS, TIMES, Case, cases

LAST = FPS // 2
"""Frames that count where only rest does."""
MOST = 1e-3
JOINT = 3


def drive_table() -> Iterator[str]:
    """Run all cases, and yield what came of them as a table."""
    yield "## drives and soft limits: closed forms"
    yield ""
    yield f"{FPS} frames a second, own choice of substeps. Error over all frames, as a fraction of "
    yield "the amplitude; where omega h is above 0.25, over the last half second, against rest."
    yield ""
    yield "| case | omega h | error | at most | met | substeps, frames of first order |"
    yield "|-|-|-|-|-|-|"
    for case in cases():
        error, substeps, rough = _run(case)
        met = "yes" if error <= MOST else "**no**"
        yield (
            f"| {case.name} | {case.omega / FPS:.2g} | {error:.1e} | {MOST:g} | {met} "
            f"| {substeps}, {rough} |"
        )


def _run(case: Case) -> tuple[float, int, int]:
    """Return how far a coordinate was from its truth, as a fraction of its amplitude.

    Also the most substeps of a frame, and how many frames were of first order.
    """
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
    return float(counted.max() / case.amplitude), substeps, rough
