# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives and soft limits against what is known in closed form."""

from __future__ import annotations

from dataclasses import replace
from math import exp, inf, pi, sqrt

import numpy as np
import pytest
from solver.building import Builder, slider_with

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Options, Simulation

solve_ivp = pytest.importorskip(
    "scipy.integrate", reason="scipy, which the truths need, is not in this Python"
).solve_ivp

WEIGHTLESS = Options(gravity=(0.0, 0.0, 0.0))


def sprung(stiffness: float, damping: float, **rest: object) -> JointSettings:
    """Return a slider along X with a drive."""
    drive = Drive(
        Freedom.LINEAR,
        DriveMode.FORCE,
        0,
        position_target=0.0,
        velocity_target=0.0,
        stiffness=stiffness,
        damping=damping,
    )
    slider = recipes.slider(0)
    return replace(slider, drives=(replace(drive, **rest),))  # type: ignore[arg-type]


def oscillation(omega: float, zeta: float, start: float, time: float) -> float:
    """Return a damped oscillation that starts at rest."""
    if zeta >= 1.0:
        root = omega * sqrt(max(zeta * zeta - 1.0, 1e-12))
        a, b = -zeta * omega + root, -zeta * omega - root
        return start * (a * exp(b * time) - b * exp(a * time)) / (a - b)
    fast = omega * sqrt(1.0 - zeta * zeta)
    wave = np.cos(fast * time) + zeta * omega / fast * np.sin(fast * time)
    return float(start * exp(-zeta * omega * time) * wave)


@pytest.mark.long
@pytest.mark.parametrize("zeta", [0.0, 0.05, 0.3, 1.0, 2.0])
@pytest.mark.parametrize("phase", [0.02, 0.1, 0.25])
def test_sprung_slider_follows_the_closed_form(zeta: float, phase: float) -> None:
    """A sprung and damped slider is right to 1e-3 of its amplitude in every frame of 2 s."""
    omega = phase * 60.0
    settings = sprung(omega * omega, 2.0 * zeta * omega, position_target=1.0)
    simulation = Simulation(slider_with(settings), WEIGHTLESS)
    worst = 0.0
    for frame in range(1, 121):
        simulation.step(1.0 / 60.0)
        truth = 1.0 + oscillation(omega, zeta, -1.0, frame / 60.0)
        worst = max(worst, abs(simulation.positions[1, 0] - truth))
    assert worst <= 1e-3


@pytest.mark.long
@pytest.mark.parametrize(
    ("stiffness", "damping"),
    [*((k, c) for k in (1e7, 1e9) for c in (0.0, 10.0, 1e4)), (1e5, 10.0), (1e5, 1e4)],
)
def test_stiff_spring_comes_to_rest_without_ringing(stiffness: float, damping: float) -> None:
    """A spring too stiff for the frame rate settles where its weight wants it, and stays."""
    settings = sprung(stiffness, damping, position_target=0.5)
    simulation = Simulation(slider_with(settings), Options(gravity=(-9.81, 0.0, 0.0)))
    for _ in range(120):
        report = simulation.step(1.0 / 60.0)
        assert report.converged
    rest = 0.5 - 9.81 / stiffness
    tail = []
    for _ in range(20):
        simulation.step(1.0 / 60.0)
        tail.append(simulation.positions[1, 0])
    assert np.abs(np.array(tail) - rest).max() <= 1e-3 * 0.5


@pytest.mark.long
@pytest.mark.parametrize("rate", [0.02, 0.1, 0.25])
def test_motor_reaches_its_speed_exponentially(rate: float) -> None:
    """A velocity drive approaches its target as 1 - exp(-c t / m)."""
    c = rate * 60.0
    settings = sprung(0.0, c, position_target=None, velocity_target=2.0)
    simulation = Simulation(slider_with(settings), WEIGHTLESS)
    for frame in range(1, 121):
        simulation.step(1.0 / 60.0)
        truth = 2.0 * (1.0 - exp(-c * frame / 60.0))
        assert simulation.linear_velocities[1, 0] == pytest.approx(truth, abs=2e-3)


