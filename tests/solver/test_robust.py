# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing a mechanism says raises, makes numbers that are none, or feeds energy in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from solver.building import Builder, chain

from benchmarks.solver.fuzz import (
    FRAMES,
    KINDS,
    MOST_DRIFT,
    MOST_GAIN,
    Record,
    case,
    is_sound,
    momenta,
    run,
    trouble,
)
from benchmarks.solver.random_mechanisms import tangle
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Options, Simulation, SoftLocks

EXAMPLES = (
    "hanging_rope",
    "pendulum_balls",
    "rope_railing",
    "simple_joint",
    "slider_ball",
    "swing_and_slide",
    "weld_joint",
)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("block", range(2))
def test_random_mechanisms_break_nothing(kind: str, block: int) -> None:
    """No exception and no NaN, momentum and energy stay, and what is sound converges."""
    count = 4 if kind == "open" else 12 if kind == "edge" else 10
    record = run(kind, range(count * block, count * block + count))
    assert record.frames == count * FRAMES[kind]
    assert not record.troubles


@pytest.mark.long
def test_the_fuzz_notices_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """An energy that grows and a momentum that is not kept are trouble."""
    record = Record()
    floats = next(n for n in range(0, 40, 2) if case("net", n).floats)
    monkeypatch.setitem(MOST_GAIN, "net", -1.0)
    assert "energy grows" in trouble(case("net", floats), record, floats)
    monkeypatch.setitem(MOST_GAIN, "net", 1.0)
    monkeypatch.setitem(MOST_DRIFT, "linear momentum", -1.0)
    assert "linear momentum" in trouble(case("net", floats), record, floats)


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "substeps", "most"), [(86, None, 0.1), (86, 64, 1e-3), (122, None, 0.05)]
)
def test_a_tangle_that_has_a_pose_is_not_torn_apart(
    number: int, substeps: int | None, most: float
) -> None:
    """Grams on stiff springs fly faster than steps can follow: what was together stays together.

    In number 86 bodies of 6 and 11 g circle half a ton at 40 m/s. The solver by itself ends a step
    0.09 off, cannot go on from there without tearing more, and stays; with 64 substeps it holds.
    What an angle is only decides where on the circle steps end.
    """
    simulation = Simulation(tangle(number, wild=False), Options(substeps=substeps))
    for frame in range(30):
        simulation.step(1.0 / 24.0)
        found = simulation.joint_report()
        if frame > 12:  # by then the rest pose has come in
            assert max(found.separation.max(), found.overshoot.max()) <= most


def test_what_floats_and_cannot_be_met_keeps_its_momentum() -> None:
    """Steps that do not converge still push nothing away from nothing."""
    made = Builder()
    turning = {"linear_velocity": (0.3, -0.2, 0.5), "angular_velocity": (1.0, -2.0, 0.5)}
    bodies = [made.body(), made.body((0.5, 0.1, 0.0), mass=3.0, **turning)]
    made.joint(*bodies, recipes.weld())
    made.joint(*bodies, recipes.weld(), connected_place=(0.2, 0.1, 0.0))
    simulation = Simulation(made.mechanism(), Options(gravity=(0.0, 0.0, 0.0)))
    before, missed = momenta(simulation), 0
    for _ in range(60):
        missed += not simulation.step(1.0 / 60.0).converged
    assert missed > 30
    for name, (value, size) in momenta(simulation).items():
        assert before[name][0] == pytest.approx(value, abs=MOST_DRIFT[name] * size)


def test_a_string_that_is_too_short_is_torn_evenly() -> None:
    """Five bars between two posts that are 2 cm too far apart for six pins: some 7 mm at one."""
    made = Builder()
    ground = before = made.ground()
    for at in range(5):
        bar = made.body((0.5 * at + 0.25, 0.0, 0.0))
        made.joint(before, bar, recipes.pin(), (0.5 * at, 0.0, 0.0))
        before = bar
    made.joint(ground, before, recipes.pin(), (2.52, 0.0, 0.0), connected_place=(2.5, 0.0, 0.0))
    simulation = Simulation(made.mechanism())
    for frame in range(72):
        (told,) = simulation.step(1.0 / 24.0).not_met
        assert frame < 24 or told.separation < 0.01


