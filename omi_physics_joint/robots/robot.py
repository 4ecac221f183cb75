# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot as MJCF and URDF both see it: a tree of links. Z up, m, kg, rad; no format's words.

What is read becomes this first and a mechanism then (``importing``), and what is written comes from
a mechanism by way of it (``exporting``), so that neither format knows of the other or of glTF.
``frames`` says where links are at the start, and how they move then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf

from ..model.body import IDENTITY_QUATERNION, ZERO, CollisionFilter, Quaternion, Vector3
from ..model.geometry.transform import (
    IDENTITY,
    Matrix,
    apply,
    cross,
    inverse,
    linear_part,
    minus,
    multiply,
    plus,
    rotation_about,
    rotation_from_quaternion,
    times,
    translation_of,
    transpose,
)
from ..model.mechanics.masses import Mass
from ..model.shape import Shape
from .remarks import NOTHING, Remarks
from .turning import around, moved, shifted, turned

CREEP = 1e-3
"""m/s or rad/s: how fast a joint goes that pulls as hard as its dry friction holds."""
WORLD = -1
"""The parent of links that hang from the world, and the body of geoms that stand in it."""


class Way(StrEnum):
    """How one joint moves its link."""

    HINGE = "hinge"
    SLIDE = "slide"
    BALL = "ball"

    @property
    def speeds(self) -> int:
        """How many numbers a rate has."""
        return 3 if self is Way.BALL else 1


@dataclass(frozen=True, slots=True)
class Spring:
    """A force on one joint: stiffness (target - value) + damping (rate - rate now)."""

    stiffness: float = 0.0
    damping: float = 0.0
    target: float | None = None
    """m or rad; None is no spring."""
    rate: float | None = 0.0
    """m/s or rad/s; None is no motor and no damper."""
    max_force: float = inf
    name: str = ""
    """Of the actuator; "" is what the joint does by itself."""

    @property
    def is_dry(self) -> bool:
        """Whether it is dry friction: see ``dry``."""
        holds = not self.stiffness and not self.rate and 0.0 < self.max_force < inf
        return holds and self.max_force <= 2.0 * CREEP * self.damping

    @property
    def is_bare(self) -> bool:
        """Whether it is a largest force alone: that of a motor which a controller leads."""
        return not self.stiffness and not self.damping


def dry(friction: float) -> Spring:
    """Return dry friction, N or N m: a damper so strong that below its largest force it holds."""
    return Spring(damping=friction / CREEP, max_force=friction)


@dataclass(frozen=True, slots=True)
class Axis:
    """One joint between a link and its parent; several of a link follow each other."""

    name: str
    way: Way
    direction: Vector3 = (0.0, 0.0, 1.0)
    """In the axes of the link, of length one."""
    anchor: Vector3 = ZERO
    """In the link, m."""
    low: float = -inf
    high: float = inf
    """m or rad; of a ball the largest angle in all."""
    rest: float = 0.0
    """Value at which the link is where ``Link.placed`` says."""
    value: float = 0.0
    """Value at the start."""
    turn: Quaternion = IDENTITY_QUATERNION
    """The same of a ball."""
    springs: tuple[Spring, ...] = ()
    remarks: Remarks = NOTHING


@dataclass(frozen=True, slots=True)
class Surface:
    """Triangles that geoms show or collide with."""

    name: str
    points: tuple[Vector3, ...]
    triangles: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Geom:
    """One piece of a link: solid, shown or both."""

    name: str
    pose: Matrix = IDENTITY
    """Link from geom, rigid."""
    shape: Shape | None = None
    """None: it is shown only. Upright along Z. Of a mesh ``surface`` is what counts."""
    surface: Surface | None = None
    """Of a mesh, or what is shown."""
    shown: bool = True
    friction: float | None = None
    filter: int | None = None
    """Index into the filters of the robot."""


@dataclass(frozen=True, slots=True)
class Link:
    """One link. Without axes it is rigid with its parent, unless it is free."""

    name: str
    parent: int = WORLD
    placed: Matrix = IDENTITY
    """Parent from link where all its joints are at rest; of a free link the world pose."""
    axes: tuple[Axis, ...] = ()
    free: bool = False
    remarks: Remarks = NOTHING
    """What its file says of its being free: the name of the joint that leaves it so, and where."""
    led: bool = False
    """Whether it is moved by others: kinematic."""
    mass: Mass | None = None
    geoms: tuple[Geom, ...] = ()
    gravity: float = 1.0
    """Factor."""
    velocity: Vector3 = ZERO
    """Of a free link: of its origin, world axes, m/s."""
    spin: Vector3 = ZERO
    """Likewise, rad/s."""
    rates: tuple[float, ...] = ()
    """Of its axes, m/s or rad/s; a ball has three. Empty: all are zero."""
    meets_parent: bool = False
    """Whether it collides with its parent."""

    @property
    def moves(self) -> bool:
        """Whether it is no rigid part of its parent."""
        return bool(self.axes) or self.free or self.led

    def rates_by_axis(self) -> list[tuple[float, ...]]:
        """Return the rates of each of its axes."""
        rates = iter(self.rates)
        return [tuple(next(rates, 0.0) for _ in range(axis.way.speeds)) for axis in self.axes]


