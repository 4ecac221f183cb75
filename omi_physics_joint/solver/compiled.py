# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled kernel by ctypes: one call an island.

The structures are those of ``kernel/omi_kernel.h``, field by field; arrays of System and State are
named there as they are here.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import POINTER, Structure, byref, c_double, c_int
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from .engine import Went
from .rotation import Array
from .state import State
from .system import System

Doubles, Ints = POINTER(c_double), POINTER(c_int)
_SHARED = (
    *("ends", "row_start", "coordinate", "kind", "element_row", "is_drive", "one_sided"),
    *("accelerates", "order", "later_start", "later_node", "update"),
)
"""Arrays that all islands of a system share; others begin with the island."""


def _fields(*runs: tuple[Any, str]) -> list[tuple[str, Any]]:
    """Return fields for ctypes, from types and the names of fields in a row that are of them."""
    return [(name, of) for of, names in runs for name in names.split(" ")]


class IslandStruct(Structure):
    """``omi_island``."""

    _fields_ = _fields(
        (c_int, "bodies others joints rows elements closed"),
        (c_double, "size"),
        (Doubles, "roots weight"),
        (Ints, "ends"),
        (Doubles, "anchors axes"),
        (Ints, "row_start coordinate kind"),
        (Doubles, "hold low high"),
        (Ints, "element_row is_drive one_sided accelerates"),
        (Doubles, "stiffness damping soft_low soft_high target speed max_force"),
        (c_int, "nodes blocks"),
        (Ints, "order later_start later_node update"),
    )


class StateStruct(Structure):
    """``omi_state``."""

    _fields_ = _fields(
        (Doubles, "position rotation velocity value half excess guess span"), (Ints, "side mode")
    )


class ReportStruct(Structure):
    """``omi_report``."""

    _fields_ = _fields((c_int, "steps events first_order failures"), (c_double, "gap"))


REPORT = np.dtype(
    [(name, np.int32 if kind is c_int else np.float64) for name, kind in ReportStruct._fields_],
    align=True,
)


class CompiledEngine:
    """Steps islands by the kernel."""

    name = "kernel"

    def __init__(self, library: ctypes.CDLL) -> None:
        """Take over a library that was loaded and is of this version."""
        self._begin, self._step, self._relax = (
            library.omi_begin,
            library.omi_step,
            library.omi_relax,
        )
        self._workspace = library.omi_workspace
        self._workspace.argtypes = [POINTER(IslandStruct)]
        both: list[Any] = [POINTER(IslandStruct), POINTER(StateStruct), Doubles]
        self._begin.argtypes = [*both, c_int, Doubles]
        self._begin.restype = None
        report = POINTER(ReportStruct)
        self._step.argtypes = [*both, c_double, c_double, c_double, Doubles, Doubles, report]
        self._relax.argtypes = [*both, c_double, Doubles, Doubles, report]
        self._systems: WeakKeyDictionary[System, _SystemCalls] = WeakKeyDictionary()
        self._states: WeakKeyDictionary[State, list[Any]] = WeakKeyDictionary()

    def begin(
        self, system: System, state: State, other_velocity: Array, *, continued: bool
    ) -> None:
        """Prepare a state, see ``Engine``."""
        calls, states = self._prepared(system, state, other_velocity)
        for (island, other, _, _), one in zip(calls.islands, states, strict=True):
            self._begin(island, one, other, continued, calls.work)

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
        step, work = self._step, calls.work
        return calls.went(
            [
                step(island, one, other, dt, most, tolerance, wrench, work, report)
                for (island, other, wrench, report), one in zip(calls.islands, states, strict=True)
            ]
        )

    def relax(self, system: System, state: State, other_velocity: Array, dt: float) -> Went:
        """Advance all islands to first order, see ``Engine``."""
        calls, states = self._prepared(system, state, other_velocity)
        return calls.went(
            [
                self._relax(island, one, other, dt, wrench, calls.work, report)
                for (island, other, wrench, report), one in zip(calls.islands, states, strict=True)
            ]
        )

    def _prepared(
        self, system: System, state: State, other_velocity: Array
    ) -> tuple[_SystemCalls, list[Any]]:
        """Return what calls need, made where it is not known yet."""
        calls = self._systems.get(system)
        if calls is None:
            calls = self._systems[system] = _SystemCalls(system, self._workspace)
        states = self._states.get(state)
        if states is None:
            states = self._states[state] = [
                byref(_filled(StateStruct, state, island)) for island in range(system.islands)
            ]
        np.copyto(calls.other, other_velocity)
        return calls, states


class _IslandCall(NamedTuple):
    """Arguments of one island."""

    island: Any
    other: Any
    wrench: Any
    report: Any


class _SystemCalls:
    """Pointers into the arrays of a system, and into what its islands answer."""

    def __init__(self, system: System, workspace: Callable[[Any], int]) -> None:
        count = system.islands
        structs = [_filled(IslandStruct, system, island) for island in range(count)]
        self.other = np.zeros((count, system.others, 6))
        self.wrench = np.zeros((count, system.joints, 6))
        self.report = np.zeros(count, dtype=REPORT)
        self._room = np.zeros(max((workspace(byref(one)) for one in structs), default=0) + 1)
        self.work = _pointer(self._room, Doubles)
        self.islands = [
            _IslandCall(
                byref(structs[i]),
                _pointer(self.other[i], Doubles),
                _pointer(self.wrench[i], Doubles),
                byref(ReportStruct.from_address(self.report[i:].ctypes.data)),
            )
            for i in range(count)
        ]

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


def _filled(kind: type[Structure], source: System | State, island: int) -> Structure:
    """Return a structure of one island that points into the arrays of a system or a state."""
    values = {}
    for name, of in kind._fields_:  # type: ignore[misc]
        value = getattr(source, name)
        if of in (Doubles, Ints):
            own = value if name in _SHARED else value[island]
            values[name] = _pointer(own, of)
        else:
            values[name] = value if of is c_int else value[island]
    return kind(**values)


def _pointer(array: NDArray[Any], kind: object) -> Any:  # noqa: ANN401
    wanted = np.float64 if kind is Doubles else np.int32
    if array.dtype != wanted or not array.flags.c_contiguous:
        message = f"{array.dtype}, contiguous: {array.flags.c_contiguous}"
        raise TypeError(message)
    return ctypes.cast(array.ctypes.data, kind)  # type: ignore[arg-type]


def kernel_library() -> ctypes.CDLL | None:
    """Return the library of this version, or None."""
    from .kernel_by_cc import compiled_library

    return compiled_library()
