# SPDX-License-Identifier: GPL-3.0-or-later
"""What rows are expected to bear saves flights of RATTLE, and nothing goes elsewhere by it."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.solver.as_model import mechanism_of
from benchmarks.solver.ragdoll import ragdoll
from omi_physics_joint.solver import Options, Simulation, simulation
from omi_physics_joint.solver.engines.compiled import compiled_engine
from scripts.build_kernel import EXACT, KERNEL, LANGUAGE

TREND, FLIES = "#define OMI_TREND 2", "        fly(c, h, c->vel);"
FRAMES = 30


def hung(
    compiler: list[str], folder: Path, trend: int, patch: pytest.MonkeyPatch
) -> tuple[int, NDArray[np.float64]]:
    """Return how many flights a ragdoll that hangs takes with so many differences; and where it is.

    Its limits chatter from the eighth frame on.
    """
    folder.mkdir()
    for path in Path(KERNEL).glob("*.[ch]"):
        text = path.read_text("utf-8").replace(TREND, f"#define OMI_TREND {trend}")
        text = text.replace(FLIES, f"        ++flown;\n{FLIES}")
        if "++flown" in text:
            text = f"extern int flown;\n{text}"
        (folder / path.name).write_text(text, "utf-8")
    (folder / "flown.c").write_text("extern int flown; int flown = 0;\n", "utf-8")
    library = folder / "kernel.so"
    flags = [*LANGUAGE, "-w", *EXACT, "-O1", "-fPIC", "-shared", "-o", str(library)]
    sources = sorted(map(str, folder.glob("*.c")))
    subprocess.run([*compiler, *flags, *sources], check=True)
    loaded = ctypes.CDLL(str(library))
    patch.setattr(simulation, "engine", lambda: compiled_engine(loaded))
    moving = Simulation(mechanism_of(ragdoll(limited=True)), Options((0.0, -9.81, 0.0)))
    for _ in range(FRAMES):
        moving.step(1.0 / 60.0)
    return ctypes.c_int.in_dll(loaded, "flown").value, moving.positions


@pytest.mark.long
def test_what_hangs_takes_fewer_flights_to_the_same_places(
    c_compiler: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Differences of impulses are but a first guess: rows are met as well by any."""
    without, there = hung(c_compiler, tmp_path / "none", 0, monkeypatch)
    flights, here = hung(c_compiler, tmp_path / "two", 2, monkeypatch)
    assert without > 500
    assert flights < 0.85 * without
    assert np.abs(here - there).max() < 1e-7
