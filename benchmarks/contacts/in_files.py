# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that show what their readers make of materials, filters and ``enableCollision``.

Each is a row of lanes that do not touch each other, with a floor and a body each: how the body has
moved says one number. Axes are glTF's, Y up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import atan, cos, sqrt

from benchmarks.godot.building import DYNAMIC, STATIC, at, chained, turn
from omi_physics_joint.model.body import (
    Collider,
    CollisionFilter,
    Combine,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_joint.model.geometry.transform import Matrix
from omi_physics_joint.model.joint import JointNode, JointSettings
from omi_physics_joint.model.mechanism import GRAVITY, Mechanism, Node
from omi_physics_joint.model.settings.recipes import slider, weld
from omi_physics_joint.model.shape import Box, Sphere

from ..solver.scene import Point

FLOOR, BLOCK, BALL = Box((4.0, 0.4, 1.0)), Box((0.4, 0.1, 0.4)), Sphere(0.2)
ROOM = 3.0
"""m from lane to lane."""
STEEP = atan(1.5)
DROP, FLIGHT = 1.0, 0.06
"""m that a ball falls, and s after it has hit."""
HIT = sqrt(2.0 * DROP / GRAVITY)


@dataclass(frozen=True, slots=True)
class Lane:
    """What one body shows.

    Attributes:
        name: of the lane; its body is called so too.
        expected: what the specifications say.
        within: how far a reader may be off.
    """

    name: str
    expected: float
    within: float = 0.02


@dataclass(frozen=True, slots=True)
class Row:
    """One file.

    Attributes:
        mechanism: what is written.
        lanes: what is looked at.
        seconds: when.
        shown: what the way of a body since the start says.
        word: what that is.
    """

    mechanism: Mechanism
    lanes: tuple[Lane, ...]
    seconds: float
    shown: Callable[[Point], float]
    word: str


class _Making:
    """Collects lanes."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.lanes: list[Lane] = []
        self.materials: list[PhysicsMaterial] = []
        self.filters: list[CollisionFilter] = []
        self.settings: list[JointSettings] = []

    def material(self, one: PhysicsMaterial | None) -> int | None:
        """Return the number of a material."""
        if one is None:
            return None
        self.materials.append(one)
        return len(self.materials) - 1

    def filter(self, one: CollisionFilter | None) -> int | None:
        """Return the number of a filter."""
        if one is None:
            return None
        self.filters.append(one)
        return len(self.filters) - 1

    def lane(self, lane: Lane, floor: Node, body: Node) -> int:
        """Put a floor and a body into the next lane, and return the number of the floor."""
        place = self.place()
        number = len(self.lanes)
        for one, called in ((floor, f"Floor{number}"), (body, f"Lane{number}")):
            self.nodes.append(_named(one, called, chained(place, one.world)))
        self.lanes.append(lane)
        return len(self.nodes) - 2

    def place(self) -> Matrix:
        """Return where the next lane is."""
        return at(0.0, 0.0, ROOM * len(self.lanes))

    def join(self, one: int, other: int, settings: JointSettings, *, meets: bool) -> None:
        """Join two nodes at the place of the first."""
        self.settings.append(settings)
        place = self.nodes[one].world
        joint = JointNode(len(self.settings) - 1, len(self.nodes) + 1, enable_collision=meets)
        name = f"Joint{len(self.settings)}"
        self.nodes.append(Node(name, one, place, joint=joint))
        self.nodes.append(Node(f"{name}End", other, place))

    def row(self, seconds: float, shown: Callable[[Point], float], word: str) -> Row:
        """Return all of them as a file."""
        mechanism = Mechanism(
            tuple(self.nodes), tuple(self.settings), (FLOOR, BLOCK, BALL),
            tuple(self.materials), tuple(self.filters),
        )  # fmt: skip
        return Row(mechanism, tuple(self.lanes), seconds, shown, word)


def rows() -> dict[str, Row]:
    """Return all files by name."""
    return {
        "friction": _slopes(),
        "sticking": _sticking(),
        "bounce": _bounces(),
        "filters": _filters(),
        "joined": _joined(),
    }


def _pairs(
    make: Callable[[float, str], PhysicsMaterial],
) -> list[tuple[Lane, PhysicsMaterial, PhysicsMaterial]]:
    """Return pairs of materials, with what they make together."""
    average, least, most, times = Combine
    low, high = 0.2, 0.8
    pairs = (
        ("alike", 0.5, (0.5, average), (0.5, average)),
        ("average", 0.5, (low, average), (high, average)),
        ("minimum", low, (low, least), (high, least)),
        ("maximum", high, (low, most), (high, most)),
        ("multiply", low * high, (low, times), (high, times)),
        ("minimum beside average", 0.5, (low, least), (high, average)),
        ("maximum beside average", 0.5, (low, most), (high, average)),
        ("maximum beside minimum", low, (low, least), (high, most)),
        ("multiply beside average", 0.5, (low, average), (high, times)),
        ("multiply beside maximum", high, (low, most), (high, times)),
    )
    return [(Lane(name, value), make(*a), make(*b)) for name, value, a, b in pairs]


def _rubbing(friction: float, mode: Combine, still: float | None = None) -> PhysicsMaterial:
    return PhysicsMaterial("", still or friction, friction, 0.0, mode)


def _springy(restitution: float, mode: Combine) -> PhysicsMaterial:
    return PhysicsMaterial("", 0.5, 0.5, restitution, Combine.AVERAGE, mode)


def _on_slope(make: _Making, lane: Lane, angle: float, *of: PhysicsMaterial | None) -> None:
    """Put a block on a slope that falls along X."""
    slope = turn(2, -angle)
    floor, block = (
        Collider(shape, make.material(one)) for shape, one in zip((0, 1), of, strict=True)
    )
    make.lane(
        lane,
        Node("", None, chained(slope, at(0.0, -0.2)), STATIC, floor),
        Node("", None, chained(slope, at(-1.0, 0.05)), DYNAMIC, block),
    )


def _slopes() -> Row:
    """Return blocks that slide: the friction that their ways tell."""
    make, seconds = _Making(), 0.5
    for lane, one, other in _pairs(_rubbing):
        _on_slope(make, lane, STEEP, one, other)
    slippery = _rubbing(0.3, Combine.AVERAGE, 0.9)
    _on_slope(make, Lane("static 0.9, dynamic 0.3", 0.3), STEEP, slippery, slippery)
    _on_slope(make, Lane("no material", 0.6), STEEP, None, None)
    _on_slope(make, Lane("0.2 on no material", 0.4), STEEP, None, _rubbing(0.2, Combine.AVERAGE))
    pull, press = GRAVITY * 1.5 * cos(STEEP), GRAVITY * cos(STEEP)

    def shown(way: Point) -> float:
        fell = way[0] / cos(STEEP)
        return (pull - 2.0 * fell / seconds**2) / press

    return make.row(seconds, shown, "friction")


def _sticking() -> Row:
    """Return blocks on slopes that nearly slide, or just do: mm in a second."""
    make = _Making()
    for share in (0.97, 1.03):
        angle = atan(0.5 * share)
        fell = 0.5 * GRAVITY * cos(angle) * 0.5 * max(share - 1.0, 0.0)
        expected = 1e3 * fell * cos(angle)
        material = _rubbing(0.5, Combine.AVERAGE)
        _on_slope(make, Lane(f"tan {share} mu", expected, 5.0), angle, material, material)
    slippery = _rubbing(0.3, Combine.AVERAGE, 0.9)
    lane = Lane("static 0.9, dynamic 0.3, on 0.6", 0.0, 5.0)
    _on_slope(make, lane, atan(0.6), slippery, slippery)
    return make.row(1.0, lambda way: 1e3 * way[0], "mm")


def _bounces() -> Row:
    """Return balls that fall: the restitution that their flights tell."""
    make, speed = _Making(), sqrt(2.0 * GRAVITY * DROP)
    for lane, one, other in _pairs(_springy):
        make.lane(
            lane,
            Node("", None, at(0.0, -0.2), STATIC, Collider(0, make.material(one))),
            Node("", None, at(0.0, 0.2 + DROP), DYNAMIC, Collider(2, make.material(other))),
        )

    def shown(way: Point) -> float:
        height = DROP + way[1]
        return (height + 0.5 * GRAVITY * FLIGHT**2) / (speed * FLIGHT) if height > 1e-3 else 0.0

    return make.row(HIT + FLIGHT, shown, "restitution")


def _stands(way: Point) -> float:
    return float(way[1] > -0.6)


def _falling(collider: Collider) -> Node:
    return Node("", None, at(0.0, 0.6), DYNAMIC, collider)


def _filters() -> Row:
    """Return balls that fall onto floors: 1 if they stand there, 0 if they have gone through."""
    make = _Making()
    every: tuple[tuple[str, CollisionFilter | None, CollisionFilter | None], ...] = (
        ("no filters", None, None),
        ("body avoids", CollisionFilter("", ("A",)), CollisionFilter("", (), None, ("A",))),
        ("floor avoids", CollisionFilter("", (), None, ("B",)), CollisionFilter("", ("B",))),
        ("body wants it", CollisionFilter("", ("C",)), CollisionFilter("", ("D",), ("C",))),
        ("body wants others", CollisionFilter("", ("E",)), CollisionFilter("", ("F",), ("C",))),
        ("body has a system", None, CollisionFilter("", ("G",))),
        ("body wants what nobody is", None, CollisionFilter("", ("H",), ("I",))),
        (
            "one wants, one avoids",
            CollisionFilter("", ("J",), None, ("K",)),
            CollisionFilter("", ("K",), ("J",)),
        ),
    )
    for name, a, b in every:
        meets = (a or CollisionFilter()).meets(b or CollisionFilter())
        make.lane(
            Lane(name, float(meets)),
            Node("", None, at(0.0, -0.2), STATIC, Collider(0, None, make.filter(a))),
            _falling(Collider(2, None, make.filter(b))),
        )
    floor = Node("", None, at(0.0, -0.2), STATIC, trigger=Trigger(0))
    make.lane(Lane("trigger", 0.0), floor, _falling(Collider(2)))
    return make.row(1.0, _stands, "stands")


def _joined() -> Row:
    """Return balls on sliders along Y above what they are joined to."""
    make = _Making()
    for meets in (False, True):
        word = "may meet" if meets else "may not"
        floor = Node("", None, at(0.0, -0.2), STATIC, Collider(0))
        here = make.lane(
            Lane(f"joined to what stands, {word}", float(meets)), floor, _falling(Collider(2))
        )
        make.join(here + 1, here, slider(1), meets=meets)
        moving = Node("", None, at(0.0, -0.2), DYNAMIC, Collider(0))
        lane = Lane(f"joined to what moves, {word}", float(meets))
        place = make.place()
        here = make.lane(lane, moving, _falling(Collider(2)))
        make.join(here + 1, here, slider(1), meets=meets)
        make.nodes.append(
            Node(f"Wall{len(make.nodes)}", None, chained(place, at(0.0, -2.0)), STATIC)
        )
        make.join(here, len(make.nodes) - 1, weld(), meets=False)
    lane, place = Lane("of one chain, not joined", 1.0), make.place()
    moving = Node("", None, at(0.0, -0.2), DYNAMIC, Collider(0))
    here = make.lane(lane, moving, _falling(Collider(2)))
    make.nodes.append(Node(f"Wall{len(make.nodes)}", None, chained(place, at(0.0, -2.0)), STATIC))
    make.join(here, len(make.nodes) - 1, weld(), meets=False)
    make.nodes.append(Node("Link", None, chained(place, at(0.0, 2.0)), DYNAMIC))
    link = len(make.nodes) - 1
    make.join(link, here, slider(1), meets=False)
    make.join(here + 1, link, weld(), meets=False)
    return make.row(1.0, _stands, "stands")


def _named(node: Node, name: str, world: Matrix) -> Node:
    return Node(name, None, world, node.motion, node.collider, node.trigger)
