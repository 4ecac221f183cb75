# SPDX-License-Identifier: GPL-3.0-or-later
"""When inside of a step something changes: bounds that are passed or pull, elements that turn.

Values and rates of rows follow the polynomial through the start, the stages and the end of the
step, forces that through the stages. The first change is sought on a grid, and then narrowed down
32 times finer again and again.
"""

from __future__ import annotations

import numpy as np

from ..kinematics.rotation import Array
from .collocation import C, Step
from .elements import wanted, wanted_then
from .lanes import HOLDS, Index, Lanes, Mask, Sides

PARTS, FINER, LEVELS = 16, 32, 9
PULL = 1e-9
"""Part of the largest force from which a bound that pulls lets go."""
NEVER = 2.0


def lagrange(nodes: Array, t: Array) -> tuple[Array, Array]:
    """Return Lagrange's polynomials of nodes at times (L, T), and their slopes: (L, T, nodes)."""
    value = np.ones((*t.shape, len(nodes)))
    slope = np.zeros(value.shape)
    for k, node in enumerate(nodes):
        width = nodes - node
        width[k] = 1.0
        part = (t - node)[..., None] / width
        newer = slope * part + value / width
        newer[..., k] = slope[..., k]
        part[..., k] = 1.0
        slope = newer
        value *= part
    return value, slope


def along(weights: Array, values: Array) -> Array:
    """Return what values (L, nodes, r) come to with weights (L, T, nodes): (L, T, r)."""
    return np.asarray((weights[..., None] * values[:, None]).sum(2))


NODES: Array = np.array([0.0, *C, 1.0])


def pulls(force: Array) -> Array:
    """Return (L,): from which force on a bound is one that pulls."""
    return np.asarray(1e-12 + PULL * np.abs(force).reshape(len(force), -1).max(-1, initial=0.0))


class Watch:
    """What could change during one step of some lanes."""

    def __init__(
        self, lanes: Lanes, h: Array, step: Step, start_value: Array, start_rate: Array | None
    ) -> None:
        """Look at the bounds and elements of a step that was taken.

        Args:
            lanes: islands.
            h: (L,) s, its length.
            step: where it led.
            start_value: (L, r) of rows, before.
            start_rate: (L, r) likewise, where there are elements.
        """
        shape, state = lanes.shape, lanes.state
        self.h = h
        self.lanes, self.elements, self.judged = lanes, shape.elements, lanes.judged
        rows = shape.bounded
        self.bounds = len(rows) > 0
        if self.bounds:
            self.side = state.side.take(rows, 1)
            self.high = shape.high.take(rows, 1) + HOLDS
            self.low = shape.low.take(rows, 1) - HOLDS
            self.watched = np.ones(self.side.shape, bool)
            if lanes.sticky is not None:
                self.watched = ~lanes.sticky.take(rows, 1)
            self.on = self.side != 0
            self.values = _path(start_value, step.stage_value, step.value, rows)
            self.forces = step.stage_force.take(rows, -1)
            self.pull = pulls(step.stage_force)
        if self.elements is not None and start_rate is not None and step.end_rate is not None:
            rows = self.elements.row
            self.element_side = state.side.take(rows, 1)
            self.element_values = _path(start_value, step.stage_value, step.value, rows)
            self.element_rates = _path(start_rate, step.stage_rate, step.end_rate, rows)

    def differs(self, t: Array) -> tuple[Mask, Sides | None]:
        """Return (L, T) whether anything differs then, and the modes (L, T, e) of elements."""
        (p, slope), (q, _) = lagrange(NODES, t), lagrange(C, t)
        found = np.zeros(t.shape, bool)
        if self.bounds:
            value = along(p, self.values)
            passed = (value > self.high[:, None]) | (value < self.low[:, None])
            if self.on.any():
                force = along(q, self.forces)
                pulled = force * self.side[:, None] > self.pull[:, None, None]
                passed = np.where(self.on[:, None], pulled, passed)
            found |= (passed & self.watched[:, None]).any(-1)
        modes = self._modes(p, slope)
        if modes is not None:
            found |= (modes != self.lanes.state.mode[:, None]).any(-1)
        return found, modes

    def _modes(self, p: Array, slope: Array) -> Sides | None:
        """Return what elements want: (L, T, e)."""
        elements, judged = self.elements, self.judged
        if elements is None or judged is None:
            return None
        mode = self.lanes.state.mode[:, None]
        value, rate = along(p, self.element_values), along(p, self.element_rates)
        modes = wanted(elements, judged.scale[:, None], value, rate)
        implicit = (judged.stiff & (self.element_side == 0))[:, None]
        if implicit.any():
            give = self.lanes.give
            bent = along(slope, self.element_rates) / self.h[:, None, None]
            rate_then = rate + give * bent
            then = value + give * rate_then, rate_then
            later = wanted_then(elements, judged.scale[:, None], mode, value, rate, then)
            modes = np.where(implicit, later, modes)
        return modes

    def first(self) -> tuple[Array, Sides | None]:
        """Return when in (0, 1] something changes first, NEVER if nothing does; and the modes."""
        count = self.lanes.count
        grid = np.arange(1, PARTS + 1) / PARTS
        found, modes = self.differs(np.broadcast_to(grid, (count, PARTS)))
        changes = found.any(-1)
        if not changes.any():
            return np.full(count, NEVER), None
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
        return np.where(changes, last, NEVER), None if modes is None else modes[:, 0]


def _path(start: Array, stages: Array, end: Array, rows: Index) -> Array:
    """Return some rows at all nodes: (L, 5, rows)."""
    parts = [start[:, None], stages, end[:, None]]
    return np.concatenate([part.take(rows, -1) for part in parts], 1)
