# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms that both MuJoCo and our solver move: trees of every joint that MJCF has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, inf, sin

from omi_physics_joint.model.body import Collider, Motion, MotionType, Vector3
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import Matrix, compose, cross, multiply
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.shape import Box, Shape

TILT = (0.18, 0.09, -0.24, 0.95)


@dataclass(slots=True)
class Draft:
    """A mechanism while it is put together."""

    nodes: list[Node]
    settings: list[JointSettings]
    shapes: list[Shape]

    @staticmethod
    def new() -> Draft:
        """Return a draft with a static base at the origin."""
        return Draft([Node("base", motion=Motion(MotionType.STATIC))], [], [])

    def body(
        self,
        name: str,
        place: Vector3,
        size: Vector3 = (0.1, 0.5, 0.06),
        mass: float = 1.0,
        turn: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0),
    ) -> int:
        """Add a box and return its node; it collides with nothing that is beside it."""
        world = compose(place, turn)
        self.nodes.append(Node(name, None, world, Motion(MotionType.DYNAMIC, mass=mass)))
        index = len(self.nodes) - 1
        self.shapes.append(Box(size))
        collider = Collider(len(self.shapes) - 1)
        self.nodes.append(Node(f"{name} box", index, world, collider=collider))
        return index

    def join(
        self,
        name: str,
        body: int,
        other: int,
        frame: Matrix,
        settings: JointSettings,
        connected: Matrix | None = None,
    ) -> None:
        """Join two bodies by frames at one place, or at two."""
        self.settings.append(settings)
        self.nodes.append(Node(f"{name} end", other, connected or frame))
        joint = JointNode(len(self.settings) - 1, len(self.nodes) - 1)
        self.nodes.append(Node(name, body, frame, joint=joint))

    def throw(self, body: int, spin: Vector3, velocity: Vector3) -> None:
        """Give a body its first velocities, rad/s and m/s."""
        node = self.nodes[body]
        assert node.motion is not None
        motion = replace(node.motion, angular_velocity=spin, linear_velocity=velocity)
        self.nodes[body] = replace(node, motion=motion)

    def done(self) -> Contents:
        """Return the mechanism."""
        return Contents(Mechanism(tuple(self.nodes), tuple(self.settings), tuple(self.shapes)))


def servo(
    axis: int,
    target: float,
    stiffness: float,
    damping: float,
    *,
    freedom: Freedom = Freedom.ANGULAR,
) -> Drive:
    """Return a spring with a damper."""
    return Drive(freedom, DriveMode.FORCE, axis, inf, target, 0.0, stiffness, damping)


def at(x: float, y: float, z: float) -> Matrix:
    """Return a frame along the axes of the world."""
    return compose((x, y, z))


def chain(*, backwards: bool = False) -> Contents:
    """Five links on hinges about axes that are turned against each other."""
    draft = Draft.new()
    above = 0
    for i in range(5):
        turn = (0.0, sin(0.2 * i), 0.0, cos(0.2 * i))
        body = draft.body(f"link {i}", (0.25 + 0.5 * i, 0.0, 0.0), (0.5, 0.06, 0.1))
        frame = compose((0.5 * i, 0.0, 0.0), turn)
        pair = (above, body) if backwards else (body, above)
        draft.join(f"hinge {i}", *pair, frame, hinge(2))
        above = body
    return draft.done()


def door() -> Contents:
    """A door that falls against its limit."""
    draft = Draft.new()
    body = draft.body("door", (0.4, 0.0, 0.0), (0.8, 2.0, 0.05), 20.0)
    draft.join("hinge", body, 0, at(0, 0, 0), hinge(2, -0.4, 0.9))
    return draft.done()


def sliding() -> Contents:
    """A slider on a slope, with a spring, a damper, and a value at the start that is not zero."""
    draft = Draft.new()
    slope = compose((0.2, 0.0, 0.1), TILT)
    body = draft.body("block", (0.3, 0.1, 0.2), (0.2, 0.1, 0.1), 2.0, TILT)
    spring = servo(0, 0.2, 40.0, 1.5, freedom=Freedom.LINEAR)
    along = compose((0.15, 0.0, 0.0))
    settings = replace(slider(0, -1.0, 0.4), drives=(spring,))
    draft.join("slider", 0, body, slope, settings, multiply(slope, along))
    return draft.done()


def ball() -> Contents:
    """A pendulum on a ball, thrown to the side."""
    draft = Draft.new()
    body = draft.body("bob", (0.3, -0.4, 0.0), (0.2, 0.5, 0.1))
    draft.throw(body, (2.0, 1.0, 0.0), cross((2.0, 1.0, 0.0), (0.3, -0.4, 0.0)))
    draft.join("ball", body, 0, at(0, 0, 0), pin())
    return draft.done()


