# SPDX-License-Identifier: GPL-3.0-or-later
"""Gradients of coordinates are what the coordinates really change by."""

from __future__ import annotations

import numpy as np
import pytest
from solver.building import Builder

from omi_physics_joint.model.joint import JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.engines.compiled import engine
from omi_physics_joint.solver.kinematics.island_rows import jacobian_of
from omi_physics_joint.solver.kinematics.rotation import matrix_of

SOFT = {"min": 0.0, "max": 0.0, "stiffness": 40.0}
KINDS = {
    "pin": recipes.pin(),
    "sliding": JointSettings(limits=(Limit(linear_axes=(0, 2), **SOFT),)),
    "three free angles": JointSettings(
        limits=(Limit(angular_axes=(0, 1, 2), min=-1.0, max=1.0, stiffness=40.0),)
    ),
    "two locked about X": JointSettings(limits=(Limit(angular_axes=(1, 2), **SOFT),)),
    "two locked about Z": JointSettings(limits=(Limit(angular_axes=(0, 1), **SOFT),)),
    "one locked": JointSettings(limits=(Limit(angular_axes=(1,), **SOFT),)),
    "three locked": JointSettings(limits=(Limit(angular_axes=(0, 1, 2), **SOFT),)),
}


def soft_pair(settings: JointSettings, turn: np.ndarray) -> Simulation:
    """Return two free bodies on a joint, turned against each other and apart."""
    made = Builder()
    first = made.body(mass=2.0, inertia_diagonal=(0.1, 0.2, 0.15))
    second = made.body((0.3, 0.2, 0.1), mass=1.0, inertia_diagonal=(0.05, 0.04, 0.06))
    place, other = (0.1, -0.1, 0.2), (0.2, 0.1, -0.1)
    made.joint(
        first,
        second,
        settings,
        place,
        connected_place=other,
        connected_rotation=tuple(turn),  # type: ignore[arg-type]
    )
    return Simulation(made.mechanism(), Options(gravity=(0.0, 0.0, 0.0)))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("angle", [0.0, 1e-4, 2e-3, 0.3, 1.1, 1.5])
def test_gradients_are_differences_of_values(name: str, angle: float) -> None:
    """However far two frames are turned against each other, d value = gradient . d pose."""
    axis = np.array([0.3, -0.5, 0.8]) / np.sqrt(0.98)
    turn = np.array([*(np.sin(angle / 2.0) * axis), np.cos(angle / 2.0)])
    simulation = soft_pair(KINDS[name], turn)
    (group,) = simulation.groups
    system, state = group.system, group.state
    (jacobian,) = jacobian_of(system, state)
    random = np.random.default_rng(5)
    step = 1e-6
    for _ in range(6):
        velocity = random.normal(size=(2, 6))
        moved = velocity / system.roots[0]
        values = []
        for sign in (1.0, -1.0):
            there = state.copy()
            there.position[0] += sign * step * moved[:, :3]
            half = 0.5 * sign * step * moved[:, 3:]
            there.rotation[0] = there.rotation[0] @ matrix_of(np.column_stack([half, np.ones(2)]))
            engine().stepper(system, there).begin(continued=True)
            values.append(there.value[0])
        change = (values[0] - values[1]) / (2.0 * step)
        assert jacobian @ velocity.reshape(-1) == pytest.approx(change, abs=2e-7)


def test_coordinates_of_all_joints_are_those_of_each() -> None:
    """Read at once or one by one, in the order of their nodes, also where islands are mixed."""
    made = Builder()
    ground = made.ground()
    bodies = [made.body((float(i), 0.0, 0.0)) for i in range(4)]
    made.joint(ground, bodies[3], recipes.hinge(1))
    made.joint(ground, bodies[0], recipes.slider(2), connected_place=(0.0, 0.0, 0.3))
    made.joint(bodies[0], bodies[2], KINDS["one locked"], connected_rotation=(0.1, 0.2, 0.3, 0.9))
    made.joint(ground, bodies[1], recipes.hinge(0), connected_rotation=(0.6, 0.0, 0.0, 0.8))
    simulation = Simulation(made.mechanism())
    for _ in range(5):
        simulation.step(1.0 / 60.0)
    every = simulation.all_coordinates()
    for node, row in zip(simulation.joint_nodes, every, strict=True):
        assert np.array_equal(simulation.coordinates(node), row)
    assert every[1, 2] == pytest.approx(0.3, abs=0.05)
    assert every[3, 3] == pytest.approx(2.0 * np.arctan2(0.6, 0.8), abs=0.1)
    assert Simulation(Mechanism()).all_coordinates().shape == (0, 6)


@pytest.mark.long
@pytest.mark.parametrize("axes", [(1, 2), (0, 1), (0, 2)])
def test_soft_lean_far_from_zero_keeps_the_energy(axes: tuple[int, ...]) -> None:
    """A body that swings by 70 degrees on two soft angular locks goes on with what it had."""
    made = Builder()
    ground = made.ground()
    body = made.body(
        mass=1.0, inertia_diagonal=(0.05, 0.05, 0.05), angular_velocity=(2.0, -1.5, 1.0)
    )
    soft = Limit(angular_axes=axes, min=0.0, max=0.0, stiffness=0.2)
    pin = Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0)
    made.joint(ground, body, JointSettings(limits=(pin, soft)))
    simulation = Simulation(made.mechanism(), Options(gravity=(0.0, 0.0, 0.0)))
    totals, most = [], 0.0
    for _ in range(240):
        assert simulation.step(1.0 / 60.0).converged
        totals.append(simulation.energy().total)
        most = max(most, float(np.abs(simulation.rotations[1, :3]).max()))
    assert most > np.sin(0.5)
    assert np.ptp(totals) <= 1e-3 * totals[0]
