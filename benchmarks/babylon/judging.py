# SPDX-License-Identifier: GPL-3.0-or-later
"""How far Babylon and our solver are apart."""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees, inf

import numpy as np

from benchmarks.godot.building import Case
from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.kinematics.rotation import Array, matrix_of

from .engine import Measured, Pose

DEGREES, CENTIMETRES = 2.0, 2.0
"""How far a body may be off after a second."""
STEPS_A_SECOND = 240
"""Of our solver."""


@dataclass(frozen=True, slots=True)
class Off:
    """How far a body is off, and how far it went."""

    degrees: float = 0.0
    centimetres: float = 0.0
    body: str = ""

    @property
    def share(self) -> float:
        """How much of what it may be; more than 1 is off."""
        return max(self.degrees / DEGREES, self.centimetres / CENTIMETRES)


def ours(case: Case, seconds: float) -> dict[str, Pose]:
    """Return where our solver moves the bodies of a case, by name."""
    simulation = Simulation(case.mechanism)
    names = [node.name for node in case.mechanism.nodes if node.motion is not None]
    for _ in range(round(seconds * STEPS_A_SECOND)):
        simulation.step(1.0 / STEPS_A_SECOND)
    both = zip(simulation.positions, simulation.rotations, strict=True)
    return {name: (*place, *turn) for name, (place, turn) in zip(names, both, strict=True)}


def worst(truth: dict[str, Pose], played: Measured) -> Off:
    """Return how far the worst body that Babylon moves is off; infinite where all is lost."""
    if played.error or not played.end:
        return Off(inf, inf, played.error or "no bodies")
    found = Off()
    for name, pose in played.end.items():
        if name in truth:
            one = _apart(np.array(truth[name]), np.array(pose), name)
            found = max(found, one, key=lambda off: off.share)
    return found


def _apart(first: Array, second: Array, name: str) -> Off:
    if not np.isfinite(second).all():
        return Off(inf, inf, name)
    turns = matrix_of(np.stack([first[3:], second[3:]]))
    between = turns[0].T @ turns[1]
    odd = between - between.T
    sine = np.linalg.norm([odd[2, 1], odd[0, 2], odd[1, 0]])
    angle = float(np.arctan2(sine, np.trace(between) - 1.0))
    return Off(degrees(angle), 100.0 * float(np.linalg.norm(first[:3] - second[:3])), name)
