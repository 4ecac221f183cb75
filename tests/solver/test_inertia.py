# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertia of bodies that do not say theirs."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose
from omi_physics_joint.model.mechanics.inertias import solid_of
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere
from omi_physics_joint.model.solid import Bounds
from omi_physics_joint.solver.reading.bodies import read_bodies

HEAVY = Motion(MotionType.DYNAMIC, mass=3.0)
BRICK = Bounds((-0.5, -1.0, -0.1), (0.5, 1.0, 0.1))
"""A metre wide, two high, 0.2 thick."""
TURNED = compose((1.0, 2.0, 3.0), (0.5, 0.1, -0.3, 0.8))


def inertia_of(*nodes: Node, shapes: tuple[Shape, ...] = ()) -> np.ndarray:
    """Return the inertia of the body at node 0 in the axes of that node, (3, 3)."""
    bodies, issues = read_bodies(Mechanism(nodes, shapes=shapes, meshes=("mesh",)))
    assert issues == ()
    axes = bodies.principal[0]
    return np.asarray(axes @ np.diag(bodies.inertia[0]) @ axes.T)


def brick(x: float, y: float, z: float) -> np.ndarray:
    """Return the inertia of a box of 3 kg with these sides, (3, 3)."""
    return np.diag([y * y + z * z, x * x + z * z, x * x + y * y]) * 3.0 / 12.0


@pytest.mark.parametrize(("length", "turns"), [(0.0, False), (6e-7, False), (2e-6, True)])
def test_an_orientation_that_is_none_turns_nothing(length: float, turns: bool) -> None:
    """A file may say a quaternion of zeros; its inertia is about the axes of the node then."""
    motion = Motion(
        MotionType.DYNAMIC,
        inertia_diagonal=(1.0, 2.0, 3.0),
        inertia_orientation=(0.0, 0.0, length * sqrt(0.5), length * sqrt(0.5)),
    )
    expected = np.diag([2.0, 1.0, 3.0] if turns else [1.0, 2.0, 3.0])
    assert inertia_of(Node("body", motion=motion)) == pytest.approx(expected)


@pytest.mark.parametrize(("least", "kept"), [(3e-9, 3e-9), (3e-10, 1e-9)])
def test_a_needle_turns_about_itself_as_a_billionth_of_across(least: float, kept: float) -> None:
    """With less, rounding of what else turns it would spin it."""
    across = Motion(MotionType.DYNAMIC, inertia_diagonal=(least, 1.0, 1.0))
    bodies, _ = read_bodies(Mechanism((Node("needle", motion=across),)))
    assert bodies.inertia[0].min() == pytest.approx(kept)


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


def test_a_center_beyond_all_numbers_leaves_the_small_sphere() -> None:
    """An inertia that is no number is none: nothing is raised, and the body can be read."""
    motion = Motion(MotionType.DYNAMIC, mass=3.0, center_of_mass=(1e200, 1e200, 0.0))
    with np.errstate(all="ignore"):
        found = inertia_of(Node("a", motion=motion, collider=Collider(0)), shapes=(Box(),))
    assert found == pytest.approx(np.eye(3) * 0.4 * 3.0 * 0.01, abs=1e-15)


def by_slices(radius: Callable[[np.ndarray], np.ndarray], half: float) -> np.ndarray:
    """Return mass and inertia about X, Y and Z of a solid of density one that is round about Y.

    It is cut into thin discs: one of radius r and mass dm at height y adds dm, (r^2 / 4 + y^2) dm
    about X and Z, and r^2 / 2 dm about Y.
    """
    count = 200_000
    height = (np.arange(count) + 0.5) / count * 2.0 * half - half
    squared = radius(height) ** 2
    mass = np.pi * squared * (2.0 * half / count)
    across = float(((squared / 4.0 + height**2) * mass).sum())
    return np.array([mass.sum(), across, float((squared / 2.0 * mass).sum()), across])


def ball(radius: float) -> np.ndarray:
    """Return mass and inertia of a ball."""
    return by_slices(lambda y: np.sqrt(np.maximum(radius**2 - y**2, 0.0)), radius)


def tube(radius: float, length: float) -> np.ndarray:
    """Return mass and inertia of a cylinder."""
    return by_slices(lambda y: np.full_like(y, radius), 0.5 * length)


def pill(radius: float, length: float) -> np.ndarray:
    """Return mass and inertia of a capsule; the length is that between the centres of its ends."""

    def at(y: np.ndarray) -> np.ndarray:
        beyond = np.maximum(np.abs(y) - 0.5 * length, 0.0)
        return np.sqrt(np.maximum(radius**2 - beyond**2, 0.0))

    return by_slices(at, 0.5 * length + radius)


@pytest.mark.parametrize(
    ("shape", "truth"),
    [
        (Sphere(0.7), ball(0.7)),
        (Cylinder(radius_bottom=0.3, radius_top=0.3, height=1.6), tube(0.3, 1.6)),
        (Cylinder(radius_bottom=0.9, radius_top=0.9, height=0.2), tube(0.9, 0.2)),
        (Capsule(radius_bottom=0.3, radius_top=0.3, height=1.6), pill(0.3, 1.6)),
        (Capsule(radius_bottom=0.8, radius_top=0.8, height=0.1), pill(0.8, 0.1)),
        (Capsule(radius_bottom=0.5, radius_top=0.5, height=0.0), ball(0.5)),
    ],
)
def test_round_shapes_weigh_as_their_slices_do(shape: Shape, truth: np.ndarray) -> None:
    """Volume and inertia of spheres, cylinders and capsules are those of a sum over thin discs."""
    solid = solid_of(shape)
    assert solid is not None
    assert solid.mass == pytest.approx(truth[0], rel=1e-6)
    node = Node("a", motion=HEAVY, collider=Collider(0))
    scaled = np.diag(truth[1:]) * (3.0 / truth[0])
    assert inertia_of(node, shapes=(shape,)) == pytest.approx(scaled, rel=1e-6, abs=1e-12)


def test_a_body_without_a_sound_pose_is_named_and_stands_at_the_origin() -> None:
    """Nobody wonders why it is not where it seemed to be."""
    flat = Node("Flat", world=compose((1.0, 2.0, 3.0), scale=(1.0, 0.0, 1.0)), motion=HEAVY)
    bodies, issues = read_bodies(Mechanism((flat,)))
    assert [(one.code, one.where, one.node) for one in issues] == [("flat-body", "Flat", 0)]
    assert not bodies.position[0].any()
