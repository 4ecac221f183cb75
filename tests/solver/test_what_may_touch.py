# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may touch at all: what sweeps by, what is scaled, what broke off, parts, and how deep."""

from __future__ import annotations

from math import cos, inf, sin

import numpy as np
import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType, PhysicsMaterial, Trigger
from omi_physics_joint.model.geometry.transform import Matrix, compose
from omi_physics_joint.model.joint import Breaking, JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Plane,
    Shape,
    Sphere,
    Trimesh,
)
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.solver import Floor, Options, Simulation
from omi_physics_joint.solver.contacts.cores import core_of

FPS = 60
DYNAMIC = Motion(MotionType.DYNAMIC)


def at(y: float, x: float = 0.0, z: float = 0.0, size: float = 1.0) -> Matrix:
    """Return a place, 20 m off the origin."""
    return compose((20.0 + x, y, -20.0 + z), (0.0, 0.0, 0.0, 1.0), (size, size, size))


def moved(simulation: Simulation, seconds: float) -> Simulation:
    """Return a simulation that much later."""
    for _ in range(round(seconds * FPS)):
        simulation.step(1.0 / FPS)
    return simulation


@pytest.mark.parametrize("size", [(2.0, inf), (inf, 2.0), (2.0, 2.0), (inf, inf)], ids=str)
def test_a_plane_bears_as_far_as_it_goes_along_each_of_its_sides(
    size: tuple[float, float],
) -> None:
    """Without end along one it still ends along the other."""
    shapes, places = (Plane(*size), Sphere(0.1)), ((0.5, 0.5), (300.0, 0.5), (0.5, 300.0))
    plane = Node("", world=at(0.0), motion=Motion(MotionType.STATIC), collider=Collider(0))
    balls = (Node("", None, at(0.11, *one), DYNAMIC, Collider(1)) for one in places)
    mechanism = Mechanism((plane, *balls), (), shapes)
    simulation = moved(Simulation(mechanism, Options((0.0, -9.81, 0.0), contacts=True)), 0.25)
    lies = [abs(x) <= 0.5 * size[0] and abs(z) <= 0.5 * size[1] for x, z in places]
    heights = simulation.positions[-3:, 1]
    assert (np.abs(heights - 0.1) < 0.02).tolist() == lies


@pytest.mark.parametrize("off", [0.0, 0.45])
@pytest.mark.parametrize("kind", [MotionType.DYNAMIC, MotionType.KINEMATIC])
def test_what_turns_meets_what_it_sweeps_over_within_a_frame(kind: MotionType, off: float) -> None:
    """A blade that is centimetres away before and after a frame throws a ball between.

    Whether it is about its middle, or a part of a body that turns about another place.
    """
    spin, half = 40.0, 0.5 * 40.0 / FPS
    motion = Motion(kind, 1e3, (0.0, 0.0, 0.0), (1e3,) * 3, angular_velocity=(0.0, -spin, 0.0))
    nodes = (
        Node("hub", world=at(0.0), motion=motion),
        Node("blade", 0, at(0.0, off), collider=Collider(0)),
        Node("ball", world=at(0.0, 0.9 * cos(half), 0.9 * sin(half)), motion=DYNAMIC),
        Node("skin", 2, at(0.0, 0.9 * cos(half), 0.9 * sin(half)), collider=Collider(1)),
    )
    shapes = (Box((2.0 - 2.0 * off, 0.02, 0.02)), Sphere(0.03))
    simulation = Simulation(
        Mechanism(nodes, shapes=shapes), Options((0.0, 0.0, 0.0), contacts=True)
    )
    before = simulation.positions[-1].copy()
    moved(simulation, 1.0 / FPS)
    assert np.linalg.norm(simulation.positions[-1] - before) > 0.05


