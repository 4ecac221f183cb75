# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism as every engine can build it: solid boxes, and ball, hinge and slider joints.

All is in glTF axes (Y up, gravity along -Y) and SI units. The origin of a body is its centre of
mass, its inertia that of a solid box, since Blender's rigid bodies cannot be told another.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Point = tuple[float, float, float]

GRAVITY = 9.81
DOWN = (0.0, -GRAVITY, 0.0)
WORLD = -1
"""Stands for the body of a joint that is held by the world."""


def point(v: Array) -> Point:
    """Return a vector as three plain numbers."""
    return (float(v[0]), float(v[1]), float(v[2]))


class Kind(StrEnum):
    """What a joint leaves free."""

    BALL = "ball"
    HINGE = "hinge"
    SLIDER = "slider"


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint between two bodies, in the rest pose."""

    kind: Kind
    parent: int
    """Index of a body, or ``WORLD``."""
    child: int
    anchor: Point
    axis: Point = (0.0, 0.0, 1.0)
    """Unit direction of a hinge or a slider in the world."""
    low: float = -inf
    high: float = inf
    """Bounds on the child's motion relative to the parent, about or along the axis."""
    stiffness: float = 0.0
    damping: float = 0.0
    """Of a spring towards the rest pose, N/m and N s/m."""
    closes_loop: bool = False
    """Whether a tree of joints is complete without it."""

    @property
    def is_limited(self) -> bool:
        """Whether it has a bound."""
        return self.low != -inf or self.high != inf


@dataclass(frozen=True, slots=True)
class Scene:
    """A mechanism of n dynamic bodies at rest, and how it is judged. Parents come first."""

    name: str
    title: str
    positions: Array
    """(n, 3) centres of mass."""
    rotations: Array
    """(n, 4) x, y, z, w."""
    masses: Array
    """(n,) kg."""
    sizes: Array
    """(n, 3) of the boxes, in m, along the axes of the body."""
    joints: tuple[Joint, ...]
    length: float
    """Errors are fractions of this, in m."""
    tip: Point | None = None
    """Point of the last body, in its axes, that is judged; None: the worst centre of mass."""
    seconds: float = 1.0
    fps: int = 60

    @property
    def count(self) -> int:
        """Number of bodies."""
        return len(self.masses)

    @property
    def frames(self) -> int:
        """Number of output frames after the rest pose."""
        return round(self.seconds * self.fps)

    @property
    def has_loop(self) -> bool:
        """Whether the joints are more than a tree."""
        return any(joint.closes_loop for joint in self.joints)

    def inertias(self) -> Array:
        """Return the principal inertias of the boxes, (n, 3) in kg m^2."""
        squares = self.sizes**2
        return self.masses[:, None] / 12.0 * (squares.sum(1, keepdims=True) - squares)


@dataclass(frozen=True, slots=True)
class Path:
    """What an engine made of a scene: poses of every frame, the rest pose first."""

    positions: Array
    """(frames + 1, n, 3)."""
    rotations: Array
    """(frames + 1, n, 4)."""
    velocities: Array | None = None
    """(frames + 1, n, 3) of the centres of mass; None where the engine does not tell."""
    spins: Array | None = None
    """(frames + 1, n, 3) in the world."""
