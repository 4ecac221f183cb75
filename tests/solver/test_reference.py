# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine in NumPy by itself: known motions, what is kept, and lanes that know of no other."""

from __future__ import annotations

from dataclasses import fields
from math import pi
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from solver.building import Builder, chain, rod_inertia

from benchmarks.solver.random_mechanisms import open_mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.engines.compiled import compiled_engine
from omi_physics_joint.solver.engines.engine import engine
from omi_physics_joint.solver.engines.kernel import load
from omi_physics_joint.solver.engines.reference import REFERENCE
from omi_physics_joint.solver.island_group import IslandGroup
from omi_physics_joint.solver.linalg.elimination import Elimination
from omi_physics_joint.solver.state import State
from omi_physics_joint.solver.system import System

Array = NDArray[np.float64]
FRAME = 1.0 / 60.0
TOLERANCE = 1e-6
STATE = tuple(field.name for field in fields(State))


def advance(group: IslandGroup, frames: int, dt: float = FRAME) -> list[Array]:
    """Step a group by the reference; return the positions of its bodies after each frame."""
    stepper = REFERENCE.stepper(group.system, group.state)
    stepper.begin(continued=False)
    positions = []
    for _ in range(frames):
        assert stepper.step(dt, dt, TOLERANCE).reports["done"].all()
        positions.append(group.state.position[:, : group.system.bodies].copy())
    return positions


def swinging(count: int, *, limited: bool) -> Simulation:
    """Return doors on hinges, each let go at another angle."""
    made = Builder()
    ground = made.ground()
    for number in range(count):
        place = (3.0 * number, 0.0, 0.0)
        angle = 0.1 + 0.05 * number
        turn = (0.0, 0.0, float(np.sin(angle / 2)), float(np.cos(angle / 2)))
        middle = (place[0] + 0.5 * float(np.cos(angle)), 0.5 * float(np.sin(angle)), 0.0)
        door = made.body(middle, turn, inertia_diagonal=rod_inertia(1.0))
        limits = (-0.4 - 0.01 * number, 0.7) if limited else ()
        made.joint(ground, door, recipes.hinge(2, *limits), place)
    return Simulation(made.mechanism())


def test_a_pendulum_takes_as_long_as_the_closed_form_says() -> None:
    """From rest at the horizontal: the quarter period is the complete elliptic integral."""
    (group,) = Simulation(chain(1, link=1.0)).groups
    inertia = rod_inertia(1.0)[2] + 0.25
    mean = 1.0  # arithmetic-geometric mean of 1 and cos(amplitude / 2), amplitude pi / 2
    other = float(np.cos(pi / 4.0))
    while mean - other > 1e-15:
        mean, other = 0.5 * (mean + other), float(np.sqrt(mean * other))
    quarter = 0.5 * pi / mean * float(np.sqrt(inertia / (9.81 * 0.5)))
    positions = advance(group, 30, quarter / 30.0)
    assert positions[-1][0, 0] == pytest.approx([0.0, -0.5, 0.0], abs=2e-6)


@pytest.mark.long
@pytest.mark.parametrize("count", [3, 40], ids=("dense", "by blocks"))
def test_a_chain_keeps_its_energy(count: int) -> None:
    """Kinetic and potential energy together, over half a second of falling."""
    (group,) = Simulation(chain(count)).groups
    before = sum(group.energy())
    advance(group, 30)
    assert sum(group.energy()) == pytest.approx(before, abs=1e-5 * count)


def test_what_floats_keeps_its_momentum() -> None:
    """Three rods on pins, one of them spinning, without gravity."""
    made = Builder()
    bodies = [
        made.body((0.2 * i, 0.0, 0.0), angular_velocity=(0.0, 3.0 * i, 1.0 - i)) for i in range(3)
    ]
    for i in range(2):
        made.joint(bodies[i], bodies[i + 1], recipes.pin(), (0.2 * i + 0.1, 0.0, 0.0))
    (group,) = Simulation(made.mechanism(), Options(gravity=(0.0, 0.0, 0.0))).groups
    system, state = group.system, group.state
    stepper = REFERENCE.stepper(system, state)
    stepper.begin(continued=False)

    def momenta() -> Array:
        roots, v = system.roots[0], state.velocity[0]
        push = roots[:, :3] * v[:, :3]
        own = np.einsum("nij,nj->ni", state.rotation[0, :3], roots[:, 3:] * v[:, 3:])
        angular = own + np.cross(state.position[0, :3], push)
        return np.concatenate([push.sum(0), angular.sum(0)])

    before = momenta()
    for _ in range(60):
        stepper.step(FRAME, FRAME, TOLERANCE)
    assert momenta() == pytest.approx(before, abs=1e-8)


