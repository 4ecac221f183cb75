# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain hinges, on whose axis nothing acts, say all their turns."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin

import numpy as np
import pytest

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.joint import JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import KinematicMotion, Options, Simulation
from omi_physics_joint.solver.textbook.stepper import TEXTBOOK
from tests.solver.building import Builder

about_each_axis = pytest.mark.parametrize("axis", [0, 1, 2])
WEIGHTLESS = Options(gravity=(0.0, 0.0, 0.0))
SPIN = 30.0
"""rad/s."""


def wheel(
    axis: int = 2, spin: float = SPIN, settings: JointSettings | None = None
) -> tuple[Mechanism, int]:
    """Return a wheel that turns about a hinge to the ground, and the node of the hinge."""
    made = Builder()
    ground = made.ground()
    velocity = [0.0, 0.0, 0.0]
    velocity[axis] = spin
    body = made.body(angular_velocity=tuple(velocity))
    hinge = made.joint(ground, body, settings or recipes.hinge(axis))
    return made.mechanism(), hinge


def turned(simulation: Simulation, hinge: int, fps: float, seconds: float, axis: int = 2) -> float:
    """Step and return the angle at the end, rad."""
    for _ in range(round(seconds * fps)):
        simulation.step(1.0 / fps)
    angle = simulation.coordinates(hinge)[3 + axis]
    row = simulation.joint_nodes.index(hinge)
    assert simulation.all_coordinates()[row, 3 + axis] == angle
    return float(angle)


@pytest.mark.parametrize("fps", [24.0, 60.0])
@about_each_axis
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_free_wheel_says_all_its_turns(fps: float, axis: int, way: float) -> None:
    """30 rad/s for 10 s are 300 rad, whatever the axis, the way and the frames."""
    mechanism, hinge = wheel(axis, way * SPIN)
    simulation = Simulation(mechanism, WEIGHTLESS)
    assert turned(simulation, hinge, fps, 10.0, axis) == pytest.approx(way * 300.0, abs=1e-6)


@pytest.mark.long
@pytest.mark.parametrize("asked", [False, True])
def test_a_slow_wheel_says_all_its_turns(asked: bool) -> None:
    """1 rad/s for 20 s are 20 rad, whether anybody asks or makes a checkpoint on the way or not."""
    mechanism, hinge = wheel(spin=-1.0)
    simulation = Simulation(mechanism, WEIGHTLESS)
    for frame in range(1, 1200):
        simulation.step(1.0 / 60.0)
        if asked:
            assert simulation.coordinates(hinge)[5] == pytest.approx(-frame / 60.0, abs=1e-6)
            simulation.restore(simulation.checkpoint())
    assert turned(simulation, hinge, 60.0, 1.0 / 60.0) == pytest.approx(-20.0, abs=1e-6)


@about_each_axis
def test_a_wheel_that_turns_several_times_a_frame(axis: int) -> None:
    """600 rad/s are four turns in a frame at 24 fps, and counted."""
    mechanism, hinge = wheel(axis, 600.0)
    simulation = Simulation(mechanism, WEIGHTLESS)
    assert turned(simulation, hinge, 24.0, 1.0, axis) == pytest.approx(600.0, abs=1e-6)


@about_each_axis
def test_a_hinge_that_is_held_softly_counts_too(axis: int) -> None:
    """Axes that are held by springs leave one axis to turn about as rigid ones do."""
    place = Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0)
    held = tuple(other for other in range(3) if other != axis)
    lean = Limit(angular_axes=held, min=0.0, max=0.0, stiffness=1e3, damping=10.0)
    mechanism, hinge = wheel(axis, settings=JointSettings("Soft hinge", (place, lean)))
    simulation = Simulation(mechanism, WEIGHTLESS)
    assert turned(simulation, hinge, 24.0, 10.0, axis) == pytest.approx(300.0, abs=1e-6)


