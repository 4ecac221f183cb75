# SPDX-License-Identifier: GPL-3.0-or-later
"""The L-stable step: motors may drive it, bounds bear what lies on them, what tears stops."""

from __future__ import annotations

from dataclasses import replace

import pytest
from solver.building import Builder, slider_with

from omi_physics_joint.model import recipes
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom
from omi_physics_joint.solver import Method, Options, Simulation

FRAME = 1.0 / 60.0
STIFF = Options(gravity=(0.0, 0.0, 0.0), method=Method.STIFF, substeps=1)


def test_a_motor_may_feed_energy_in() -> None:
    """A body at rest is brought up to speed by its motor, as implicit Euler has it."""
    motor = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, velocity_target=2.0, damping=30.0)
    settings = replace(recipes.slider(0), drives=(motor,))
    simulation = Simulation(slider_with(settings, mass=2.0), STIFF)
    speed = 0.0
    for _ in range(20):
        assert simulation.step(FRAME).method is Method.STIFF
        speed = (speed + 15.0 * FRAME * 2.0) / (1.0 + 15.0 * FRAME)
        assert simulation.linear_velocities[1, 0] == pytest.approx(speed, rel=1e-9)
    assert speed > 1.9


def test_a_bound_bears_the_weight_that_lies_on_it() -> None:
    """What lies on its stop stays there, is held up by its weight, and is free to be lifted."""
    options = replace(STIFF, gravity=(0.0, -9.81, 0.0))
    simulation = Simulation(slider_with(recipes.slider(1, 0.0, 1.0), mass=2.0), options)
    for _ in range(10):
        assert simulation.step(FRAME).method is Method.STIFF
        assert simulation.joint_report().force[0] == pytest.approx([0.0, 2.0 * 9.81, 0.0])
    assert simulation.positions[1, 1] == pytest.approx(0.0, abs=1e-9)
    simulation.set_gravity((0.0, 3.0, 0.0))
    simulation.step(FRAME)
    assert simulation.joint_report().force[0] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
    assert simulation.linear_velocities[1, 1] == pytest.approx(3.0 * FRAME)


@pytest.mark.parametrize(("place", "torn"), [(0.8, True), (0.1, True), (0.46, False)])
def test_what_is_torn_is_left_where_it_was(place: float, torn: bool) -> None:
    """What a lenient step brings out of its bounds stays where it was."""
    made = Builder()
    body = made.body((0.45, 0.0, 0.0))
    slider = recipes.slider(0, 0.4, 0.5)
    made.joint(made.ground(), body, slider, connected_place=(0.45, 0.0, 0.0))
    (group,) = Simulation(made.mechanism(), STIFF).groups
    stiff, state = group.stepper.stiff, group.state
    bounds = stiff.mechanics.bounds(state, state.time)
    search = stiff.fly(state, FRAME, bounds)
    search.position[0, 0] = place
    search.values, search.pose = group.system.values(search.position, search.rotation)
    assert stiff.is_torn(state, search, bounds) == torn
    stiff.leave(state, search)
    assert search.position[0, 0] == pytest.approx(0.45, abs=1e-12)
    assert not stiff.is_torn(state, search, bounds)
