# SPDX-License-Identifier: GPL-3.0-or-later
"""The drift of a substep (rattle.py): which rows are solved for in it, and where it ends."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from .coordinates import Pose
from .mechanics import Bounds
from .rotation import Array
from .system import System

Mask = NDArray[np.bool_]


@dataclass(slots=True)
class Drift:
    """The end of the drift, and what led there."""

    place: Array
    """(dynamic bodies, 3) centres of mass."""
    rotation: Array
    """(dynamic bodies, 3, 3)."""
    kicked: Array
    """(dynamic bodies, 6) scaled velocities after half a kick."""
    turning: Array
    """(dynamic bodies, 3) mean spin."""
    turn: Array
    """(dynamic bodies, 3, 3) exp(h turning)."""
    multiplier: Array
    """(rows,) forces of rigid and stiff rows."""
    soft: Array
    """(rows,) forces of other springs."""
    values: Array
    """(rows,)."""
    pose: Pose | None
    """None where islands ended at different times."""

    def joined(self, system: System, which: Mask, other: Drift) -> Drift:
        """Return the drift with some islands of it and all others of another.

        Args:
            system: of both.
            which: (islands,) those of this one.
            other: whose the rest is.
        """
        names = [f.name for f in fields(Drift) if f.name != "pose"]
        chosen = {n: system.choose(which, getattr(self, n), getattr(other, n)) for n in names}
        return replace(self, pose=None, **chosen)


@dataclass(slots=True)
class Holding:
    """Which rows are solved for in the drift, and how."""

    bounds: Bounds
    active: Mask
    """Rigid rows that hold."""
    side: Array
    stiffness: Array
    damping: Array
    """Slopes of the springs: zero out of reach, and at the largest force of a drive."""
    force: Array
    """What the springs do where the slopes are from."""
    soft: Mask | None = None
    """Stiff springs that are rows."""

    def target(self, only_locks: bool) -> Array:
        """Return the bounds that hold."""
        return self.bounds.high if only_locks else self.bounds.target(self.side)

    @property
    def solved(self) -> Mask:
        """All rows that are solved for."""
        return self.active if self.soft is None else self.active | self.soft
