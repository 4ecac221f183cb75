# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing a mechanism says raises, makes numbers that are none, or feeds energy in."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest
from solver.building import Builder, chain

from omi_physics_joint.gltf.document import load
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model import recipes
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver import Options, Simulation, SoftLocks

EXAMPLES = (
    "hanging_rope",
    "pendulum_balls",
    "rope_railing",
    "simple_joint",
    "slider_ball",
    "swing_and_slide",
    "weld_joint",
)


def is_sound(simulation: Simulation) -> bool:
    """Return whether all that the outside sees is numbers."""
    report = simulation.joint_report()
    energy = simulation.energy()
    parts = (
        simulation.positions,
        simulation.rotations,
        simulation.linear_velocities,
        simulation.angular_velocities,
        report.separation,
        report.misalignment,
        report.overshoot,
        report.force,
        report.torque,
        np.array([energy.kinetic, energy.potential]),
    )
    return all(bool(np.isfinite(part).all()) for part in parts)


def random_settings(random: np.random.Generator, *, wild: bool) -> JointSettings:
    """Return limits and drives of any kind; wild ones contradict, explode and are not numbers."""
    base = random.integers(5)
    axis = int(random.integers(3))
    if base == 0:
        settings = recipes.pin()
    elif base == 1:
        settings = recipes.hinge(axis, -random.random(), random.random())
    elif base == 2:
        settings = recipes.slider(axis, -random.random(), random.random())
    elif base == 3:
        settings = recipes.weld()
    else:
        settings = JointSettings()
    limits, drives = list(settings.limits), []
    for _ in range(random.integers(3)):
        low, high = sorted(random.normal(size=2))
        chosen = tuple(int(a) for a in range(3) if random.random() < 0.5) or (0,)
        soft = random.random() < 0.5
        stiffness = float(10.0 ** random.uniform(-3, 9)) if soft else inf
        limit = Limit(
            min=low,
            max=high if random.random() < 0.7 else low,
            stiffness=stiffness,
            damping=float(10.0 ** random.uniform(-3, 5)),
        )
        if random.random() < 0.5:
            limit = replace(limit, linear_axes=chosen)
        else:
            limit = replace(limit, angular_axes=chosen)
        if wild and random.random() < 0.2:
            limit = replace(limit, min=high, max=low - 1.0)
        limits.append(limit)
    for _ in range(random.integers(3)):
        drives.append(
            Drive(
                (Freedom.LINEAR, Freedom.ANGULAR)[random.integers(2)],
                (DriveMode.FORCE, DriveMode.ACCELERATION)[random.integers(2)],
                int(random.integers(3)),
                max_force=float(10.0 ** random.uniform(-1, 4)) if random.random() < 0.5 else inf,
                position_target=float(random.normal()) if random.random() < 0.6 else None,
                velocity_target=float(random.normal()) if random.random() < 0.6 else None,
                stiffness=float(10.0 ** random.uniform(-3, 9 if wild else 4)),
                damping=nan
                if wild and random.random() < 0.05
                else float(10.0 ** random.uniform(-3, 5 if wild else 3)),
            )
        )
    return JointSettings(limits=tuple(limits), drives=tuple(drives))


def random_mechanism(seed: int, *, wild: bool) -> Mechanism:
    """Return up to six bodies and up to eight joints between any of them."""
    random = np.random.default_rng(seed)
    made = Builder()
    bodies = [made.ground()]
    for _ in range(random.integers(1, 6)):
        mass = float(10.0 ** random.uniform(-3, 3))
        if wild and random.random() < 0.1:
            mass = (0.0, inf, -1.0, 1e12, 1e-12)[random.integers(5)]
        inertia = mass * 0.05 * (1.0 + random.random(3)) if np.isfinite(mass) else np.zeros(3)
        if random.random() < 0.2:
            inertia = np.zeros(3)
        turn = random.normal(size=4)
        turn /= np.sqrt((turn**2).sum())
        bodies.append(
            made.body(
                tuple(random.normal(size=3)),
                tuple(turn),
                kind=MotionType.KINEMATIC if random.random() < 0.1 else MotionType.DYNAMIC,
                mass=mass,
                inertia_diagonal=tuple(np.maximum(inertia, 0.0)),
                center_of_mass=tuple(0.1 * random.normal(size=3)),
                linear_velocity=tuple(random.normal(size=3)),
                angular_velocity=tuple(2.0 * random.normal(size=3)),
            )
        )
    for _ in range(random.integers(1, 8)):
        a, b = (bodies[i] for i in random.integers(len(bodies), size=2))
        place = tuple(random.normal(size=3))
        turn = random.normal(size=4)
        turn /= np.sqrt((turn**2).sum())
        apart = random.random() < 0.3
        other = tuple(np.array(place) + 0.3 * random.normal(size=3)) if apart else None
        made.joint(
            a,
            b,
            random_settings(random, wild=wild),
            place,
            tuple(turn),
            connected_place=other,
            connected_rotation=tuple(random.normal(size=4)) if apart else None,
        )
    return made.mechanism()


