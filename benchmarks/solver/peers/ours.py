# SPDX-License-Identifier: GPL-3.0-or-later
"""Our own solver, through the interface that everybody has."""

from __future__ import annotations

from collections import Counter

import numpy as np

from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.engines.engine import engine

from ..as_model import mechanism_of
from ..scene import DOWN, Scene
from .engine import Snapshot

CHOSEN = 0
"""Substeps: those that the solver itself chooses."""


class OurEngine:
    """Our solver."""

    name = "ours"

    def __init__(self) -> None:
        self.version = f"this checkout, {engine().name}"

    def build(self, scene: Scene, substeps: int) -> OurRun:
        """Build a scene at rest."""
        options = Options(gravity=DOWN, substeps=substeps or None)
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
