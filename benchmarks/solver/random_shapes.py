# SPDX-License-Identifier: GPL-3.0-or-later
"""Random heaps by number: shapes of 1 mm to 100 m and a gramme to 100 tonnes that touch.

They fall on a floor, a box, a mesh or nothing, thrown anyhow; some are joined, some are in one
another, some see triggers. Nothing drives them, so energy may not grow but where bodies begin in
one another. Half of them do not bounce; what does so at several corners at once may gain.
"""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from omi_physics_joint.model.body import (
    Collider,
    CollisionFilter,
    Combine,
    Motion,
    MotionType,
    PhysicsMaterial,
    Quaternion,
    Trigger,
    Vector3,
)
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import JointNode
from omi_physics_joint.model.mechanism import EARTH, Mechanism, Node
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
from omi_physics_joint.solver import Floor, Options
from omi_physics_joint.weighing.hull import hull

Random = np.random.Generator
Array = NDArray[np.float64]
SMALLEST, LARGEST = 1e-3, 1e2
"""m."""
FAR = (20.0, 0.0, -20.0)
"""m: where all of it is."""
UPRIGHT: Quaternion = (0.0, 0.0, 0.0, 1.0)


class Heap:
    """Collects what a heap is made of."""

    def __init__(self, random: Random, *, bounces: bool) -> None:
        """Begin with materials and filters."""
        self.random = random
        self.nodes: list[Node] = []
        self.shapes: list[Shape] = []
        self.meshes: list[Triangles] = []
        self.materials = tuple(_material(random, bounces) for _ in range(3))
        self.filters = (
            CollisionFilter("", ("a",), None, ("b",)),
            CollisionFilter("", ("b",), ("a", "b")),
        )

    def shape(self, size: float) -> int:
        """Add a shape about so large, and return its number."""
        x, y, z = np.clip(self.random.uniform(0.05, 1.0, 3) * size, SMALLEST, LARGEST).tolist()
        kind = int(self.random.integers(8))
        made: Shape
        if kind < 2:
            self.meshes.append(_hull_of(self.random.normal(size=(30, 3)) * 0.4 * size))
            made = (Convex, Trimesh)[kind](len(self.meshes) - 1)
        else:
            made = (
                Sphere(x),
                Box((x, y, z)),
                Capsule(x, y, y),
                Capsule(x, y, z),
                Cylinder(x, y, y),
                Cylinder(x, y, 0.0),
            )[kind - 2]
        self.shapes.append(made)
        return len(self.shapes) - 1

    def collider(self, shape: int) -> Collider:
        """Return a collider of any material, now and then with a filter."""
        material = int(self.random.integers(3))
        filtered = int(self.random.integers(2)) if self.random.random() < 0.1 else None
        return Collider(shape, material, filtered)

    def body(self, shape: int, place: Array, speed: float, mass: float) -> int:
        """Add a body somewhere, thrown and turned anyhow, and return its node."""
        turn = self.random.normal(size=4)
        x, y, z, w = (turn / np.linalg.norm(turn)).tolist()
        motion = Motion(
            MotionType.DYNAMIC,
            mass,
            linear_velocity=_vector(self.random.normal(size=3) * speed),
            angular_velocity=_vector(self.random.normal(size=3) * self.random.choice([0.0, 5.0])),
        )
        self.nodes.append(
            Node(
                f"body{len(self.nodes)}",
                world=compose(_vector(place + FAR), (x, y, z, w)),
                motion=motion,
                collider=self.collider(shape),
            )
        )
        return len(self.nodes) - 1

    def ground(self, size: float) -> None:
        """Add a box, a mesh or a plane of so many m to fall on, below all."""
        kind = int(self.random.integers(4))
        if kind < 2:
            self.meshes.append(_terrain(self.random, size, even=kind == 0))
            self.shapes.append(Trimesh(len(self.meshes) - 1))
        else:
            self.shapes.append(Box((size, 0.1 * size, size)) if kind == 2 else Plane())
        height = -0.05 * size if kind == 2 else 0.0
        world = compose((FAR[0], FAR[1] + height, FAR[2]), UPRIGHT)
        self.nodes.append(Node("ground", world=world, collider=self.collider(len(self.shapes) - 1)))

    def join(self, first: int, second: int) -> None:
        """Hold two bodies together halfway between them."""
        places = [np.array(self.nodes[one].world)[:3, 3] for one in (first, second)]
        world = compose(_vector(0.5 * (places[0] + places[1])), UPRIGHT)
        self.nodes.append(Node("end", second, world))
        settings = int(self.random.integers(2))
        joint = JointNode(settings, len(self.nodes) - 1, bool(self.random.random() < 0.5))
        self.nodes.append(Node(f"joint{first}", first, world, joint=joint))

    def mechanism(self) -> Mechanism:
        """Return all of it."""
        return Mechanism(
            tuple(self.nodes),
            (recipes.pin(), recipes.hinge(1, -0.5, 0.5)),
            tuple(self.shapes),
            self.materials,
            self.filters,
            meshes=("",) * len(self.meshes),
            surfaces=tuple(self.meshes),
        )


