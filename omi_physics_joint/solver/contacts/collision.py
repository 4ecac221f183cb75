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
from ..kinematics.rotation import Array, Index
from .cores import Core, Numbers


def shape_structs(cores: Sequence[Core]) -> NDArray[np.void]:
    """Return structs (n,) that point into the arrays of cores, which have to outlive them."""
    out = np.zeros(len(cores), SHAPE)
    for name in SHAPE.names or ():
        values = [getattr(core, name) for core in cores]
        out[name] = [v.ctypes.data for v in values] if SHAPE[name] == POINTER else values
    return out


def in_order(pairs: Numbers) -> Index:
    """Return how to put pairs (k, 2) in order: by their first numbers, then by their second."""
    return np.lexsort(pairs.T[::-1])


@dataclass(slots=True)
class Sweep:
    """Where shapes are, how far each may come, and which of them meet.

    Attributes:
        pose: (n, 12).
        way: (n,) m.
        body: (n,) which body each shape is of.
        moves: (n,) whether forces move it.
        filter: (n,) which filter each shape has.
        meets: (k, k) whether shapes of two filters meet.
        apart: (m, 2) shapes that do not meet, the lower first, in order.
    """

    pose: Array
    way: Array
    body: Numbers
    moves: Numbers
    filter: Numbers
    meets: Numbers
    apart: Numbers


class Collision:
    """Shapes, any two of which can be asked about; a pose is 12 numbers, position and rotation.

    Attributes:
        cores: the shapes.
        structs: (n,) the same for the kernel; they point into the arrays of the cores.
    """

    def __init__(self, library: ctypes.CDLL, cores: Sequence[Core]) -> None:
        self.cores = tuple(cores)
        self.structs = shape_structs(self.cores)
        self._work = np.zeros(library.omi_collide_workspace())
        library.omi_collide.argtypes = [*[c_void_p] * 4, *[c_double] * 2, c_void_p, c_void_p]
        library.omi_box.argtypes = [c_void_p, c_void_p, c_double, c_void_p]
        library.omi_box.restype = None
        library.omi_pairs.argtypes = [*[c_void_p] * 4, c_int, c_void_p]
        self._library = library

    def collide(self, a: int, pose_a: Array, b: int, pose_b: Array, margin: float) -> np.void:
        """Return the manifold of two shapes that are no farther apart than a margin in m."""
        out = np.zeros(1, MANIFOLD)
        first, size = self.structs.ctypes.data, SHAPE.itemsize
        two = (first + a * size, pose_a.ctypes.data, first + b * size, pose_b.ctypes.data)
        self._library.omi_collide(*two, margin, 0.0, out.ctypes.data, self._work.ctypes.data)
        return np.void(out[0])

    def boxes(self, poses: Array, by: float) -> Array:
        """Return the box of each shape (n, 2, 3) at its pose (n, 12), grown by so many m."""
        out, first = np.zeros((len(self.cores), 2, 3)), self.structs.ctypes.data
        for i, (box, pose) in enumerate(zip(out, poses, strict=True)):
            self._library.omi_box(first + i * SHAPE.itemsize, pose.ctypes.data, by, box.ctypes.data)
        return out

    def pairs(self, sweep: Sweep, order: Numbers) -> Numbers:
        """Return the pairs (k, 2), in order, that are near of the first shapes, which have a pose.

        ``order`` (n,) is any permutation; left from step to step, it makes sorting cheap.
        """
        count = len(sweep.way)
        struct, box = np.zeros(1, SWEEP), np.zeros((count, 2, 3))
        struct["shapes"], struct["filters"] = count, len(sweep.meets)
        struct["aparts"], struct["shape"] = len(sweep.apart), self.structs.ctypes.data
        for name in Sweep.__slots__:
            struct[name] = getattr(sweep, name).ctypes.data
        room, found = 8 * count, 0
        while True:
            out = np.zeros((room, 2), INT)
            asked = struct, order, box, out
            addresses = (one.ctypes.data for one in asked)
            found = self._library.omi_pairs(*addresses, room, self._work.ctypes.data)
            if found <= room:
                return out[in_order(out[:found])]  # not as they lie along X
            room = found
