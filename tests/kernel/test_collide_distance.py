# SPDX-License-Identifier: GPL-3.0-or-later
"""How far shapes are apart, or overlap: closed forms, proofs by duality, brute force."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy", reason="SciPy is not installed")

from kernel.colliding import (
    FAR,
    ROUND,
    STRAIGHT,
    Kernel,
    Solid,
    hull_depth,
    largest_separation,
    pose,
    random_pairs,
    separation,
)
from scipy.spatial.transform import Rotation

from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Plane, Sphere

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
TURN = Rotation.from_rotvec([0.4, -1.1, 0.7])


@pytest.fixture(scope="module")
def kernel(kernel_library: Path) -> Kernel:
    """The kernel of this checkout."""
    return Kernel(kernel_library)


CAPSULE, CYLINDER = Capsule(2.0, 0.5, 0.5), Cylinder(2.0, 0.5, 0.5)
CLOSED_FORMS = {
    "two spheres": (Sphere(0.5), Sphere(0.25), (1.0, 2.0, 2.0), 3.0 - 0.75),
    "spheres that overlap": (Sphere(0.5), Sphere(0.25), (0.1, 0.2, 0.2), 0.3 - 0.75),
    "sphere before a face": (Sphere(0.5), Box((2.0, 2.0, 2.0)), (1.75, 0.1, -0.3), 0.25),
    "sphere before an edge": (Sphere(0.5), Box((2.0, 2.0, 2.0)), (4.0, 5.0, -0.3), 5.0 - 0.5),
    "sphere before a corner": (Sphere(0.5), Box((2.0, 2.0, 2.0)), (2.0, 3.0, 3.0), 3.0 - 0.5),
    "sphere with its centre in a box": (Sphere(0.5), Box((2.0, 2.0, 2.0)), (0.6, 0.1, -0.3), -0.9),
    "sphere beside a capsule": (Sphere(0.5), CAPSULE, (3.0, 0.5, 4.0), 5.0 - 1.0),
    "sphere above a capsule": (Sphere(0.5), CAPSULE, (3.0, 5.0, 0.0), 5.0 - 1.0),
    "sphere beside a cylinder": (Sphere(0.5), CYLINDER, (3.0, 0.5, 4.0), 5.0 - 1.0),
    "sphere before a rim": (Sphere(0.5), CYLINDER, (3.5, 5.0, 0.0), 5.0 - 0.5),
    "sphere above a cone's tip": (Sphere(0.5), Cylinder(2.0, 0.5, 0.0), (0.0, -3.0, 0.0), 1.5),
    "sphere above a capsule's large end": (Sphere(0.5), Capsule(0.2, 0.1, 0.5), (0, -3, 0), 1.9),
    "sphere above its small end": (Sphere(0.5), Capsule(0.2, 0.5, 0.1), (0, -3, 0), 2.1),
    "sphere in a cylinder": (Sphere(0.25), CYLINDER, (0.3, 0.1, 0.0), -0.45),
    "capsules side by side": (CAPSULE, CAPSULE, (3.0, 0.2, 4.0), 5.0 - 1.0),
    "capsules one above the other": (CAPSULE, CAPSULE, (0.0, 4.0, 0.0), 1.0),
    "cylinders side by side": (CYLINDER, CYLINDER, (3.0, 0.2, 4.0), 5.0 - 1.0),
    "cylinders one above the other": (CYLINDER, CYLINDER, (0.2, 2.5, 0.1), 0.5),
    "cylinders in each other": (CYLINDER, CYLINDER, (0.2, 1.9, 0.1), -0.1),
    "boxes face to face": (Box((1.0, 1.0, 1.0)), Box((2.0, 2.0, 2.0)), (0.3, 0.2, 1.75), 0.25),
    "boxes that overlap": (Box((1.0, 1.0, 1.0)), Box((2.0, 2.0, 2.0)), (0.3, 0.2, 1.4), -0.1),
    "boxes corner to corner": (Box((1.0, 1.0, 1.0)), Box((2.0, 2.0, 2.0)), (2.5, 3.5, 3.5), 3.0),
    "a box that is a hull": (Convex(0), Box((2.0, 2.0, 2.0)), (0.3, 0.2, 1.75), 0.25),
    "a capsule of two radii": (
        Sphere(0.1),
        Capsule(2.0, 0.6, 0.0),
        (1.0, 0.0, 0.0),
        0.91**0.5 - 0.4,
    ),
}


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_closed_forms(kernel: Kernel, name: str, exchanged: bool) -> None:
    """What one can say of two upright shapes by hand is so however both are turned."""
    one, other, way, gap = CLOSED_FORMS[name]
    a, b = (Solid(shape, pose(FAR, TURN), CORNERS) for shape in (one, other))
    b = b.moved(TURN.apply(way))
    found, normal, points = kernel.distance(*((b, a) if exchanged else (a, b)))
    assert found == pytest.approx(gap, abs=1e-12)
    assert (points[1] - points[0]) @ normal == pytest.approx(gap, abs=1e-12)


def test_half_spaces(kernel: Kernel) -> None:
    """A plane is as far as the lowest point of a shape; two of them never meet."""
    plane = Solid(Plane(), pose(FAR, TURN))
    up = TURN.apply([0.0, 1.0, 0.0])
    for _, b in random_pairs(STRAIGHT + ROUND, 60, 1, (0.0, 2.0)):
        gap = (b.pose[:3] - FAR) @ up - b.reach(-up[None])[0]
        assert kernel.distance(plane, b)[0] == pytest.approx(gap, abs=1e-9 * b.size)
        found, normal, points = kernel.distance(b, plane)
        assert found == pytest.approx(gap, abs=1e-9 * b.size)
        assert np.allclose(normal, -up, rtol=0.0, atol=1e-15)
        assert np.allclose(points[0] + gap * normal, points[1], rtol=0.0, atol=1e-9 * b.size)
    assert kernel.distance(plane, plane)[0] == np.inf


def judge(kernel: Kernel, a: Solid, b: Solid) -> tuple[float, float, np.ndarray]:
    """Hold what is found of two solids to its proof; return gap, size and normal."""
    size = a.size + b.size
    gap, normal, points = kernel.distance(a, b)
    assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-14)
    assert separation(a, b, normal[None])[0] == pytest.approx(gap, abs=1e-11 * size)
    for solid, point in ((a, points[0]), (b, points[1])):
        assert solid.depth(point) <= 1e-9 * size
    between = points[1] - points[0]
    assert between @ normal == pytest.approx(gap, abs=1e-9 * size)
    assert np.linalg.norm(between - gap * normal) < 1e-7 * size
    return gap, size, normal


@pytest.mark.long
@pytest.mark.parametrize("kinds", [STRAIGHT, ROUND, STRAIGHT + ROUND])
def test_distances_prove_themselves(kernel: Kernel, kinds: tuple[str, ...]) -> None:
    """The nearest points of shapes that are apart are no farther than the normal says."""
    for a, b in random_pairs(kinds, 150, 2, (0.7, 2.0)):
        gap, size, normal = judge(kernel, a, b)
        if gap > 1e-6 * size:
            points = kernel.distance(a, b)[2]
            between = points[1] - points[0]
            assert np.linalg.norm(between) == pytest.approx(gap, abs=1e-9 * size)
            assert np.abs(between / gap - normal).max() < 1e-7


@pytest.mark.long
@pytest.mark.parametrize("kinds", [STRAIGHT, ROUND, STRAIGHT + ROUND])
def test_no_way_out_is_shorter(kernel: Kernel, kinds: tuple[str, ...]) -> None:
    """Shapes that overlap, however deep, are parted by no direction with less way."""
    random = np.random.default_rng(3)
    for a, b in random_pairs(kinds, 50, 4, (0.0, 0.7)):
        gap, size, normal = judge(kernel, a, b)
        assert largest_separation(a, b, random, normal) < gap + 1e-9 * size


@pytest.mark.long
def test_hulls_part_as_brute_force_says(kernel: Kernel) -> None:
    """How deep two hulls overlap is what all faces of their difference say."""
    deep = 0
    for a, b in random_pairs(("hull", "box"), 100, 5, (0.0, 0.6)):
        size = a.size + b.size
        corners = [s.core.corner @ s.pose[3:].reshape(3, 3).T + s.pose[:3] - FAR for s in (a, b)]
        true = hull_depth(*corners)
        if true < 0.0:
            deep += 1
            assert kernel.distance(a, b)[0] == pytest.approx(true, abs=2e-9 * size)
    assert deep > 60


@pytest.mark.long
def test_exchange(kernel: Kernel) -> None:
    """The second shape is as far from the first as the first from the second."""
    for a, b in random_pairs(STRAIGHT + ROUND, 200, 6, (0.0, 1.5)):
        gap, normal, _ = kernel.distance(a, b)
        back, against, _ = kernel.distance(b, a)
        assert back == pytest.approx(gap, abs=1e-11 * (a.size + b.size))
        if abs(gap) > 1e-3 * a.size:
            assert np.abs(normal + against).max() < 1e-7


@pytest.mark.long
@pytest.mark.parametrize("kinds", [STRAIGHT, ROUND])
def test_touching_is_no_step(kernel: Kernel, kinds: tuple[str, ...]) -> None:
    """Where a shape goes through touching another, the gap falls no faster than the shape moves."""
    for a, b in random_pairs(kinds, 30, 7, (1.0, 1.2)):
        size = a.size + b.size
        gap, normal, _ = kernel.distance(a, b)
        touching = b.moved(-gap * normal)
        steps = size * np.concatenate(
            [-np.geomspace(1e-3, 1e-15, 13), [0.0], np.geomspace(1e-15, 1e-3, 13)]
        )
        gaps = np.array([kernel.distance(a, touching.moved(by * normal))[0] for by in steps])
        assert np.abs(gaps - steps).max() < 2e-3 * size
        assert (np.diff(gaps) <= np.diff(steps) + 1e-12 * size + 2e-14).all()
        assert (np.diff(gaps) > -1e-12 * size - 2e-14).all()
        assert abs(gaps[13]) < 1e-12 * size + 2e-14


def test_cores_that_cross(kernel: Kernel) -> None:
    """Spheres and capsules whose cores meet are parted across them, by both radii."""
    ball, capsule = (Solid(shape, pose(FAR, TURN)) for shape in (Sphere(0.5), CAPSULE))
    crossed = Solid(
        CAPSULE, pose(FAR + TURN.apply([0.0, 0.3, 0.0]), TURN * Rotation.from_rotvec([1.0, 0, 0]))
    )
    for one, other in (
        (ball, ball),
        (ball, capsule),
        (capsule, ball),
        (capsule, capsule),
        (capsule, crossed),
        (capsule, capsule.moved(TURN.apply([0.0, 0.3, 0.0]))),
    ):
        gap, normal, _ = kernel.distance(one, other)
        assert gap == pytest.approx(-1.0, abs=1e-12)
        assert separation(one, other, normal[None])[0] == pytest.approx(-1.0, abs=1e-12)


def test_the_deepest_points_face_each_other(kernel: Kernel) -> None:
    """A ball with its centre in a box, anywhere below a face, is deepest right below it."""
    box = Solid(Box((2.0, 2.0, 2.0)), pose(FAR, TURN))
    for x in np.linspace(-0.8, 0.8, 9):
        for z in np.linspace(-0.75, 0.85, 9):
            ball = Solid(Sphere(0.3), pose(FAR + TURN.apply([x, 0.9, z]), TURN))
            gap, _, points = kernel.distance(box, ball)
            assert gap == pytest.approx(-0.4, abs=1e-12)
            local = TURN.inv().apply(points - FAR)
            assert np.allclose(local, [[x, 1.0, z], [x, 0.6, z]], rtol=0.0, atol=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("part", [0.0, -1e-9, 1e-9, -1e-4, 1e-4, 1e-2])
def test_what_is_moved_along_its_gap_is_no_nearer_than_that(part: float, kernel: Kernel) -> None:
    """Brought to touch, or nearly: the direction is known, and parts them by the way at least."""
    for a, b in random_pairs(STRAIGHT + ROUND, 500, 12, (0.8, 1.1)):
        size = a.size + b.size
        gap, normal, _ = kernel.distance(a, b)
        found, _, _ = kernel.distance(a, b.moved(normal * (part * size - gap)))
        assert found > (part - 1e-11) * size


@pytest.mark.parametrize("apart", [(0.1, 0.6), (0.6, 1.0), (1.0, 1.3)])
def test_no_guess_changes_a_gap(apart: tuple[float, float], kernel: Kernel) -> None:
    """Guessed as it is, as it nearly is, the other way or anyhow: the gap is the largest one."""
    random = np.random.default_rng(17)
    for a, b in random_pairs((*STRAIGHT, "box", "cylinder", "cone"), 200, 13, apart):
        true = kernel.collide(a, b, np.inf)
        near, far = random.normal(size=(2, 3))
        for guess in (true["normal"], true["normal"] + 0.2 * near, -true["normal"], far):
            found = kernel.guessed(a, b, 3.0 * guess)
            assert abs(found["gap"] - true["gap"]) < 1e-8 * (a.size + b.size)
            assert abs(found["gap"] - separation(a, b, found["normal"][None])[0]) < 1e-8 * (
                a.size + b.size
            )
            if found["gap"] > 0.0:
                points = np.array([found["at_a"][0], found["at_b"][0]])
                assert max(a.depth(points[0]), b.depth(points[1])) < 1e-8 * (a.size + b.size)