@pytest.mark.long
def test_motor_never_exceeds_its_force() -> None:
    """With maxForce a motor speeds up steadily, at that force over the mass, then holds."""
    settings = sprung(0.0, 50.0, position_target=None, velocity_target=2.0, max_force=3.0)
    simulation = Simulation(slider_with(settings, mass=2.0), WEIGHTLESS)
    before = 0.0
    for frame in range(1, 121):
        simulation.step(1.0 / 60.0)
        speed = float(simulation.linear_velocities[1, 0])
        assert (speed - before) * 60.0 * 2.0 <= 3.0 + 1e-9
        before = speed
        if frame / 60.0 < 1.2:
            assert speed == pytest.approx(1.5 * frame / 60.0, abs=1e-9)
    assert before == pytest.approx(2.0, abs=1e-3)


@pytest.mark.long
@pytest.mark.parametrize(
    ("stiffness", "damping"), [(4000.0, 126.0), (4000.0, 20.0), (1e6, 2000.0), (0.0, 1e4)]
)
def test_stiff_drive_pulls_with_its_largest_force(stiffness: float, damping: float) -> None:
    """A drive far from its target is steady at maxForce, however stiff, and turns round in time."""
    goal = {"position_target": 1.0, "velocity_target": 0.0}
    if stiffness == 0.0:
        goal = {"position_target": None, "velocity_target": 2.0}
    settings = sprung(stiffness, damping, max_force=10.0, **goal)
    simulation = Simulation(slider_with(settings), WEIGHTLESS)
    place = speed = 0.0
    tiny = 1.0 / 60.0 / 500.0
    for _ in range(60):
        simulation.step(1.0 / 60.0)
        for _ in range(500):
            wanted = stiffness * (1.0 - place) + damping * (goal["velocity_target"] - speed)
            speed += tiny * max(-10.0, min(10.0, wanted))
            place += tiny * speed
        assert simulation.positions[1, 0] == pytest.approx(place, abs=2e-2)
    assert place > 0.1


@pytest.mark.long
@pytest.mark.parametrize("rate", [60.0, 240.0])
@pytest.mark.parametrize("damping", [1e3, 1e5, 1e8, inf])
@pytest.mark.parametrize("max_force", [12.0, 100.0])
def test_strong_motor_turns_however_stiff(damping: float, max_force: float, rate: float) -> None:
    """A motor that reaches its speed within a substep turns at it, and does not stand still."""
    made = Builder()
    arm = made.body((0.3, 0.1, 0.0), mass=2.0, inertia_diagonal=(0.1, 0.1, 0.1))
    motor = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, max_force, None, -0.5, 0.0, damping)
    made.joint(made.ground(), arm, replace(recipes.hinge(2), drives=(motor,)))
    simulation = Simulation(made.mechanism(), Options())
    for _ in range(int(rate / 2)):
        assert simulation.step(1.0 / rate).converged
    angle = simulation.all_coordinates()[0, 5]
    assert angle == pytest.approx(-0.25, abs=4e-3)


@pytest.mark.long
def test_spring_with_little_force_is_right() -> None:
    """A spring whose force is clamped follows the same law as a fine integration of it."""
    settings = sprung(100.0, 3.0, position_target=1.0, max_force=6.0)
    simulation = Simulation(slider_with(settings), WEIGHTLESS)

    def law(_: float, y: list[float]) -> list[float]:
        return [y[1], float(np.clip(100.0 * (1.0 - y[0]) - 3.0 * y[1], -6.0, 6.0))]

    truth = solve_ivp(
        law,
        (0.0, 3.0),
        [0.0, 0.0],
        rtol=1e-9,
        atol=1e-10,
        max_step=0.01,
        t_eval=np.arange(1, 181) / 60.0,
    ).y[0]
    for value in truth:
        simulation.step(1.0 / 60.0)
        assert simulation.positions[1, 0] == pytest.approx(value, abs=1e-3)


