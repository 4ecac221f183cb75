# SPDX-License-Identifier: GPL-3.0-or-later
"""Angles are twists, for the model, the solver, posing and drawing alike, however far they turn."""

from __future__ import annotations

from math import pi
from random import Random

import numpy as np
import pytest
from solver.building import Builder

from omi_physics_joint.drawing.joint_table import joint_table, joint_values
from omi_physics_joint.model.geometry.transform import linear_part, quaternion_from_rotation
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.coordinates import coordinates
from omi_physics_joint.model.settings.spans import spans_of
from omi_physics_joint.posing import Posing
from omi_physics_joint.posing.spanning_tree import turn_axes, turns_of
from omi_physics_joint.solver import Options, Simulation, SoftLocks
from omi_physics_joint.solver.kinematics.rotation import Array, matrix_of, quaternion_of
from tests.model.building import random_quaternion, turned

ROUND = (0.02, 0.02, 0.02)
"""Inertia of a body whose energy no tumbling changes."""
WEIGHTLESS = Options(gravity=(0.0, 0.0, 0.0))
STEP = 1.0 / 60.0
PLACE = Limit((0, 1, 2), (), 0.0, 0.0)


def lock(axis: int, at: float = 0.0, **soft: float) -> Limit:
    """Return the lock of an angle."""
    return Limit((), (axis,), at, at, **soft)


def room(axis: int, low: float, high: float) -> Limit:
    """Return the bounds of an angle."""
    return Limit((), (axis,), low, high)


KINDS = {
    "ball": (),
    "three bounds": tuple(room(axis, -2.8, 2.9) for axis in AXES),
    "one lock": (lock(1), room(0, -3.0, 3.0)),
    "one lock aside": (lock(2, 0.7), room(0, -3.0, 3.0)),
    "two locks": (lock(0), lock(2), room(1, -3.1, 3.1)),
    "two locks aside": (lock(0, -0.4), lock(1, 1.2)),
    "three locks aside": (lock(0, -0.4), lock(1, 1.2), lock(2, 0.3)),
    "soft locks": tuple(lock(axis, 0.2 * axis, stiffness=5.0) for axis in AXES),
    "soft locks aside": (lock(0, 0.9, stiffness=5.0), lock(2, -0.5, stiffness=5.0)),
}


def joined(
    limits: tuple[Limit, ...],
    q: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0),
    *,
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0),
    inertia: tuple[float, float, float] = (0.02, 0.03, 0.025),
    drives: tuple[Drive, ...] = (),
) -> tuple[Simulation, int]:
    """Return a body on the ground by a joint at its centre, turned and spinning, and the joint."""
    made = Builder()
    ground = made.ground()
    body = made.body(rotation=q, angular_velocity=spin, inertia_diagonal=inertia)  # type: ignore[arg-type]
    settings = JointSettings("Joint", (PLACE, *limits), drives)
    joint = made.joint(ground, body, settings, connected_rotation=q)  # type: ignore[arg-type]
    return Simulation(made.mechanism(), WEIGHTLESS), joint


