# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds on several axes together hold exactly: ropes, struts, cones, whole angles."""

from __future__ import annotations

from math import cos, inf, pi, sin, sqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from solver.building import Builder
from solver.test_coordinates import soft_pair
from solver.test_textbook import NEARLY, along

from omi_physics_joint.model.geometry.transform import linear_part, quaternion_from_rotation
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.together import together_in
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver import simulation as simulations
from omi_physics_joint.solver.engines.compiled import engine
from omi_physics_joint.solver.engines.kernel import load
from omi_physics_joint.solver.kinematics.island_rows import jacobian_of
from omi_physics_joint.solver.kinematics.rotation import matrix_of
from omi_physics_joint.solver.textbook.stepper import TEXTBOOK
from tests.model.building import turned

Array = NDArray[np.float64]
FRAME, G = 1.0 / 60.0, 9.81
WEIGHTLESS = Options(gravity=(0.0, 0.0, 0.0))
POINT, LINE = (0, 1, 2), (0, 2)
PIN = Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0)


def together(low: float, high: float, *, linear: tuple[int, ...] = (), **rest: object) -> Limit:
    """Return a limit on axes together."""
    return Limit(linear_axes=linear, min=low, max=high, together=True, **rest)  # type: ignore[arg-type]


def cone(high: float, axes: tuple[int, ...] = (0, 1), low: float = -inf, **rest: object) -> Limit:
    """Return a cone, or a whole angle."""
    return Limit(angular_axes=axes, min=low, max=high, together=True, **rest)  # type: ignore[arg-type]


@pytest.fixture(params=["default", pytest.param("textbook", marks=pytest.mark.long)])
def part(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """Each engine in turn; of the frames the textbook takes a half, in a hundred times as long."""
    chosen = engine() if request.param == "default" else TEXTBOOK
    monkeypatch.setattr(simulations, "engine", lambda: chosen)
    return 0.5 if chosen is TEXTBOOK else 1.0


def bob(
    limits: tuple[Limit, ...], place: tuple[float, float, float], **motion: object
) -> Simulation:
    """Return a ball that is joined at its centre to the origin."""
    made = Builder()
    ground = made.ground()
    body = made.body(place, **motion)
    made.joint(ground, body, JointSettings(limits=limits), connected_place=place)
    return Simulation(made.mechanism())


def swung(place: Array, velocity: Array, length: float, time: float) -> tuple[Array, Array]:
    """Return where a pendulum is after some time, by steps of fourth order."""
    angle = float(np.arctan2(place[0], -place[1]))
    rate = float(velocity @ np.array([cos(angle), sin(angle)])) / length
    count = int(time * 300) + 1
    h, pull = time / count, -G / length
    for _ in range(count):
        a, a_rate = rate, pull * sin(angle)
        b, b_rate = rate + 0.5 * h * a_rate, pull * sin(angle + 0.5 * h * a)
        c, c_rate = rate + 0.5 * h * b_rate, pull * sin(angle + 0.5 * h * b)
        d, d_rate = rate + h * c_rate, pull * sin(angle + h * c)
        angle += h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        rate += h / 6.0 * (a_rate + 2.0 * b_rate + 2.0 * c_rate + d_rate)
    way = np.array([sin(angle), -cos(angle)])
    return length * way, length * rate * np.array([cos(angle), sin(angle)])


def test_a_slack_rope_pulls_taut_and_swings(part: float) -> None:
    """A ball falls freely, the rope of 2 m stops what leads outwards, then it is a pendulum."""
    simulation = bob((together(-inf, 2.0, linear=POINT),), (1.0, 0.0, 0.0))
    caught = sqrt(2.0 * sqrt(3.0) / G)
    place, velocity = np.array([1.0, -sqrt(3.0)]), np.array([0.0, -G * caught])
    velocity -= (velocity @ place) * place / 4.0
    totals = []
    for frame in range(1, 1 + int(part * 120)):
        assert simulation.step(FRAME).converged
        x, y, z = simulation.positions[1]
        time = frame * FRAME
        if time < caught:
            assert (x, y) == pytest.approx((1.0, -0.5 * G * time * time), abs=1e-6)
            continue
        truth, _ = swung(place, velocity, 2.0, time - caught)
        assert (x, y) == pytest.approx(tuple(truth), abs=1e-5)
        assert z == pytest.approx(0.0, abs=1e-9)
        assert simulation.joint_report().overshoot.max() <= 1e-8
        totals.append(simulation.energy().total)
    assert np.ptp(totals) <= 1e-5 * G * 2.0


@pytest.mark.parametrize("low", [-inf, 2.0], ids=("rope", "strut"))
def test_a_taut_rope_and_a_strut_are_a_pendulum_and_bear_its_force(low: float, part: float) -> None:
    """From the level: place to 1e-5 m, pull m (g cos a + v^2 / l) to 1 %, nothing else."""
    simulation = bob((together(low, 2.0, linear=POINT),), (2.0, 0.0, 0.0))
    for frame in range(1, 1 + int(part * 60)):
        assert simulation.step(FRAME).converged
        truth, speed = swung(np.array([2.0, 0.0]), np.zeros(2), 2.0, frame * FRAME)
        assert simulation.positions[1][:2] == pytest.approx(truth, abs=1e-5)
        report = simulation.joint_report()
        middle, speed = swung(np.array([2.0, 0.0]), np.zeros(2), 2.0, (frame - 0.5) * FRAME)
        pull = G * -middle[1] / 2.0 + speed @ speed / 2.0
        assert report.force[0, :2] == pytest.approx(-pull * middle / 2.0, rel=0.01, abs=0.02)
        assert report.torque[0] == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)


