# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that touch, and how they are judged, as every engine can build them.

All is in glTF axes (Y up), SI units and world axes; the floor is the plane Y = 0. One material for
all: ``friction`` and ``restitution`` are those of the pair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from math import inf

import numpy as np

from omi_physics_joint.model.mechanics.inertias import solid_of
from omi_physics_joint.model.mechanics.masses import Mass
from omi_physics_joint.model.shape import Box, Capsule, Cylinder, Sphere
from omi_physics_joint.weighing.hull import hull
from omi_physics_joint.weighing.solids import measured

from ..solver.rotations import conjugate, product, turned, twist_angle
from ..solver.scene import GRAVITY, WORLD, Array, Point

UPRIGHT = (0.0, 0.0, 0.0, 1.0)
LYING = (0.5**0.5, 0.0, 0.0, 0.5**0.5)
"""The shape's Y axis along Z of the world."""
FPS = 60


@dataclass(frozen=True, slots=True)
class Hull:
    """The convex hull of points, m; their mean is where the shape is."""

    points: tuple[Point, ...]


Form = Box | Sphere | Capsule | Cylinder | Hull


@dataclass(frozen=True, slots=True)
class Part:
    """A shape of a body, in the axes of the body."""

    form: Form
    place: Point = (0.0, 0.0, 0.0)
    turned: tuple[float, float, float, float] = UPRIGHT


@dataclass(frozen=True, slots=True)
class Body:
    """A body whose centre of mass is its origin; without a mass it stands still."""

    parts: tuple[Part, ...]
    place: Point
    turned: tuple[float, float, float, float] = UPRIGHT
    mass: float = 1.0
    velocity: Point = (0.0, 0.0, 0.0)
    spin: Point = (0.0, 0.0, 0.0)


class Kind(StrEnum):
    """What a joint leaves free. A wheel turns about its axis, and is sprung along Y."""

    BALL = "ball"
    HINGE = "hinge"
    SLIDER = "slider"
    WHEEL = "wheel"


@dataclass(frozen=True, slots=True)
class Link:
    """A joint, at rest: of its second body relative to the first, whose parts do not touch.

    Attributes:
        low, high: bounds, rad or m.
        stiffness, damping: towards rest: of a hinge, a slider, or along Y of a wheel.
        speed: rad/s that a motor of ``torque`` N m wants of a hinge or a wheel, by ``gain`` N m s.
    """

    kind: Kind
    first: int
    second: int
    anchor: Point
    axis: Point = (0.0, 0.0, 1.0)
    low: float = -inf
    high: float = inf
    stiffness: float = 0.0
    damping: float = 0.0
    speed: float = 0.0
    torque: float = 0.0
    gain: float = 1e3


@dataclass(frozen=True, slots=True)
class Scene:
    """Bodies, joints, and what holds for all of them."""

    bodies: tuple[Body, ...]
    links: tuple[Link, ...] = ()
    friction: float = 0.6
    restitution: float = 0.0
    gravity: Point = (0.0, -GRAVITY, 0.0)
    seconds: float = 1.0


@dataclass(slots=True)
class Path:
    """What an engine made of a scene: (frames + 1, n, ..) poses and velocities, rest first."""

    positions: Array
    rotations: Array
    velocities: Array
    spins: Array
    times: Array
    """s of the processor's of each frame."""

    @property
    def mean(self) -> float:
        """Ms a frame."""
        return float(1e3 * self.times.mean()) if len(self.times) else 0.0


@dataclass(frozen=True, slots=True)
class Figure:
    """What is measured: the less the better."""

    name: str
    value: float
    goal: float
    red: float


@dataclass(frozen=True, slots=True)
class Case:
    """Scenes that are judged together."""

    name: str
    scenes: tuple[Scene, ...]
    judge: Callable[[tuple[Scene, ...], tuple[Path, ...]], list[Figure]]
    heavy: bool = False
    """Whether only what a few seconds allow is made."""


def alone(form: Form, place: Point, mass: float = 1.0, **more: object) -> Body:
    """Return a body of one shape."""
    return Body((Part(form),), place, mass=mass, **more)  # type: ignore[arg-type]


def filled(form: Form) -> Mass:
    """Return what fills a shape, at density one."""
    solid = (
        measured(*hull(np.array(form.points))).hull if isinstance(form, Hull) else solid_of(form)
    )
    assert solid is not None
    return solid


def kinetic(scene: Scene, path: Path, inertia: Array) -> Array:
    """Return kinetic and potential energy of the first body, (frames,) J."""
    mass = scene.bodies[0].mass
    own = turned(conjugate(path.rotations[:, 0]), path.spins[:, 0])
    height = path.positions[:, 0] @ -np.array(scene.gravity)
    return (
        0.5 * mass * (path.velocities[:, 0] ** 2).sum(-1) + 0.5 * own**2 @ inertia + mass * height
    )


def apart(scene: Scene, path: Path) -> Array:
    """Return how far anchors of joints are from each other, (frames, joints) m.

    Of sliders and wheels without the part along their axis or Y.
    """
    found = []
    for link in scene.links:
        first, second = (_carried(scene, path, i, link.anchor) for i in (link.first, link.second))
        off = second - first
        if link.kind in {Kind.SLIDER, Kind.WHEEL}:
            along = link.axis if link.kind is Kind.SLIDER else (0.0, 1.0, 0.0)
            free = _direction(scene, path, link.first, along)
            off = off - free * (off * free).sum(-1, keepdims=True)
        found.append(np.linalg.norm(off, axis=-1))
    return np.array(found).T


def angles(scene: Scene, path: Path, link: Link) -> Array:
    """Return the angle of a hinge or a wheel, (frames,) rad, counted on over whole turns."""
    ends = []
    for i in (link.first, link.second):
        if i == WORLD:
            ends.append(np.broadcast_to(np.array(UPRIGHT), path.rotations[:, 0].shape))
        else:
            ends.append(product(path.rotations[:, i], conjugate(np.array(scene.bodies[i].turned))))
    return np.unwrap(twist_angle(product(conjugate(ends[0]), ends[1]), np.array(link.axis)))


def _carried(scene: Scene, path: Path, i: int, point: Point) -> Array:
    if i == WORLD:
        return np.broadcast_to(np.array(point), path.positions[:, 0].shape)
    body = scene.bodies[i]
    own = turned(conjugate(np.array(body.turned)), np.array(point) - np.array(body.place))
    return path.positions[:, i] + turned(path.rotations[:, i], own)


def _direction(scene: Scene, path: Path, i: int, way: Point) -> Array:
    if i == WORLD:
        return np.broadcast_to(np.array(way), path.positions[:, 0].shape)
    own = turned(conjugate(np.array(scene.bodies[i].turned)), np.array(way))
    return turned(path.rotations[:, i], own)
