# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that say the same as others: what they bear is the least that does it, for ever."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from solver.building import Builder, rod_inertia

from omi_physics_joint.model.body import Quaternion, Vector3
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Options, Simulation

FRAME = 1.0 / 60.0
TILT = 0.4


def single(values: np.ndarray) -> tuple[float, ...]:
    """Return numbers as single precision leaves them."""
    return tuple(float(value) for value in np.float32(values))


def tilted(x: float, y: float, angle: float = TILT) -> Vector3:
    """Return a point of the door's plane, turned about Z."""
    c, s = np.cos(angle), np.sin(angle)
    return single(np.array([c * x - s * y, s * x + c * y, 0.0]))  # type: ignore[return-value]


def about_z(angle: float) -> Quaternion:
    """Return a rotation about Z."""
    return single(np.array([0.0, 0.0, np.sin(angle / 2), np.cos(angle / 2)]))  # type: ignore[return-value]


def door(hinges: int) -> Mechanism:
    """Return a door of 20 kg that swings on hinges about a leaning axis."""
    made = Builder()
    ground, turned = made.ground(), about_z(TILT)
    inertia = (20.0 * 4.0 / 12.0, 20.0 / 12.0, 20.0 * 5.0 / 12.0)
    body = made.body(
        tilted(0.5, 0.0),
        turned,
        mass=20.0,
        inertia_diagonal=inertia,
        angular_velocity=(0.0, 3.0, 0.0),
        linear_velocity=(0.0, 0.0, -1.5),
    )
    for height in np.linspace(-0.8, 0.8, hinges):
        made.joint(ground, body, recipes.hinge(1), tilted(0.0, float(height)), turned)
    return made.mechanism()


def cranks() -> Mechanism:
    """Return three parallel cranks of 0.3 m on one rod, as of a locomotive, at 10 rad/s."""
    made = Builder()
    ground = made.ground()
    rod = made.body(
        (1.0, 0.3, 0.0), inertia_diagonal=rod_inertia(2.0), linear_velocity=(3.0, 0.0, 0.0)
    )
    for x in (0.0, 1.0, 2.0):
        crank = made.body(
            (x, 0.15, 0.0),
            about_z(pi / 2),
            inertia_diagonal=rod_inertia(0.3),
            angular_velocity=(0.0, 0.0, -10.0),
            linear_velocity=(0.0, -1.5, 0.0),
        )
        made.joint(ground, crank, recipes.hinge(2), (x, 0.0, 0.0))
        made.joint(crank, rod, recipes.hinge(2), (x, 0.3, 0.0))
    return made.mechanism()


def largest_forces(mechanism: Mechanism, frames: int, options: Options) -> tuple[float, float]:
    """Return the largest force in N, and by how much the energy was off in J."""
    simulation = Simulation(mechanism, options)
    start, largest, off = simulation.energy().total, 0.0, 0.0
    for _ in range(frames):
        assert simulation.step(FRAME).converged
        forces = simulation.joint_report().force
        largest = max(largest, float(np.sqrt((forces**2).sum(1)).max()))
        off = max(off, abs(simulation.energy().total - start))
    return largest, off


@pytest.mark.long
def test_a_door_on_three_hinges_bears_its_weight() -> None:
    """A third hinge takes its share of what two bear; nothing is added that cancels out."""
    two, _ = largest_forces(door(2), 300, Options())
    three, _ = largest_forces(door(3), 300, Options())
    assert 100.0 < two < 400.0
    assert 0.5 * two < three < two


@pytest.mark.long
@pytest.mark.parametrize("substeps", [None, 4])
def test_parallel_cranks_pass_where_they_lie_in_line(substeps: int | None) -> None:
    """Where rows say nothing new for a moment forces stay small, and energy stays."""
    force, off = largest_forces(cranks(), 200, Options(substeps=substeps))
    assert force == pytest.approx(78.6, abs=0.5)
    assert off < 0.05
