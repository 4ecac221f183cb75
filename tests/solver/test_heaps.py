# SPDX-License-Identifier: GPL-3.0-or-later
"""Many bodies in one heap: what a hundred points and more are solved for by turns, and softly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from benchmarks.solver.rotations import turned
from benchmarks.truths.falls import corners
from omi_physics_joint.model.body import Collider, PhysicsMaterial, Vector3
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.shape import Box
from omi_physics_joint.solver import Floor, Options, Simulation
from omi_physics_joint.solver.kinematics.rotation import Array

from .building import Builder

pytestmark = pytest.mark.usefixtures("kernel_library")

FPS = 60
SIDE = 0.2
"""m, of each box."""
FAR = 20.0
"""m from the origin."""


def boxes(places: Sequence[Vector3], *, masses: Array | None = None, seed: int = 0) -> Builder:
    """Return boxes at places, upright or, with a seed, any way up."""
    chance = np.random.default_rng(seed)
    made = Builder()
    for i, (x, y, z) in enumerate(places):
        way_up = chance.normal(size=4) if seed else np.array([0.0, 0.0, 0.0, 1.0])
        mass = 1.0 if masses is None else float(masses[i])
        inertia = mass * SIDE * SIDE / 6.0
        a, b, c, d = (way_up / sqrt(way_up @ way_up)).tolist()
        made.body((x + FAR, y, z - FAR), (a, b, c, d), mass=mass, inertia_diagonal=(inertia,) * 3)
    return made


def on_floor(made: Builder, restitution: float = 0.0) -> Simulation:
    """Return what was made, with a box for each body, on a floor of the same material."""
    grip = PhysicsMaterial("", 0.6, 0.6, restitution)
    mechanism = made.mechanism()
    nodes = tuple(
        replace(n, collider=Collider(0, 0) if n.motion else None) for n in mechanism.nodes
    )
    shapes = (Box((SIDE, SIDE, SIDE)),)
    mechanism = replace(mechanism, nodes=nodes, shapes=shapes, physics_materials=(grip,))
    return Simulation(mechanism, Options(contacts=True, floor=Floor(0.0, grip)))


def pyramid(rows: int) -> Simulation:
    """Return boxes in rows, each on two of the row below."""
    wide = 1.1 * SIDE
    return on_floor(
        boxes(
            [
                (wide * (i - 0.5 * (rows - row)), (row + 0.5) * SIDE, 0.0)
                for row in range(rows)
                for i in range(rows - row)
            ]
        )
    )


def above_each_other(count: int) -> list[Vector3]:
    """Return places for boxes of any way up, nine a layer, that do not touch yet."""
    wide = 1.8 * SIDE
    return [
        (wide * (i % 3), 0.2 + wide * (i // 9) + SIDE, wide * (i // 3 % 3)) for i in range(count)
    ]


def deepest(simulation: Simulation) -> float:
    """Return how deep a corner is in another box or in the floor, m."""
    place, rotations = simulation.positions, simulation.rotations
    at = corners(np.full((len(place), 3), SIDE), place, rotations)
    found = -at[..., 1].min()
    for i, middle in enumerate(place):
        axes = turned(np.broadcast_to(rotations[i], (3, 4)), np.eye(3))
        within = (0.5 * SIDE - np.abs((at - middle) @ axes.T)).min(axis=-1)
        within[i] = -1.0
        found = max(found, within.max())
    return float(found)


@pytest.mark.long
@pytest.mark.parametrize("rows", [8, 12])
def test_a_pyramid_stands_and_comes_to_rest(rows: int) -> None:
    """Of all boxes none goes aside by 0.05 mm or sinks by 0.5; the floor bears all; it sleeps soon.

    Corners that change their names shake it for longer than that. Turns that are too few for what
    rubs let 78 boxes creep aside by a millimetre a second, and 36 hardly.
    """
    simulation = pyramid(rows)
    start = simulation.positions.copy()
    for _ in range(FPS):
        simulation.step(1.0 / FPS)
    way = simulation.positions - start
    assert np.abs(way[:, [0, 2]]).max() < 5e-5
    assert -way[:, 1].min() < 5e-4
    touching = simulation.touching()
    on_it = touching.nodes[:, 0] < 0
    weight = len(start) * 9.81
    assert abs(touching.forces[on_it, 1].sum()) == pytest.approx(weight, rel=1e-3)
    assert len(touching.nodes) > 120
    now = simulation.positions.copy()
    simulation.step(1.0 / FPS)
    assert (simulation.positions == now).all()


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 4])
def test_a_heap_that_has_fallen_lies(seed: int) -> None:
    """Of boxes any way up nine in ten are where they were half a second ago, to a micrometre.

    Points that take turns in standing for a face, as now one is the deepest and now another, shake
    them for good, by a twentieth of a millimetre. A box on the tips of others may go on turning.
    """
    simulation = on_floor(boxes(above_each_other(54), seed=seed))
    for _ in range(5 * FPS):
        simulation.step(1.0 / FPS)
    before = simulation.positions.copy()
    assert len(simulation.touching().nodes) > 150
    for _ in range(FPS // 2):
        simulation.step(1.0 / FPS)
    way = np.linalg.norm(simulation.positions - before, axis=1)
    assert np.quantile(way, 0.9) < 1e-6


@pytest.mark.long
def test_islands_are_made_anew_only_where_they_part_or_meet() -> None:
    """In a heap that falls others touch in each frame; what goes together stays one island."""
    simulation, changes = on_floor(boxes(above_each_other(12), seed=2)), 0

    def together() -> list[list[int]]:
        numbers = [group.numbers for group in simulation.groups]
        return [[*one.bodies.ravel().tolist(), *one.others.ravel().tolist()] for one in numbers]

    for _ in range(45):
        groups, before = list(simulation.groups), together()
        touching = simulation.touching().nodes.tolist()
        simulation.step(1.0 / FPS)
        changes += touching != simulation.touching().nodes.tolist()
        assert together() != before or simulation.groups == groups
    assert changes > 20


@pytest.mark.long
@pytest.mark.parametrize("restitution", [0.0, 0.9])
def test_a_heap_falls_without_a_gain_and_nothing_sinks(restitution: float) -> None:
    """Boxes any way up that fall on each other lose energy, and are 3 % deep as they land."""
    simulation = on_floor(boxes(above_each_other(54), seed=2), restitution)
    last = first = simulation.energy().total
    for _ in range(50):
        report = simulation.step(1.0 / FPS)
        now = simulation.energy().total
        assert now < last + 1e-4 * first
        assert not report.first_order
        assert deepest(simulation) < 0.03 * SIDE
        last = now


@pytest.mark.long
def test_what_is_light_below_what_is_heavy_does_not_vanish() -> None:
    """Of nine towers of a gram to a kilogramme, side by side, nothing sinks by 2 % of its size."""
    chance = np.random.default_rng(2)
    wide = 1.01 * SIDE
    places = [(wide * (i % 3), (i // 9 + 0.5) * SIDE, wide * (i // 3 % 3)) for i in range(36)]
    simulation = on_floor(boxes(places, masses=10.0 ** chance.uniform(-3.0, 0.0, 36)))
    for _ in range(20):
        simulation.step(1.0 / FPS)
        assert deepest(simulation) < 0.02 * SIDE
    assert len(simulation.touching().nodes) > 100


@pytest.mark.long
def test_joints_in_a_heap_hold() -> None:
    """Thirty pairs of boxes on hinges with limits: together, within their limits, and at rest."""
    places = [
        one for x, y, z in above_each_other(30) for one in ((2 * x, y, z), (2 * x + SIDE, y, z))
    ]
    made = boxes(places)
    for i in range(0, 60, 2):
        x, y, z = places[i]
        place = (x + FAR + 0.5 * SIDE, y + 0.5 * SIDE, z - FAR)
        made.joint(i, i + 1, recipes.hinge(i // 2 % 3, -0.3, 0.3), place)
    simulation = on_floor(made)
    for _ in range(80):
        simulation.step(1.0 / FPS)
        joints = simulation.joint_report()
        assert joints.separation.max() < 1e-8
        assert np.abs(joints.overshoot).max() < 1e-4
    assert len(simulation.touching().nodes) > 100