def test_a_rod_stands_in_a_tube(part: float) -> None:
    """Distance from a line: a ball slides round in a tube of 0.5 m and falls along it."""
    tube = together(-inf, 0.5, linear=LINE)
    simulation = bob((tube,), (0.5, 0.0, 0.0), linear_velocity=(0.0, 0.0, 3.0))
    for frame in range(1, 1 + int(part * 60)):
        simulation.step(FRAME)
        time = frame * FRAME
        truth = (0.5 * cos(6.0 * time), -0.5 * G * time * time, 0.5 * sin(6.0 * time))
        assert simulation.positions[1] == pytest.approx(truth, abs=1e-5)
    assert np.linalg.norm(simulation.joint_report().force[0]) == pytest.approx(18.0, rel=0.01)


def rod(
    limits: tuple[Limit, ...],
    lean: float,
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0),
    frame: tuple[float, float, float] = (-pi / 2.0, 0.0, 0.0),
    **rest: object,
) -> Mechanism:
    """Return a thin rod of 1 m, 1 kg that leans from upright about X; Z of frames is along it."""
    made = Builder()
    ground = made.ground()
    own = quaternion_from_rotation(linear_part(turned(-pi / 2.0 + lean, 0.0, 0.0)))
    up = quaternion_from_rotation(linear_part(turned(*frame)))
    middle = (0.0, 0.5 * cos(lean), 0.5 * sin(lean))
    velocity = np.cross(spin, middle)
    back = linear_part(turned(-pi / 2.0 + lean, 0.0, 0.0))
    body = made.body(
        middle,
        own,
        inertia_diagonal=(1.0 / 12.0, 1.0 / 12.0, 1e-3),
        angular_velocity=tuple(np.array(back).T @ np.array(spin)),
        linear_velocity=tuple(np.array(own_turned(own, velocity))),
    )
    settings = JointSettings(limits=(PIN, *limits), **rest)  # type: ignore[arg-type]
    made.joint(ground, body, settings, rotation=up, connected_rotation=own)
    return made.mechanism()


def own_turned(rotation: tuple[float, ...], vector: Array) -> Array:
    """Return a world vector in a body's axes."""
    return np.asarray(matrix_of(np.array([rotation]))[0].T @ vector)


def lean_of(simulation: Simulation, axis: Array) -> float:
    """Return the angle between the rod and an axis in rad."""
    way = simulation.positions[1] / np.linalg.norm(simulation.positions[1])
    return float(np.arctan2(np.linalg.norm(np.cross(axis, way)), axis @ way))


UP = np.array([0.0, 1.0, 0.0])


