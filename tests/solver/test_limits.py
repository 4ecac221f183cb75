# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigid limits hold, on any axes, and their signs are those of the connected frame."""

from __future__ import annotations

from dataclasses import replace
from math import pi, radians, sin

import numpy as np
import pytest
from solver.building import Builder, slider_with

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.geometry.transform import linear_part, quaternion_from_rotation
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Node
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Options, Simulation
from tests.model.building import turned

WEIGHTLESS = Options(gravity=(0.0, 0.0, 0.0))


def rotation(x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Return the quaternion with these twists about X, Y and Z."""
    return quaternion_from_rotation(linear_part(turned(x, y, z)))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_distance_is_that_of_the_connected_body(axis: int) -> None:
    """A connected body that flies along +axis stops at max, whichever axis it is."""
    velocity = [0.0, 0.0, 0.0]
    velocity[axis] = 2.0
    mechanism = slider_with(recipes.slider(axis, -0.1, 0.25), linear_velocity=tuple(velocity))
    simulation = Simulation(mechanism, WEIGHTLESS)
    for _ in range(60):
        simulation.step(1.0 / 60.0)
        assert simulation.joint_report().overshoot.max() <= 1e-6
    assert simulation.positions[1, axis] == pytest.approx(0.25, abs=1e-6)
    assert simulation.coordinates(2)[axis] == pytest.approx(0.25, abs=1e-6)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_angle_is_that_of_the_connected_body(axis: int, way: float) -> None:
    """A connected body that turns stops at the bound of its own right-handed angle, at rest."""
    spin = [0.0, 0.0, 0.0]
    spin[axis] = 9.0 * way
    mechanism = slider_with(recipes.hinge(axis, -0.4, 1.1), angular_velocity=tuple(spin))
    simulation = Simulation(mechanism, WEIGHTLESS)
    for _ in range(60):
        simulation.step(1.0 / 60.0)
        assert simulation.joint_report().overshoot.max() <= 1e-6
    bound = 1.1 if way > 0.0 else -0.4
    assert simulation.coordinates(2)[3 + axis] == pytest.approx(bound, abs=1e-6)
    assert np.abs(simulation.angular_velocities).max() <= 1e-7


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_hinge_turns_many_times(axis: int) -> None:
    """A hinge keeps its angle over many turns: a bound at five turns is met at five turns."""
    spin = [0.0, 0.0, 0.0]
    spin[axis] = 20.0
    mechanism = slider_with(recipes.hinge(axis, high=10.0 * pi), angular_velocity=tuple(spin))
    simulation = Simulation(mechanism, WEIGHTLESS)
    for _ in range(120):
        simulation.step(1.0 / 60.0)
    assert simulation.coordinates(2)[3 + axis] == pytest.approx(10.0 * pi, abs=1e-6)


@pytest.mark.parametrize("locked", [0, 1, 2])
@pytest.mark.parametrize("at", [0.0, 0.5])
def test_universal_joint_turns_about_both_axes(locked: int, at: float) -> None:
    """One locked angle, also away from zero, leaves the other two; their bounds hold exactly."""
    limits = [
        Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
        Limit(angular_axes=(locked,), min=at, max=at),
    ]
    bounds = {}
    for number, axis in enumerate(a for a in range(3) if a != locked):
        bounds[axis] = (-0.3 - 0.1 * number, 0.6 + 0.2 * number)
        limits.append(Limit(angular_axes=(axis,), min=bounds[axis][0], max=bounds[axis][1]))
    angles = [0.0, 0.0, 0.0]
    angles[locked] = at
    made = Builder()
    ground = made.ground()
    body = made.body(
        rotation=rotation(*angles),
        angular_velocity=(3.0, 4.0, 5.0),
        inertia_diagonal=(0.01, 0.02, 0.025),
        center_of_mass=(0.03, 0.02, -0.01),
    )
    joint = made.joint(
        ground, body, JointSettings(limits=tuple(limits)), connected_rotation=rotation(*angles)
    )
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    reached = {axis: [0.0, 0.0] for axis in bounds}
    for frame in range(180):
        simulation.step(1.0 / 60.0)
        values = simulation.coordinates(joint)[3:]
        assert values[locked] == pytest.approx(at, abs=1e-6)
        for axis, (low, high) in bounds.items():
            assert low - 1e-6 <= values[axis] <= high + 1e-6
            reached[axis] = [
                min(reached[axis][0], values[axis]),
                max(reached[axis][1], values[axis]),
            ]
        if frame == 60:
            simulation.set_gravity((-3.0, 5.0, 4.0))
    assert any(r[1] == pytest.approx(bounds[a][1], abs=1e-6) for a, r in reached.items())


def test_three_free_angles_hold_their_bounds() -> None:
    """Bounds on all three angles of a ball joint hold while it tumbles."""
    limits = (
        Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
        *(Limit(angular_axes=(a,), min=-0.5 - 0.2 * a, max=0.8) for a in range(3)),
    )
    made = Builder()
    ground = made.ground()
    body = made.body((0.3, 0.1, 0.0), angular_velocity=(2.0, -3.0, 4.0))
    joint = made.joint(ground, body, JointSettings(limits=limits))
    simulation = Simulation(made.mechanism())
    for _ in range(180):
        assert simulation.step(1.0 / 60.0).converged
        values = simulation.coordinates(joint)[3:]
        for axis in range(3):
            assert -0.5 - 0.2 * axis - 1e-6 <= values[axis] <= 0.8 + 1e-6
        assert simulation.joint_report().overshoot.max() <= 1e-6


@pytest.mark.parametrize("free", [None, 0, 1, 2])
def test_locks_away_from_zero_hold(free: int | None) -> None:
    """Welds and hinges locked at angles far from zero hold exactly these angles."""
    angles = (0.7, -0.4, 1.2)
    limits = [Limit(linear_axes=(a,), min=0.1 * a, max=0.1 * a) for a in range(3)]
    limits += [
        Limit(angular_axes=(a,), min=angles[a], max=angles[a]) for a in range(3) if a != free
    ]
    start = [0.0 if a == free else angles[a] for a in range(3)]
    made = Builder()
    ground = made.ground()
    body = made.body((0.0, 0.1, 0.2), rotation(*start), center_of_mass=(0.2, 0.3, 0.4))
    joint = made.joint(
        ground,
        body,
        JointSettings(limits=tuple(limits)),
        connected_place=(0.0, 0.1, 0.2),
        connected_rotation=rotation(*start),
    )
    simulation = Simulation(made.mechanism(), Options(gravity=(1.0, -7.81, 3.0)))
    for _ in range(60):
        simulation.step(1.0 / 60.0)
    values = simulation.coordinates(joint)
    assert values[:3] == pytest.approx([0.0, 0.1, 0.2], abs=1e-6)
    for axis in range(3):
        if axis != free:
            assert values[3 + axis] == pytest.approx(angles[axis], abs=1e-6)
    if free is not None:
        assert abs(values[3 + free]) > 0.01


def test_rigid_limits_on_one_axis_intersect() -> None:
    """Of two ranges on an axis both hold."""
    slider = recipes.slider(0)
    limits = (Limit(linear_axes=(0,), max=0.4), Limit(linear_axes=(0,), min=-1.0, max=0.3))
    settings = replace(slider, limits=(*slider.limits, *limits))
    simulation = Simulation(slider_with(settings), Options(gravity=(9.81, 0.0, 0.0)))
    for _ in range(60):
        simulation.step(1.0 / 60.0)
    assert simulation.positions[1, 0] == pytest.approx(0.3, abs=1e-6)
    assert not simulation.issues


def test_contradicting_limits_are_named_and_the_first_wins() -> None:
    """Ranges that exclude each other are an issue; the first one holds."""
    slider = recipes.slider(0)
    limits = (Limit(linear_axes=(0,), min=0.0, max=0.1), Limit(linear_axes=(0,), min=0.5, max=0.6))
    settings = replace(slider, limits=(*slider.limits, *limits))
    simulation = Simulation(slider_with(settings), Options(gravity=(9.81, 0.0, 0.0)))
    for _ in range(60):
        simulation.step(1.0 / 60.0)
    assert simulation.positions[1, 0] == pytest.approx(0.1, abs=1e-6)
    assert [issue.code for issue in simulation.issues] == ["limits-contradict"]


def test_violated_rest_pose_comes_in_smoothly() -> None:
    """A rest pose beyond a bound meets it within a second, and never jumps."""
    simulation = Simulation(slider_with(recipes.slider(0, 0.5, 1.0)), WEIGHTLESS)
    places = [float(simulation.positions[1, 0])]
    for _ in range(60):
        assert simulation.step(1.0 / 60.0).converged
        places.append(float(simulation.positions[1, 0]))
    assert places[-1] == pytest.approx(0.5, abs=1e-6)
    assert np.abs(np.diff(places)).max() < 0.5 * 2.0 / 60.0 / 0.5
    assert simulation.joint_report().overshoot.max() <= 1e-6


@pytest.mark.parametrize("off", [0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-2, 0.3])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_what_moves_away_from_a_bound_that_it_rests_beyond_is_let_go(
    off: float, side: float
) -> None:
    """However far off it was: pushed away it keeps its speed, and weight moves it at once."""
    low, high = sorted((side * off, side * 3.0))
    settings = recipes.slider(0, low, high)
    pushed = Simulation(slider_with(settings, linear_velocity=(2.0 * side, 0.0, 0.0)), WEIGHTLESS)
    falling = Simulation(slider_with(settings), Options(gravity=(4.0 * side, 0.0, 0.0)))
    for frame in range(1, 41):
        t = frame / 60.0
        for simulation, place in ((pushed, 2.0 * t), (falling, 2.0 * t * t)):
            assert not simulation.step(1.0 / 60.0).first_order
            if simulation is falling and off > 0.1:
                continue  # the bound comes in faster than it falls
            assert side * simulation.positions[1, 0] == pytest.approx(place, abs=1e-5)


def test_what_follows_too_slowly_is_pushed_by_the_bound_that_comes_in() -> None:
    """It moves away slower than the bound, which then takes it along and leaves it there."""
    made = slider_with(recipes.slider(0, 0.5, 1.0), linear_velocity=(0.05, 0.0, 0.0))
    simulation = Simulation(made, WEIGHTLESS)
    for _ in range(60):
        assert simulation.step(1.0 / 60.0).converged
    assert simulation.positions[1, 0] == pytest.approx(0.5, abs=1e-6)
    assert simulation.joint_report().overshoot.max() <= 1e-6


def test_pin_that_is_apart_comes_together() -> None:
    """A pin whose frames are apart at rest is closed within a second."""
    made = Builder()
    ground = made.ground()
    body = made.body((0.5, 0.0, 0.0))
    made.joint(ground, body, recipes.pin(), connected_place=(0.1, 0.05, 0.0))
    simulation = Simulation(made.mechanism())
    assert simulation.joint_report().separation.max() <= 1e-6  # of what holds now
    for _ in range(60):
        assert simulation.step(1.0 / 60.0).converged
    assert simulation.joint_report().separation.max() <= 1e-6


def test_kinematic_driver_moves_what_hangs_on_it() -> None:
    """A turning kinematic crank carries a body on a weld exactly along."""
    made = Builder()
    crank = made.body(kind=MotionType.KINEMATIC, angular_velocity=(0.0, 0.0, 2.0))
    body = made.body((0.5, 0.0, 0.0))
    made.joint(crank, body, recipes.weld())
    simulation = Simulation(made.mechanism())
    for frame in range(1, 61):
        simulation.step(1.0 / 60.0)
        place = simulation.positions[1]
        assert place[1] == pytest.approx(0.5 * sin(2.0 * frame / 60.0), abs=1e-6)
    assert simulation.linear_velocities[1] == pytest.approx(
        [-1.0 * sin(2.0), 1.0 * np.cos(2.0), 0.0], abs=1e-6
    )


def test_drive_on_a_locked_axis_is_named() -> None:
    """A lock wins over a drive, and says so."""
    drive = Drive(Freedom.LINEAR, DriveMode.FORCE, 1, position_target=1.0, stiffness=10.0)
    simulation = Simulation(slider_with(replace(recipes.slider(0), drives=(drive,))))
    simulation.step(1.0 / 60.0)
    assert [issue.code for issue in simulation.issues] == ["drive-on-locked-axis"]
    assert simulation.positions[1, 1] == pytest.approx(0.0, abs=1e-6)


def test_joint_within_a_body_is_named() -> None:
    """A joint whose ends belong to the same body is ignored with an issue."""
    made = Builder()
    body = made.body()
    made.joint(body, body, recipes.weld())
    simulation = Simulation(made.mechanism())
    simulation.step(0.5)
    assert [issue.code for issue in simulation.issues] == ["joint-within-body"]
    assert simulation.positions[0, 1] == pytest.approx(-9.81 * 0.125)


@pytest.mark.parametrize(
    "broken", [JointNode(99, 0), JointNode(0, 99), JointNode(-1, 0), JointNode(0, -1)]
)
def test_joint_without_settings_or_other_end_is_named(broken: JointNode) -> None:
    """A joint that lacks its settings or its other node is ignored with an issue, others hold."""
    made = Builder()
    ground = made.ground()
    made.joint(ground, made.body((0.0, 1.0, 0.0)), recipes.weld())
    falling = made.body()
    made.nodes.append(Node("broken", falling, joint=broken))
    simulation = Simulation(made.mechanism())
    simulation.step(0.5)
    assert [issue.code for issue in simulation.issues] == ["joint-incomplete"]
    assert simulation.positions[1, 1] == pytest.approx(1.0, abs=1e-6)
    assert simulation.positions[2, 1] == pytest.approx(-9.81 * 0.125)


def test_door_swings_onto_its_stop() -> None:
    """A falling trapdoor stops at its angle, to 1e-6, at any time step from 1/240 to 1/24 s."""
    for fps in (24.0, 30.0, 60.0, 240.0):
        made = Builder()
        ground = made.ground()
        door = made.body((0.5, 0.0, 0.0), inertia_diagonal=(0.01, 0.1, 0.1))
        joint = made.joint(ground, door, recipes.hinge(2, radians(-60.0), radians(10.0)))
        simulation = Simulation(made.mechanism())
        for _ in range(int(fps)):
            report = simulation.step(1.0 / fps)
            assert report.converged
            assert simulation.joint_report().overshoot.max() <= 1e-6
        assert simulation.coordinates(joint)[5] == pytest.approx(radians(-60.0), abs=1e-6)
        assert np.abs(simulation.angular_velocities).max() < 1e-9


@pytest.mark.long
def test_equal_islands_meet_their_bounds_one_by_one() -> None:
    """Many doors of one build, each with another speed, stop each at its own time at its bound."""
    made = Builder()
    ground = made.ground()
    spins = np.linspace(0.5, 12.0, 12)
    joints = [
        made.joint(
            ground,
            made.body((float(i), 0.0, 0.0), angular_velocity=(0.0, float(spin), 0.0)),
            recipes.hinge(1, -0.1, 0.9),
            (float(i), 0.0, 0.0),
        )
        for i, spin in enumerate(spins)
    ]
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    for frame in range(1, 61):
        assert simulation.step(1.0 / 60.0).converged
        for joint, spin in zip(joints, spins, strict=True):
            angle = simulation.coordinates(joint)[4]
            assert angle == pytest.approx(min(spin * frame / 60.0, 0.9), abs=1e-6)


@pytest.mark.parametrize(("bounds", "speed"), [((-1.0, 0.0), 2.0), ((0.0, 1.0), -2.0)])
def test_a_speed_into_a_bound_is_none_from_the_start(
    bounds: tuple[float, float], speed: float
) -> None:
    """A body that starts on its bound and would go on is still; one that leaves it is not."""
    for start, expected in ((speed, 0.0), (-speed, -speed)):
        mechanism = slider_with(recipes.slider(0, *bounds), linear_velocity=(start, 0.0, 0.0))
        simulation = Simulation(mechanism, WEIGHTLESS)
        assert simulation.linear_velocities[1, 0] == pytest.approx(expected, abs=1e-9)


def test_a_bound_bears_the_weight_that_lies_on_it() -> None:
    """What lies on its stop stays there, is held up by its weight, and is free to be lifted."""
    simulation = Simulation(slider_with(recipes.slider(1, 0.0, 1.0), mass=2.0))
    for _ in range(10):
        assert not simulation.step(1.0 / 60.0).first_order
        assert simulation.joint_report().force[0] == pytest.approx([0.0, 2.0 * 9.81, 0.0])
    assert simulation.positions[1, 1] == pytest.approx(0.0, abs=1e-9)
    simulation.set_gravity((0.0, 3.0, 0.0))
    simulation.step(1.0 / 60.0)
    assert simulation.joint_report().force[0] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
    assert simulation.linear_velocities[1, 1] == pytest.approx(3.0 / 60.0)


@pytest.mark.parametrize(("off", "goes"), [(1e-4, 0.0), (0.01, 0.01)])
def test_what_rests_beyond_a_bound_by_rounding_stays_there(off: float, goes: float) -> None:
    """2 km off single precision is 0.1 mm, which nothing brings back; a centimetre is."""
    made, place = Builder(), (2000.0, 1000.0, 0.0)
    ground, body = made.ground(), made.body(place)
    rail = (place[0] - 0.5 - off, place[1], place[2])
    made.joint(ground, body, recipes.slider(0, -1.0, 0.5), rail, connected_place=place)
    simulation = Simulation(made.mechanism(), Options((0.0, 0.0, 0.0)))
    for _ in range(30):
        simulation.step(1.0 / 60.0)
    row = list(simulation.body_nodes).index(body)
    assert place[0] - simulation.positions[row, 0] == pytest.approx(goes, abs=1e-6)
