# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that cannot be met report forces of what acts, and do not break of their contradiction."""

from __future__ import annotations

import numpy as np
import pytest
from solver.building import Builder, bearing

from benchmarks.solver.random_mechanisms import tangle
from omi_physics_joint.model.body import Vector3
from omi_physics_joint.model.joint import Breaking, Drive, DriveMode, Freedom, JointSettings
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Simulation

DT = 1.0 / 60.0


def acting(simulation: Simulation) -> float:
    """Return the sum of all weights and of what would stop all bodies in a frame, N or N m."""
    total = 0.0
    for group in simulation.groups:
        system, state = group.system, group.state
        parts = np.abs(system.weight) + np.abs(state.velocity) / DT
        total += float((system.roots * parts).sum())
    return total


def loads(simulation: Simulation) -> float:
    """Return the largest reported force or torque, N or N m."""
    report = simulation.joint_report()
    return float(max(np.abs(report.force).max(), np.abs(report.torque).max()))


def row_of_two(off: Vector3, settings: JointSettings) -> Mechanism:
    """Return two bodies in a row between joints that are fixed too far apart."""
    made = Builder()
    ground = made.ground()
    first, second = made.body((0.5, 0.0, 0.0)), made.body((1.0, 0.0, 0.0))
    made.joint(ground, first, settings, (0.25, 0.0, 0.0))
    made.joint(first, second, settings, (0.75, 0.0, 0.0))
    end = (1.25 + off[0], off[1], off[2])
    made.joint(ground, second, settings, (1.25, 0.0, 0.0), connected_place=end)
    return made.mechanism()


@pytest.mark.parametrize("number", [9, 31, 125, 435])
def test_a_tangle_bears_what_acts(number: int) -> None:
    """Also in the first frames, while what was violated comes in."""
    simulation = Simulation(tangle(number, wild=False))
    for _ in range(10):
        before = acting(simulation)
        simulation.step(DT)
        assert loads(simulation) <= 10.0 * max(before, acting(simulation))


@pytest.mark.parametrize("off", [(0.0, 0.0, 1e-4), (0.1, 0.1, 0.1), (0.0, 0.0, 0.3)])
def test_contradicting_hinges_break_nothing(off: Vector3) -> None:
    """Two kilograms on hinges that are off across: none bears more than a hundred times that."""
    mechanism = row_of_two(off, recipes.hinge(2))
    joints = [n for n, node in enumerate(mechanism.nodes) if node.joint is not None]
    most = Breaking(force=2000.0, torque=1000.0)
    for joint in joints:
        mechanism = bearing(mechanism, joint, most)
    simulation = Simulation(mechanism)
    missed = 0
    for _ in range(60):
        missed += not simulation.step(DT).converged
    assert missed > 30
    assert not simulation.joint_report().broken.any()


def test_what_is_brought_in_is_no_load() -> None:
    """A body without weight that welds draw to its place bears nothing on the way."""
    made = Builder()
    ground, body = made.ground(), made.body(gravity_factor=0.0, mass=1000.0)
    made.joint(ground, body, recipes.weld(), connected_place=(0.2, 0.0, 0.0))
    simulation = Simulation(made.mechanism())
    for _ in range(40):
        assert simulation.step(DT).converged
        assert loads(simulation) < 1.0
    assert simulation.joint_report().separation.max() < 1e-9


def driven(heavy: float, *, locked: bool) -> Simulation:
    """Return a gram that a drive accelerates along X, welded to another body, or to the ground."""
    made = Builder()
    ground = made.ground()
    light = made.body(gravity_factor=0.0, mass=1e-3, inertia_diagonal=(1e-5,) * 3)
    other = ground
    if not locked:
        other = made.body(gravity_factor=0.0, mass=heavy, inertia_diagonal=(heavy,) * 3)
    drive = Drive(
        Freedom.LINEAR, DriveMode.ACCELERATION, 0, position_target=1.0, stiffness=2.0, damping=0.0
    )
    rail = recipes.slider(0)
    made.joint(ground, light, JointSettings(limits=rail.limits, drives=(drive,)))
    made.joint(other, light, recipes.weld())
    return Simulation(made.mechanism())


def test_a_drive_accelerates_what_is_heavy_and_not_what_is_locked() -> None:
    """All that moves along counts; what cannot move has no inertia that could be overcome."""
    free = driven(10.0, locked=False)
    free.step(DT)
    speed = float(np.abs(free.linear_velocities).max())
    assert speed == pytest.approx(2.0 * DT, rel=1e-3)
    stuck = driven(0.0, locked=True)
    stuck.step(DT)
    assert loads(stuck) < 1.0
