# SPDX-License-Identifier: GPL-3.0-or-later
"""Python and C mean the same bytes."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from omi_physics_joint.solver.kernel import load
from omi_physics_joint.solver.kernel_structs import (
    INDICES,
    KERNEL_VERSION,
    NUMBERS,
    STRUCTS,
    KernelReport,
    KernelState,
    packed,
)

KERNEL = Path(__file__).resolve().parents[2] / "kernel"
C_TYPES = {
    ctypes.c_int: ("int",),
    ctypes.c_double: ("double",),
    NUMBERS: ("double *", "const double *"),
    INDICES: ("int *", "const int *"),
}


def claims(structs: dict[str, type[ctypes.Structure]]) -> Iterator[str]:
    """Yield C that compiles if the header has these structs, field by field."""
    yield "#include <stddef.h>"
    yield '#include "omi_kernel.h"'
    for name, struct in structs.items():
        yield f'_Static_assert(sizeof(omi_{name}) == {ctypes.sizeof(struct)}, "size of {name}");'
        for field, type_, *_ in struct._fields_:
            place = getattr(struct, field).offset
            of = f"offsetof(omi_{name}, {field})"
            yield f'_Static_assert({of} == {place}, "place of {name}.{field}");'
            kinds = ", ".join(f"{kind}: 1" for kind in C_TYPES[type_])
            yield f"_Static_assert(_Generic(((omi_{name} *)0)->{field}, {kinds}, default: 0),"
            yield f'               "type of {name}.{field}");'


def compiled(compiler: list[str], folder: Path, lines: Iterator[str]) -> str:
    """Return what the compiler has to say about C; nothing if it is right."""
    path = folder / "claims.c"
    path.write_text("\n".join(lines), "utf-8")
    command = [*compiler, "-std=c11", "-fsyntax-only", f"-I{KERNEL}", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def test_every_field_is_where_the_header_has_it(c_compiler: list[str], tmp_path: Path) -> None:
    """Each field of each struct has the same place and type in Python and in C."""
    assert compiled(c_compiler, tmp_path, claims(dict(STRUCTS))) == ""


def test_claims_would_notice(c_compiler: list[str], tmp_path: Path) -> None:
    """Two fields of one type that changed places, or one of another type, do not compile."""

    class Swapped(ctypes.Structure):
        _fields_ = tuple(KernelReport._fields_[i] for i in (1, 0, 2, 3, 4))

    class Retyped(ctypes.Structure):
        _fields_ = (*KernelReport._fields_[:4], ("gap", NUMBERS))

    assert "place of report.events" in compiled(c_compiler, tmp_path, claims({"report": Swapped}))
    assert "type of report.gap" in compiled(c_compiler, tmp_path, claims({"report": Retyped}))


def test_library_agrees(kernel_library: Path) -> None:
    """The compiled kernel has the version and the sizes that Python expects."""
    found = load(kernel_library)
    assert found.library is not None, found.reason
    assert found.library.omi_kernel_version() == KERNEL_VERSION
    assert found.library.omi_state_size() == ctypes.sizeof(KernelState)


def state() -> dict[str, np.ndarray]:
    """Return the arrays of a state of one body without joints."""
    sizes = {"position": 3, "rotation": 9, "velocity": 6, "guess": 18, "span": 4}
    sizes |= {"value": 0, "half": 0, "excess": 0}
    arrays = {name: np.zeros(size) for name, size in sizes.items()}
    return arrays | {name: np.zeros(0, np.int32) for name in ("side", "mode")}


def test_packed_struct_points_at_the_arrays() -> None:
    """What the kernel writes is in the arrays, which live as long as the struct."""
    arrays = state()
    struct = packed(KernelState, arrays)
    struct.position[2] = 5.0
    assert arrays["position"][2] == 5.0
    del arrays
    assert struct.position[2] == 5.0


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("position", np.zeros(3, np.float32)),
        ("side", np.zeros(0, np.int64)),
        ("rotation", np.zeros((9, 2))[:, 0]),
        ("positoin", np.zeros(3)),
    ],
)
def test_packed_refuses_what_the_kernel_would_misread(name: str, array: np.ndarray) -> None:
    """Another type, an array with gaps, and an unknown name are refused, and named."""
    with pytest.raises(ValueError, match=name):
        packed(KernelState, state() | {name: array})
