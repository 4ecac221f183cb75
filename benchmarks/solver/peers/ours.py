# SPDX-License-Identifier: GPL-3.0-or-later
"""Our own solver, through the interface that everybody has."""

from __future__ import annotations

from collections import Counter

import numpy as np

from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.engines.compiled import engine

from ..as_model import mechanism_of
from ..scene import DOWN, Scene
from .engine import Snapshot


class OurEngine:
    """Our solver, which chooses its steps: what it is tried at is the error that a step may have.

    Attributes:
        settings: accuracies as decimal digits: 3 is 1e-3 m or rad.
        default: what a user gets.
    """

    name = "ours"
    settings = (3, 4, 5, 6)
    default = 6

    def __init__(self) -> None:
        self.version = f"this checkout, {engine().name}"

    def label(self, digits: int) -> str:
        """Say a setting."""
        return f"1e-{digits}"

    def build(self, scene: Scene, digits: int = default) -> OurRun:
        """Build a scene at rest."""
        options = Options(gravity=DOWN, accuracy=10.0**-digits)
        return OurRun(scene, Simulation(mechanism_of(scene), options))


class OurRun:
    """One scene in our solver."""

    def __init__(self, scene: Scene, simulation: Simulation) -> None:
        self.simulation = simulation
        self.step = 1.0 / scene.fps
        # Node 0 is the world, node i + 1 is body i.
        nodes = list(simulation.body_nodes)
        self.order = np.array([nodes.index(i + 1) for i in range(scene.count)])
        self.substeps: Counter[int] = Counter()
        self.rough = self.failed = 0

    def frame(self) -> None:
        """Advance by one output frame, poses read as a viewer would."""
        report = self.simulation.step(self.step)
        _ = self.simulation.positions, self.simulation.rotations
        self.substeps[report.steps] += 1
        self.rough += bool(report.first_order)
        self.failed += not report.converged

    def snapshot(self) -> Snapshot:
        """Return where everything is."""
        simulation = self.simulation
        parts = (
            simulation.positions,
            simulation.rotations,
            simulation.linear_velocities,
            simulation.angular_velocities,
        )
        return Snapshot(*(np.array(part)[self.order] for part in parts))

    def close(self) -> None:
        """Nothing is held."""

    @property
    def note(self) -> str:
        """Steps that were taken, and frames that were rough or did not converge."""
        low, high = min(self.substeps), max(self.substeps)
        substeps = f"{low}" if low == high else f"{low} to {high}"
        failed = f", {self.failed} frames not converged" if self.failed else ""
        rough = f", {self.rough} frames of first order" if self.rough else ""
        return f"{substeps} substeps{rough}{failed}"
