# SPDX-License-Identifier: GPL-3.0-or-later
"""Which shapes may touch, and when shapes that move do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy", reason="SciPy is not installed")

from kernel.colliding import FAR, ROUND, STRAIGHT, Kernel, Solid, pose, random_pairs
from scipy.spatial.transform import Rotation

from omi_physics_joint.model.shape import Box, Cylinder, Plane, Sphere
from omi_physics_joint.solver.contacts.collision import Collision, Sweep

INT = np.int32


@pytest.fixture(scope="module")
def kernel(kernel_library: Path) -> Kernel:
    """The kernel of this checkout."""
    return Kernel(kernel_library)


def test_boxes_are_as_narrow_as_they_can_be(kernel: Kernel) -> None:
    """The box of a shape is as far as it reaches along the axes, and what it is grown by."""
    axes = np.concatenate([-np.eye(3), np.eye(3)])
    for a, b in random_pairs(STRAIGHT + ROUND, 60, 1, (0.0, 2.0)):
        for solid in (a, b):
            (box,) = Collision(kernel.library, [solid.core]).boxes(solid.pose[None], 0.25)
            true = solid.reach(axes) + axes @ solid.pose[:3]
            assert np.allclose(box.ravel(), np.repeat([-1, 1], 3) * (true + 0.25), atol=1e-12)
    plane = Solid(Plane(), pose(FAR))
    (box,) = Collision(kernel.library, [plane.core]).boxes(plane.pose[None], 0.25)
    assert box.tolist() == [[-np.inf] * 3, [np.inf] * 3]


def random_sweep(random: np.random.Generator, count: int) -> Sweep:
    """Return boxes of many sizes, some of which begin at the same place, one of them endless."""
    low = random.uniform(0.0, 10.0, (count, 3)).round(1)
    box = np.stack([low, low + random.uniform(0.0, 3.0, (count, 3)).round(1)], axis=1)
    box[int(random.integers(count))] = [[-np.inf] * 3, [np.inf] * 3]
    meets = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], INT)
    apart = sorted({(int(a), int(a + b)) for a, b in random.integers(1, count // 2, (count, 2))})
    numbers = (random.integers(0, most, count).astype(INT) for most in (count // 2 + 1, 2, 3))
    return Sweep(box, *numbers, meets, np.array(apart, INT), random.permutation(count).astype(INT))


def by_brute_force(s: Sweep) -> list[list[int]]:
    """Return the pairs that a sweep is to find, by looking at all."""
    apart = {tuple(one) for one in s.apart.tolist()}
    return [
        [i, j]
        for i in range(s.shapes)
        for j in range(i + 1, s.shapes)
        if (s.box[i, 0] <= s.box[j, 1]).all()
        and (s.box[j, 0] <= s.box[i, 1]).all()
        and s.body[i] != s.body[j]
        and (s.moves[i] or s.moves[j])
        and s.meets[s.filter[i], s.filter[j]]
        and tuple(sorted((int(s.body[i]), int(s.body[j])))) not in apart
    ]


def test_pairs_are_all_that_may_touch(kernel: Kernel) -> None:
    """Sweep and prune finds what brute force finds, in order, whatever the order was before."""
    random, collision = np.random.default_rng(2), Collision(kernel.library, [])
    for count in (1, 2, 3, 10, 40, 40, 40, 100):
        sweep = random_sweep(random, max(count, 4))
        true = by_brute_force(sweep)
        for _ in range(2):
            found, pairs = collision.pairs(sweep, len(true))
            assert found == len(true)
            assert pairs.tolist() == true
            begins = sweep.box[sweep.order, 0, 0]
            assert (begins[1:] >= begins[:-1]).all()


def test_pairs_without_room(kernel: Kernel) -> None:
    """Of more pairs than there is room for their number is told, and no other memory written."""
    sweep, collision = random_sweep(np.random.default_rng(3), 60), Collision(kernel.library, [])
    true = by_brute_force(sweep)
    found, pairs = collision.pairs(sweep, 5)
    assert found == len(true) > 5
    assert len(pairs) == 5
    assert all(pair in true for pair in pairs.tolist())
    assert collision.pairs(sweep, 0)[0] == len(true)


def motion(about: np.ndarray, velocity: tuple[float, ...], spin: tuple[float, ...]) -> np.ndarray:
    """Return a motion as the kernel has it."""
    return np.array([about, velocity, spin], np.float64)


def test_when_a_ball_meets_a_wall(kernel: Kernel) -> None:
    """A ball of 100 m/s comes to a wall when it has gone the way, if there is time."""
    ball, wall = (
        Solid(Sphere(0.04), pose(FAR)),
        Solid(Box((0.01, 4.0, 4.0)), pose(FAR + np.array([5.0, 0.0, 0.0]))),
    )
    collision = Collision(kernel.library, [ball.core, wall.core])
    fast, still = motion(FAR, (100.0, 0, 0), (0, 0, 0)), motion(FAR, (0, 0, 0), (0, 0, 0))
    first, second = (0, ball.pose, fast), (1, wall.pose, still)
    true = (5.0 - 0.005 - 0.04) / 100.0
    time, normal = collision.meet(first, second, 1.0, 1e-4)
    assert true - 1.1e-4 / 100.0 <= time + 1e-7
    assert time <= true - 1e-4 / 100.0
    assert np.allclose(normal, [1.0, 0.0, 0.0], atol=1e-12)
    assert collision.meet(second, first, 1.0, 1e-4)[0] == pytest.approx(time, abs=1e-12)
    assert collision.meet(first, second, 0.049, 1e-4)[0] == np.inf
    away = (0, ball.pose, -fast + motion(2 * FAR, (0, 0, 0), (0, 0, 0)))
    assert collision.meet(away, second, 1.0, 1e-4)[0] == np.inf
    assert collision.meet((0, wall.pose, still), second, 1.0, 1e-4)[0] == 0.0


def test_when_a_plate_that_spins_meets_a_post(kernel: Kernel) -> None:
    """A thin plate that spins ten times a second meets a post beside it when it is turned there."""
    plate, post = (
        Solid(Box((2.0, 0.01, 0.1)), pose(FAR)),
        Solid(Cylinder(1.0, 0.05, 0.05), pose(FAR)),
    )
    post = Solid(
        post.shape,
        pose(FAR + np.array([0.0, 0.6, 0.0]), Rotation.from_euler("x", 90, degrees=True)),
    )
    collision = Collision(kernel.library, [plate.core, post.core])
    spin = 2.0 * np.pi * 10.0
    first = (0, plate.pose, motion(FAR, (0, 0, 0), (0, 0, spin)))
    second = (1, post.pose, motion(FAR, (0, 0, 0), (0, 0, 0)))
    time, _ = collision.meet(first, second, 1.0, 1e-4)
    angle = np.pi / 2 - np.arcsin((0.05 + 0.005) / 0.6)
    assert spin * time == pytest.approx(angle, abs=1e-3)
    assert spin * time < angle


def test_when_a_shape_far_from_its_centre_comes_round(kernel: Kernel) -> None:
    """A ball that goes round a centre of mass 1 m away meets a wall there, and is not late."""
    ball = Solid(Sphere(0.1), pose(FAR + np.array([1.0, 0.0, 0.0])))
    wall = Solid(Box((4.0, 0.01, 4.0)), pose(FAR + np.array([0.0, 0.705, 0.0])))
    collision = Collision(kernel.library, [ball.core, wall.core])
    first = (0, ball.pose, motion(FAR, (0, 0, 0), (0, 0, 3.0)))
    time, _ = collision.meet(first, (1, wall.pose, motion(FAR, (0, 0, 0), (0, 0, 0))), 1.0, 1e-4)
    angle = np.arcsin(0.6)
    assert 3.0 * time == pytest.approx(angle, abs=1e-3)
    assert 3.0 * time < angle


@pytest.mark.long
def test_never_late(kernel: Kernel) -> None:
    """Shapes that move and turn anyhow are apart at all moments until they meet."""
    random, met = np.random.default_rng(4), 0
    for a, b in random_pairs(STRAIGHT + ROUND, 60, 5, (1.1, 2.0)):
        size, within = a.size + b.size, 1e-3 * (a.size + b.size)
        if kernel.distance(a, b)[0] < 2.0 * within:
            continue
        way = (b.pose[:3] - a.pose[:3]) * random.uniform(0.3, 2.0)
        moves = [
            motion(
                s.pose[:3] + random.normal(size=3) * 0.2 * s.size,
                velocity,
                random.normal(size=3) * 3,
            )
            for s, velocity in ((a, way), (b, random.normal(size=3) * 0.1 * size))
        ]
        collision = Collision(kernel.library, [a.core, b.core])
        time, _ = collision.meet((0, a.pose, moves[0]), (1, b.pose, moves[1]), 1.0, within)
        poses = []
        for solid, (centre, velocity, spin) in zip((a, b), moves, strict=True):
            turn = Rotation.from_rotvec(np.outer(np.linspace(0.0, min(time, 1.0), 50), spin))
            at = (
                turn.apply(solid.pose[:3] - centre)
                + centre
                + np.outer(np.linspace(0.0, min(time, 1.0), 50), velocity)
            )
            turned = turn.as_matrix() @ solid.pose[3:].reshape(3, 3)
            poses.append(np.concatenate([at, turned.reshape(50, 9)], axis=1))
        gaps = [collision.distance(0, p, 1, q)[0] for p, q in zip(*poses, strict=True)]
        assert min(gaps) > within * (1.0 - 1e-9)
        if time <= 1.0:
            met += 1
            assert gaps[-1] < within * 1.011
    assert met > 15
