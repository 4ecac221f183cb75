# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the kernel leads is known to the last bit, so what changes it is seen."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from benchmarks.kernel_fuzz.harness_input import Case, Values
from omi_physics_joint.solver.engines.compiled import CompiledStepper, compiled_engine
from omi_physics_joint.solver.engines.engine import StepResult
from omi_physics_joint.solver.engines.kernel import load
from omi_physics_joint.solver.engines.kernel_structs import SHARED
from tests.approved import approved
from tests.kernel.stored_islands import stored

COUNTED = ("steps", "events", "first_order", "substeps", "retries")


def alone(values: Values) -> dict[str, Any]:
    """Return the fields of one island as those of a group of one."""
    return {
        name: x if name in SHARED or np.ndim(x) == 0 else x[None].copy()
        for name, x in values.items()
    }


def moved(case: Case, library: Any) -> str:
    """Return how an island moves: what it took, and a hash of all that the kernel has written."""
    state = SimpleNamespace(**alone(case.state))
    system = SimpleNamespace(islands=1, **alone(case.island))
    stepper = cast("CompiledStepper", compiled_engine(library).stepper(system, state))
    stepper.other_velocity[:] = case.other
    hashed, counts = sha256(), dict.fromkeys(COUNTED, 0)

    def see(went: StepResult | None = None) -> None:
        for array in vars(state).values():
            hashed.update(array.tobytes())
        if went is not None:
            hashed.update(stepper.wrench.tobytes() + went.kept)
            for name in COUNTED:
                counts[name] += int(went.reports[name][0])

    stepper.begin(continued=False)
    for _ in range(case.frames):
        see(stepper.step(case.dt, case.dt, case.tolerance))
    stepper.begin(continued=True)
    see()
    see(stepper.step(case.dt, case.dt, case.tolerance))
    see(stepper.relax(case.dt))
    took = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
    return f"{case.seed}: {took}, {hashed.hexdigest()[:16]}"


def test_each_bit_is_as_it_was(kernel_library: Path) -> None:
    """Random islands go where they did; who changes that on purpose approves it anew."""
    library = load(kernel_library).library
    assert library is not None
    approved(
        "kernel_bits.txt",
        {"Seed, steps, hash of all bits.": [moved(case, library) for case in stored()]},
    )
