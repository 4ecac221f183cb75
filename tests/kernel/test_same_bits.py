# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism moves the same to the last bit whichever compiler made the kernel."""

from __future__ import annotations

import subprocess
import sys
from ctypes import CDLL
from dataclasses import fields
from pathlib import Path
from unittest.mock import patch

import pytest

from benchmarks.kernel_fuzz.random_islands import KINDS
from benchmarks.solver.fuzz import case
from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.contacts.collision import Collision
from omi_physics_joint.solver.engines.compiled import compiled_engine
from omi_physics_joint.solver.engines.engine import Engine
from omi_physics_joint.solver.engines.kernel import LIBRARY, load
from scripts.build_kernel import EXACT, LANGUAGE, SMALL, kernel_sources
from scripts.build_kernel import LIBRARY as LINKED

pytestmark = pytest.mark.long

NUMBERS = range(10)
FRAMES = 4


def stepped(engine: Engine, kind: str, number: int) -> list[bytes]:
    """Return all of where a random mechanism is after some frames, and what its joints bore."""
    one = case(kind, number)
    with patch("omi_physics_joint.solver.simulation.engine", return_value=engine):
        simulation = Simulation(one.mechanism, one.options)
        for _ in range(FRAMES):
            simulation.step(one.step)
        simulation.relax(one.step)
    states = [group.state for group in simulation.groups]
    arrays = [getattr(state, field.name) for state in states for field in fields(state)]
    return [array.tobytes() for array in (*arrays, *(one.wrench for one in simulation.groups))]


@pytest.fixture(scope="module")
def libraries(
    kernel_library: Path, zig_python: str, tmp_path_factory: pytest.TempPathFactory
) -> list[CDLL]:
    """Kernels of two compilers, the second one's as users get it and optimized less."""
    paths = [kernel_library]
    for less in ((), ("-O2",)):
        paths.append(tmp_path_factory.mktemp("zig") / LIBRARY)
        flags = [*LANGUAGE, *EXACT, *LINKED, *SMALL, *less]
        command = [zig_python, "-m", "ziglang", "cc", *flags, "-o", str(paths[-1])]
        subprocess.run([*command, *kernel_sources()], check=True)
    found = [load(path).library for path in paths]
    return [library for library in found if library is not None]


@pytest.mark.skipif(sys.platform != "linux", reason="zig's own system is taken, which is Linux")
@pytest.mark.parametrize("kind", KINDS)
def test_compilers_move_alike(libraries: list[CDLL], kind: str) -> None:
    """Two compilers, however they optimize, give the same bits for random mechanisms."""
    engines = [compiled_engine(library) for library in libraries]
    assert len(engines) == 3
    for number in NUMBERS:
        ours, *theirs = (stepped(engine, kind, number) for engine in engines)
        assert theirs == [ours, ours], number


@pytest.mark.skipif(sys.platform != "linux", reason="zig's own system is taken, which is Linux")
def test_compilers_touch_alike(libraries: list[CDLL]) -> None:
    """They find the same points by which random shapes touch, to the last bit."""
    colliding = pytest.importorskip("kernel.colliding", reason="SciPy is not installed")
    pairs = colliding.random_pairs(colliding.STRAIGHT + colliding.ROUND, 100, 1, (0.3, 1.0))
    assert len(libraries) == 3
    for a, b in pairs:
        both = [Collision(library, [a.core, b.core]) for library in libraries]
        found = [one.collide(0, a.pose, 1, b.pose, a.size) for one in both]
        assert len({tuple(one[name].tobytes() for name in one.dtype.names) for one in found}) == 1
