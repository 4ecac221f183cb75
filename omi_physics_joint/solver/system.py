# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism as the integrators see it: ordered bodies, rows, springs, and a direct solver.

Velocities are "scaled": sqrt(m) v of the centre of mass in world axes, sqrt(I) w about principal
axes, six numbers a body. Kinetic energy is half their square, and the mass matrix is the identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .bodies import Bodies
from .coordinates import Coordinates, Pose
from .elimination import BlockGroup, BlockInverse
from .factor import DenseGroup, Inverse
from .islands import Group, grouped_islands
from .joints import Joint
from .rotation import Array
from .springs import Element, Springs, gather_springs

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
Inverses = list[Inverse | BlockInverse]
DENSE_ROWS = 90
"""An island with more rows than this is eliminated joint by joint."""
DENSE_ROWS_IN_LOOPS = 240
"""The same where joints close loops: only a dense matrix says which rows follow from others."""


@dataclass(slots=True)
class Rows:
    """One row for each coordinate that is limited or driven, island by island.

    Attributes:
        joint: (rows,) joint of each row, in the order of the system.
        coordinate: (rows,) 0 to 5.
        low, high: (rows,) rigid bounds.
        locked: (rows,) where they are the same.
        limited: (rows,) where there is a rigid bound but no lock.
        bodies: (rows, 2) bodies at its ends.
    """

    joint: Index
    coordinate: Index
    low: Array
    high: Array
    locked: Mask
    limited: Mask
    bodies: Index


