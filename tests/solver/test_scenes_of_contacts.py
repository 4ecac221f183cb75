# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes of ``benchmarks.contacts`` keep to their goals, as far as a test has time for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.contacts import heaps, machines, rolling
from benchmarks.contacts.ours import Ours
from benchmarks.contacts.run import together
from benchmarks.contacts.scene import LYING, Case, Kind, Link, Path, Scene, alone
from benchmarks.solver.scene import WORLD
from omi_physics_joint.model.shape import Cylinder, Sphere

pytestmark = pytest.mark.usefixtures("kernel_library")


def off(case: Case, most: float, shown: int | None = None) -> dict[str, float]:
    """Return the first figures of a case that are not at their goals, of so many s at most."""
    scenes = tuple(replace(one, seconds=min(one.seconds, most)) for one in case.scenes)
    paths = []
    for scene in scenes:
        path = together(scene, [Ours], heavy=False)["ours"]
        assert isinstance(path, Path)
        paths.append(path)
    found = case.judge(scenes, tuple(paths))[:shown]
    return {one.name: one.value for one in found if not one.value <= one.goal}


def test_what_skids_or_spins_rolls_in_the_end() -> None:
    """A ball that slides rolls at 5/7 of its speed, one that falls spinning leaves with 2/7 w r."""
    assert not off(rolling.skid(), 1.0)


def test_what_rolls_down_is_as_slow_as_it_turns() -> None:
    """A ball has 5/7 of the acceleration of what slides, a wheel 2/3."""
    assert not off(rolling.down(), 1.0)


def test_what_falls_on_its_edge_turns() -> None:
    """Its momentum about the edge is that of the fall, and the edge leaves the floor with it."""
    assert not off(rolling.edge(), 1.0)


def test_a_coin_rolls_round_on_its_rim() -> None:
    """It leans at 30 degrees for a second, within 1 % of its energy."""
    assert not off(rolling.coin(), 1.0, shown=1)


def test_ten_and_a_hundred_to_one_stand() -> None:
    """A weight on three of a kilogramme moves none of them by 0.01 mm."""
    assert not off(heaps.weights(), 0.2, shown=4)


@pytest.mark.parametrize("make", [heaps.arch, heaps.cards], ids=lambda make: make.__name__)
def test_what_leans_on_itself_stands(make: object) -> None:
    """An arch of 15 stones and a card house of six stand by friction alone."""
    assert callable(make)
    assert not off(make(), 0.1)


def test_nothing_is_so_fast_that_it_passes() -> None:
    """Balls and spinning plates at 100 m/s stay before a plate of 10 mm, whenever they come."""
    assert not off(heaps.bullets(), 0.1)


@pytest.mark.long
def test_a_car_drives_over_a_bump() -> None:
    """It stands lower by m g / 4 k, its axles stay in line, and its wheels come down again."""
    assert not off(machines.car(), 4.0)


@pytest.mark.long
def test_gears_turn_two_to_one() -> None:
    """Wheels of 12 and 24 convex teeth, driven and braked, turn as their teeth say."""
    assert not off(machines.gears(), 2.0)


def test_a_latch_latches() -> None:
    """A door that falls to slides its bolt back, which holds it against a spring."""
    assert not off(machines.latch(), 1.5)


@pytest.mark.long
def test_a_chain_lies_down() -> None:
    """Its links stay together, none sinks, and it comes to rest."""
    assert not off(machines.chain(), 4.5)


@pytest.mark.parametrize("damping", [1e2, 1e4])
def test_a_motor_reaches_its_speed_while_something_touches(damping: float) -> None:
    """One that is cut at its torque, however stiff it is; it turned with half of that for ever."""
    wheel = alone(Cylinder(0.1, 0.2, 0.2), (0.0, 0.2, 0.0), 2.0, turned=LYING)
    ball = alone(Sphere(0.05), (0.0, 0.45, 0.0), 0.5)
    motor = Link(Kind.HINGE, WORLD, 0, (0.0, 0.2, 0.0), speed=4.0, torque=20.0, gain=damping)
    run = Ours(Scene((wheel, ball), (motor,), friction=0.0))
    for _ in range(10):
        run.frame()
    assert run.snapshot()[3][0] == pytest.approx((0.0, 0.0, 4.0), abs=1e-3)
