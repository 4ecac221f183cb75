# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws what bodies and joints of a case share: shapes, materials, filters and joint settings."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from random import Random
from typing import Any

from omi_physics_joint.model.body import CollisionFilter, Combine, PhysicsMaterial
from omi_physics_joint.model.geometry.transform import Matrix, compose, multiply
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Node
from omi_physics_joint.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Plane,
    Shape,
    Sphere,
    Trimesh,
)

NAMES = ("Arm", "Arm", "", "Door é", 'a "b" <c>/d', "2nd", "Wheel.001", "Arm_joint")
UNKNOWN = ('{"X_note":{"deep":[1,2.5,null]}}', '{"extras":{"by":"é"},"X_flag":true}')
FOREIGN = '{"type":"X_muscle","mode":"force","axis":1,"X_length":[0.5]}'
SYSTEMS = ("Hands", "Walls", "Tools")
PATTERNS: dict[str, tuple[str, str]] = {
    "weld": ("000", "000"),
    "hinge": ("000", "00r"),
    "free hinge": ("000", "00f"),
    "wheel": ("00s", "00f"),
    "slider": ("r00", "000"),
    "free slider": ("f00", "000"),
    "cylinder": ("r00", "r00"),
    "pin": ("000", "fff"),
    "two angles": ("000", "rr0"),
    "three angles": ("000", "rrr"),
    "swing and twist": ("000", "ttr"),
    "cone": ("000", "ttf"),
    "whole angle": ("000", "ttt"),
    "rope": ("ttt", "fff"),
    "ring": ("tt0", "000"),
    "table": ("rr0", "00f"),
    "box": ("rrr", "000"),
    "springs": ("sss", "sss"),
    "free": ("fff", "fff"),
    "anything": ("???", "???"),
}
"""Ways of six axes: held, a range, soft, together, free; which axes they are of is drawn."""


