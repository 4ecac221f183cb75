# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps as Godot takes them: sixty a second, first order, damped, with Jolt's reading of joints.

Figures of Godot are those of Godot 4.6.3 with Jolt at its defaults (`make bench-godot ARGS=--own`).
"""

from __future__ import annotations

from dataclasses import replace
from math import degrees, inf, pi

import numpy as np
import pytest

from benchmarks.godot.cases import chosen
from benchmarks.godot.joint_cases import joint_cases
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.joint import Breaking, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.recipes import hinge, slider
from omi_physics_joint.solver import KinematicMotion, Options, Simulation, Steps
from omi_physics_joint.solver.godot_steps import stepper as godot
from omi_physics_joint.solver.kinematics.rotation import matrix_of

from .building import Builder, bearing, chain, run, slider_with

AS_GODOT = Options(steps=Steps.GODOT)


def angle_of(mechanism: Mechanism, seconds: float, options: Options = AS_GODOT) -> float:
    """Return the angle about Z in degrees of the one joint of a mechanism after a while."""
    simulation = Simulation(mechanism, options)
    run(simulation, seconds)
    return degrees(simulation.coordinates(simulation.joint_nodes[0])[5])


def driven(
    settings: JointSettings, freedom: Freedom, axis: int, **numbers: float | None
) -> JointSettings:
    """Return settings with a drive."""
    drive = Drive(freedom, DriveMode.FORCE, axis, **numbers)  # type: ignore[arg-type]
    return replace(settings, drives=(drive,))


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "turned", "place"),
    [
        ("hinge, Z", 2.0 * np.arctan2(-0.994913936, 0.100728475), (-0.489895910, -0.100227058, 0)),
        ("hinge, bounds, Z", 2.0 * np.arcsin(-0.174352348), (0.469521284, -0.171900586, 0.0)),
        ("pin", None, (-0.489243358, -0.089752406, 0.051271100)),
        ("two angles, X", None, (0.397049606, -0.303875089, 0.003422813)),
    ],
)
def test_bars_are_after_a_second_where_godot_has_them(
    name: str, turned: float | None, place: tuple[float, ...]
) -> None:
    """The hinge alone is 11 degrees away from where it is by the specification."""
    simulation = Simulation(joint_cases()[name].mechanism, AS_GODOT)
    assert run(simulation, 1.0)[-1][1] == pytest.approx(place, abs=1e-3)
    if turned is not None:
        turn = matrix_of(simulation.rotations)[1]
        angle = np.arctan2(turn[1, 0], turn[0, 0])
        assert degrees(abs((angle - turned + pi) % (2.0 * pi) - pi)) < 0.1


def test_a_free_pendulum_is_some_ten_degrees_off_the_exact_one() -> None:
    """That is why there are these steps."""
    mechanism = joint_cases()["hinge, Z"].mechanism
    exact = angle_of(mechanism, 1.0, Options())
    assert abs(angle_of(mechanism, 1.0) - exact) == pytest.approx(11.1, abs=0.3)


def test_a_rest_pose_counts_from_the_turn_of_its_bounds() -> None:
    """A door that stands 60 degrees back from its frame is 300 degrees on, between 200 and 320."""
    made = Builder()
    back = (0.0, 0.0, -0.5, 0.75**0.5)
    body = made.body((0.25, -0.433, 0.0), back)
    settings = hinge(2, np.radians(200.0), np.radians(320.0))
    made.joint(made.ground(), body, settings, connected_rotation=back)
    simulation = Simulation(made.mechanism(), AS_GODOT)
    (group,) = simulation.groups
    assert np.degrees(group.state.value[0, -1]) == pytest.approx(300.0, abs=0.01)


def test_velocities_fall_by_a_tenth_a_second() -> None:
    """Linear ones and angular ones, at each step by 0.1 h."""
    made = Builder()
    made.body(linear_velocity=(3.0, 0.0, 0.0), angular_velocity=(0.0, 2.0, 0.0))
    simulation = Simulation(made.mechanism(), replace(AS_GODOT, gravity=(0.0, 0.0, 0.0)))
    run(simulation, 1.0)
    left = (1.0 - 0.1 / 60.0) ** 60
    assert simulation.linear_velocities[0] == pytest.approx([3.0 * left, 0.0, 0.0])
    assert simulation.angular_velocities[0] == pytest.approx([0.0, 2.0 * left, 0.0])


@pytest.mark.long
def test_energy_falls() -> None:
    """A chain of four that swings for ten seconds has less and less, over whole swings."""
    simulation = Simulation(chain(4), AS_GODOT)
    energies = []
    for _ in range(10):
        run(simulation, 1.0)
        energies.append(simulation.energy().total)
    assert max(energies) < 0.1
    assert energies[-1] < energies[0] - 1.0


def test_spins_stay_and_there_is_no_gyroscopic_torque() -> None:
    """What tumbles by the specification goes on about the axis that it has."""
    made = Builder()
    made.body(angular_velocity=(1.0, 5.0, 0.1), inertia_diagonal=(0.1, 0.2, 0.3))
    nothing = (0.0, 0.0, 0.0)
    simulation = Simulation(made.mechanism(), replace(AS_GODOT, gravity=nothing))
    exact = Simulation(made.mechanism(), Options(gravity=nothing))
    for one in (simulation, exact):
        run(one, 2.0)
    first = np.array([1.0, 5.0, 0.1]) / np.linalg.norm([1.0, 5.0, 0.1])
    spins = [one.angular_velocities[0] for one in (simulation, exact)]
    along = [float(spin @ first / np.linalg.norm(spin)) for spin in spins]
    assert along[0] == pytest.approx(1.0, abs=1e-9)
    assert along[1] < 0.99


def test_nothing_is_faster_than_jolt_lets_it() -> None:
    """500 m/s, and 47.1 rad/s."""
    made = Builder()
    made.body(linear_velocity=(600.0, 0.0, 0.0), angular_velocity=(0.0, 90.0, 0.0))
    simulation = Simulation(made.mechanism(), AS_GODOT)
    run(simulation, 1.0 / 60.0)
    assert np.linalg.norm(simulation.linear_velocities) == pytest.approx(500.0, abs=1.0)
    assert np.linalg.norm(simulation.angular_velocities) == pytest.approx(47.1, abs=0.1)


@pytest.mark.long
def test_steps_are_of_first_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without damping they lead to the exact motion: half the step, half the error."""
    monkeypatch.setattr(godot.GodotStepper, "damping", 0.0)
    mechanism = joint_cases()["hinge, Z"].mechanism
    exact = angle_of(mechanism, 0.5, Options())
    errors = []
    for rate in (240, 480, 960):
        monkeypatch.setattr(godot.GodotStepper, "tick", 1.0 / rate)
        errors.append(abs(angle_of(mechanism, 0.5) - exact))
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.15)
    assert errors[1] / errors[2] == pytest.approx(2.0, abs=0.15)


