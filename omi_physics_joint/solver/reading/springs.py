# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft limits and drives: what each puts on its coordinate, and what it holds.

An element acts on one row (one coordinate of one joint). A soft limit pushes back only outside of
its range, and never pulls outward; held at one value it is a plain spring. A
drive pulls to its targets, and spring and damper together are clamped to its largest force.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

STIFFEST = 1e15
"""Stiffness and damping beyond this, or a tenth, are as good as infinite, and are cut to it."""
STRONGEST_MOTOR = 1e4
"""s/m or s/rad: the same for the damping of a drive over its largest force, at which it misses its
speed by 1e-4. What is stronger sees that force in the rounding of a coordinate."""


@dataclass(frozen=True, slots=True)
class ForceElement:
    """One soft limit or one drive on a coordinate."""

    coordinate: int
    """0 to 2 along X, Y, Z; 3 to 5 about them."""
    stiffness: float
    damping: float
    low: float = -inf
    high: float = inf
    is_drive: bool = False
    target: float = 0.0
    speed: float = 0.0
    max_force: float = inf
    accelerates: bool = False

    @property
    def is_one_sided(self) -> bool:
        """Whether it is a limit with a range, in which it does nothing."""
        return not self.is_drive and self.low != self.high

    @property
    def neutral(self) -> float:
        """Where it does nothing, if it is not one-sided."""
        if self.is_one_sided:
            return 0.0
        return self.target if self.is_drive else self.low

    @property
    def spring(self) -> float:
        """Stiffness that is computed with."""
        return min(self.stiffness, STIFFEST)

    @property
    def damper(self) -> float:
        """Damping that is computed with."""
        return min(self.damping, STIFFEST, STRONGEST_MOTOR * self.max_force)
