# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel and the reference: what is handed over is what is declared, and both do the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from solver.building import Builder
from solver.test_islands import doors, limited, looped, rope, sprung

from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.compiled import (
    ISLAND,
    POINTER,
    REPORT,
    STATE,
    CompiledEngine,
    kernel_library,
)
from omi_physics_joint.solver.reference import ReferenceEngine

HEADER = Path(__file__).parents[2] / "kernel" / "omi_kernel.h"
FRAME = 1.0 / 60.0
Adds = Callable[[Builder, int, float], None]


def declared(name: str) -> list[tuple[str, np.dtype]]:
    """Return the fields of a structure of the header, in order."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text("utf-8"), flags=re.S)
    body = re.search(r"typedef struct \{([^}]*)\} " + name, text)
    assert body
    fields = []
    for line in body[1].split(";"):
        words = line.replace("const ", "").split(None, 1)
        for field in words[1].split(",") if words else ():
            kind = {"int": np.int32, "double": np.float64}[words[0]]
            fields.append((field.strip(" *\n"), np.dtype(POINTER if "*" in field else kind)))
    return fields


@pytest.mark.parametrize(
    ("name", "structure"), [("omi_island", ISLAND), ("omi_state", STATE), ("omi_report", REPORT)]
)
def test_structures_are_those_of_the_header(name: str, structure: np.dtype) -> None:
    """Field by field, in order, of the same type."""
    assert declared(name) == [(field, structure[field]) for field in structure.names]


def falling(adds: Adds) -> Simulation:
    """Return a simulation of three that are built alike."""
    made = Builder()
    ground = made.ground()
    for number in range(3):
        adds(made, ground, 0.3 * number)
    return Simulation(made.mechanism())


@pytest.mark.parametrize(
    "adds",
    [limited, sprung, looped, rope, lambda made, ground, _: doors(made, ground, 1)],
    ids=("limited", "sprung", "looped", "rope", "doors"),
)
def test_both_do_the_same(adds: Adds) -> None:
    """From wherever the kernel is, the reference goes where it goes, by the same steps."""
    library = kernel_library()
    if library is None:
        pytest.skip("there is no kernel")
    kernel, reference = CompiledEngine(library), ReferenceEngine()
    for group in falling(adds).groups:
        system, state = group.system, group.state
        still = np.zeros((system.islands, system.others, 6))
        for frame in range(40):
            other = state.copy()
            went = kernel.step(system, state, still, FRAME, FRAME, 1e-6)
            same = reference.step(system, other, still, FRAME, FRAME, 1e-6)
            assert other.position == pytest.approx(state.position, abs=1e-9), frame
            assert other.velocity == pytest.approx(state.velocity, abs=1e-8), frame
            assert same.steps.tolist() == went.steps.tolist(), frame
            assert same.wrench == pytest.approx(went.wrench, abs=1e-7), frame
