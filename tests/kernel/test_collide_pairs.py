# SPDX-License-Identifier: GPL-3.0-or-later
"""Which shapes are near."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy", reason="SciPy is not installed")

from kernel.colliding import FAR, ROUND, STRAIGHT, Kernel, Solid, pose, random_pairs
from scipy.spatial.transform import Rotation

from omi_physics_joint.model.shape import Capsule, Plane
from omi_physics_joint.solver.contacts.collision import Collision, Sweep
from omi_physics_joint.solver.contacts.cores import Core, CoreKind, meshed, polytope

INT = np.int32
SWALLOWED = [Capsule(0.2, *ends) for ends in ((0.5, 0.1), (0.1, 0.5), (0.1, 0.3), (0.3, 0.1))]
"""Capsules of which one ball is all that there is: the lower one, or the upper one."""
GROUND = 0
"""Number of the half-space in a scene; the mesh is the next one."""


@pytest.fixture(scope="module")
def kernel(kernel_library: Path) -> Kernel:
    """The kernel of this checkout."""
    return Kernel(kernel_library)


def test_boxes_are_as_narrow_as_they_can_be(kernel: Kernel) -> None:
    """The box of a shape is as far as it reaches along the axes, and what it is grown by."""
    axes = np.concatenate([-np.eye(3), np.eye(3)])
    pairs = random_pairs(STRAIGHT + ROUND, 60, 1, (0.0, 2.0))
    turns = Rotation.random(len(SWALLOWED), random_state=1)
    alone = [(Solid(one, pose(FAR, turn)),) for one, turn in zip(SWALLOWED, turns, strict=True)]
    for solids in (*pairs, *alone):
        for solid in solids:
            (box,) = Collision(kernel.library, [solid.core]).boxes(solid.pose[None], 0.25)
            true = solid.reach(axes) + axes @ solid.pose[:3]
            assert np.allclose(box.ravel(), np.repeat([-1, 1], 3) * (true + 0.25), atol=1e-12)
    plane = Solid(Plane(), pose(FAR))
    (box,) = Collision(kernel.library, [plane.core]).boxes(plane.pose[None], 0.25)
    assert box.tolist() == [[-np.inf] * 3, [np.inf] * 3]


def random_scene(random: np.random.Generator, count: int) -> tuple[list[Core], Sweep]:
    """Return a half-space, a mesh of a hundred triangles, and shapes of all kinds about them."""
    corners = random.uniform(-4.0, 4.0, (300, 3)) * [1.0, 0.1, 1.0]
    corners[1::3] = corners[::3] + random.normal(size=(100, 3)) * 0.3
    corners[2::3] = corners[::3] + random.normal(size=(100, 3)) * 0.3
    mesh = meshed(corners, np.arange(300).reshape(-1, 3))
    assert mesh is not None
    cores, poses = [Core(CoreKind.HALF_SPACE), mesh], [pose(FAR - [0.0, 1.5, 0.0]), pose(FAR)]
    turns = Rotation.random(3 * count, random_state=random)
    for (solid, _), turn in zip(
        random_pairs(STRAIGHT + ROUND, 3 * count, 7, (0.0, 1.0)), turns, strict=True
    ):
        size = solid.core.reach
        if size > 3.0 or size < 0.05:
            continue
        cores.append(solid.core)
        poses.append(pose(FAR + random.uniform(-4.0, 4.0, 3) * [1.0, 0.4, 1.0], turn))
    n = len(cores)
    meets = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], INT)
    apart = sorted({(int(a), int(a + b)) for a, b in random.integers(1, n // 2 + 2, (n, 2))})
    body, moves, filtered = (random.integers(0, most, n).astype(INT) for most in (n, 2, 3))
    moves[:2] = 0
    body[:2] = n
    way = random.uniform(0.0, 0.3, n)
    return cores, Sweep(np.array(poses), way, body, moves, filtered, meets, np.array(apart, INT))


def gap(library: ctypes.CDLL, collision: Collision, s: Sweep, i: int, j: int) -> float:
    """Return how far two shapes are apart; of a mesh, its nearest triangle."""
    if i != GROUND + 1:
        return float(collision.collide(i, s.pose[i], j, s.pose[j], np.inf)["gap"])
    gaps = []
    mesh, solid = collision.cores[i], collision.cores[j]
    for corners in mesh.corner[mesh.face_corner.reshape(-1, 3)]:
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        normal /= np.linalg.norm(normal)
        alone = polytope(corners, ((0, 1, 2), (0, 2, 1)), np.array([normal, -normal]))
        pair = Collision(library, [alone, solid])
        gaps.append(float(pair.collide(0, s.pose[i], 1, s.pose[j], np.inf)["gap"]))
    return min(gaps)


def by_brute_force(library: ctypes.CDLL, collision: Collision, s: Sweep) -> list[list[int]]:
    """Return the pairs that a sweep is to find, by looking at all."""
    apart, count = {tuple(one) for one in s.apart.tolist()}, len(s.way)
    return [
        [i, j]
        for i in range(count)
        for j in range(i + 1, count)
        if s.body[i] != s.body[j]
        and (s.moves[i] or s.moves[j])
        and s.meets[s.filter[i], s.filter[j]]
        and (i, j) not in apart
        and gap(library, collision, s, i, j) <= s.way[i] + s.way[j]
    ]


@pytest.mark.parametrize("count", [0, 1, 5, 40, pytest.param(120, marks=pytest.mark.long)])
def test_pairs_are_all_that_may_touch(kernel: Kernel, count: int) -> None:
    """Sweep and prune finds what brute force finds, in order, whatever the order was before."""
    random = np.random.default_rng(count)
    cores, sweep = random_scene(random, count)
    collision = Collision(kernel.library, cores)
    true = by_brute_force(kernel.library, collision, sweep)
    order = random.permutation(len(cores)).astype(INT)
    for _ in range(2):
        assert collision.pairs(sweep, order).tolist() == true
        assert sorted(order.tolist()) == list(range(len(cores)))
    if count > 100:
        assert {0, 1} <= {i for i, _ in true}
        assert any(i > 1 for i, _ in true)


def test_many_pairs_have_room(kernel: Kernel) -> None:
    """Thirty balls in one place are 435 pairs, more than there is room for at first."""
    (ball, _), *_ = random_pairs(("sphere",), 1, 3, (0.0, 1.0))
    n = 30
    numbers = np.arange(n, dtype=INT)
    sweep = Sweep(
        np.repeat(ball.pose[None], n, 0),
        np.zeros(n),
        numbers,
        np.ones(n, INT),
        np.zeros(n, INT),
        np.ones((1, 1), INT),
        np.zeros((0, 2), INT),
    )
    collision = Collision(kernel.library, [ball.core] * n)
    assert len(collision.pairs(sweep, numbers.copy())) == n * (n - 1) // 2
