# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertia of bodies is that of points that are spread as what fills them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.scale import standing
from omi_physics_joint.model.geometry.transform import Matrix, compose, multiply
from omi_physics_joint.model.mechanics.inertias import centre_of, inertia_of, solid_of
from omi_physics_joint.model.mechanics.masses import Mass, spread_of
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    MeshShape,
    Shape,
    Sphere,
    Trimesh,
)
from omi_physics_joint.model.solid import Bounds
from omi_physics_joint.weighing.solids import measured
from tests.model.building import turn

BODY = Motion(MotionType.DYNAMIC, 3.0, (0.1, 0.2, -0.3))
PLACE = multiply(multiply(compose((1.0, 2.0, 3.0)), turn(0, 0.4)), turn(2, 0.7))
SCALED = multiply(PLACE, compose((0.2, 0.0, 0.1), scale=(2.0, 0.5, 1.5)))
BOUNDS = Bounds((-0.5, -0.1, 0.0), (0.6, 0.4, 0.3))
WEDGE = (
    np.array([(-0.5, -0.1, -0.1), (0.6, -0.1, -0.1), (-0.5, 0.4, -0.1), (-0.5, -0.1, 0.3)]),
    np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]),
)
SHAPES: dict[str, Shape] = {
    "box": Box((1.0, 0.2, 0.4)),
    "sphere": Sphere(0.3),
    "capsule": Capsule(0.7, 0.2, 0.3),
    "cylinder": Cylinder(0.7, 0.2, 0.4),
    "hull": Convex(0),
    "mesh": Trimesh(0),
}


def mine(mechanism: Mechanism) -> np.ndarray:
    """Return the inertia of the first node, of which all nodes are parts."""
    found = inertia_of(mechanism, 0, range(len(mechanism.nodes)))
    assert found is not None
    return np.array(found)


def of_points(mechanism: Mechanism, fillings: list[tuple[Mass | None, Matrix]]) -> np.ndarray:
    """Return the inertia of six points for each solid, which are spread as it is.

    Each under its matrix, weighed as a part of the whole.
    """
    points, weights = [], []
    for solid, matrix in fillings:
        assert solid is not None
        world = np.array(matrix)
        squares, axes = np.linalg.eigh(3.0 * np.array(spread_of(solid.inertia)) / solid.mass)
        arms = (axes * np.sqrt(squares)).T
        points.append(
            (np.concatenate([arms, -arms]) + solid.centre) @ world[:3, :3].T + world[:3, 3]
        )
        weights += 6 * [solid.mass * abs(np.linalg.det(world[:3, :3]))]
    motion = mechanism.nodes[0].motion
    assert motion is not None
    masses = motion.mass * np.array(weights) / sum(weights)
    r = np.concatenate(points) - centre_of(mechanism, 0, range(len(mechanism.nodes)))
    return np.asarray((masses @ (r * r)).sum() * np.eye(3) - (masses[:, None] * r).T @ r)


def box_of(bounds: Bounds) -> Mass:
    """Return the box that bounds are, at density one."""
    low, high = np.array(bounds.low), np.array(bounds.high)
    sides = high - low
    x, y, z = 0.5 * (low + high)
    squares = sides * sides / 12.0
    inertia = sides.prod() * np.diag(squares.sum() - squares)
    return Mass(float(sides.prod()), (x, y, z), tuple(map(tuple, inertia.tolist())))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_shapes_have_the_inertia_of_points(shape: Shape) -> None:
    """Turned, scaled and beside each other, every shape counts as what fills it there."""
    nodes = (
        Node("Body", None, PLACE, motion=BODY, collider=Collider(0)),
        Node("Part", 0, SCALED, collider=Collider(1)),
        Node("Copy", 0, SCALED, collider=Collider(0)),
    )
    other, solids = Box((0.3, 0.3, 0.1)), measured(*WEDGE)
    mechanism = Mechanism(nodes, (), (shape, other), meshes=("Wedge",), solids=(solids,))
    there = SCALED if isinstance(shape, MeshShape) else rigid_frame(SCALED)
    theirs = of_points(
        mechanism,
        [
            (solid_of(shape, solids), PLACE),
            (solid_of(standing(other, SCALED)), rigid_frame(SCALED)),
            (solid_of(standing(shape, SCALED), solids), there),
        ],
    )
    assert mine(mechanism) == pytest.approx(theirs, rel=1e-9, abs=1e-9 * theirs.max())


def test_bounds_count_where_nothing_else_does() -> None:
    """Without a shape the box around a mesh counts, and a mesh not measured counts as its box."""
    bare = Mechanism((Node("Body", None, SCALED, motion=BODY, bounds=BOUNDS),))
    theirs = of_points(bare, [(box_of(BOUNDS), SCALED)])
    assert mine(bare) == pytest.approx(theirs)
    hull = Node("Body", None, SCALED, motion=BODY, bounds=BOUNDS, collider=Collider(0))
    assert mine(Mechanism((hull,), (), (Convex(0),), meshes=("Wedge",))) == pytest.approx(theirs)


def test_what_is_flat_is_a_sheet() -> None:
    """Without a shape, a mesh that is thin counts as a hundredth as thick as it is long."""
    blade = Bounds((-0.5, 0.0, 0.0), (0.5, 0.0, 0.0))
    motion = replace(BODY, center_of_mass=(0.0, 0.0, 0.0))
    across = 3.0 * (1.0 + 1e-4) / 12.0
    found = mine(Mechanism((Node("Blade", motion=motion, bounds=blade),)))
    assert found == pytest.approx(np.diag((3.0 * 2e-4 / 12.0, across, across)))


def test_what_is_typed_wins_and_what_is_unknown_is_none() -> None:
    """A typed inertia is about the turned axes of the body; nothing at all is nothing."""
    typed = replace(
        BODY, inertia_diagonal=(1.0, 2.0, 2.5), inertia_orientation=(0.0, 0.0, 0.6, 0.8)
    )
    found = inertia_of(Mechanism((Node("Body", None, PLACE, motion=typed),)), 0, [0])
    assert found is not None
    assert np.linalg.eigvalsh(np.array(found)) == pytest.approx([1.0, 2.0, 2.5])
    turned = multiply(PLACE, compose(rotation=(0.0, 0.0, 0.6, 0.8)))
    axes = np.array(turned)[:3, :3]
    assert axes.T @ np.array(found) @ axes == pytest.approx(np.diag((1.0, 2.0, 2.5)))
    assert inertia_of(Mechanism((Node("Body", motion=BODY),)), 0, [0]) is None
    assert inertia_of(Mechanism((Node("Nothing"),)), 0, [0]) is None