def cardan() -> Contents:
    """A universal joint with its cross."""
    draft = Draft.new()
    cross = draft.body("cross", (0.0, 0.0, 0.0), (0.1, 0.1, 0.1), 0.2)
    body = draft.body("arm", (0.4, 0.0, 0.0), (0.8, 0.1, 0.2), 1.0)
    draft.join("first", cross, 0, at(0, 0, 0), hinge(2))
    draft.join("second", body, cross, at(0, 0, 0), hinge(1))
    draft.throw(body, (0.0, 1.5, 0.0), (0.0, 0.0, -0.6))
    return draft.done()


def swinging(*, backwards: bool) -> Contents:
    """A slider across whose hinge a bar swings: one joint of ours."""
    draft = Draft.new()
    body = draft.body("bar", (0.4, 0.0, 0.0), (0.8, 0.1, 0.1), 1.0)
    settings = JointSettings("swing", (Limit((1, 2), (), 0.0, 0.0), Limit((), (0, 1), 0.0, 0.0)))
    pair = (body, 0) if backwards else (0, body)
    draft.join("swing", *pair, at(0, 0, 0), settings)
    return draft.done()


def motor() -> Contents:
    """A wheel that is driven with a largest torque, and an arm held by a servo."""
    draft = Draft.new()
    wheel = draft.body("wheel", (0.0, 0.0, 0.2), (0.6, 0.6, 0.1), 3.0)
    drive = Drive(
        Freedom.ANGULAR, DriveMode.FORCE, 2, max_force=0.5, velocity_target=3.0, damping=4.0
    )
    draft.join("axle", wheel, 0, at(0, 0, 0.2), replace(hinge(2), drives=(drive,)))
    arm = draft.body("arm", (1.4, 0.0, 0.0), (0.8, 0.1, 0.1), 1.0)
    held = replace(servo(2, 0.5, 30.0, 2.0), max_force=6.0)
    draft.join("servo", 0, arm, at(1.0, 0.0, 0.0), replace(hinge(2), drives=(held,)))
    return draft.done()


def arm() -> Contents:
    """An arm of six joints on a fixed base, with springs, and a tool that is welded on."""
    draft = Draft.new()
    above, x = 0, 0.0
    for i, (axis, length) in enumerate(
        zip((1, 2, 2, 0, 2, 0), (0.3, 0.5, 0.4, 0.2, 0.2, 0.1), strict=True)
    ):
        body = draft.body(
            f"arm {i}", (x + 0.5 * length, 0.0, 0.0), (length, 0.1, 0.12), 2.0 - 0.25 * i
        )
        sprung = replace(hinge(axis), drives=(servo(axis, 0.3 - 0.1 * i, 12.0, 0.6),))
        draft.join(f"joint {i}", body, above, at(x, 0.0, 0.0), sprung)
        above, x = body, x + length
    tool = draft.body("tool", (x + 0.1, 0.05, 0.0), (0.2, 0.05, 0.05), 0.3)
    draft.join("mount", tool, above, at(x, 0.0, 0.0), weld())
    return draft.done()


def floating() -> Contents:
    """Two links that hang on nothing, thrown while they turn."""
    draft = Draft.new()
    one = draft.body("one", (0.0, 0.0, 0.0), (0.5, 0.1, 0.2), 2.0)
    other = draft.body("other", (0.5, 0.0, 0.0), (0.5, 0.1, 0.1), 1.0)
    draft.join("knee", other, one, at(0.25, 0.0, 0.0), hinge(2))
    for body, x in ((one, 0.0), (other, 0.5)):
        spin = (0.5, 1.0, 2.0)
        u, v, w = cross(spin, (x, 0.0, 0.0))
        draft.throw(body, spin, (u + 1.0, v + 2.0, w))
    return draft.done()


def four_bar() -> Contents:
    """A loop of three links and the base."""
    draft = Draft.new()
    a = draft.body("crank", (0.0, 0.15, 0.0), (0.05, 0.3, 0.05))
    b = draft.body("coupler", (0.4, 0.3, 0.0), (0.8, 0.05, 0.05))
    c = draft.body("rocker", (0.8, 0.15, 0.0), (0.05, 0.3, 0.05))
    draft.join("a", a, 0, at(0.0, 0.0, 0.0), hinge(2))
    draft.join("b", b, a, at(0.0, 0.3, 0.0), hinge(2))
    draft.join("c", c, b, at(0.8, 0.3, 0.0), hinge(2))
    draft.join("d", c, 0, at(0.8, 0.0, 0.0), hinge(2))
    draft.throw(a, (0.0, 0.0, -2.0), (0.3, 0.0, 0.0))
    draft.throw(b, (0.0, 0.0, 0.0), (0.6, 0.0, 0.0))
    draft.throw(c, (0.0, 0.0, -2.0), (0.3, 0.0, 0.0))
    return draft.done()


CASES = {
    "chain": chain(),
    "chain backwards": chain(backwards=True),
    "door": door(),
    "slider and spring": sliding(),
    "ball pendulum": ball(),
    "universal joint": cardan(),
    "slide and turn": swinging(backwards=False),
    "turn and slide": swinging(backwards=True),
    "motors": motor(),
    "arm": arm(),
    "floating": floating(),
    "four-bar": four_bar(),
}
