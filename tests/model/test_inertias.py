# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertia in plain numbers is that of the solver."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.transform import compose, multiply
from omi_physics_joint.model.mechanics.inertias import centre_of, inertia_of
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere, Trimesh
from omi_physics_joint.model.solid import Bounds
from omi_physics_joint.weighing.inertia import body_inertia
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
    "capsule": Capsule(0.7, 0.2, 0.2),
    "cylinder": Cylinder(0.7, 0.2, 0.2),
    "hull": Convex(0),
    "mesh": Trimesh(0),
}


def both(mechanism: Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """Return the inertia of the first node, with all nodes for parts, by both."""
    motion = mechanism.nodes[0].motion
    assert motion is not None
    parts = range(len(mechanism.nodes))
    mine = inertia_of(mechanism, 0, parts)
    assert mine is not None
    centre = np.array(centre_of(mechanism, 0, parts))
    theirs = body_inertia(mechanism, parts, motion.mass, centre)
    assert theirs is not None
    return np.array(mine), theirs


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_shapes_have_the_inertia_of_the_solver(shape: Shape) -> None:
    """Turned, scaled and beside each other, every shape counts as it does in motion."""
    nodes = (
        Node("Body", None, PLACE, motion=BODY, collider=Collider(0)),
        Node("Part", 0, SCALED, collider=Collider(1)),
    )
    mechanism = Mechanism(nodes, (), (shape, Box((0.3, 0.3, 0.1))), meshes=("Wedge",))
    mechanism = replace(mechanism, solids=(measured(*WEDGE),))
    mine, theirs = both(mechanism)
    assert mine == pytest.approx(theirs, rel=1e-3, abs=1e-3 * theirs.max())


def test_bounds_count_where_nothing_else_does() -> None:
    """Without a shape the box around a mesh counts, and a mesh not measured counts as its box."""
    bare = Mechanism((Node("Body", None, SCALED, motion=BODY, bounds=BOUNDS),))
    mine, theirs = both(bare)
    assert mine == pytest.approx(theirs)
    hull = Node("Body", None, SCALED, motion=BODY, bounds=BOUNDS, collider=Collider(0))
    unmeasured = inertia_of(Mechanism((hull,), (), (Convex(0),), meshes=("Wedge",)), 0, [0])
    assert unmeasured is not None
    assert np.array(unmeasured) == pytest.approx(theirs)


def test_what_is_flat_is_a_sheet() -> None:
    """Without a shape, a mesh that is thin counts as a hundredth as thick as it is long."""
    blade = Bounds((-0.5, 0.0, 0.0), (0.5, 0.0, 0.0))
    motion = replace(BODY, center_of_mass=(0.0, 0.0, 0.0))
    mine, theirs = both(Mechanism((Node("Blade", motion=motion, bounds=blade),)))
    across = 3.0 * (1.0 + 1e-4) / 12.0
    assert theirs == pytest.approx(np.diag((3.0 * 2e-4 / 12.0, across, across)))
    assert mine == pytest.approx(theirs)


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
