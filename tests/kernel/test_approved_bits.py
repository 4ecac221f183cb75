# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the kernel leads is known to the last bit, so what changes it is seen."""

from __future__ import annotations

from ctypes import c_double, c_int, c_void_p
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from benchmarks.kernel_fuzz.harness_input import Case, Values
from omi_physics_joint.solver.contacts.collision import shape_structs
from omi_physics_joint.solver.contacts.cores import Core
from omi_physics_joint.solver.engines.compiled import CompiledStepper, compiled_engine
from omi_physics_joint.solver.engines.engine import StepResult
from omi_physics_joint.solver.engines.kernel import load
from omi_physics_joint.solver.engines.kernel_structs import SHARED, SURFACES, TOUCH_POINT
from tests.approved import approved
from tests.kernel.stored_islands import stored
from tests.kernel.stored_touching import Touching
from tests.kernel.stored_touching import stored as in_heaps

ROOM = 400
"""Points in which an island touches, at most."""
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


def touched(one: Touching, library: Any) -> str:
    """Return how an island that touches moves: what it took, and a hash of all that is written."""
    case = one.case
    state = SimpleNamespace(**alone(case.state))
    system = SimpleNamespace(islands=1, **alone(case.island))
    stepper = cast("CompiledStepper", compiled_engine(library).stepper(system, state))
    stepper.other_velocity[:] = case.other
    shapes = shape_structs([cast("Core", SimpleNamespace(**shape)) for shape in one.shapes])
    surfaces, touch = np.zeros(1, SURFACES), np.zeros(ROOM, TOUCH_POINT)
    for name, array in {**one.surfaces, "shape": shapes}.items():
        surfaces[name] = array.ctypes.data
    surfaces["pairs"], surfaces["points"] = len(one.surfaces["pair"]), ROOM
    surfaces["materials"] = len(one.surfaces["mix"])
    islands, states, _, others = stepper.islands
    wrench, _, reports = stepper.answers
    work = np.zeros(library.omi_touching_workspace(c_void_p(islands), ROOM))
    asked = islands, states, surfaces.ctypes.data, others
    hashed, counts, known = sha256(), dict.fromkeys(COUNTED, 0), 0
    step = library.omi_step_touching
    step.argtypes = [*[c_void_p] * 4, *[c_double] * 3, *[c_void_p] * 4, c_int, c_int]
    for _ in range(case.frames):
        answers = wrench, work.ctypes.data, reports, touch.ctypes.data
        known = step(*asked, case.dt, case.dt, case.tolerance, *answers, known, ROOM)
        for array in (*vars(state).values(), stepper.wrench, touch[:known]):
            hashed.update(array.tobytes())
        for name in COUNTED:
            counts[name] += int(stepper.result().reports[name][0])
    took = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
    return f"{case.seed}: touches {known}, {took}, {hashed.hexdigest()[:16]}"


def test_each_bit_is_as_it_was(kernel_library: Path) -> None:
    """Random islands go where they did; who changes that on purpose approves it anew."""
    library = load(kernel_library).library
    assert library is not None
    approved(
        "kernel_bits.txt",
        {"Seed, steps, hash of all bits.": [moved(case, library) for case in stored()]},
    )


def test_each_bit_of_what_touches_is_as_it_was(kernel_library: Path) -> None:
    """So do random heaps: what changes how bodies touch is seen."""
    library = load(kernel_library).library
    assert library is not None
    approved(
        "kernel_bits_of_touching.txt",
        {"Seed, points, steps, hash of all bits.": [touched(one, library) for one in in_heaps()]},
    )
