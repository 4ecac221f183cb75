# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mechanism is made of, in plain numbers: what solver and truths are both built from.

All is in SI units, gravity along -Y. The origin of a body is its centre of mass, its axes are its
principal ones. Axes of a joint count 0 to 2 along and 3 to 5 about X, Y, Z of its frame; a joint
closes in the rest pose. Its coordinates are the connected frame in the joint's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

GRAVITY = 9.81
GROUND = -1
PIN = (0, 1, 2)
HINGE = (0, 1, 2, 3, 4)
"""Turns about Z of its frame."""
SLIDER = (0, 1, 3, 4, 5)
"""Slides along Z of its frame."""
WELD = (0, 1, 2, 3, 4, 5)
SLOT = (1, 2, 3, 4)
"""Slides along X of its frame and turns about Z."""
UNIVERSAL = (0, 1, 2, 5)
"""Turns in X and Y and not in Z."""
EYE: Array = np.eye(3)


@dataclass(frozen=True, slots=True)
class Body:
    """A body in the rest pose."""

    mass: float
    inertia: Array
    """(3,) kg m^2 about its axes."""
    place: Array
    turn: Array
    """(3, 3) world from body."""
    velocity: Array
    spin: Array
    """(3,) rad/s in the world."""
    mark: Array
    """(3,) point in its axes that is judged."""


@dataclass(frozen=True, slots=True)
class Spring:
    """-k (x - target) - c x' + push along a coordinate of a joint; outside of bounds if it has any.

    With bounds it is a soft limit: -k by how far x lies outside them.
    """

    axis: int
    stiffness: float = 0.0
    damping: float = 0.0
    target: float = 0.0
    push: float = 0.0
    low: float = -inf
    high: float = inf

    @property
    def is_stop(self) -> bool:
        """Whether it acts outside of bounds only."""
        return self.low != -inf or self.high != inf


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint between two bodies, or a body and the ground."""

    a: int
    b: int
    """The connected one."""
    place: Array
    frame: Array
    locked: tuple[int, ...]
    springs: tuple[Spring, ...] = ()


@dataclass(slots=True)
class Assembly:
    """Bodies and joints, collected one by one. Joints that close loops come after the others."""

    bodies: list[Body] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    gravity: Array = field(default_factory=lambda: np.array([0.0, -GRAVITY, 0.0]))

    def body(
        self,
        mass: float,
        inertia: ArrayLike,
        place: ArrayLike,
        *,
        turn: Array = EYE,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        spin: ArrayLike = (0.0, 0.0, 0.0),
        mark: ArrayLike = (0.0, 0.0, 0.0),
    ) -> int:
        """Add a body and return its number."""
        parts = (np.array(part, dtype=np.float64) for part in (velocity, spin, mark))
        here = np.array(place, dtype=np.float64)
        self.bodies.append(Body(mass, np.array(inertia, dtype=np.float64), here, turn, *parts))
        return len(self.bodies) - 1

    def rod(
        self,
        start: ArrayLike,
        stop: ArrayLike,
        mass: float = 1.0,
        *,
        thick: float = 0.02,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        spin: ArrayLike = (0.0, 0.0, 0.0),
    ) -> int:
        """Add a square rod along its X, whose end is judged. Its velocity is that of its start."""
        p, q = np.array(start, dtype=np.float64), np.array(stop, dtype=np.float64)
        length = float(np.linalg.norm(q - p))
        across = mass * (length**2 + thick**2) / 12.0
        w = np.array(spin, dtype=np.float64)
        return self.body(
            mass,
            (mass * thick**2 / 6.0, across, across),
            (p + q) / 2.0,
            turn=along(q - p),
            velocity=np.array(velocity) + np.cross(w, (q - p) / 2.0),
            spin=w,
            mark=(length / 2.0, 0.0, 0.0),
        )

    def joint(
        self,
        a: int,
        b: int,
        place: ArrayLike,
        locked: tuple[int, ...],
        frame: Array = EYE,
        springs: tuple[Spring, ...] = (),
    ) -> int:
        """Add a joint and return its number."""
        here = np.array(place, dtype=np.float64)
        self.joints.append(Joint(a, b, here, frame, locked, springs))
        return len(self.joints) - 1

    @property
    def stops(self) -> list[tuple[int, Spring]]:
        """The soft limits with the numbers of their joints."""
        return [(i, s) for i, one in enumerate(self.joints) for s in one.springs if s.is_stop]

    @property
    def tree(self) -> list[int]:
        """The joints that reach each body for the first time."""
        reached, found = {GROUND}, []
        for number, one in enumerate(self.joints):
            if one.b not in reached and one.a in reached:
                reached.add(one.b)
                found.append(number)
        return found

    @property
    def loops(self) -> list[int]:
        """The joints that are not in the tree."""
        return sorted({*range(len(self.joints))} - {*self.tree})


def along(direction: ArrayLike) -> Array:
    """Return a rotation whose X points in a direction; its Z is across the world's Y or X."""
    x = unit(direction)
    hint = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    z = unit(hint - x * (x @ hint))
    return np.stack([x, np.cross(z, x), z], 1)


def about(direction: ArrayLike) -> Array:
    """Return a frame whose Z points in a direction."""
    x, y, z = along(direction).T
    return np.stack([y, z, x], 1)


def turned(axis: ArrayLike, angle: float) -> Array:
    """Return the rotation about an axis by an angle in rad."""
    k = skew(unit(axis))
    return EYE + np.sin(angle) * k + (1.0 - np.cos(angle)) * (k @ k)


def unit(v: ArrayLike) -> Array:
    """Return a vector at length one."""
    array = np.array(v, dtype=np.float64)
    return array / np.linalg.norm(array)


def skew(v: ArrayLike) -> Array:
    """Return the matrices that take cross products with vectors (..., 3)."""
    x, y, z = np.moveaxis(np.asarray(v, dtype=np.float64), -1, 0)
    o = np.zeros_like(x)
    return np.stack(
        [np.stack([o, -z, y], -1), np.stack([z, o, -x], -1), np.stack([-y, x, o], -1)], -2
    )


def matrix_of(q: Array) -> Array:
    """Return the rotation matrices of quaternions (..., 4), x y z w, of any length."""
    v, w = q[..., :3], q[..., 3]
    size = (q * q).sum(-1)[..., None, None]
    k = skew(v)
    return EYE + 2.0 * (w[..., None, None] * k + k @ k) / size


def quaternion_of(turn: Array) -> Array:
    """Return the unit quaternion x y z w of a rotation matrix."""
    trace = np.trace(turn)
    squares = np.array([*np.diag(turn), trace])
    k = int(squares.argmax())
    q = np.empty(4)
    if k == 3:
        q[:3] = [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
        q[3] = 1.0 + trace
    else:
        i, j = (k + 1) % 3, (k + 2) % 3
        q[k] = 1.0 + 2.0 * turn[k, k] - trace
        q[i], q[j] = turn[i, k] + turn[k, i], turn[j, k] + turn[k, j]
        q[3] = turn[j, i] - turn[i, j]
    return q / np.linalg.norm(q)
