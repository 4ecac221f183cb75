# SPDX-License-Identifier: GPL-3.0-or-later
"""What changes from step to step, and all that a retry or a checkpoint has to restore."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from .rotation import Array

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
POINTS = 3
"""Gauss points of gauss.py."""


@dataclass(slots=True)
class State:
    """Everything that the next step of equal islands depends on, in the order of their system.

    A step puts other arrays here and writes into none, so states may share arrays, and one that was
    kept stays what it was. Numbers of arrays: ``bodies`` are dynamic ones island by island, then
    those that are not; ``rows`` and ``dynamic`` are island by island.

    Attributes:
        time: s.
        since: time at which rigid bounds were violated by ``excess_low`` and ``excess_high``; the
            violation is gone half a second later.
        position: (bodies, 3) centres of mass.
        rotation: (bodies, 3, 3).
        velocity: (dynamic, 6) scaled.
        turning, turning_before: (dynamic, 3) mean spin of the last two substeps, guesses.
        multiplier, multiplier_before: (rows,) forces of the last two substeps, guesses.
        rise_before: (rows,) by how much they grew from the last but two to the last but one.
        active: (rows,) rigid rows that held at the end of the last substep.
        values: (rows,) coordinates.
        rates: (rows,) their velocities.
        reference: turns that angles have made (pool of the coordinates).
        excess_low, excess_high: (rows,).
        impulse: (rows,) impulses of joints without drives, since the step began, N s or N m s.
        gradients, gradients_before: (rows, 2, 6) scaled gradients now and a substep before.
        last_step: (islands,) s, length of the last substep.
        excess: (islands,) the largest excess.
        level, hold: (islands,) which of its plans the next step begins with, for how many steps.
        guess: (points, dynamic, 3) angular accelerations of the last step of gauss.py, ...
        guess_span: (islands,) s, ... which was so long; 0 where there is none.
        bare: (islands,) whether only poses and velocities are up to date (gauss.py needs no more),
            and forces, values, rates and gradients are those of an earlier pose.
        velocity_before: (dynamic, 6) if bare: before the last step, from which forces follow.
        span: (islands,) s, how long it was.
    """

    time: float
    since: float
    position: Array
    rotation: Array
    velocity: Array
    turning: Array
    turning_before: Array
    multiplier: Array
    multiplier_before: Array
    rise_before: Array
    active: Mask
    values: Array
    rates: Array
    reference: Array
    excess_low: Array
    excess_high: Array
    impulse: Array
    gradients: Array
    gradients_before: Array
    last_step: Array
    excess: Array
    level: Index
    hold: Index
    guess: Array
    guess_span: Array
    bare: Mask
    velocity_before: Array
    span: Array

    def kept(self) -> State:
        """Return this moment; what follows does not change it."""
        return State(*_all(self))

    def part(self, at: Places) -> State:
        """Return the state of some islands."""
        return State(
            self.time,
            self.since,
            *(getattr(self, name).take(at[name], AXIS[name]) for name in AXIS),
        )

    def having(self, at: Places, part: State) -> State:
        """Return this moment with some islands where another state of them is, and its time."""
        arrays = []
        for name, axis in AXIS.items():
            values = getattr(self, name).copy()
            values[(slice(None),) * axis + (at[name],)] = getattr(part, name)
            arrays.append(values)
        return State(part.time, self.since, *arrays)


Places = dict[str, Index]
"""Where some islands are in each array of a state, by its name."""
AXIS = {f.name: int(f.name == "guess") for f in fields(State) if f.name not in ("time", "since")}
"""Along which axis islands are in each array."""
_all = attrgetter("time", "since", *AXIS)
KINDS = {
    "position": "bodies",
    "rotation": "bodies",
    "velocity": "dynamic",
    "turning": "dynamic",
    "turning_before": "dynamic",
    "velocity_before": "dynamic",
    "guess": "dynamic",
    "reference": "pool",
    "last_step": "islands",
    "excess": "islands",
    "level": "islands",
    "hold": "islands",
    "guess_span": "islands",
    "bare": "islands",
    "span": "islands",
}
"""What the numbers along that axis are; others are rows."""
