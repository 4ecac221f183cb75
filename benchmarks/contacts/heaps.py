# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands and what is heaped up: stacks, a wall, an arch, cards, hulls, bullets."""

from __future__ import annotations

from itertools import product
from math import cos, inf, pi, radians, sin

import numpy as np

from omi_physics_joint.model.shape import Box, Sphere
from omi_physics_joint.weighing.hull import hull
from omi_physics_joint.weighing.solids import measured

from ..solver.scene import Array, point
from .scene import FPS, Body, Case, Figure, Hull, Part, Path, Scene, alone

SIDE = 0.5
CUBE = Box((SIDE, SIDE, SIDE))


def moved(scene: Scene, path: Path) -> Array:
    """Return how far bodies are from where they began, (frames, n, 3) mm."""
    return 1e3 * (path.positions - path.positions[0])


def stack() -> Case:
    """Return ten cubes for a minute."""
    boxes = tuple(alone(CUBE, (0.0, SIDE * (i + 0.5), 0.0)) for i in range(10))

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        way, path = moved(scenes[0], paths[0]), paths[0]
        late = path.velocities[-5 * FPS :] * 1e3
        low = np.concatenate([-way[:, :1, 1], -np.diff(way[..., 1], axis=1)], axis=1)
        drift = (way[-1] - way[-5 * FPS])[:, [0, 2]] / 5.0
        return [
            Figure("aside mm", float(np.abs(way[:, :, [0, 2]]).max()), 0.1, 1.0),
            Figure("deepest mm", float(low.max()), 1.0, 2.0),
            Figure("drift um/s", 1e3 * float(np.abs(drift).max()), 1.0, inf),
            Figure("speed mm/s", float(np.sqrt((late**2).sum(-1).mean())), 0.01, 0.1),
        ]

    return Case("stack of 10", (Scene(boxes, seconds=60.0),), judge)


def pyramid() -> Case:
    """Return 91 boxes, 13 of them below."""
    boxes = tuple(
        alone(Box((0.5, 0.5, 0.5)), (0.55 * (i - 0.5 * (13 - row)), 0.5 * row + 0.25, 0.0))
        for row in range(13)
        for i in range(13 - row)
    )
    goals = (Figure("aside mm", 0.0, 1.0, 5.0), Figure("deepest mm", 0.0, 1.0, inf))
    return Case("pyramid of 91", (Scene(boxes),), _standing(goals), heavy=True)


def wall() -> Case:
    """Return a wall of 210 bricks, 21 a row."""
    bricks = tuple(
        alone(Box((0.5, 0.25, 0.25)), (0.51 * (i + 0.4 * (row % 2)), 0.25 * row + 0.125, 0.0))
        for row in range(10)
        for i in range(21)
    )
    goals = (Figure("aside mm", 0.0, 3.0, 15.0), Figure("top low mm", 0.0, 10.0, 60.0))
    return Case("wall of 210", (Scene(bricks),), _standing(goals), heavy=True)


def _standing(goals: tuple[Figure, Figure]):  # noqa: ANN202
    """Return a judge of how far bodies come aside, and down."""

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        way = moved(scenes[0], paths[0])
        values = float(np.abs(way[..., [0, 2]]).max()), float(-way[..., 1].min())
        return [
            Figure(g.name, value, g.goal, g.red) for g, value in zip(goals, values, strict=True)
        ]

    return judge


def weights() -> Case:
    """Return 1, 10, 100 and 1000 kg on three cubes of 1 kg, for 10 s."""
    scenes = tuple(
        Scene(
            tuple(
                alone(CUBE, (0.0, SIDE * (i + 0.5), 0.0), mass)
                for i, mass in enumerate((1.0, 1.0, 1.0, top))
            ),
            seconds=10.0,
        )
        for top in (1.0, 10.0, 100.0, 1000.0)
    )

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        found = []
        for one, path in zip((1, 10, 100, 1000), paths, strict=True):
            off = float(np.abs(moved(scenes[0], path)).max())
            found.append(Figure(f"{one}:1 off mm", off, 0.01, 5.0))
        return [*found, Figure("time of 1000:1 to 1:1", paths[3].mean / paths[0].mean, 2.0, inf)]

    return Case("weights", scenes, judge)


def arch() -> Case:
    """Return a half ring of 15 wedges, on the floor: it stands by friction alone."""
    count, inner, outer, deep = 15, 1.0, 1.4, 0.4
    wedges = []
    for i in range(count):
        ends = pi * i / count, pi * (i + 1) / count
        corners = [
            (r * cos(a), r * sin(a), z)
            for a, r, z in product(ends, (inner, outer), (-deep / 2, deep / 2))
        ]
        wedges.append(hulled(np.array(corners)))
    goals = (Figure("aside mm", 0.0, 1.0, 5.0), Figure("low mm", 0.0, 1.0, 5.0))
    return Case("arch of 15", (Scene(tuple(wedges), seconds=5.0, friction=0.7),), _standing(goals))


