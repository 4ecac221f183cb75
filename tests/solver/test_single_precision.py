# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms as files hold them, anywhere and turned anyhow, move as their exact twins."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip("scipy", reason="SciPy is not installed")

from benchmarks.truths import linkages, pendulums, spatial
from benchmarks.truths.as_mechanism import mechanism_of
from benchmarks.truths.assembly import PIN, Assembly
from benchmarks.truths.stored import DISTANCES, Beside, beside, placements, stored
from omi_physics_joint.solver import Simulation

Build = Callable[[], Assembly]
LINKAGES: dict[str, tuple[Build, float, int]] = {
    "lid on two hinges": (lambda: linkages.lid(2), 0.9, 90),
    "lid on three hinges": (lambda: linkages.lid(3), 0.9, 90),
    "lid on four hinges": (lambda: linkages.lid(4), 0.9, 90),
    "lid on two hinges and a pin": (lambda: linkages.lid(3, PIN), 0.9, 90),
    "parallel cranks": (linkages.cranks, 2.0, 90),
    "crank-rocker": (linkages.crank_rocker, 1.0, 90),
    "hoeken": (linkages.hoeken, 1.0, 90),
    "slider-crank": (linkages.slider_crank, 1.3, 45),
    "parallelogram": (lambda: linkages.four_bars(1), 1.0, 240),
    "three parallelograms": (lambda: linkages.four_bars(3), 3.0, 240),
    "peaucellier": (linkages.peaucellier, 0.9, 150),
    "sarrus": (spatial.sarrus, 1.0, 120),
    "double pendulum": (lambda: pendulums.chain(2), 2.0, 60),
}
"""How it is built, its length in m, and frames."""


def assert_same(found: Beside) -> None:
    """Hold a mechanism to its twin, and to silence."""
    assert found.error < 1e-3, found
    assert found.energy < 1e-2, found
    assert found.force < 5e-2, found
    assert not found.said, found


@pytest.mark.parametrize("name", LINKAGES)
def test_it_moves_as_its_twin_in_double_precision(name: str) -> None:
    """Path, energy and forces, at the origin and 50 m from it."""
    build, length, frames = LINKAGES[name]
    made = build()
    for seed, distance in enumerate((0.0, 50.0)):
        (at,) = placements(distance, 1, seed)
        assert_same(beside(mechanism_of(made), at, made.gravity, length, frames))


@pytest.mark.long
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("name", LINKAGES)
def test_it_does_so_wherever_it_is(name: str, distance: float) -> None:
    """In twelve placements each."""
    build, length, frames = LINKAGES[name]
    made = build()
    for at in placements(distance, 12, seed=20261123):
        assert_same(beside(mechanism_of(made), at, made.gravity, length, frames))


def test_what_is_really_out_of_line_stays_out_of_line() -> None:
    """A hinge that leans by 1e-4 rad was not rounded: the lid is as stiff as its joints say."""
    made = linkages.lid(2)
    lean = np.array([[1.0, 0.0, 1e-4], [0.0, 1.0, 0.0], [-1e-4, 0.0, 1.0]])
    first, second = made.joints
    made.joints[1] = type(second)(first.a, first.b, second.place, lean @ second.frame, first.locked)
    simulation = Simulation(mechanism_of(made))
    simulation.step(1.0 / 60.0)
    axes = [group.system.axes[0, :, 0, :, 2] for group in simulation.groups]
    assert np.abs(np.cross(axes[0][0], axes[0][1])).max() == pytest.approx(1e-4, rel=1e-3)


@pytest.mark.parametrize("distance", DISTANCES)
def test_the_mechanism_itself_stays_as_it_is(distance: float) -> None:
    """Bodies rest where the file says: frames of joints alone are mended, by rounding."""
    made = mechanism_of(linkages.cranks())
    for at in placements(distance, 4):
        there = stored(made, at)
        simulation = Simulation(there)
        places = [np.array(there.nodes[node].world)[:3, 3] for node in simulation.body_nodes]
        assert simulation.positions == pytest.approx(np.array(places), abs=1e-12)
        assert simulation.joint_report().separation.max() < 1e-12
