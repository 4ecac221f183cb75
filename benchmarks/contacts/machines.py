# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints and contacts together: ragdolls, a car, gears, a latch, a chain."""

from __future__ import annotations

from itertools import product
from math import acos, cos, hypot, inf, pi, radians, sin, tan

import numpy as np

from omi_physics_joint.model.shape import Box, Capsule, Cylinder

from ..solver.ragdoll import any_way_up
from ..solver.rotations import about, turned
from ..solver.scene import GRAVITY, WORLD, Array, point
from ..truths.falls import corners
from .scene import (
    FPS,
    LYING,
    Body,
    Case,
    Figure,
    Hull,
    Kind,
    Link,
    Part,
    Path,
    Scene,
    alone,
    angles,
    apart,
)

UP = (0.0, 1.0, 0.0)


def _ragdoll(seed: int, low: float, number: int) -> tuple[list[Body], list[Link]]:
    """Return a ragdoll any way up, its lowest corner at a height; numbers of bodies go on."""
    scene = any_way_up(seed)
    up = low - float(corners(scene.sizes, scene.positions, scene.rotations)[..., 1].min())
    way = np.array([0.0, up, 0.0]) - scene.positions.mean(0) * [1.0, 0.0, 1.0]
    of_each = zip(scene.sizes, scene.positions, scene.rotations, scene.masses, strict=True)
    bodies = [
        alone(Box(point(size)), point(place + way), float(mass), turned=tuple(own.tolist()))
        for size, place, own, mass in of_each
    ]
    links = [
        Link(
            Kind(joint.kind), joint.parent + number, joint.child + number,
            point(np.array(joint.anchor) + way), joint.axis, joint.low, joint.high,
        )
        for joint in scene.joints
        if joint.parent != WORLD
    ]  # fmt: skip
    return bodies, links


def ragdolls(count: int) -> Case:
    """Return ragdolls of 20 bodies that fall onto one another."""
    bodies: list[Body] = []
    links: list[Link] = []
    for i in range(count):
        more, joints = _ragdoll(i, 0.3 + 2.2 * i, len(bodies))
        bodies += more
        links += joints
    scene = Scene(tuple(bodies), tuple(links), seconds=5.0)
    sizes = np.array([body.parts[0].form.size for body in bodies])  # type: ignore[union-attr]

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        path = paths[0]
        passed = [
            np.maximum(found - link.high, link.low - found).max()
            for link in scenes[0].links
            if link.high != inf
            for found in [angles(scenes[0], path, link)]
        ]
        frames = zip(path.positions, path.rotations, strict=True)
        low = [-corners(sizes, *one)[..., 1].min() for one in frames]
        speed = np.sqrt((path.velocities[-30:] ** 2).sum(-1).mean())
        return [
            Figure("apart mm", 1e3 * float(apart(scenes[0], path).max()), 1e-3, 0.1),
            Figure("limits passed degrees", float(np.degrees(max(passed))), 1.0, 5.0),
            Figure("in the floor mm", 1e3 * float(max(low)), 15.0, inf),
            Figure("in the floor at the end mm", 1e3 * float(low[-1]), 1.0, inf),
            Figure("speed at the end mm/s", 1e3 * float(speed), 2.0, 20.0),
        ]

    name = "ragdoll" if count == 1 else f"ragdolls {count}"
    return Case(name, (scene,), judge, heavy=count > 1)


RADIUS, SPRING = 0.3, 1e4
WHEELS = tuple((x, z) for x in (-0.7, 0.7) for z in (-0.6, 0.6))


