# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact motion beside the one that is simulated: how far joints went from it at most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypedDict

from ...gltf.document.numbers import number
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism
from ...model.wording.words import counted, metric
from ...solver import (
    Comparison,
    JointDifference,
    KinematicMotion,
    Options,
    Simulation,
    Steps,
    largest,
)


class Apart(TypedDict):
    """How far one joint went from the exact motion at most."""

    angle: float
    """rad; of what turns about one axis over whole turns."""
    distance: float
    """m."""


class Beside:
    """Simulates a mechanism exactly while another simulation goes on."""

    def __init__(
        self,
        shown: Simulation,
        mechanism: Mechanism,
        options: Options,
        motions: Mapping[int, KinematicMotion] | None,
    ) -> None:
        """Begin at rest."""
        self._exact = Simulation(mechanism, replace(options, steps=Steps.EXACT), motions=motions)
        self._comparison = Comparison(shown, self._exact)
        self._most: dict[int, JointDifference] = {}

    def advance(self, dt: float, settings: tuple[JointSettings, ...]) -> None:
        """Go on by dt seconds with these settings, after the other has, and compare."""
        self._exact.retune(settings)
        self._exact.step(dt)
        for one in self._comparison.differences():
            before = self._most.get(one.joint, one)
            angle, distance = max(one.angle, before.angle), max(one.distance, before.distance)
            self._most[one.joint] = replace(one, angle=angle, distance=distance)

    def document(self, names: Mapping[int, str]) -> dict[str, Apart]:
        """Return the most of each joint; joints by the names of their nodes."""
        return {
            names[node]: {"angle": number(one.angle), "distance": number(one.distance)}
            for node, one in self._most.items()
        }

    def lines(self, names: Mapping[int, str], most: int) -> Iterator[str]:
        """Yield lines for people, the largest difference first, and at most so many."""
        told = largest(self._most.values())
        if not told:
            yield "no joint is elsewhere than in the exact motion"
        for one in told[:most]:
            yield f"joint {names[one.joint]}: up to {one.words(metric)} from the exact motion"
        if len(told) > most:
            yield f"{counted(len(told) - most, 'joint')} more, less far from the exact motion"
