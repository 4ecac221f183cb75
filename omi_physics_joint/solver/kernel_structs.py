# SPDX-License-Identifier: GPL-3.0-or-later
"""What Python and the compiled kernel say to each other: the structs of kernel/omi_kernel.h.

The fields stand here and in that header, in the same order. The sizes are compared when the library
is loaded, each field's place and type by tests/kernel/test_structs.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import POINTER, Structure, c_double, c_int
from typing import Any, TypeVar

import numpy as np

KERNEL_VERSION = 2
"""Changes with the meaning of the structs and functions, together with OMI_KERNEL_VERSION."""

NUMBERS = POINTER(c_double)
INDICES = POINTER(c_int)
ELEMENT_TYPES = {NUMBERS: np.dtype(np.float64), INDICES: np.dtype(np.int32)}
"""What the arrays behind a pointer hold."""


class KernelIsland(Structure):
    """``omi_island``: what does not change. Sizes and units stand in the header."""

    _fields_ = (
        ("bodies", c_int),
        ("others", c_int),
        ("joints", c_int),
        ("rows", c_int),
        ("elements", c_int),
        ("closed", c_int),
        ("size", c_double),
        ("roots", NUMBERS),
        ("weight", NUMBERS),
        ("ends", INDICES),
        ("anchors", NUMBERS),
        ("axes", NUMBERS),
        ("row_start", INDICES),
        ("coordinate", INDICES),
        ("kind", INDICES),
        ("hold", NUMBERS),
        ("low", NUMBERS),
        ("high", NUMBERS),
        ("element_row", INDICES),
        ("is_drive", INDICES),
        ("one_sided", INDICES),
        ("accelerates", INDICES),
        ("stiffness", NUMBERS),
        ("damping", NUMBERS),
        ("soft_low", NUMBERS),
        ("soft_high", NUMBERS),
        ("target", NUMBERS),
        ("speed", NUMBERS),
        ("max_force", NUMBERS),
        ("nodes", c_int),
        ("blocks", c_int),
        ("order", INDICES),
        ("later_start", INDICES),
        ("later_node", INDICES),
        ("update", INDICES),
    )


class KernelState(Structure):
    """``omi_state``: what a retry or a checkpoint must restore."""

    _fields_ = (
        ("position", NUMBERS),
        ("rotation", NUMBERS),
        ("velocity", NUMBERS),
        ("value", NUMBERS),
        ("half", NUMBERS),
        ("excess", NUMBERS),
        ("guess", NUMBERS),
        ("span", NUMBERS),
        ("side", INDICES),
        ("mode", INDICES),
    )


class KernelReport(Structure):
    """``omi_report``: how a step went."""

    _fields_ = (
        ("steps", c_int),
        ("events", c_int),
        ("first_order", c_int),
        ("failures", c_int),
        ("gap", c_double),
    )


STRUCTS: Mapping[str, type[Structure]] = {
    "island": KernelIsland,
    "state": KernelState,
    "report": KernelReport,
}
"""The structs by their names in C, without omi_."""

Packed = TypeVar("Packed", KernelIsland, KernelState)


def packed(kind: type[Packed], values: Mapping[str, Any]) -> Packed:
    """Return a struct of all its values.

    Args:
        kind: The struct.
        values: A number or an array for every field. The struct keeps the arrays alive and does
            not copy them: the kernel writes into those of a state.

    Raises:
        ValueError: If a field is missing, unknown, or an array of another type or layout.
    """
    fields = {name: type_ for name, type_, *_ in kind._fields_}
    if fields.keys() != values.keys():
        wrong = sorted(fields.keys() ^ values.keys())
        raise ValueError(f"{kind.__name__}: {', '.join(wrong)} missing or unknown")
    struct = kind()
    for name, type_ in fields.items():
        value = values[name]
        if type_ in ELEMENT_TYPES:
            if value.dtype != ELEMENT_TYPES[type_] or not value.flags.c_contiguous:
                raise ValueError(f"{kind.__name__}.{name}: {value.dtype} or not in one piece")
            value = value.ctypes.data_as(type_)  # holds on to the array
        setattr(struct, name, value)
    return struct
