# SPDX-License-Identifier: GPL-3.0-or-later
"""Thin, sharp and plain things that fall onto rough meshes: how deep they go in, what they gain.

    python -m benchmarks.contacts.drops [--seed N] [--count N]

All is 20 m off and turned anyhow, meshes are in single precision. A third falls straight onto a
crease or a peak. It prints which were bad, and in the end how many.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from omi_physics_joint.model.body import Collider, Motion, MotionType, PhysicsMaterial
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Convex, Trimesh
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.kinematics.rotation import Array, Index, matrix_of
from omi_physics_joint.weighing.hull import hull

FPS = 60
SECONDS = 4
HALF = 4.0
"""m from the middle of the ground to its sides."""
OFF = np.array([20.0, 0.0, -20.0])
TURNED = matrix_of(np.array([[0.3, -0.5, 0.2, 0.8]]) / np.linalg.norm([0.3, -0.5, 0.2, 0.8]))[0]
"""From the axes of the ground into the world."""
GROUNDS: dict[str, Callable[[Array, Array], Array]] = {
    "level": lambda x, z: 0.0 * x,
    "valley": lambda x, z: 0.5 * abs(x),
    "pit": lambda x, z: 0.4 * np.maximum(abs(x), abs(z)),
    "waves": lambda x, z: 0.15 * np.sin(2.5 * x) * np.cos(2.0 * z),
    "ridges": lambda x, z: 0.3 * abs(x % 1.0 - 0.5),
    "steps": lambda x, z: 0.25 * np.floor(x),
}
"""Height in m."""
BOX = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
EDGE = np.array([(x, y, z) for z in (-0.4, 0.4) for x, y in ((0, 0), (-0.03, 0.3), (0.03, 0.3))])
THINGS: dict[str, Callable[[np.random.Generator], Array]] = {
    "needle": lambda draw: draw.normal(size=(8, 3)) * (0.02, 0.5, 0.02),
    "plate": lambda draw: draw.normal(size=(12, 3)) * (0.3, 0.01, 0.3),
    "blade": lambda draw: EDGE,
    "stone": lambda draw: draw.normal(size=(20, 3)) * 0.2,
    "tetrahedron": lambda draw: draw.normal(size=(4, 3)) * 0.3,
    "brick": lambda draw: BOX * (0.2, 0.1, 0.4),
    "cube": lambda draw: BOX * 0.2,
}
"""Corners in m."""


@dataclass(frozen=True, slots=True)
class Drop:
    """What became of one.

    Attributes:
        name: ground and thing.
        deep: how deep a corner or a place on an edge was in the ground, as a part of its size.
        gain: J by which energy rose from one frame to another.
    """

    name: str
    deep: float
    gain: float


class Ground:
    """A rough mesh, turned and far off.

    Attributes:
        high: (n + 1, n + 1) heights in m, by X and Z.
        mesh: its triangles, in the world but for OFF.
    """

    def __init__(self, height: Callable[[Array, Array], Array], squares: int) -> None:
        """Make it of so many squares along each side, each of two triangles."""
        line = np.linspace(-HALF, HALF, squares + 1)
        x, z = np.meshgrid(line, line, indexing="ij")
        self.high = height(x, z)
        first = (np.arange(squares)[:, None] * (squares + 1) + np.arange(squares)).ravel()
        a, b, c, d = (first + by for by in (0, 1, squares + 1, squares + 2))
        faces = np.concatenate([np.stack([a, b, d], 1), np.stack([a, d, c], 1)])
        self.mesh = triangles(np.stack([x, self.high, z], 2).reshape(-1, 3) @ TURNED.T, faces)

    def depth(self, points: Array) -> float:
        """Return how far any of points (n, 3) in the axes of the ground is below it, m."""
        squares = len(self.high) - 1
        u, v = ((points[:, k] + HALF) / (2.0 * HALF) * squares for k in (0, 2))
        i, j = (np.clip(np.floor(one).astype(int), 0, squares - 1) for one in (u, v))
        a, b = self.high[i, j], self.high[i, j + 1]
        c, d = self.high[i + 1, j], self.high[i + 1, j + 1]
        u, v = u - i, v - j
        high = np.where(v >= u, a + (b - a) * v + (d - b) * u, a + (c - a) * u + (d - c) * v)
        return float((high - points[:, 1]).max())


def triangles(points: Array, faces: Index) -> Triangles:
    """Return a mesh as a file holds it."""
    single = points.astype(np.float32).tolist()
    return Triangles(tuple(map(tuple, single)), tuple(map(tuple, faces.tolist())))


def falling(ground: Ground, thing: Triangles, world: Array, spin: Array, grip: float) -> Simulation:
    """Return a thing of 1 kg above a ground, turning by rad/s in its own axes."""
    motion = Motion(MotionType.DYNAMIC, angular_velocity=tuple(spin.tolist()))
    at = tuple(map(tuple, world.tolist()))
    still = compose(tuple(OFF.tolist()))
    mechanism = Mechanism(
        (
            Node("ground", world=still, collider=Collider(0, physics_material=0)),
            Node("thing", world=at, motion=motion, collider=Collider(1, physics_material=0)),
        ),
        shapes=(Trimesh(0), Convex(1)),
        physics_materials=(PhysicsMaterial("", grip, grip, 0.0),),
        meshes=("", ""),
        surfaces=(ground.mesh, thing),
    )
    x, y, z = (TURNED @ (0.0, -9.81, 0.0)).tolist()
    return Simulation(mechanism, Options((x, y, z), contacts=True))


def axes_of(simulation: Simulation) -> Array:
    """Return the axes of the last body (3, 3)."""
    return np.asarray(matrix_of(simulation.rotations[-1:])[0])


def drop(name: str, thing: str, seed: int) -> Drop:
    """Let one thing fall onto a ground."""
    draw = np.random.default_rng(seed)
    corners, faces = hull(THINGS[thing](draw))
    ground = Ground(GROUNDS[name], int(draw.choice([8, 16, 32])))
    turn, place, spin = draw.normal(size=4), draw.uniform(-1.5, 1.5, 2), draw.normal(size=3)
    if draw.random() < 1.0 / 3.0:
        turn, place, spin = np.array([0.0, 0.0, draw.integers(2), 1.0]), np.zeros(2), np.zeros(3)
    size, world = float(np.linalg.norm(corners, axis=1).max()), np.eye(4)
    at = np.array([place[0], ground.high.max() + size + 0.1, place[1]])
    world[:3, :3] = TURNED @ matrix_of(turn[None] / np.linalg.norm(turn))[0]
    world[:3, 3] = OFF + TURNED @ at
    grip = float(draw.choice([0.0, 0.5, 1.0]))
    simulation = falling(ground, triangles(corners, faces), world, 3.0 * spin, grip)
    ends = corners[faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)]
    parts = np.linspace(0.0, 1.0, 5)[:, None, None]
    seen = (ends[:, 0] * (1.0 - parts) + ends[:, 1] * parts).reshape(-1, 3) @ world[:3, :3].T
    own = (seen + world[:3, 3] - simulation.positions[-1]) @ axes_of(simulation)
    deep, gain, energy = 0.0, 0.0, simulation.energy().total
    for _ in range(FPS * SECONDS):
        simulation.step(1.0 / FPS)
        points = (simulation.positions[-1] + own @ axes_of(simulation).T - OFF) @ TURNED
        if np.abs(points[:, [0, 2]]).max() > HALF:
            break
        before, energy = energy, simulation.energy().total
        deep, gain = max(deep, ground.depth(points)), max(gain, energy - before)
    return Drop(f"{name} {thing} {seed}", deep / size, gain)


def drops(first: int, count: int) -> Iterator[Drop]:
    """Yield so many, of each ground and thing in turn."""
    every = [(ground, thing) for thing in THINGS for ground in GROUNDS]
    for seed in range(first, first + count):
        yield drop(*every[seed % len(every)], seed)


def main() -> None:
    """Print what was bad: deeper than a hundredth of its size, or 10 mJ gained."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n")[0])
    parser.add_argument("--seed", type=int, default=0, help="of the first (0)")
    parser.add_argument("--count", type=int, default=420, help="how many (420)")
    asked = parser.parse_args()
    bad = [one for one in drops(asked.seed, asked.count) if one.deep > 0.01 or one.gain > 0.01]
    for one in bad:
        print(f"{one.name}: {one.deep:.3f} of its size deep, {1e3 * one.gain:.1f} mJ gained")
    print(f"{len(bad)} of {asked.count} are bad, {sum(one.deep > 0.9 for one in bad)} passed.")


if __name__ == "__main__":
    main()
