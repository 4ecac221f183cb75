# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands as a file that harness.c steps. It takes whatever fields the structs have."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from omi_physics_joint.solver.engines.kernel_structs import (
    DOUBLE,
    INDICES,
    INT,
    ISLAND,
    POINTER,
    STATE,
    Struct,
)

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """An island, and how it is stepped.

    Attributes:
        seed: Number of its mechanism.
        island: Value of every field.
        state: The same.
        other: [others][6] m/s and rad/s.
        dt: s.
        tolerance: m or rad.
        frames: How many output steps; it is begun before, and continued, stepped and relaxed after.
    """

    seed: int
    island: Values
    state: Values
    other: np.ndarray
    dt: float = 1.0 / 60.0
    tolerance: float = 1e-6
    frames: int = 6


def record(case: Case) -> bytes:
    """Return one island as harness.c reads it."""
    found = [
        *_arrays(ISLAND, case.island, 0),
        *_arrays(STATE, case.state, 1),
        _piece(2, 0, np.ascontiguousarray(case.other, DOUBLE)),
    ]
    sizes = ISLAND.itemsize, STATE.itemsize
    numbers = (case.seed, case.frames, len(found), *sizes, case.dt, case.tolerance)
    head = struct.pack("=5q2d", *numbers)
    return b"".join((head, _plain(ISLAND, case.island), _plain(STATE, case.state), *found))


def _plain(of: Struct, values: Values) -> bytes:
    """Return a struct with its numbers and without its arrays."""
    out = np.zeros((), dtype=of)
    for name in of.names or ():
        if of[name] != POINTER:
            out[name] = values[name]
    return out.tobytes()


def _arrays(of: Struct, values: Values, owner: int) -> Iterator[bytes]:
    for name, (type_, place, *_) in (of.fields or {}).items():
        if type_ == POINTER:
            array = np.ascontiguousarray(values[name], INT if name in INDICES else DOUBLE)
            yield _piece(owner, place, array)


def _piece(owner: int, place: int, array: np.ndarray) -> bytes:
    head = struct.pack("=4q", owner, place, array.dtype == DOUBLE, array.nbytes)
    return head + array.tobytes()
