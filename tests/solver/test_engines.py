# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel and the reference do the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from math import inf
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from solver.building import Builder
from solver.test_islands import doors, limited, looped, rope, sprung
from solver.test_redundant import cranks, door

from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.engines.compiled import compiled_engine
from omi_physics_joint.solver.engines.engine import Engine
from omi_physics_joint.solver.engines.kernel import load
from omi_physics_joint.solver.engines.reference import REFERENCE
from omi_physics_joint.solver.island_group import IslandGroup
from omi_physics_joint.solver.state import State

FRAME = 1.0 / 60.0
Adds = Callable[[Builder, int, float], None]


def falling(adds: Adds) -> Simulation:
    """Return a simulation of three that are built alike."""
    made = Builder()
    ground = made.ground()
    for number in range(3):
        adds(made, ground, 0.3 * number)
    return Simulation(made.mechanism())


def late(made: Builder, ground: int, x: float) -> None:
    """Add sliders and a door whose rest poses violate their bounds: they come in, one by itself."""
    for speed in (0.0, 0.05, 3.0):
        body = made.body((x, 0.0, 0.0), linear_velocity=(speed, 0.0, 0.0))
        made.joint(ground, body, recipes.slider(0, 0.1 + x, 0.4 + x), (x, 0.0, 0.0))
    leaf = made.body((0.4, x, 0.0), mass=2.0 + x)
    made.joint(ground, leaf, recipes.hinge(2, 0.3, 1.0), (0.0, x, 0.0))


def stopped(made: Builder, ground: int, x: float) -> None:
    """Add sliders that run onto soft stops, followed and giving way, and one that leaves."""
    for stiffness, start, speed in ((4e4, 0.0, 3.0), (1e7, 0.28, 3.0), (1e7, 0.31, -0.5)):
        stop = Limit(linear_axes=(0,), max=0.3, stiffness=stiffness * (1.0 + x), damping=10.0)
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


class Agreement(NamedTuple):
    """How nearly the two are the same after a step from the same state.

    They differ by rounding alone, and by what mechanisms make of that: rows are met to 1e-11 m, and
    what that leaves of rows that repeat each other goes into velocities over the time of a step. At
    dead centres forces follow from singular values that are next to nothing; there the kernel's own
    forces change by 5e-9 where its state is changed by 1e-15.
    """

    pose: float
    """m, and rotations."""
    velocity: float
    """Scaled."""
    force: float
    """Part of the largest of all joints."""


OPEN = CLOSED = Agreement(1e-12, 1e-11, 1e-11)
STIFF = Agreement(1e-12, 1e-9, 1e-9)
REDUNDANT = Agreement(1e-9, 1e-8, 1e-9)
DEAD_CENTRES = Agreement(1e-11, 1e-10, 1e-7)


@pytest.mark.parametrize(
    ("adds", "nearly"),
    [
        (limited, OPEN),
        pytest.param(sprung, OPEN, marks=pytest.mark.long),
        pytest.param(rope, OPEN, marks=pytest.mark.long),
        (lambda made, ground, _: doors(made, ground, 1), OPEN),
        (late, OPEN),
        (stopped, STIFF),
        (landing, OPEN),
        (wheels, OPEN),
        (top, OPEN),
        (looped, CLOSED),
    ],
    ids=(
        "limited",
        "sprung",
        "rope",
        "doors",
        "late",
        "stopped",
        "landing",
        "wheels",
        "top",
        "looped",
    ),
)
def test_both_do_the_same(adds: Adds, nearly: Agreement, kernel_library: Path) -> None:
    """From wherever the kernel is, the reference goes where it goes, by the same steps."""
    for group in falling(adds).groups:
        goes_along(group, engines(kernel_library), nearly)


@pytest.mark.long
@pytest.mark.parametrize(
    ("mechanism", "nearly"),
    [(door(3), REDUNDANT), (cranks(), DEAD_CENTRES)],
    ids=("door", "cranks"),
)
def test_both_share_forces_alike(
    mechanism: Mechanism, nearly: Agreement, kernel_library: Path
) -> None:
    """Joints that repeat each other share what they bear in one way, and not by rounding."""
    for group in Simulation(mechanism).groups:
        goes_along(group, engines(kernel_library), nearly)


def engines(kernel_library: Path) -> tuple[Engine, Engine]:
    """Return both."""
    library = load(kernel_library).library
    assert library is not None
    return compiled_engine(library), REFERENCE


def goes_along(group: IslandGroup, both: tuple[Engine, Engine], nearly: Agreement) -> None:
    """Compare 60 frames, each from where the kernel is."""
    state, other = group.state, group.state.copy()
    kernel, reference = (
        one.stepper(group.system, its) for one, its in zip(both, (state, other), strict=True)
    )
    for frame in range(60):
        other.take(state)
        went = kernel.step(FRAME, FRAME, 1e-6)
        same = reference.step(FRAME, FRAME, 1e-6)
        assert other.position == pytest.approx(state.position, abs=nearly.pose), frame
        assert other.rotation == pytest.approx(state.rotation, abs=nearly.pose), frame
        assert other.velocity == pytest.approx(state.velocity, abs=nearly.velocity), frame
        assert other.turn == pytest.approx(state.turn, abs=1e-8), frame
        assert same.reports["steps"].tolist() == went.reports["steps"].tolist(), frame
        assert same.off == pytest.approx(went.off, abs=1e-8), frame
        force = nearly.force * float(np.abs(kernel.wrench).max())
        assert reference.wrench == pytest.approx(kernel.wrench, rel=0.0, abs=force), frame