def heap(number: int) -> tuple[Mechanism, Options]:
    """Return the heap of a number, and how to move it; of every other one something bounces."""
    random = np.random.default_rng(800_000 + number)
    size = 10.0 ** random.uniform(-2.0, 1.0)
    made, bodies = Heap(random, bounces=bool(number % 2)), []
    weightless = random.random() < 0.2
    floor = Floor(0.0, made.materials[0]) if random.random() < 0.3 else None
    if floor is None and random.random() < 0.9:
        made.ground(float(np.clip(20.0 * size, SMALLEST, LARGEST)))
    speed = float(random.choice([0.0, 1.0, 5.0, 50.0])) * size**0.5
    for count in range(int(random.integers(1, 7))):
        own = float(np.clip(size * 10.0 ** random.uniform(-1.0, 0.5), SMALLEST, LARGEST))
        place = random.normal(size=3) * size * [0.7, 0.0, 0.7]
        place[1] = own + size * random.choice([0.2, 1.5]) * count
        bodies.append(made.body(made.shape(own), place, speed, 10.0 ** random.uniform(-3.0, 5.0)))
    for first, second in pairwise(bodies):
        if random.random() < 0.25:
            made.join(first, second)
    if random.random() < 0.2:
        world = compose((FAR[0], FAR[1] + size, FAR[2]), UPRIGHT)
        made.nodes.append(Node("gate", world=world, trigger=Trigger(made.shape(2.0 * size))))
    gravity = (0.0, 0.0, 0.0) if weightless else EARTH
    return made.mechanism(), Options(gravity, contacts=True, floor=floor)


def _material(random: Random, bounces: bool) -> PhysicsMaterial:
    friction = float(random.choice([0.0, 0.3, 0.6, 1.5]))
    ways = [list(Combine)[i] for i in random.integers(4, size=2)]
    bounce = float(random.choice([0.0, 0.5, 1.0])) if bounces else 0.0
    return PhysicsMaterial("", friction, 0.8 * friction, bounce, ways[0], ways[1])


def _vector(values: Array) -> Vector3:
    x, y, z = values.tolist()
    return (x, y, z)


def _single(points: Array) -> tuple[Vector3, ...]:
    """Return points as a file holds them."""
    return tuple(_vector(one.astype(np.float64)) for one in points.astype(np.float32))


def _hull_of(points: Array) -> Triangles:
    corners, faces = hull(points)
    return Triangles(_single(corners), tuple((a, b, c) for a, b, c in faces.tolist()))


def _terrain(random: Random, size: float, *, even: bool) -> Triangles:
    """Return a floor of triangles, or hills a tenth as high as they are wide."""
    count = int(random.integers(1, 12))
    line = np.linspace(-0.5, 0.5, count + 1) * size
    height = 0.0 if even else 0.1 * size / count
    points = np.array([(x, -height * random.random(), z) for x, z in product(line, line)])
    corners = []
    for i, j in product(range(count), repeat=2):
        a = i * (count + 1) + j
        corners += [(a, a + 1, a + count + 2), (a, a + count + 2, a + count + 1)]
    return Triangles(_single(points), tuple(corners))
