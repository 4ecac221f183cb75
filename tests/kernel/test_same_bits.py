# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism moves the same to the last bit whichever compiler made the kernel."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.kernel_fuzz.harness_input import Case
from benchmarks.kernel_fuzz.random_islands import random_case
from omi_physics_joint.solver.kernel import LIBRARY, load
from omi_physics_joint.solver.kernel_structs import (
    NUMBERS,
    KernelIsland,
    KernelReport,
    KernelState,
    packed,
)
from scripts.build_kernel import EXACT, LANGUAGE, SMALL, kernel_sources
from scripts.build_kernel import LIBRARY as LINKED

pytestmark = pytest.mark.long

SEEDS = range(10)
STEPS = 2


def stepped(library: ctypes.CDLL, case: Case) -> list[bytes]:
    """Return the state after some steps."""
    state = {name: array.copy() for name, array in case.state.items()}
    island, moving = packed(KernelIsland, case.island), packed(KernelState, state)
    work = np.zeros(library.omi_workspace(ctypes.byref(island)))
    impulse = np.zeros(case.island["rows"])
    numbers = [array.ctypes.data_as(NUMBERS) for array in (case.other, impulse, work)]
    step = library.omi_step
    step.argtypes = [ctypes.c_void_p] * 2 + [NUMBERS] + [ctypes.c_double] * 2
    step.argtypes += [NUMBERS, NUMBERS, ctypes.c_void_p]
    report = KernelReport()
    for _ in range(STEPS):
        step(
            ctypes.byref(island),
            ctypes.byref(moving),
            numbers[0],
            case.dt,
            case.tolerance,
            *numbers[1:],
            ctypes.byref(report),
        )
    return [state[name].tobytes() for name in sorted(state)]


@pytest.mark.skipif(sys.platform != "linux", reason="zig's own system is taken, which is Linux")
def test_compilers_move_alike(kernel_library: Path, zig_python: str, tmp_path: Path) -> None:
    """Two compilers, however they optimize, give the same bits for random islands."""
    path = tmp_path / LIBRARY
    flags = [*LANGUAGE, *EXACT, *LINKED, *SMALL, "-O3"]
    command = [zig_python, "-m", "ziglang", "cc", *flags, "-o", str(path), *kernel_sources()]
    subprocess.run(command, check=True)
    ours, theirs = load(kernel_library).library, load(path).library
    assert ours is not None
    assert theirs is not None
    for seed in SEEDS:
        case = random_case(seed)
        assert stepped(ours, case) == stepped(theirs, case), seed
