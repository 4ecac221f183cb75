# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls, meshes, compounds, filters and triggers: who touches whom, and as what.

Meshes are of single precision, turned anyhow and 20 m off; what is true of them is true of a plane.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from omi_physics_joint.model.body import (
    Collider,
    CollisionFilter,
    Motion,
    MotionType,
    Quaternion,
    Trigger,
)
from omi_physics_joint.model.geometry.transform import Matrix, compose
from omi_physics_joint.model.joint import JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere, Trimesh
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.contacts.surfaces import Floor
from omi_physics_joint.solver.kinematics.rotation import matrix_of

from .on_meshes import FPS, OFF, TURNED, UPRIGHT, even, gone, grip, ground, node, on_mesh, triangles

LYING: Quaternion = (0.5**0.5, 0.0, 0.0, 0.5**0.5)


def cube(half: float, count: int) -> Triangles:
    """Return the surface of a cube, each side of which is cut into squares."""
    line = np.linspace(-half, half, count + 1)
    points = np.array([p for p in product(line, repeat=3) if max(map(abs, p)) == half])
    return triangles(points, [(i, (i + 1) % len(points), 0) for i in range(len(points))])


def at(y: float, x: float = 0.0, z: float = 0.0) -> Matrix:
    """Return a place."""
    return compose((20.0 + x, y, -20.0 + z), UPRIGHT)


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 3, 40])
@pytest.mark.parametrize(
    ("shape", "turned"),
    [(Box((0.5, 0.5, 0.5)), UPRIGHT), (Convex(1), UPRIGHT), (Trimesh(1), UPRIGHT)],
)
def test_what_slides_over_triangles_goes_straight_on(
    shape: Shape, turned: Quaternion, count: int
) -> None:
    """Without friction a box, and a cube as a hull, keep their speed over any number of edges."""
    body = node(1, (-1.83, 0.25, 0.113), velocity=(2.0, 0.0, 0.3))
    simulation = on_mesh(ground(count, 4.0, even), shape, body, 0.0, (cube(0.25, 4),))
    way = gone(simulation, 2.0)
    assert way[-1] == pytest.approx((4.0, 0.0, 0.6), abs=1e-5)
    assert np.abs(way[:, 1]).max() < 1e-5


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 3, 40])
@pytest.mark.parametrize(
    ("shape", "turned"), [(Sphere(0.25), UPRIGHT), (Cylinder(0.4, 0.25, 0.25), LYING)]
)
def test_what_rolls_over_triangles_rolls_on(shape: Shape, turned: Quaternion, count: int) -> None:
    """A ball and a wheel keep their speed, and go straight."""
    body = node(1, (-1.83, 0.25, 0.113), turned, velocity=(2.0, 0.0, 0.0), spin=(0.0, 0.0, -8.0))
    way = gone(on_mesh(ground(count, 4.0, even), shape, body, 0.6), 2.0)
    assert way[-1] == pytest.approx((4.0, 0.0, 0.0), abs=1e-5)


def test_what_slides_over_tiles_goes_straight_on() -> None:
    """Eight boxes side by side, in single precision, are one floor."""
    tiles = [
        Node(f"{i}", world=at(float(np.float32(0.1 - 0.25)), float(i)), collider=Collider(0, 0))
        for i in range(8)
    ]
    motion = Motion(MotionType.DYNAMIC, linear_velocity=(2.0, 0.0, 0.1))
    box = Node("box", world=at(0.2, 0.013, 0.1), motion=motion, collider=Collider(1, 0))
    shapes = (Box((1.0, 0.5, 2.0)), Box((0.4, 0.2, 0.4)))
    mechanism = Mechanism((*tiles, box), shapes=shapes, physics_materials=(grip(0.0),))
    simulation = Simulation(mechanism, Options(contacts=True))
    way = gone(simulation, 2.0)[-1] @ TURNED.T
    assert way == pytest.approx((4.0, 0.0, 0.2), abs=1e-6)


@pytest.mark.parametrize("count", [10, 40])
def test_a_ball_in_a_bowl_never_gains(count: int) -> None:
    """It comes back and forth, no higher than it was, and stays in the bowl."""
    bowl = ground(count, 2.0, lambda x, z: 0.2 * (x * x + z * z))
    simulation = on_mesh(bowl, Sphere(0.2), node(1, (1.2, 0.55, 0.0)), 0.6)
    first, energies, lowest = simulation.energy(), [], np.inf
    for _ in range(240):
        simulation.step(1.0 / FPS)
        now = simulation.energy()
        energies.append(now.kinetic + now.potential - first.kinetic - first.potential)
        lowest = min(lowest, float((TURNED.T @ (simulation.positions[-1] - OFF))[1]))
    assert max(energies) < 1e-6
    assert np.diff(energies).max() < 1e-4
    assert lowest > 0.199