@about_each_axis
def test_a_moment_has_its_turns(axis: int) -> None:
    """Going back to a moment goes back to the turns it had, and what follows is the same."""
    mechanism, hinge = wheel(axis)
    simulation = Simulation(mechanism, WEIGHTLESS)
    half = turned(simulation, hinge, 24.0, 5.0, axis)
    moment = simulation.checkpoint()
    end = turned(simulation, hinge, 24.0, 5.0, axis)
    simulation.restore(moment)
    assert simulation.coordinates(hinge)[3 + axis] == half == pytest.approx(150.0, abs=1e-6)
    assert turned(simulation, hinge, 24.0, 5.0, axis) == end == pytest.approx(300.0, abs=1e-6)


@about_each_axis
def test_other_joints_leave_the_turns(axis: int) -> None:
    """Whoever adds and takes away joints on the way leaves wheels the turns that they have made."""
    mechanism, hinge = wheel(axis)
    simulation = Simulation(mechanism, WEIGHTLESS)
    turned(simulation, hinge, 24.0, 4.0, axis)
    made = Builder()
    made.nodes, made.settings = list(mechanism.nodes), list(mechanism.settings)
    made.joint(0, 1, recipes.hinge(axis))
    simulation.rejoin(made.mechanism())
    assert simulation.coordinates(hinge)[3 + axis] == pytest.approx(120.0, abs=1e-6)
    assert turned(simulation, hinge, 24.0, 2.0, axis) == pytest.approx(180.0, abs=1e-6)
    # A bound far away gives the angle a row, which goes on counting; without it the wheel does.
    far = replace(mechanism, settings=(recipes.hinge(axis, high=1e4),))
    for other in (far, mechanism):
        simulation.rejoin(other)
        turned(simulation, hinge, 24.0, 2.0, axis)
    assert simulation.coordinates(hinge)[3 + axis] == pytest.approx(300.0, abs=1e-6)


def test_a_wheel_on_what_moves_by_itself() -> None:
    """A wheel is measured from its fork, also where that turns by an animation."""
    made = Builder()
    fork = made.body(kind=MotionType.KINEMATIC)
    body = made.body(angular_velocity=(0.0, 0.0, SPIN))
    hinge = made.joint(fork, body, recipes.hinge(2))
    times = np.arange(241) / 24.0
    half = -0.5 * 50.0 * times
    turns = np.stack([0.0 * half, 0.0 * half, np.sin(half), np.cos(half)], -1)
    motion = KinematicMotion(times, np.zeros((241, 3)), turns)
    simulation = Simulation(made.mechanism(), WEIGHTLESS, motions={fork: motion})
    assert turned(simulation, hinge, 24.0, 10.0) == pytest.approx(800.0, abs=1e-5)


@pytest.mark.parametrize("by_textbook", [True, False])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize(
    ("low", "high", "at"), [(190.0, 300.0, 250.0), (-300.0, -190.0, -250.0), (-20.0, 20.0, 5.0)]
)
def test_each_hinge_begins_on_the_turn_of_its_range(
    axis: int, low: float, high: float, at: float, by_textbook: bool
) -> None:
    """Beyond half a turn either way each of a chain is within its bounds, rigid or soft."""
    made = Builder()
    before = made.ground()
    sine = sin(radians(at) / 2.0)
    x, y, z = (sine if one == axis else 0.0 for one in range(3))
    rigid = recipes.hinge(axis, radians(low), radians(high))
    bound = replace(rigid.limits[-1], stiffness=50.0)
    hinges = []
    for settings in (rigid, *[replace(rigid, limits=(*rigid.limits[:-1], bound))] * 2):
        body = made.body()
        turned = (x, y, z, cos(radians(at) / 2.0))
        hinges.append(made.joint(before, body, settings, connected_rotation=turned))
        before = body
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    if by_textbook:
        for group in simulation.groups:
            TEXTBOOK.stepper(group.system, group.state).begin(continued=False)
    for _ in range(2):
        values = [simulation.coordinates(hinge)[3 + axis] for hinge in hinges]
        assert values == pytest.approx([radians(at)] * 3, abs=1e-9)
        simulation.step(1.0 / 60.0)
