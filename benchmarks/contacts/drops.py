# SPDX-License-Identifier: GPL-3.0-or-later
"""Thin, sharp and plain things that fall onto rough meshes: how deep they go in, what they gain.

    python -m benchmarks.contacts.drops [--seed N] [--count N]

All is 20 m off, turned anyhow and in single precision. A third falls straight onto a crease or a
peak. It prints which were bad, and in the end how many.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from omi_physics_joint.model.shape import Convex
from omi_physics_joint.solver.kinematics.rotation import Array, matrix_of
from omi_physics_joint.weighing.hull import hull
from tests.solver.on_meshes import FPS, OFF, TURNED, Height, even, ground, node, on_mesh, triangles

SECONDS = 4
HALF = 4.0
"""m from the middle of the ground to its sides."""
GROUNDS: dict[str, Height] = {
    "level": even,
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


def depth(high: Array, points: Array) -> float:
    """Return how far any of points (n, 3) is below a ground of heights (m, m) at its corners, m."""
    squares = len(high) - 1
    u, v = ((points[:, k] + HALF) / (2.0 * HALF) * squares for k in (0, 2))
    i, j = (np.clip(np.floor(one).astype(int), 0, squares - 1) for one in (u, v))
    a, b, c, d = high[i, j], high[i, j + 1], high[i + 1, j], high[i + 1, j + 1]
    u, v = u - i, v - j
    along = np.where(v >= u, a + (b - a) * v + (d - b) * u, a + (c - a) * u + (d - c) * v)
    return float((along - points[:, 1]).max())


def drop(name: str, thing: str, seed: int) -> Drop:
    """Let one thing of 1 kg fall onto a ground."""
    draw = np.random.default_rng(seed)
    corners, faces = hull(THINGS[thing](draw))
    squares = int(draw.choice([8, 16, 32]))
    mesh = ground(squares, HALF, GROUNDS[name], alike=True)
    high = (np.array(mesh.points) @ TURNED)[:, 1].reshape(squares + 1, -1)
    turn, place, spin = draw.normal(size=4), draw.uniform(-1.5, 1.5, 2), 3.0 * draw.normal(size=3)
    if draw.random() < 1.0 / 3.0:
        turn, place, spin = np.array([0.0, 0.0, draw.integers(2), 1.0]), np.zeros(2), np.zeros(3)
    turn /= np.linalg.norm(turn)
    spin = matrix_of(turn[None])[0] @ spin
    size = float(np.linalg.norm(corners, axis=1).max())
    at = np.array([place[0], high.max() + size + 0.1, place[1]])
    body = node(1, tuple(at), tuple(turn), spin=tuple(spin))
    grip = float(draw.choice([0.0, 0.5, 1.0]))
    simulation = on_mesh(mesh, Convex(1), body, grip, [triangles(corners, faces.tolist())])
    ends = corners[faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)]
    parts = np.linspace(0.0, 1.0, 5)[:, None, None]
    seen = (ends[:, 0] * (1.0 - parts) + ends[:, 1] * parts).reshape(-1, 3)
    world = np.array(body.world)
    about = matrix_of(simulation.rotations[-1:])[0]
    own = (seen @ world[:3, :3].T + world[:3, 3] - simulation.positions[-1]) @ about
    deep, gain, energy = 0.0, 0.0, simulation.energy().total
    for _ in range(FPS * SECONDS):
        simulation.step(1.0 / FPS)
        about = matrix_of(simulation.rotations[-1:])[0]
        points = (simulation.positions[-1] + own @ about.T - OFF) @ TURNED
        if np.abs(points[:, [0, 2]]).max() > HALF:
            break
        before, energy = energy, simulation.energy().total
        deep, gain = max(deep, depth(high, points)), max(gain, energy - before)
    return Drop(f"{name} {thing} {seed}", deep / size, gain)


def drops(first: int, count: int) -> Iterator[Drop]:
    """Yield so many, of each ground and thing in turn."""
    every = [(name, thing) for thing in THINGS for name in GROUNDS]
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
