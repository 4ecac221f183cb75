# SPDX-License-Identifier: GPL-3.0-or-later
"""Where shapes touch meshes: as they touch what the mesh is cut from, and never an inner edge."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy", reason="SciPy is not installed")

from kernel.colliding import FAR, ROUND, STRAIGHT, Kernel, Solid, pose, random_pairs, random_shape
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from omi_physics_joint.model.shape import Box, Convex, Plane, Shape, Sphere
from omi_physics_joint.solver.contacts.collision import Collision
from omi_physics_joint.solver.contacts.cores import Core, hulled, meshed
from omi_physics_joint.weighing.hull import hull

TURN = Rotation.from_rotvec([0.4, -1.1, 0.7])
UP = TURN.apply([0.0, 1.0, 0.0])


@pytest.fixture(scope="module")
def kernel(kernel_library: Path) -> Kernel:
    """The kernel of this checkout."""
    return Kernel(kernel_library)


def grid(count: int, half: float) -> Core:
    """Return an even floor of so many squares along each side, upwards."""
    at = np.linspace(-half, half, count + 1)
    points = np.array([(x, 0.0, z) for x in at for z in at])
    first = np.array([i * (count + 1) + j for i in range(count) for j in range(count)])
    below, beside, across = first + 1, first + count + 1, first + count + 2
    triangles = np.concatenate(
        [np.stack([first, below, across], 1), np.stack([first, across, beside], 1)]
    )
    core = meshed(points, triangles)
    assert core is not None
    return core


def hull_mesh(points: np.ndarray) -> Core:
    """Return the surface of a hull as a mesh, whose faces look outwards."""
    core = meshed(*hull(points))
    assert core is not None
    return core


def touch(kernel: Kernel, mesh: Core, other: Core, at: np.ndarray, margin: float) -> Any:
    """Return the manifold of a mesh, turned and far off, and a shape at a pose."""
    pair = Collision(kernel.library, [mesh, other])
    return pair.collide(0, pose(FAR, TURN), 1, at, margin)


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 3, 8, 50])
@pytest.mark.parametrize("kind", [*STRAIGHT, *ROUND])
def test_an_even_floor_is_one_plane_however_it_is_cut(
    kernel: Kernel, kind: str, count: int
) -> None:
    """Whatever lies over it in any pose has the gap and the normal of a plane without end."""
    mesh, plane = grid(count, 4.0), Solid(Plane(), pose(FAR, TURN))
    for number, (_, solid) in enumerate(random_pairs((kind,), 40, 11, (0.0, 1.0))):
        if not 0.05 < solid.size < 1.0:
            continue
        shift = np.random.default_rng(number).uniform(-2.0, 2.0, 2)
        low = solid.reach(-UP[None])[0]
        for sunk in (-1e-3, 0.0, 1e-7, 1e-3):
            place = FAR + TURN.apply([shift[0], low - sunk, shift[1]])
            here = np.concatenate([place, solid.pose[3:]])
            found = touch(kernel, mesh, solid.core, here, 0.005)
            true = kernel.collide(plane, Solid(solid.shape, here, solid.points), 0.005)
            own = slice(found["points"])
            assert found["points"] > 0
            assert found["gap"] == pytest.approx(true["gap"], abs=1e-9)
            assert np.allclose(found["normals"][own], UP, rtol=0.0, atol=1e-9)
            assert found["gaps"][own].min() == pytest.approx(-sunk, abs=1e-8)


def test_a_box_on_a_thousand_triangles_stands_on_its_corners(kernel: Kernel) -> None:
    """Four points, one at each corner, whose names stay as it moves."""
    mesh, box = grid(40, 4.0), Solid(Box((1.0, 0.5, 0.8)), pose(FAR)).core
    names = set()
    for shift in np.linspace(0.0, 0.07, 5):
        here = pose(FAR + TURN.apply([shift, 0.25, 2.0 * shift]), TURN)
        found = touch(kernel, mesh, box, here, 0.005)
        places = TURN.inv().apply(found["at_b"][: found["points"]] - here[:3])
        assert sorted(map(tuple, places.round(9).tolist())) == [
            (x, -0.25, z) for x in (-0.5, 0.5) for z in (-0.4, 0.4)
        ]
        names.add(tuple(sorted(found["id"][:4].tolist())))
    assert len(names) == 1


def test_what_slides_does_not_see_the_edge_of_the_next_triangle(kernel: Kernel) -> None:
    """A box sunk by anything, or floating, whose side is at an edge, is only pushed up."""
    mesh, box = grid(4, 4.0), Solid(Box((0.5, 0.5, 0.5)), pose(FAR)).core
    for beyond in (-1e-3, -1e-7, -1e-12, 0.0, 1e-12, 1e-7, 1e-3):
        for sunk in (-1e-6, 0.0, 1e-12, 1e-9, 1e-6, 1e-3):
            here = pose(FAR + TURN.apply([0.25 + beyond, 0.25 - sunk, 0.3]), TURN)
            found = touch(kernel, mesh, box, here, 0.01)
            assert np.allclose(found["normals"][: found["points"]], UP, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("is_closed", [True, False])
def test_what_slides_off_a_table_is_not_held_by_its_side(kernel: Kernel, is_closed: bool) -> None:
    """The rim of a table, whose sides are seen from inside, pushes up alone."""
    points = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-0.5, 0.0) for z in (-1.0, 1.0)])
    triangles = ConvexHull(points).simplices
    if not is_closed:
        triangles = triangles[(points[triangles][:, :, 1] > -0.5).any(1)]
    mesh = meshed(points, triangles)
    box = Solid(Box((0.5, 0.5, 0.5)), pose(FAR)).core
    assert mesh is not None
    for beyond in (-1e-3, -1e-7, -1e-12, 0.0, 1e-12, 1e-9, 1e-3, 0.1):
        for sunk in (-1e-6, 0.0, 1e-12, 1e-9, 1e-6):
            here = pose(FAR + TURN.apply([0.75 + beyond, 0.25 - sunk, 0.3]), TURN)
            found = touch(kernel, mesh, box, here, 0.005)
            assert np.allclose(found["normals"][: found["points"]], UP, rtol=0.0, atol=1e-9)
            assert found["points"] >= 2


@pytest.mark.parametrize("kind", [*STRAIGHT, *ROUND])
def test_the_surface_of_a_hull_is_met_as_the_hull(kernel: Kernel, kind: str) -> None:
    """Apart from one another, a hull and the mesh of its surface have the same gap and normal."""
    random, compared = np.random.default_rng(21), 0
    for turn in Rotation.random(20, random_state=random):
        size = 10.0 ** random.uniform(-3.0, 2.0)
        points = random.normal(size=(20, 3)) * 0.4 * size
        whole = Solid(Convex(0), pose(FAR, TURN), points)
        shape, own = random_shape(kind, size * 10.0 ** random.uniform(-1.0, 1.0), random)
        solid = Solid(shape, pose(FAR, turn), own)
        way = random.normal(size=3)
        both = whole.size + solid.size
        solid = solid.moved(way * random.uniform(0.6, 1.3) * both / np.linalg.norm(way))
        true = kernel.collide(whole, solid, 0.5 * size)
        if not true["points"] or true["gap"] < 1e-6 * both:
            continue
        found = touch(kernel, hull_mesh(points), solid.core, solid.pose, 0.5 * size)
        compared += 1
        assert found["gap"] == pytest.approx(true["gap"], abs=1e-8 * both)
        assert found["normal"] == pytest.approx(true["normal"], abs=1e-4)
    assert compared > 4


def test_a_valley_pushes_from_both_sides(kernel: Kernel) -> None:
    """A ball in a groove is pushed by both faces, and by nothing along the groove."""
    points = np.array([(x, abs(x), z) for x in (-1.0, 0.0, 1.0) for z in (-2.0, 0.0, 2.0)])
    triangles = [
        (0, 1, 4),
        (0, 4, 3),
        (1, 2, 5),
        (1, 5, 4),
        (3, 4, 7),
        (3, 7, 6),
        (4, 5, 8),
        (4, 8, 7),
    ]
    mesh = meshed(points, np.array(triangles))
    assert mesh is not None
    ball = Solid(Sphere(0.3), pose(FAR)).core
    found = touch(kernel, mesh, ball, pose(FAR + TURN.apply([0.0, 0.3 * 2**0.5, 0.1])), 1e-3)
    normals = TURN.inv().apply(found["normals"][: found["points"]])
    assert {tuple(one) for one in normals.round(9).tolist()} == {
        (0.707106781, 0.707106781, 0.0),
        (-0.707106781, 0.707106781, 0.0),
    }
    assert found["gaps"][: found["points"]] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("shape", [Sphere(0.05), Box((0.1, 0.1, 0.1))])
def test_single_precision_does_not_make_an_even_floor_uneven(kernel: Kernel, shape: Shape) -> None:
    """Corners that were rounded 20 m off push along the floor by less than rounding of a metre."""
    even = grid(8, 2.0)
    corners = (TURN.apply(even.corner) + FAR).astype(np.float32).astype(np.float64) - FAR
    mesh = meshed(TURN.inv().apply(corners), even.face_corner.reshape(-1, 3).astype(np.intp))
    assert mesh is not None
    solid, random = Solid(shape, pose(FAR)).core, np.random.default_rng(3)
    for x, z in random.uniform(-1.5, 1.5, (200, 2)):
        here = pose(FAR + TURN.apply([x, 0.05 - 1e-6, z]), TURN)
        found = touch(kernel, mesh, solid, here, 1e-3)
        own = slice(found["points"])
        assert found["points"] > 0
        assert np.abs(found["normals"][own] - UP).max() < 1e-5
        assert np.abs(found["gaps"][own]).max() < 5e-6


def pit(count: int, half: float) -> Core:
    """Return a floor of so many squares along each side that rises by 0.4 from its middle."""
    even = grid(count, half)
    high = 0.4 * np.abs(even.corner).max(axis=1)
    core = meshed(even.corner + np.outer(high, [0.0, 1.0, 0.0]), even.face_corner.reshape(-1, 3))
    assert core is not None
    return core


def below(mesh: Core, points: np.ndarray) -> float:
    """Return how far the lowest of points (n, 3) is in a floor, axes of that; m."""
    a, b, c = (mesh.corner[mesh.face_corner[i::3]] for i in range(3))
    across = np.linalg.inv(np.stack([b - a, c - a], axis=-1)[:, [0, 2]])
    parts = np.einsum("fij,fpj->fpi", across, (points - a[:, None])[..., [0, 2]])
    is_over = (parts >= -1e-9).all(-1) & (parts.sum(-1) <= 1.0 + 1e-9)
    rises = np.stack([b - a, c - a], axis=1)[..., 1]
    high = a[:, None, 1] + (parts * rises[:, None]).sum(-1)
    return float(np.where(is_over, high - points[:, 1], -np.inf).max())


THIN = {
    "needle": (8, (0.02, 0.5, 0.02)),
    "plate": (12, (0.3, 0.01, 0.3)),
    "blade": (6, (0.02, 0.3, 0.2)),
    "tetrahedron": (4, (0.3, 0.3, 0.3)),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", THIN)
@pytest.mark.parametrize("mesh", [grid(16, 4.0), pit(16, 4.0)], ids=["level", "pit"])
def test_what_is_thin_is_pushed_out_and_not_through(kernel: Kernel, kind: str, mesh: Core) -> None:
    """What lies on a mesh and is a little in it, with its middle before it, is pushed up."""
    random = np.random.default_rng(7)
    count, size = THIN[kind]
    line = np.linspace(0.0, 1.0, 33)[:, None, None]
    for _ in range(60):
        core = hulled(random.normal(size=(count, 3)) * size)
        assert core is not None
        core = replace(core, corner=core.corner - core.corner.mean(axis=0))
        flat = Rotation.align_vectors([[0.0, 1.0, 0.0]], np.linalg.svd(core.corner)[2][2:])[0]
        turn = Rotation.from_rotvec(random.choice([0.0, 0.02, 0.2, 2.0]) * random.normal(size=3))
        about = turn * flat
        faces = hull(core.corner)[1]
        ends = about.apply(core.corner)[faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)]
        seen = (ends[:, 0] * (1.0 - line) + ends[:, 1] * line).reshape(-1, 3)
        place = np.array([*random.uniform(-1.5, 1.5, 3)])
        place[1] += below(mesh, seen + place) - random.choice([1e-4, 1e-3])
        if below(mesh, place[None]) > -1e-3:
            continue
        found = touch(kernel, mesh, core, pose(FAR + TURN.apply(place), TURN * about), 0.01)
        own = found["normals"][: found["points"]]
        assert len(own)
        assert (own @ UP > 0.0).all(), (place, own @ UP, found["gaps"][: len(own)])


def test_flat_and_empty_meshes_are_none() -> None:
    """Triangles without an area are left out; without any there is nothing to touch."""
    line = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    assert meshed(line, np.array([(0, 1, 2), (1, 1, 3)])) is None
    core = meshed(line, np.array([(0, 1, 2), (0, 1, 3)]))
    assert core is not None
    assert core.faces == 1
