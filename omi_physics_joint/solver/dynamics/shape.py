# SPDX-License-Identifier: GPL-3.0-or-later
"""The constants of some islands of one shape, ready for many moments at once.

Arrays of islands and moments lead with (L, S): L islands ("lanes"), S moments of each. Constants
lead with (L, 1). Nothing that is computed for a lane depends on another one, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kinematics.coordinates import LOCK, Frames, Kinematics
from ..kinematics.rotation_vectors import Array
from ..linalg.blocks import BlockRows
from ..linalg.dense import LITTLE, DenseRows
from ..system import System

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


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


class Shape:
    """Some islands of a system."""

    def __init__(self, system: System, lanes: Index | None = None) -> None:
        """Prepare those islands, or all.

        Args:
            system: with all islands of the shape.
            lanes: numbers of islands.
        """

        def of(array: Array) -> Array:
            return array if lanes is None else array[lanes]

        self.system, self.lanes = system, lanes
        self.bodies, self.others = system.bodies, system.others
        self.joints, self.rows = system.joints, system.rows
        self.closed = bool(system.closed)
        self.rounds = 2 if self.closed else 0
        self.little = LITTLE if self.closed else 0.0
        self.size = of(system.size)
        roots = of(system.roots)
        self.count = len(roots)
        self.inverse = 1.0 / roots[:, None]
        angular = roots[:, None, :, 3:]
        # L x w = (I_2 - I_3) w_2 w_3 and so on; of scaled spins, and scaled again.
        square = angular * angular
        with np.errstate(invalid="ignore"):
            gyration = (square[..., [1, 2, 0]] - square[..., [2, 0, 1]]) / angular.prod(-1)[
                ..., None
            ]
        self.gyration = np.where(np.isfinite(gyration), gyration, 0.0)
        self.weight = of(system.weight)[:, None]
        moving = (np.asarray(system.ends) < self.bodies).all()
        self.floats: Mask = (roots < 1e150).all((1, 2)) & bool(moving)
        ends = np.asarray(system.ends, np.intp).reshape(-1, 2)
        joint = np.repeat(np.arange(self.joints), np.diff(system.row_start))
        slots = 6 * joint + system.coordinate
        self.slots: Index = slots
        self.row_joint: Index = joint
        self.of_slot = np.full(6 * self.joints, self.rows)
        self.of_slot[slots] = np.arange(self.rows)
        m = self.joints
        anchors, axes = of(system.anchors), of(system.axes)
        frames = Frames(
            ends.T.reshape(-1),
            anchors.swapaxes(1, 2).reshape(self.count, 2 * m, 3),
            axes.swapaxes(1, 2).reshape(self.count, 2 * m, 3, 3),
            slots,
            np.asarray(system.kind),
            of(system.hold),
        )
        inverse = np.concatenate([self.inverse[:, 0], np.ones((self.count, self.others, 6))], 1)
        self.spin_scale = np.ascontiguousarray(inverse[:, None, :, 3:])
        self.kinematics = Kinematics(frames, inverse)
        kind = DenseRows if DenseRows.suits(self.bodies, self.rows) else BlockRows
        self.algebra: DenseRows | BlockRows = kind(self.bodies, ends, slots)
        self.lock: Mask = np.asarray(system.kind) == LOCK
        self.all_locks = bool(self.lock.all())
        self.low, self.high = of(system.low), of(system.high)
        bounded = ~self.lock & (np.isfinite(system.low) | np.isfinite(system.high)).any(0)
        self.bounded: Index = np.flatnonzero(bounded)
        self.elements: Elements | None = None
        if system.elements:
            self.elements = Elements(
                np.asarray(system.element_row, np.intp)[: system.elements],
                np.asarray(system.is_drive, bool)[: system.elements],
                np.asarray(system.one_sided, bool)[: system.elements],
                np.asarray(system.accelerates, bool)[: system.elements],
                self.lock[np.asarray(system.element_row, np.intp)[: system.elements]],
                *(
                    of(array)[:, None]
                    for array in (
                        system.stiffness,
                        system.damping,
                        system.soft_low,
                        system.soft_high,
                        system.target,
                        system.speed,
                        system.max_force,
                    )
                ),
            )

    def some(self, lanes: Index) -> Shape:
        """Return some of these islands."""
        return Shape(self.system, lanes if self.lanes is None else self.lanes[lanes])
