# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes and poses for the tests of collision, and what is true of them, found without the kernel.

What a shape reaches along directions, and whether a point is in it, is said here of the model's
shapes themselves. A gap between shapes that are apart proves itself: no direction parts them by
more than the distance of any two points, and no two points are nearer than any direction says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Plane, Shape, Sphere
from omi_physics_joint.solver.contacts.collision import Collision
from omi_physics_joint.solver.contacts.cores import Core, core_of, hulled
from omi_physics_joint.solver.engines.kernel import load
from omi_physics_joint.solver.engines.kernel_structs import MANIFOLD

Array = np.ndarray
FAR = np.array([17.0, -9.0, 12.0])
"""m: where pairs are tried, more than 20 m from the origin."""


@cache
def hull_of(points: bytes) -> Core | None:
    """Return the hull of points, doubles three by three, as the kernel knows it; prepared once."""
    return hulled(np.frombuffer(points).reshape(-1, 3))


@dataclass(frozen=True)
class Solid:
    """A shape of the model and its mesh, where it is."""

    shape: Shape
    pose: Array
    points: Array | None = None

    @cached_property
    def core(self) -> Core:
        """The same as the kernel knows it."""
        core = core_of(self.shape)
        if core is None and self.points is not None:
            core = hull_of(self.points.astype(float).tobytes())
        assert core is not None
        return core

    @property
    def size(self) -> float:
        """How far it reaches from its origin, m."""
        return self.core.reach

    def moved(self, by: Array) -> Solid:
        """Return it elsewhere."""
        return Solid(self.shape, self.pose + np.concatenate([by, np.zeros(9)]), self.points)

    def reach(self, directions: Array) -> Array:
        """Return how far it reaches along unit vectors (n, 3) of the world, from its origin."""
        along = directions @ self.pose[3:].reshape(3, 3)
        return reach_of(self.shape, self.points, along)

    def depth(self, point: Array) -> float:
        """Return how far outside of the shape a point of the world is, at most; m."""
        local = self.pose[3:].reshape(3, 3).T @ (point - self.pose[:3])
        return outside_of(self.shape, self.points, local)


def reach_of(shape: Shape, points: Array | None, d: Array) -> Array:
    """Return how far a shape reaches along unit vectors (n, 3) of its own axes."""
    across, up = np.hypot(d[:, 0], d[:, 2]), d[:, 1]
    if isinstance(shape, Sphere):
        return np.full(len(d), shape.radius)
    if isinstance(shape, Box):
        return np.abs(d) @ np.array(shape.size) / 2
    if isinstance(shape, Capsule | Cylinder):
        wide = across if isinstance(shape, Cylinder) else 1.0
        ends = ((-1.0, shape.radius_bottom), (1.0, shape.radius_top))
        return np.max([side * up * shape.height / 2 + r * wide for side, r in ends], axis=0)
    if isinstance(shape, Plane):
        return np.where(up > 1.0 - 1e-13, 0.0, np.inf)
    assert points is not None
    return (d @ points.T).max(axis=1)


def outside_of(shape: Shape, points: Array | None, x: Array) -> float:
    """Return by how much a point of a shape's own space misses being in it, 0 where it is in it."""
    if isinstance(shape, Sphere):
        return max(np.linalg.norm(x) - shape.radius, 0.0)
    if isinstance(shape, Box):
        return max((np.abs(x) - np.array(shape.size) / 2).max(), 0.0)
    if isinstance(shape, Plane):
        return max(x[1], 0.0)
    if isinstance(shape, Convex):
        assert points is not None
        planes = ConvexHull(points).equations
        return max((planes[:, :3] @ x + planes[:, 3]).max(), 0.0)
    t = np.clip(x[1] / shape.height + 0.5, 0.0, 1.0)
    radius = shape.radius_bottom + t * (shape.radius_top - shape.radius_bottom)
    if isinstance(shape, Cylinder):
        return max(abs(x[1]) - shape.height / 2, np.hypot(x[0], x[2]) - radius, 0.0)
    fine = np.linspace(0.0, 1.0, 200_001)  # some ball of the capsule has it
    rest = np.hypot(np.hypot(x[0], x[2]), x[1] - (fine - 0.5) * shape.height)
    taper = shape.radius_top - shape.radius_bottom
    return max((rest - shape.radius_bottom - fine * taper).min(), 0.0)


def separation(a: Solid, b: Solid, n: Array) -> Array:
    """Return how far b is beyond a along unit vectors (n, 3)."""
    return (b.pose[:3] - a.pose[:3]) @ n.T - b.reach(-n) - a.reach(n)


