# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls whose corners rounding has moved lie on others just as large, and press with their weight.

So corners lie on edges within rounding, and what a point is called changes from step to step.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType, PhysicsMaterial
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Convex, Shape, Trimesh
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.kinematics.rotation import Array, matrix_of

CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))
SIDES = (0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)
WEIGHT = 8000.0 * 9.81


def cube(moved: Array) -> Triangles:
    """Return a cube of 2 m in single precision, whose corners are moved so far."""
    points = (CORNERS + moved).astype(np.float32).astype(float)
    faces = [(a, b, c) for a, b, c, _ in SIDES] + [(a, c, d) for a, _, c, d in SIDES]
    return Triangles(tuple(map(tuple, points.tolist())), tuple(faces))


def lying(below: Shape, by: float, seed: int) -> tuple[Simulation, Array]:
    """Return a cube on another one, turned anyhow and 20 m off, corners moved by so much; up."""
    chance = np.random.default_rng(seed)
    turn = matrix_of((q := chance.normal(size=(1, 4))) / np.linalg.norm(q))[0]
    nodes = []
    for motion, height, shape in (None, -2.0, 0), (Motion(MotionType.DYNAMIC, 8000.0), 0.0, 1):
        world = np.eye(4)
        world[:3, :3], world[:3, 3] = turn, turn @ [0.0, height, 0.0] + [20.0, 0.0, -20.0]
        matrix = tuple(map(tuple, world.astype(np.float32).tolist()))
        nodes.append(Node("", world=matrix, motion=motion, collider=Collider(shape, 0)))
    mechanism = Mechanism(
        tuple(nodes),
        shapes=(below, Convex(1)),
        physics_materials=(PhysicsMaterial("", 0.6, 0.6),),
        meshes=("", ""),
        surfaces=tuple(cube(by * chance.uniform(-1.0, 1.0, CORNERS.shape)) for _ in range(2)),
    )
    x, y, z = (turn @ [0.0, -9.81, 0.0]).tolist()
    return Simulation(mechanism, Options((x, y, z), contacts=True)), turn[:, 1]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("below", [Convex(0), Trimesh(0)], ids=["hull", "mesh"])
@pytest.mark.parametrize("by", [0.0, 1e-7])
def test_what_lies_presses_with_its_weight(below: Shape, by: float, seed: int) -> None:
    """What contacts bear in all is the weight in each frame, whatever becomes of single points."""
    simulation, up = lying(below, by, seed)
    start = simulation.positions[0].copy()
    for frame in range(72):
        simulation.step(1.0 / 60.0)
        if frame > 60:
            borne = simulation.touching().forces.sum(0)
            assert np.abs(borne / WEIGHT - up).max() < 1e-4
    assert np.abs(simulation.positions[0] - start).max() < 1e-4


@pytest.mark.parametrize("seed", range(1, 8, 2))
@pytest.mark.parametrize("below", [Convex(0), Trimesh(0)], ids=["hull", "mesh"])
def test_a_face_that_is_not_quite_flat_bears_as_one(below: Shape, seed: int) -> None:
    """Whichever triangles of both faces look most at each other, the cube stays on the other."""
    simulation, _ = lying(below, 1e-5, seed)
    start = simulation.positions[0].copy()
    for _ in range(40):
        simulation.step(1.0 / 60.0)
    assert np.abs(simulation.positions[0] - start).max() < 1e-4
