# SPDX-License-Identifier: GPL-3.0-or-later
"""The fuzzer of the kernel notices what it is there for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from math import nan
from pathlib import Path

import numpy as np
import pytest

from benchmarks.kernel_fuzz import harness_input
from benchmarks.kernel_fuzz.harness_input import Case, record
from benchmarks.kernel_fuzz.random_islands import KINDS, random_cases
from benchmarks.kernel_fuzz.run import Score, compile_harness, step_all
from omi_physics_joint.solver.engines.kernel_structs import ISLAND, POINTER, STATE
from scripts import build_kernel

pytestmark = pytest.mark.long

SOUND = len(KINDS) * 2 + KINDS.index("open")
"""Seed of a mechanism that is one island without troubles."""

Step = Callable[..., Score]


@pytest.fixture(scope="module")
def program(
    c_compiler: list[str], quick_compiler: str, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The harness with the kernel of these sources, in the folder of what they were compiled to."""
    return compile_harness(tmp_path_factory.mktemp("fuzz"), [quick_compiler])


@pytest.fixture(scope="module")
def step(program: Path) -> Step:
    """A function that steps islands under the sanitizers."""
    return lambda *cases: step_all(program, iter(cases), program.parent, 100.0)


def without_the_last(case: Case, name: str) -> Case:
    """Return a case in which one array is too short by an element."""
    part = "island" if name in case.island else "state"
    values = getattr(case, part)
    return replace(case, **{part: {**values, name: values[name].ravel()[:-1]}})


def sound() -> Case:
    """Return an island without troubles."""
    (case,) = random_cases(SOUND)
    return case


def test_islands_of_a_number_are_the_same() -> None:
    """A seed says everything, so that a fault can be repeated."""
    for first, second in zip(random_cases(7), random_cases(7), strict=True):
        assert record(first) == record(second)


def test_islands_are_handed_over_as_the_solver_has_them() -> None:
    """All fields are there; bodies have not been moved before the harness moves them."""
    for seed in range(2 * len(KINDS)):
        for case in random_cases(seed):
            assert list(case.island) == list(ISLAND.names or ())
            assert list(case.state) == list(STATE.names or ())
            assert not case.state["guess"].any()
            assert case.state["rotation"].any()


def test_sound_island_is_no_fault(step: Step) -> None:
    """It is stepped as often as it is to be."""
    score = step(sound())
    assert (score.islands, score.calls, score.faults) == (1, sound().frames + 4, [])


@pytest.mark.parametrize("name", ["roots", "anchors", "coordinate", "later_node", "rotation"])
def test_reading_too_far_is_seen(step: Step, name: str) -> None:
    """One element too far is a fault with its seed, and the next island is stepped all the same."""
    score = step(without_the_last(sound(), name), sound())
    (fault,) = score.faults
    assert fault.startswith(f"seed {SOUND}: ")
    assert "heap-buffer-overflow" in fault
    assert score.islands == 2


def test_running_from_one_part_of_the_workspace_into_the_next_is_seen(
    program: Path, quick_compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel whose velocities are laid out one number too short is a fault."""
    kernel = tmp_path / "kernel"
    shutil.copytree(build_kernel.KERNEL, kernel)
    source = kernel / "context.c"
    whole = source.read_text("utf-8")
    source.write_text(whole.replace("{&c->vel, n}", "{&c->vel, n - 1}"), "utf-8")
    assert source.read_text("utf-8") != whole
    monkeypatch.setattr(build_kernel, "KERNEL", str(kernel))
    objects = shutil.copytree(program.parent, tmp_path / "objects")
    faulty = compile_harness(objects, [quick_compiler], source.name)
    (fault,) = step_all(faulty, iter([sound()]), tmp_path, 100.0).faults
    assert "use-after-poison" in fault


def test_what_is_no_number_is_seen(step: Step) -> None:
    """A state that is no longer finite is a fault."""
    case = sound()
    state = {**case.state, "velocity": case.state["velocity"] * nan}
    (fault,) = step(replace(case, state=state)).faults
    assert fault.startswith(f"seed {SOUND}: no finite number")


def test_structs_of_another_kernel_are_refused(step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file for other structs is not stepped, which is a fault too."""
    wider = np.dtype([(name, ISLAND[name]) for name in (ISLAND.names or ())] + [("more", POINTER)])
    monkeypatch.setattr(harness_input, "ISLAND", wider)
    case = sound()
    (fault,) = step(replace(case, island={**case.island, "more": np.zeros(1)})).faults
    assert "not for these structs" in fault
