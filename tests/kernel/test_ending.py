# SPDX-License-Identifier: GPL-3.0-or-later
"""A step of the kernel ends, whatever it is asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHORTER_THAN_COUNTS = """
from pathlib import Path

import pytest
from types import SimpleNamespace
from kernel.stored_islands import stored
from kernel.test_approved_bits import alone
from omi_physics_joint.solver.engines.compiled import compiled_engine
from omi_physics_joint.solver.engines.kernel import load

case, engine = next(stored()), compiled_engine(load(Path({path!r})).library)
state = SimpleNamespace(**alone(case.state))
stepper = engine.stepper(SimpleNamespace(islands=1, **alone(case.island)), state)
stepper.begin(continued=False)
for most in (5e-324, 1e-310):
    went = stepper.step(case.dt, most, case.tolerance)
    assert went.reports["done"][0] and abs(state.span[0, 2] - case.dt) < 1e-12, went.reports
    state.span[0, 2] = 0.0
"""

WHERE_IT_TOUCHES = """
from omi_physics_joint.model.shape import Sphere
from solver.test_contacts import body, grip, on_floor

for height, speed in ((0.1, 0.0), (0.125, 1.0)):
    ball = body(0, (0.0, height, 0.0), velocity=(0.0, -speed, 0.0))
    simulation = on_floor((Sphere(0.1),), (ball,), grip(0.5))
    simulation.step(1.0 / 60.0)
    touching = simulation.groups[0].touching
    for most, steps in ((0.0, 1), (5e-324, 4), (1e-310, 4)):
        reports = touching.step(1.0 / 60.0, most, 1e-6).reports
        assert reports["done"][0] and reports["first_order"][0] == steps, (most, reports)
"""


@pytest.mark.long
def test_steps_too_short_to_count_end(kernel_library: Path) -> None:
    """Of steps that are nothing beside the output step, none could end: first order goes on."""
    paths = f"import sys; sys.path[:0] = {[str(ROOT), str(ROOT / 'tests')]}"
    text = paths + SHORTER_THAN_COUNTS.format(path=str(kernel_library))
    command = [sys.executable, "-c", text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_so_do_those_of_what_touches(kernel_library: Path) -> None:
    """It went on without end where no step was to be longer than nothing."""
    text = f"import sys; sys.path[:0] = {[str(ROOT), str(ROOT / 'tests')]}" + WHERE_IT_TOUCHES
    environment = {**os.environ, "OMI_KERNEL": str(kernel_library)}
    command = [sys.executable, "-c", text]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
