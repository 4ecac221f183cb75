# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms as people have them, with all that is odd of them at once.

Nothing stands at the origin, square to an axis, alone of its kind, as heavy as its neighbour or
named by a plain word. What holds of a plain mechanism is to hold of these; ``elsewhere`` and
``in_another_order`` say the same mechanism otherwise, so that what is told of it has to go along.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import (
    IDENTITY,
    Matrix,
    apply,
    compose,
    linear_part,
    multiply,
)
from omi_physics_joint.model.joint import JointNode, JointSettings
from omi_physics_joint.model.mechanism import EARTH, Mechanism, Node
from omi_physics_joint.model.shape import Box, Capsule, Cylinder, Shape, Sphere
from tests.kinds_of_joints import KINDS

NAME = '{} "№ 1" <&>/é'
"""Whatever files quote, escape or split is in it."""
SHAPES: tuple[Shape, ...] = (
    Box((0.3, 0.2, 0.5)),
    Sphere(0.2),
    Capsule(0.4, 0.1, 0.1),
    Cylinder(0.5, 0.15, 0.15),
)
STANDS = {
    "a hinge that is held aside": compose(rotation=(0.0, 0.247404, 0.0, 0.968912)),
    "two angles": compose(rotation=(0.2, 0.0, 0.1, 0.974679)),
    "a rope": compose((0.2, 0.1, -0.3)),
    "a slider with a spring": compose((0.0, 0.0, 0.25)),
    "a hinge with a servo": compose(rotation=(0.0, -0.1, 0.0, 0.994987)),
}
"""Where joints stand that are not at zero: the second frame in the first."""
AWAY = compose((13.0, -9.0, 12.0), (0.5, -0.1, 0.7, 0.5))
"""Twenty metres off, turned about no axis."""

GROUP = compose((0.4, -0.3, 0.2), (0.1, 0.5, -0.7, 0.5), (2.0, 2.0, 2.0))
"""Where the group above a body is, as seen from that."""


def turned_anyhow(draw: Random, reach: float) -> Matrix:
    """Return a place within so many m, turned anyhow."""
    x, y, z, w = (draw.gauss(0.0, 1.0) for _ in range(4))
    size = (x * x + y * y + z * z + w * w) ** 0.5
    place = tuple(draw.uniform(-reach, reach) for _ in range(3))
    return compose(place, (x / size, y / size, z / size, w / size))


class Chains:
    """Collects nodes of chains: a base that stands, an arm and a hand."""

    def __init__(self, seed: int) -> None:
        self.draw = Random(seed)
        self.nodes: list[Node] = []
        self.settings: list[JointSettings] = []

    def add(self, name: str, parent: int | None, world: Matrix, **physics: Any) -> int:
        """Add a node and return its number."""
        self.nodes.append(Node(name, parent, world, **physics))
        return len(self.nodes) - 1

    def body(self, name: str, world: Matrix, kind: MotionType = MotionType.DYNAMIC) -> int:
        """Add a body below a group that is scaled, with its collider below it, scaled too."""
        draw = self.draw
        a, b, c = sorted(draw.uniform(0.5, 1.0) for _ in range(3))
        x, y, z = (draw.uniform(-1.0, 1.0) for _ in range(3))
        size = (x * x + y * y + z * z + 1.0) ** 0.5
        motion = Motion(
            kind,
            draw.uniform(0.5, 8.0),
            center_of_mass=tuple(draw.uniform(-0.1, 0.1) for _ in range(3)),
            inertia_diagonal=(a, b, c),
            inertia_orientation=(x / size, y / size, z / size, 1.0 / size),
            linear_velocity=(0.0, 0.0, 0.0),
            angular_velocity=tuple(draw.uniform(-1.0, 1.0) for _ in range(3)),
        )
        if kind is MotionType.STATIC:
            motion = Motion(kind)
        group = self.add(f"{name} group", None, multiply(world, GROUP))
        body = self.add(name, group, world, motion=motion)
        part = multiply(world, turned_anyhow(draw, 0.1))
        shape = draw.randrange(len(SHAPES))
        part = multiply(part, compose(scale=(1.5, 1.5, 1.5)))
        self.add(f"{name} part", body, part, collider=Collider(shape))
        return body

    def join(self, kind: str, name: str, ends: tuple[int, int], frame: Matrix) -> None:
        """Add a joint of the last settings, of a kind, at a place in the world."""
        other = multiply(frame, STANDS.get(kind, IDENTITY))
        partner = self.add(NAME.format(f"{name} other end"), ends[1], other)
        joint = JointNode(len(self.settings) - 1, partner)
        self.add(NAME.format(name), ends[0], frame, joint=joint)

    def chain(self, kind: str, settings: JointSettings) -> None:
        """Add a chain whose joints are of a kind; every other one is told from the base."""
        base_at = turned_anyhow(self.draw, 12.0)
        arm_at = multiply(base_at, turned_anyhow(self.draw, 1.0))
        base = self.body(NAME.format(f"{kind} base"), base_at, MotionType.STATIC)
        arm = self.body(NAME.format(f"{kind} arm"), arm_at)
        hand = self.body(NAME.format(f"{kind} hand"), multiply(arm_at, turned_anyhow(self.draw, 1)))
        self.settings.append(replace(settings, name=kind))
        for name, ends in ((kind, (base, arm)), (f"{kind} wrist", (arm, hand))):
            frame = multiply(arm_at, turned_anyhow(self.draw, 0.5))
            self.join(kind, name, ends if len(self.settings) % 2 else ends[::-1], frame)


USUAL = (
    *("a weld", "a pin", "a hinge with bounds", "a hinge that is held aside"),
    *("a hinge with a servo", "a hinge with a motor", "a slider with a lower bound"),
    *("a slider with a spring", "a cylinder", "a table", "two angles", "three angles"),
    *("a cone", "a soft cone", "a rope", "a box"),
)
"""Kinds of joints that have a way to go from where they stand."""


def chains(kinds: Sequence[str] = USUAL) -> Contents:
    """Return a chain with each kind of joint."""
    made = Chains(20261128)
    for kind in kinds:
        made.chain(kind, KINDS[kind])
    return Contents(Mechanism(tuple(made.nodes), tuple(made.settings), SHAPES))


def elsewhere(contents: Contents, way: Matrix = AWAY) -> Contents:
    """Return the same contents moved and turned, and gravity with them."""
    mechanism = contents.mechanism
    nodes = tuple(replace(one, world=multiply(way, one.world)) for one in mechanism.nodes)
    down = apply(linear_part(way), mechanism.gravity or EARTH)
    return replace(contents, mechanism=replace(mechanism, nodes=nodes, gravity=tuple(down)))


def in_another_order(contents: Contents) -> Contents:
    """Return the same contents with nodes and shared settings counted from the other end."""
    mechanism = contents.mechanism
    last, last_settings = len(mechanism.nodes) - 1, len(mechanism.settings) - 1

    def moved(node: Node) -> Node:
        joint, trigger = node.joint, node.trigger
        return replace(
            node,
            parent=None if node.parent is None else last - node.parent,
            joint=joint
            and replace(
                joint,
                settings=last_settings - joint.settings,
                connected_node=last - joint.connected_node,
            ),
            trigger=trigger and replace(trigger, nodes=tuple(last - one for one in trigger.nodes)),
        )

    return Contents(
        replace(
            mechanism,
            nodes=tuple(map(moved, reversed(mechanism.nodes))),
            settings=mechanism.settings[::-1],
        ),
        contents.meshes,
        {last - node: mesh for node, mesh in contents.shown.items()},
        {last - node: keys for node, keys in contents.led.items()},
    )