@pytest.mark.parametrize("gap", [0.3, 0.5, 0.8])
def test_what_is_thrown_meets_what_it_was_not_near(gap: float) -> None:
    """A ball that a heavy one hits within a frame stays before a thin wall."""
    fps = 24.0
    for start in range(6):
        nodes = (
            Node("wall", world=at(0.0, 0.5 + gap), collider=Collider(2, 0)),
            Node(
                "heavy",
                world=at(0.0, -1.0 - 20.0 / fps * start / 6.0),
                motion=Motion(MotionType.DYNAMIC, 100.0, linear_velocity=(20.0, 0.0, 0.0)),
                collider=Collider(0, 0),
            ),
            Node("light", world=at(0.0, 0.4), motion=DYNAMIC, collider=Collider(1, 0)),
        )
        shapes = (Sphere(0.5), Sphere(0.1), Box((0.05, 4.0, 4.0)))
        bounces = PhysicsMaterial("", 0.0, 0.0, 1.0)
        mechanism = Mechanism(nodes, shapes=shapes, physics_materials=(bounces,))
        simulation = Simulation(mechanism, Options((0.0, 0.0, 0.0), contacts=True))
        for _ in range(10):
            simulation.step(1.0 / fps)
            assert simulation.positions[-1, 0] < 20.5 + gap


def test_sizes_of_one_mesh_are_shapes_of_their_own() -> None:
    """Boxes of one mesh, as it is and twice as large, lie half as high as each is."""
    half = (-0.25, 0.25)
    corners = tuple((x, y, z) for x in half for y in half for z in half)
    cube = Triangles(corners, tuple((0, i, i + 1) for i in range(1, 7)))
    nodes = tuple(
        Node(f"{size}", world=at(0.6 * size, 3.0 * size, 0.0, size), motion=DYNAMIC)
        for size in (1.0, 2.0)
    )
    parts = tuple(Node("", i, one.world, collider=Collider(0)) for i, one in enumerate(nodes))
    mechanism = Mechanism((*nodes, *parts), (), (Convex(0),), meshes=("",), surfaces=(cube,))
    simulation = moved(Simulation(mechanism, Options(contacts=True, floor=Floor(0.0))), 1.0)
    assert simulation.positions[:, 1] == pytest.approx([0.25, 0.5], abs=1e-4)


@pytest.mark.parametrize("most", [inf, 5.0])
def test_the_floor_catches_what_broke_off(most: float) -> None:
    """A ball welded below the floor's height stays there; one that breaks off above lies on it."""
    weld = Node("weld", 0, at(0.5), joint=JointNode(0, 2, breaking=Breaking(force=most)))
    ball = Node("ball", world=at(0.5), motion=DYNAMIC, collider=Collider(0))
    mechanism = Mechanism(
        (ball, weld, Node("end", world=at(0.5))), (recipes.weld(),), (Sphere(0.25),)
    )
    simulation = moved(Simulation(mechanism, Options(contacts=True, floor=Floor(0.0))), 1.0)
    assert simulation.positions[0, 1] == pytest.approx(0.5 if most == inf else 0.25, abs=1e-4)


@pytest.mark.parametrize(
    ("gap", "held", "lies"),
    [
        (0.0, recipes.weld(), True),
        (0.3, recipes.weld(), True),
        (-0.1, recipes.weld(), False),
        (0.3, recipes.hinge(2), False),
    ],
)
def test_what_broke_off_meets_what_it_was_welded_to(
    gap: float, held: JointSettings, *, lies: bool
) -> None:
    """A ball that breaks off its table lies on it, but for one that was built into it.

    So it does once more from where it was whole. What another joint held may have turned into it.
    """
    weld = Node("weld", 0, at(0.5), joint=JointNode(0, 2, breaking=Breaking(force=5.0)))
    ball = Node("ball", world=at(0.35 + gap), motion=DYNAMIC, collider=Collider(0))
    table = Node("table", world=at(0.0), collider=Collider(1))
    shapes = (Sphere(0.25), Box((4.0, 0.2, 4.0)))
    mechanism = Mechanism((ball, weld, table), (held,), shapes)
    simulation = Simulation(mechanism, Options(contacts=True))
    whole = simulation.checkpoint()
    for _ in range(2):
        simulation.restore(whole)
        assert (moved(simulation, 1.0).positions[0, 1] > 0.349) == lies


@pytest.mark.parametrize(
    ("radius", "depth", "said"),
    [(0.005, 2e-4, True), (0.005, 2e-5, False), (5.0, 2e-3, True), (5.0, 5e-4, False)],
)
def test_what_is_inside_is_measured_by_how_large_it_is(
    radius: float, depth: float, *, said: bool
) -> None:
    """A hundredth of a small thing is inside, and of a large one a millimetre."""
    plate = Node("plate", world=at(-5.0), collider=Collider(0))
    ball = Node("ball", world=at(radius - depth), motion=DYNAMIC, collider=Collider(1))
    shapes = (Box((30.0, 10.0, 30.0)), Sphere(radius))
    simulation = Simulation(Mechanism((plate, ball), (), shapes), Options(contacts=True))
    assert [one.code for one in simulation.issues] == ["begins-inside"] * said