@pytest.mark.long
@pytest.mark.parametrize("limited", [False, True], ids=("free", "at bounds"))
def test_a_lane_does_not_know_its_neighbours(limited: bool) -> None:
    """Thirty doors together do what each does alone, to the last bit."""
    (group,) = swinging(30, limited=limited).groups
    together = advance(group, 45)
    for number in (0, 7, 29):
        alone = one_of(swinging(30, limited=limited).groups[0], number)
        for frame, position in enumerate(advance(alone, 45)):
            assert np.array_equal(position[0], together[frame][number]), (number, frame)


def one_of(group: IslandGroup, number: int) -> IslandGroup:
    """Return a group of one of its islands only."""
    shared = {
        "ends",
        "axle",
        "row_start",
        "coordinate",
        "kind",
        "element_row",
        "is_drive",
        "one_sided",
    }
    shared |= {"accelerates", "order", "later_start", "later_node", "update"}
    values = {}
    for field in fields(System):
        value = getattr(group.system, field.name)
        own = isinstance(value, np.ndarray) and field.name not in shared
        values[field.name] = value[number : number + 1].copy() if own else value
    state = State(*(getattr(group.state, name)[number : number + 1].copy() for name in STATE))
    return IslandGroup(System(**values), state, group.numbers, group.members, engine())


@pytest.mark.parametrize("bodies", ["chain", "star"])
def test_blocks_solve_what_the_dense_matrix_does(bodies: str) -> None:
    """Random Jacobians of a chain of twelve, and of twelve joints around one body."""
    random, count = np.random.default_rng(3), 12
    made = Builder()
    nodes = [made.body((0.2 * i, 0.0, 0.0)) for i in range(count)]
    before = [made.ground(), *nodes] if bodies == "chain" else [nodes[0]] * count
    settings = recipes.pin(), recipes.hinge(1)
    for i, node in enumerate(nodes[bodies == "star" :]):
        made.joint(before[i], node, settings[i % 2])
    (group,) = Simulation(made.mechanism()).groups
    plan, system = Elimination(group.system), group.system
    entry = random.normal(size=(2, 3, system.rows, 2, 6))
    entry[:, :, system.ends[system.joint_of_row] >= count] = 0.0
    force = random.normal(size=(2, 3, count, 6))
    rhs = random.normal(size=(2, 3, system.rows))
    active = random.random((2, system.rows)) < 0.8
    for rounds, little in ((0, 0.0), (2, 1e-10)):
        answers = []
        for plan.is_small in (False, True):
            answers.append(plan.factor(entry, active, 0.0, little).solve(force, rhs, rounds))
        for one, other in zip(*answers, strict=True):
            assert one == pytest.approx(other, abs=1e-8)


@pytest.mark.parametrize("seed", range(12))
def test_random_open_mechanisms_go_as_by_the_kernel(seed: int, kernel_library: Path) -> None:
    """From wherever the kernel is, by the same steps to the same place."""
    library = load(kernel_library).library
    assert library is not None
    mechanism, _, _ = open_mechanism(seed)
    for group in Simulation(mechanism).groups:
        state, other = group.state, group.state.copy()
        kernel = compiled_engine(library).stepper(group.system, state)
        reference = REFERENCE.stepper(group.system, other)
        for frame in range(6):
            other.take(state)
            went = kernel.step(FRAME, FRAME, TOLERANCE)
            same = reference.step(FRAME, FRAME, TOLERANCE)
            assert same.reports["steps"].tolist() == went.reports["steps"].tolist(), frame
            assert other.position == pytest.approx(state.position, abs=1e-9), frame
            assert other.velocity == pytest.approx(state.velocity, abs=1e-8), frame