@pytest.mark.long
def test_bounds_hold_and_throw_back_a_part() -> None:
    """A bar that swings into its stop comes back with a part of its speed, and then rests there."""
    mechanism = joint_cases()["hinge, bounds, Z"].mechanism
    simulation = Simulation(mechanism, AS_GODOT)
    (joint,) = simulation.joint_nodes
    values, speeds = [], []
    for _ in range(240):
        simulation.step(1.0 / 60.0)
        values.append(abs(simulation.coordinates(joint)[5]))
        speeds.append(float(simulation.angular_velocities[1, 2]))
    assert max(values) < 0.35 + abs(min(speeds)) / 60.0
    assert values[-1] == pytest.approx(0.35, abs=2e-3)
    back = max(speeds, key=abs), -min(speeds, key=lambda one: one * np.sign(max(speeds, key=abs)))
    assert 0.02 < abs(back[1] / back[0]) < 0.15


@pytest.mark.long
def test_a_motor_keeps_its_speed_whatever_its_damping() -> None:
    """It is rigid up to its largest force; a weak one cannot hold a falling bar."""
    cases = joint_cases()
    assert angle_of(cases["hinge, damped motor, Z"].mechanism, 1.0) == pytest.approx(
        degrees(2.0), abs=0.2
    )
    weak = angle_of(cases["hinge, weak motor, Z"].mechanism, 1.0)
    assert abs(weak - degrees(2.0)) > 30.0


