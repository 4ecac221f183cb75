# SPDX-License-Identifier: GPL-3.0-or-later
"""The textbook is right by itself, and the kernel does the same within its accuracy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import CDLL
from dataclasses import fields, replace
from math import inf
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from solver.building import Builder
from solver.test_islands import doors, limited, looped, rope, sprung
from solver.test_redundant import cranks, door

from benchmarks.solver.random_mechanisms import open_mechanism
from benchmarks.truths.catalogue import cases
from benchmarks.truths.judging import judge
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver import simulation as simulations
from omi_physics_joint.solver.engines.compiled import compiled_engine
from omi_physics_joint.solver.engines.kernel import load
from omi_physics_joint.solver.system import State
from omi_physics_joint.solver.textbook.stepper import TEXTBOOK

Array = NDArray[np.float64]
FRAME = 1.0 / 60.0
Adds = Callable[[Builder, int, float], None]


def falling(adds: Adds) -> Mechanism:
    """Return what somebody adds, on a body that stands."""
    made = Builder()
    adds(made, made.ground(), 0.3)
    return made.mechanism()


def late(made: Builder, ground: int, x: float) -> None:
    """Add sliders and a door whose rest poses violate their bounds: they come in, one by itself."""
    for speed in (0.0, 0.05, 3.0):
        body = made.body((x, 0.0, 0.0), linear_velocity=(speed, 0.0, 0.0))
        made.joint(ground, body, recipes.slider(0, 0.1 + x, 0.4 + x), (x, 0.0, 0.0))
    leaf = made.body((0.4, x, 0.0), mass=2.0 + x)
    made.joint(ground, leaf, recipes.hinge(2, 0.3, 1.0), (0.0, x, 0.0))


def stopped(made: Builder, ground: int, x: float) -> None:
    """Add sliders that run onto a soft stop, that begin in it, and that leave it."""
    for start, speed in ((0.0, 3.0), (0.31, 0.0), (0.31, -0.5)):
        stop = Limit(linear_axes=(0,), max=0.3, stiffness=4e4 * (1.0 + x), damping=10.0)
        settings = replace(recipes.slider(0), limits=(*recipes.slider(0).limits, stop))
        body = made.body((start, 0.0, 0.0), linear_velocity=(speed + x, 0.0, 0.0))
        made.joint(ground, body, settings, connected_place=(start, 0.0, 0.0))


def landing(made: Builder, ground: int, x: float) -> None:
    """Add sliders that run onto a bound, and that leave one."""
    for start, speed in ((0.0, 3.0 + x), (0.02, -1.0)):
        body = made.body((start, 0.0, x), linear_velocity=(speed, 0.0, 0.0))
        slider = recipes.slider(0, -0.5, 0.02)
        made.joint(ground, body, slider, (0.0, 0.0, x), connected_place=(start, 0.0, x))


def wheels(made: Builder, ground: int, x: float) -> None:
    """Add a wheel on a wheel, which turn against each other by more than a turn in two frames."""
    before = ground
    for speed in (150.0 + x, -100.0):
        body = made.body((0.0, x, 0.0), angular_velocity=(0.0, speed, 0.0))
        made.joint(before, body, recipes.hinge(1), (0.0, x, 0.0))
        before = body


def top(made: Builder, ground: int, x: float) -> None:
    """Add a plate on a pin that turns about an axis between its own."""
    spin = {"angular_velocity": (3.0, 20.0 + x, 9.0), "inertia_diagonal": (0.02, 0.05, 0.03)}
    made.joint(ground, made.body((0.0, 0.2, x), **spin), recipes.pin(), (0.0, 0.0, x))


def pressed(made: Builder, ground: int, x: float) -> None:
    """Add sliders that drives press onto either bound: with all of their force, and with less."""
    for way in (1.0, -1.0):
        for most, stiffness in ((5.0, 400.0), (5.0, 2e7), (900.0, 400.0), (inf, 2e7)):
            servo = Drive(
                *(Freedom.LINEAR, DriveMode.FORCE, 0, most),
                position_target=way * (1.0 + x),
                velocity_target=0.0,
                stiffness=stiffness,
                damping=2.0,
            )
            slider = replace(recipes.slider(0, -0.02, 0.02), drives=(servo,))
            start = way * 0.015
            body = made.body((start, 0.0, x), linear_velocity=(0.8 * way, 0.0, 0.0))
            made.joint(ground, body, slider, (0.0, 0.0, x), connected_place=(start, 0.0, x))


def chain_of_three(made: Builder, ground: int, x: float) -> None:
    """Hang three rods on pins, level at first."""
    before = ground
    for number in range(3):
        body = made.body((0.2 * number + 0.1, 0.0, x), angular_velocity=(0.0, 0.0, 9.0 * number))
        made.joint(before, body, recipes.pin(), (0.2 * number, 0.0, x))
        before = body


class Agreement(NamedTuple):
    """How nearly the two are the same after an output step from the same state."""

    pose: float = 1e-7
    """m, and rotations."""
    velocity: float = 1e-5
    """Scaled."""
    force: float = 1e-4
    """Part of the largest of all joints."""


NEARLY = Agreement()
FIRST_ORDER = Agreement(2e-3, 0.5, 0.5)
"""Where springs are too stiff to be followed: the kernel goes on as exactly as it can."""


def along(mechanism: Mechanism, library: CDLL, nearly: Agreement, frames: int = 12) -> None:
    """Compare frames, each from where the kernel is; it takes short and exact steps.

    Those are every third, and all in which bounds or elements begin or end: the textbook takes a
    hundred times as long.
    """
    for group in Simulation(mechanism).groups:
        state, other = group.state, group.state.copy()
        kernel = compiled_engine(library).stepper(group.system, state)
        textbook = TEXTBOOK.stepper(group.system, other)
        for frame in range(frames):
            other.take(state)
            kernel.step(FRAME, FRAME / 8.0, 1e-10)
            is_plain = np.array_equal(state.side, other.side) and np.array_equal(
                state.mode, other.mode
            )
            if frame % 3 and is_plain:
                continue
            went = textbook.step(FRAME, FRAME / 8.0, 1e-10)
            assert went.reports["done"].all(), frame
            assert other.position == pytest.approx(state.position, abs=nearly.pose), frame
            assert other.rotation == pytest.approx(state.rotation, abs=nearly.pose), frame
            assert other.velocity == pytest.approx(state.velocity, abs=nearly.velocity), frame
            assert other.angle == pytest.approx(state.angle, abs=1e-5), frame
            force = nearly.force * float(np.abs(kernel.wrench).max(initial=0.0))
            assert textbook.wrench == pytest.approx(kernel.wrench, rel=0.0, abs=force), frame


KINDS: dict[str, Adds] = {
    "limited": limited,
    "sprung": sprung,
    "rope": rope,
    "doors": lambda made, ground, _: doors(made, ground, 1),
    "late": late,
    "stopped": stopped,
    "landing": landing,
    "wheels": wheels,
    "top": top,
    "looped": looped,
    "chain": chain_of_three,
}


@pytest.mark.long
@pytest.mark.parametrize("name", KINDS)
def test_the_kernel_goes_where_the_textbook_goes(name: str, library: CDLL) -> None:
    """By other steps, another method and another way of solving: from the same rows alone."""
    along(falling(KINDS[name]), library, NEARLY)


@pytest.mark.long
def test_what_is_too_stiff_to_be_followed_comes_near(library: CDLL) -> None:
    """Both take its law where it would be half a frame later; the textbook in smaller steps."""
    along(falling(pressed), library, FIRST_ORDER)


@pytest.mark.long
@pytest.mark.parametrize("mechanism", [door(3), cranks()], ids=("door", "cranks"))
def test_joints_that_repeat_each_other_share_forces_alike(
    mechanism: Mechanism, library: CDLL
) -> None:
    """Forces of least norm: they do not hang on how one solves."""
    along(mechanism, library, NEARLY)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_random_open_mechanisms_go_as_by_the_kernel(seed: int, library: CDLL) -> None:
    """Trees of joints of all kinds with springs, drives and bounds, wherever they are."""
    mechanism, _, _ = open_mechanism(seed)
    along(mechanism, library, NEARLY, 8)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "seconds", "most"),
    [
        ("pendulum_hinge", 0.2, 1e-5),
        ("top", 0.1, 1e-5),
        ("crank_rocker", 0.1, 1e-5),
        ("ten_on_pins", 0.5, 1e-6),
        ("spring_20_hz_60_fps", 0.1, 1e-5),
    ],
)
def test_the_textbook_is_within_a_hundred_thousandth_of_the_truth(
    name: str, seconds: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the length, at its own small steps."""
    monkeypatch.setattr(simulations, "engine", lambda: TEXTBOOK)
    case = cases()[name]
    verdict = judge(replace(case, seconds=seconds))
    assert verdict.error <= most
    assert verdict.not_met == 0