class System:
    """Bodies and joints in the order of islands, and the linear algebra of their rows."""

    def __init__(self, bodies: Bodies, joints: list[Joint]) -> None:
        """Order bodies and joints, and lay out rows and groups.

        Args:
            bodies: in node order.
            joints: bodies numbered as in ``bodies``.
        """
        coordinates = [_coordinates_of(joint) for joint in joints]
        groups = grouped_islands(
            [int(i) for i in np.flatnonzero(bodies.dynamic)],
            [joint.bodies for joint in joints],
            lambda j: (tuple(coordinates[j]), tuple(joints[j].low == joints[j].high)),
        )
        islands = [island for group in groups for island in group.islands]
        order = [body for island in islands for body in island[0]]
        order += [int(i) for i in np.flatnonzero(~bodies.dynamic)]
        self.order: Index = np.array(order, dtype=np.intp)
        self.place: Index = np.argsort(self.order)
        self.bodies = bodies.ordered(self.order)
        self.joint_order = [j for island in islands for j in island[1]]
        self.joints = [_renumbered(joints[j], self.place) for j in self.joint_order]
        self.count = int(bodies.dynamic.sum())
        self.coordinates = Coordinates(self.joints, self.bodies)
        self.rows, self.springs, pool = self._rows([coordinates[j] for j in self.joint_order])
        straight = len(pool) == self.coordinates.size and (pool == np.arange(len(pool))).all()
        self.pool: Index | None = None if straight else pool
        self.moves = (self.rows.bodies < self.count).astype(np.float64)
        self.locks_of = np.full((len(self.joints), 6), -1, dtype=np.intp)
        locked = np.flatnonzero(self.rows.locked)
        self.locks_of[self.rows.joint[locked], self.rows.coordinate[locked]] = locked
        self.entries = np.zeros((len(self.rows.joint), 2, 6))
        self.islands: Index = np.zeros(len(self.rows.joint), dtype=np.intp)
        """Which island each row belongs to."""
        self._lay_out(groups, coordinates, joints)
        self.inverse_mass_root = self.bodies.mass[: self.count, None] ** -0.5
        self.inverse_inertia_root = self.bodies.inertia[: self.count] ** -0.5
        linear = np.repeat(self.inverse_mass_root, 3, 1)
        self.inverse_roots = np.concatenate([linear, self.inverse_inertia_root], 1)

    def _lay_out(
        self, groups: list[Group], coordinates: list[list[int]], joints: list[Joint]
    ) -> None:
        """Make the groups that solve for their rows."""
        self.groups: list[DenseGroup | BlockGroup] = []
        row, body = 0, 0
        for group in groups:
            count, width = len(group.islands), len(group.islands[0][0])
            height = sum(len(coordinates[j]) for j in group.islands[0][1])
            if height:
                part = slice(row, row + count * height)
                self.islands[part] = part.start + np.repeat(np.arange(count), height)
                ends = np.where(self.rows.bodies < self.count, self.rows.bodies, -1)[part]
                closes = _closes([joints[j].bodies for j in group.islands[0][1]], width, self.count)
                if height > (DENSE_ROWS_IN_LOOPS if closes else DENSE_ROWS):
                    joint = self.rows.joint[part]
                    self.groups.append(
                        BlockGroup(row, body, count * width, ends, joint, closes=closes)
                    )
                else:
                    shape = (count, height, width)
                    self.groups.append(DenseGroup(row, body, shape, ends, closes=closes))
            row, body = row + count * height, body + count * width
        self.closes = any(one.closes for one in self.groups)
        """Whether rows may follow from others, and contradict them a little."""
        self.alone: DenseGroup | None = None
        """The only group, where it is dense and has all rows and bodies."""
        first = self.groups[0] if len(self.groups) == 1 else None
        if isinstance(first, DenseGroup) and first.bodies == slice(0, self.count):
            self.alone = first

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.rows.joint)

    def _rows(self, coordinates: list[list[int]]) -> tuple[Rows, Springs, Index]:
        """Lay out one row for each coordinate in use."""
        joint = [j for j, own in enumerate(coordinates) for _ in own]
        coordinate = [c for own in coordinates for c in own]
        pairs = list(zip(joint, coordinate, strict=True))
        low, high = (
            np.array([float(getattr(self.joints[j], name)[c]) for j, c in pairs]).reshape(-1)
            for name in ("low", "high")
        )
        row_of = {pair: row for row, pair in enumerate(pairs)}
        for row, (j, c) in enumerate(pairs):
            if c < 3 and self.joints[j].is_point:
                low[row] = high[row] = 0.0  # the lock went into the frame
        elements: list[Element] = []
        at: list[int] = []
        of: list[int] = []
        for j, one in enumerate(self.joints):
            for element in one.elements:
                if one.is_point and element.coordinate < 3:
                    continue  # nothing soft moves what is locked
                elements.append(element)
                at.append(row_of[j, element.coordinate])
                of.append(j)
        pool = np.array([self.coordinates.pool_of(j, c) for j, c in pairs], dtype=np.intp)
        ends = [self.joints[j].bodies for j in joint]
        rows = Rows(
            joint=np.array(joint, dtype=np.intp),
            coordinate=np.array(coordinate, dtype=np.intp),
            low=low,
            high=high,
            locked=low == high,
            limited=(low != high) & (np.isfinite(low) | np.isfinite(high)),
            bodies=np.array(ends, dtype=np.intp).reshape(-1, 2),
        )
        return rows, gather_springs(at, of, elements), pool

    def values(self, position: Array, rotation: Array) -> tuple[Array, Pose]:
        """Return the coordinate of every row (rows,), and what ``set_gradients`` needs."""
        pool, pose = self.coordinates.values(position, rotation)
        return (pool if self.pool is None else pool.take(self.pool)), pose

    def set_gradients(self, pose: Pose) -> None:
        """Take over the gradients at a pose."""
        entries = self.coordinates.entries(pose)
        if self.pool is not None:
            entries = entries.take(self.pool, 0)
        for group in self.groups:
            group.set_entries(entries)
        self.entries = entries

    def remember_turns(self, values: Array) -> None:
        """Let angles be unwrapped from these values on."""
        reference = self.coordinates.reference
        if self.pool is None:
            reference[:] = values
        else:
            reference[self.pool] = values

    def effective_inertia(self, which: Index) -> Array:
        """Return the inertia that rows of joints move, in kg or kg m^2.

        It is that of the two bodies along the row with the joint's own locks enforced and all other
        joints left out: 1 / (a - b C^-1 b^T), with a = g g^T, C = L L^T,
        b = g L^T, g the row and L the locked rows of its joint.

        Args:
            which: numbers of the rows, (m,).
        """
        entries = (self.entries * self.moves[:, :, None]).reshape(len(self), 12)
        g = entries.take(which, 0)
        a = (g * g).sum(1)
        # Locked rows of each joint, padded to six with rows of zeros.
        padded = np.concatenate([entries, np.zeros((1, 12))])
        own = self.locks_of.take(self.rows.joint.take(which), 0)
        locks = padded[np.where(own == which[:, None], -1, own)]
        c = locks @ locks.transpose(0, 2, 1)
        trace = np.maximum(c.trace(axis1=1, axis2=2), 1e-290)
        empty = 1.0 - (c.diagonal(axis1=1, axis2=2) > 0.0)
        c += (1e-13 + empty)[:, :, None] * trace[:, None, None] * np.eye(6)
        b = locks @ g[:, :, None]
        reduced = a - (b * np.linalg.solve(c, b)).sum((1, 2))
        return np.asarray(1.0 / np.maximum(reduced, np.maximum(1e-12 * a, 1e-290)))

    def forget(self) -> None:
        """Take the gradients as the first: there are none to extrapolate from."""
        for group in self.groups:
            group.forget()

    def invert(
        self,
        active: Mask | None,
        compliance: Array | None = None,
        *,
        ahead: bool = False,
        once: bool = False,
    ) -> Inverses:
        """Factor G G^T, or what it will be at the end of a substep, over the active rows.

        Args:
            active: (rows,), or None for all.
            compliance: (rows,) added to the diagonal, or None.
            ahead: whether it is to be what it will be at the end of the next substep.
            once: whether there will be a single solve: small systems are then better not inverted.
        """
        return [group.invert(active, compliance, ahead=ahead, once=once) for group in self.groups]

    def solve(self, inverses: Inverses, rhs: Array) -> Array:
        """Return (G G^T)^-1 rhs over the active rows, zero elsewhere."""
        first = inverses[0] if self.alone is not None else None
        if isinstance(first, Inverse) and first.rows is None:
            return first.times(rhs.reshape(len(first.matrix), -1)).reshape(-1)
        out = np.zeros(len(self))
        for group, inverse in zip(self.groups, inverses, strict=True):
            group.solve(inverse, rhs, out)  # type: ignore[arg-type]
        return out

    def reduce(self, inverses: Inverses, multipliers: Array) -> Array:
        """Return multipliers without what moves nothing, where rows follow from others.

        No iteration ever takes that out: what a guess has of it would stay, and grow.
        """
        if self.closes:
            multipliers = multipliers.copy()
            for group, inverse in zip(self.groups, inverses, strict=True):
                if group.closes:
                    group.reduce(inverse, multipliers)  # type: ignore[arg-type]
        return multipliers

    def push(self, multipliers: Array) -> Array:
        """Return G^T multipliers: (dynamic bodies, 6) scaled forces or impulses."""
        if self.alone is not None:
            return self.alone.pushed(multipliers)
        out = np.zeros((self.count, 6))
        for group in self.groups:
            group.push(multipliers, out)
        return out

    def pull(self, velocity: Array) -> Array:
        """Return G velocity: the rates (rows,) due to dynamic bodies."""
        if self.alone is not None:
            return self.alone.pulled(velocity)
        out = np.zeros(len(self))
        for group in self.groups:
            group.pull(velocity, out)
        return out


def _coordinates_of(joint: Joint) -> list[int]:
    """Return the coordinates of a joint that anything acts on."""
    used = {c for c in range(6) if np.isfinite(joint.low[c]) or np.isfinite(joint.high[c])}
    return sorted(used | {element.coordinate for element in joint.elements})


def _closes(ends: Sequence[tuple[int, int]], width: int, count: int) -> bool:
    """Whether the joints of an island close a loop, all that is not dynamic being one thing.

    Args:
        ends: the bodies of its joints.
        width: how many bodies it has.
        count: numbers from this on are not dynamic.
    """
    held = any(body >= count for pair in ends for body in pair)
    return len(ends) >= width + held


def _renumbered(joint: Joint, place: Index) -> Joint:
    """Return the joint with its bodies numbered as the system orders them."""
    joint.bodies = (int(place[joint.bodies[0]]), int(place[joint.bodies[1]]))
    return joint
