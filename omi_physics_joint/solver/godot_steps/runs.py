# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows that are solved one after the other, many at once where nothing is cut off in between.

Rows b = 1, 2, ... each take x_b = p W_b y_b, W_b = (E_b E_b^T + g)^-1, where y_b has learnt of all
x before it: y_b = y - E_b (E_1^T x_1 + ... ). That is one linear system for all of them,

    (strictly lower blocks of E E^T + blocks on its diagonal / p) x = y,

so a run of locks is solved by one product with its inverse, to the same numbers. What has bounds is
cut off before the next rows see it, so it is a run of its own. Runs depend on what islands are and
not on where they are: no island learns of its neighbours, to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..kinematics.rotation import Array, Index
from ..system import RowKind, System

MOST = 48
"""Rows of a run: more take longer to be inverted than to be gone through."""
NOTHING = 1e-200
"""Squared length of rows that move nothing; any that is next to zero would do."""
_SURE = 1e-12
"""Part of it that is added, so that rows which say the same can be solved. From 1e-15 to
1e-11 forces of a weld on a body that turns about one axis alone are the same to nine digits."""

_Step = tuple[Index, bool]
"""What is solved at once: numbers of impulses, and whether nothing bounds them."""


@dataclass(frozen=True, slots=True)
class Solving:
    """A run where islands stand: (N, k, ...) for k rows and c velocities."""

    entries: Array
    """(N, k, c)."""
    push: Array
    """(N, c, k) the same, transposed."""
    weights: Array
    """(N, k, k) what makes impulses of rates."""
    pull: Array
    """(N, k, c) weights times entries."""


class RowRun:
    """Rows that are solved by one product.

    Attributes:
        at: (k,) numbers of their impulses: rows, then elements.
        of_ends: (c,) numbers of the velocities of their bodies.
        is_free: whether nothing bounds their impulses.
        is_soft: whether it is an element.
    """

    def __init__(self, system: System, steps: Sequence[_Step]) -> None:
        """Take over what is solved, step by step."""
        self.at: Index = np.concatenate([at for at, _ in steps])
        self.is_free, self.is_soft = steps[0][1], bool(self.at[0] >= system.rows)
        rows = np.concatenate([np.arange(system.rows), system.element_row])
        self._row: Index = rows[self.at].astype(np.intp)
        bodies = system.ends[system.joint_of_row[self._row]]
        own, place = np.unique(bodies, return_inverse=True)
        six = np.arange(6)
        self.of_ends: Index = (6 * own[:, None] + six).reshape(-1)
        k, c = len(self.at), len(self.of_ends)
        to = 6 * place.reshape(k, 2, 1) + six + c * np.arange(k)[:, None, None]
        self._shape, self._to = (k, c), to.reshape(-1)
        step = np.repeat(np.arange(len(steps)), [len(at) for at, _ in steps])
        self._together: Array = np.asarray(step[:, None] == step, np.float64)
        self._before: Array = np.asarray(step[:, None] > step, np.float64)

    def solving(self, every: Array, soft: Array, part: float = 1.0) -> Solving:
        """Return what solves it.

        Args:
            every: (N, r, 12) entries of all rows.
            soft: (N, r + e) compliances of all impulses, which elements have.
            part: of what is off that impulses take away.
        """
        lanes, (k, c) = len(every), self._shape
        flat: Array = np.zeros((lanes, k * c))
        flat[:, self._to] = every.take(self._row, 1).reshape(lanes, -1)
        entries: Array = flat.reshape(lanes, k, c)
        push = np.ascontiguousarray(entries.swapaxes(-1, -2))
        moves = entries @ push
        square = np.diagonal(moves, axis1=-2, axis2=-1)
        size = square @ self._together
        least = soft.take(self.at, 1) if self.is_soft else _SURE * size
        root = 1.0 / np.sqrt(square + np.maximum(least, NOTHING))
        root *= size > NOTHING
        # Rows of length one: what is light beside what is heavy loses no digits.
        weights: Array
        if k == 1:
            weights = part * (root * root)[..., None]
        else:
            moves *= self._before + self._together / part
            moves *= root[..., None]
            moves *= root[:, None]
            moves[:, range(k), range(k)] = 1.0 / part
            weights = np.asarray(np.linalg.inv(moves), np.float64)
            weights *= root[..., None]
            weights *= root[:, None]
        return Solving(entries, push, weights, weights @ entries)


class Runs:
    """All rows of equal islands in Jolt's order: drives, rotations, distances; last joint first.

    Three locks of a kind are solved at once, others one by one.
    """

    def __init__(self, system: System) -> None:
        """Find what is solved together."""
        self._system = system
        self.turning = system.twisting[system.element_row]
        """(e,) which springs and motors turn."""

    @cached_property
    def pushed(self) -> list[RowRun]:
        """What finds velocities: drives too."""
        return list(self._runs(driven=True))

    @cached_property
    def pulled(self) -> list[RowRun]:
        """What pulls poses back onto rows."""
        return list(self._runs(driven=False))

    def _runs(self, *, driven: bool) -> Iterator[RowRun]:
        """Yield runs: steps that nothing cuts off, as many as follow each other."""
        gathered: list[_Step] = []
        for step in self._steps(driven=driven):
            count = sum(len(at) for at, _ in gathered) + len(step[0])
            if gathered and (not step[1] or not gathered[0][1] or count > MOST):
                yield RowRun(self._system, gathered)
                gathered = []
            gathered.append(step)
        if gathered:
            yield RowRun(self._system, gathered)

    def _steps(self, *, driven: bool) -> Iterator[_Step]:
        """Yield what is solved at once, one after the other."""
        system = self._system
        joint, straight, lock = system.joint_of_row, system.straight, system.kind == RowKind.LOCK
        for j in reversed(range(system.joints)):
            if driven:
                for e in np.flatnonzero(joint[system.element_row] == j):
                    yield np.array([system.rows + e]), False
            own = np.flatnonzero(joint == j)
            for part in (own[~straight[own]], own[straight[own]]):
                whole = len(part) == 3 and bool(lock[part].all())
                for at in [part] if whole else part[:, None]:
                    yield at, bool(lock[at].all())
