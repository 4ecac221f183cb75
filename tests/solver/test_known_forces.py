# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints report what they bear, where they repeat each other too: by default settings, to 1 %."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip("scipy", reason="SciPy is not installed")

from benchmarks.truths import linkages, pendulums, spatial
from benchmarks.truths.assembly import Assembly
from benchmarks.truths.forces import Loads, reported_loads, true_loads
from benchmarks.truths.positions import Coordinates

MOST = 0.01
"""Of the largest force, or of that at a lever of 1 m."""
Build = Callable[[], Assembly]
CASES: dict[str, tuple[Build, float, int]] = {
    "pendulum": (lambda: pendulums.chain(1), 0.5, 0),
    "door_on_one_hinge": (lambda: pendulums.door(1), 0.5, 0),
    "door_on_three_hinges": (lambda: pendulums.door(3), 0.5, 0),
    "bar_welded_twice": (pendulums.welded_bar, 0.5, 0),
    "parallel_cranks": (linkages.cranks, 0.5, 3),
    "four_bar": (lambda: linkages.four_bars(1), 0.8, 2),
    "crank_rocker": (linkages.crank_rocker, 0.5, 0),
    "slider_crank": (linkages.slider_crank, 0.3, 0),
    "bennett": (spatial.bennett, 0.4, 0),
    "bricard": (spatial.bricard, 0.4, 0),
    "sarrus": (spatial.sarrus, 0.5, 0),
}
"""How each is built, s, and the number of parallel cranks where one angle tells all."""
RATES = {"slider_crank": 240.0}
"""Frames a second, where the lever of a force turns by so much in a sixtieth that its mean says
nothing."""


def both(name: str) -> tuple[Loads, Loads]:
    """Return what is true, and what is reported."""
    build, seconds, cranks = CASES[name]
    fps = RATES.get(name, 60.0)
    made, frames = build(), round(fps * seconds)
    one: Coordinates | None = linkages.Parallel(made, cranks) if cranks else None
    return true_loads(made, frames, fps, coordinates=one), reported_loads(made, frames, fps)


def off(true: np.ndarray, reported: np.ndarray, scale: float) -> float:
    """Return the largest difference, of a scale."""
    return float(np.linalg.norm(true - reported, axis=-1).max() / scale)


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_what_joints_bear(name: str) -> None:
    """Together what accelerates each body; each joint the least that does it."""
    true, reported = both(name)
    largest = float(np.linalg.norm(true.force, axis=-1).max())
    together = float(np.linalg.norm(true.body_force, axis=-1).max())
    found = {
        "bodies": off(true.body_force, reported.body_force, together),
        "bodies turned": off(true.body_torque, reported.body_torque, together),
        "joints": off(true.force, reported.force, largest),
        "joints turned": off(true.torque, reported.torque, largest),
    }
    assert max(found.values()) <= MOST, (largest, found)
    peak = float(np.linalg.norm(reported.force, axis=-1).max())
    assert peak == pytest.approx(largest, rel=MOST)


@pytest.mark.long
def test_equal_hinges_share_alike() -> None:
    """Three hinges at equal distances: the middle one bears the mean of the others."""
    _, reported = both("door_on_three_hinges")
    low, middle, high = reported.force.transpose(1, 0, 2)
    assert middle == pytest.approx((low + high) / 2.0, abs=1.0)