def in_joint(simulation: Simulation) -> Array:
    """Return the rotation of the connected body, which is that in the joint frame: (3, 3)."""
    return np.asarray(matrix_of(simulation.rotations)[1])


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_everybody_reads_the_same_angles(name: str, seed: int) -> None:
    """Model, solver, posing and drawing say the same of any pose, also far outside of limits.

    And whatever the solver makes of soft locks.
    """
    made = Builder()
    ground = made.ground()
    q = random_quaternion(Random(seed))
    body = made.body(rotation=q)
    settings = JointSettings("Joint", (PLACE, *KINDS[name]))
    joint = made.joint(ground, body, settings, connected_rotation=q)
    mechanism = made.mechanism()
    own = mechanism.nodes[joint]
    assert own.joint is not None
    frames = [own.world, mechanism.nodes[own.joint.connected_node].world]
    expected = coordinates(spans_of(settings.limits), *frames)
    for locks in SoftLocks:
        found = Simulation(mechanism, Options(soft_locks=locks)).coordinates(joint)
        assert found == pytest.approx(expected, abs=1e-9)
    assert Posing(mechanism).values(joint) == pytest.approx(expected, abs=1e-9)
    table = joint_table([settings], [1.0])
    drawn = joint_values(table, *(np.array([frame]) for frame in frames), np.arange(1))
    assert drawn[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_three_twists_make_the_rotation_again(seed: int) -> None:
    """What posing makes of three angles is read as them, and it turns about the axes it says."""
    random = np.random.default_rng(seed)
    angles = random.uniform(-3.0, 3.0, (1, 3))
    rotation = turns_of(angles)[0]
    assert rotation == pytest.approx(np.array(linear_part(turned(*angles[0]))))
    step = 1e-6
    for axis in AXES:
        change = np.zeros((1, 3))
        change[0, axis] = step
        ahead, behind = turns_of(angles + change)[0], turns_of(angles - change)[0]
        spun = quaternion_of((ahead @ behind.T)[None])[0, :3] / step
        assert turn_axes(angles)[0, :, axis] == pytest.approx(spun, abs=1e-8)


@pytest.mark.parametrize("free", AXES)
@pytest.mark.parametrize("at", [(0.0, 0.0), (0.5, -0.8)])
def test_a_hinge_holds_through_many_turns(free: int, at: tuple[float, float]) -> None:
    """Two locks, also aside, leave a turn about one axis, which is counted past full circles."""
    first, second = (axis for axis in AXES if axis != free)
    angles = [0.0, 0.0, 0.0]
    angles[first], angles[second] = at
    q = quaternion_from_rotation(linear_part(turned(*angles)))
    limits = (lock(first, at[0]), lock(second, at[1]), room(free, -100.0, 100.0))
    spin = [0.0, 0.0, 0.0]
    spin[free] = 9.0
    simulation, joint = joined(limits, q, spin=tuple(spin))  # type: ignore[arg-type]
    start, axes, values = in_joint(simulation), [], []
    for _ in range(180):
        assert simulation.step(STEP).converged
        report = simulation.joint_report()
        assert report.misalignment.max() <= 1e-6
        found = simulation.coordinates(joint)[3:]
        assert (found[first], found[second]) == pytest.approx(at, abs=1e-5)
        values.append(found[free])
        axis = quaternion_of((start.T @ in_joint(simulation))[None])[0, :3]
        if np.linalg.norm(axis) > 0.3:
            axes.append(axis / np.linalg.norm(axis))
    assert abs(values[-1]) > 3.0 * pi
    assert (np.diff(values) * np.sign(values[-1]) > 0.0).all()
    assert np.abs(np.abs(np.array(axes) @ axes[0]) - 1.0).max() < 1e-9


def test_a_weld_aside_holds() -> None:
    """Three locks away from zero are one rotation, and it stays."""
    at = (0.6, -1.1, 2.0)
    q = quaternion_from_rotation(linear_part(turned(*at)))
    simulation, joint = joined(tuple(map(lock, AXES, at)), q)
    simulation.set_gravity((3.0, -2.0, 1.0))
    before = in_joint(simulation)
    for _ in range(60):
        assert simulation.step(STEP).converged
    assert simulation.coordinates(joint)[3:] == pytest.approx(at, abs=1e-6)
    assert np.abs(in_joint(simulation) - before).max() < 1e-6


@pytest.mark.parametrize("locked", AXES)
@pytest.mark.parametrize("at", [0.0, 0.6])
def test_a_universal_joint_goes_round(locked: int, at: float) -> None:
    """One lock holds and takes no energy, while the other two angles go through the full circle."""
    angles = [0.0, 0.0, 0.0]
    angles[locked] = at
    q = quaternion_from_rotation(linear_part(turned(*angles)))
    spin = [4.0, 5.0, -6.0]
    spin[locked] = 0.0
    simulation, joint = joined((lock(locked, at),), q, spin=tuple(spin))  # type: ignore[arg-type]
    before, upright = simulation.energy().total, []
    for _ in range(240):
        assert simulation.step(STEP).converged
        assert simulation.joint_report().misalignment.max() <= 1e-6
        upright.append(in_joint(simulation).trace())
    assert simulation.coordinates(joint)[3 + locked] == pytest.approx(at, abs=1e-5)
    assert min(upright) < -0.9
    assert simulation.energy().total == pytest.approx(before, rel=5e-3)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_bounds_of_three_angles_hold_beyond_a_quarter_turn(axis: int, way: float) -> None:
    """A ball that is bounded about all three axes stops at 140 degrees about each of them."""
    limits = tuple(room(one, -2.44, 2.44) if one == axis else room(one, -0.5, 0.5) for one in AXES)
    spin = [0.2, 0.1, -0.15]
    spin[axis] = 6.0 * way
    simulation, joint = joined(limits, spin=tuple(spin))  # type: ignore[arg-type]
    furthest = 0.0
    for _ in range(90):
        assert simulation.step(STEP).converged
        assert simulation.joint_report().overshoot.max() <= 1e-6
        furthest = max(furthest, way * simulation.coordinates(joint)[3 + axis])
    assert furthest == pytest.approx(2.44, abs=1e-6)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("aside", [0.0, 1e-9, 1e-4, 0.02, 0.3])
def test_a_damped_ball_slows_down_wherever_it_turns(axis: int, aside: float) -> None:
    """Past a quarter turn and half a turn, about any axis, dampers never give energy."""
    drives = tuple(
        Drive(Freedom.ANGULAR, DriveMode.FORCE, one, velocity_target=0.0, damping=0.02)
        for one in AXES
    )
    spin = [aside * 9.0] * 3
    spin[axis] = 9.0
    simulation, _ = joined((), spin=tuple(spin), inertia=ROUND, drives=drives)  # type: ignore[arg-type]
    energies = [simulation.energy().kinetic]
    for _ in range(120):
        simulation.step(STEP)
        energies.append(simulation.energy().kinetic)
    assert np.isfinite(energies).all()
    assert (np.diff(energies) <= 1e-9).all()
    assert energies[-1] < 0.5 * energies[0]


@pytest.mark.parametrize("driven", AXES)
@pytest.mark.parametrize("seed", range(4))
def test_one_damper_on_a_tumbling_ball_never_gives_energy(driven: int, seed: int) -> None:
    """A damper about one axis, while the body tumbles past half a turn about the others."""
    random = np.random.default_rng(seed)
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, driven, velocity_target=0.0, damping=0.01)
    spin = tuple(random.normal(size=3) * 6.0)
    simulation, _ = joined((), spin=spin, inertia=ROUND, drives=(drive,))
    start = before = simulation.energy().kinetic
    for _ in range(240):
        simulation.step(STEP)
        now = simulation.energy().kinetic
        assert now <= before + 1e-5 * start
        before = now
