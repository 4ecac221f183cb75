# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertia of bodies that do not say theirs."""

from __future__ import annotations

import numpy as np
import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.bounds import Bounds
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Convex
from omi_physics_joint.model.transform import IDENTITY, Matrix, compose
from omi_physics_joint.solver.bodies import read_bodies

HEAVY = Motion(MotionType.DYNAMIC, mass=3.0)
BRICK = Bounds((-0.5, -1.0, -0.1), (0.5, 1.0, 0.1))
"""A metre wide, two high, 0.2 thick."""
TURNED = compose((1.0, 2.0, 3.0), (0.5, 0.1, -0.3, 0.8))


def inertia_of(*nodes: Node, shapes: tuple[Box | Convex, ...] = ()) -> np.ndarray:
    """Return the inertia of the body at node 0 in the axes of that node, (3, 3)."""
    bodies, issues = read_bodies(Mechanism(nodes, shapes=shapes, meshes=("mesh",)))
    assert issues == ()
    axes = bodies.principal[0]
    return np.asarray(axes @ np.diag(bodies.inertia[0]) @ axes.T)


def brick(x: float, y: float, z: float) -> np.ndarray:
    """Return the inertia of a box of 3 kg with these sides, (3, 3)."""
    return np.diag([y * y + z * z, x * x + z * z, x * x + y * y]) * 3.0 / 12.0


@pytest.mark.parametrize("world", [IDENTITY, TURNED])
def test_bounds_of_a_box_weigh_as_the_box_does(world: Matrix) -> None:
    """A body with the mesh of a box has the inertia of a box collider of the same size."""
    of_mesh = inertia_of(Node("a", world=world, motion=HEAVY, bounds=BRICK))
    assert of_mesh == pytest.approx(brick(1.0, 2.0, 0.2), abs=1e-12)
    shapes = (Box((1.0, 2.0, 0.2)),)
    of_shape = inertia_of(Node("a", world=world, motion=HEAVY, collider=Collider(0)), shapes=shapes)
    assert of_mesh == pytest.approx(of_shape, abs=1e-12)


def test_scale_of_the_node_counts_for_its_mesh() -> None:
    """A mesh under a scale of 2, 1 and 5 is a box of that size."""
    world = compose((1.0, 0.0, 0.0), scale=(2.0, 1.0, 5.0))
    found = inertia_of(Node("a", world=world, motion=HEAVY, bounds=BRICK))
    assert found == pytest.approx(brick(2.0, 2.0, 1.0), abs=1e-12)


def test_a_sheared_box_has_the_inertia_of_its_points() -> None:
    """The inertia of a sheared mesh is the mean over points all through it."""
    shear = ((1.0, 0.7, 0.0, 0.0), (0.0, 1.0, -0.4, 0.0), (0.0, 0.0, 1.5, 0.0), (0, 0, 0, 1))
    body = Node("a", motion=HEAVY)
    part = Node("b", 0, shear, bounds=BRICK)
    line = (np.arange(60) + 0.5) / 60.0 - 0.5
    grid = np.stack(np.meshgrid(line, line, line), -1).reshape(-1, 3) * (1.0, 2.0, 0.2)
    points = grid @ np.array(shear)[:3, :3].T
    spread = 3.0 * points.T @ points / len(points)
    truth = np.trace(spread) * np.eye(3) - spread
    assert inertia_of(body, part) == pytest.approx(truth, rel=1e-3)


def test_meshes_below_count_until_the_next_body() -> None:
    """Two cubes a metre left and right are a dumb-bell; the mesh of a body below is not its own."""
    cube = Bounds((-0.1,) * 3, (0.1,) * 3)
    found = inertia_of(
        Node("a", motion=HEAVY),
        Node("left", 0, compose((-1.0, 0.0, 0.0)), bounds=cube),
        Node("right", 0, compose((1.0, 0.0, 0.0)), bounds=cube),
        Node("other", 0, compose((0.0, 9.0, 0.0)), HEAVY, bounds=BRICK),
    )
    alone = 3.0 * 2.0 * 0.2**2 / 12.0
    assert found == pytest.approx(np.diag([alone, alone + 3.0, alone + 3.0]), abs=1e-12)


def test_shapes_win_over_meshes_unless_they_are_meshes_themselves() -> None:
    """A box collider says more than a mesh; a convex hull is known by the bounds alone."""
    node = Node("a", motion=HEAVY, bounds=BRICK, collider=Collider(0))
    assert inertia_of(node, shapes=(Box(),)) == pytest.approx(brick(1.0, 1.0, 1.0), abs=1e-12)
    assert inertia_of(node, shapes=(Convex(0),)) == pytest.approx(brick(1.0, 2.0, 0.2), abs=1e-12)


def test_a_sheet_turns_as_a_sheet() -> None:
    """What is flat is not left out: a square of a metre has m / 12, m / 12 and m / 6."""
    sheet = Bounds((-0.5, 0.0, -0.5), (0.5, 0.0, 0.5))
    found = inertia_of(Node("a", motion=HEAVY, bounds=sheet))
    assert found == pytest.approx(np.diag([0.25, 0.5, 0.25]), rel=1e-3)


@pytest.mark.parametrize("reach", [0.0, 1e-9, 1e200])
def test_what_has_no_size_is_the_small_sphere(reach: float) -> None:
    """A mesh of one point, or one beyond all numbers, leaves the sphere of 0.1 m."""
    bounds = Bounds((-reach,) * 3, (reach,) * 3)
    found = inertia_of(Node("a", motion=HEAVY, bounds=bounds))
    assert found == pytest.approx(np.eye(3) * 0.4 * 3.0 * 0.01, abs=1e-15)
