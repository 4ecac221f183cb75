# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms whose motion is known go where they should, by default settings, in every frame."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy", reason="SciPy is not installed")

from benchmarks.truths import andrews, governor, make
from benchmarks.truths.catalogue import cases, truth_of
from benchmarks.truths.judging import judge
from benchmarks.truths.maximal import Maximal
from benchmarks.truths.positions import Positions

MOST = 1e-3
"""Of the length, and of the energy that is exchanged."""
KNOWN = cases()


@pytest.mark.long
@pytest.mark.parametrize("name", KNOWN)
def test_it_goes_where_it_should(name: str) -> None:
    """All bodies, in all frames; energy as well."""
    verdict = judge(KNOWN[name])
    assert verdict.error <= MOST, verdict
    assert verdict.energy <= MOST, verdict
    assert verdict.not_met == 0, verdict


@pytest.mark.parametrize("name", KNOWN)
def test_two_routes_found_the_same(name: str) -> None:
    """What is kept was found twice, without anything shared but the description."""
    assert truth_of(KNOWN[name]).agreement < make.ENOUGH * KNOWN[name].length


@pytest.mark.long
@pytest.mark.parametrize("name", ["ten_on_pins", "gimbals", "crank_rocker", "bennett"])
def test_the_routes_agree_here(name: str) -> None:
    """Both routes, run here for a moment, find what is kept."""
    case = KNOWN[name]
    assembly, times = case.build(), case.times[:7]
    kept = truth_of(case).marks[: len(times)]
    for route in (Maximal(assembly), Positions(assembly)):
        marks = np.array([route.marks(state) for state in route.path(times, 1e-10)])
        assert marks[:, case.bodies()] == pytest.approx(kept, abs=2e-7 * case.length)


def test_bricard_does_what_is_published() -> None:
    """The third corner rises to y = -0.866, sinks to z = -0.5, and is back after five seconds."""
    corner = truth_of(KNOWN["bricard"]).marks[:, 1]
    assert corner[:, 1].max() == pytest.approx(-(0.75**0.5), abs=1e-3)
    assert corner[:, 2].min() == pytest.approx(-0.5, abs=1e-3)
    assert corner[300] == pytest.approx(corner[0], abs=1e-3)


def test_the_governor_does_what_is_published() -> None:
    """Its slider rises from 0.5 m to 0.7435 m and is at 0.62 m after ten seconds."""
    height = truth_of(KNOWN["governor"]).marks[:, governor.SLIDE, 1]
    assert height.min() == pytest.approx(0.5, abs=2e-3)
    assert height.max() == pytest.approx(0.7435, abs=2e-3)
    assert height[-1] == pytest.approx(0.62, abs=5e-3)


@pytest.mark.long
def test_andrews_squeezer_does_what_is_published() -> None:
    """With a guide of next to no inertia its angles after 0.03 s are those of the literature."""
    route = Positions(andrews.andrews())
    state = route.path(np.array([0.0, 0.03]), 1e-8)[-1]
    assert andrews.angles_from(state) == pytest.approx(np.array(andrews.PUBLISHED), abs=1e-5)


def test_peaucelliers_corner_keeps_to_a_line() -> None:
    """Its last corner moves level, at (0.9^2 - 0.4^2) / 0.7 m below the pivot."""
    corner = truth_of(KNOWN["peaucellier"]).marks[:, 5]
    assert corner[:, 1] == pytest.approx(-(0.81 - 0.16) / 0.7, abs=1e-6)
    assert np.ptp(corner[:, 0]) > 0.5
