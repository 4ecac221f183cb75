# SPDX-License-Identifier: GPL-3.0-or-later
"""Where shapes touch, by the compiled kernel (kernel/collide.h)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_double, c_int, c_void_p
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..engines.kernel_structs import INT, MANIFOLD, POINTER, SHAPE, SWEEP
from ..kinematics.rotation import Array
from .cores import Core, Numbers


def shape_structs(cores: Sequence[Core]) -> NDArray[np.void]:
    """Return structs (n,) that point into the arrays of cores, which have to outlive them."""
    out = np.zeros(len(cores), SHAPE)
    for name in SHAPE.names or ():
        values = [getattr(core, name) for core in cores]
        out[name] = [v.ctypes.data for v in values] if SHAPE[name] == POINTER else values
    return out


@dataclass(slots=True)
class Sweep:
    """Boxes of shapes, and which of them meet.

    Attributes:
        box: (n, 2, 3) m, lowest and highest.
        body: (n,) which body each shape is of.
        moves: (n,) whether forces move it.
        filter: (n,) which filter each shape has.
        meets: (k, k) whether shapes of two filters meet.
        apart: (m, 2) bodies that do not meet, the lower first, in order.
        order: (n,) any permutation; left from step to step, it makes sorting cheap.
    """

    box: Array
    body: Numbers
    moves: Numbers
    filter: Numbers
    meets: Numbers
    apart: Numbers
    order: Numbers

    @property
    def shapes(self) -> int:
        """How many shapes there are."""
        return len(self.box)

    @property
    def filters(self) -> int:
        """How many filters there are."""
        return len(self.meets)

    @property
    def aparts(self) -> int:
        """How many pairs of bodies do not meet."""
        return len(self.apart)


class Collision:
    """Shapes, any two of which can be asked about; a pose is 12 numbers, position and rotation."""

    def __init__(self, library: ctypes.CDLL, cores: Sequence[Core]) -> None:
        self.cores = tuple(cores)
        self._structs = shape_structs(self.cores)
        self._work = np.zeros(library.omi_collide_workspace())
        library.omi_collide.argtypes = [*[c_void_p] * 4, c_double, c_void_p, c_void_p]
        library.omi_distance.argtypes = [c_void_p] * 7
        library.omi_distance.restype = c_double
        library.omi_meet.argtypes = [*[c_void_p] * 6, c_double, c_double, c_void_p, c_void_p]
        library.omi_meet.restype = c_double
        library.omi_box.argtypes = [c_void_p, c_void_p, c_double, c_void_p]
        library.omi_box.restype = None
        library.omi_pairs.argtypes = [*[c_void_p] * 3, c_int]
        self._library = library

    def collide(self, a: int, pose_a: Array, b: int, pose_b: Array, margin: float) -> np.void:
        """Return the manifold of two shapes that are no farther apart than a margin in m."""
        out = np.zeros(1, MANIFOLD)
        two = self._two(a, pose_a, b, pose_b)
        self._library.omi_collide(*two, margin, out.ctypes.data, self._work.ctypes.data)
        return np.void(out[0])

    def distance(self, a: int, pose_a: Array, b: int, pose_b: Array) -> tuple[float, Array, Array]:
        """Return the gap of two shapes in m, the normal (3,) and the nearest points (2, 3)."""
        normal, points = np.zeros(3), np.zeros((2, 3))
        answers = (one.ctypes.data for one in (normal, points, self._work))
        return (
            self._library.omi_distance(*self._two(a, pose_a, b, pose_b), *answers),
            normal,
            points,
        )

    def meet(
        self,
        a: tuple[int, Array, Array],
        b: tuple[int, Array, Array],
        dt: float,
        within: float,
    ) -> tuple[float, Array]:
        """Return when two shapes that move are within a distance, in s, and the normal (3,) then.

        Args:
            a: shape, pose, and its motion (3, 3): centre of mass, its velocity, angular velocity.
            b: the other.
            dt: s; infinity is returned where it takes longer.
            within: m.
        """
        normal, first = np.zeros(3), self._structs.ctypes.data
        two = [
            address
            for shape, pose, motion in (a, b)
            for address in (first + shape * SHAPE.itemsize, pose.ctypes.data, motion.ctypes.data)
        ]
        answers = normal.ctypes.data, self._work.ctypes.data
        return self._library.omi_meet(*two, dt, within, *answers), normal

    def boxes(self, poses: Array, by: float) -> Array:
        """Return the box of each shape (n, 2, 3) at its pose (n, 12), grown by so many m."""
        out, first = np.zeros((len(self.cores), 2, 3)), self._structs.ctypes.data
        for i, (box, pose) in enumerate(zip(out, poses, strict=True)):
            self._library.omi_box(first + i * SHAPE.itemsize, pose.ctypes.data, by, box.ctypes.data)
        return out

    def pairs(self, sweep: Sweep, most: int) -> tuple[int, Numbers]:
        """Return how many pairs of shapes may touch, and at most so many of them (n, 2)."""
        struct, out = np.zeros(1, SWEEP), np.zeros((most, 2), INT)
        for name in SWEEP.names or ():
            value = getattr(sweep, name)
            struct[name] = value.ctypes.data if SWEEP[name] == POINTER else value
        order = sweep.order.ctypes.data
        count = self._library.omi_pairs(struct.ctypes.data, order, out.ctypes.data, most)
        return count, out[:count]

    def _two(self, a: int, pose_a: Array, b: int, pose_b: Array) -> tuple[int, ...]:
        first, size = self._structs.ctypes.data, SHAPE.itemsize
        return first + a * size, pose_a.ctypes.data, first + b * size, pose_b.ctypes.data
