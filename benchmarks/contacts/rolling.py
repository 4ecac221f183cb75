# SPDX-License-Identifier: GPL-3.0-or-later
"""What slides, rolls, bounces and tips: closed forms."""

from __future__ import annotations

from math import atan, cos, hypot, radians, sin, sqrt

import numpy as np

from omi_physics_joint.model.shape import Box, Cylinder, Sphere

from ..solver.scene import GRAVITY, Point, point
from .scene import FPS, LYING, Case, Figure, Path, Scene, alone, kinetic

TURNS = (0.0, 20.0, 45.0)
"""Degrees by which slopes are turned about the upright."""
PARTS = (0.99, 1.01, 1.05, 1.5)
"""Of the angle of friction, by its tangent."""
MU = 0.5
HIGH = 1.0


def tilted(angle: float, turn: float = 0.0) -> Point:
    """Return gravity as it is on a slope, by its angle and the turn of its fall, rad."""
    down = GRAVITY * sin(angle)
    return (down * cos(turn), -GRAVITY * cos(angle), down * sin(turn))


def slope() -> Case:
    """Return a box on slopes: below the angle of friction it stays, above it slides."""
    box = alone(Box((0.4, 0.2, 0.4)), (0.0, 0.1, 0.0))
    scenes = tuple(
        Scene((box,), friction=MU, gravity=tilted(atan(part * MU), radians(turn)))
        for part in PARTS
        for turn in TURNS
    )

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        creep, off, aside = 0.0, 0.0, 0.0
        for scene, path in zip(scenes, paths, strict=True):
            way = path.velocities[-1, 0, [0, 2]] / scene.seconds
            g = np.array(scene.gravity)[[0, 2]]
            down = hypot(*g) + MU * scene.gravity[1]
            if down < 0.0:
                creep = max(creep, 1e3 * hypot(*path.velocities[-1, 0, [0, 2]]))
                continue
            along = float(way @ g / hypot(*g))
            off = max(off, 100.0 * abs(along - down) / GRAVITY)
            across = abs(way[0] * g[1] - way[1] * g[0]) / hypot(*g)
            aside = max(aside, float(np.degrees(np.arctan2(across, abs(along)))))
        return [
            Figure("creep mm/s", creep, 1e-3, 1e-2),
            Figure("acceleration off, % of g", off, 0.01, 0.05),
            Figure("aside degrees", aside, 0.01, 1.0),
        ]

    return Case("slope", scenes, judge)