@pytest.mark.parametrize("block", range(8))
def test_random_mechanisms_never_break_the_solver(block: int) -> None:
    """Whatever joints, masses, stiffnesses and frames: no exception and no NaN."""
    for seed in range(12 * block, 12 * block + 12):
        random = np.random.default_rng(10000 + seed)
        simulation = Simulation(random_mechanism(seed, wild=seed % 2 == 0))
        dt = 1.0 / float(random.choice([24.0, 60.0, 240.0]))
        for _ in range(6):
            simulation.step(dt)
            assert is_sound(simulation), seed


@pytest.mark.parametrize("mass", [1e-6, 1.0, 1e6])
def test_masses_of_any_size(mass: float) -> None:
    """A chain whose last body is a million times heavier or lighter than the rest holds."""
    simulation = Simulation(chain(4, weight=mass))
    start = simulation.energy().total
    for _ in range(60):
        assert simulation.step(1.0 / 60.0).converged
        assert simulation.joint_report().separation.max() <= 1e-6
        assert simulation.energy().total - start <= 2e-3 * 10.0 * max(mass, 4.0)


def test_body_without_mass_is_named() -> None:
    """A mass of zero is an issue, and counts as 1 kg."""
    made = Builder()
    body = made.body(mass=0.0)
    made.joint(made.ground(), body, recipes.pin())
    simulation = Simulation(made.mechanism())
    simulation.step(1.0 / 60.0)
    assert "mass-not-positive" in {issue.code for issue in simulation.issues}


def test_empty_mechanism_steps() -> None:
    """Nothing at all can be simulated."""
    simulation = Simulation(Mechanism())
    report = simulation.step(1.0 / 60.0)
    assert report.converged
    assert simulation.positions.shape == (0, 3)
    assert simulation.joint_report().force.shape == (0, 3)


def test_singular_pose_is_passed() -> None:
    """A pendulum hanging from its own centre of mass, and one straight up, do no harm."""
    made = Builder()
    ground = made.ground()
    made.joint(ground, made.body(), recipes.pin())
    made.joint(ground, made.body((0.0, 1.0, 0.0)), recipes.hinge(2))
    simulation = Simulation(made.mechanism())
    for _ in range(60):
        assert simulation.step(1.0 / 60.0).converged
    assert is_sound(simulation)


@pytest.mark.parametrize("name", EXAMPLES)
def test_official_example_stays_together(shared_examples: Path, name: str) -> None:
    """Each official example hangs together for 10 s when soft locks are read as rigid."""
    document = load(shared_examples / "examples" / f"{name}.gltf")
    mechanism = read(document.json).mechanism
    simulation = Simulation(mechanism, Options(soft_locks=SoftLocks.RIGID))
    for _ in range(300):
        assert simulation.step(1.0 / 30.0).converged
        report = simulation.joint_report()
        assert report.separation.max(initial=0.0) <= 1e-6
        assert report.overshoot.max(initial=0.0) <= 1e-6
    assert is_sound(simulation)


def test_official_rope_falls_apart_when_read_literally(shared_examples: Path) -> None:
    """Read as what its numbers say, a rope of 0.3 N/m does not bear a kilogram."""
    document = load(shared_examples / "examples" / "hanging_rope.gltf")
    mechanism = read(document.json).mechanism
    simulation = Simulation(mechanism)
    for _ in range(60):
        simulation.step(1.0 / 60.0)
    joint = simulation.joint_nodes[0]
    assert np.abs(simulation.coordinates(joint)[:3]).max() > 0.5