@pytest.mark.long
@pytest.mark.parametrize("other", [1.0, 7.0, inf])
def test_acceleration_mode_ignores_masses(other: float) -> None:
    """In acceleration mode two bodies swing at the same rate whatever they weigh."""
    made = Builder()
    a = made.body(mass=other, kind=MotionType.DYNAMIC)
    b = made.body(mass=3.0)
    drive = Drive(
        Freedom.LINEAR,
        DriveMode.ACCELERATION,
        0,
        position_target=1.0,
        velocity_target=0.0,
        stiffness=36.0,
        damping=1.2,
    )
    made.joint(a, b, replace(recipes.slider(0), drives=(drive,)))
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    for frame in range(1, 181):
        simulation.step(1.0 / 60.0)
        truth = 1.0 + oscillation(6.0, 0.1, -1.0, frame / 60.0)
        places = simulation.positions[:, 0]
        assert places[1] - places[0] == pytest.approx(truth, abs=1e-3)


@pytest.mark.parametrize(("mode", "mass"), [(DriveMode.FORCE, 1.0), (DriveMode.ACCELERATION, 4.0)])
def test_a_spring_holds_no_more_than_its_force_does(mode: DriveMode, mass: float) -> None:
    """Energy stays while a spring is clamped and after: beyond its reach it is force times way."""
    stiffness = 100.0 / mass  # N/m, or as much for each kg that it accelerates
    settings = sprung(stiffness, 0.0, position_target=1.0, max_force=6.0, mode=mode)
    simulation = Simulation(slider_with(settings, mass=mass), WEIGHTLESS)
    start = simulation.energy().total
    assert start == pytest.approx(0.5 * 100.0 * 0.06**2 + 6.0 * 0.94)
    for _ in range(120):
        simulation.step(1.0 / 60.0)
        assert simulation.energy().total == pytest.approx(start, rel=1e-5)


@pytest.mark.long
def test_acceleration_mode_of_a_door_counts_its_arm() -> None:
    """The inertia of a driven hinge is the body's own plus mass times arm squared."""
    made = Builder()
    ground = made.ground()
    door = made.body((0.5, 0.0, 0.0), mass=4.0, inertia_diagonal=(0.1, 0.2, 0.3))
    drive = Drive(
        Freedom.ANGULAR,
        DriveMode.ACCELERATION,
        1,
        position_target=1.0,
        velocity_target=0.0,
        stiffness=25.0,
        damping=1.0,
    )
    joint = made.joint(ground, door, replace(recipes.hinge(1), drives=(drive,)))
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    for frame in range(1, 121):
        simulation.step(1.0 / 60.0)
        truth = 1.0 + oscillation(5.0, 0.1, -1.0, frame / 60.0)
        assert simulation.coordinates(joint)[4] == pytest.approx(truth, abs=1e-3)


@pytest.mark.long
@pytest.mark.parametrize(("fps", "frequency"), [(24.0, 8.0), (60.0, 20.0), (60.0, 50.0)])
def test_a_fast_spring_goes_on_swinging(fps: float, frequency: float) -> None:
    """A mass on an undamped spring of three frames a period keeps its energy."""
    stiffness = (2.0 * pi * frequency) ** 2
    drive = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, stiffness=stiffness, position_target=0.01)
    settings = replace(recipes.slider(0), drives=(drive,))
    simulation = Simulation(slider_with(settings), WEIGHTLESS)
    start = simulation.energy().total
    for _ in range(int(2.0 * fps)):
        simulation.step(1.0 / fps)
        assert simulation.energy().total == pytest.approx(start, rel=2e-2)