def skid() -> Case:
    """Return a ball that skids until it rolls, at 5/7; and one that spins as it falls: 2/7 w r."""
    ball = alone(Sphere(0.1), (0.0, 0.1, 0.0), velocity=(7.0, 0.0, 0.0))
    spins = alone(Sphere(0.1), (0.0, 1.1, 0.0), spin=(0.0, 0.0, -30.0))
    scenes = (Scene((ball,), friction=0.3), Scene((spins,), friction=1.0, restitution=0.5))

    def judge(_: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        rolls, sticks = paths[0].velocities[-1, 0, 0], paths[1].velocities[40, 0, 0]
        return [
            Figure("skid % of 5/7 v", 100.0 * abs(rolls / 5.0 - 1.0), 0.05, 0.5),
            Figure("spin % of 2/7 w r", 100.0 * abs(sticks / (6.0 / 7.0) - 1.0), 0.05, 0.5),
        ]

    return Case("skid and spin", scenes, judge)


def down() -> Case:
    """Return a ball and a wheel that roll down 20 degrees."""
    gravity = tilted(radians(20.0))
    forms = (Sphere(0.25), Cylinder(0.4, 0.25, 0.25))
    turns = ((0.0, 0.0, 0.0, 1.0), LYING)
    scenes = tuple(
        Scene((alone(form, (0.0, 0.25, 0.0), turned=turn),), gravity=gravity)
        for form, turn in zip(forms, turns, strict=True)
    )

    def judge(_: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        pull = GRAVITY * sin(radians(20.0))
        speeds = [path.velocities[-1, 0, 0] for path in paths]
        off = [speeds[0] / (pull / 1.4), speeds[1] / (pull / 1.5)]
        return [Figure("acceleration %", 100.0 * max(abs(x - 1.0) for x in off), 0.01, 0.2)]

    return Case("rolls down", scenes, judge)


def roll() -> Case:
    """Return a ball and a wheel that roll for 5 s."""
    speed = {"velocity": (2.0, 0.0, 0.0), "spin": (0.0, 0.0, -8.0)}
    ball = alone(Sphere(0.25), (0.0, 0.25, 0.0), **speed)
    wheel = alone(Cylinder(0.4, 0.25, 0.25), (0.0, 0.25, 0.0), turned=LYING, **speed)
    scenes = (Scene((ball,), seconds=5.0), Scene((wheel,), seconds=5.0))
    round_ball = np.full(3, 0.4 * 0.25**2)
    across = (3.0 * 0.25**2 + 0.4**2) / 12.0
    inertias = (round_ball, np.array([across, 0.5 * 0.25**2, across]))

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        losses, asides = [], []
        for scene, path, inertia in zip(scenes, paths, inertias, strict=True):
            energy = kinetic(scene, path, inertia) - GRAVITY * 0.25
            losses.append(100.0 * abs(energy[-1] / energy[0] - 1.0))
            asides.append(1e3 * float(np.abs(path.positions[-1, 0] - [10.0, 0.25, 0.0]).max()))
        return [
            Figure("ball energy %", losses[0], 0.01, 0.1),
            Figure("wheel energy %", losses[1], 0.05, 1.0),
            Figure("off mm", max(asides), 1.0, 5.0),
        ]

    return Case("rolls 5 s", scenes, judge)


def bounce() -> Case:
    """Return a ball that falls by 1 m, with e = 0.5, 0.9 and 1: four apexes of e^2n."""
    ball = alone(Sphere(0.1), (0.0, HIGH + 0.1, 0.0))
    scenes = tuple(
        Scene((ball,), restitution=e, seconds=s) for e, s in ((0.5, 1.6), (0.9, 4.0), (1.0, 4.5))
    )

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        worst, gains = {}, 0.0
        for scene, path in zip(scenes, paths, strict=True):
            e = scene.restitution
            heights = _apexes(path)[:4] + [0.0] * 4
            off = [100.0 * (heights[k] / e ** (2 * k + 2) - 1.0) for k in range(4)]
            worst[e] = max(map(abs, off))
            gains = max(gains, off[3]) if e == 1.0 else gains
        named = [Figure(f"e {e} apexes %", value, 0.5, 3.0) for e, value in worst.items()]
        return [*named, Figure("e 1 gains %", gains, 1e-6, 0.5)]

    return Case("bounce", scenes, judge)


def _apexes(path: Path) -> list[float]:
    """Return how high it comes between bounces, m, by height and speed of frames of one flight."""
    height, speed = path.positions[:, 0, 1] - 0.1, path.velocities[:, 0, 1]
    apex = height + speed * speed / (2.0 * GRAVITY)
    flights, flies = [], True
    for i, change in enumerate(np.diff(speed), 1):
        before, flies = flies, abs(change + GRAVITY / FPS) < 1e-3
        if flies and not before:
            flights.append([])
        if flies and flights:
            flights[-1].append(float(apex[i]))
    return [float(np.median(one)) for one in flights]


def edge() -> Case:
    """Return a plate that falls on its edge, e 0, no friction.

    With the middle f(a) = sin a b / 2 + cos a h / 2 over the edge, and k^2 = (b^2 + h^2) / 12: the
    impact leaves a' = -v f' / (k^2 + f'^2). To stay on the floor the edge would have to be pulled,
    as f a'^2 = 13.2 m/s^2 is more than gravity: so it leaves it, and the spin stays.
    """
    b, h, lean = 0.6, 0.2, radians(20.0)
    over, ahead = sin(lean) * b / 2 + cos(lean) * h / 2, cos(lean) * b / 2 - sin(lean) * h / 2
    turned = (0.0, 0.0, sin(lean / 2.0), cos(lean / 2.0))
    box = alone(Box((b, h, 0.5)), (0.0, 0.5 + over, 0.0), turned=turned)
    scene = Scene((box,), friction=0.0, seconds=20.0 / FPS)

    def judge(_: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        speed, square = sqrt(2.0 * GRAVITY * 0.5), (b * b + h * h) / 12.0
        spin = -speed * ahead / (square + ahead * ahead)
        found = float(paths[0].spins[-1, 0, 2])
        return [Figure("spin %", 100.0 * abs(found / spin - 1.0), 0.3, 2.5)]

    return Case("edge impact", (scene,), judge)


def tips() -> Case:
    """Return a box on a slope of tan = 0.995 and 1.005 b / h: one stands, one falls."""
    box = alone(Box((0.4, 1.0, 0.4)), (0.0, 0.5, 0.0))
    scenes = tuple(
        Scene((box,), friction=5.0, gravity=tilted(atan(part * 0.4)), seconds=4.0)
        for part in (0.98, 0.995, 1.005, 1.02)
    )

    def judge(_: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        fell = [abs(path.positions[-1, 0, 1] - 0.5) > 0.1 for path in paths]
        off = 2.0 * (fell[0] or not fell[3]) + (fell[1] or not fell[2])
        return [Figure("wrong at 0.5, 2 %", float(off), 0.5, 1.5)]

    return Case("tips", scenes, judge)


def coin() -> Case:
    """Return a coin that rolls round on its rim, steadily at 30 degrees.

    Its middle stays, so it turns about the line to its rim, and
    W^2 sin a (I1 cos a - I3 sin a h / 2R) = m g (R cos a - h / 2 sin a).
    """
    a, r, h = radians(30.0), 0.1, 0.01
    own = (3.0 * r * r + h * h) / 12.0, r * r / 2.0
    out = r * cos(a) - h / 2 * sin(a)
    rate = sqrt(GRAVITY * out / (sin(a) * (own[0] * cos(a) - own[1] * sin(a) * h / (2 * r))))
    rim = np.array([out, -r * sin(a) - h / 2 * cos(a), 0.0])
    spin = -rim * rate * sin(a) / r
    half = -a / 2.0
    body = alone(
        Cylinder(h, r, r), (0.0, float(-rim[1]), 0.0), turned=(0.0, 0.0, sin(half), cos(half)),
        spin=point(spin),
    )  # fmt: skip
    made = Scene((body,), friction=1.0, seconds=5.0)

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        inertia = np.array([own[0], own[1], own[0]])
        energy = kinetic(scenes[0], paths[0], inertia) / kinetic(scenes[0], paths[0], inertia)[0]
        off = 100.0 * np.abs(energy - 1.0)
        return [
            Figure("energy after 1 s %", float(off[: FPS + 1].max()), 1.0, 30.0),
            Figure("energy after 5 s %", float(off.max()), 5.0, np.inf),
        ]

    return Case("coin", (made,), judge)


CASES = (slope, skid, down, roll, bounce, edge, tips, coin)
