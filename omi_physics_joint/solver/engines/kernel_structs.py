# SPDX-License-Identifier: GPL-3.0-or-later
"""What Python and the compiled kernel say to each other: the structs of its headers.

The fields stand here and in kernel/omi_kernel.h, of collision in kernel/collide.h, in the same
order. The sizes are compared when the library is loaded, each field's place and type by
tests/kernel/test_structs.py. Arrays of System and State are named there as they are here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from ..system import System

KERNEL_VERSION = 12
"""Changes with the meaning of the structs and functions, together with OMI_KERNEL_VERSION."""

Struct = np.dtype[Any]
POINTER, INT, DOUBLE = np.uintp, np.int32, np.float64
"""Types of fields."""
SHARED = frozenset(field.name for field in fields(System) if field.type == "Integers")
"""Arrays that all islands of a system share; others begin with the island."""
INDICES = (
    SHARED
    | {"side", "mode", "stiff", "face_start", "face_corner", "ring_start", "ring"}
    | {"body", "moves", "filter", "meets", "apart", "material", "pair"}
)
"""Fields that point at ints; other pointers point at doubles."""


def _struct(*runs: tuple[type, str]) -> Struct:
    """Return a struct as C lays it out, from types and names of fields in a row."""
    fields = [(name, of) for of, names in runs for name in names.split()]
    return np.dtype(fields, align=True)


ISLAND = _struct(
    (INT, "bodies others joints rows elements closed"),
    (DOUBLE, "size"),
    (POINTER, "roots weight ends anchors axes axle row_start coordinate kind hold low high"),
    (POINTER, "element_row is_drive one_sided accelerates stiffness damping soft_low soft_high"),
    (POINTER, "target speed max_force"),
    (INT, "nodes blocks"),
    (POINTER, "order later_start later_node update"),
)
"""What does not change. Sizes and units stand in the header."""
STATE = _struct(
    (POINTER, "position rotation velocity value half angle excess guess span side mode scale stiff")
)
"""What a retry or a checkpoint must restore."""
REPORT = _struct(
    (INT, "steps events first_order substeps retries unfollowed done left_out"), (DOUBLE, "gap")
)
"""How an output step went; one that failed is not ``done``, and ``retries`` are no failures."""

SHAPE = _struct(
    (INT, "core corners faces leaves"),
    (DOUBLE, "radius half low high reach"),
    (POINTER, "corner normal face_start face_corner ring_start ring tree"),
)
"""A convex shape, or a mesh."""
POINTS = 16
"""Of two shapes that touch, at most."""
MANIFOLD = np.dtype(
    [
        ("normal", DOUBLE, 3),
        ("gap", DOUBLE),
        ("points", INT),
        ("id", INT, POINTS),
        ("at_a", DOUBLE, (POINTS, 3)),
        ("at_b", DOUBLE, (POINTS, 3)),
        ("gaps", DOUBLE, POINTS),
        ("normals", DOUBLE, (POINTS, 3)),
    ],
    align=True,
)
"""Where two shapes touch."""
SWEEP = _struct(
    (INT, "shapes filters aparts"),
    (POINTER, "shape pose way body moves filter meets apart"),
)
"""Shapes, how far each may come, and which of them meet."""
SURFACES = _struct(
    (INT, "pairs materials points"),
    (POINTER, "shape body pose material mix pair"),
)
"""What the bodies of an island touch with."""
TOUCH_POINT = np.dtype(
    [
        ("shape", INT, 2),
        ("id", INT),
        ("sticks", INT),
        ("point", DOUBLE, 3),
        ("force", DOUBLE, 3),
        ("push", DOUBLE),
        ("rub", DOUBLE, 3),
    ],
    align=True,
)
"""A point that bore something in the last substep."""

STRUCTS: Mapping[str, Struct] = {
    "island": ISLAND,
    "state": STATE,
    "report": REPORT,
    "shape": SHAPE,
    "manifold": MANIFOLD,
    "sweep": SWEEP,
    "surfaces": SURFACES,
    "touch_point": TOUCH_POINT,
}
"""The structs by their names in C, without omi_, in the order of omi_size_of."""