@pytest.mark.parametrize("number", [2350, 4930])
def test_many_bounds_at_once_do_not_throw(number: int) -> None:
    """Where a body is pushed onto several bounds in one step, the way there is no speed."""
    one = case("net", number)
    simulation = Simulation(one.mechanism, one.options)
    start = simulation.energy().total
    for _ in range(8):
        simulation.step(1.0 / 60.0)
        assert simulation.energy().total <= start + 0.03 * simulation.energy().kinetic


@pytest.mark.long
@pytest.mark.parametrize("mass", [1e-6, 1.0, 1e6])
def test_masses_of_any_size(mass: float) -> None:
    """A chain whose last body is a million times heavier or lighter than the rest holds."""
    simulation = Simulation(chain(4, weight=mass))
    start = simulation.energy().total
    for _ in range(40):
        assert simulation.step(1.0 / 60.0).converged
        assert simulation.joint_report().separation.max() <= 1e-6
        assert simulation.energy().total - start <= 2e-3 * 10.0 * max(mass, 4.0)


@pytest.mark.parametrize(("mass", "is_named"), [(0.0, True), (3e-31, True), (3e-30, False)])
def test_body_without_mass_is_named(mass: float, is_named: bool) -> None:
    """A mass of zero, or less than that of an electron, is an issue, and counts as 1 kg."""
    made = Builder()
    body = made.body(mass=mass)
    made.joint(made.ground(), body, recipes.pin())
    simulation = Simulation(made.mechanism())
    simulation.step(1.0 / 60.0)
    assert ("mass-not-positive" in {issue.code for issue in simulation.issues}) is is_named


def test_empty_mechanism_steps() -> None:
    """Nothing at all can be simulated."""
    simulation = Simulation(Mechanism())
    report = simulation.step(1.0 / 60.0)
    assert report.converged
    assert simulation.positions.shape == (0, 3)
    assert simulation.joint_report().force.shape == (0, 3)


def test_singular_pose_is_passed() -> None:
    """A pendulum hanging from its own centre of mass, and one straight up, do no harm."""
    made = Builder()
    ground = made.ground()
    made.joint(ground, made.body(), recipes.pin())
    made.joint(ground, made.body((0.0, 1.0, 0.0)), recipes.hinge(2))
    simulation = Simulation(made.mechanism())
    for _ in range(60):
        assert simulation.step(1.0 / 60.0).converged
    assert is_sound(simulation)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_stays_together(example_files: Path, name: str) -> None:
    """Each example hangs together for 5 s when soft locks are read as rigid."""
    document = load(example_files / "examples" / f"{name}.gltf")
    mechanism = read(document.json).mechanism
    simulation = Simulation(mechanism, Options(soft_locks=SoftLocks.RIGID))
    for _ in range(150):
        assert simulation.step(1.0 / 30.0).converged
        report = simulation.joint_report()
        assert report.separation.max(initial=0.0) <= 1e-6
        assert report.overshoot.max(initial=0.0) <= 1e-6
    assert is_sound(simulation)


@pytest.mark.long
def test_rope_of_softness_falls_apart_when_read_literally(example_files: Path) -> None:
    """Read as what its numbers say, a rope of 0.3 N/m does not bear a kilogram."""
    document = load(example_files / "examples" / "hanging_rope.gltf")
    mechanism = read(document.json).mechanism
    simulation = Simulation(mechanism)
    for _ in range(60):
        simulation.step(1.0 / 60.0)
    joint = simulation.joint_nodes[0]
    assert np.abs(simulation.coordinates(joint)[:3]).max() > 0.5