@pytest.mark.long
def test_what_floats_keeps_its_momentum() -> None:
    """Three rods on pins, one of them spinning, without gravity."""
    made = Builder()
    bodies = [
        made.body((0.2 * i, 0.0, 0.0), angular_velocity=(0.0, 3.0 * i, 1.0 - i)) for i in range(3)
    ]
    for i in range(2):
        made.joint(bodies[i], bodies[i + 1], recipes.pin(), (0.2 * i + 0.1, 0.0, 0.0))
    (group,) = Simulation(made.mechanism(), Options(gravity=(0.0, 0.0, 0.0))).groups
    system, state = group.system, group.state
    stepper = TEXTBOOK.stepper(system, state)
    stepper.begin(continued=False)

    def momenta() -> Array:
        roots, v = system.roots[0], state.velocity[0]
        push = roots[:, :3] * v[:, :3]
        own = np.einsum("nij,nj->ni", state.rotation[0, :3], roots[:, 3:] * v[:, 3:])
        angular = own + np.cross(state.position[0, :3], push)
        return np.concatenate([push.sum(0), angular.sum(0)])

    before = momenta()
    for _ in range(10):
        stepper.step(FRAME, FRAME, 1e-6)
    assert momenta() == pytest.approx(before, abs=1e-6)


@pytest.mark.long
def test_an_island_knows_nothing_of_its_neighbours() -> None:
    """Three doors at bounds together do what each does alone, to the last bit."""

    def gone(numbers: Sequence[int]) -> Array:
        made = Builder()
        ground = made.ground()
        for number in numbers:
            limited(made, ground, 0.3 * number)
        (group,) = Simulation(made.mechanism()).groups
        stepper = TEXTBOOK.stepper(group.system, group.state)
        for _ in range(6):
            stepper.step(FRAME, FRAME, 1e-6)
        return group.state.position[:, : group.system.bodies]

    together = gone((0, 1, 2))
    for number in range(3):
        assert np.array_equal(gone((number,))[0], together[number]), number