def test_soft_limit_bounces_as_its_spring_says() -> None:
    """A body that flies into a soft, undamped stop turns after half a period of the spring."""
    omega = 12.0
    limit = Limit(linear_axes=(0,), max=0.5, stiffness=omega * omega)
    slider = recipes.slider(0)
    settings = replace(slider, limits=(*slider.limits, limit))
    simulation = Simulation(slider_with(settings, linear_velocity=(1.0, 0.0, 0.0)), WEIGHTLESS)
    for frame in range(1, 91):
        simulation.step(1.0 / 60.0)
        time = frame / 60.0 - 0.5
        inside = 0.0 <= time <= pi / omega
        truth = 0.5 + (np.sin(omega * time) / omega if inside else time)
        truth = 0.5 - (time - pi / omega) if time > pi / omega else truth
        assert simulation.positions[1, 0] == pytest.approx(truth, abs=1e-3)


def test_body_at_rest_on_a_soft_limit_bounces_without_help() -> None:
    """Where all energy is stored at the end of a bounce, the step is not taken for an explosion."""
    limit = Limit(linear_axes=(0,), max=0.0, stiffness=100.0)
    slider = recipes.slider(0)
    settings = replace(slider, limits=(*slider.limits, limit))
    simulation = Simulation(slider_with(settings), Options(gravity=(5.0, 0.0, 0.0)))
    for frame in range(1, 121):
        assert simulation.step(1.0 / 60.0).retries == 0
        truth = 0.05 * (1.0 - np.cos(10.0 * frame / 60.0))
        assert simulation.positions[1, 0] == pytest.approx(truth, abs=1e-4)


def test_soft_limit_never_pulls() -> None:
    """A heavily damped one-sided limit does not hold back what leaves it."""
    limit = Limit(linear_axes=(0,), max=0.0, stiffness=100.0, damping=1e4)
    slider = recipes.slider(0)
    settings = replace(slider, limits=(*slider.limits, limit))
    mechanism = slider_with(settings, linear_velocity=(-1.0, 0.0, 0.0))
    simulation = Simulation(mechanism, WEIGHTLESS)
    for _ in range(30):
        simulation.step(1.0 / 60.0)
    assert simulation.positions[1, 0] == pytest.approx(-0.5, abs=1e-6)


def test_soft_limit_does_not_hold_back_what_leaves_it() -> None:
    """Inside of a soft limit too, a damper stronger than the spring does not pull outward."""
    limit = Limit(linear_axes=(0,), max=-0.3, stiffness=1.0, damping=100.0)
    slider = recipes.slider(0)
    settings = replace(slider, limits=(*slider.limits, limit))
    mechanism = slider_with(settings, linear_velocity=(-1.0, 0.0, 0.0))
    simulation = Simulation(mechanism, WEIGHTLESS)
    for _ in range(30):
        simulation.step(1.0 / 60.0)
        assert simulation.linear_velocities[1, 0] == pytest.approx(-1.0, abs=1e-6)
    assert simulation.positions[1, 0] == pytest.approx(-0.5, abs=1e-6)


def force_at(settings: JointSettings, value: float, rate: float) -> float:
    """Return the force along X on 1 kg that is there, and that fast, by how it speeds up."""
    made = Builder()
    body = made.body((value, 0.0, 0.0), linear_velocity=(rate, 0.0, 0.0))
    made.joint(made.ground(), body, settings, connected_place=(value, 0.0, 0.0))
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    simulation.step(1e-6)
    return float(simulation.linear_velocities[0, 0] - rate) / 1e-6