@dataclass(frozen=True, slots=True)
class Loop:
    """A joint beside the tree that holds two links together where they are."""

    name: str
    one: int
    other: int
    pose: Matrix
    """In ``one``, where it is."""
    other_pose: Matrix
    """In ``other``, where it is to be."""
    turns: bool
    """Whether it may turn: a pin, not a weld."""
    about: Vector3 | None = None
    """In ``one``: the only direction about which it turns, of length one."""
    apart: bool = False
    """Whether the two do not meet."""


@dataclass(frozen=True, slots=True)
class Robot:
    """All of a file."""

    name: str
    links: tuple[Link, ...] = ()
    """Parents before children."""
    geoms: tuple[Geom, ...] = ()
    """Of the world."""
    loops: tuple[Loop, ...] = ()
    filters: tuple[CollisionFilter, ...] = ()
    gravity: Vector3 | None = None
    """m/s^2; None is not said."""
    apart: tuple[tuple[int, int], ...] = ()
    """Pairs of links that do not meet although no joint joins them."""


def axes_by_name(links: Iterable[Link]) -> dict[str, Axis]:
    """Return the joints of links by their names, those that have one; of several the last."""
    return {axis.name: axis for link in links for axis in link.axes if axis.name}


def with_axes(links: Sequence[Link], axes: Mapping[str, Axis]) -> list[Link]:
    """Return links with these in place of what ``axes_by_name`` returns of them."""
    now = {id(before): axes[name] for name, before in axes_by_name(links).items()}
    return [replace(link, axes=tuple(now.get(id(a), a) for a in link.axes)) for link in links]


@dataclass(frozen=True, slots=True)
class Frame:
    """A link, or what is between two of its joints, at the start."""

    world: Matrix = IDENTITY
    velocity: Vector3 = ZERO
    """Of its origin, world axes, m/s."""
    spin: Vector3 = ZERO
    """World axes, rad/s."""


def frames(links: Sequence[Link]) -> dict[int, list[Frame]]:
    """Return of each link and the world where it would be without its joints, then after each."""
    found = {WORLD: [Frame()]}
    for index, link in enumerate(links):
        run = [_carried(found[link.parent][-1], link)]
        for axis, rates in zip(link.axes, link.rates_by_axis(), strict=True):
            run.append(_after(run[-1], axis, rates))
        found[index] = run
    return found


def _carried(above: Frame, link: Link) -> Frame:
    world = multiply(above.world, link.placed)
    if link.free:
        return Frame(world, link.velocity, link.spin)
    arm = minus(translation_of(world), translation_of(above.world))
    return Frame(world, plus(above.velocity, cross(above.spin, arm)), above.spin)


def _after(before: Frame, axis: Axis, rates: Sequence[float]) -> Frame:
    """Return where one joint brings a link, and how it moves there."""
    if axis.way is Way.SLIDE:
        way = times(axis.direction, axis.value - axis.rest)
        world = multiply(before.world, shifted(way))
        carried = cross(before.spin, turned(before.world, way))
        push = times(turned(before.world, axis.direction), rates[0])
        return Frame(world, plus(plus(before.velocity, carried), push), before.spin)
    if axis.way is Way.HINGE:
        turn = rotation_about(axis.direction, axis.value - axis.rest)
        world = multiply(before.world, around(axis.anchor, turn))
        spin = times(turned(world, axis.direction), rates[0])
    else:
        world = multiply(before.world, around(axis.anchor, rotation_from_quaternion(axis.turn)))
        spin = turned(world, (rates[0], rates[1], rates[2]))
    place = moved(before.world, axis.anchor)
    held = plus(before.velocity, cross(before.spin, minus(place, translation_of(before.world))))
    whole = plus(before.spin, spin)
    return Frame(world, plus(held, cross(whole, minus(translation_of(world), place))), whole)


def in_axes_of(world: Matrix, v: Vector3) -> Vector3:
    """Return a direction of the world in the axes of a rigid frame."""
    return apply(transpose(linear_part(world)), v)


def seen_from(axis: Axis, placed: Matrix) -> Axis:
    """Return a joint of a link in the axes of what stands at a pose in that link."""
    back = inverse(placed)
    return replace(axis, direction=turned(back, axis.direction), anchor=moved(back, axis.anchor))
