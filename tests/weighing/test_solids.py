# SPDX-License-Identifier: GPL-3.0-or-later
"""What fills shapes and meshes, against closed forms and sums over points all through them."""

from __future__ import annotations

from math import inf, nan, pi, prod

import numpy as np
import pytest
from numpy.typing import NDArray

from omi_physics_joint.model.mechanics.inertias import solid_of
from omi_physics_joint.model.mechanics.masses import Mass, spread_of
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere, Trimesh
from omi_physics_joint.model.solid import MeshSolids
from omi_physics_joint.weighing.hull import hull
from omi_physics_joint.weighing.solids import enclosed, measured

Array = NDArray[np.float64]
CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
"""From 0 to 1 along each axis."""


def grid(low: Array, high: Array, count: int = 60) -> tuple[Array, float]:
    """Return the middles of small cells that fill a box, (n, 3), and the volume of a cell."""
    steps = (high - low) / count
    lines = [low[i] + steps[i] * (np.arange(count) + 0.5) for i in range(3)]
    return np.stack(np.meshgrid(*lines, indexing="ij"), -1).reshape(-1, 3), float(steps.prod())


def summed(points: Array, cell: float) -> tuple[float, Array, Array]:
    """Return volume, centre and spread of cells at points."""
    centre = points.mean(0)
    arms = points - centre
    return len(points) * cell, centre, arms.T @ arms * cell


def assert_is(solid: Mass | None, truth: tuple[float, Array, Array], within: float) -> None:
    """Hold a solid to volume, centre and spread, to a part of their sizes."""
    assert solid is not None
    volume, centre, spread = truth
    assert solid.mass == pytest.approx(volume, rel=within)
    size = volume ** (1.0 / 3.0)
    assert np.array(solid.centre) == pytest.approx(centre, abs=within * size)
    assert np.array(spread_of(solid.inertia)) == pytest.approx(
        spread, abs=within * float(np.trace(spread))
    )


def inside_of(shape: Capsule | Cylinder, points: Array) -> Array:
    """Return which points lie in a shape: in no formula that the code uses."""
    low, high, end = shape.radius_bottom, shape.radius_top, 0.5 * shape.height
    away, y = np.hypot(points[:, 0], points[:, 2]), points[:, 1]
    if isinstance(shape, Cylinder):
        part = (y + end) / (2.0 * end)
        return np.asarray((np.abs(y) <= end) & (away <= low + (high - low) * part))
    # The hull of two balls is swept by the balls between them.
    parts = np.linspace(0.0, 1.0, 200)[:, None]
    centres, radii = -end + 2.0 * end * parts, low + (high - low) * parts
    found = np.zeros(len(points), dtype=bool)
    for centre, radius in zip(centres, radii, strict=True):
        found |= away * away + (y - centre) ** 2 <= radius * radius
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    "shape",
    [
        Cylinder(1.2, 0.4, 0.4),
        Cylinder(0.7, 0.5, 0.1),
        Cylinder(1.0, 0.0, 0.5),
        Capsule(1.0, 0.3, 0.3),
        Capsule(0.8, 0.5, 0.2),
        Capsule(0.8, 0.1, 0.4),
        Capsule(0.2, 0.6, 0.1),
        Capsule(0.0, 0.5, 0.5),
    ],
    ids=str,
)
def test_round_shapes_hold_the_points_in_them(shape: Capsule | Cylinder) -> None:
    """Straight and tapered capsules and cylinders, and capsules that are but one ball."""
    reach = max(shape.radius_bottom, shape.radius_top)
    half = 0.5 * shape.height + (0.0 if isinstance(shape, Cylinder) else reach)
    corner = np.array([reach, half, reach])
    points, cell = grid(-corner, corner)
    truth = summed(points[inside_of(shape, points)], cell)
    assert_is(solid_of(shape), truth, 6e-3)


def test_box_and_sphere_are_their_closed_forms() -> None:
    """Sides squared over 12; two fifths of the radius squared make an inertia."""
    assert_is(solid_of(Box((1.0, 2.0, 3.0))), (6.0, np.zeros(3), np.diag([0.5, 2.0, 4.5])), 1e-12)
    volume = 4.0 / 3.0 * pi * 8.0
    assert_is(solid_of(Sphere(2.0)), (volume, np.zeros(3), np.eye(3) * volume * 4.0 / 5.0), 1e-12)


@pytest.mark.parametrize("shape", [Sphere(0.0), Cylinder(0.0, 0.5, 0.5), Capsule(0.0, 0.0, 0.0)])
def test_what_has_no_volume_is_no_solid(shape: Shape) -> None:
    """Nothing is divided by zero."""
    assert solid_of(shape) is None


