# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies whose mass or moments of inertia are infinite: what no force moves, no torque turns."""

from __future__ import annotations

from math import cos, inf, sin

import numpy as np
import pytest

from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Simulation

from .building import Array, Builder, run


def falling(**motion: object) -> Mechanism:
    """Return one body that nothing holds."""
    made = Builder()
    made.body(**motion)  # type: ignore[arg-type]
    return made.mechanism()


def wheel_with_a_bob(*, infinite: bool) -> Mechanism:
    """Return a wheel that turns about Z, with a rod hinged to its rim that swings."""
    made = Builder()
    if infinite:
        wheel = made.body(mass=inf, inertia_diagonal=(inf, inf, 0.5))
    else:
        wheel = made.body(mass=2.0, inertia_diagonal=(0.4, 0.4, 0.5))
        made.joint(made.ground(), wheel, recipes.hinge(2))
    bob = made.body((1.0, -0.4, 0.0), inertia_diagonal=(0.1, 0.05, 0.1))
    made.joint(wheel, bob, recipes.pin(), (1.0, 0.0, 0.0))
    return made.mechanism()


def turned(angle: float) -> tuple[float, float, float, float]:
    """Return a rotation about Y."""
    return (0.0, sin(angle / 2.0), 0.0, cos(angle / 2.0))


def test_a_wheel_of_infinite_mass_turns_where_it_is() -> None:
    """It is a wheel on an axle: forces turn it about the one axis whose inertia is finite."""
    free, held = (Simulation(wheel_with_a_bob(infinite=infinite)) for infinite in (True, False))
    places, truth = run(free, 2.0), run(held, 2.0)
    assert np.abs(np.array(places)[:, 0]).max() < 1e-6
    bob, bobs = np.array(places)[:, 1], np.array(truth)[:, 2]
    assert np.abs(bob - bobs).max() < 1e-5


def test_infinite_mass_feels_no_gravity() -> None:
    """It goes straight on with the velocity that it has, as infinite masses do in engines."""
    body = falling(mass=inf, inertia_diagonal=(inf, 1.0, inf), linear_velocity=(1.0, 0.0, 0.0))
    assert run(Simulation(body), 2.0)[-1][0] == pytest.approx([2.0, 0.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("inertia", [(inf, inf, inf), (0.0, 0.0, 0.0)])
def test_all_infinite_is_kinematic(inertia: tuple[float, float, float]) -> None:
    """Nothing moves it, and it spins on."""
    made = Builder()
    body = made.body(mass=inf, inertia_diagonal=inertia, angular_velocity=(0.0, 0.0, 1.0))
    other = made.body((0.0, 5.0, 0.0), mass=1e6)
    made.joint(body, other, recipes.pin(), (0.0, 1.0, 0.0))
    simulation = Simulation(made.mechanism())
    run(simulation, 1.0)
    assert simulation.rotations[0] == pytest.approx([0.0, 0.0, sin(0.5), cos(0.5)], abs=1e-9)


def test_what_cannot_turn_falls_as_everything_does() -> None:
    """Infinite inertia is no infinite mass; the spin at the start goes on."""
    body = falling(inertia_diagonal=(inf, inf, inf), angular_velocity=(0.0, 0.7, 0.0))
    simulation = Simulation(body)
    assert run(simulation, 1.0)[-1][0] == pytest.approx([0.0, -9.81 / 2.0, 0.0], abs=1e-6)
    assert simulation.rotations[0] == pytest.approx(turned(0.7), abs=1e-6)


def test_a_pin_holds_up_what_cannot_turn() -> None:
    """With a pin beside its centre a body swings, unless no torque turns it."""
    made = Builder()
    ground = made.ground()
    body = made.body((0.5, 0.0, 0.0), inertia_diagonal=(inf, inf, inf))
    made.joint(ground, body, recipes.pin())
    assert np.abs(run(Simulation(made.mechanism()), 5.0)[-1][1] - (0.5, 0.0, 0.0)).max() < 1e-5


@pytest.mark.parametrize("angle", [0.0, 0.4])
def test_an_axis_about_which_nothing_turns_is_a_hinge_the_other_way_round(angle: float) -> None:
    """A pinned body that turns about one of its axes alone swings as it would on a hinge there."""

    def pendulum(*, infinite: bool) -> Array:
        made = Builder()
        ground = made.ground()
        stiff = inf if infinite else 0.3
        place = (0.5 * cos(angle), 0.0, -0.5 * sin(angle))
        body = made.body(place, turned(angle), inertia_diagonal=(stiff, stiff, 0.1))
        settings = recipes.pin() if infinite else recipes.hinge(2)
        made.joint(ground, body, settings, rotation=turned(angle))
        return np.array(run(Simulation(made.mechanism()), 3.0))[:, 1]

    assert np.abs(pendulum(infinite=True) - pendulum(infinite=False)).max() < 1e-5


def test_what_is_not_said_beside_infinities_is_calculated() -> None:
    """Zero beside infinite moments is the inertia of the shapes, here of the small sphere."""

    def spun(part: float) -> Array:
        made = Builder()
        ground = made.ground()
        body = made.body((0.2, 0.0, 0.0), inertia_diagonal=(inf, inf, part))
        made.joint(ground, body, recipes.pin())
        return np.array(run(Simulation(made.mechanism()), 1.0))[:, 1]

    assert np.abs(spun(0.0) - spun(0.4 * 0.1**2)).max() < 1e-9