def test_a_rod_goes_round_on_the_rim_of_its_cone(part: float) -> None:
    """It falls onto 40 degrees, goes on round the rim at its speed, and the rim bears both."""
    rim, turning = 0.7, 3.0
    mechanism = rod((cone(rim),), rim, (0.0, turning, 0.0))
    simulation = Simulation(mechanism)
    inertia = 1.0 / 3.0
    frames = int(part * 90)
    for _ in range(frames):
        assert simulation.step(FRAME).converged
        assert lean_of(simulation, UP) == pytest.approx(rim, abs=1e-8)
    x, _, z = simulation.positions[1]
    went = turning * frames * FRAME
    assert np.arctan2(x, z) == pytest.approx((went + pi) % (2.0 * pi) - pi, abs=1e-5)
    weight = G * 0.5 * sin(rim)
    presses = weight + (inertia - 1e-3) * turning**2 * sin(rim) * cos(rim)
    torque = simulation.joint_report().torque[0]
    assert np.linalg.norm(torque) == pytest.approx(presses, rel=0.01)
    assert abs(torque[1]) <= 1e-6


@pytest.mark.long
@pytest.mark.parametrize("lean", [0.0, 0.3])
def test_a_cone_that_leans_is_never_passed_and_keeps_the_energy(lean: float) -> None:
    """A rod falls within a cone whose axis is not upright, meets the rim and slides down it."""
    frame = (-pi / 2.0, 0.0, 0.35)
    axis = np.array(linear_part(turned(*frame)))[:, 2]
    simulation = Simulation(rod((cone(0.8),), lean, (0.6, 1.5, 0.2), frame))
    met, totals = 0, []
    for _ in range(180):
        assert simulation.step(FRAME).converged
        angle = lean_of(simulation, axis)
        assert angle <= 0.8 + 1e-8
        met = met + 1 if angle > 0.8 - 1e-8 else 0
        totals = [*totals, simulation.energy().total] if met > 1 else []
    assert met > 30
    assert np.ptp(totals) <= 1e-5 * G


@pytest.mark.usefixtures("part")
@pytest.mark.parametrize("way", [(1.0, 2.0, -0.5), (0.0, 0.0, 3.0), (-2.0, 0.1, 0.1)])
def test_a_whole_angle_stops_whatever_it_turns_about(way: tuple[float, float, float]) -> None:
    """A ball on a pin turns by one radian and stays there, about whatever axis."""
    made = Builder()
    ground = made.ground()
    body = made.body(angular_velocity=way)
    made.joint(ground, body, JointSettings(limits=(PIN, cone(1.0, (0, 1, 2)))))
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    for _ in range(36):
        assert simulation.step(FRAME).converged
    coordinates = simulation.coordinates(2)[3:]
    direction = np.array(way) / np.linalg.norm(way)
    expected = 2.0 * np.arctan2(sin(0.5) * direction, cos(0.5))
    assert coordinates == pytest.approx(expected, abs=1e-6)
    assert np.abs(simulation.angular_velocities).max() <= 1e-7


KINDS = {
    "line": together(0.0, 0.0, linear=LINE),
    "point": together(0.05, 0.05, linear=POINT),
    "cone": cone(0.05, (1, 2), 0.05),
    "whole": cone(0.05, (0, 1, 2), 0.05),
}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("angle", [0.05, 0.3, 1.1, 2.5, 3.6])
def test_gradients_are_differences_of_values(name: str, angle: float) -> None:
    """However far two frames are apart, d value = gradient . d pose."""
    axis = np.array([0.3, -0.5, 0.8]) / sqrt(0.98)
    turn = np.array([*(sin(angle / 2.0) * axis), cos(angle / 2.0)])
    soft = Limit(KINDS[name].linear_axes, KINDS[name].angular_axes, 0.05, 0.05, 40.0, together=True)
    (group,) = soft_pair(JointSettings(limits=(soft,)), turn).groups
    system, state = group.system, group.state
    assert system.rows == 1
    (jacobian,) = jacobian_of(system, state)
    random = np.random.default_rng(5)
    for _ in range(6):
        velocity = random.normal(size=(2, 6))
        moved = velocity / system.roots[0]
        values = []
        for step in (1e-6, -1e-6):
            there = state.copy()
            there.position[0] += step * moved[:, :3]
            half = 0.5 * step * moved[:, 3:]
            there.rotation[0] = there.rotation[0] @ matrix_of(np.column_stack([half, np.ones(2)]))
            engine().stepper(system, there).begin(continued=True)
            values.append(there.value[0, 0])
        change = (values[0] - values[1]) / 2e-6
        assert jacobian @ velocity.reshape(-1) == pytest.approx([change], abs=5e-7)


