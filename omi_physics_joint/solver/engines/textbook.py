# SPDX-License-Identifier: GPL-3.0-or-later
"""The textbook as an engine: island by island."""

from __future__ import annotations

import numpy as np

from ..kinematics.island_rows import begin_rows
from ..kinematics.rotation import quaternion_of
from ..system import RowKind, State, System, bounds, rows_off
from ..textbook.island import DenseIsland
from ..textbook.stepper import advance, first_order, touch
from .engine import Engine, Stepper, StepResult
from .kernel_structs import REPORT

FRAME = 1.0 / 60.0
"""s, an output step before there was any."""
VIOLATED, PRESSED = 1e-9, 1e-6
"""m or rad, by which rows are not yet violated: at rest, and where bounds are pressed."""


class TextbookStepper(Stepper):
    """Steps islands one after the other."""

    def __init__(self, system: System, state: State) -> None:
        super().__init__(system, state)
        self._each = [(system.one(number), state.one(number)) for number in range(system.islands)]

    def _island(self, number: int, dt: float) -> DenseIsland:
        return DenseIsland(*self._each[number], self.other_velocity[number : number + 1], dt)

    def begin(self, *, continued: bool, time: float = 0.0) -> None:
        """Prepare a state, see ``Stepper``."""
        system, state = self._system, self._state
        begin_rows(system, state, continued=continued)
        low, high = bounds(system, state)
        off = np.maximum(state.value - high, 0.0) + np.minimum(state.value - low, 0.0)
        state.excess[:] = np.where(np.abs(off) > (PRESSED if continued else VIOLATED), off, 0.0)
        state.side[:] = np.where(system.kind == RowKind.LOCK, 0, np.sign(state.excess))
        with np.errstate(all="ignore"):
            for number in range(system.islands):
                island = self._island(number, FRAME)
                island.mode[:] = island.wanted(island.now, 0.0 * island.now.rate)
                if not continued:
                    touch(island)

    def step(self, dt: float, most: float, tolerance: float) -> StepResult:
        """Advance all islands, see ``Stepper``."""
        system, reports = self._system, np.zeros(self._system.islands, REPORT)
        self.wrench[:] = 0.0
        for number, report in enumerate(reports):
            state = self._each[number][1]
            saved = state.copy()
            with np.errstate(all="ignore"):
                try:
                    island = self._island(number, dt)
                    advance(island, most) if most > 0.0 else first_order(island, dt)
                    for name in ("steps", "events", "first_order", "unfollowed"):
                        report[name] = getattr(island, name)
                    self.wrench[number], report["done"] = island.wrench, True
                except np.linalg.LinAlgError:
                    state.take(saved)
                    state.velocity[:] *= 0.5
        reports["gap"] = gap = rows_off(system, self._state).max(-1, initial=0.0)
        off = np.where(reports["done"], gap / np.maximum(system.size, 1.0), np.inf)
        return StepResult(float(off.max()), reports.tobytes())


TEXTBOOK = Engine("textbook", TextbookStepper, quaternion_of)
