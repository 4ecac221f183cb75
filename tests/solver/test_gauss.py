# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of ball joints: the law of their motion, their method, and when it is not taken."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from solver.building import Array, Builder, chain, run

from omi_physics_joint.model import recipes
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver import KinematicMotion, Method, Options, Simulation, gauss
from omi_physics_joint.solver.trees import Trees, layout_of

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


def trees_of(simulation: Simulation) -> Trees:
    """Return the law of motion of a simulation that is one group of trees."""
    (group,) = simulation.groups
    layout = layout_of(group.system)
    assert layout is not None
    return Trees(group.system, layout, 1)


@pytest.mark.parametrize("seed", range(4))
def test_mass_matrix_is_that_of_the_kinetic_energy(seed: int) -> None:
    """Half of w M w is the kinetic energy of the bodies as they are placed, whatever the spins."""
    random = np.random.default_rng(seed)
    simulation = Simulation(random_tree(seed, trees=2))
    trees, (group,) = trees_of(simulation), simulation.groups
    bodies = group.system.bodies
    turn = group.state.rotation[: 2 * trees.n]
    spin = random.normal(size=(2 * trees.n, 3))
    place, velocity = trees.places(turn, spin)
    assert place == pytest.approx(bodies.position[: 2 * trees.n], abs=1e-12)
    turns = turn.reshape(2, trees.n, 3, 3)
    vectors = (turns.take(trees.owner, 1) @ trees.vectors)[..., 0]
    crossed = -np.cross(np.eye(3), vectors[..., None, :])
    matrix = trees.mass_matrix(crossed, turns @ trees.inertia @ turns.swapaxes(2, 3))
    local = (spin[:, None, :] @ turn)[:, 0]
    for island in range(2):
        part = slice(island * trees.n, (island + 1) * trees.n)
        w = spin[part].reshape(-1)
        energy = bodies.mass[part] @ (velocity[part] ** 2).sum(1)
        energy += (bodies.inertia[part] * local[part] ** 2).sum()
        assert w @ matrix[island] @ w == pytest.approx(energy, rel=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_trees_move_as_the_generic_method_says(seed: int) -> None:
    """Poses, velocities and forces come nearer to the generic method's as its steps get finer."""
    mechanism = random_tree(seed, trees=1 + seed % 3)
    ours = Simulation(mechanism, Options(substeps=8))
    assert ours.step(FRAME).method is Method.TREES
    away = []
    for substeps in (16, 32):
        ours = Simulation(mechanism, Options(substeps=8))
        generic = Simulation(mechanism, Options(substeps=substeps, method=Method.GENERIC))
        first, second = run(ours, 0.2)[-1], run(generic, 0.2)[-1]
        away.append(np.abs(first - second).max())
    assert away[1] < 2e-4
    assert away[1] < max(0.3 * away[0], 2e-5)
    assert ours.angular_velocities == pytest.approx(generic.angular_velocities, abs=2e-2)
    assert ours.linear_velocities == pytest.approx(generic.linear_velocities, abs=1e-2)
    assert ours.joint_report().force == pytest.approx(generic.joint_report().force, abs=0.05)
    assert ours.joint_report().torque == pytest.approx(generic.joint_report().torque, abs=1e-9)
    assert ours.energy().total == pytest.approx(generic.energy().total, abs=2e-3)


def test_nothing_comes_apart() -> None:
    """Positions follow from rotations: points that should coincide do, to rounding."""
    simulation = Simulation(random_tree(1, bodies=12))
    for _ in range(60):
        assert simulation.step(FRAME).method is Method.TREES
        assert simulation.joint_report().separation.max() < 1e-13


@pytest.mark.parametrize(("mechanism", "order"), [(chain(3), 6), (random_tree(2), 4)])
def test_order_is_six_in_the_plane_and_four_in_space(
    monkeypatch: pytest.MonkeyPatch, mechanism: Mechanism, order: int
) -> None:
    """With sweeps to the end, halved steps are better by 2 to the order."""
    monkeypatch.setattr(gauss, "SETTLED_RATE", 1e-8)
    monkeypatch.setattr(gauss, "SWEEPS", 60)
    ends = [run(Simulation(mechanism, Options(substeps=n)), 0.25)[-1] for n in (1, 2, 4, 16)]
    errors = [np.abs(end - ends[-1]).max() for end in ends[:-1]]
    assert errors[0] < 1e-4
    for coarse, fine in pairwise(errors):
        assert coarse > 0.6 * 2**order * fine


def test_users_force_pulls_as_in_the_generic_method() -> None:
    """A force on a point of a body in the middle, put there and taken away while it moves."""
    mechanism = random_tree(3)
    places = []
    for method, substeps in ((Method.AUTO, 8), (Method.GENERIC, 32)):
        simulation = Simulation(mechanism, Options(substeps=substeps, method=method))
        run(simulation, 0.1)
        simulation.set_force(simulation.body_nodes[3], (0.1, 0.2, -0.1), (3.0, 5.0, 2.0))
        report = simulation.step(FRAME)
        assert report.method is (Method.TREES if method is Method.AUTO else Method.GENERIC)
        pulled = simulation.joint_report().force
        simulation.clear_forces()
        run(simulation, 0.1)
        places.append((simulation.positions, pulled))
    assert places[0][0] == pytest.approx(places[1][0], abs=2e-4)
    assert places[0][1] == pytest.approx(places[1][1], abs=0.1)


def test_trees_side_by_side_do_not_know_of_one_another() -> None:
    """Equal trees in one group move as they do alone, but for when the sweeps end."""
    both = Simulation(random_tree(5, trees=2), Options(substeps=4))
    one = Simulation(random_tree(5, trees=1), Options(substeps=4))
    assert run(both, 0.3)[-1][:8] == pytest.approx(run(one, 0.3)[-1], abs=1e-4)


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


def test_what_is_no_tree_of_pins_is_stepped_otherwise() -> None:
    """Hinges, limits, loops, floating bodies and moving hands are not for this method."""
    pin, hinge = recipes.pin(), recipes.hinge(2)
    for kind in ("hinge", "loop", "floating", "kinematic"):
        made = Builder()
        ground = made.ground()
        body = made.body((0.5, 0.0, 0.0))
        motions = {}
        if kind == "kinematic":
            ground = made.body(kind=MotionType.KINEMATIC, linear_velocity=(0.1, 0.0, 0.0))
            turns = np.array([[0.0, 0.0, 0.0, 1.0]] * 2)
            motions[ground] = KinematicMotion(np.array([0.0, 1.0]), np.eye(2, 3), turns)
        made.joint(ground, body, hinge if kind == "hinge" else pin)
        if kind == "loop":
            made.joint(body, ground, pin, (0.0, 0.0, 1.0))
        if kind == "floating":
            made.body((2.0, 0.0, 0.0))
        simulation = Simulation(made.mechanism(), motions=motions)
        assert simulation.step(FRAME).method is Method.GENERIC, kind


def test_denied_method_is_not_taken() -> None:
    """GENERIC and STIFF are what they say, also where the trees' method would do."""
    for method in (Method.GENERIC, Method.STIFF):
        assert Simulation(chain(2), Options(method=method)).step(FRAME).method is method
    assert Simulation(chain(2), Options(method=Method.TREES)).step(FRAME).method is Method.TREES


def test_rest_pose_that_is_apart_comes_together_first() -> None:
    """While a violated rest pose comes in the generic method moves, then that of trees."""
    made = Builder()
    ground = made.ground()
    body = made.body((0.3, 0.0, 0.0))
    made.joint(ground, body, recipes.pin(), connected_place=(0.1, 0.0, 0.0))
    simulation = Simulation(made.mechanism())
    methods = [simulation.step(FRAME).method for _ in range(40)]
    assert methods[0] is Method.GENERIC
    assert methods[-1] is Method.TREES
    assert simulation.joint_report().separation.max() < 1e-12


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
    assert simulation.step(FRAME).method is Method.GENERIC
    simulation.rejoin(replace(mechanism, settings=pins))
    assert simulation.step(FRAME).method is Method.TREES
    simulation.restore(kept)
    simulation.joint_report()
    assert (run(simulation, 0.3)[-1] == first).all()
