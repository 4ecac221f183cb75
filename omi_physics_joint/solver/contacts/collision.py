# SPDX-License-Identifier: GPL-3.0-or-later
"""Where shapes touch, by the compiled kernel (kernel/collide.h)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_double, c_void_p

import numpy as np
from numpy.typing import NDArray

from ..engines.kernel_structs import MANIFOLD, POINTER, SHAPE
from ..kinematics.rotation import Array
from .cores import Core


def shape_structs(cores: Sequence[Core]) -> NDArray[np.void]:
    """Return structs (n,) that point into the arrays of cores, which have to outlive them."""
    out = np.zeros(len(cores), SHAPE)
    for name in SHAPE.names or ():
        values = [getattr(core, name) for core in cores]
        out[name] = [v.ctypes.data for v in values] if SHAPE[name] == POINTER else values
    return out


class Collision:
    """Shapes, any two of which can be asked about; a pose is 12 numbers, position and rotation."""

    def __init__(self, library: ctypes.CDLL, cores: Sequence[Core]) -> None:
        self.cores = tuple(cores)
        self._structs = shape_structs(self.cores)
        self._work = np.zeros(library.omi_collide_workspace())
        library.omi_collide.argtypes = [*[c_void_p] * 4, c_double, c_void_p, c_void_p]
        library.omi_distance.argtypes = [c_void_p] * 7
        library.omi_distance.restype = c_double
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

    def _two(self, a: int, pose_a: Array, b: int, pose_b: Array) -> tuple[int, ...]:
        first, size = self._structs.ctypes.data, SHAPE.itemsize
        return first + a * size, pose_a.ctypes.data, first + b * size, pose_b.ctypes.data
