# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact motion of what plays as Godot: simulated beside it, never written to an object."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...model.wording.words import some
from ...solver import JointDifference, KinematicMotion, Steps, largest
from ..simulated.reading import PlayError, SimulatedScene
from ..simulated.running import Run, RunOptions
from .outlines import Outlines

NAMED = 3
"""Objects that are named where they are drawn as boxes."""


class GhostRun:
    """A run of the same scene in exact steps, and what is drawn of it.

    Attributes:
        outlines: of the bodies.
    """

    def __init__(
        self, simulated: SimulatedScene, shown: Run, options: RunOptions, outlines: Outlines
    ) -> None:
        """Begin where the run begins that moves the objects: from the rest pose."""
        self.outlines = outlines
        self._moving = simulated.moving
        self._shown, self._run = shown, Run(simulated, replace(options, steps=Steps.EXACT))
        self._comparison = shown.compared(self._run)
        self._differences: list[JointDifference] | None = None
        """Of this moment, once somebody has asked."""

    def change_gravity(self, options: RunOptions) -> None:
        """Change gravity."""
        self._run.change_gravity(replace(options, steps=Steps.EXACT))

    def lead(self, motions: dict[int, KinematicMotion], end: float) -> None:
        """Hold what the shown run holds, and let kinematic bodies go likewise until a time in s."""
        self._run.hold_as(self._shown)
        self._run.retune(self._shown.settings)
        self._run.lead(motions, end)

    def step(self, dt: float) -> None:
        """Go on by dt seconds."""
        self._run.step(dt)
        self._differences = None

    def worlds(self) -> NDArray[np.float64] | None:
        """Return where the bodies are, as world matrices of their objects: (n, 4, 4).

        None where the exact motion has become unstable, which is no reason to stop the shown one.
        """
        try:
            return self._moving.worlds(*self._run.poses())
        except PlayError:
            return None

    def differences(self) -> list[JointDifference]:
        """Return how far joints of the scene are from it, the largest first."""
        if self._differences is None:
            self._differences = largest(self._comparison.differences())
        return self._differences

    @property
    def remark(self) -> str:
        """What is to be said of how it is drawn."""
        if self.worlds() is None:
            return "No ghost: the exact motion became unstable. Check the joints"
        boxed = self.outlines.boxed
        if not boxed:
            return ""
        what = "its mesh is" if len(boxed) == 1 else "their meshes are"
        return f"Ghost drawn as a box: {some(boxed, NAMED)}, as {what} large"
