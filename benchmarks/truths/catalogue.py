# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms whose motion is known: how each is built, how long it runs, how its truth is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path as File

import numpy as np

from omi_physics_joint.model.mechanism import Mechanism

from . import andrews, governor, linkages, pendulums, spatial, springs
from .as_mechanism import mechanism_of
from .assembly import HINGE, PIN, Array, Assembly

SAMPLES = File(__file__).with_name("samples")


@dataclass(frozen=True, slots=True)
class Case:
    """One mechanism and how it is judged."""

    name: str
    build: Callable[[], Assembly]
    seconds: float
    length: float
    """Errors are fractions of this, in m."""
    fps: float = 60.0
    coordinates: Callable[[Assembly], object] | None = None
    """Fewest coordinates, where they are known."""
    closed: Callable[[Array], tuple[Array, Array]] | None = None
    """Where the marks are at some times, and the energies, where a formula says so."""
    first: str = "maximal"
    """Route of the truth: ``maximal`` or ``positions``."""
    method: str = "DOP853"
    tolerance: float = 1e-10
    compared: float = 0.5
    """s until which the routes are compared."""
    judged: tuple[int, ...] | None = None
    """Bodies that are judged; None is all."""

    @property
    def frames(self) -> int:
        """Number of output frames after the rest pose."""
        return round(self.seconds * self.fps)

    @property
    def times(self) -> Array:
        """Times of all frames in s, the rest pose first."""
        return np.arange(self.frames + 1) / self.fps

    @property
    def file(self) -> File:
        """Where the truth is kept."""
        return SAMPLES / f"{self.name}.npz"

    def bodies(self) -> list[int]:
        """Return the bodies that are judged."""
        return [*(self.judged or range(len(self.build().bodies)))]

    def mechanism(self) -> Mechanism:
        """Return it as the add-on's model."""
        return mechanism_of(pendulums.without_idle_joints(self.build()))


@dataclass(frozen=True, slots=True)
class Truth:
    """How a mechanism moves."""

    marks: Array
    """(frames + 1, judged bodies, 3) of the points that are judged, m."""
    kinetic: Array
    """(frames + 1,) J."""
    potential: Array
    """(frames + 1,) J, with that of springs."""
    agreement: float
    """Largest distance between two routes, m; zero where one would take too long."""


def truth_of(case: Case) -> Truth:
    """Return the truth that ``make`` has kept."""
    with np.load(case.file) as kept:
        marks = kept["marks"].astype(np.float64) * case.length
        kinetic, potential = kept["energy"]
        return Truth(marks, kinetic, potential, float(kept["agreement"]))


def _windows(count: int, seconds: float) -> Case:
    judged = None if count == 1 else tuple(range(0, 2 * count + 1, max(1, count // 4)))
    return Case(
        f"four_bars_{count}",
        lambda: linkages.four_bars(count),
        seconds,
        1.0,
        coordinates=lambda made: linkages.Parallel(made, count + 1),
        first="positions",
        compared=0.3 if count < 40 else 0.0,
        judged=judged,
    )


def _springs() -> list[Case]:
    return [
        Case(
            f"spring_{hertz:g}_hz_{fps:g}_fps",
            lambda hertz=hertz: springs.oscillator(hertz),  # type: ignore[misc]
            2.0,
            springs.AMPLITUDE,
            fps,
            closed=lambda times, hertz=hertz: springs.swing(hertz, times),  # type: ignore[misc]
            compared=max(0.1, 1.0 / hertz),
        )
        for hertz in (1.0, 3.9, 8.0, 20.0, 40.0)
        for fps in (24.0, 60.0)
    ]


def cases() -> dict[str, Case]:
    """Return all mechanisms by name."""
    parallel = lambda made: linkages.Parallel(made, 3)  # noqa: E731 - a name for it
    found = [
        Case("pendulum_hinge", lambda: pendulums.chain(1), 10.0, 1.0),
        Case("pendulum_pin", lambda: pendulums.chain(1, PIN), 10.0, 1.0),
        Case("double_pendulum", lambda: pendulums.chain(2), 3.0, 2.0),
        Case("ten_on_hinges", lambda: pendulums.chain(10, HINGE, 0.2), 1.0, 2.0),
        Case("ten_on_pins", lambda: pendulums.chain(10, PIN, 0.2), 1.0, 2.0),
        Case("crank_rocker", linkages.crank_rocker, 3.0, 1.0),
        Case("slider_crank", linkages.slider_crank, 1.0, 1.3, first="positions", compared=0.1),
        Case(
            "slider_crank_soft_stop",
            lambda: linkages.slider_crank(5000.0),
            1.0,
            1.3,
            first="positions",
            compared=0.1,
        ),
        _windows(1, 10.0),
        _windows(10, 5.0),
        _windows(40, 3.0),
        Case(
            "parallel_cranks",
            linkages.cranks,
            5.0,
            0.3,
            coordinates=parallel,
            first="positions",
            compared=0.1,
        ),
        Case("bennett", spatial.bennett, 2.5, 0.9, tolerance=1e-11),
        Case("sarrus", spatial.sarrus, 5.0, 1.0),
        Case("bricard", spatial.bricard, 10.0, 1.0),
        Case("peaucellier", linkages.peaucellier, 4.0, 0.9),
        Case("gimbals", pendulums.gimbals, 3.0, 0.3),
        Case("top", pendulums.top, 3.0, 0.15),
        Case(
            "governor",
            governor.governor,
            10.0,
            1.0,
            coordinates=lambda _: governor.Symmetric(),
            first="positions",
            method="LSODA",
            tolerance=1e-9,
            compared=0.05,
        ),
        Case("andrews", andrews.andrews, 0.03, 0.035, 4000.0, compared=0.005, first="positions"),
        Case("strut_1_kg", lambda: springs.strut(1.0), 5.0, 0.1),
        Case("strut_100_g", lambda: springs.strut(0.1), 5.0, 0.1),
        Case("strut_leaning", lambda: springs.strut(0.1, 0.4), 5.0, 0.1),
        *_springs(),
        Case("tree_of_40_hinges", pendulums.tree, 0.6, 2.0, compared=0.1),
        Case("ragdoll", pendulums.figure, 2.0, 1.8),
    ]
    return {case.name: case for case in found}
