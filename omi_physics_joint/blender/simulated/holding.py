# SPDX-License-Identifier: GPL-3.0-or-later
"""Pulling and pinning: joints that are added to a mechanism while it plays.

The mouse leads a kinematic body, the hand. Between hand and grabbed point are drives, which the
solver steps implicitly together with everything else: a gram on a ton is pulled as safely as a ton,
and a body stays inside its limits since a drive never passes one. A pin is a weld to the world.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import exp, isfinite, tau

import numpy as np
from numpy.typing import NDArray

from ...model.body import Motion, MotionType, Vector3
from ...model.geometry.frames import rigid_frame
from ...model.geometry.transform import compose, multiply, rotation_from_quaternion, translation_of
from ...model.joint import AXES, Drive, DriveMode, Freedom, JointNode, JointSettings
from ...model.mechanism import Mechanism, Node
from ...model.settings.recipes import weld
from ...solver import KinematicMotion
from .following import Pose

FEEL = tau * 5.0
"""rad/s: how fast the hand comes to the mouse, critically damped."""
GRASP = tau * 10.0
"""rad/s of the spring between hand and body: stiff enough to be settled within a step."""
PULL = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, position_target=0.0, velocity_target=0.0)
"""What brings the grabbed point to the hand along one axis, without a strength."""
LEASH = 0.1
"""m that the hand is ahead of the body at most, so that it pulls at everything that hangs together
with about 400 m/s^2 and never more, however far the mouse is."""

Array = NDArray[np.float64]


@dataclass(slots=True)
class Grip:
    """A point of a body that is pulled.

    Attributes:
        body: its node.
        local: the point in the rigid frame of the node, m.
        mass: kg of all dynamic bodies that hang together with it.
        target: where the mouse is, m, glTF axes.
        hand: where the hand is.
        speed: of the hand, m/s.
    """

    body: int
    local: Vector3
    mass: float
    target: Array
    hand: Array
    speed: Array = field(default_factory=lambda: np.zeros(3))

    def move_hand(self, start: float, end: float, point: Array, speed: Array) -> KinematicMotion:
        """Bring the hand nearer to the mouse, as a critically damped spring would, on its leash.

        It moves between two times in s; ``point`` (3,), m, is the grabbed one, ``speed`` in m/s.
        """
        first = point + on_leash(self.hand - point)
        dt, off = end - start, self.hand - self.target
        pull, fade = self.speed + FEEL * off, exp(-FEEL * dt)
        self.hand = self.target + (off + pull * dt) * fade
        self.speed = (self.speed - FEEL * pull * dt) * fade
        ahead = point + dt * speed
        last = ahead + on_leash(self.hand - ahead)
        still = np.array([[0.0, 0.0, 0.0, 1.0]] * 2)
        return KinematicMotion(np.array([start, end]), np.array([first, last]), still)

    def settings(self) -> JointSettings:
        """Return the spring between hand and body."""
        stiffness, damping = self.mass * GRASP**2, 2.0 * self.mass * GRASP
        drives = [replace(PULL, axis=axis, stiffness=stiffness, damping=damping) for axis in AXES]
        return JointSettings("Pull", drives=tuple(drives))


@dataclass(frozen=True, eq=False, slots=True)
class Pin:
    """A body that is pinned; it is no other that is pinned at the same place.

    Attributes:
        pose: where the body is held.
        local: where the user took hold of it, m, in the rigid frame of its node.
    """

    pose: Pose
    local: Vector3

    @property
    def point(self) -> Array:
        """The pinned point in the world, (3,) m, glTF axes."""
        return world_point(self.pose, self.local)


class Holding:
    """What holds bodies while they play: one hand and any number of pins."""

    def __init__(self, mechanism: Mechanism) -> None:
        """Add the hand, which holds nothing yet; indices of other nodes stay as they are."""
        self.hand = len(mechanism.nodes)
        motion = Motion(type=MotionType.KINEMATIC)
        self.base = replace(mechanism, nodes=(*mechanism.nodes, Node("", motion=motion)))
        self.grip: Grip | None = None
        self.pins: dict[int, Pin] = {}

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism with the hand, its spring, and the pins."""
        nodes, settings = list(self.base.nodes), list(self.base.settings)
        if self.grip is not None:
            at_rest = rigid_frame(nodes[self.grip.body].world)
            held = multiply(at_rest, compose(self.grip.local))
            nodes.append(Node("", self.grip.body, compose(translation_of(held))))
            nodes.append(Node("", self.hand, joint=JointNode(len(settings), len(nodes) - 1)))
            settings.append(self.grip.settings())
        if self.pins:
            settings.append(weld())
        for body, pin in self.pins.items():
            place, turn = (tuple(one.tolist()) for one in pin.pose)
            nodes.append(Node("", None, compose(place, turn)))
            joint = JointNode(len(settings) - 1, len(nodes) - 1)
            nodes.append(Node("", body, rigid_frame(nodes[body].world), joint=joint))
        return replace(self.base, nodes=tuple(nodes), settings=tuple(settings))

    def mass_of(self, bodies: list[int]) -> float:
        """Return the mass of bodies in kg, without infinite ones."""
        motions = [self.base.nodes[body].motion for body in bodies]
        masses = [m.mass for m in motions if m is not None and isfinite(m.mass) and m.mass > 0.0]
        return sum(masses) or 1.0


def on_leash(offset: Array) -> Array:
    """Return an offset (3,), shortened where it is longer than the leash."""
    return offset * (LEASH / max(float(np.linalg.norm(offset)), LEASH))


def local_point(pose: Pose, point: Array) -> Vector3:
    """Return a point of the world as a body in some pose sees it."""
    return tuple((_turn_of(pose).T @ (point - pose[0])).tolist())


def world_point(pose: Pose, local: Vector3) -> Array:
    """Return a point of a body in the world."""
    return np.asarray(pose[0] + _turn_of(pose) @ local)


def _turn_of(pose: Pose) -> Array:
    return np.array(rotation_from_quaternion(tuple(pose[1].tolist())))