def crowded() -> Mechanism:
    """Return two bodies on a joint with springs on all axes, and both kinds of bounds."""
    drives = tuple(
        Drive(kind, DriveMode.FORCE, axis, position_target=0.0, stiffness=30.0, damping=0.5)
        for kind in Freedom
        for axis in (0, 1, 2)
    )
    limits = (together(-inf, 0.1, linear=POINT), cone(0.4))
    made = Builder()
    ground = made.ground()
    body = made.body((0.1, 0.0, 0.0), linear_velocity=(1.0, 2.0, 0.0), angular_velocity=(3, 2, 1))
    made.joint(ground, body, JointSettings(limits=limits, drives=drives))
    return made.mechanism()


@pytest.mark.long
@pytest.mark.parametrize(
    "mechanism",
    [
        rod((cone(0.8),), 0.2, (0.6, 1.5, 0.2)),
        rod((cone(0.9, (0, 1, 2)), cone(0.5, stiffness=20.0)), 0.2, (0.6, 1.5, 0.2)),
        crowded(),
    ],
    ids=("cone", "two", "crowded"),
)
def test_the_kernel_goes_where_the_textbook_goes(
    mechanism: Mechanism, kernel_library: Path
) -> None:
    """From the same rows, by other steps and another way of solving."""
    library = load(kernel_library).library
    assert library is not None
    along(mechanism, library, NEARLY)


@pytest.mark.long
def test_more_rows_than_a_joint_has_room_for() -> None:
    """Six springs and two bounds: one joint still, within both bounds, with one report."""
    mechanism = crowded()
    simulation = Simulation(mechanism, WEIGHTLESS)
    assert len(simulation.joint_nodes) == 1
    most = 0.0
    for _ in range(120):
        assert simulation.step(FRAME).converged
        report = simulation.joint_report()
        assert report.overshoot.shape == (1,)
        assert report.overshoot.max() <= 1e-8
        most = max(most, float(np.linalg.norm(simulation.coordinates(2)[:3])))
    assert most == pytest.approx(0.1, abs=1e-3)


@pytest.mark.usefixtures("part")
def test_what_begins_in_the_middle_of_a_strut_comes_out_of_it() -> None:
    """A lower bound of 1 m and both frames in one place: half a second later it is met."""
    simulation = bob((together(1.0, 2.0, linear=POINT),), (0.0, 0.0, 0.0))
    for _ in range(32):
        simulation.step(FRAME)
    assert 1.0 - 1e-6 <= np.linalg.norm(simulation.positions[1]) <= 2.0 + 1e-6
    assert np.isfinite(simulation.positions).all()


def test_a_soft_rope_stretches_as_a_spring() -> None:
    """A weight of 1 kg on a rope of 2 m with 100 N/m, let go at 2 m, swings to 2 m g / k."""
    rope = together(-inf, 2.0, linear=POINT, stiffness=100.0)
    simulation = bob((rope,), (0.0, -2.0, 0.0))
    lowest = 0.0
    for _ in range(120):
        simulation.step(FRAME)
        lowest = min(lowest, float(simulation.positions[1, 1]))
    assert lowest == pytest.approx(-2.0 - 2.0 * G / 100.0, abs=1e-3)


def test_an_axis_by_itself_is_not_bounded() -> None:
    """The bound is none of each axis: a rope of 1 m lets a ball be 1 m away along X."""
    limits = (together(-inf, 1.0, linear=POINT),)
    (one,) = together_in(limits)
    assert one.value((0.6, 0.0, 0.8), (0.0, 0.0, 0.0, 1.0)) == pytest.approx(1.0)
    simulation = bob(limits, (0.999, 0.0, 0.0))
    assert simulation.joint_report().overshoot.max() == 0.0


def test_half_a_turn_and_zero_are_said_by_other_means() -> None:
    """A cone of half a turn bounds nothing; a distance of zero fixes each axis."""
    assert together_in((cone(pi),))[0].high == inf
    assert together_in((together(-1.0, 0.0, linear=POINT),)) == ()


@pytest.mark.parametrize(("axis", "closed"), [(0, 0), (1, 1)])
def test_rows_follow_from_each_other_only_where_they_share_an_axis(axis: int, closed: int) -> None:
    """A distance from the X axis beside a lock on X is no loop; beside one on Y it may be."""
    lock = Limit(linear_axes=(axis,), min=0.0, max=0.0)
    limits = (lock, together(-inf, 1.0, linear=(1, 2)))
    (group,) = bob(limits, (0.0, 0.0, 0.5)).groups
    assert group.system.closed == closed
