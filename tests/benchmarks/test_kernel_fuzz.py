# SPDX-License-Identifier: GPL-3.0-or-later
"""The fuzzer of the kernel notices what it is there for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import nan

import numpy as np
import pytest

from benchmarks.kernel_fuzz.harness_input import Case
from benchmarks.kernel_fuzz.random_islands import random_case
from benchmarks.kernel_fuzz.run import Score, compile_harness, step_all
from omi_physics_joint.solver.kernel_structs import KernelIsland, KernelState, packed

pytestmark = pytest.mark.long

SOUND = 0
"""Seed of an island without troubles."""

Step = Callable[..., Score]


@pytest.fixture(scope="module")
def step(c_compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> Step:
    """A function that steps islands under the sanitizers."""
    folder = tmp_path_factory.mktemp("fuzz")
    program = compile_harness(folder, c_compiler)
    return lambda *cases: step_all(program, iter(cases), folder, 100.0)


def without_the_last(case: Case, name: str) -> Case:
    """Return a case in which one array is too short by an element."""
    part = "island" if name in case.island else "state"
    values = getattr(case, part)
    return replace(case, **{part: {**values, name: values[name].ravel()[:-1]}})


def test_random_islands_fit_the_structs() -> None:
    """They have a value for each field, of the type that the kernel reads."""
    for seed in range(20):
        case = random_case(seed)
        packed(KernelIsland, case.island)
        packed(KernelState, case.state)


def test_islands_of_a_number_are_the_same() -> None:
    """A seed says everything, so that a fault can be repeated."""
    first, second = random_case(7), random_case(7)
    for name, value in first.island.items():
        assert np.array_equal(value, second.island[name]), name


def test_sound_island_is_no_fault(step: Step) -> None:
    """It is stepped as often as it is to be."""
    score = step(random_case(SOUND))
    assert (score.islands, score.steps, score.faults) == (1, random_case(SOUND).steps, [])


@pytest.mark.parametrize("name", ["roots", "anchors", "coordinate", "later_node", "rotation"])
def test_reading_too_far_is_seen(step: Step, name: str) -> None:
    """One element too far is a fault with its seed, and the next island is stepped all the same."""
    score = step(without_the_last(random_case(SOUND), name), random_case(SOUND))
    (fault,) = score.faults
    assert fault.startswith(f"seed {SOUND}: ")
    assert "heap-buffer-overflow" in fault
    assert score.islands == 2


def test_what_is_no_number_is_seen(step: Step) -> None:
    """A state that is no longer finite is a fault."""
    case = random_case(SOUND)
    state = {**case.state, "velocity": case.state["velocity"] * nan}
    (fault,) = step(replace(case, state=state)).faults
    assert fault.startswith(f"seed {SOUND}: no finite number")


def test_structs_of_another_kernel_are_refused(step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file for other structs is not stepped, which is a fault too."""
    monkeypatch.setattr("ctypes.sizeof", lambda _: 8)
    (fault,) = step(random_case(SOUND)).faults
    assert "not for these structs" in fault