@pytest.mark.long
@pytest.mark.parametrize("adds", [limited, rope, looped, late, landing, pressed, top])
def test_both_go_alike_to_first_order(adds: Adds, library: CDLL) -> None:
    """A step of an eighth of a frame: what bounds, springs and loops make of it."""
    for group in Simulation(falling(adds)).groups:
        state, other = group.state, group.state.copy()
        kernel = compiled_engine(library).stepper(group.system, state)
        textbook = TEXTBOOK.stepper(group.system, other)
        for frame in range(10):
            other.take(state)
            kernel.relax(FRAME / 8.0)
            textbook.relax(FRAME / 8.0)
            assert other.position == pytest.approx(state.position, abs=1e-5), frame
            assert other.velocity == pytest.approx(state.velocity, abs=1e-2), frame


@pytest.mark.parametrize("turns", [28.0, 32.0, -40.0, 75.0])
def test_a_twist_counts_more_than_half_a_turn_a_frame(turns: float, library: CDLL) -> None:
    """A wheel whose turns a weak spring counts, at so many a second, and one that has a bound."""
    spring = Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, inf, 0.0, 0.0, 1e-9, 0.0)
    bound = Limit(angular_axes=(1,), min=-15.0, max=15.0)
    made = Builder()
    ground, rate = made.ground(), 2.0 * np.pi * turns
    for settings in (
        replace(recipes.hinge(1), drives=(spring,)),
        replace(recipes.hinge(1), limits=(*recipes.hinge(1).limits, bound)),
    ):
        body = made.body(angular_velocity=(0.0, rate, 0.0))
        made.joint(ground, body, settings)
    for group in Simulation(made.mechanism()).groups:
        stepper = compiled_engine(library).stepper(group.system, group.state)
        (row,) = np.flatnonzero(group.system.coordinate == 4)
        stepper.begin(continued=False)
        for frame in range(1, 13):
            stepper.step(FRAME, FRAME, 1e-6)
            way = frame * FRAME * rate
            if group.system.elements == 0:
                way = float(np.clip(way, -15.0, 15.0))
            assert group.state.value[0, row] == pytest.approx(way, rel=1e-6)