def largest_separation(a: Solid, b: Solid, random: np.random.Generator, at: Array) -> float:
    """Return the largest separation that thousands of directions show, and those about the best."""
    tried = random.normal(size=(4000, 3))
    tried /= np.linalg.norm(tried, axis=1)[:, None]
    starts = [at, *tried[np.argsort(-separation(a, b, tried))[:3]]]
    best = -np.inf
    for start in starts:
        n, width, here = start, 0.05, separation(a, b, start[None])[0]
        while width > 1e-9:
            near = n + width * random.normal(size=(60, 3))
            near /= np.linalg.norm(near, axis=1)[:, None]
            found = separation(a, b, near)
            if found.max() > here:
                here, n = found.max(), near[found.argmax()]
            else:
                width *= 0.5
        best = max(best, here)
    return best


def hull_depth(a: Array, b: Array) -> float:
    """Return the separation of two hulls that overlap, by all faces of their difference."""
    planes = ConvexHull((b[:, None] - a[None]).reshape(-1, 3), qhull_options="QJ Pp").equations
    return planes[:, 3].max()


def pose(at: Array, turn: Rotation | None = None) -> Array:
    """Return a pose as the kernel has it."""
    return np.concatenate([at, (turn or Rotation.identity()).as_matrix().ravel()])


def random_shape(kind: str, size: float, random: np.random.Generator) -> tuple[Shape, Array | None]:
    """Return a shape of some size, and the points of its mesh."""
    x, y, z = random.uniform(0.1, 1.0, 3) * size
    points = random.normal(size=(int(random.integers(5, 40)), 3)) * 0.4 * size
    return {
        "sphere": (Sphere(x), None),
        "box": (Box((x, y, z)), None),
        "capsule": (Capsule(x, y, y), None),
        "tapered": (Capsule(x, y, y + random.uniform(-0.9, 0.9) * min(x, y)), None),
        "cylinder": (Cylinder(x, y, y), None),
        "cone": (Cylinder(x, y, 0.0), None),
        "frustum": (Cylinder(x, y, z), None),
        "hull": (Convex(0), points),
    }[kind]


STRAIGHT = ("sphere", "capsule", "box", "hull")
ROUND = ("tapered", "cylinder", "cone", "frustum")


@cache
def random_pairs(
    kinds: tuple[str, ...], count: int, seed: int, apart: tuple[float, float]
) -> list[tuple[Solid, Solid]]:
    """Return pairs of 1 mm to 100 m, turned anyhow, so far apart as a part of their reach."""
    random, pairs = np.random.default_rng(seed), []
    for _ in range(count):
        size = 10.0 ** random.uniform(-3.0, 2.0)
        sizes = size, np.clip(size * 10.0 ** random.uniform(-1.0, 1.0), 1e-3, 1e2)
        shapes = [random_shape(str(random.choice(kinds)), one, random) for one in sizes]
        turns = Rotation.random(2, random_state=random)
        way = random.normal(size=3)
        a, b = (Solid(s, pose(FAR, t), p) for (s, p), t in zip(shapes, turns, strict=True))
        way *= random.uniform(*apart) * (a.size + b.size) / np.linalg.norm(way)
        pairs.append((a, b.moved(way)))
    return pairs


class Kernel:
    """The kernel's collision of any two solids."""

    def __init__(self, path: Path) -> None:
        found = load(path)
        assert found.library is not None, found.reason
        self.library = found.library

    def distance(self, a: Solid, b: Solid) -> tuple[float, Array, Array]:
        """Return the gap in m, the normal (3,) and the nearest points (2, 3)."""
        found = self.collide(a, b, np.inf)
        return found["gap"], found["normal"], np.array([found["at_a"][0], found["at_b"][0]])

    def collide(self, a: Solid, b: Solid, margin: float) -> Any:
        """Return the manifold."""
        return Collision(self.library, [a.core, b.core]).collide(0, a.pose, 1, b.pose, margin)

    def guessed(self, a: Solid, b: Solid, guess: Array) -> Any:
        """Return the manifold as it is found from a guess of its normal, as of a step before."""
        out, work = np.zeros(1, MANIFOLD), np.zeros(self.library.omi_collide_workspace())
        out["normal"], shapes = guess, Collision(self.library, [a.core, b.core]).structs
        first, second = (shapes[i:].ctypes.data for i in (0, 1))
        two = first, a.pose.ctypes.data, second, b.pose.ctypes.data
        self.library.omi_collide(*two, np.inf, 0.0, out.ctypes.data, work.ctypes.data)
        return out[0]
