# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the solver is from the truth, over all frames."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver import Options, Simulation

from .assembly import Array, Assembly, matrix_of
from .catalogue import Case, Truth, truth_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one run went."""

    error: float
    """Largest distance of a judged point from where it should be, of the length."""
    end: float
    """The same in the last frame."""
    energy: float
    """Largest error of the energy, of what was exchanged."""
    not_met: int
    """Frames in which joints were not met."""
    seconds: float
    """Processor time."""

    def __str__(self) -> str:
        return (
            f"error {self.error:.1e} (end {self.end:.1e}), energy {self.energy:.1e}, "
            f"{self.not_met} frames not met, {self.seconds:.2f} s"
        )


def judge(case: Case, **options: object) -> Verdict:
    """Run the solver on a case, by default settings unless options of it are given."""
    assembly = case.build()
    return judge_run(case, assembly, case.mechanism(), truth_of(case), **options)


def judge_run(
    case: Case, assembly: Assembly, mechanism: Mechanism, truth: Truth, **options: object
) -> Verdict:
    """Compare a run of the solver with a truth, frame by frame."""
    gravity = tuple(float(x) for x in assembly.gravity)
    simulation = Simulation(mechanism, Options(gravity=gravity, **options))  # type: ignore[arg-type]
    bodies = case.bodies()
    arms = np.array([assembly.bodies[body].mark for body in bodies])
    rows = [simulation.body_nodes.index(body + 1) for body in bodies]
    started = simulation.energy()
    worst = end = off = 0.0
    not_met, seconds = 0, 0.0
    total = truth.kinetic + truth.potential
    for frame in range(1, case.frames + 1):
        began = time.process_time()
        not_met += not simulation.step(1.0 / case.fps).converged
        seconds += time.process_time() - began
        away = marks_of(simulation, rows, arms) - truth.marks[frame]
        end = float(np.sqrt((away**2).sum(-1)).max())
        worst = max(worst, end) if np.isfinite(end) else np.inf
        gained = simulation.energy().total - started.total
        off = max(off, abs(gained - (total[frame] - total[0])))
    return Verdict(worst / case.length, end / case.length, off / exchanged(truth), not_met, seconds)


def marks_of(simulation: Simulation, rows: list[int], arms: Array) -> Array:
    """Return where points of bodies are."""
    turns = matrix_of(simulation.rotations[rows])
    return np.asarray(simulation.positions[rows] + (turns @ arms[:, :, None])[:, :, 0])


def exchanged(truth: Truth) -> float:
    """Return by how much kinetic and potential energy change, in J."""
    return float(max(np.ptp(truth.kinetic), np.ptp(truth.potential)))
