# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal islands as the integrators see them: ordered bodies, rows, springs, and a direct solver.

Velocities are "scaled": sqrt(m) v of the centre of mass in world axes, sqrt(I) w about principal
axes, six numbers a body. Kinetic energy is half their square, and the mass matrix is the identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from .bodies import Bodies
from .coordinates import Coordinates, Frames, Pose, frames_of
from .elimination import BlockInverse, Blocks
from .factor import Dense, Inverse
from .joints import Joint
from .rotation import Array
from .springs import Element, Springs, gather_springs
from .state import AXIS, KINDS, Places

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
Inverses = list[Inverse] | BlockInverse
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
    """Bodies and joints of equal islands, and the linear algebra of their rows."""

    def __init__(
        self,
        islands: int,
        bodies: Bodies,
        frames: Frames,
        rows: Rows,
        springs: Springs,
        *,
        closes: bool,
    ) -> None:
        """Lay out what follows from these.

        Args:
            islands: how many there are; all else is in their order.
            bodies: dynamic ones, then those that are not.
            frames: of the joints.
            rows: of the joints.
            springs: on the rows.
            closes: whether joints close loops.
        """
        self.islands, self.bodies, self.frames = islands, bodies, frames
        self.rows, self.springs, self.closes = rows, springs, closes
        self.count = int(bodies.dynamic.sum())
        self.width = self.count // islands
        self.height = len(rows.joint) // islands
        coordinates = self.coordinates = Coordinates(frames, bodies)
        part, slot = np.divmod(rows.coordinate, 3)
        pool = coordinates.start[rows.joint, part] + slot
        straight = len(pool) == coordinates.size and (pool == np.arange(len(pool))).all()
        self.pool: Index | None = None if straight else pool
        self.leaps: Mask = coordinates.leaps.take(pool)
        """(rows,) angles that are none at some pose."""
        self.moves = (rows.bodies < self.count).astype(np.float64)
        self.locks_of = np.full((coordinates.count, 6), -1, dtype=np.intp)
        locked = np.flatnonzero(rows.locked)
        self.locks_of[rows.joint[locked], rows.coordinate[locked]] = locked
        self.entries = self.before = np.zeros((len(rows.joint), 2, 6))
        ends = np.where(rows.bodies < self.count, rows.bodies, -1)
        self.linear: Dense | Blocks
        if is_large(self.height, closes=closes):
            self.linear = Blocks(self.width, ends, rows.joint, closes=closes)
        else:
            shape = (islands, self.height, self.width)
            self.linear = Dense(shape, ends, closes=closes)
        self.inverse_mass_root = bodies.mass[: self.count, None] ** -0.5
        self.inverse_inertia_root = bodies.inertia[: self.count] ** -0.5
        linear = np.repeat(self.inverse_mass_root, 3, 1)
        self.inverse_roots = np.concatenate([linear, self.inverse_inertia_root], 1)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.rows.joint)

    def part(self, which: Index) -> System:
        """Return the system of some of the islands."""
        count, k = self.count, len(which)
        fixed = np.arange(count, len(self.bodies.mass))
        bodies = self.bodies.ordered(np.concatenate([self._of(which, self.width), fixed]))
        new = k * self.width

        def ends(old: Index, same: Index) -> Index:
            # Islands are equal, so that numbers are those of as many first ones.
            return np.where(old >= count, old - count + new, same)

        joints = self.coordinates.count // self.islands
        own, first = self._of(which, joints), np.arange(k * joints)
        both = np.concatenate([own, own + self.coordinates.count])
        both_first = np.concatenate([first, first + self.coordinates.count])
        frames_ends = ends(self.frames.ends.take(both), self.frames.ends.take(both_first))
        at = self._of(which, self.height)
        rows, springs = self.rows, self.springs
        size = len(at)
        pulls = self._of(which, len(springs) // self.islands)
        taken = {f.name: getattr(springs, f.name).take(pulls) for f in fields(springs)}
        taken["row"], taken["joint"] = springs.row[: len(pulls)], springs.joint[: len(pulls)]
        return System(
            k,
            bodies,
            self.frames.part(own, frames_ends),
            Rows(
                rows.joint[:size],
                rows.coordinate[:size],
                rows.low.take(at),
                rows.high.take(at),
                rows.locked.take(at),
                rows.limited.take(at),
                ends(rows.bodies.take(at, 0), rows.bodies[:size]),
            ),
            replace(springs, **taken),
            closes=self.closes,
        )

    def places(self, which: Index) -> Places:
        """Return where some islands are in the arrays of a state."""
        dynamic = self._of(which, self.width)
        fixed = np.arange(self.count, len(self.bodies.mass))
        at = {
            "islands": which,
            "dynamic": dynamic,
            "bodies": np.concatenate([dynamic, fixed]),
            "pool": self.coordinates.pool_of_islands(which, self.islands),
            "rows": self._of(which, self.height),
        }
        return {name: at[KINDS.get(name, "rows")] for name in AXIS}

    @staticmethod
    def _of(which: Index, size: int) -> Index:
        return (which[:, None] * size + np.arange(size)).reshape(-1)

    def most(self, values: Array) -> Array:
        """Return the largest absolute value of each island: (islands,)."""
        return np.asarray(np.abs(values).reshape(self.islands, -1).max(1, initial=0.0))

    def choose(self, which: Mask, new: Array, old: Array) -> Array:
        """Return an array of rows or dynamic bodies with some islands of one, the rest of another.

        Args:
            which: (islands,) those of ``new``.
            new: one array.
            old: another of its shape.
        """
        flat = new.reshape(self.islands, -1), old.reshape(self.islands, -1)
        return np.where(which[:, None], *flat).reshape(new.shape)

    def values(self, position: Array, rotation: Array) -> tuple[Array, Pose]:
        """Return the coordinate of every row (rows,), and what ``set_gradients`` needs."""
        pool, pose = self.coordinates.values(position, rotation)
        return (pool if self.pool is None else pool.take(self.pool)), pose

    def set_gradients(self, pose: Pose) -> None:
        """Take over the gradients at a pose."""
        entries = self.coordinates.entries(pose)
        if self.pool is not None:
            entries = entries.take(self.pool, 0)
        self.take_gradients(entries)

    def take_gradients(self, entries: Array) -> None:
        """Take over gradients (rows, 2, 6)."""
        self.linear.set_entries(entries)
        self.before, self.entries = self.entries, entries

    def forget(self) -> None:
        """Take the gradients as the first: there are none to extrapolate from."""
        self.linear.forget()
        self.before = self.entries

    def remember_turns(self, values: Array, pose: Pose) -> None:
        """Let angles be continued from these values, and the pose that they are of."""
        coordinates = self.coordinates
        place = slice(coordinates.size) if self.pool is None else self.pool
        coordinates.reference[place] = values
        coordinates.remember(pose)

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
        return self.linear.invert(active, compliance, ahead=ahead, once=once)

    def solve(self, inverses: Inverses, rhs: Array) -> Array:
        """Return (G G^T)^-1 rhs over the active rows, zero elsewhere."""
        return self.linear.solve(inverses, rhs)  # type: ignore[arg-type]

    def reduce(self, inverses: Inverses, multipliers: Array) -> Array:
        """Return multipliers without what moves nothing, where rows follow from others.

        No iteration ever takes that out: what a guess has of it would stay, and grow.
        """
        if not self.closes:
            return multipliers
        return self.linear.reduce(inverses, multipliers)  # type: ignore[arg-type]

    def push(self, multipliers: Array) -> Array:
        """Return G^T multipliers: (dynamic bodies, 6) scaled forces or impulses."""
        return self.linear.push(multipliers)

    def pull(self, velocity: Array) -> Array:
        """Return G velocity: the rates (rows,) due to dynamic bodies."""
        return self.linear.pull(velocity)


def is_large(height: int, *, closes: bool) -> bool:
    """Whether an island of so many rows is eliminated joint by joint, alone."""
    return height > (DENSE_ROWS_IN_LOOPS if closes else DENSE_ROWS)


def coordinates_of(joint: Joint) -> list[int]:
    """Return the coordinates of a joint that anything acts on."""
    used = {c for c in range(6) if np.isfinite(joint.low[c]) or np.isfinite(joint.high[c])}
    return sorted(used | {element.coordinate for element in joint.elements})


def system_of(islands: int, bodies: Bodies, joints: Sequence[Joint], *, closes: bool) -> System:
    """Return the system of equal islands.

    Args:
        islands: how many.
        bodies: island by island, then those that are not dynamic.
        joints: island by island, with bodies numbered as in ``bodies``.
        closes: whether joints close loops.
    """
    pairs = [(j, c) for j, one in enumerate(joints) for c in coordinates_of(one)]
    joint, coordinate = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    low, high = (
        np.array([float(getattr(joints[j], name)[c]) for j, c in pairs]).reshape(-1)
        for name in ("low", "high")
    )
    row_of = {pair: row for row, pair in enumerate(pairs)}
    for row, (j, c) in enumerate(pairs):
        if c < 3 and joints[j].is_point:
            low[row] = high[row] = 0.0  # the lock went into the frame
    found = [
        (row_of[j, element.coordinate], j, element)
        for j, one in enumerate(joints)
        for element in one.elements
        if not (one.is_point and element.coordinate < 3)  # nothing soft moves what is locked
    ]
    at, of, elements = ([one[i] for one in found] for i in range(3))
    ends = np.array([joints[j].bodies for j, _ in pairs], dtype=np.intp)
    rows = Rows(
        joint=joint.copy(),
        coordinate=coordinate.copy(),
        low=low,
        high=high,
        locked=low == high,
        limited=(low != high) & (np.isfinite(low) | np.isfinite(high)),
        bodies=ends.reshape(-1, 2),
    )
    springs = gather_springs(at, of, elements)  # type: ignore[arg-type]
    return System(islands, bodies, frames_of(joints, bodies), rows, springs, closes=closes)


def build_of(joint: Joint) -> tuple[object, ...]:
    """Return what must be the same of two joints that are computed together."""
    own = coordinates_of(joint)
    return (
        tuple(own),
        tuple(bool(joint.low[c] == joint.high[c]) for c in own),
        tuple(bool(np.isfinite(joint.low[c]) or np.isfinite(joint.high[c])) for c in own),
        tuple(np.isnan(joint.held_at)),
        tuple(_law_of(element) for element in joint.elements),
    )


def _law_of(element: Element) -> tuple[int, bool, bool]:
    return element.coordinate, element.is_drive, element.accelerates
