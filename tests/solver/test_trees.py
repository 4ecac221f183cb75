# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of ball joints: where they go, what they bear, and that they stay together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solver.building import Array, Builder, chain, run

from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Options, Simulation

FRAME = 1.0 / 60.0


def random_tree(seed: int, trees: int = 1, bodies: int = 7) -> Mechanism:
    """Return trees of odd bodies, moving, on pins that are held now from here, now from there."""
    random = np.random.default_rng(seed)
    made = Builder()
    ground = made.ground()
    shape = [int(random.integers(-1, k)) if k else -1 for k in range(bodies)]
    shape = [-1 if k == 0 else max(parent, 0) for k, parent in enumerate(shape)]
    turned = [bool(random.integers(2)) for _ in shape]
    for _ in range(trees):
        nodes: list[int] = []
        places: list[Array] = []
        for parent, swap in zip(shape, turned, strict=True):
            start = places[parent] if parent >= 0 else random.normal(size=3)
            place = start + 0.3 * random.normal(size=3)
            q = random.normal(size=4)
            inertia = 0.02 * (1.0 + random.random(3))
            body = made.body(
                tuple(place),
                tuple(q / np.sqrt(q @ q)),
                mass=float(0.5 + random.random()),
                inertia_diagonal=tuple(inertia),
                center_of_mass=tuple(0.05 * random.normal(size=3)),
                angular_velocity=tuple(2.0 * random.normal(size=3)),
            )
            holder = nodes[parent] if parent >= 0 else ground
            ends = (body, holder) if swap else (holder, body)
            made.joint(*ends, recipes.pin(), tuple(0.5 * (start + place)))
            nodes.append(body)
            places.append(place)
    return made.mechanism()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_trees_move_as_finer_steps_say(seed: int) -> None:
    """At one step a frame poses, velocities and forces are those of much finer steps."""
    mechanism = random_tree(seed, trees=1 + seed % 3)
    ours = Simulation(mechanism)
    finer = Simulation(mechanism, Options(substeps=8, accuracy=1e-11))
    assert run(ours, 0.2)[-1] == pytest.approx(run(finer, 0.2)[-1], abs=2e-5)
    assert ours.angular_velocities == pytest.approx(finer.angular_velocities, abs=2e-3)
    assert ours.linear_velocities == pytest.approx(finer.linear_velocities, abs=1e-3)
    assert ours.joint_report().force == pytest.approx(finer.joint_report().force, abs=5e-3)
    assert ours.joint_report().torque == pytest.approx(finer.joint_report().torque, abs=1e-6)
    assert ours.energy().total == pytest.approx(finer.energy().total, abs=1e-4)


def test_nothing_comes_apart() -> None:
    """Points that should coincide do, to a hundredth of the accuracy."""
    simulation = Simulation(random_tree(1, bodies=12))
    for _ in range(60):
        assert not simulation.step(FRAME).first_order
        assert simulation.joint_report().separation.max() < 1e-8


def test_trees_side_by_side_do_not_know_of_one_another() -> None:
    """Equal trees in one group move as they do alone, bit for bit."""
    both = Simulation(random_tree(5, trees=2))
    one = Simulation(random_tree(5, trees=1))
    assert (run(both, 0.3)[-1][:8] == run(one, 0.3)[-1]).all()


def test_rest_pose_that_is_apart_comes_together() -> None:
    """A violated rest pose comes in within half a second."""
    made = Builder()
    ground = made.ground()
    body = made.body((0.3, 0.0, 0.0))
    made.joint(ground, body, recipes.pin(), connected_place=(0.1, 0.0, 0.0))
    simulation = Simulation(made.mechanism())
    apart = []
    for _ in range(40):
        assert not simulation.step(FRAME).first_order
        assert simulation.joint_report().separation.max() < 1e-8
        apart.append(float(np.linalg.norm(simulation.coordinates(2)[:3])))
    assert apart[5] > 0.01
    assert max(apart[31:]) < 1e-8


def test_weight_hangs_still_and_is_borne() -> None:
    """A tree that hangs at rest stays there, and its first joint bears its weight."""
    made = Builder()
    ground = made.ground()
    upper = made.body((0.0, -0.5, 0.0), mass=2.0)
    made.joint(ground, upper, recipes.pin())
    for mass in (1.0, 3.0):
        lower = made.body((0.0, -1.5, 0.0), mass=mass)
        made.joint(lower, upper, recipes.pin(), (0.0, -1.0, 0.0))
    simulation = Simulation(made.mechanism())
    start = simulation.positions
    for _ in range(30):
        simulation.step(FRAME)
    assert simulation.positions == pytest.approx(start, abs=1e-12)
    force = simulation.joint_report().force[:, 1]
    assert force == pytest.approx([6.0 * 9.81, -9.81, -3.0 * 9.81])


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_energy_stays_for_long(seed: int) -> None:
    """Over 20 s of tumbling a tree gains no more than a thousandth of what moves."""
    simulation = Simulation(random_tree(seed, bodies=4))
    start, highest, moved = simulation.energy().total, -np.inf, 0.0
    for _ in range(1200):
        assert simulation.step(FRAME).converged
        energy = simulation.energy()
        highest, moved = max(highest, energy.total), max(moved, energy.kinetic)
    assert highest - start < 1e-3 * moved


def test_change_in_between_is_followed() -> None:
    """Gravity and settings may change between steps; a checkpoint carries the guesses along."""
    mechanism = chain(3)
    pins = mechanism.settings
    welded = (pins[0], recipes.weld(), pins[2])
    simulation = Simulation(mechanism)
    run(simulation, 0.3)
    simulation.set_gravity((3.0, -9.81, 0.0))
    kept = simulation.checkpoint()
    first = run(simulation, 0.3)[-1]
    simulation.joint_report()
    simulation.rejoin(replace(mechanism, settings=welded))
    assert simulation.step(FRAME).converged
    simulation.rejoin(replace(mechanism, settings=pins))
    assert simulation.step(FRAME).converged
    simulation.restore(kept)
    simulation.joint_report()
    assert (run(simulation, 0.3)[-1] == first).all()


@pytest.mark.parametrize("fps", [24.0, 60.0])
@pytest.mark.parametrize("length", [1.0, 0.01, 0.001])
def test_small_trees_move_as_exactly_as_large_ones(length: float, fps: float) -> None:
    """Of a millimetre, at 24 frames a second: no frame is rough, and joints hold to their size."""
    draw = np.random.default_rng(9)
    made, places = Builder(), [np.zeros(3)]
    bodies = [made.ground()]
    for number in range(6):
        above = int(draw.integers(len(bodies)))
        way = draw.normal(size=3)
        end = places[above] + length * way / np.linalg.norm(way)
        x, y, z = (0.5 * (places[above] + end)).tolist()
        mass = float(10.0 ** draw.uniform(-1.0, 1.0))
        inertia = (mass * length * length * draw.uniform(0.05, 0.1, 3)).tolist()
        body = made.body((x, y, z), mass=mass, inertia_diagonal=tuple(inertia))
        settings = recipes.hinge(number % 3) if number % 2 else recipes.pin()
        made.joint(bodies[above], body, settings, tuple(places[above].tolist()))
        bodies.append(body)
        places.append(end)
    simulation = Simulation(made.mechanism())
    for _ in range(round(fps)):
        report = simulation.step(1.0 / fps)
        assert report.converged
        assert not report.first_order
    assert simulation.joint_report().separation.max() < 1e-6 * length
