# SPDX-License-Identifier: GPL-3.0-or-later
"""What steps there are, and what they leave behind."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from solver.building import Builder, chain, slider_with

from omi_physics_joint.model.articulation.trees import articulations_of
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import KinematicMotion, Options, Simulation
from omi_physics_joint.solver.textbook.stepper import TEXTBOOK

FRAME = 1.0 / 60.0
WEIGHTLESS = Options(gravity=(0.0, 0.0, 0.0))


def sprung(stiffness: float, damping: float = 0.0) -> Mechanism:
    """Return a body of 1 kg on a slider that a spring draws to 1 m."""
    spring = Drive(
        Freedom.LINEAR,
        DriveMode.FORCE,
        0,
        position_target=1.0,
        stiffness=stiffness,
        damping=damping,
    )
    return slider_with(replace(recipes.slider(0), drives=(spring,)))


def test_what_is_held_needs_no_finer_steps() -> None:
    """A weld that bears a weight aside makes nothing swing, so that one step will do."""
    made = Builder()
    body = made.body((0.0, 0.0, 2.0), mass=10.0)
    made.joint(made.ground(), body, recipes.weld())
    simulation = Simulation(made.mechanism(), Options(gravity=(0.0, -10.0, 0.0)))
    simulation.step(FRAME)
    report = simulation.step(FRAME)
    assert simulation.joint_report().torque[0] == pytest.approx([-200.0, 0.0, 0.0], abs=1e-4)
    assert (report.steps, report.retries) == (1, 0)


def test_what_contradicts_itself_goes_on_in_steps_as_short_as_asked() -> None:
    """Where there is no kernel too: the rest of a frame is not one coarse step."""
    made = Builder()
    ground, body = made.ground(), made.body((0.5, 0.0, 0.0))
    for place in ((0.0, 0.0, 0.0), (0.0, 0.3, 0.0)):
        made.joint(ground, body, recipes.pin(), place, connected_place=(-0.5, 0.0, 0.0))
    (group,) = Simulation(made.mechanism(), Options(gravity=(0.0, -10.0, 0.0))).groups
    stepper = TEXTBOOK.stepper(group.system, group.state)
    (went,) = stepper.step(FRAME, FRAME / 5.0, 1e-6).reports
    assert went["steps"] >= 5
    assert went["first_order"] > 1


def test_joints_are_met_to_a_micrometre() -> None:
    """A weld between two hands that part: each of its ends is off by half of the way."""
    made = Builder()
    speeds = (0.0, 0.0, 0.0), (0.0, 6e-6, 0.0)
    load = made.body((20.0, 0.0, 0.0))
    for x, speed in zip((19.5, 20.5), speeds, strict=True):
        hand = made.body((x, 0.0, 0.0), kind=MotionType.KINEMATIC, linear_velocity=speed)
        made.joint(hand, load, recipes.weld(), (20.0, 0.0, 0.0))
    simulation = Simulation(made.mechanism())
    met = [simulation.step(FRAME).converged for _ in range(60)]
    assert [all(met[:10]), any(met[30:])] == [True, False]


@pytest.mark.parametrize("damping", [1e7, inf])
def test_an_endless_motor_misses_its_speed_by_little(damping: float) -> None:
    """By a ten thousandth at its largest force; here it bears half of that."""
    motor = Drive(Freedom.LINEAR, DriveMode.FORCE, 1, 100.0, None, 0.5, 0.0, damping)
    lifted = slider_with(replace(recipes.slider(1), drives=(motor,)))
    simulation = Simulation(lifted, Options(gravity=(0.0, -50.0, 0.0)))
    for _ in range(30):
        simulation.step(1.0 / 60.0)
    assert simulation.linear_velocities[1, 1] == pytest.approx(0.5 - 0.5e-4, abs=1e-5)


def test_what_is_muted_holds_nothing() -> None:
    """A weld that is switched off lets its body fall, and nobody notices it otherwise."""
    made = Builder()
    body = made.body((0.0, 0.0, 2.0), mass=10.0)
    made.joint(made.ground(), body, recipes.weld())
    mechanism = made.mechanism()
    nodes = tuple(
        node if node.joint is None else replace(node, joint=replace(node.joint, enabled=False))
        for node in mechanism.nodes
    )
    simulation = Simulation(replace(mechanism, nodes=nodes), Options(gravity=(0.0, -10.0, 0.0)))
    for _ in range(60):
        simulation.step(FRAME)
    assert simulation.positions[0] == pytest.approx([0.0, -5.0, 2.0], abs=0.1)
    assert not articulations_of(replace(mechanism, nodes=nodes))


@pytest.mark.parametrize("stiffness", [1e7, 1e9])
def test_a_spring_too_stiff_to_be_followed_takes_few_steps(stiffness: float) -> None:
    """It is solved for in the same steps that all else is done by."""
    simulation = Simulation(sprung(stiffness), WEIGHTLESS)
    for _ in range(10):
        report = simulation.step(FRAME)
        assert (len(report.first_order), report.converged) == (0, True)
        assert report.steps + report.retries <= 10


def test_a_damped_spring_too_stiff_to_be_followed_is_soon_there() -> None:
    """Its law looks half a step ahead: far more would be slow to see, far less many steps."""
    simulation = Simulation(sprung(1e8, 1e5), WEIGHTLESS)
    reports = [simulation.step(FRAME) for _ in range(5)]
    assert np.abs(simulation.positions).max() == pytest.approx(1.0, abs=1e-2)
    assert sum(report.steps + report.retries for report in reports) <= 50


def test_a_spring_is_followed_in_few_steps() -> None:
    """Some twenty steps an oscillation, and it is where its equation says to 1e-6 of its way."""
    simulation = Simulation(sprung(400.0), WEIGHTLESS)
    start, steps = simulation.positions.copy(), 0
    for frame in range(1, 31):
        report = simulation.step(1.0 / 30.0)
        steps += report.steps + report.retries
        way = np.abs(simulation.positions - start).max()
        assert way == pytest.approx(1.0 - np.cos(20.0 * frame / 30.0), abs=2e-6)
    assert steps <= 90


def test_a_step_far_too_long_is_soon_given_up() -> None:
    """What cannot be followed in 20 s at once takes no hundreds of tries."""
    report = Simulation(chain(3)).step(20.0)
    assert report.steps + report.retries <= 100


@pytest.mark.parametrize("accuracy", [1e-2, 1e-3, 1e-4])
def test_coarse_steps_contradict_nothing(accuracy: float) -> None:
    """Rows are met far better than a coarse step may be off, so that none is given up for it."""
    simulation = Simulation(chain(1), Options(accuracy=accuracy))
    for _ in range(60):
        report = simulation.step(FRAME)
        assert (report.first_order, report.converged) == ([], True)
        assert simulation.joint_report().separation.max() < 1e-7


def test_a_tree_goes_on_after_it_was_relaxed() -> None:
    """A step of first order in between leaves others nothing to stumble over."""
    simulation = Simulation(chain(3))
    for _ in range(3):
        assert not simulation.step(FRAME).first_order
    assert simulation.relax(FRAME).converged
    assert not simulation.step(FRAME).first_order
    assert np.isfinite(simulation.positions).all()


def test_nothing_was_borne_before_the_first_step() -> None:
    """A report on joints that have not moved yet has no force and no torque in it."""
    report = Simulation(chain(2)).joint_report()
    assert (report.force == 0.0).all()
    assert (report.torque == 0.0).all()


def test_a_hinge_says_how_often_it_has_turned() -> None:
    """Its angle goes on beyond a full turn, and a checkpoint remembers the turns."""
    mechanism = slider_with(recipes.hinge(1, high=1e3), angular_velocity=(0.0, 20.0, 0.0))
    simulation = Simulation(mechanism, WEIGHTLESS)
    for frame in range(1, 61):
        simulation.step(FRAME)
        assert simulation.coordinates(2)[4] == pytest.approx(20.0 * frame / 60.0, abs=1e-6)
    kept = simulation.checkpoint()
    simulation.step(FRAME)
    simulation.restore(kept)
    simulation.step(FRAME)
    assert simulation.coordinates(2)[4] == pytest.approx(20.0 * 61.0 / 60.0, abs=1e-6)


@pytest.mark.parametrize("part", [0.1, 0.4, 0.7])
def test_what_is_too_stiff_at_any_time_of_a_frame_is_named(part: float) -> None:
    """A stop that is met early in it is left again before its end."""
    stop = Limit(linear_axes=(0,), max=2.0 * part / 24.0, stiffness=1e7)
    settings = replace(recipes.slider(0), limits=(*recipes.slider(0).limits, stop))
    simulation = Simulation(slider_with(settings, linear_velocity=(2.0, 0.0, 0.0)), WEIGHTLESS)
    (island,) = simulation.step(1.0 / 24.0).not_followed
    assert island.unfollowed == tuple(simulation.joint_nodes)


@pytest.mark.parametrize("part", [0.05, 0.5, 0.95])
def test_what_is_too_stiff_for_a_part_of_a_frame_is_named(part: float) -> None:
    """Where the hand that leads it turns round within the frame each part is a step."""
    made = Builder()
    hand = made.body(kind=MotionType.KINEMATIC)
    pull = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, position_target=0.0, stiffness=1.44e6)
    settings = replace(recipes.slider(0), drives=(pull,))
    joint = made.joint(hand, made.body(linear_velocity=(1.0, 0.0, 0.0)), settings)
    times, turns = np.array((0.0, part / 24.0, 1.0)), np.array([(0.0, 0.0, 0.0, 1.0)] * 3)
    motion = KinematicMotion(
        times, np.array([(0.0, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0,) * 3]), turns
    )
    simulation = Simulation(made.mechanism(), WEIGHTLESS, motions={hand: motion})
    (island,) = simulation.step(1.0 / 24.0).not_followed
    assert island.unfollowed == (joint,)


@pytest.mark.parametrize("count", [3, 8, 16])
def test_a_blow_goes_through_a_whole_train_at_once(count: int) -> None:
    """Wagons that touch without bearing: however many bounds it hits in turn, it is one blow."""
    made = Builder()
    ground, before = made.ground(), made.body(linear_velocity=(float(count), 0.0, 0.0))
    made.joint(ground, before, recipes.slider(0))
    for number in range(1, count):
        place, wagon = (0.2 * number, 0.0, 0.0), made.body((0.2 * number, 0.0, 0.0))
        apart = (0.2 * number + 1e-10, 0.0, 0.0)
        made.joint(before, wagon, recipes.slider(0, 0.0, 1.0), place, connected_place=apart)
        before = wagon
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    report = simulation.step(FRAME)
    assert simulation.linear_velocities[1:, 0] == pytest.approx(np.ones(count), abs=1e-12)
    assert (report.steps, report.retries) == (1, 0)


@pytest.mark.parametrize(
    ("start", "speed", "most", "replaced"),
    [(8.0, 0.0, 1.0, False), (2.0, 2.0, inf, False), (0.0, 2.0, inf, True)],
    ids=["a brake that slips", "a motor at its speed", "a motor that starts"],
)
def test_a_stiff_drive_that_does_just_what_is_asked_is_not_replaced(
    start: float, speed: float, most: float, *, replaced: bool
) -> None:
    """Friction is a damper that is as stiff as can be, with a largest force: it is exact."""
    drive = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, most, velocity_target=speed, damping=1e6)
    settings = replace(recipes.slider(0), drives=(drive,))
    simulation = Simulation(slider_with(settings, linear_velocity=(start, 0.0, 0.0)), WEIGHTLESS)
    reports = [simulation.step(1.0 / 24.0) for _ in range(24)]
    assert any(report.not_followed for report in reports) is replaced


def test_what_is_stopped_begins_as_what_never_moved() -> None:
    """Of short steps that a whipping chain took nothing is left: what stands takes one."""
    simulation = Simulation(chain(3, 0.01, 0.01), Options())
    for _ in range(2):
        assert simulation.step(0.1).steps > 20
    simulation.set_gravity((0.0, 0.0, 0.0))
    simulation.stop()
    assert simulation.step(0.1).steps == 1