ROUGH = [Box((1.0, 0.3, 0.8)), Cylinder(0.4, 0.2, 0.2), Capsule(0.4, 0.15, 0.15), Convex(1)]


@pytest.mark.long
@pytest.mark.parametrize("shape", ROUGH, ids=lambda shape: type(shape).__name__)
def test_what_falls_on_rough_ground_gains_nothing(shape: Shape) -> None:
    """Over hills as high as half a square its energy never rises by 1 %, and it does not sink."""
    for seed in range(2):
        random = np.random.default_rng(seed)
        rough = ground(30, 1.5, lambda x, _: random.uniform(0.0, 0.05, len(x)))  # noqa: B023
        turned = (0.1, 0.2, 0.3, 0.86**0.5)
        body = node(1, (0.1, 0.5, 0.013), turned, velocity=(0.5, 0.0, 0.2))
        simulation = on_mesh(rough, shape, body, 0.6, (cube(0.25, 4),))
        energies = []
        for _ in range(120):
            now = simulation.energy()
            energies.append(now.kinetic + now.potential)
            simulation.step(1.0 / FPS)
        assert np.diff(energies).max() < 0.01 * 9.81 * 0.5
        assert (TURNED.T @ (simulation.positions[-1] - OFF))[1] > 0.1


WALLS: dict[str, tuple[Shape, Motion | None, float]] = {
    "plate": (Box((6.0, 0.01, 6.0)), None, 0.045),
    "spinning plate": (
        Box((6.0, 0.01, 6.0)),
        Motion(MotionType.KINEMATIC, angular_velocity=(10.0, 0.0, 0.0)),
        0.045,
    ),
    "mesh": (Trimesh(0), None, 0.04),
    "hills": (Trimesh(1), None, -0.11),
}
"""Shape, motion, and how near the middle of a ball of 40 mm may come to their plane, m."""


@pytest.mark.long
@pytest.mark.parametrize("angle", [0.0, 0.7, 1.2])
@pytest.mark.parametrize("kind", WALLS)
def test_no_bullet_passes(kind: str, angle: float) -> None:
    """A ball at 100 m/s stays before what it meets, from 12 starts a part of a frame apart."""
    hills = ground(20, 3.0, lambda x, z: 0.15 * np.sin(9.0 * x) * np.cos(7.0 * z))
    shape, motion, nearest = WALLS[kind]
    world = np.eye(4)
    world[:3, :3], world[:3, 3] = np.eye(3) if isinstance(shape, Trimesh) else TURNED, OFF
    matrix = tuple(map(tuple, world.tolist()))
    for start in range(12):
        way = np.array([np.sin(angle), -np.cos(angle), 0.0])
        place = -(5.0 + start * 100.0 / FPS / 12.0) * way + [0.0, 0.0, 0.013 * start]
        wall = Node("wall", world=matrix, motion=motion, collider=Collider(0, 0))
        ball = node(1, tuple(place.tolist()), velocity=tuple((100.0 * way).tolist()))
        mechanism = Mechanism(
            (wall, ball),
            shapes=(shape, Sphere(0.04)),
            physics_materials=(grip(0.5),),
            meshes=("", ""),
            surfaces=(ground(20, 3.0, even), hills),
        )
        simulation = Simulation(mechanism, Options((0.0, 0.0, 0.0), contacts=True))
        for _ in range(8):
            simulation.step(1.0 / FPS)
            up = matrix_of(simulation.rotations[:1])[0] if motion else TURNED
            assert (simulation.positions[-1] - OFF) @ up[:, 1] > nearest - 1e-6


def test_a_compound_stands_on_all_that_it_is_made_of() -> None:
    """A table of a plate and four legs, each a shape of one body, stands on its legs."""
    legs = [(x, 0.25, z) for x in (-0.5, 0.5) for z in (-0.4, 0.4)]
    table = Node("table", world=at(0.0), motion=Motion(MotionType.DYNAMIC))
    parts = [Node("", 0, at(y, x, z), collider=Collider(0, 0)) for x, y, z in legs]
    parts.append(Node("", 0, at(0.55), collider=Collider(1, 0)))
    shapes = (Box((0.1, 0.5, 0.1)), Box((1.2, 0.1, 1.0)))
    mechanism = Mechanism((table, *parts), shapes=shapes, physics_materials=(grip(0.6),))
    simulation = Simulation(mechanism, Options(contacts=True, floor=Floor(0.0, grip(0.6))))
    for _ in range(30):
        simulation.step(1.0 / FPS)
    touches = simulation.touching()
    assert len(touches.points) == 16
    assert touches.forces.sum(0) == pytest.approx((0.0, 9.81, 0.0), abs=1e-6)
    assert simulation.positions[0] == pytest.approx((20.0, 0.0, -20.0), abs=1e-6)


