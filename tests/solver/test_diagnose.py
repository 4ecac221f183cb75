# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of a mechanism without moving it."""

from __future__ import annotations

import numpy as np
import pytest
from solver.building import Builder, chain

from omi_physics_joint.model.joint import JointSettings, Limit
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.kinematics.island_rows import jacobian_of
from tests.solver.freedoms import freedoms
from tests.solver.settling import settle


def test_conflicting_joints_are_named() -> None:
    """A second weld that wants another place than the first is in conflict, and nothing breaks."""
    made = Builder()
    ground = made.ground()
    body = made.body((0.5, 0.0, 0.0))
    made.joint(ground, body, recipes.weld())
    second = made.joint(ground, body, recipes.weld(), connected_place=(0.1, 0.0, 0.0))
    mechanism = made.mechanism()
    assert freedoms(mechanism).conflicting == (mechanism.nodes[second].name,)
    simulation = Simulation(mechanism)
    for _ in range(60):
        simulation.step(1.0 / 60.0)
    assert np.isfinite(simulation.positions).all()


def test_chain_settles_where_it_hangs() -> None:
    """A chain that falls from the horizontal settles straight below its hook."""
    simulation = Simulation(chain(4))
    found = settle(simulation)
    assert found.at_rest
    assert simulation.positions[-1] == pytest.approx([0.0, -0.7, 0.0], abs=1e-4)


def test_freedoms_of_simple_mechanisms() -> None:
    """A pendulum on a pin has three freedoms, a door one, a welded body none."""
    for settings, degrees in ((recipes.pin(), 3), (recipes.hinge(1), 1), (recipes.weld(), 0)):
        made = Builder()
        made.joint(made.ground(), made.body(), settings)
        assert freedoms(made.mechanism()).degrees == degrees
    free = JointSettings(limits=(Limit(linear_axes=(0,), min=-1.0, max=1.0),))
    made = Builder()
    made.joint(made.ground(), made.body(), free)
    assert freedoms(made.mechanism()).degrees == 6


@pytest.mark.long
@pytest.mark.parametrize("settings", [recipes.pin(), recipes.hinge(2), recipes.weld()])
def test_rank_of_a_mesh_of_loops_is_that_of_its_matrix(settings: JointSettings) -> None:
    """More rows than a block holds, many of them redundant: as many as singular values are zero."""
    made = Builder()
    ground = made.ground()
    bodies = {(i, j): made.body((float(i), float(j), 0.0)) for i in range(5) for j in range(4)}
    made.joint(ground, bodies[0, 0], settings)
    for (i, j), body in bodies.items():
        for other, place in (((i + 1, j), (i + 0.5, j, 0.0)), ((i, j + 1), (i, j + 0.5, 0.0))):
            if other in bodies:
                made.joint(body, bodies[other], settings, place)
    mechanism = made.mechanism()
    (group,) = Simulation(mechanism).groups
    (rows,) = jacobian_of(group.system, group.state)
    found = freedoms(mechanism)
    assert found.rank == np.linalg.matrix_rank(rows, tol=1e-8)
    assert found.degrees == rows.shape[1] - found.rank
    assert found.redundant
    assert found.conflicting == ()
