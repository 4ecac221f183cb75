# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms as files hold them, anywhere and turned anyhow, move as their exact twins."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy", reason="SciPy is not installed")

from benchmarks.truths import linkages
from benchmarks.truths.as_mechanism import mechanism_of
from benchmarks.truths.stored import DISTANCES, LINKAGES, Beside, beside, placements, stored
from omi_physics_joint.solver import Simulation


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