@pytest.mark.parametrize(
    ("value", "rate", "force"),
    [
        (0.7, 0.0, -2.0),  # 0.2 beyond its maximum, at rest: the spring alone
        (0.7, 1.0, -5.0),  # going further: spring and damper
        (0.7, -0.5, -0.5),  # coming back slowly: the spring less the damper
        (0.7, -1.0, 0.0),  # coming back faster than the spring pushes: nothing
        (0.4999, 9.0, 0.0),  # before the bound
        (0.2, 9.0, 0.0),  # inside
        (-0.3, 0.0, 2.0),  # 0.2 beyond its minimum
        (-0.3, -1.0, 5.0),
        (-0.3, 0.5, 0.5),
        (-0.3, 1.0, 0.0),
    ],
)
def test_law_of_a_soft_limit(value: float, rate: float, force: float) -> None:
    """Spring and damper push back what is beyond a bound, and together they never pull."""
    limit = Limit(linear_axes=(0,), min=-0.1, max=0.5, stiffness=10.0, damping=3.0)
    slider = recipes.slider(0)
    settings = replace(slider, limits=(*slider.limits, limit))
    assert force_at(settings, value, rate) == pytest.approx(force, abs=1e-4)


def test_law_of_a_drive() -> None:
    """A drive without targets pulls to zero and to rest, with no more than its largest force."""
    plain = sprung(10.0, 3.0)
    aimed = sprung(10.0, 3.0, position_target=0.5, velocity_target=1.0, max_force=4.0)
    for value, rate, forces in ((0.2, 0.1, (-2.3, 4.0)), (0.6, 0.9, (-8.7, -0.7))):
        for settings, force in zip((plain, aimed), forces, strict=True):
            assert force_at(settings, value, rate) == pytest.approx(force, abs=1e-4)


@pytest.mark.long
def test_soft_limits_on_one_axis_add_up() -> None:
    """Two springs on the same axis are as stiff as both together."""
    springs = tuple(
        Limit(linear_axes=(0,), min=0.0, max=0.0, stiffness=k, damping=4.0) for k in (30.0, 70.0)
    )
    slider = recipes.slider(0)
    settings = replace(slider, limits=(*slider.limits, *springs))
    simulation = Simulation(slider_with(settings), Options(gravity=(5.0, 0.0, 0.0)))
    for _ in range(260):
        simulation.step(1.0 / 60.0)
    assert simulation.positions[1, 0] == pytest.approx(0.05, abs=1e-6)


@pytest.mark.long
def test_drive_rests_on_a_bound() -> None:
    """A target beyond a rigid bound is held at the bound, to 1e-6."""
    drive = Drive(
        Freedom.LINEAR,
        DriveMode.FORCE,
        0,
        position_target=5.0,
        velocity_target=0.0,
        stiffness=1000.0,
        damping=10.0,
    )
    settings = replace(recipes.slider(0, -0.2, 0.3), drives=(drive,))
    simulation = Simulation(slider_with(settings), WEIGHTLESS)
    for _ in range(120):
        simulation.step(1.0 / 60.0)
        assert simulation.positions[1, 0] <= 0.3 + 1e-6
    assert simulation.positions[1, 0] == pytest.approx(0.3, abs=1e-6)


@pytest.mark.parametrize(("stiffness", "fps", "replaced"), [(1e4, 60.0, False), (1e7, 24.0, True)])
def test_what_is_too_stiff_for_a_frame_is_named_and_holds_no_energy(
    stiffness: float, fps: float, *, replaced: bool
) -> None:
    """A soft stop that is met at 2 m/s: followed or replaced, energy never rises."""
    stop = Limit(linear_axes=(0,), max=0.3, stiffness=stiffness)
    settings = replace(recipes.slider(0), limits=(*recipes.slider(0).limits, stop))
    simulation = Simulation(slider_with(settings, linear_velocity=(2.0, 0.0, 0.0)), WEIGHTLESS)
    first, named = simulation.energy().total, set()
    for _ in range(round(fps)):
        report = simulation.step(1.0 / fps)
        named |= {node for one in report.not_followed for node in one.unfollowed}
        assert simulation.energy().total <= first * (1.0 + 1e-6)
    assert named == (set(simulation.joint_nodes) if replaced else set())
