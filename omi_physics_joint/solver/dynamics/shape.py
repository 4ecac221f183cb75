# SPDX-License-Identifier: GPL-3.0-or-later
"""The constants of some islands of one shape, ready for many moments at once.

Arrays of islands and moments lead with (L, S): L islands ("lanes"), S moments of each. Constants
lead with (L, 1). Nothing that is computed for a lane depends on another one, to the last bit.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kinematics.axles import Axles
from ..kinematics.coordinates import Kinematics
from ..kinematics.rotation import Array
from ..linalg.blocks import BlockRows
from ..linalg.dense import LITTLE, DenseRows
from ..system import RowKind, System

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
FIXED = 1e150
"""Root of a mass or an inertia that nothing moves."""
_OF_LANES = ("size", "inverse", "gyration", "weight", "floats", "spin_scale", "low", "high")


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
    low: Array
    high: Array
    target: Array
    speed: Array
    most: Array

    def some(self, lanes: Index) -> Elements:
        """Return those of some islands."""
        shared = (self.row, self.is_drive, self.one_sided, self.accelerates, self.on_lock)
        own = (self.stiffness, self.damping, self.low, self.high, self.target, self.speed)
        return Elements(*shared, *(array[lanes] for array in (*own, self.most)))


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
        inverse = np.concatenate([self.inverse[:, 0], np.ones((self.count, self.others, 6))], 1)
        self.spin_scale = np.ascontiguousarray(inverse[:, None, :, 3:])
        self.kinematics = Kinematics(system, inverse)
        ends, slots = self.kinematics.pairs, self.kinematics.rows
        self.of_slot = np.full(self.kinematics.slots, self.rows)
        self.of_slot[slots] = np.arange(self.rows)
        kind = DenseRows if DenseRows.suits(self.bodies, self.rows) else BlockRows
        self.algebra: DenseRows | BlockRows = kind(
            self.bodies, ends, system.joint_of_row, slots, self.kinematics.slots
        )
        self.lock: Mask = system.kind == RowKind.LOCK
        self.all_locks = bool(self.lock.all())
        self.low, self.high = system.low, system.high
        bounded = ~self.lock & (np.isfinite(system.low) | np.isfinite(system.high)).any(0)
        self.bounded: Index = np.flatnonzero(bounded)
        self.elements = _elements(system, self.lock) if system.elements else None
        self.axles = Axles(system)

    def some(self, lanes: Index) -> Shape:
        """Return some of these islands."""
        out = copy(self)
        out.count = len(lanes)
        for name in _OF_LANES:
            setattr(out, name, getattr(self, name)[lanes])
        out.kinematics = self.kinematics.some(lanes)
        if self.elements is not None:
            out.elements = self.elements.some(lanes)
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


def _elements(system: System, lock: Mask) -> Elements:
    row = np.asarray(system.element_row, np.intp)
    return Elements(
        row,
        np.asarray(system.is_drive, bool),
        np.asarray(system.one_sided, bool),
        np.asarray(system.accelerates, bool),
        lock[row],
        system.stiffness[:, None],
        system.damping[:, None],
        system.soft_low[:, None],
        system.soft_high[:, None],
        system.target[:, None],
        system.speed[:, None],
        system.max_force[:, None],
    )
