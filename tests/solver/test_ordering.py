# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies and joints are eliminated one by one: the answer is that of one dense matrix."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from solver.building import Builder

from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.kinematics.island_rows import jacobian_of
from omi_physics_joint.solver.reading.ordering import Ordering, ordering_of


def branching(seed: int, loops: int) -> Builder:
    """Return bodies that hang in branches on welds, hinges and pins, some the other way round."""
    random = np.random.default_rng(seed)
    made = Builder()
    nodes = [made.ground()]
    kinds = (recipes.weld(), recipes.hinge(1), recipes.pin())
    for number in range(14):
        parent = nodes[0] if not number else nodes[1 + int(random.integers(number))]
        body = made.body(tuple(random.normal(size=3)), mass=float(0.5 + random.random()))
        ends = (parent, body) if random.integers(2) else (body, parent)
        made.joint(*ends, kinds[number % 3], tuple(random.normal(size=3)))
        nodes.append(body)
    for _ in range(loops):
        first, second = random.choice(15, 2, replace=False)
        made.joint(nodes[first], nodes[second], recipes.pin(), tuple(random.normal(size=3)))
    return made


@pytest.mark.parametrize("loops", [0, 2])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_solved_is_the_system_that_was_asked_for(seed: int, loops: int) -> None:
    """What falls from rest does so as one dense matrix says, and bears what it says."""
    simulation = Simulation(branching(seed, loops).mechanism())
    (group,) = simulation.groups
    (rows,) = jacobian_of(group.system, group.state)
    weight = group.system.weight.reshape(-1)
    forces = np.linalg.lstsq(rows @ rows.T, -rows @ weight, rcond=1e-10)[0]  # of least norm
    brief = 1e-6
    simulation.step(brief)
    found = group.state.velocity.reshape(-1) / brief
    assert found == pytest.approx(weight + rows.T @ forces, abs=1e-4)
    borne = np.zeros((group.system.joints, 3))
    straight = group.system.coordinate < 3
    axes = np.stack([np.eye(3)[c] for c in group.system.coordinate[straight]])
    joint = group.system.joint_of_row[straight]
    np.add.at(borne, joint, forces[straight, None] * axes)
    sizes = np.linalg.norm(simulation.joint_report().force, axis=1)
    assert sizes == pytest.approx(np.linalg.norm(borne, axis=1), rel=1e-2)


def is_possible(ordering: Ordering, bodies: int, ends: list[tuple[int, int]]) -> bool:
    """Return whether every joint comes after a body of it, and every block that fills is there."""
    near = {node: set[int]() for node in range(bodies + len(ends))}
    for joint, pair in enumerate(ends, bodies):
        for body in pair:
            if body < bodies:
                near[body].add(joint)
                near[joint].add(body)
    place = {node: at for at, node in enumerate(ordering.order)}
    own = {node: set(around) for node, around in near.items()}
    for at, node in enumerate(ordering.order):
        if node >= bodies and not any(place[body] < at for body in near[node]):
            return False
        first, last = ordering.later_start[at], ordering.later_start[at + 1]
        later = ordering.later_node[first:last]
        if {other for other in own[node] if place[other] > at} != set(later):
            return False
        for other in later:
            own[other] |= {one for one in own[node] if one != other}
    return sorted(place) == sorted(near)


@pytest.mark.parametrize("seed", range(12))
def test_orders_are_possible(seed: int) -> None:
    """Nets of any kind, with joints to several bodies that are led or stand, at either end."""
    random = np.random.default_rng(seed)
    bodies, led = 12, 3
    pairs = [
        (bodies + 2 - seed % led, 0),
        *((int(random.integers(i)), i) for i in range(1, bodies)),
    ]
    pairs += [random.choice(bodies, 2, replace=False).tolist() for _ in range(seed)]
    pairs += [(int(random.integers(bodies)), bodies + at) for at in range(seed % led)]
    for ends in ([(a, b) for a, b in pairs], [(b, a) for a, b in pairs]):
        assert is_possible(ordering_of(bodies, ends), bodies, ends)


@pytest.mark.parametrize("kind", ["chain", "star", "tree"])
def test_trees_fill_next_to_nothing(kind: str) -> None:
    """One block where a joint is on a body, and one more for each body with two joints."""
    bodies = 2000
    parent = {"chain": lambda i: i - 1, "star": lambda _: 0, "tree": lambda i: (i - 1) // 2}[kind]
    ends = [(0, bodies), *((parent(i), i) for i in range(1, bodies))]
    ordering = ordering_of(bodies, ends)
    at = Counter(body for pair in ends for body in pair)
    in_row = sum(at[body] == 2 for body in range(bodies))
    assert in_row == {"chain": bodies - 1, "star": 0, "tree": 1}[kind]
    assert len(ordering.later_node) == 2 * bodies - 1 + in_row
    assert len(ordering.update) < 2 * bodies
