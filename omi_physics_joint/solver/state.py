# SPDX-License-Identifier: GPL-3.0-or-later
"""What changes from step to step; a copy of it is a checkpoint."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from .rotation import Array

Mask = NDArray[np.bool_]


@dataclass(slots=True)
class State:
    """Everything that the next step depends on, in the order of the system.

    Attributes:
        time: s.
        position: (bodies, 3) centres of mass.
        rotation: (bodies, 3, 3).
        velocity: (dynamic bodies, 6) scaled.
        turning, turning_before: (dynamic bodies, 3) mean spin of the last two substeps, guesses.
        multiplier, multiplier_before: (rows,) forces of the last two substeps, guesses.
        active: (rows,) rigid rows that held at the end of the last substep.
        values: (rows,) coordinates.
        rates: (rows,) their velocities.
        reference: turns that angles have made (pool of the coordinates).
        excess_low, excess_high: (rows,) by how much rigid bounds were violated at ``since``.
        since: time at which that was; the violation is gone half a second later.
        impulse: (rows,) impulses of joints without drives, since the step began, N s or N m s.
        guess: (points, dynamic bodies, 3) angular accelerations of the last step of gauss.py, or
            empty, from which the next ones are foretold.
    """

    time: float
    position: Array
    rotation: Array
    velocity: Array
    turning: Array
    turning_before: Array
    multiplier: Array
    multiplier_before: Array
    active: Mask
    values: Array
    rates: Array
    reference: Array
    excess_low: Array
    excess_high: Array
    since: float
    impulse: Array
    excess: float
    """The largest of those."""
    rise_before: float | Array = 0.0
    """By how much the forces grew from the last but two substeps to the last but one."""
    guess: Array = field(default_factory=lambda: np.zeros((0, 0, 3)))
    guess_span: float = 0.0
    """s: length of that step."""
    last_step: float = 0.0
    """s: length of the last substep."""
    bare: bool = False
    """Whether only poses and velocities are up to date (gauss.py needs no more): forces, impulses,
    values, rates and the gradients in the system are those of an earlier pose."""
    velocity_before: Array = field(default_factory=lambda: np.zeros((0, 6)))
    """(dynamic bodies, 6) if bare: velocities before the last step, from which forces follow."""
    span: float = 0.0
    """s: how long it was."""
    level: int = 0
    """Which of its plans the next step begins with, and for how many steps more."""
    hold: int = 0

    def copy(self) -> State:
        """Return a state that shares nothing with this one."""
        own = self.kept()
        for name in _NAMES:
            value = getattr(own, name)
            if isinstance(value, np.ndarray):
                setattr(own, name, value.copy())
        return own

    def kept(self) -> State:
        """Return a state that shares its arrays with this one."""
        own = object.__new__(State)
        for name in _NAMES:
            setattr(own, name, getattr(self, name))
        return own

    def is_finite(self) -> bool:
        """Whether all numbers that the outside sees are numbers."""
        # A sum of squares is no number where one of them is none, and takes a third of the time.
        seen = (self.position, self.rotation, self.velocity)
        return all(isfinite(np.vdot(each, each)) for each in seen)


_NAMES = tuple(f.name for f in fields(State))
