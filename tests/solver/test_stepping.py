# SPDX-License-Identifier: GPL-3.0-or-later
"""How steps are planned: how many substeps, what a retry begins with, what if nothing works."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from solver.building import Builder, chain, slider_with

from omi_physics_joint.model import recipes
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver import Method, Options, Simulation
from omi_physics_joint.solver.gauss import Gauss
from omi_physics_joint.solver.rattle import Rattle
from omi_physics_joint.solver.state import State
from omi_physics_joint.solver.stiff import Stiff

FRAME = 1.0 / 60.0
WEIGHTLESS = Options(gravity=(0.0, 0.0, 0.0))


def sprung(stiffness: float) -> Mechanism:
    """Return a body on a slider that a spring draws to 1 m."""
    spring = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, position_target=1.0, stiffness=stiffness)
    return slider_with(replace(recipes.slider(0), drives=(spring,)))


def sprung_arms() -> Mechanism:
    """Return two arms in a row that fall, on hinges with springs."""
    made = Builder()
    before = made.ground()
    spring = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, position_target=0.5, stiffness=5.0)
    settings = replace(recipes.hinge(2, -2.0, 2.0), drives=(spring,))
    for number in range(2):
        body = made.body((0.3 * number + 0.15, 0.0, 0.0))
        made.joint(before, body, settings, (0.3 * number, 0.0, 0.0))
        before = body
    return made.mechanism()


def test_a_retry_begins_where_the_step_began(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan that failed leaves no trace: the next one does as it would have done as the first."""
    options = Options(method=Method.GENERIC, substeps=2)
    expected = Simulation(sprung_arms(), replace(options, substeps=4))
    assert expected.step(FRAME).retries == 0
    exact, count = Rattle.step, []

    def fails_first(self: Rattle, state: State, h: float) -> NDArray[np.bool_]:
        count.append(h)
        return exact(self, state, h) & (len(count) != 2)

    monkeypatch.setattr(Rattle, "step", fails_first)
    simulation = Simulation(sprung_arms(), options)
    report = simulation.step(FRAME)
    assert (report.retries, report.substeps) == (1, 4)
    assert (simulation.positions == expected.positions).all()
    assert (simulation.linear_velocities == expected.linear_velocities).all()
    assert (simulation.joint_report().force == expected.joint_report().force).all()


@pytest.mark.parametrize("mechanism", [chain(2), sprung(100.0)])
def test_where_nothing_works_time_goes_on(
    monkeypatch: pytest.MonkeyPatch, mechanism: Mechanism
) -> None:
    """Bodies stay where they are, slower, and it is said how many plans were tried in vain."""
    simulation = Simulation(mechanism)
    for _ in range(5):
        simulation.step(FRAME)
    plans: list[object] = []

    def fails(*rest: object) -> NDArray[np.bool_]:
        plans.append(rest[-1])
        return np.zeros(1, dtype=bool)

    monkeypatch.setattr(Gauss, "advance", fails)
    for method in (Rattle, Stiff):
        monkeypatch.setattr(method, "step", fails)
    place, speed = simulation.positions, simulation.linear_velocities
    report = simulation.step(FRAME)
    assert not report.converged
    assert report.retries == len(plans) > 5
    assert simulation.time == pytest.approx(6.0 * FRAME)
    assert simulation.positions == pytest.approx(place)
    assert simulation.linear_velocities == pytest.approx(0.5 * speed)
    assert not simulation.relax(FRAME).converged
    assert simulation.time == pytest.approx(7.0 * FRAME)
    assert simulation.positions == pytest.approx(place)
    assert simulation.linear_velocities == pytest.approx(0.25 * speed)


def test_twist_alone_needs_no_finer_steps() -> None:
    """A weld that bears a torque makes nothing swing, so that one substep will do."""
    made = Builder()
    body = made.body()
    made.joint(made.ground(), body, recipes.weld(), (0.0, 0.5, 0.0))
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    for side in (1.0, -1.0):
        simulation.set_force(body, (0.0, side, 0.0), (0.0, 0.0, 100.0 * side))
    simulation.step(FRAME)
    report = simulation.step(FRAME)
    assert simulation.joint_report().torque[0] == pytest.approx([-200.0, 0.0, 0.0], abs=1e-4)
    assert (report.substeps, report.retries) == (1, 0)


@pytest.mark.parametrize("stiffness", [1e5, 1e7])
def test_a_spring_too_stiff_to_be_followed_is_settled_without_retries(stiffness: float) -> None:
    """It is solved for in the same step that all else is done by."""
    simulation = Simulation(sprung(stiffness), WEIGHTLESS)
    for _ in range(10):
        report = simulation.step(FRAME)
        assert (report.method, report.retries) == (Method.GENERIC, 0)


def test_a_tree_goes_on_after_it_was_relaxed() -> None:
    """A step of another method in between leaves the method of trees nothing to stumble over."""
    simulation = Simulation(chain(3))
    for _ in range(3):
        assert simulation.step(FRAME).method is Method.TREES
    assert simulation.relax(FRAME).converged
    assert simulation.step(FRAME).method is Method.TREES
    assert np.isfinite(simulation.positions).all()


def test_nothing_was_borne_before_the_first_step() -> None:
    """A report on joints that have not moved yet has no force and no torque in it."""
    report = Simulation(chain(2)).joint_report()
    assert (report.force == 0.0).all()
    assert (report.torque == 0.0).all()


def test_a_hinge_says_how_often_it_has_turned() -> None:
    """Its angle goes on beyond a full turn, and a checkpoint remembers the turns."""
    mechanism = slider_with(recipes.hinge(1, high=1e3), angular_velocity=(0.0, 20.0, 0.0))
    simulation = Simulation(mechanism, WEIGHTLESS)
    for frame in range(1, 61):
        simulation.step(FRAME)
        assert simulation.coordinates(2)[4] == pytest.approx(20.0 * frame / 60.0, abs=1e-6)
    kept = simulation.checkpoint()
    simulation.step(FRAME)
    simulation.restore(kept)
    simulation.step(FRAME)
    assert simulation.coordinates(2)[4] == pytest.approx(20.0 * 61.0 / 60.0, abs=1e-6)
