# SPDX-License-Identifier: GPL-3.0-or-later
"""The constants of some islands of one shape, ready for many moments at once.

Arrays of islands and moments lead with (L, S): L islands ("lanes"), S moments of each. Constants
lead with (L, 1). Nothing that is computed for a lane depends on another one, to the last bit.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from ..kinematics.axles import Axles
from ..kinematics.coordinates import Kinematics
from ..kinematics.rotation import Array, Index, Mask
from ..linalg.elimination import LITTLE, Elimination, Sum
from ..system import RowKind, System

FIXED = 1e150
"""Root of a mass or an inertia that nothing moves."""
_OF_LANES = ("size", "inverse", "gyration", "weight", "floats", "low", "high")
_OF_ELEMENTS = ("stiffness", "damping", "soft_low", "soft_high", "target", "speed", "max_force")


@dataclass(slots=True)
class Elements:
    """Springs, soft limits and drives: (e,), and (L, 1, e) for numbers."""

    row: Index
    is_drive: Mask
    one_sided: Mask
    accelerates: Mask
    on_lock: Mask
    stiffness: Array
    damping: Array
    soft_low: Array
    soft_high: Array
    target: Array
    speed: Array
    max_force: Array
    omega: Array
    """rad/s; known when they are judged, see ``integrator.elements``."""
    scale: Array
    """What stiffness and damping are times; likewise."""
    stiff: Mask
    """Whether each is too stiff to be followed; likewise."""

    def some(self, lanes: Index) -> Elements:
        """Return those of some islands."""
        names = (*_OF_ELEMENTS, "omega", "scale", "stiff")
        return replace(self, **{name: getattr(self, name)[lanes] for name in names})


class Shape:
    """Some islands of a system."""

    def __init__(self, system: System) -> None:
        """Prepare all islands of a system; numbers that it may change later are not copied."""
        self.bodies, self.others = system.bodies, system.others
        self.joints, self.rows = system.joints, system.rows
        self.closed = bool(system.closed)
        self.rounds = 2 if self.closed else 0
        self.little = LITTLE if self.closed else 0.0
        self.count, self.size = len(system.size), system.size
        self.inverse = 1.0 / system.roots[:, None]
        self.gyration = _gyration(system.roots[:, None, :, 3:])
        self.weight = system.weight[:, None]
        moving = bool((system.ends < self.bodies).all())
        self.floats: Mask = np.all(system.roots < FIXED, (1, 2)) & moving
        self.kinematics = Kinematics(system)
        self.algebra = Elimination(system)
        self.on_joints, self.on_rows = Sum(system.joint_of_row), Sum(system.element_row)
        """Add up what rows do to joints, and elements to rows."""
        self.lock: Mask = system.kind == RowKind.LOCK
        self.low, self.high = system.low, system.high
        bounded = ~self.lock & (np.isfinite(system.low) | np.isfinite(system.high)).any(0)
        self.bounded: Index = np.flatnonzero(bounded)
        self.elements = elements_of(system)
        self.axles = Axles(system)

    def some(self, lanes: Index) -> Shape:
        """Return some of these islands."""
        out = copy(self)
        out.count = len(lanes)
        for name in _OF_LANES:
            setattr(out, name, getattr(self, name)[lanes])
        out.kinematics, out.elements = self.kinematics.some(lanes), self.elements.some(lanes)
        return out


def _gyration(angular: Array) -> Array:
    """Return what products of scaled spins are times in torques, from roots of inertia.

    L x w = (I_2 - I_3) w_2 w_3 and so on.
    """
    square = angular * angular
    apart = square[..., [1, 2, 0]] - square[..., [2, 0, 1]]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        gyration = apart / angular.prod(-1)[..., None]
    return np.where(np.isfinite(gyration), gyration, 0.0)


def elements_of(system: System) -> Elements:
    """Return the elements of a system as they were read."""
    row = np.asarray(system.element_row, np.intp)
    numbers = {name: getattr(system, name)[:, None] for name in _OF_ELEMENTS}
    return Elements(
        row,
        system.is_drive != 0,
        system.one_sided != 0,
        system.accelerates != 0,
        system.kind[row] == RowKind.LOCK,
        **numbers,
        omega=np.zeros(numbers["speed"].shape),
        scale=np.ones(numbers["speed"].shape),
        stiff=np.zeros(numbers["speed"].shape, bool),
    )
