# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms with every type of joint, held the one way round and the other."""

from __future__ import annotations

from math import pi, radians
from random import Random

from omi_physics_joint.model.body import Motion, MotionType, Quaternion, Vector3
from omi_physics_joint.model.geometry.transform import Matrix, compose
from omi_physics_joint.model.joint import JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld

DYNAMIC, STATIC, KINEMATIC = MotionType.DYNAMIC, MotionType.STATIC, MotionType.KINEMATIC


class Making:
    """A mechanism while it is made: bodies and frames stand anywhere, nothing holds at rest."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.nodes: list[Node] = []
        self.settings: list[JointSettings] = []

    def frame(self) -> Matrix:
        """Return a rigid frame anywhere."""
        draw = self.random
        x, y, z = (draw.uniform(-2.0, 2.0) for _ in range(3))
        a, b, c, d = (draw.gauss(0.0, 1.0) for _ in range(4))
        turn: Quaternion = (a, b, c, d)
        return compose((x, y, z), turn)

    def body(self, name: str, type_: MotionType = DYNAMIC, mass: float = 1.0) -> int:
        """Add a body, and return its node."""
        draw = self.random
        centre: Vector3 = (draw.uniform(-0.2, 0.2), draw.uniform(-0.2, 0.2), 0.1)
        motion = Motion(type_, mass, centre, (0.1, 0.1, 0.1))
        self.nodes.append(Node(name, world=self.frame(), motion=motion))
        return len(self.nodes) - 1

    def joint(self, settings: JointSettings, body: int | None, connected: int | None) -> int:
        """Join two bodies, or one and the world; return the node of the joint."""
        number = len(self.nodes)
        self.settings.append(settings)
        joint = JointNode(len(self.settings) - 1, number + 1)
        self.nodes.append(Node(f"{settings.name} {number}", body, self.frame(), joint=joint))
        self.nodes.append(Node(f"end {number}", connected, self.frame()))
        return number

    def either(self, settings: JointSettings) -> None:
        """Join a new pair of bodies to a static one, then a pair the other way round."""
        wall = self.body("wall", STATIC)
        for is_reversed in (False, True):
            near, far = self.body("near"), self.body("far")
            for one, other in ((wall, near), (near, far)):
                self.joint(settings, *((other, one) if is_reversed else (one, other)))

    def mechanism(self) -> Mechanism:
        """Return what was made."""
        return Mechanism(tuple(self.nodes), tuple(self.settings))


def joint_that(
    name: str, slides: tuple[int, ...] = (), turns: tuple[int, ...] = (), bound: float = 3.0
) -> JointSettings:
    """Return a joint that slides along some axes and turns about others, each between bounds."""
    limits = []
    for axis in range(3):
        value = bound if axis in slides else 0.0
        limits.append(Limit(linear_axes=(axis,), min=-value, max=value))
        value = bound if axis in turns else 0.0
        limits.append(Limit(angular_axes=(axis,), min=-value, max=value))
    return JointSettings(name, tuple(limits))


def chain() -> Mechanism:
    """Return eight links on a hook, hinged and pinned by turns, both ways round."""
    making = Making(1)
    above = making.body("hook", STATIC)
    for number in range(8):
        link = making.body(f"link {number}")
        ends = (above, link) if number % 3 else (link, above)
        making.joint(pin() if number % 2 else hinge(number % 3), *ends)
        above = link
    return making.mechanism()


def ragdoll() -> Mechanism:
    """Return a figure that nothing holds: the chest is the heaviest."""
    making = Making(2)
    pelvis, chest = making.body("pelvis", mass=9.0), making.body("chest", mass=20.0)
    head = making.body("head", mass=5.0)
    making.joint(joint_that("spine", turns=(0, 1, 2), bound=0.5), pelvis, chest)
    making.joint(pin(), chest, head)
    for side in ("left", "right"):
        arm, hand = making.body(f"{side} arm", mass=2.0), making.body(f"{side} forearm")
        thigh, shin = making.body(f"{side} thigh", mass=7.0), making.body(f"{side} shin", mass=3.0)
        making.joint(pin(), arm, chest)
        making.joint(hinge(2, 0.0, 2.5), hand, arm)
        making.joint(joint_that("hip", turns=(0, 2), bound=1.0), pelvis, thigh)
        making.joint(hinge(0, -2.5, 0.0), thigh, shin)
    return making.mechanism()


def arm() -> Mechanism:
    """Return a robot's arm of six hinges, bolted to the floor, with a gripper of two sliders."""
    making = Making(3)
    above = making.body("base")
    making.joint(weld(), above, making.body("floor", STATIC))
    for number in range(6):
        link = making.body(f"link {number}")
        making.joint(hinge((2, 1, 1, 0, 1, 0)[number], -2.8, 2.8), above, link)
        above = link
    for side, span in (("left", (0.0, 0.05)), ("right", (-0.05, 0.0))):
        making.joint(slider(0, *span), making.body(f"{side} finger"), above)
    return making.mechanism()


