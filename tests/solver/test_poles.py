# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds of one twist where the others have turned so far that it is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solver.building import Builder

from benchmarks.solver.fuzz import Record, case, trouble
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.kinematics.coordinates import Kinematics
from omi_physics_joint.solver.kinematics.island_rows import IslandRows
from omi_physics_joint.solver.kinematics.rotation import exponential

BOUND = 1.2
"""rad."""


def ball(across: float = 0.0, bound: float = BOUND, **drives: tuple[Drive, ...]) -> Simulation:
    """Return a body on a ball joint, whose twist about Z lies at its upper bound.

    Args:
        across: the part of its quaternion that turns about X.
        bound: rad.
        drives: of the joint.
    """
    made = Builder()
    ground, body = made.ground(), made.body(inertia_diagonal=(0.02, 0.03, 0.04))
    bounds = Limit(angular_axes=(2,), min=min(-1.0, bound - 1.0), max=bound)
    settings = JointSettings(limits=(*recipes.pin().limits, bounds))
    half, rest = 0.5 * bound, np.sqrt(1.0 - across**2)
    turn = (across, 0.0, float(rest * np.sin(half)), float(rest * np.cos(half)))
    made.joint(ground, body, replace(settings, **drives), connected_rotation=turn)
    return Simulation(made.mechanism(), Options(gravity=(0.0, 0.0, 0.0)))


@pytest.mark.parametrize("lean", [0.0, 1.0, 3.0, 3.1415, 3.2, 4.0])
def test_a_pressed_twist_changes_by_its_gradient_and_drift(lean: float) -> None:
    """Value, rate and drift agree with differences, also at the pole and beyond."""
    simulation = ball()
    (group,) = simulation.groups
    system, state = group.system, group.state
    (row,) = np.flatnonzero(system.coordinate == 5)
    state.side[0, row], state.half[0, 0] = 1, (0.0, 0.0, np.sin(0.6), np.cos(0.6))
    first = exponential(np.array([lean, 0.0, 0.0]))
    state.rotation[0, 0] = first @ state.rotation[0, 0]
    still = np.zeros((1, system.others, 6))
    rows = IslandRows(Kinematics(system), state, still)
    rows.pressed[..., row] = BOUND
    for part in np.linspace(0.0, lean, 8):  # so that the quaternion goes on
        turned = exponential(np.array([part - lean, 0.0, 0.0])) @ state.rotation[:, None]
        state.half[0] = rows.at((state.position[:, None], turned)).half[0, 0]
    velocity = np.zeros((1, 1, 1, 6))
    velocity[..., 3:] = np.array([0.7, -0.4, 0.9]) * system.roots[0, 0, 3:]
    spin = (velocity / system.roots)[..., 3:]
    position, rotation = state.position[:, None], state.rotation[:, None]
    step, values = 1e-4, []
    for time in (-step, 0.0, step):
        there = rotation.copy()
        there[:, :, :1] = there[:, :, :1] @ exponential(time * spin)
        values.append(rows.at((position, there)).value[0, 0, row])
    motion = rows.motion(rows.at((position, rotation)), velocity)
    rate, drift = (part[0, 0, row] for part in motion)
    assert rate == pytest.approx((values[2] - values[0]) / (2.0 * step), abs=1e-6)
    bent = (values[0] - 2.0 * values[1] + values[2]) / step**2
    assert drift == pytest.approx(bent, abs=1e-5)


@pytest.mark.parametrize("bound", [-4.2, -3.1, 0.7, 3.1, 3.2, 4.2])
@pytest.mark.parametrize("off", [-0.05, 0.0, 0.05])
def test_a_pressed_twist_is_more_where_it_has_turned_farther(bound: float, off: float) -> None:
    """Also where its bound lies beyond half a turn: it says by how much it has passed it."""
    (group,) = ball(bound=bound).groups
    (row,) = np.flatnonzero(group.system.coordinate == 5)
    group.state.rotation[0, 0] = exponential(np.array([0.0, 0.0, off]))
    half = 0.5 * bound  # the quaternion goes on from there, or from its opposite, a turn off
    for sign in (1.0, -1.0):
        group.state.half[0, 0] = (0.0, 0.0, sign * np.sin(half), sign * np.cos(half))
        rows = IslandRows(Kinematics(group.system), group.state)
        rows.pressed[..., row] = bound
        assert rows.now().value[0, 0, row] == pytest.approx(bound + off, abs=1e-4)


@pytest.mark.parametrize("bound", [BOUND, 3.6, 5.0])
@pytest.mark.parametrize("across", [0.0, 0.6, 0.9, 0.99])
def test_a_drive_that_presses_is_borne_by_the_bound(across: float, bound: float) -> None:
    """However far the body leans: with 3 N m along the twist, whose gradient has grown."""
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, 3.0, 10.0, 0.0, 1e3, 0.0)
    simulation = ball(across, bound, drives=(drive,))
    (group,) = simulation.groups
    for _ in range(3):
        simulation.step(1.0 / 60.0)
    (torque,) = simulation.joint_report().torque
    assert group.state.side.any()
    assert np.linalg.norm(torque) == pytest.approx(3.0 / np.sqrt(1.0 - across**2), rel=1e-6)
    assert np.abs(simulation.angular_velocities).max() < 1e-9


@pytest.mark.parametrize("number", [60, 141, 206, 291, 584, 1224])
def test_what_swings_over_a_pole_keeps_its_bounds(number: int) -> None:
    """These passed bounds by up to 0.15 rad, or lost a hundredth of their angular momentum."""
    assert trouble(case("edge", number), Record(), number) == ""
