# SPDX-License-Identifier: GPL-3.0-or-later
"""What nothing holds falls as a whole as it should, however its joints have to be stepped."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_joint.model.joint import JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver import Simulation
from tests.solver.building import Builder

GRAVITY = np.array([0.0, -9.81, 0.0])


def figure(bound: float, count: int = 12) -> Mechanism:
    """Return a floating tree of links on pins whose angles are bounded, in rad, with a kick."""
    limits = [Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0)]
    limits += [Limit(angular_axes=(axis,), min=-bound, max=bound) for axis in range(3)]
    settings, made, bodies = JointSettings("", tuple(limits)), Builder(), []
    draw = np.random.default_rng(1)
    for number in range(count):
        x, y, z = draw.uniform(-12.0, 12.0, 3).tolist()
        place = (0.3 * number, 0.1 * (number % 3), 0.0)
        body = made.body(
            place,
            mass=1.0 + number,
            inertia_diagonal=(0.02, 0.03, 0.025),
            linear_velocity=(0.0, 1.0, 0.3),
            angular_velocity=(x, y, z),
        )
        if bodies:
            above = bodies[(number - 1) // 2]
            made.joint(above, body, settings, (0.3 * number - 0.15, 0.05, 0.0))
        bodies.append(body)
    return made.mechanism()


@pytest.mark.parametrize("fps", [24.0, 60.0])
@pytest.mark.parametrize("bound", [0.1, 0.6])
def test_the_centre_of_what_floats_falls_as_it_should(bound: float, fps: float) -> None:
    """Also in steps of RATTLE, which bounds that are met often ask for."""
    simulation = Simulation(figure(bound))
    mass = np.arange(1.0, 13.0)[:, None] / 78.0
    start = (mass * simulation.positions).sum(0)
    speed = (mass * simulation.linear_velocities).sum(0)
    rough = 0
    for frame in range(1, round(2.0 * fps) + 1):
        rough += any(one.substeps for one in simulation.step(1.0 / fps).islands)
        t = frame / fps
        centre = (mass * simulation.positions).sum(0)
        assert centre == pytest.approx(start + t * speed + 0.5 * t * t * GRAVITY, abs=1e-9)
    assert rough > fps / 6.0