def falling(*, filters: tuple[CollisionFilter, ...] = (), **more: object) -> Mechanism:
    """Return a ball that falls on a static box, each with the filter of its number."""
    numbers = (0, 1) if filters else (None, None)
    box = Node("box", world=at(0.0), motion=Motion(MotionType.STATIC))
    ball = Node("ball", world=at(1.0), motion=Motion(MotionType.DYNAMIC))
    nodes = [
        Node(one.name, world=one.world, motion=one.motion, collider=Collider(i, 0, number))
        for i, (one, number) in enumerate(zip((box, ball), numbers, strict=True))
    ]
    shapes = (Box((2.0, 1.0, 2.0)), Sphere(0.25), Box((2.0, 0.5, 2.0)))
    nodes += more.pop("nodes", ())  # type: ignore[arg-type]
    return Mechanism(
        tuple(nodes),
        shapes=shapes,
        physics_materials=(grip(0.6),),
        collision_filters=filters,
        **more,  # type: ignore[arg-type]
    )


def height_after(mechanism: Mechanism, seconds: float) -> float:
    """Return how high the ball is by then."""
    simulation = Simulation(mechanism, Options(contacts=True))
    for _ in range(round(seconds * FPS)):
        simulation.step(1.0 / FPS)
    return float(simulation.positions[-1, 1])


@pytest.mark.parametrize("meets", [True, False])
def test_filters_say_who_meets(meets: bool) -> None:
    """What filters keep apart falls through."""
    first = CollisionFilter("", ("floor",), ("ball",) if meets else ("other",))
    height = height_after(falling(filters=(first, CollisionFilter("", ("ball",)))), 1.0)
    assert height == pytest.approx(0.75 if meets else 1.0 - 0.5 * 9.81, abs=1e-4)


def test_what_meets_only_named_systems_passes_what_is_in_none_but_for_the_floor_of_play() -> None:
    """It falls through a collider without a filter, and lies on the floor that is in no file."""
    picky = falling(filters=(CollisionFilter(), CollisionFilter("", ("ball",), ("nobody",))))
    box, ball = picky.nodes
    bare = replace(picky, nodes=(replace(box, collider=Collider(0, 0)), ball))
    simulation = Simulation(bare, Options(contacts=True, floor=Floor(-1.0)))
    for _ in range(2 * FPS):
        simulation.step(1.0 / FPS)
    assert simulation.positions[-1, 1] == pytest.approx(-0.75, abs=1e-4)


@pytest.mark.parametrize("collides", [True, False])
def test_joints_say_whether_their_bodies_meet(collides: bool) -> None:
    """With a joint that lets its bodies meet the ball ends on the box, else it goes through it."""
    joint = Node("joint", 1, at(1.0), joint=JointNode(0, 2, enable_collision=collides))
    nodes = (Node("end", 0, at(1.0)), joint)
    height = height_after(falling(nodes=nodes, settings=(JointSettings(),)), 1.0)
    assert height == pytest.approx(0.75 if collides else 1.0 - 0.5 * 9.81, abs=1e-4)


@pytest.mark.parametrize("height", [1.0, 1.5])
def test_triggers_notice_and_never_push(height: float) -> None:
    """A ball is in a trigger just while it is, and its way is the same without one."""
    trigger = Node("gate", world=at(height), trigger=Trigger(2))
    simulation = Simulation(falling(nodes=(trigger,)), Options(contacts=True))
    without = Simulation(falling(), Options(contacts=True))
    for _ in range(FPS):
        lowest = height - 0.25 - 0.25
        high = float(simulation.positions[1, 1])
        assert simulation.inside() == ([(2, 1)] if high >= lowest else [])
        simulation.step(1.0 / FPS)
        without.step(1.0 / FPS)
    assert simulation.positions.tobytes() == without.positions.tobytes()


def test_a_mesh_has_room_for_more_points_than_two_shapes_do() -> None:
    """A box that fills a room of triangles meets all its walls; none of that is left out."""
    half = 0.5
    points = half * np.array([*product((-1.0, 1.0), repeat=3)])
    corners = []
    for axis, side in product(range(3), (-half, half)):
        a, b, c, d = np.flatnonzero(points[:, axis] == side).tolist()
        inwards = (side > 0.0) is (axis == 1)
        corners += [(a, b, d), (a, d, c)] if inwards else [(b, a, d), (d, a, c)]
    walls = triangles(points @ TURNED.T, corners)
    simulation = on_mesh(walls, Box((1.0, 1.0, 1.0)), node(1, (0.0, 0.0, 0.0)), 0.5)
    for _ in range(3):
        assert simulation.step(1.0 / FPS).left_out == 0
    assert len(simulation.touching().forces) > 12
