# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands that touch, moved by the kernel with the surfaces of their bodies (surfaces.h)."""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int, c_void_p

import numpy as np
from numpy.typing import NDArray

from ..engines.compiled import CompiledStepper
from ..engines.engine import Stepper, StepResult
from ..engines.kernel_structs import INT, POINTS, SURFACES, TOUCH_POINT
from .cores import CoreKind, Numbers
from .surfaces import Surfaces

Points = NDArray[np.void]
"""Points that touch, as the kernel tells them (``TOUCH_POINT``), with numbers of all surfaces."""
NO_POINTS: Points = np.zeros(0, TOUCH_POINT)


FACED, MOST_POINTS = 4, 4096
"""Points of two convex shapes, and of an island, at most."""


class TouchingStepper:
    """Moves one island by ``omi_step_touching``. Holds all that the kernel's pointers lead to."""

    def __init__(
        self, library: ctypes.CDLL, surfaces: Surfaces, local: dict[int, int], of: Stepper
    ) -> None:
        """Take over surfaces of bodies, by their numbers in the island, and what else moves it."""
        assert isinstance(of, CompiledStepper)
        solid = surfaces.body[: surfaces.solid].tolist()
        self._own = np.array([i for i, body in enumerate(solid) if body in local])
        self._place = np.full(len(surfaces.body), -1, INT)
        self._place[self._own] = np.arange(len(self._own))
        self._held = {
            "shape": surfaces.collision.structs[self._own],
            "body": np.array([local[b] for b in surfaces.body[self._own].tolist()], INT),
            "pose": np.ascontiguousarray(surfaces.pose[self._own]),
            "material": surfaces.material[self._own],
            "mix": np.ascontiguousarray(surfaces.mix),
        }
        self._struct = np.zeros(1, SURFACES)
        for name, array in self._held.items():
            self._struct[name] = array.ctypes.data
        self._struct["materials"] = len(surfaces.mix)
        self._touch, self._count = np.zeros(0, TOUCH_POINT), 0
        self._went: StepResult | None = None
        self._rests = False
        self._told: Points | None = None
        of_mesh = [surfaces.every[i].core.core is CoreKind.MESH for i in self._own.tolist()]
        self._points = np.where(of_mesh, POINTS, FACED) if any(of_mesh) else None
        library.omi_touching_workspace.argtypes = [c_void_p, c_int]
        self._workspace = library.omi_touching_workspace
        self._step, self._of = library.omi_step_touching, of
        self._step.argtypes = [*[c_void_p] * 4, *[c_double] * 3, *[c_void_p] * 4, c_int, c_int]

    def look_at(self, pairs: Numbers, touched: Points, *, rests: bool) -> None:
        """Let these pairs of all surfaces be those that may meet; these points touched last.

        What rests stays where it is, and all that is told of it as it was.
        """
        self._rests, self._told = rests, None
        self._pairs = self._place[pairs]
        assert self._pairs.min(initial=0) >= 0, "the kernel reads and writes where these say"
        self._struct["pair"], self._struct["pairs"] = self._pairs.ctypes.data, len(self._pairs)
        room = FACED * len(pairs)
        if self._points is not None:
            room = int(self._points[self._pairs].max(axis=-1, initial=0).sum())
        if len(self._touch) < min(max(room, 1), MOST_POINTS):
            room = min(2 * room + FACED, MOST_POINTS)
            self._touch = np.zeros(room, TOUCH_POINT)
            self._work = np.empty(self._workspace(self._of.islands[0], room))
            self._struct["points"] = room
        known = touched[(self._place[touched["shape"]] >= 0).all(1)][: len(self._touch)]
        self._count = len(known)
        self._touch[: self._count] = known
        self._touch["shape"][: self._count] = self._place[known["shape"]]

    def step(self, dt: float, most: float, tolerance: float) -> StepResult:
        """Advance the island by dt seconds, see ``Stepper``."""
        if self._rests and self._went is not None:
            return self._went
        islands, states, _, others = self._of.islands
        wrench, _, reports = self._of.answers
        work, touch = self._work.ctypes.data, self._touch.ctypes.data
        asked = islands, states, self._struct.ctypes.data, others, dt, most, tolerance
        room = len(self._touch)
        told = self._step(*asked, wrench, work, reports, touch, self._count, room)
        self._count, self._told = min(told, room), None
        self._went = self._of.result()
        return self._went

    @property
    def lies(self) -> bool:
        """Whether it stays where it is in steps to come, until it is looked at again."""
        return self._rests and self._went is not None

    @property
    def touched(self) -> Points:
        """What touched at the end of the last step."""
        if self._told is None:
            self._told = self._touch[: self._count].copy()
            self._told["shape"] = self._own[self._told["shape"]]
        return self._told