def test_a_trigger_of_several_parts_is_one() -> None:
    """What is in a part, or in two of them, is in the whole, once."""
    parts = tuple(Node("", 0, at(0.0, x), trigger=Trigger(0)) for x in (-0.4, 0.4))
    whole = Node("gate", world=at(0.0), trigger=Trigger(nodes=(1, 2)))
    balls = [
        Node(f"{x}", world=at(0.0, x), motion=DYNAMIC, collider=Collider(1)) for x in (-0.7, 0.0, 9)
    ]
    shapes = (Box((1.0, 1.0, 1.0)), Sphere(0.05))
    simulation = Simulation(Mechanism((whole, *parts, *balls), (), shapes), Options(contacts=True))
    assert simulation.inside() == [(0, 3), (0, 4)]


@pytest.mark.parametrize(
    ("shape", "reach"),
    [
        (Sphere(0.2), 0.2),
        (Box((2.0, 4.0, 4.0)), 3.0),
        (Capsule(1.0, 0.2, 0.3), 0.8),
        (Capsule(1.0, 0.3, 0.2), 0.8),
        (Capsule(0.2, 0.1, 0.5), 0.6),
        (Cylinder(6.0, 0.0, 4.0), 5.0),
        (Cylinder(6.0, 4.0, 0.0), 5.0),
    ],
    ids=str,
)
def test_a_shape_reaches_as_far_as_its_farthest_point(shape: Shape, reach: float) -> None:
    """Whichever end of it is the larger one."""
    core = core_of(shape)
    assert core is not None
    assert core.reach == pytest.approx(reach, abs=1e-15)


def test_one_mesh_is_hull_or_triangles_by_what_moves_and_notices() -> None:
    """A cup that stands holds a ball, as a trigger it has it inside, and it falls as a hull."""
    rim = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    points = tuple((x, y, z) for y in (0.0, 1.0) for x, z in rim)
    sides = [(i, (i + 1) % 4, 4 + i) for i in range(4)]
    sides += [((i + 1) % 4, 4 + (i + 1) % 4, 4 + i) for i in range(4)]
    cup = Triangles(points, ((0, 2, 1), (0, 3, 2), *sides))
    nodes = (
        Node("falling", world=at(5.0, 9.0), motion=DYNAMIC, collider=Collider(0)),
        Node("cup", world=at(0.0), motion=Motion(MotionType.STATIC), collider=Collider(0)),
        Node("zone", world=at(0.0), trigger=Trigger(0)),
        Node("ball", world=at(0.5), motion=DYNAMIC, collider=Collider(1)),
    )
    shapes = (Trimesh(0), Sphere(0.2))
    mechanism = Mechanism(nodes, (), shapes, meshes=("",), surfaces=(cup,))
    simulation = Simulation(mechanism, Options(contacts=True))
    assert (2, 3) in simulation.inside()
    moved(simulation, 1.0)
    ball = list(simulation.body_nodes).index(3)
    assert simulation.positions[ball, 1] == pytest.approx(0.2, abs=2e-3)


def test_scenes_of_a_file_meet_no_scene_but_their_own() -> None:
    """In each of two scenes a ball falls on a table through a gate; both stand in one place."""
    nodes: list[Node] = []
    for scene, drop in ((0, 0.8), (1, 0.85)):
        nodes += (
            Node("table", world=at(0.0), collider=Collider(0), scene=scene),
            Node("ball", world=at(drop), motion=DYNAMIC, collider=Collider(1), scene=scene),
            Node("gate", world=at(drop), trigger=Trigger(1), scene=scene),
        )
    shapes = (Box((1.0, 1.0, 1.0)), Sphere(0.05))
    both = Simulation(Mechanism(tuple(nodes), shapes=shapes), Options(contacts=True))
    assert both.inside() == [(2, 1), (5, 4)]
    moved(both, 1.0)
    assert both.positions[:, 1] == pytest.approx([0.55, 0.55], abs=1e-6)