def car() -> Case:
    """Return a car of four sprung wheels that stands, and one that drives over a bump on its left.

    It stands lower by m g / 4 k. Where it goes over the bump is compared by eye.
    """

    def made(speed: float) -> tuple[tuple[Body, ...], tuple[Link, ...]]:
        way = {"velocity": (speed, 0.0, 0.0)}
        spin = (0.0, 0.0, -speed / RADIUS)
        bodies = [alone(Box((2.0, 0.3, 0.8)), (0.0, 0.6, 0.0), 100.0, **way)]
        for x, z in WHEELS:
            form = Cylinder(0.2, RADIUS, RADIUS)
            bodies.append(alone(form, (x, RADIUS, z), 10.0, turned=LYING, spin=spin, **way))
        links = [
            Link(
                Kind.WHEEL, 0, i + 1, (x, RADIUS, z), stiffness=SPRING, damping=600.0
            )
            for i, (x, z) in enumerate(WHEELS)
        ]  # fmt: skip
        return tuple(bodies), tuple(links)

    still, links = made(0.0)
    drives, _ = made(4.0)
    bump = alone(Cylinder(0.8, 0.5, 0.5), (3.0, -0.45, -0.6), 0.0, turned=LYING)
    scenes = (
        Scene(still, links, seconds=4.0),
        Scene((*drives, bump), links, friction=0.8, seconds=3.0),
    )

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        sunk = paths[0].positions[0, 0, 1] - paths[0].positions[-1, 0, 1]
        static = 1e3 * abs(sunk - 100.0 * GRAVITY / (4.0 * SPRING))
        wheels = paths[1].positions[:, 1:5]
        axle = max(float(apart(s, p).max()) for s, p in zip(scenes, paths, strict=True))
        over = 50.0 - 1e3 * (wheels[..., [0, 2], 1].max() - RADIUS)
        rest = 1e3 * float(np.abs(wheels[-1, :, 1] - RADIUS).max())
        return [
            Figure("static off mm", static, 0.01, 0.1),
            Figure("axle off mm", 1e3 * axle, 1e-3, 0.1),
            Figure("wheels off the bump mm", abs(over), inf, inf),
            Figure("wheels off the floor after mm", rest, 1.0, 5.0),
        ]

    return Case("car", scenes, judge)


MODULE, PRESSURE = 0.02, radians(25.0)


def _tooth(count: int, play: float) -> Array:
    """Return corners (n, 3) of an involute tooth about X of a wheel of so many teeth, m."""
    pitch = count * MODULE / 2.0
    base = pitch * cos(PRESSURE)
    half = pi / (2 * count) - play + tan(PRESSURE) - PRESSURE
    flank = []
    for r in np.linspace(base, pitch + 0.8 * MODULE, 6):
        a = acos(min(1.0, base / r))
        flank.append((r, half - (tan(a) - a)))
    flank.append((pitch - MODULE, half))
    ends = product(flank, (-1, 1), (-0.02, 0.02))
    return np.array([(r * cos(s * a), r * sin(s * a), z) for (r, a), s, z in ends])


def gears() -> Case:
    """Return wheels of 12 and 24 teeth; a motor turns the small one, the other is braked."""
    bodies = []
    for count, x, phase in ((12, 0.0, 0.0), (24, 18.0 * MODULE, pi / 24)):
        corners_ = _tooth(count, 0.01 * 12 / count)
        middle = corners_.mean(0)
        form = Hull(tuple(point(p) for p in corners_ - middle))
        parts = []
        for i in range(count):
            q = about(np.array([0.0, 0.0, 1.0]), np.array(2 * pi * i / count + phase))
            parts.append(Part(form, point(turned(q, middle)), tuple(q.tolist())))
        bodies.append(Body(tuple(parts), (x, 0.5, 0.0), mass=2.0 * count / 12))
    links = (
        Link(Kind.HINGE, WORLD, 0, (0.0, 0.5, 0.0), speed=4.0, torque=20.0),
        Link(Kind.HINGE, WORLD, 1, (18.0 * MODULE, 0.5, 0.0), damping=3.0),
    )
    scene = Scene(tuple(bodies), links, friction=0.1, seconds=3.0)

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        small, large = (angles(scenes[0], paths[0], link) for link in scenes[0].links)
        off, speed = large[30:] + 0.5 * small[30:], float(np.diff(small[30:]).mean()) * FPS
        return [
            Figure("small one lacks of 4 rad/s, %", 100.0 * abs(speed / 4.0 - 1.0), 2.0, 10.0),
            Figure("off 2:1 degrees", float(np.degrees(np.ptp(off))), 0.1, 1.0),
        ]

    return Case("gears", (scene,), judge)


