# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled kernel by ctypes: one call for all islands that are built alike.

``engine`` has it where there is one for this machine, else the textbook.
Their structs are one array, whose pointers are addresses in the arrays of System and State.
"""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int, c_void_p
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kinematics.rotation import Array
from ..system import State, System
from .engine import Engine, Stepper, StepResult
from .kernel import kernel
from .kernel_structs import DOUBLE, INDICES, INT, ISLAND, POINTER, REPORT, SHARED, STATE, Struct


def compiled_engine(library: ctypes.CDLL) -> Engine:
    """Return what moves islands by a library that was loaded and is of this version."""
    library.omi_workspace.argtypes = [c_void_p]
    islands: list[Any] = [c_void_p, c_void_p, c_int, c_void_p]
    library.omi_begin.argtypes = [*islands, c_int, c_void_p]
    library.omi_begin.restype = None
    library.omi_step.argtypes = [*islands, *[c_double] * 3, *[c_void_p] * 3]
    library.omi_step.restype = c_double
    library.omi_quaternions.argtypes = [c_void_p, c_int, c_void_p]
    library.omi_quaternions.restype = None

    def quaternions(rotations: Array) -> Array:
        rotations, out = np.ascontiguousarray(rotations, DOUBLE), np.empty((len(rotations), 4))
        library.omi_quaternions(rotations.ctypes.data, len(out), out.ctypes.data)
        return out

    return Engine("kernel", partial(CompiledStepper, library), quaternions)


class CompiledStepper(Stepper):
    """Structs that point into the arrays of islands, and what the islands answer."""

    def __init__(self, library: ctypes.CDLL, system: System, state: State) -> None:
        super().__init__(system, state)
        count, self._size = system.islands, float(np.max(system.size))
        self._structs = filled(ISLAND, system, count), filled(STATE, state, count)
        self._reports = np.zeros(count, dtype=REPORT)
        islands, states = (one.ctypes.data for one in self._structs)
        # Islands that are alike may have more bounds than the first one, and each takes room.
        rooms = (library.omi_workspace(islands + i * ISLAND.itemsize) for i in range(count))
        work = self._room = np.zeros(max(rooms))
        self.islands = islands, states, count, self.other_velocity.ctypes.data
        self.answers = tuple(one.ctypes.data for one in (self.wrench, work, self._reports))
        self._begin, self._step = library.omi_begin, library.omi_step

    def begin(self, *, continued: bool, time: float = 0.0) -> None:
        """Prepare a state, see ``Stepper``."""
        self._begin(*self.islands, continued, self.answers[1])

    def step(self, dt: float, most: float, tolerance: float) -> StepResult:
        """Advance all islands, see ``Stepper``."""
        off = self._step(*self.islands, dt, most, tolerance, *self.answers)
        return StepResult(off, self._reports.tobytes())

    def result(self) -> StepResult:
        """Return how a step of one island went that somebody else has asked the kernel for."""
        one = self._reports[0]
        off = float(one["gap"]) / max(self._size, 1.0) if one["done"] else np.inf
        return StepResult(off, self._reports.tobytes())


def filled(struct: Struct, source: System | State, count: int) -> NDArray[np.void]:
    """Return structs of all islands that point into the arrays of a system or a state.

    Raises:
        TypeError: an array is not laid out as the kernel expects it.
    """
    out = np.zeros(count, dtype=struct)
    for name in struct.names or ():
        value = getattr(source, name)
        if struct[name] != POINTER:
            out[name] = value
            continue
        if value.dtype != (INT if name in INDICES else DOUBLE) or not value.flags.c_contiguous:
            message = f"{name}: {value.dtype}, contiguous: {value.flags.c_contiguous}"
            raise TypeError(message)
        step = 0 if name in SHARED else value.strides[0]
        out[name] = value.ctypes.data + step * np.arange(count, dtype=POINTER)
    return out


@lru_cache(maxsize=1)
def engine() -> Engine:
    """Return what computes in this process."""
    library = kernel().library
    if library is not None:
        return compiled_engine(library)
    from ..textbook.stepper import TEXTBOOK  # nobody else waits for it to be loaded

    return TEXTBOOK
