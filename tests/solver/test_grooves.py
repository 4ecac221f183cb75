# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes into a groove of a mesh is pushed by both of its sides, and stays in it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.contacts.drops import drop
from omi_physics_joint.model.shape import Box, Convex, Cylinder
from omi_physics_joint.model.solid import Triangles

from .on_meshes import Height, gone, ground, node, on_mesh, triangles

HIGH = 0.01
AS_MANY = [2, 4, 10, 20]
"""Squares along each side of the ground, half of them on each side of the groove."""
EDGE = [[x, y, z] for z in (-0.5, 0.5) for x, y in ((0.0, 0.0), (-0.1, 1.0), (0.1, 1.0))]
WEDGE = triangles(np.array(EDGE), [(0, 1, 2), (3, 4, 5), (0, 1, 4)])
TIP = np.array([(0.0, 0.0, 0.0), (0.3, 0.5, 0.1), (-0.25, 0.5, 0.2), (0.0, 0.5, -0.3)])
SPIKE = triangles(TIP, [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])
"""Where both begin is the edge or the tip that comes into the groove."""


def about(axis: int, angle: float) -> tuple[float, float, float, float]:
    """Return a turn about an axis, rad."""
    x, y, z = (math.sin(angle / 2) if i == axis else 0.0 for i in range(3))
    return x, y, z, math.cos(angle / 2)


SHAPES = {
    "wedge": (Convex(1), about(0, 0.0), 0.0),
    "spike": (Convex(2), about(0, 0.0), 0.0),
    "box": (Box((0.4, 0.4, 0.4)), about(2, math.pi / 4), 0.2 * 2**0.5),
    "cone": (Cylinder(0.5, 0.15, 0.0), about(0, math.pi), 0.25),
}
"""Shape, how it stands with an edge or a tip down, and how high its origin is above that, m."""


def valley(slope: float) -> Height:
    """Return a height for `ground`."""
    return lambda x, z: slope * np.abs(x)


@pytest.mark.parametrize("friction", [0.0, 0.6])
@pytest.mark.parametrize("slope", [0.2, 0.5, 1.5])
@pytest.mark.parametrize("kind", SHAPES)
def test_an_edge_that_falls_into_a_crease_stops_there(
    kind: str, slope: float, friction: float
) -> None:
    """It is at the rim of all triangles that it meets, and goes neither through them nor aside."""
    shape, turn, low = SHAPES[kind]
    for count in AS_MANY:
        body = node(1, (0.0, HIGH + low, 0.0), turn)
        way = gone(
            on_mesh(ground(count, 4.0, valley(slope)), shape, body, friction, [WEDGE, SPIKE]), 0.2
        )
        assert abs(way[:, 0]).max() < 5e-3
        assert way[:, 1].min() > -1.01 * HIGH


@pytest.mark.parametrize("kind", ["wedge", "box"])
def test_a_mirrored_groove_is_one_on_the_same_side(kind: str) -> None:
    """Its faces look to the side to which they look in the file, though a scale mirrors them."""
    shape, turn, low = SHAPES[kind]
    floor = ground(4, 4.0, valley(0.5))
    points = np.array(floor.points) * (1.0, 1.0, -2.0)
    mirrored = Triangles(tuple(map(tuple, points)), tuple(t[::-1] for t in floor.triangles))
    body = node(1, (0.0, HIGH + low, 0.0), turn)
    way = gone(on_mesh(mirrored, shape, body, 0.0, [WEDGE, SPIKE], (1.0, 1.0, -0.5)), 0.2)
    assert way[:, 1].min() > -1.01 * HIGH


@pytest.mark.long
@pytest.mark.parametrize("thing", ["plate", "blade", "cube"])
@pytest.mark.parametrize("ground", ["valley", "pit", "ridges"])
def test_what_falls_on_a_rough_mesh_stays_on_it(ground: str, thing: str) -> None:
    """Turned anyhow; where thin things overlap a face, the shortest way apart leads through it."""
    for seed in range(3):
        one = drop(ground, thing, seed)
        assert one.deep < 0.01, one
        assert one.gain < 0.01, one


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 36, 42, 798])
def test_the_tip_of_what_swings_down_is_met(seed: int) -> None:
    """A needle that lies on one end comes down with the other onto a triangle far from there.

    What of it is nearest to that triangle is no tip, and what is lowest in all is the end on which
    it lies; and of all points near the tip is the last to be deep.
    """
    one = drop("level", "needle", seed)
    assert one.deep < 0.01, one
    assert one.gain < 0.01, one