def every_type() -> dict[str, Mechanism]:
    """Return a mechanism for each type of joint, which it has in both directions."""
    free = JointSettings("free")
    distance = JointSettings("rope", (Limit((0, 1, 2), (), 0.5, 2.0, together=True),))
    tilted = JointSettings(
        "tilted",
        (
            *joint_that("", turns=(2,)).limits[::2],
            Limit(angular_axes=(0,), min=radians(20.0), max=radians(20.0)),
            Limit(angular_axes=(1,), min=radians(-50.0), max=radians(-50.0)),
        ),
    )
    offset = JointSettings("offset", (Limit((0, 1), (), 0.4, 0.4), Limit((), (0, 2), 0.7, 0.7)))
    found = {}
    for number, settings in enumerate(
        (
            weld(),
            hinge(1),
            slider(2, -1.0, 1.0),
            pin(),
            free,
            distance,
            joint_that("universal", turns=(0, 1)),
            joint_that("steering", turns=(2, 1)),
            joint_that("gimbal", turns=(0, 1, 2)),
            joint_that("cylindrical", (2,), (2,)),
            joint_that("planar", (0, 1), (2,)),
            joint_that("slot", (0,), (2,)),
            joint_that("table", (0, 2)),
            joint_that("everything", (0, 1, 2), (0, 1, 2)),
            tilted,
            offset,
        )
    ):
        making = Making(100 + number)
        making.either(settings)
        found[settings.name] = making.mechanism()
    return found


def several() -> Mechanism:
    """Return a turntable with two towers, a four-bar linkage on the floor, and a cart."""
    making = Making(4)
    table, floor = making.body("table", KINEMATIC), making.body("floor", STATIC)
    for number in range(2):
        tower = making.body(f"tower {number}")
        making.joint(hinge(1), *((tower, table) if number else (table, tower)))
        making.joint(slider(1), tower, making.body(f"lift {number}"))
    crank, coupler, rocker = (making.body(name) for name in ("crank", "coupler", "rocker"))
    for ends in ((floor, crank), (crank, coupler), (rocker, coupler), (rocker, floor)):
        making.joint(hinge(2), *ends)
    cart = making.body("cart", mass=50.0)
    for number in range(4):
        making.joint(hinge(0), making.body(f"wheel {number}"), cart)
    return making.mechanism()


SCENES = {
    "chain": chain(),
    "ragdoll": ragdoll(),
    "arm": arm(),
    "several": several(),
    **every_type(),
}
"""All of them, by name."""


def some_coordinates(counts: list[tuple[str, int]], random: Random) -> list[float]:
    """Return coordinates anywhere: angles within a turn, quaternions of length one.

    Args:
        counts: type and number of coordinates of each joint, in order.
        random: what draws.
    """
    q: list[float] = []
    for type_, count in counts:
        most = 1.4 if type_ == "D6" else 0.95 * pi
        q += [random.uniform(-most, most) for _ in range(count)]
        if type_ in {"BALL", "FREE", "DISTANCE"}:
            quaternion = [random.gauss(0.0, 1.0) for _ in range(4)]
            length = sum(part * part for part in quaternion) ** 0.5
            q[-4:] = [part / length for part in quaternion]
    return q