def chain_of_three(made: Builder, ground: int, x: float) -> None:
    """Hang three rods on pins, level at first."""
    before = ground
    for number in range(3):
        body = made.body((0.2 * number + 0.1, 0.0, x), angular_velocity=(0.0, 0.0, 9.0 * number))
        made.joint(before, body, recipes.pin(), (0.2 * number, 0.0, x))
        before = body


@pytest.mark.parametrize(
    "adds",
    [limited, sprung, looped, rope, chain_of_three, late, stopped, landing, pressed, wheels, top],
    ids=(
        "limited",
        "sprung",
        "looped",
        "rope",
        "chain",
        "late",
        "stopped",
        "landing",
        "pressed",
        "wheels",
        "top",
    ),
)
def test_both_do_the_same_at_first_order(adds: Adds, kernel_library: Path) -> None:
    """Steps of first order, one after another: what rows give is taken back by both."""
    both = engines(kernel_library)
    for group in falling(adds).groups:
        state, other = group.state, group.state.copy()
        kernel, reference = (
            one.stepper(group.system, its) for one, its in zip(both, (state, other), strict=True)
        )
        for frame in range(20):
            other.take(state)
            kernel.relax(FRAME / 8.0)
            reference.relax(FRAME / 8.0)
            assert other.position == pytest.approx(state.position, abs=1e-9), frame
            assert other.velocity == pytest.approx(state.velocity, abs=1e-8), frame
            assert other.turn == pytest.approx(state.turn, abs=1e-8), frame
            nearly = 1e-9 * float(np.abs(kernel.wrench).max())
            assert reference.wrench == pytest.approx(kernel.wrench, rel=0.0, abs=nearly), frame


@pytest.mark.parametrize("adds", [sprung, stopped, pressed])
def test_both_crawl_alike_through_output_steps(adds: Adds, kernel_library: Path) -> None:
    """Steps of first order within one of output: what is too stiff gives way in more than one."""
    for group in falling(adds).groups:
        state, other = group.state, group.state.copy()
        kernel, reference = (
            one.stepper(group.system, its)
            for one, its in zip(engines(kernel_library), (state, other), strict=True)
        )
        for frame in range(6):
            state.span[:, 3] = 1.0
            other.take(state)
            went = kernel.step(FRAME, FRAME, 1e-6)
            reference.step(FRAME, FRAME, 1e-6)
            assert went.reports["first_order"].all(), frame
            assert other.position == pytest.approx(state.position, abs=1e-9), frame
            assert other.velocity == pytest.approx(state.velocity, abs=1e-8), frame
            nearly = 1e-9 * float(np.abs(kernel.wrench).max())
            assert reference.wrench == pytest.approx(kernel.wrench, rel=0.0, abs=nearly), frame


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
def test_both_begin_alike(adds: Adds, kernel_library: Path) -> None:
    """All of the first state is the same: sides, modes, turns, what is to come in."""
    for group in falling(adds).groups:
        begun = []
        for engine in engines(kernel_library):
            state = group.state.copy()
            engine.stepper(group.system, state).begin(continued=False)
            begun.append(state)
        for name in (field.name for field in fields(State)):
            one, other = (getattr(state, name) for state in begun)
            assert other == pytest.approx(one, abs=1e-12), name


@pytest.mark.parametrize("way", [1.0, -1.0])
@pytest.mark.parametrize(("high", "stiffness"), [(6.0, inf), (5.0, 10.0)], ids=("rigid", "soft"))
def test_both_begin_on_the_same_turn(
    high: float, stiffness: float, way: float, kernel_library: Path
) -> None:
    """Twists begin on the turn on which they are least outside of their limits, on or back."""
    (group,) = beyond_half_a_turn(beyond(3.5, high, stiffness, way), way).groups
    for engine in engines(kernel_library):
        engine.stepper(group.system, group.state).begin(continued=False)
        assert group.state.value[0, -1] == pytest.approx(way * 5.0 * np.pi / 3.0, abs=1e-3)
        assert not group.state.excess.any()


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_both_begin_no_farther_than_a_turn_away(way: float, kernel_library: Path) -> None:
    """Of a range that is turns from where a body stands, it is not known on which turn it is."""
    (group,) = beyond_half_a_turn(beyond(20.0, 21.0, inf, way), way).groups
    for engine in engines(kernel_library):
        engine.stepper(group.system, group.state).begin(continued=False)
        assert abs(group.state.value[0, -1]) == pytest.approx(5.0 * np.pi / 3.0, abs=1e-3)


@pytest.mark.parametrize("adds", [late, top, looped])
def test_both_stay_and_slow_down_where_a_step_fails(adds: Adds, kernel_library: Path) -> None:
    """What leads beyond all numbers is as if it had not been tried, at half the speed."""
    for group in falling(adds).groups:
        group.state.velocity[:] = 4e30
        for engine in engines(kernel_library):
            state = group.state.copy()
            went = engine.stepper(group.system, state).step(FRAME, FRAME, 1e-6)
            assert not went.reports["done"].any()
            assert state.position.tolist() == group.state.position.tolist()
            assert (state.velocity == 2e30).all()
