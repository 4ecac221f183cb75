# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled kernel by ctypes: one call an island.

All islands' structs are one array, whose pointers are addresses in the arrays of System and State.
"""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int, c_void_p
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..kinematics.rotation import Array
from ..state import State
from ..system import System
from .engine import Went
from .kernel_structs import DOUBLE, INDICES, INT, ISLAND, POINTER, REPORT, SHARED, STATE, Struct

Addresses = list[int]


class CompiledEngine:
    """Steps islands by the kernel."""

    name = "kernel"

    def __init__(self, library: ctypes.CDLL) -> None:
        """Take over a library that was loaded and is of this version."""
        self._library = library
        library.omi_workspace.argtypes = [c_void_p]
        both: list[Any] = [c_void_p] * 3
        library.omi_begin.argtypes = [*both, c_int, c_void_p]
        library.omi_begin.restype = None
        answers = [c_void_p] * 3
        library.omi_step.argtypes = [*both, c_double, c_double, c_double, *answers]
        library.omi_relax.argtypes = [*both, c_double, *answers]
        self._systems: WeakKeyDictionary[System, _SystemCalls] = WeakKeyDictionary()
        self._states: WeakKeyDictionary[State, _StateCalls] = WeakKeyDictionary()

    def begin(
        self, system: System, state: State, other_velocity: Array, *, continued: bool
    ) -> None:
        """Prepare a state, see ``Engine``."""
        calls, states = self._prepared(system, state, other_velocity)
        begin, work = self._library.omi_begin, calls.work
        for (island, other, _, _), one in zip(calls.islands, states.islands, strict=True):
            begin(island, one, other, continued, work)

    def step(
        self,
        system: System,
        state: State,
        other_velocity: Array,
        dt: float,
        most: float,
        tolerance: float,
    ) -> Went:
        """Advance all islands, see ``Engine``."""
        calls, states = self._prepared(system, state, other_velocity)
        step, work = self._library.omi_step, calls.work
        return calls.went(
            [
                step(island, one, other, dt, most, tolerance, wrench, work, report)
                for (island, other, wrench, report), one in zip(
                    calls.islands, states.islands, strict=True
                )
            ]
        )

    def relax(self, system: System, state: State, other_velocity: Array, dt: float) -> Went:
        """Advance all islands to first order, see ``Engine``."""
        calls, states = self._prepared(system, state, other_velocity)
        relax, work = self._library.omi_relax, calls.work
        return calls.went(
            [
                relax(island, one, other, dt, wrench, work, report)
                for (island, other, wrench, report), one in zip(
                    calls.islands, states.islands, strict=True
                )
            ]
        )

    def _prepared(
        self, system: System, state: State, other_velocity: Array
    ) -> tuple[_SystemCalls, _StateCalls]:
        """Return what calls need, made where it is not known yet."""
        calls = self._systems.get(system)
        if calls is None:
            calls = self._systems[system] = _SystemCalls(system, self._library)
        states = self._states.get(state)
        if states is None:
            states = self._states[state] = _StateCalls(state, system.islands)
        np.copyto(calls.other, other_velocity)
        return calls, states


class _IslandCall(NamedTuple):
    """Addresses of what belongs to one island."""

    island: int
    other: int
    wrench: int
    report: int


class _SystemCalls:
    """Structs that point into the arrays of a system, and what its islands answer."""

    def __init__(self, system: System, library: ctypes.CDLL) -> None:
        count = system.islands
        self._structs = _filled(ISLAND, system, count)
        self.other = np.zeros((count, system.others, 6))
        self.wrench = np.zeros((count, system.joints, 6))
        self.report = np.zeros(count, dtype=REPORT)
        islands = _addresses(self._structs)
        self._room = np.zeros(library.omi_workspace(islands[0]))
        self.work = self._room.ctypes.data
        answers = map(_addresses, (self.other, self.wrench, self.report))
        self.islands = [_IslandCall(*one) for one in zip(islands, *answers, strict=True)]

    def went(self, done: list[int]) -> Went:
        """Return what the islands answered."""
        report = self.report.copy()
        return Went(
            np.array(done, dtype=bool),
            report["steps"],
            report["events"],
            report["first_order"],
            report["failures"],
            report["gap"],
            self.wrench.copy(),
        )


class _StateCalls:
    """Structs that point into the arrays of a state."""

    def __init__(self, state: State, count: int) -> None:
        self._structs = _filled(STATE, state, count)
        self.islands = _addresses(self._structs)


def _filled(struct: Struct, source: System | State, count: int) -> NDArray[np.void]:
    """Return structs of all islands that point into the arrays of a system or a state."""
    out = np.zeros(count, dtype=struct)
    for name in struct.names or ():
        value = getattr(source, name)
        if struct[name] != POINTER:
            out[name] = value
            continue
        _check(name, value)
        out[name] = value.ctypes.data if name in SHARED else _addresses(value)
    return out


def _addresses(array: NDArray[Any]) -> Addresses:
    """Return where the part of each island begins."""
    first, step = array.ctypes.data, array.strides[0]
    return [first + step * island for island in range(len(array))]


def _check(name: str, array: NDArray[Any]) -> None:
    """See whether the kernel can read the array of a field.

    Raises:
        TypeError: it is not laid out as the kernel expects it.
    """
    if array.dtype != (INT if name in INDICES else DOUBLE) or not array.flags.c_contiguous:
        message = f"{name}: {array.dtype}, contiguous: {array.flags.c_contiguous}"
        raise TypeError(message)