def latch() -> Case:
    """Return a door that falls to, whose bolt's bevel slides it back, and which a spring opens."""
    open_ = 0.5
    q = about(np.array(UP), np.array(-open_))

    def at(x: float, y: float, z: float) -> tuple[float, float, float]:
        return point(turned(q, np.array([x, 0.0, z])) + np.array([0.0, y, 0.0]))

    own = tuple(q.tolist())
    spin = (0.0, 1.5, 0.0)
    outline = ((0.8, -0.01), (0.8, 0.01), (0.93, 0.01), (0.905, -0.01))
    wedge = np.array([(x, y, z) for (x, z), y in product(outline, (-0.01, 0.01))])
    centre = np.array([0.86, 0.0, 0.001])
    door = Body(
        (Part(Box((0.9, 2.0, 0.04))),), at(0.45, 1.1, 0.0), own, 10.0,
        velocity=point(np.cross(spin, at(0.45, 0.0, 0.0))), spin=spin,
    )  # fmt: skip
    bolt = Body(
        (Part(Hull(tuple(point(p) for p in wedge - centre))),), at(0.86, 1.1, 0.001), own, 0.2,
        velocity=point(np.cross(spin, at(0.86, 0.0, 0.001))), spin=spin,
    )  # fmt: skip
    strike = alone(Box((0.05, 0.1, 0.02)), (0.935, 1.1, 0.025), 0.0)
    stop = alone(Box((0.05, 0.5, 0.04)), (0.8, 1.8, -0.0401), 0.0)
    links = (
        Link(Kind.HINGE, WORLD, 0, (0.0, 1.1, 0.0), UP, stiffness=2.0),
        Link(Kind.SLIDER, 0, 1, at(0.86, 1.1, 0.0), at(1.0, 0.0, 0.0), -0.05, 0.0, 300.0, 2.0),
    )
    scene = Scene((door, bolt, strike, stop), links, friction=0.2, seconds=3.0)

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        angle = open_ - angles(scenes[0], paths[0], links[0])
        tip = 1e3 * 0.93 * float(abs(angle[-1]))
        drawn = paths[0].positions[-1, 1] - paths[0].positions[-1, 0]
        back = 1e3 * abs(hypot(*drawn[[0, 2]]) - hypot(0.41, 0.001))
        return [
            Figure("door stands open mm", tip, 6.0, 10.0),
            Figure("bolt drawn back mm", back, 0.1, 5.0),
            Figure("apart mm", 1e3 * float(apart(scenes[0], paths[0]).max()), 1e-3, 0.1),
        ]

    return Case("latch", (scene,), judge)


def chain() -> Case:
    """Return a chain of 12 links in the air, leaning and turning a little, that lies down.

    Without the turn all links stay in a plane, and may come to stand on one another.
    """
    q = about(np.array([0.6, 0.0, 0.8]), np.array(0.3))
    form, length, count = Capsule(0.15, 0.03, 0.03), 0.2, 12
    way = turned(q, np.array([0.0, length, 0.0]))
    places = [way * (i + 0.5) + np.array([0.0, 0.2, 0.0]) for i in range(count)]
    spin = np.array([0.0, 1.0, 0.0])
    bodies = tuple(
        alone(
            form,
            point(p),
            0.5,
            turned=tuple(q.tolist()),
            velocity=point(np.cross(spin, p)),
            spin=point(spin),
        )
        for p in places
    )
    links = tuple(Link(Kind.BALL, i, i + 1, point(places[i] + 0.5 * way)) for i in range(count - 1))
    scene = Scene(bodies, links, friction=0.5, seconds=6.0)

    def judge(scenes: tuple[Scene, ...], paths: tuple[Path, ...]) -> list[Figure]:
        path = paths[0]
        ends = turned(path.rotations[:, :, None], np.array([[0.0, 0.075, 0.0], [0.0, -0.075, 0.0]]))
        low = 0.03 - (path.positions[:, :, None] + ends)[..., 1].min()
        speed = 1e3 * float(np.linalg.norm(path.velocities[-1], axis=-1).max())
        lies = 1e3 * float(path.positions[-1, :, 1].max() - 0.03)
        return [
            Figure("apart mm", 1e3 * float(apart(scenes[0], path).max()), 1e-3, 0.1),
            Figure("in the floor mm", 1e3 * float(low), 0.01, 1.0),
            Figure("speed at the end mm/s", speed, 2.0, 20.0),
            Figure("highest middle over the floor mm", lies, 60.0, inf),
        ]

    return Case("chain", (scene,), judge)


def lone_ragdoll() -> Case:
    """Return a ragdoll alone."""
    return ragdolls(1)


def seven_ragdolls() -> Case:
    """Return seven."""
    return ragdolls(7)


CASES = (car, gears, latch, chain, lone_ragdoll, seven_ragdolls)
