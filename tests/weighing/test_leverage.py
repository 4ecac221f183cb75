# SPDX-License-Identifier: GPL-3.0-or-later
"""What a drive in a loop moves, beside what pencil and paper say."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin, tan

import numpy as np
import pytest

from omi_physics_joint.model.mechanics.masses import Mass, summed
from omi_physics_joint.weighing.leverage import Held, moved_by

HINGE, SLIDE = (0, 1, 2, 3, 5), (1, 2, 3, 4, 5)
"""What is held by a hinge about Y, and by a slide along X."""


def turned(seed: int) -> np.ndarray:
    """Return a rotation."""
    q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return q * np.linalg.det(q)


def hinge(ends: tuple[int | None, int | None], *place: float) -> Held:
    """Return a hinge about Y."""
    return Held(ends, np.array(place), np.eye(3), HINGE)


def single(joint: Held) -> Held:
    """Return a joint as a file in single precision has it, 20 m from the origin, turned."""
    turn, away = turned(4), np.array([20.0, -3.0, 1.0])
    place, axes = away + turn @ joint.place, turn @ joint.axes
    return joint._replace(place=place.astype("f4") + 0.0, axes=axes.astype("f4") + 0.0)


def lift(angle: float, scale: float) -> tuple[list[Mass], list[Held]]:
    """Return a scissor lift of bars of 1 m (times a scale) that carries 100 kg, its slide first."""
    width, height = scale * cos(angle), scale * sin(angle)
    places = [(width, 0.0, 0.0), (0.5 * width, 0.0, 0.5 * height), (0.5 * width, 0.0, height)]
    masses = (1e-3, 1e-3, 1e-3, 100.0, 1e-3)
    middles = (places[0], places[1], places[1], places[2], (width, 0.0, height))
    bodies = [
        Mass(mass, np.array(middle), mass * 0.1 * scale**2 * np.eye(3))
        for mass, middle in zip(masses, middles, strict=True)
    ]
    shoe, up, down, top, runner = range(5)
    return bodies, [
        Held((None, shoe), np.array(places[0]), np.eye(3), SLIDE),
        hinge((None, up), 0.0, 0.0, 0.0),
        hinge((shoe, down), width, 0.0, 0.0),
        hinge((up, down), *places[1]),
        hinge((down, top), 0.0, 0.0, height),
        hinge((up, runner), width, 0.0, height),
        Held((top, runner), np.array(middles[4]), np.eye(3), SLIDE),
    ]


@pytest.mark.parametrize("scale", [0.05, 1.0, 8.0])
@pytest.mark.parametrize("angle", [20.0, 45.0, 70.0])
def test_a_scissor_lift_rises_by_its_cotangent(angle: float, scale: float) -> None:
    """Its platform goes by cot a where its slide goes by one: m cot^2, and m g cot."""
    bodies, joints = lift(radians(angle), scale)
    turn, away = turned(4), np.array([20.0, -3.0, 1.0])
    moved = moved_by(
        [Mass(b.mass, away + turn @ b.centre, turn @ b.inertia @ turn.T) for b in bodies],
        list(map(single, joints)),
        0,
    )
    assert moved is not None
    ratio = 1.0 / tan(radians(angle))
    assert moved.inertia == pytest.approx(100.0 * ratio**2, rel=2e-3)
    assert turn.T @ moved.pull == pytest.approx([0.0, 0.0, -100.0 * ratio], rel=2e-3, abs=0.02)


def test_a_hinge_alone_turns_what_hangs_on_it() -> None:
    """A door of 30 kg: I + m r^2 about its hinge, and m r across."""
    door = Mass(30.0, np.array([0.4, 0.0, 0.0]), np.diag([3.0, 1.6, 1.5]))
    moved = moved_by([door], [hinge((None, 0), 0.0, 0.0, 0.0)], 4)
    assert moved is not None
    assert moved.inertia == pytest.approx(1.6 + 30.0 * 0.16)
    assert moved.pull == pytest.approx([0.0, 0.0, -12.0])


@pytest.mark.parametrize("way", range(6))
def test_each_coordinate_is_in_its_own_unit(way: int) -> None:
    """A door on a hinge about each axis, or on a slide along it: I + m r^2, or its mass."""
    about, across = way % 3, (way + 1) % 3
    arm = 0.4 * np.eye(3)[across]
    door = Mass(30.0, arm, np.diag([3.0, 1.6, 1.5]))
    joint = Held((None, 0), np.zeros(3), np.eye(3), [held for held in range(6) if held != way])
    moved = moved_by([door], [joint], way)
    assert moved is not None
    turns = way >= 3
    assert moved.inertia == pytest.approx(door.inertia[about, about] + 4.8 if turns else 30.0)
    pull = np.cross(np.eye(3)[about], 30.0 * arm) if turns else 30.0 * np.eye(3)[about]
    assert moved.pull == pytest.approx(pull)


def test_a_parallelogram_turns_its_coupler_without_turning_it() -> None:
    """Two cranks of 0.5 m carry 8 kg: its own inertia has no say."""
    crank = Mass(1e-3, np.zeros(3), 1e-6 * np.eye(3))
    coupler = Mass(8.0, np.array([1.0, 0.0, 0.5]), 7.0 * np.eye(3))
    joints = [
        hinge((None, 0), 0.0, 0.0, 0.0),
        hinge((None, 1), 2.0, 0.0, 0.0),
        hinge((0, 2), 0.0, 0.0, 0.5),
        hinge((1, 2), 2.0, 0.0, 0.5),
    ]
    moved = moved_by([crank, replace(crank, centre=np.array([2.0, 0.0, 0.0])), coupler], joints, 4)
    assert moved is not None
    assert moved.inertia == pytest.approx(8.0 * 0.25, rel=1e-3)


def test_what_is_locked_by_others_moves_nothing() -> None:
    """A lid with a weld beside its hinge."""
    lid = Mass(1.0, np.array([0.4, 0.0, 0.0]), np.eye(3))
    weld = Held((None, 0), np.zeros(3), np.eye(3), range(6))
    assert moved_by([lid], [hinge((None, 0), 0.0, 0.0, 0.0), weld], 4) is None


def test_two_halves_are_one_whole() -> None:
    """Of a bar along X of 2 m and 6 kg: m l^2 / 12 about its middle."""
    half = [Mass(3.0, np.array([x, 0.0, 0.0]), np.diag([0.0, 0.25, 0.25])) for x in (2.5, 3.5)]
    whole = summed(half)
    assert whole is not None
    assert whole.mass == 6.0
    assert whole.centre == pytest.approx([3.0, 0.0, 0.0])
    assert np.diag(whole.inertia) == pytest.approx([0.0, 2.0, 2.0])