def test_springs_about_an_axis_pull_less_from_afar() -> None:
    """With the torque of 2 sin(x / 2), not of x: 2.2 rad pull 17.8 times as much as 0.1."""
    turned = []
    for target in (2.2, 0.1):
        made = Builder()
        base, wheel = made.ground(), made.body((0.0, 0.0, 0.0), inertia_diagonal=(1.0, 1.0, 1.0))
        spring = driven(hinge(2), Freedom.ANGULAR, 2, position_target=target, stiffness=5.0)
        made.joint(base, wheel, spring, (0.0, 0.0, 0.0))
        turned.append(angle_of(made.mechanism(), 0.1))
    assert turned[0] / turned[1] == pytest.approx(np.sin(1.1) / np.sin(0.05), rel=0.01)


def test_a_drive_without_a_target_brakes_nothing() -> None:
    """As in Godot, and by the specification."""
    damped = chosen(["drive without a target"])["drive without a target"].mechanism
    free = replace(damped, settings=(replace(damped.settings[0], drives=()),))
    assert angle_of(damped, 0.5) == pytest.approx(angle_of(free, 0.5), abs=1e-9)


@pytest.mark.long
def test_springs_know_no_largest_force() -> None:
    """So a weak servo stands where a strong one does."""
    spring = {"position_target": 0.2, "stiffness": 1000.0, "damping": 60.0}
    (weak, strong) = (
        slider_with(driven(slider(1), Freedom.LINEAR, 1, **spring, max_force=most))
        for most in (1.0, inf)
    )
    ends = [run(Simulation(one, AS_GODOT), 2.0)[-1][1, 1] for one in (weak, strong)]
    assert ends[0] == ends[1] == pytest.approx(0.2 - 9.81 / 1000.0, abs=1e-3)
    assert run(Simulation(weak, Options()), 1.0)[-1][1, 1] < -1.0


@pytest.mark.long
def test_soft_ranges_are_rigid_and_soft_locks_are_springs() -> None:
    """As files for Godot say them."""
    stop = Limit((1,), (), -0.1, 0.1, 50.0, 5.0)
    rest = Limit((0, 2), (0, 1, 2), 0.0, 0.0)
    lock = replace(stop, min=0.0, max=0.0)
    ends = [
        run(Simulation(slider_with(JointSettings("", (rest, one))), AS_GODOT), 4.0)[-1][1, 1]
        for one in (stop, lock)
    ]
    assert ends == pytest.approx([-0.1, -9.81 / 50.0], abs=2e-3)


@pytest.mark.long
def test_axes_that_are_bounded_together_are_bounded_each() -> None:
    """As files that Godot reads have it: a rope of half a metre is a box that lies within."""
    rope = JointSettings("Rope", (Limit((0, 1, 2), (), 0.0, 0.5, together=True),))
    ends = [
        run(Simulation(slider_with(rope), options), 3.0)[-1][1, 1]
        for options in (AS_GODOT, Options())
    ]
    assert ends == pytest.approx([-0.5 / 3.0**0.5, -0.5], abs=0.01)


@pytest.mark.long
@pytest.mark.parametrize("fps", [24.0, 50.0, 120.0])
def test_there_are_sixty_steps_a_second_whatever_is_shown(fps: float) -> None:
    """A frame shows the last step that there was."""
    mechanism = joint_cases()["pin"].mechanism
    shown, every = (run(Simulation(mechanism, AS_GODOT), 1.0, rate) for rate in (fps, 60.0))
    for frame, places in enumerate(shown):
        assert np.array_equal(places, every[int(frame * 60.0 / fps + 1e-6)]), frame


@pytest.mark.long
def test_the_clock_goes_on_where_joints_change_on_the_way() -> None:
    """Settings that are changed in every frame do not slow it down."""
    mechanism = joint_cases()["hinge, Z"].mechanism
    plain, changed = Simulation(mechanism, AS_GODOT), Simulation(mechanism, AS_GODOT)
    for _ in range(24):
        plain.step(1.0 / 24.0)
        changed.step(1.0 / 24.0)
        changed.rejoin(mechanism)
    assert changed.positions == pytest.approx(plain.positions, abs=0.02)


@pytest.mark.long
def test_a_lane_does_not_know_its_neighbours() -> None:
    """Doors together go as each alone, to the last bit, though one of them meets its stop."""

    def doors(*speeds: float) -> Simulation:
        made = Builder()
        ground = made.ground()
        for number, speed in enumerate(speeds):
            at = (2.0 * number, 0.0, 0.0)
            body = made.body(at, angular_velocity=(0.0, speed, 0.0))
            made.joint(ground, body, hinge(1, -0.5, 0.5), at)
        return Simulation(made.mechanism(), AS_GODOT)

    together = doors(0.1, 3.0, -2.0)
    run(together, 1.0)
    for number, speed in enumerate((0.1, 3.0, -2.0)):
        alone = doors(speed)
        run(alone, 1.0)
        assert np.array_equal(together.rotations[number + 1], alone.rotations[1])


