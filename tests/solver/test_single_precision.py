# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms as files hold them, anywhere and turned anyhow, move as their exact twins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("scipy", reason="SciPy is not installed")

from benchmarks.truths import linkages, pendulums
from benchmarks.truths.as_mechanism import mechanism_of
from benchmarks.truths.assembly import HINGE, PIN
from benchmarks.truths.catalogue import Case
from benchmarks.truths.stored import (
    DISTANCES,
    MECHANISMS,
    Course,
    Placement,
    beside,
    course,
    placements,
    stored,
)
from omi_physics_joint.solver import Simulation

BARELY_FIT = {"bennett", "bricard"}
"""Loops that move only as they fit exactly, which Check says of them."""


def assert_same(case: Case, at: Placement, twin: Course) -> None:
    """Hold a mechanism to its twin, and to silence."""
    found = beside(case, twin, at)
    assert found.error < 1e-3, found
    assert found.energy < 1e-2, found
    assert found.force < 5e-2, found
    assert not found.said, found


@pytest.mark.long
@pytest.mark.parametrize("name", sorted({*MECHANISMS} - BARELY_FIT))
def test_it_does_so_wherever_it_is_and_to_the_end(name: str) -> None:
    """Every mechanism whose motion is known, at the origin and far away, turned otherwise there."""
    case = MECHANISMS[name]
    twin = course(case, case.mechanism(), case.build().gravity)
    for seed, distance in enumerate((DISTANCES[0], DISTANCES[-1]), 20261123):
        (at,) = placements(distance, 1, seed)
        assert_same(case, at, twin)


def test_pins_at_one_place_are_one() -> None:
    """A rod on two pins that rounding has put beside each other swings as on one of them."""
    ends = []
    for places in ([0.0], [0.0, 4e-7], [-3e-7, 0.0, 4e-7]):
        made = pendulums.chain(1, PIN)
        (pin,) = made.joints
        made.joints = [replace(pin, place=np.array([0.0, 0.0, at])) for at in places]
        made.bodies[0] = replace(made.bodies[0], spin=np.array([10.0, 1.0, 0.0]))
        simulation = Simulation(mechanism_of(made))
        for _ in range(60):
            assert simulation.step(1.0 / 60.0).converged
        ends.append(simulation.positions[1])
    assert ends[1:] == [pytest.approx(ends[0], abs=1e-5)] * 2


def test_what_is_really_out_of_line_stays_out_of_line() -> None:
    """A hinge that leans by 1e-4 rad was not rounded: the lid is as stiff as its joints say."""
    made = linkages.lid(HINGE, HINGE)
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