def beyond_half_a_turn(settings: JointSettings, way: float) -> Simulation:
    """Return a door that is 60 degrees back from its rest pose, which is 300 degrees on."""
    made = Builder()
    turn = (0.0, 0.0, -0.5 * way, 0.75**0.5)
    body = made.body((0.25, -0.433 * way, 0.0), turn)
    made.joint(made.ground(), body, settings, connected_rotation=turn)
    return Simulation(made.mechanism())


def beyond(low: float, high: float, stiffness: float, way: float) -> JointSettings:
    """Return a hinge with a range on one way or the other, rigid or soft."""
    low, high = sorted((way * low, way * high))
    bound = Limit(angular_axes=(2,), min=low, max=high, stiffness=stiffness, damping=1.0)
    return replace(recipes.hinge(2), limits=(*recipes.hinge(2).limits, bound))


@pytest.mark.parametrize("adds", [late, stopped, landing, wheels])
def test_both_begin_alike(adds: Adds, library: CDLL) -> None:
    """All of the first state is the same: sides, modes, turns, what is to come in."""
    for group in Simulation(falling(adds)).groups:
        begun = []
        for engine in (compiled_engine(library), TEXTBOOK):
            state = group.state.copy()
            engine.stepper(group.system, state).begin(continued=False)
            begun.append(state)
        for name in (field.name for field in fields(State)):
            one, other = (getattr(state, name) for state in begun)
            assert other == pytest.approx(one, abs=1e-12), name


@pytest.mark.parametrize("way", [1.0, -1.0])
@pytest.mark.parametrize(("high", "stiffness"), [(6.0, inf), (5.0, 10.0)], ids=("rigid", "soft"))
def test_both_begin_on_the_same_turn(
    high: float, stiffness: float, way: float, library: CDLL
) -> None:
    """Twists begin on the turn on which they are least outside of their limits, on or back."""
    (group,) = beyond_half_a_turn(beyond(3.5, high, stiffness, way), way).groups
    for engine in (compiled_engine(library), TEXTBOOK):
        engine.stepper(group.system, group.state).begin(continued=False)
        assert group.state.value[0, -1] == pytest.approx(way * 5.0 * np.pi / 3.0, abs=1e-3)
        assert not group.state.excess.any()


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_both_begin_no_farther_than_a_turn_away(way: float, library: CDLL) -> None:
    """Of a range that is turns from where a body stands, it is not known on which turn it is."""
    (group,) = beyond_half_a_turn(beyond(20.0, 21.0, inf, way), way).groups
    for engine in (compiled_engine(library), TEXTBOOK):
        engine.stepper(group.system, group.state).begin(continued=False)
        assert abs(group.state.value[0, -1]) == pytest.approx(5.0 * np.pi / 3.0, abs=1e-3)


@pytest.mark.parametrize("adds", [late, top, looped])
def test_both_stay_and_slow_down_where_a_step_fails(adds: Adds, library: CDLL) -> None:
    """What leads beyond all numbers is as if it had not been tried, at half the speed."""
    for group in Simulation(falling(adds)).groups:
        group.state.velocity[:] = 4e30
        for engine in (compiled_engine(library), TEXTBOOK):
            state = group.state.copy()
            went = engine.stepper(group.system, state).step(FRAME, FRAME, 1e-6)
            assert not went.reports["done"].any()
            assert (state.velocity == 2e30).all()
            for name in ("position", "rotation", "value", "half", "angle", "side", "mode"):
                assert np.array_equal(getattr(state, name), getattr(group.state, name)), name
            assert state.span[:, 2:].tolist() == group.state.span[:, 2:].tolist()


@pytest.fixture(autouse=True)
def moves_by_the_kernel() -> None:
    """Not all here does: where there is no kernel, the textbook has to be right more than ever."""


@pytest.fixture
def library(kernel_library: Path) -> CDLL:
    """The kernel."""
    found = load(kernel_library).library
    assert found is not None
    return found
