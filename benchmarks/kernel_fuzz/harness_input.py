# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands as a file that harness.c steps. It takes whatever fields the structs have."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from omi_physics_joint.solver.kernel_structs import ELEMENT_TYPES, KernelIsland, KernelState

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """An island, and how it is stepped.

    Attributes:
        seed: Its number.
        island: Value of every field, as `kernel_structs.packed` takes them.
        state: The same.
        other: [others][6] m/s and rad/s.
        dt: s.
        tolerance: as the kernel takes it.
        steps: How many.
    """

    seed: int
    island: Values
    state: Values
    other: np.ndarray
    dt: float = 1.0 / 60.0
    tolerance: float = 1e-6
    steps: int = 4


def record(case: Case) -> bytes:
    """Return one island as harness.c reads it."""
    islands, states = ctypes.sizeof(KernelIsland), ctypes.sizeof(KernelState)
    found = [
        *_arrays(KernelIsland, case.island, 0),
        *_arrays(KernelState, case.state, 1),
        _piece(2, 0, np.ascontiguousarray(case.other, np.float64)),
    ]
    numbers = (case.seed, case.steps, len(found), islands, states, case.dt, case.tolerance)
    head = struct.pack("=5q2d", *numbers)
    return b"".join(
        (head, _plain(KernelIsland, case.island), _plain(KernelState, case.state), *found)
    )


def _plain(kind: type[ctypes.Structure], values: Values) -> bytes:
    """Return a struct with its numbers and without its arrays."""
    numbers = {
        name: values[name] for name, type_, *_ in kind._fields_ if type_ not in ELEMENT_TYPES
    }
    return bytes(kind(**numbers))


def _arrays(kind: type[ctypes.Structure], values: Values, owner: int) -> Iterator[bytes]:
    for name, type_, *_ in kind._fields_:
        if type_ in ELEMENT_TYPES:
            array = np.ascontiguousarray(values[name], ELEMENT_TYPES[type_])
            yield _piece(owner, getattr(kind, name).offset, array)


def _piece(owner: int, place: int, array: np.ndarray) -> bytes:
    head = struct.pack("=4q", owner, place, array.dtype == np.float64, array.nbytes)
    return head + array.tobytes()
