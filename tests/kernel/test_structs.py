# SPDX-License-Identifier: GPL-3.0-or-later
"""Python and C mean the same bytes."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest
from solver.building import Builder
from solver.test_islands import sprung

from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.engines.compiled import compiled_engine
from omi_physics_joint.solver.engines.kernel import load
from omi_physics_joint.solver.engines.kernel_structs import (
    INDICES,
    INT,
    ISLAND,
    KERNEL_VERSION,
    POINTER,
    REPORT,
    STRUCTS,
    SURFACES,
    SWEEP,
    Struct,
)

KERNEL = Path(__file__).resolve().parents[2] / "kernel"


def c_types(struct: Struct, field: str) -> tuple[str, ...]:
    """Return what the header may say that a field is."""
    kind, shape = struct[field].subdtype or (struct[field], ())
    if shape:  # an array has become a pointer to what is in it
        inner = "".join(f"[{count}]" for count in shape[1:])
        return (f"{'int' if kind == INT else 'double'} {f'(*){inner}' if inner else '*'}",)
    if struct[field] == POINTER:
        type_ = "int *" if field in INDICES else "double *"
        if struct in (SURFACES, SWEEP) and field == "shape":
            type_ = "omi_shape *"
        return (type_, f"const {type_}")
    return ("int",) if struct[field] == INT else ("double",)


def claims(structs: Mapping[str, Struct]) -> Iterator[str]:
    """Yield C that compiles if the header has these structs, field by field."""
    yield "#include <stddef.h>"
    yield '#include "surfaces.h"'
    for name, struct in structs.items():
        yield f'_Static_assert(sizeof(omi_{name}) == {struct.itemsize}, "size of {name}");'
        for field, (_, place, *_) in (struct.fields or {}).items():
            of = f"offsetof(omi_{name}, {field})"
            yield f'_Static_assert({of} == {place}, "place of {name}.{field}");'
            kinds = ", ".join(f"{kind}: 1" for kind in c_types(struct, field))
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
    assert compiled(c_compiler, tmp_path, claims(STRUCTS)) == ""


def test_claims_would_notice(c_compiler: list[str], tmp_path: Path) -> None:
    """Two fields of one type that changed places, or one of another type, do not compile."""
    fields = [(name, REPORT[name]) for name in REPORT.names or ()]
    swapped = np.dtype([fields[1], fields[0], *fields[2:]], align=True)
    retyped = np.dtype([*fields[:-1], ("gap", POINTER)], align=True)
    assert "place of report.events" in compiled(c_compiler, tmp_path, claims({"report": swapped}))
    assert "type of report.gap" in compiled(c_compiler, tmp_path, claims({"report": retyped}))


def test_library_agrees(kernel_library: Path) -> None:
    """The compiled kernel has the version and the sizes that Python expects."""
    found = load(kernel_library)
    assert found.library is not None, found.reason
    assert found.library.omi_kernel_version() == KERNEL_VERSION
    sizes = [found.library.omi_size_of(i) for i in range(len(STRUCTS))]
    assert sizes == [struct.itemsize for struct in STRUCTS.values()]


@pytest.mark.parametrize("name", ["position", "side", "rotation", "mode"])
@pytest.mark.parametrize("wrong", ["type", "gaps"])
def test_what_the_kernel_would_misread_is_refused(
    kernel_library: Path, name: str, wrong: str
) -> None:
    """Arrays of another type and arrays with gaps are refused, and named."""
    library = load(kernel_library).library
    assert library is not None
    made = Builder()
    sprung(made, made.ground(), 0.0)
    (group,) = Simulation(made.mechanism()).groups
    array = getattr(group.state, name)
    other = array.astype(np.float32 if array.dtype == np.float64 else np.int64)
    other = other if wrong == "type" else np.repeat(array[..., None], 2, -1)[..., 0]
    state = replace(group.state, **{name: other})
    with pytest.raises(TypeError, match=name):
        compiled_engine(library).stepper(group.system, state)


def test_islands_that_are_alike_have_room_for_the_bounds_of_each(kernel_library: Path) -> None:
    """One workspace moves them all, and each bound takes some of it, not those of the first."""
    library = load(kernel_library).library
    assert library is not None
    made = Builder()
    for number, bounds in enumerate(((-1.0, inf), (-inf, 1.0), (-4.0, 5.0))):
        place = (3.0 * number, 0.0, 0.0)
        made.joint(made.ground(), made.body(place), hinge(1, *bounds), place)
    (group,) = Simulation(made.mechanism()).groups
    stepper = compiled_engine(library).stepper(group.system, group.state)
    islands, _, count, _ = stepper.islands
    needed = [library.omi_workspace(islands + i * ISLAND.itemsize) for i in range(count)]
    assert needed[2] > needed[0]
    assert len(stepper._room) == needed[2]