@pytest.mark.long
def test_checkpoints_return_to_the_bit() -> None:
    """Impulses are part of the state, since steps begin with them."""
    simulation = Simulation(joint_cases()["hinge, bounds, Z"].mechanism, AS_GODOT)
    run(simulation, 0.31, fps=100.0)
    there = simulation.checkpoint()
    first = run(simulation, 0.5)
    simulation.restore(there)
    assert np.array_equal(first, run(simulation, 0.5))


@pytest.mark.long
def test_joints_report_what_they_bear_and_break_of_it() -> None:
    """A weight on a slider that stands on its stop is held by its weight."""
    mechanism = slider_with(slider(1, -0.1, 0.1))
    simulation = Simulation(mechanism, AS_GODOT)
    run(simulation, 3.0)
    assert simulation.joint_report().force == pytest.approx(np.array([[0, 9.81, 0]]), abs=0.05)
    (joint,) = simulation.joint_nodes
    weak = Simulation(bearing(mechanism, joint, Breaking(force=5.0)), AS_GODOT)
    assert run(weak, 3.0)[-1][1, 1] < -1.0


@pytest.mark.long
def test_a_kinematic_body_leads_what_hangs_on_it() -> None:
    """It goes on during steps, and joints follow."""
    made = Builder()
    base = made.body(kind=MotionType.KINEMATIC)
    made.joint(base, made.body((0.0, -0.5, 0.0)), hinge(2))
    times = np.linspace(0.0, 2.0, 121)
    places = np.zeros((121, 3))
    places[:, 0] = times
    turns = np.tile([0.0, 0.0, 0.0, 1.0], (121, 1))
    motion = KinematicMotion(times, places, turns)
    simulation = Simulation(made.mechanism(), AS_GODOT, motions={base: motion})
    end = run(simulation, 2.0)[-1]
    assert end[0] == pytest.approx([2.0, 0.0, 0.0])
    assert np.linalg.norm(end[1] - end[0]) == pytest.approx(0.5, abs=0.02)


@pytest.mark.long
def test_what_contradicts_itself_is_said_and_what_drifts_is_not() -> None:
    """Two pins that are a metre apart cannot both hold one body."""
    for mechanism in (chain(6), chosen(["heavy end"])["heavy end"].mechanism):
        sound = Simulation(mechanism, AS_GODOT)
        assert all(sound.step(1.0 / 60.0).converged for _ in range(60))
    made = Builder()
    ground, body = made.ground(), made.body()
    for x in (-0.5, 0.5):
        made.joint(
            ground, body, slider(1, 0.0, 0.0), (0.0, 0.0, 0.0), connected_place=(x, 0.0, 0.0)
        )
    torn = Simulation(made.mechanism(), AS_GODOT)
    reports = [torn.step(1.0 / 60.0) for _ in range(120)]
    assert not reports[-1].converged
    assert np.isfinite(torn.positions).all()


@pytest.mark.long
@pytest.mark.parametrize("changes", ["stiffness", "max"])
def test_joints_go_on_with_their_impulses_unless_their_limits_change(changes: str) -> None:
    """A spring that is told another number stays what it is; other limits are a new joint."""
    case = joint_cases()["slider, spring, X"].mechanism
    ranged = (*case.settings[0].limits, Limit((0,), (), -5.0, 5.0))
    mechanism = replace(case, settings=(replace(case.settings[0], limits=ranged),))
    still, told = Simulation(mechanism, AS_GODOT), Simulation(mechanism, AS_GODOT)
    (settings,) = mechanism.settings
    for step in range(60):
        more = 1.0 + 1e-14 * (step + 1)
        drive, limit = settings.drives[0], settings.limits[-1]
        if changes == "max":
            limit = replace(limit, max=limit.max * more)
        else:
            drive = replace(drive, stiffness=drive.stiffness * more)
        told.retune((replace(settings, drives=(drive,), limits=(*settings.limits[:-1], limit)),))
        still.step(1.0 / 60.0)
        told.step(1.0 / 60.0)
    apart = float(np.abs(still.positions - told.positions).max())
    assert (apart < 1e-9) == (changes == "stiffness"), apart
