# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal islands as the engines see them: what does not change while they move.

Velocities are "scaled": sqrt(m) v of the centre of mass in world axes, sqrt(I) w about principal
axes, six numbers a body. Kinetic energy is half their square, and the mass matrix is the identity.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .kinematics.rotation import Array, Index, Mask

Integers = NDArray[np.int32]


LINE, POINT, CONE, WHOLE = 6, 9, 10, 13
"""Coordinates of several axes together: distance from the axes X, Y, Z (6 to 8) and from the origin
(9), angle between both axes X, Y, Z (10 to 12), whole angle (13)."""
MOST_ROWS = 6
"""Of a joint: what its block in the matrix holds."""


class RowKind(IntEnum):
    """What a row of a coordinate is."""

    FREE = 0
    """A distance, a twist 2 atan2(v_i, s), or several axes together."""
    LOCK = 1
    """Held rigidly: a distance less its lock, or 2 (c v_i - e s), c + i e = exp(i phi / 2)."""
    HELD = 2
    """A twist that is held softly: phi + 2 asin(c v_i - e s)."""


@dataclass(frozen=True, eq=False, slots=True)
class System:
    """N islands with n bodies that forces move, o that they do not, m joints, r rows, e elements.

    Arrays are contiguous; numbers are those of one island, and the same in all. Bodies that forces
    move come first. Nodes are bodies, then joints.

    Attributes:
        bodies: n.
        others: o, that move by themselves or stand still.
        joints: m.
        rows: r, one for each coordinate that is limited or driven.
        elements: e, springs, soft limits and drives.
        closed: whether joints close loops, so that rows may follow from others.
        size: (N,) m, what errors are measured by.
        roots: (N, n, 6) roots of mass (three times) and of principal inertia.
        weight: (N, n, 6) scaled weights.
        ends: (m, 2) body of the joint, connected body.
        anchors: (N, m, 2, 3) origins of frames from the centres of mass, body axes, m.
        axes: (N, m, 2, 3, 3) axes of frames as columns, body axes.
        axle: (m,) the one axis, 0 to 2, that a joint turns about and on which nothing acts, or -1.
        row_start: (m + 1,) rows of each joint, rising by coordinate.
        coordinate: (r,) 0 to 2 distances, 3 to 5 rotations, from 6 on of several axes together.
        kind: (r,) a ``RowKind``.
        hold: (N, r) m or rad, where LOCK or HELD holds; else 0.
        low, high: (N, r) rigid bounds of what is no lock, else infinite.
        element_row: (e,).
        is_drive: (e,) else a soft limit.
        one_sided: (e,) whether it is a soft limit with a range.
        accelerates: (e,) whether stiffness and damping are times the inertia that they move.
        stiffness, damping, soft_low, soft_high, target, speed, max_force: (N, e).
        nodes, blocks: of the elimination, see ``ordering``.
        order, later_start, later_node, update: likewise.
    """

    bodies: int
    others: int
    joints: int
    rows: int
    elements: int
    closed: int
    size: Array
    roots: Array
    weight: Array
    ends: Integers
    anchors: Array
    axes: Array
    axle: Integers
    row_start: Integers
    coordinate: Integers
    kind: Integers
    hold: Array
    low: Array
    high: Array
    element_row: Integers
    is_drive: Integers
    one_sided: Integers
    accelerates: Integers
    stiffness: Array
    damping: Array
    soft_low: Array
    soft_high: Array
    target: Array
    speed: Array
    max_force: Array
    nodes: int
    blocks: int
    order: Integers
    later_start: Integers
    later_node: Integers
    update: Integers

    @property
    def islands(self) -> int:
        """Return N."""
        return len(self.size)

    def one(self, island: int) -> System:
        """Return a view of one island."""
        own = [field.name for field in fields(self) if field.type == "Array"]
        return replace(self, **{name: getattr(self, name)[island : island + 1] for name in own})

    @property
    def twisting(self) -> Mask:
        """Return which rows are rotations about one axis: (r,)."""
        return (self.coordinate >= 3) & (self.coordinate < LINE)

    @property
    def straight(self) -> Mask:
        """Return which rows are distances, along an axis or over several: (r,)."""
        return (self.coordinate < 3) | ((self.coordinate >= LINE) & (self.coordinate <= POINT))

    @property
    def joint_of_row(self) -> Index:
        """Return the joint of each row: (r,)."""
        return np.repeat(np.arange(self.joints), np.diff(self.row_start))
