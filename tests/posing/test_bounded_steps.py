# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of a pose: the least within bounds and along equations, what is left out; balls."""

from __future__ import annotations

from itertools import product
from math import inf

import numpy as np
import pytest

from omi_physics_joint.posing.descent import bounded_step, is_positive, leave_out
from omi_physics_joint.posing.links import TreeJoint
from omi_physics_joint.solver.kinematics.rotation import Array


def least(
    slope: Array, curvature: Array, rates: Array, gaps: Array, room: tuple[Array, Array]
) -> float:
    """Return the least value that any choice of bounds to stand at allows."""
    size, count = len(slope), len(gaps)
    best = np.inf
    for choice in product((0, 1, 2), repeat=size):
        at = np.flatnonzero(choice)
        if size - len(at) < count:
            continue
        rows = np.concatenate((rates, np.eye(size)[at]))
        rights = np.concatenate((-gaps, [room[choice[k] - 1][k] for k in at]))
        system = np.block([[curvature, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
        x = np.linalg.lstsq(system, np.concatenate((-slope, rights)), rcond=None)[0][:size]
        within = (x >= room[0] - 1e-9).all() and (x <= room[1] + 1e-9).all()
        if within and np.abs(rates @ x + gaps).max(initial=0.0) < 1e-8:
            best = min(best, float(slope @ x + 0.5 * x @ curvature @ x))
    return best


def drawn(seed: int, equations: int) -> tuple[Array, Array, Array, Array, tuple[Array, Array]]:
    """Return four unknowns within bounds, pulled at, and some equations that nearly hold."""
    random = np.random.default_rng(seed)
    root = random.normal(size=(4, 4))
    slope = 3.0 * random.normal(size=4)
    rates, gaps = random.normal(size=(equations, 4)), 0.1 * random.normal(size=equations)
    room = (-random.uniform(0.0, 1.0, 4), random.uniform(0.0, 1.0, 4))
    return slope, root @ root.T + 0.5 * np.eye(4), rates, gaps, room


@pytest.mark.long
@pytest.mark.parametrize("equations", [0, 1])
def test_a_step_is_the_best_that_bounds_and_loops_allow(equations: int) -> None:
    """No other choice of bounds to stand at is better; one in ten may leave a loop to the next."""
    kept = 0
    for seed in range(40):
        slope, curvature, rates, gaps, room = given = drawn(seed, equations)
        step = bounded_step(*given)
        assert (step >= room[0]).all()
        assert (step <= room[1]).all()
        if np.abs(rates @ step + gaps).max(initial=0.0) < 1e-9:
            kept += 1
            value = float(slope @ step + 0.5 * step @ curvature @ step)
            assert value == pytest.approx(least(*given), abs=1e-9)
    assert kept >= (36 if equations else 40)


def test_an_unknown_that_will_not_move_does_not_spoil_the_others() -> None:
    """What is left is positive definite wherever the others are, in whatever order they come."""
    others = np.array([[3.0, 1.0], [1.0, 2.0]])
    for place in range(3):
        rest = np.delete(np.arange(3), place)
        full = np.full((3, 3), 50.0)
        full[np.ix_(rest, rest)] = others
        full[place, place] = -100.0
        plain = np.diag([4.0, 5.0, 6.0])
        leave_out(full, plain, np.arange(3) == place)
        assert is_positive(full)
        assert full.tolist() == full.T.tolist()
        assert full[np.ix_(rest, rest)].tolist() == others.tolist()
        assert full[place, place] == plain[place, place]


def test_what_a_loop_says_again_moves_nothing_and_what_slants_a_little_counts() -> None:
    """Rounded as rows are 100 m from the origin, or a thousandth off its others."""
    room = (np.full(8, -1e9), np.full(8, 1e9))
    for seed in range(100):
        random = np.random.default_rng(seed)
        root, slope = random.normal(size=(8, 8)), random.normal(size=8)
        curvature = root @ root.T + 0.5 * np.eye(8)
        rates, gaps = random.normal(size=(3, 8)), 0.1 * random.normal(size=3)
        again, said = rates[0] + rates[1], gaps[0] + gaps[1]
        rounded = again + 100.0 * 2.0**-24 * random.normal(size=8)
        expected = bounded_step(slope, curvature, rates, gaps, room)
        every = np.vstack((rates, rounded)), np.append(gaps, said)
        assert bounded_step(slope, curvature, *every, room) == pytest.approx(expected, abs=1e-4)
        way = random.normal(size=8)
        rows = np.vstack((rates, again + 1e-3 * way / np.linalg.norm(way)))
        wanted = np.append(gaps, said + 3e-4)
        step = bounded_step(slope, curvature, rows, wanted, room)
        assert rows @ step == pytest.approx(-wanted, abs=1e-9)


def test_of_many_unknowns_each_pulls_into_its_bound_or_not_at_all() -> None:
    """What stands at a bound is pressed against it, and what is free has no slope left."""
    for seed in range(60):
        random = np.random.default_rng(seed)
        root, slope = random.normal(size=(40, 40)), 3.0 * random.normal(size=40)
        curvature = root @ root.T + 0.5 * np.eye(40)
        room = (-random.uniform(0.0, 1.0, 40), random.uniform(0.0, 1.0, 40))
        step = bounded_step(slope, curvature, np.zeros((0, 40)), np.zeros(0), room)
        left = slope + curvature @ step
        pressed = ((step == room[0]) & (left > 0.0)) | ((step == room[1]) & (left < 0.0))
        assert np.abs(left[~pressed]).max() < 1e-6, seed


@pytest.mark.parametrize(
    ("low", "high", "is_ball"), [(-inf, inf, True), (-1.0, inf, False), (-inf, 1.0, False)]
)
def test_what_has_a_bound_on_either_side_needs_angles(
    low: float, high: float, is_ball: bool
) -> None:
    """Only what turns without any is a ball."""
    held = np.zeros(3)
    for axis in range(3):
        lows, highs = np.full(3, -inf), np.full(3, inf)
        lows[axis], highs[axis] = low, high
        bounds = (np.concatenate((held, lows)), np.concatenate((held, highs)))
        joint = TreeJoint(0, (0, 1), np.zeros((2, 4, 4)), np.zeros(6), *bounds, ())
        assert joint.ball is is_ball
