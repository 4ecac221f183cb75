# SPDX-License-Identifier: GPL-3.0-or-later
"""Godot's rows, solved many at once: the same numbers as one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.godot.joint_cases import joint_cases
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.recipes import hinge, slider, weld
from omi_physics_joint.solver import Options, Simulation, Steps
from omi_physics_joint.solver.godot_steps import impulses

from .building import Builder, chain, rod_inertia, run

AS_GODOT = Options(steps=Steps.GODOT)


def tangle() -> Mechanism:
    """Return bodies of 1 g to 100 kg on joints of all kinds, with a loop that says things twice."""
    made = Builder()
    before = made.ground()
    kinds = (hinge(2), hinge(2, -0.2, 0.3), slider(1, -0.1, 0.1), weld(), hinge(1), hinge(2))
    for i, settings in enumerate(kinds):
        mass = (1.0, 0.001, 100.0)[i % 3]
        inertia = rod_inertia(0.4, mass)
        body = made.body((0.4 * i + 0.2, 0.0, 0.0), mass=mass, inertia_diagonal=inertia)
        made.joint(before, body, settings, (0.4 * i, 0.0, 0.0))
        before = body
    made.joint(0, before, weld(), (2.4, 0.0, 0.0))
    return made.mechanism()


def chain_of_hinges(count: int) -> Mechanism:
    """Return a chain of hinges without bounds."""
    made = Builder()
    before = made.ground()
    for i in range(count):
        body = made.body((i + 0.5, 0.0, 0.0), inertia_diagonal=rod_inertia(1.0))
        made.joint(before, body, hinge(2), (float(i), 0.0, 0.0))
        before = body
    return made.mechanism()


@pytest.mark.long
@pytest.mark.parametrize(
    "mechanism",
    [
        chain(4, weight=50.0),
        chain_of_hinges(12),
        tangle(),
        joint_cases()["slider, damped motor, X"].mechanism,
    ],
    ids=["pins", "hinges", "tangle", "motor"],
)
def test_runs_are_what_row_after_row_is(
    mechanism: Mechanism, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has not settled after ten passes is the same: it is why heavy bodies stretch chains."""
    together = run(Simulation(mechanism, AS_GODOT), 0.5)
    monkeypatch.setattr(impulses, "MOST", 1)
    alone = run(Simulation(mechanism, AS_GODOT), 0.5)
    assert np.abs(np.array(together) - np.array(alone)).max() < 1e-9
    assert np.abs(alone[-1] - alone[0]).max() > 1e-3


@pytest.mark.parametrize("part", [1.0, 0.2])
def test_a_run_takes_its_part_of_what_is_off(part: float) -> None:
    """Each step sees what those before it have left, as written out here."""
    (group,) = Simulation(chain(3), AS_GODOT).groups
    (whole,) = impulses.Runs(group.system).pulled
    every = np.random.default_rng(3).normal(size=(1, group.system.rows, 12))
    one = whole.solving(every, np.zeros((1, group.system.rows)), part)
    entries, off = one.entries[0], np.linspace(-1.0, 2.0, len(whole.at))
    way = np.zeros(len(whole.of_ends))
    for at in range(0, len(off), 3):
        own = entries[at : at + 3]
        left = off[at : at + 3] + own @ way
        way -= part * own.T @ np.linalg.solve(own @ own.T, left)
    assert -one.push[0] @ (one.weights[0] @ off) == pytest.approx(way, rel=1e-6)


def test_a_chain_takes_few_products() -> None:
    """Ten hinges are fifty rows, which were thirty products in each of ten passes."""
    simulation = Simulation(chain_of_hinges(10), AS_GODOT)
    (group,) = simulation.groups
    found = impulses.Runs(group.system)
    assert len(found.pushed) == len(found.pulled) == 2
    assert sorted(np.concatenate([one.at for one in found.pushed])) == list(range(50))