def hulled(corners: Array, mass: float = 1.0) -> Body:
    """Return the hull of points (n, 3) of the world as a body."""
    solid = measured(*hull(corners)).hull
    assert solid is not None
    centre = np.array(solid.centre)
    return alone(Hull(tuple(point(p) for p in corners - centre)), point(centre), mass)


def cards() -> Case:
    """Return a card house of six: two tents, and two cards across."""
    length, thick, lean = 0.5, 0.02, radians(20.0)
    up = length * cos(lean) + thick * sin(lean)
    half = 0.5 * (length * sin(lean) + thick * cos(lean))
    cards = [
        alone(
            Box((thick, length, 0.3)), (middle + sign * half, up / 2, 0.0), 0.1,
            turned=(0.0, 0.0, sign * sin(lean / 2), cos(lean / 2)),
        )
        for middle in (-0.2, 0.2)
        for sign in (-1.0, 1.0)
    ]  # fmt: skip
    cards += [
        alone(Box((0.6, thick, 0.3)), (0.0, up + thick * (i + 0.5), 0.0), 0.1) for i in (0, 1)
    ]
    goals = (Figure("aside mm", 0.0, 1.0, 5.0), Figure("low mm", 0.0, 1.0, 5.0))
    scene = Scene(tuple(cards), seconds=5.0, friction=0.8)
    return Case("card house of 6", (scene,), _standing(goals))


def bullets() -> Case:
    """Return balls of 40 mm and spinning plates at 100 m/s before a plate of 10 mm, 12 starts."""
    plate = Body((Part(Box((0.01, 30.0, 30.0))),), (5.0, 16.0, 0.0), mass=0.0)
    ways = [4.0 - i * 100.0 / FPS / 12.0 for i in range(12)]
    fast = {"velocity": (100.0, 0.0, 0.0)}
    balls = tuple(
        alone(Sphere(0.02), (x - 1.0, 10.0 + i, -5.0), 0.1, **fast) for i, x in enumerate(ways)
    )
    spun = tuple(
        alone(
            Box((0.1, 0.1, 0.01)), (x - 1.0, 10.0 + i, 5.0), 0.1, **fast, spin=(10.0, 100.0, 30.0)
        )
        for i, x in enumerate(ways)
    )
    scenes = tuple(Scene((plate, *every), seconds=0.2) for every in (balls, spun))

    def judge(_: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        ball, disc = (path.positions[:, 1:, 0] for path in paths)
        depth = 1e3 * float((ball + 0.02 - 4.995).max())
        leaves = float(np.abs(paths[0].velocities[-1, 1:, 0]).max())
        return [
            Figure("balls through", float((ball[-1] > 5.0).sum()), 0.5, 0.5),
            Figure("plates through", float((disc[-1] > 5.0).sum()), 0.5, 0.5),
            Figure("depth at a frame mm", depth, 1.0, inf),
            Figure("leaves with m/s", leaves, 1.0, inf),
        ]

    return Case("bullets", scenes, judge)


def hulls() -> Case:
    """Return a hundred hulls that fall into a box of four walls."""
    draw = np.random.default_rng(1)
    bodies = []
    for i in range(100):
        way = draw.normal(size=(12, 3))
        corners = (
            0.15 * way / np.linalg.norm(way, axis=1, keepdims=True) * draw.uniform(0.6, 1.0, 3)
        )
        layer, x, z = i // 25, i % 5, i // 5 % 5
        bodies.append(
            hulled(corners + np.array([0.34 * (x - 2), 0.25 + 0.34 * layer, 0.34 * (z - 2)]))
        )
    for x, z in ((1.1, 0.0), (-1.1, 0.0), (0.0, 1.1), (0.0, -1.1)):
        size = (0.2, 2.0, 2.4) if x else (2.4, 2.0, 0.2)
        bodies.append(alone(Box(size), (x, 1.0, z), 0.0))

    def judge(_: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        places = paths[0].positions[:, :100]
        out = (np.abs(places[..., [0, 2]]) > 1.1).any(-1) | (places[..., 1] < 0.0)
        return [Figure("out", float(out[-1].sum()), 0.5, 0.5)]

    return Case("hulls 100", (Scene(tuple(bodies), seconds=5.0),), judge, heavy=True)


CASES = (stack, weights, arch, cards, bullets, pyramid, wall, hulls)
