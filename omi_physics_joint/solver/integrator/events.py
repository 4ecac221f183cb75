# SPDX-License-Identifier: GPL-3.0-or-later
"""When inside of a step something changes: bounds that are passed or pull, elements that turn.

Values and rates of rows follow the polynomial through the start, the stages and the end of the
step, forces that through the stages. The first change is sought on a grid, and then narrowed down
32 times finer again and again.
"""

from __future__ import annotations

import numpy as np

from ..kinematics.rotation import Array, Index, Mask
from .collocation import C, Step, lagrange, weighed
from .elements import wanted
from .lanes import HOLDS, Lanes, Sides

PARTS, FINER, LEVELS = 16, 32, 9
PULL = 1e-9
"""Part of the largest force from which a bound that pulls lets go."""
NEVER = 2.0


NODES: Array = np.array([0.0, *C, 1.0])


def pulls(force: Array) -> Array:
    """Return (L,): from which force on a bound is one that pulls."""
    return np.asarray(1e-12 + PULL * np.abs(force).reshape(len(force), -1).max(-1, initial=0.0))


class EventSearch:
    """What could change during one step of some lanes."""

    def __init__(self, lanes: Lanes, h: Array, step: Step, start_rate: Array) -> None:
        """Look at a step of h (L,) seconds, and at the rates (L, r) of rows before it."""
        shape, state = lanes.shape, lanes.state
        self.lanes, self.h, self.elements = lanes, h, lanes.elements
        rows = shape.bounded
        self.side = state.side.take(rows, 1)[:, None]
        self.bounded = rows
        self.comes_in = lanes.comes_in.take(rows, 1)[:, None]
        self.values = _path(state.value, step.stages.value, step.state.value, rows)
        self.forces = step.stages.force.take(rows, -1)
        self.pull = pulls(step.stages.force)[:, None, None]
        rows = self.elements.row
        self.gives = self.elements.stiff & (state.side.take(rows, 1) == 0)[:, None]
        self.element_values = _path(state.value, step.stages.value, step.state.value, rows)
        self.element_rates = _path(start_rate, step.stages.rate, step.end_rate, rows)

    def differs(self, t: Array) -> tuple[Mask, Sides]:
        """Return (L, T) whether anything differs then, and the modes (L, T, e) of elements."""
        (p, slope), (q, _) = lagrange(NODES, t), lagrange(C, t)
        value = weighed(p, self.values)
        ends = self.lanes.bounds(t * self.h[:, None])
        low, high = (bound.take(self.bounded, -1) for bound in ends)
        passed = (value > high + HOLDS) | (value < low - HOLDS)
        pulled = weighed(q, self.forces) * self.side > self.pull
        found = np.where(self.side != 0, pulled & ~self.comes_in, passed).any(-1)
        mode, give = self.lanes.state.mode[:, None], self.lanes.give
        value, rate = weighed(p, self.element_values), weighed(p, self.element_rates)
        ahead = rate + give * weighed(slope, self.element_rates) / self.h[:, None, None]
        then = np.where(self.gives, value + give * ahead, value), np.where(self.gives, ahead, rate)
        modes = wanted(self.elements, mode, (value, rate), then)
        return found | (modes != mode).any(-1), modes

    def first(self) -> tuple[Array, Sides]:
        """Return when in (0, 1] something changes first, NEVER if nothing does; and the modes."""
        count = self.lanes.count
        grid = np.arange(1, PARTS + 1) / PARTS
        found, modes = self.differs(np.broadcast_to(grid, (count, PARTS)))
        changes = found.any(-1)
        if not changes.any():
            return np.full(count, NEVER), modes[:, 0]
        low = found.argmax(-1) / PARTS
        width = 1.0 / PARTS
        fine = np.arange(1, FINER + 1) / FINER
        for _ in range(LEVELS):
            found, modes = self.differs(low[:, None] + width * fine)
            at = np.where(found.any(-1), found.argmax(-1), FINER - 1)
            width /= FINER
            low = low + width * at
        last = low + width
        _, modes = self.differs(last[:, None])
        return np.where(changes, last, NEVER), modes[:, 0]


def _path(start: Array, stages: Array, end: Array, rows: Index) -> Array:
    """Return some rows at all nodes: (L, 5, rows)."""
    parts = [start[:, None], stages, end[:, None]]
    return np.concatenate([part.take(rows, -1) for part in parts], 1)