def test_hull_of_points_inside_and_on_a_cube_is_the_cube() -> None:
    """Points in faces, on edges and within do not count."""
    line = np.linspace(0.0, 1.0, 6)
    points = np.stack(np.meshgrid(line, line, line), -1).reshape(-1, 3)
    corners, triangles = hull(points)
    truth = (1.0, np.full(3, 0.5), np.eye(3) / 12.0)
    assert_is(enclosed(corners, triangles), truth, 1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_hull_holds_all_points_and_is_the_one_that_qhull_finds(seed: int) -> None:
    """Clouds of all kinds: rounded to a lattice, thin, long, in single precision."""
    spatial = pytest.importorskip("scipy.spatial", reason="SciPy is not installed")
    random = np.random.default_rng(seed)
    stretch = ((1.0, 1.0, 1.0), (1.0, 1.0, 1e-3), (1.0, 1e-2, 1e-2))[seed % 3]
    points = np.round(random.normal(size=(20 + 40 * seed, 3)), 1 + seed % 4) * stretch
    points = points.astype(np.float32).astype(np.float64)
    corners, triangles = hull(points)
    a, b, c = (corners[triangles[:, corner]] for corner in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    ahead = (points @ normals.T - np.einsum("ij,ij->i", normals, a)).max()
    assert ahead <= 2e-6 * np.ptp(points)
    solid = enclosed(corners, triangles)
    assert solid is not None
    assert solid.mass == pytest.approx(spatial.ConvexHull(points).volume, rel=1e-5)


def ring(sides: int, height: float, radius: float) -> Array:
    """Return the corners of a circle about Z."""
    angle = np.arange(sides) * 2.0 * pi / sides
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(sides, height)], 1)