class DrawnParts:
    """Draws parts of one case, from its number alone."""

    def __init__(self, number: int) -> None:
        self.random = Random(1000 + number)
        self.is_odd = number % 4 == 3
        """Whether it may have what Check finds wrong."""
        self.is_calm = number % 4 == 0
        """Whether it starts within all bounds, without loops: how it moves is no chaos."""
        self.nodes: list[Node] = []

    def chance(self, part: float) -> bool:
        """Return whether something is so, in this part of all cases."""
        return self.random.random() < part

    def odd(self, part: float) -> bool:
        """Return the same of what is wrong, in an odd case alone."""
        return self.is_odd and self.chance(part)

    def number(self, low: float, high: float) -> float:
        """Return a number with three digits, the last no five: that may be rounded either way."""
        thousandths = round(1000.0 * self.random.uniform(low, high))
        return (thousandths + (thousandths % 10 == 5)) / 1000.0

    def maybe(self, part: float, value: Any, other: Any) -> Any:
        """Return one value in a part of all cases, else another."""
        return value if self.chance(part) else other

    def vector(self, reach: float) -> tuple[float, float, float]:
        """Return a vector."""
        x, y, z = (self.number(-reach, reach) for _ in AXES)
        return x, y, z

    def unknown(self, part: float = 0.06) -> str:
        """Return what another extension says, seldom."""
        return self.random.choice(UNKNOWN) if self.chance(part) else ""

    def name(self) -> str:
        """Return a name, that may be another's too, or none."""
        return self.random.choice(NAMES)

    def turn(self) -> tuple[float, float, float, float]:
        """Return a rotation: none, half a right angle about an axis, or any."""
        if self.chance(0.25):
            return 0.0, 0.0, 0.0, 1.0
        x, y, z, w = (self.random.gauss(0.0, 1.0) for _ in range(4))
        size = (x * x + y * y + z * z + w * w) ** 0.5
        return x / size, y / size, z / size, w / size

    def place(self, reach: float, scaled: float = 0.0) -> Matrix:
        """Return a place, in a part of all cases scaled: evenly, unevenly, mirrored."""
        scale = (1.0, 1.0, 1.0)
        if self.chance(scaled):
            even, way = self.number(0.4, 2.5), self.random.random()
            x, y, z = (self.number(0.5, 2.0) for _ in AXES)
            scale = (even,) * 3 if way < 0.6 else (-even, even, even) if way < 0.8 else (x, y, z)
        return compose(self.vector(reach), self.turn(), scale)

    def add(self, name: str, parent: int | None, local: Matrix, **physics: Any) -> int:
        """Add a node and return its number."""
        world = local if parent is None else multiply(self.nodes[parent].world, local)
        self.nodes.append(Node(name, parent, world, unknown=self.unknown(), **physics))
        return len(self.nodes) - 1

    def shape(self) -> Shape:
        """Return a shape of any kind."""
        a, b, c = (self.number(0.1, 1.5) for _ in AXES)
        top = self.maybe(0.6, b, self.maybe(0.3, 0.0, c))
        kind = self.random.randrange(8)
        sizes = (a, -b if self.odd(0.2) else b, c)
        found: Shape = (
            *(
                Box(sizes),
                Box((a, b, c)),
                Sphere(a),
                Capsule(self.maybe(0.25, 0.0, a), b, top),
                Cylinder(a, b, top),
            ),
            *(Convex(0), Trimesh(self.random.randrange(2))),
            Plane(self.maybe(0.5, inf, 4 * a), self.maybe(0.5, inf, 4 * c), self.chance(0.5)),
        )[kind]
        return replace(found, name=self.maybe(0.2, "Shape", ""), unknown=self.unknown())

    def material(self) -> PhysicsMaterial:
        """Return a material."""
        still, slides, bounces = (self.number(0.0, 1.0) for _ in AXES)
        ways = [self.random.choice(tuple(Combine)) for _ in range(2)]
        bounces = 1.5 if self.odd(0.3) else bounces
        name = self.maybe(0.5, "Rubber", "")
        return PhysicsMaterial(name, still, slides, bounces, *ways, self.unknown())

    def filter(self) -> CollisionFilter:
        """Return a collision filter: what it is of, and whom it meets or not."""
        own = tuple(self.random.sample(SYSTEMS, self.random.choice((0, 1, 1, 1, 2))))
        others = tuple(one for one in SYSTEMS if self.chance(0.7))
        only, but = self.random.choice(((others, None), (None, others), (None, None)))
        return CollisionFilter(self.maybe(0.3, "Grip", ""), own, only, but, self.unknown())

    def keys(self, part: float, field: str, *values: float) -> tuple[Keys, ...]:
        """Return keys of a field, seldom, at uneven moments."""
        if not self.chance(part):
            return ()
        times = (0.0, 0.25, 1.0)[: len(values)]
        return (Keys(field, times, values, self.chance(0.4)),)

    def bounds(self) -> tuple[float, float]:
        """Return a range: about zero, beside it, one-sided, held aside, or, where odd, none."""
        low, high = sorted((self.number(-1.5, 1.5), self.number(-1.5, 1.5)))
        way = self.random.randrange(2 if self.is_calm else 9)
        if self.odd(0.2):
            return high, low
        return (
            *((-abs(low), abs(high)), (-abs(low), abs(high)), (low, high), (abs(low), 2.0)),
            *((-2.0, -abs(high)), (low, inf), (-inf, high), (low, low), (4 * low, 4 * high + 2)),
        )[way]

    def spring(self, part: float) -> dict[str, float]:
        """Return how a limit gives way, where it does."""
        if not self.chance(part):
            return {}
        return {"stiffness": self.number(5.0, 400.0), "damping": self.maybe(0.7, 3.5, 0.0)}

    def limits(self, pattern: tuple[str, str]) -> list[Limit]:
        """Return the limits of ways of axes, which are of other axes in each draw."""
        found: list[Limit] = []
        for freedom, ways in zip(Freedom, pattern, strict=True):
            order = self.random.sample(AXES, 3)
            drawn = [self.random.choice("0rsf") if one == "?" else one for one in ways]
            of = {
                way: tuple(
                    sorted(axis for axis, one in zip(order, drawn, strict=True) if one == way)
                )
                for way in "0rst"
            }
            limits = [Limit((), (), 0.0, 0.0, **self.spring(0.15))] if of["0"] else []
            axes = [of["0"]] if of["0"] else []
            for way in "rs":
                for axis in of[way]:
                    low, high = self.bounds()
                    keyed = self.keys(0.06 * (high < inf), "max", high, high + 0.25, high + 0.125)
                    soft = self.spring(1.0 if way == "s" else 0.2)
                    limits.append(
                        Limit((), (), low, high, **soft, unknown=self.unknown(), keys=keyed)
                    )
                    axes.append((axis,))
                    if soft and self.chance(0.4):  # and a rigid one farther out
                        limits.append(Limit((), (), low - 0.4, high + 0.3))
                        axes.append((axis,))
            if of["t"]:
                most = self.number(0.2, 1.2)
                low = self.random.choice((-inf, 0.0, most / 4.0, most)[: 2 if self.is_calm else 4])
                limits.append(Limit((), (), low, most, **self.spring(0.25), together=True))
                axes.append(of["t"])
            field = f"{freedom}_axes"
            found += [replace(one, **{field: on}) for one, on in zip(limits, axes, strict=True)]
        if len(found) == 2 and self.chance(0.4) and (found[0].min, found[1].min) == (0.0, 0.0):
            both = replace(found[0], angular_axes=found[1].angular_axes)
            found = [both] if found[0].linear_axes and found[1].angular_axes else found
        if self.odd(0.1):
            found.append(Limit((), (), -0.5, 0.5))
        return found

    def drive(self, freedom: Freedom, axis: int) -> Drive:
        """Return a motor, a spring, a servo or one that does nothing, with bounds or without."""
        place = self.maybe(0.2, 0.0, self.number(-1.5, 1.5))
        speed = self.maybe(0.2, 0.0, self.number(-4.0, 4.0))
        stiffness, damping = self.number(1.0, 300.0), self.number(0.1, 20.0)
        kind = self.random.choice((0, 0, 1, 2, 3, 4, 5))
        target = None if kind == 0 else place
        return Drive(
            freedom,
            self.random.choice(tuple(DriveMode)),
            axis,
            max_force=self.maybe(0.5, self.number(1.0, 80.0), inf),
            position_target=target,
            velocity_target=self.maybe(0.7, speed, None) if kind != 0 else speed,
            stiffness=-1.0 if self.odd(0.1) else 0.0 if kind in (0, 5) else stiffness,
            damping=0.0 if kind == 4 else damping,
            unknown=self.unknown(),
            keys=() if target is None else self.keys(0.12, "position_target", place, 0.25, -0.5),
        )

    def settings(self) -> JointSettings:
        """Return joint settings, with drives more often on axes that are free than on held ones."""
        limits = self.limits(PATTERNS[self.random.choice(tuple(PATTERNS))])
        held = {
            (freedom, axis)
            for one in limits
            for freedom in Freedom
            for axis in one.axes(freedom)
            if one.min == one.max
        }
        every = [(freedom, axis) for freedom in Freedom for axis in AXES]
        free = [one for one in every if one not in held] or every
        drives = []
        for _ in range(self.random.choice((0, 0, 0, 1, 1, 2))):
            drives.append(self.drive(*self.random.choice(every if self.odd(0.4) else free)))
        foreign = (FOREIGN,) if self.chance(0.05) else ()
        name = self.maybe(0.6, self.name(), "")
        return JointSettings(name, tuple(limits), tuple(drives), foreign, self.unknown())
