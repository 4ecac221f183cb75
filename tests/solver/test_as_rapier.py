# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints with two free angles go as in Rapier, which measures them alike, in its small steps."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.truths.angles import SCENES, mechanism_of
from benchmarks.truths.catalogue import SAMPLES
from omi_physics_joint.solver import Simulation

KEPT = json.loads((SAMPLES / "rapier.json").read_text(encoding="utf-8"))
"""Quaternions at four times of a second; ``benchmarks/truths/rapier.py`` makes them."""
FPS = 60


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """Return the largest angle between rotations, in degrees."""
    cosine = np.abs((np.array(one) * np.array(other)).sum(-1)).clip(0.0, 1.0)
    return float(np.degrees(2.0 * np.arccos(cosine)).max())


@pytest.mark.parametrize("name", SCENES)
def test_it_goes_as_in_rapier(name: str) -> None:
    """Within a degree, all of a second, and what Rapier is off from its own half steps."""
    kept = {size: np.array(found) for size, found in KEPT[name].items()}
    own = apart(kept["coarse"], kept["fine"])
    assert own < 0.6
    simulation, found = Simulation(mechanism_of(SCENES[name]())), []
    for frame in range(FPS):
        simulation.step(1.0 / FPS)
        if (frame + 1) % (FPS // len(kept["fine"])) == 0:
            found.append(simulation.rotations[1:])
    assert apart(np.array(found), kept["fine"]) <= 1.0 + own
    assert apart(kept["fine"][:1], kept["fine"][-1:]) > 30.0
