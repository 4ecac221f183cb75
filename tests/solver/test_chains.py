# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains, loops and free flight: accuracy, energy, momentum, forces."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import cos, pi, sin

import numpy as np
import pytest
from solver.building import Array, Builder, bearing, chain, rod_inertia, run

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.geometry.transform import Matrix, compose, quaternion_from_rotation
from omi_physics_joint.model.joint import Breaking, JointSettings
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.settings.coordinates import axis_rotation
from omi_physics_joint.solver import KinematicMotion, Options, Simulation
from tests.solver.freedoms import freedoms

solve_ivp = pytest.importorskip(
    "scipy.integrate", reason="scipy, which the truths need, is not in this Python"
).solve_ivp

G = 9.81


def pendulum_truth(inertia: float, arm: float, seconds: float) -> float:
    """Return the angle of a pendulum of 1 kg that falls from the horizontal."""

    def law(_: float, y: Array) -> list[float]:
        return [y[1], -G * arm / inertia * cos(y[0])]

    return float(solve_ivp(law, (0.0, seconds), [0.0, 0.0], rtol=1e-12, atol=1e-12).y[0, -1])


@pytest.mark.parametrize("substeps", [None, 1, 4])
def test_pendulum_follows_its_equation(substeps: int | None) -> None:
    """A rod on a pin is where its differential equation says, at one step a frame already."""
    inertia = rod_inertia(0.2)[1] + 0.01
    angle = pendulum_truth(inertia, 0.1, 1.0)
    truth = np.array([0.1 * cos(angle), 0.1 * sin(angle), 0.0])
    simulation = Simulation(chain(1), Options(substeps=substeps))
    assert np.abs(run(simulation, 1.0)[-1][1] - truth).max() < 1e-6