PRIMITIVES = {
    "cylinder, 32 sides": np.concatenate([ring(32, -0.5, 1.0), ring(32, 0.5, 1.0)]),
    "cylinder, 64 sides": np.concatenate([ring(64, -0.2, 1.0), ring(64, 0.2, 1.0)]),
    "cone": np.concatenate([ring(32, 0.0, 1.0), [[0.0, 0.0, 1.0]]]),
    "cube": CUBE - 0.5,
    "ball": np.concatenate([ring(24, np.cos(a), np.sin(a)) for a in np.linspace(0.0, pi, 13)]),
    "torus": np.concatenate(
        [ring(24, 0.3 * np.sin(a), 1.0 + 0.3 * np.cos(a)) for a in np.linspace(0.0, 2.0 * pi, 12)]
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", PRIMITIVES)
def test_turned_meshes_in_single_precision_weigh_what_qhull_says(name: str) -> None:
    """Stretched, turned by a right angle or anyhow, off the origin, and stored."""
    spatial = pytest.importorskip("scipy.spatial", reason="SciPy is not installed")
    draw = np.random.default_rng(20261123)
    rotation = spatial.transform.Rotation
    turns = [rotation.from_euler("x", 90, degrees=True), *rotation.random(7, random_state=draw)]
    for turn in turns:
        size, away = 10.0 ** draw.uniform(-2.0, 1.0), draw.choice([0.0, 1.0, 5.0])
        points = size * (turn.apply(PRIMITIVES[name] * draw.uniform(0.3, 1.0, 3)) + away)
        points = points.astype(np.float32).astype(np.float64)
        faces = spatial.ConvexHull(points, qhull_options="QJ").simplices
        a, b, c = (points[faces[:, corner]] for corner in range(3))
        inwards = np.einsum("ij,ij->i", np.cross(b - a, c - a), a - points.mean(0)) < 0.0
        faces[inwards] = faces[inwards][:, ::-1]
        truth = enclosed(points, faces)
        assert truth is not None
        volume, spread = truth.mass, np.array(spread_of(truth.inertia))
        assert_is(enclosed(*hull(points)), (volume, np.array(truth.centre), spread), 1e-5)
        assert volume <= (1.0 + 1e-6) * np.ptp(points, axis=0).prod()


def test_large_clouds_are_cut_down_alike_however_flat_they_are() -> None:
    """Which of very many points are looked at is the same for a ball and a board."""
    stretch, random = (64.0, 0.125, 1.0), np.random.default_rng(2)
    shell = random.normal(size=(60, 3))
    shell /= np.linalg.norm(shell, axis=1, keepdims=True)
    points = np.concatenate([shell, random.uniform(-0.4, 0.4, (2000, 3))])
    ball, other = (enclosed(*hull(points * one)) for one in ((1.0, 1.0, 1.0), stretch))
    assert ball is not None
    assert other is not None
    assert other.mass == pytest.approx(ball.mass * prod(stretch), rel=1e-6)


@pytest.mark.long
def test_large_clouds_lose_less_than_a_hundredth() -> None:
    """A ball of 20,000 points keeps its volume though only some points are looked at."""
    points = np.random.default_rng(1).normal(size=(20_000, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    solid = enclosed(*hull(points))
    assert solid is not None
    assert solid.mass == pytest.approx(4.0 / 3.0 * pi, rel=7e-3)


@pytest.mark.parametrize(
    "points",
    [CUBE[:3], CUBE * (1.0, 1.0, 0.0), np.zeros((5, 3)), np.outer(np.arange(9.0), (1.0, 2.0, 3.0))],
    ids=["three", "plane", "point", "line"],
)
def test_flat_points_have_no_hull(points: Array) -> None:
    """A plane, a line and a point hold nothing."""
    assert measured(points, np.zeros((0, 3), dtype=np.intp)).hull is None


def ell() -> tuple[Array, NDArray[np.intp]]:
    """Return a closed mesh: the extrusion of an L of three unit squares by one."""
    outline = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], dtype=float)
    points = np.array([[x, y, z] for z in (0.0, 1.0) for x, y in outline])
    caps = [(0, 1, 3), (1, 2, 3), (0, 3, 5), (3, 4, 5)]
    sides = [(i, (i + 1) % 6) for i in range(6)]
    triangles = [(a, c, b) for a, b, c in caps] + [(a + 6, b + 6, c + 6) for a, b, c in caps]
    triangles += [(i, j, j + 6) for i, j in sides] + [(i, j + 6, i + 6) for i, j in sides]
    return points, np.array(triangles)


def test_closed_mesh_holds_what_it_encloses_and_its_hull_more() -> None:
    """An L of three cubes holds three; its hull fills half of the fourth."""
    points, triangles = ell()
    solids = measured(points, triangles)
    cells, cell = grid(np.zeros(3), np.array([2.0, 2.0, 1.0]))
    truth = summed(cells[(cells[:, 0] < 1.0) | (cells[:, 1] < 1.0)], cell)
    assert_is(solids.inside, truth, 1e-3)
    assert_is(solid_of(Trimesh(0), solids), truth, 1e-3)
    hulled = solid_of(Convex(0), solids)
    assert hulled is not None
    assert hulled.mass == pytest.approx(3.5)


def test_seams_do_not_open_a_mesh_and_holes_do() -> None:
    """Files repeat points where normals differ; an open mesh counts as its hull."""
    points, triangles = ell()
    apart = points[triangles.ravel()]
    solids = measured(apart, np.arange(len(apart)).reshape(-1, 3))
    assert solids.inside is not None
    assert solids.inside.mass == pytest.approx(3.0)
    opened = measured(points, triangles[:-1])
    assert opened.inside is None
    assert solid_of(Trimesh(0), opened) == opened.hull


def test_inside_out_is_the_same_solid() -> None:
    """Normals that look inwards do not make a volume negative."""
    points, triangles = ell()
    straight = measured(points, triangles).inside
    assert straight is not None
    truth = (straight.mass, np.array(straight.centre), np.array(spread_of(straight.inertia)))
    assert_is(measured(points, triangles[:, ::-1]).inside, truth, 1e-12)


@pytest.mark.parametrize("wrong", [nan, inf, -inf])
def test_a_mesh_with_a_point_that_is_nowhere_holds_nothing(wrong: float) -> None:
    """Neither its hull nor what is in it, whatever the other points are."""
    points = CUBE.copy()
    points[3, 1] = wrong
    assert measured(points, np.array([(0, 1, 2), (1, 3, 2)])) == MeshSolids()


def test_sizes_below_zero_fill_as_much() -> None:
    """Files say such, and readers take them for the size alone."""
    for one, other in (
        (Box((1.0, -2.0, 3.0)), Box((1.0, 2.0, 3.0))),
        (Box((-1.0, -2.0, -3.0)), Box((1.0, 2.0, 3.0))),
        (Sphere(-0.5), Sphere(0.5)),
        (Capsule(-1.0, 0.25, 0.25), Capsule(1.0, 0.25, 0.25)),
        (Cylinder(1.0, -0.25, 0.5), Cylinder(1.0, 0.25, 0.5)),
    ):
        assert solid_of(one) == solid_of(other) is not None
