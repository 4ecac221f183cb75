# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands that touch, moved by the kernel with the surfaces of their bodies (surfaces.h)."""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int, c_void_p
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..engines.compiled import CompiledStepper
from ..engines.engine import StepResult
from ..engines.kernel_structs import DOUBLE, INT, POINTER
from ..kinematics.rotation import Array, Index
from .collision import shape_structs
from .surfaces import Surfaces

SURFACES = np.dtype(
    [("pairs", INT), ("materials", INT)]
    + [(name, POINTER) for name in ("shape", "body", "pose", "material", "mix", "pair")],
    align=True,
)
"""What the bodies of an island touch with."""
TOUCH = np.dtype([("shape", INT, 2), ("point", DOUBLE, 3), ("force", DOUBLE, 3)], align=True)
"""A point that bore something in the last substep."""
ROOM = 256
"""Points that are told of an island at most."""


@dataclass(frozen=True, slots=True)
class Touches:
    """Where shapes touched at the end of a step.

    Attributes:
        shapes: (n, 2) numbers of the surfaces.
        points: (n, 3) m, world axes.
        forces: (n, 3) N on the second one.
    """

    shapes: Index
    points: Array
    forces: Array


class TouchingStepper:
    """Moves one island by ``omi_step_touching``. Holds all that the kernel's pointers lead to."""

    def __init__(self, library: ctypes.CDLL, surfaces: Surfaces, local: dict[int, int]) -> None:
        """Take over surfaces of bodies, by their numbers in the island."""
        self._own = np.array([i for i, body in enumerate(surfaces.body.tolist()) if body in local])
        self._place = np.full(len(surfaces.body), -1)
        self._place[self._own] = np.arange(len(self._own))
        shapes = shape_structs([surfaces.every[i].core for i in self._own.tolist()])
        bodies = np.array([local[b] for b in surfaces.body[self._own].tolist()], INT)
        pose = np.ascontiguousarray(surfaces.pose[self._own])
        self._held = (
            shapes,
            bodies,
            pose,
            surfaces.material[self._own],
            np.ascontiguousarray(surfaces.mix),
        )
        self._struct = np.zeros(1, SURFACES)
        for name, array in zip(
            ("shape", "body", "pose", "material", "mix"), self._held, strict=True
        ):
            self._struct[name] = array.ctypes.data
        self._struct["materials"] = len(surfaces.mix)
        self._touch = np.zeros(ROOM, TOUCH)
        self._count = 0
        self._work: Array | None = None
        self._library = library
        library.omi_touching_workspace.argtypes = [c_void_p]
        self._step = library.omi_step_touching
        self._step.argtypes = [*[c_void_p] * 4, *[c_double] * 2, *[c_void_p] * 4, c_int]

    def look_at(self, pairs: NDArray[np.intp]) -> None:
        """Let these pairs of all surfaces be those that may meet."""
        own = self._place[pairs]
        self._pairs = np.ascontiguousarray(own[(own >= 0).all(1)], INT)
        self._struct["pair"], self._struct["pairs"] = self._pairs.ctypes.data, len(self._pairs)

    def step(self, of: CompiledStepper, dt: float, most: float) -> StepResult:
        """Advance the island of a stepper by dt seconds, in steps of ``most`` at most."""
        islands, states, _, others = of.islands
        wrench, _, reports = of.answers
        if self._work is None:
            self._work = np.zeros(self._library.omi_touching_workspace(islands))
        work = self._work.ctypes.data
        count = self._step(
            islands, states, self._struct.ctypes.data, others, dt, most, wrench, work, reports,
            self._touch.ctypes.data, ROOM,
        )  # fmt: skip
        self._count = min(count, ROOM)
        return of.result()

    @property
    def touches(self) -> Touches:
        """What touched at the end of the last step."""
        found = self._touch[: self._count]
        return Touches(self._own[found["shape"]], found["point"].copy(), found["force"].copy())