@pytest.mark.parametrize("accuracy", [1e-4, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("fps", [10.0, 60.0])
def test_accuracy_is_what_is_asked_for(fps: float, accuracy: float) -> None:
    """The tip of a falling chain is as near to where it should be as was asked for."""
    seconds = 0.7
    truth = run(Simulation(chain(5), Options(substeps=8, accuracy=1e-13)), seconds)[-1][-1]
    tip = run(Simulation(chain(5), Options(accuracy=accuracy)), seconds, fps)[-1][-1]
    assert np.abs(tip - truth).max() < 5.0 * accuracy


@pytest.mark.long
@pytest.mark.parametrize("fps", [24.0, 60.0, 240.0])
def test_chain_holds_together_and_gains_no_energy(fps: float) -> None:
    """A falling chain of ten keeps its pins closed and its energy, at any frame rate."""
    simulation = Simulation(chain(10))
    start = simulation.energy().total
    lowest = 0.0
    highest = -np.inf
    for _ in range(int(fps)):
        assert simulation.step(1.0 / fps).converged
        energy = simulation.energy()
        lowest, highest = min(lowest, energy.potential), max(highest, energy.total)
        assert simulation.joint_report().separation.max() <= 1e-6
    assert (highest - start) / abs(lowest) <= 1e-3


def floating_chain(seed: int) -> Mechanism:
    """Return three tumbling bodies on a pin and a hinge, tied to nothing."""
    random = np.random.default_rng(seed)
    made = Builder()
    bodies = [
        made.body(
            (0.3 * i, 0.1 * i * i, 0.0),
            mass=1.0 + i,
            inertia_diagonal=tuple(0.01 * (1.0 + random.random(3))),
            linear_velocity=tuple(random.normal(size=3)),
            angular_velocity=tuple(4.0 * random.normal(size=3)),
            center_of_mass=tuple(0.05 * random.normal(size=3)),
        )
        for i in range(3)
    ]
    made.joint(bodies[0], bodies[1], recipes.pin(), (0.15, 0.05, 0.0))
    made.joint(bodies[2], bodies[1], recipes.hinge(1), (0.45, 0.2, 0.0))
    return made.mechanism()


def momentum(simulation: Simulation, mechanism: Mechanism) -> tuple[Array, Array]:
    """Return linear and angular momentum about the origin, from what the outside sees."""
    linear, angular = np.zeros(3), np.zeros(3)
    for row, node in enumerate(simulation.body_nodes):
        motion = mechanism.nodes[node].motion
        assert motion is not None
        x, y, z, w = simulation.rotations[row]
        r = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        arm = r @ np.array(motion.center_of_mass)
        spin = simulation.angular_velocities[row]
        velocity = simulation.linear_velocities[row] + np.cross(spin, arm)
        linear += motion.mass * velocity
        inertia = r @ np.diag(motion.inertia_diagonal) @ r.T
        angular += (
            np.cross(simulation.positions[row] + arm, motion.mass * velocity) + inertia @ spin
        )
    return linear, angular


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_free_flight_keeps_momentum_and_energy(seed: int) -> None:
    """Bodies that are tied only to one another keep both momenta exactly, and their energy."""
    mechanism = floating_chain(seed)
    simulation = Simulation(mechanism, Options(gravity=(0.0, 0.0, 0.0), substeps=4))
    linear, angular = momentum(simulation, mechanism)
    energy = simulation.energy().total
    for _ in range(120):
        simulation.step(1.0 / 60.0)
    after = momentum(simulation, mechanism)
    assert after[0] == pytest.approx(linear, abs=1e-9)
    assert after[1] == pytest.approx(angular, abs=1e-6)
    assert simulation.energy().total == pytest.approx(energy, rel=5e-3)


def four_bar() -> Mechanism:
    """Return a crank, a coupler and a rocker on four hinges about Z."""
    made = Builder()
    ground = made.ground()
    places = [(0.0, 0.0, 0.0), (0.0, 0.4, 0.0), (0.9, 0.7, 0.0), (0.8, 0.0, 0.0)]
    bodies = [ground]
    for a, b in pairwise(places):
        middle = tuple((x + y) / 2.0 for x, y in zip(a, b, strict=True))
        bodies.append(made.body(middle, inertia_diagonal=(0.02, 0.02, 0.02)))  # type: ignore[arg-type]
    for i, place in enumerate(places):
        made.joint(bodies[i], bodies[(i + 1) % 4], recipes.hinge(2), place)
    return made.mechanism()


def test_four_bar_runs_and_its_redundancy_is_named() -> None:
    """A loop of hinges, three locks too many, holds, keeps its energy, and says what it has."""
    mechanism = four_bar()
    found = freedoms(mechanism)
    assert (found.degrees, found.rows, found.rank) == (1, 20, 17)
    assert found.redundant
    assert not found.conflicting
    simulation = Simulation(mechanism)
    start = simulation.energy().total
    for _ in range(120):
        assert simulation.step(1.0 / 60.0).converged
        report = simulation.joint_report()
        assert report.separation.max() <= 1e-6
        assert report.overshoot.max() <= 1e-6
        assert simulation.energy().total - start <= 1e-3 * 15.0


def test_loop_of_single_precision_is_stepped_as_any_other() -> None:
    """What float32 leaves of four parallel axes, far from the origin, is no contradiction."""
    turned = compose((6.0, 2.0, -9.0), (0.18, 0.37, -0.55, 0.72))

    def stored(world: Matrix) -> Matrix:
        matrix = np.float32(np.array(turned) @ np.array(world))
        return tuple(map(tuple, matrix.tolist()))

    exact = four_bar()
    nodes = tuple(replace(node, world=stored(node.world)) for node in exact.nodes)
    simulation = Simulation(replace(exact, nodes=nodes))
    for _ in range(60):
        report = simulation.step(1.0 / 60.0)
        assert (len(report.first_order), report.converged) == (0, True)
    found = simulation.joint_report()
    assert found.separation.max() <= 5e-6
    assert np.abs(found.force).max() <= 1e3


def test_redundant_welds_share_the_load() -> None:
    """Two equal joints on the same body each bear half: the solution of smallest norm."""
    made = Builder()
    ground = made.ground()
    body = made.body(mass=4.0)
    for _ in range(2):
        made.joint(ground, body, recipes.weld())
    simulation = Simulation(made.mechanism())
    for _ in range(3):
        simulation.step(1.0 / 60.0)
    force = simulation.joint_report().force
    assert force == pytest.approx(np.array([[0.0, 2.0 * G, 0.0]] * 2), abs=1e-3)


@pytest.mark.parametrize("connected_first", [True, False])
def test_reported_force_is_the_weight_that_hangs(connected_first: bool) -> None:
    """A weld reports the force and torque on the connected body at the joint's frame."""
    made = Builder()
    ground = made.ground()
    body = made.body((0.5, 0.0, 0.0), mass=2.0)
    ends = (ground, body) if connected_first else (body, ground)
    made.joint(*ends, recipes.weld(), (0.2, 0.0, 0.0))
    simulation = Simulation(made.mechanism())
    for _ in range(5):
        simulation.step(1.0 / 60.0)
    report = simulation.joint_report()
    sign = 1.0 if connected_first else -1.0
    assert report.force[0] == pytest.approx([0.0, sign * 2.0 * G, 0.0], abs=1e-5)
    assert report.torque[0] == pytest.approx([0.0, 0.0, sign * 2.0 * G * 0.3], abs=1e-5)


def test_joint_breaks_under_its_load() -> None:
    """A joint that bears too little gives way, and its body falls."""
    made = Builder()
    ground = made.ground()
    body = made.body(mass=2.0)
    joint = made.joint(ground, body, recipes.weld())
    strong = Simulation(bearing(made.mechanism(), joint, Breaking(force=30.0)))
    weak = Simulation(bearing(made.mechanism(), joint, Breaking(force=10.0)))
    for _ in range(30):
        strong.step(1.0 / 60.0)
        weak.step(1.0 / 60.0)
    assert not strong.joint_report().broken[0]
    assert weak.joint_report().broken[0]
    assert weak.positions[1, 1] < -0.5


@pytest.mark.long
def test_heavy_weight_does_not_tear_the_chain() -> None:
    """A thousandfold weight at the end of a chain is held to 1e-4 m and gains no energy."""
    simulation = Simulation(chain(10, weight=1000.0))
    start = simulation.energy().total
    for _ in range(60):
        assert simulation.step(1.0 / 60.0).converged
        assert simulation.joint_report().separation.max() <= 1e-6
        assert simulation.energy().total - start <= 1e-3 * 1e4


def test_driven_crank_follows_its_frames() -> None:
    """A kinematic body follows lerp and slerp between its frames, and drags a pin along."""
    made = Builder()
    hand = made.body(kind=MotionType.KINEMATIC)
    body = made.body((0.0, -0.5, 0.0))
    made.joint(hand, body, recipes.pin())
    half = quaternion_from_rotation(axis_rotation(1, pi / 2.0))
    motion = KinematicMotion(
        np.array([0.0, 1.0]),
        np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
        np.array([[0.0, 0.0, 0.0, 1.0], half]),
    )
    simulation = Simulation(made.mechanism(), motions={hand: motion})
    for frame in range(1, 91):
        assert simulation.step(1.0 / 60.0).converged
        where = min(frame / 60.0, 1.0)
        assert simulation.positions[0, 0] == pytest.approx(where, abs=1e-9)
        assert simulation.rotations[0, 1] == pytest.approx(sin(where * pi / 4.0), abs=1e-9)
        assert simulation.joint_report().separation.max() <= 1e-6
    assert np.abs(simulation.linear_velocities[1]).max() > 0.1


def test_same_input_gives_same_motion_bit_for_bit() -> None:
    """Two runs, and a run continued from a checkpoint, are the same bit for bit."""
    first, second = (Simulation(chain(6)) for _ in range(2))
    for _ in range(20):
        first.step(1.0 / 60.0)
        second.step(1.0 / 60.0)
    kept = second.checkpoint()
    for _ in range(20):
        first.step(1.0 / 60.0)
        second.step(1.0 / 60.0)
    assert (first.positions == second.positions).all()
    second.restore(kept)
    assert second.time == pytest.approx(1.0 / 3.0)
    for _ in range(20):
        second.step(1.0 / 60.0)
    assert (first.positions == second.positions).all()
    assert (first.rotations == second.rotations).all()


def test_settings_change_while_it_runs() -> None:
    """A hinge that is welded while it swings stops where it was turned to, smoothly."""
    made = Builder()
    ground = made.ground()
    body = made.body((0.5, 0.0, 0.0))
    joint = made.joint(ground, body, recipes.hinge(2))
    mechanism = made.mechanism()
    simulation = Simulation(mechanism)
    for _ in range(12):
        simulation.step(1.0 / 60.0)
    place = simulation.positions[1].copy()
    simulation.rejoin(replace(mechanism, settings=(recipes.weld(),)))
    assert simulation.positions[1] == pytest.approx(place)
    for _ in range(60):
        assert simulation.step(1.0 / 60.0).converged
    assert simulation.coordinates(joint) == pytest.approx(np.zeros(6), abs=1e-6)
    simulation.set_gravity((0.0, 0.0, 0.0))
    simulation.rejoin(replace(mechanism, settings=(JointSettings(),)))
    simulation.step(1.0 / 60.0)
    assert len(simulation.joint_nodes) == 1
