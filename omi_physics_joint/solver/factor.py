# SPDX-License-Identifier: GPL-3.0-or-later
"""Direct solve of G G^T for a group of equal, small islands: dense and batched.

Inverting once and multiplying afterwards is the cheapest in NumPy: at 30 rows a product costs 2 us,
a solve 39 us.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .rotation import Array

REGULARIZATION = 1e-13
"""Part of the largest diagonal element that is added to the diagonal.

It makes redundant rows share their load (the minimum-norm solution, up to this much) and is far
below what any row of a sound mechanism has. Its error is taken out by the iterations on top."""
SINGULAR = 1e-11
"""Part of the largest singular value below which one is none, in islands whose joints close loops.

There some rows follow from others, but for what single precision has left of the axes: they do not
quite agree, and what they disagree on must not be divided by next to nothing."""


@dataclass(slots=True)
class Inverse:
    """The inverse of G G^T (plus compliance) over the active rows of a group."""

    rows: NDArray[np.intp] | None
    """Rows of an island that are active in any of the islands; None is all."""
    matrix: Array
    """(islands, active, active)."""
    mask: Array | None = None
    """(islands, active) zero where a row is active in other islands only."""
    little: Array | None = None
    """Where the matrix is not yet inverted: what was added to its diagonal."""
    gram: Array | None = None
    """What was inverted, where some rows follow from others."""

    def times(self, part: Array) -> Array:
        """Return the inverse times right-hand sides (islands, active)."""
        if self.little is not None:
            try:
                return np.asarray(np.linalg.solve(self.matrix, part[:, :, None])[:, :, 0])
            except np.linalg.LinAlgError:
                self.matrix, self.little = _inverted(self.matrix, self.little), None
        if len(part) == 1:
            return np.asarray(self.matrix[0].dot(part[0])[None])
        return np.asarray((self.matrix @ part[:, :, None])[:, :, 0])

    def in_range(self, part: Array) -> Array:
        """Return multipliers (islands, active) without what moves nothing: the smallest alike."""
        if self.gram is None:
            return part
        return self.times((self.gram @ part[:, :, None])[:, :, 0])


class DenseGroup:
    """``count`` equal islands of ``height`` rows and ``width`` bodies each."""

    def __init__(
        self,
        first_row: int,
        first_body: int,
        shape: tuple[int, int, int],
        ends: NDArray[np.intp],
        *,
        closes: bool = False,
    ) -> None:
        """Lay out a group.

        Args:
            first_row: its first row among all rows.
            first_body: its first body among all bodies.
            shape: number of islands, rows an island, bodies an island.
            ends: (rows, 2) index of the body at each end of each of its rows, -1 if not dynamic.
            closes: whether its joints close loops, so that rows may follow from others.
        """
        self.closes = closes
        count, height, width = shape
        self.count, self.height, self.width = shape
        self.rows = slice(first_row, first_row + count * height)
        self.bodies = slice(first_body, first_body + count * width)
        self.matrix = np.zeros((count, height, 6 * width))
        self.before = np.zeros_like(self.matrix)
        local = np.where(ends >= 0, (ends - first_body) % max(width, 1), -1)
        row = np.arange(count * height)[:, None, None] * (6 * width)
        where = row + 6 * local[:, :, None] + np.arange(6)
        sound = np.broadcast_to((local >= 0)[:, :, None], where.shape)
        self.target: NDArray[np.intp] = where[sound]
        self.source: NDArray[np.intp] = np.flatnonzero(sound.ravel())

    def set_entries(self, entries: Array) -> None:
        """Take over the scaled gradients (rows, 2, 6) of all rows."""
        self.matrix, self.before = self.before, self.matrix
        part = entries[self.rows].reshape(-1)
        self.matrix.reshape(-1)[self.target] = part.take(self.source)

    def remember(self) -> tuple[Array, ...]:
        """Return the gradients, and those before."""
        return self.matrix.copy(), self.before.copy()

    def return_to(self, kept: tuple[Array, ...]) -> None:
        """Put back what ``remember`` gave."""
        self.matrix[:], self.before[:] = kept

    def forget(self) -> None:
        """Take the gradients to have been what they are: nothing to extrapolate from."""
        self.before[:] = self.matrix

    def invert(
        self,
        active: NDArray[np.bool_] | None,
        compliance: Array | None,
        *,
        ahead: bool = False,
        once: bool = False,
    ) -> Inverse:
        """Invert over the active rows.

        Args:
            active: (all rows,) or None for all of them.
            compliance: (all rows,) added to the diagonal, or None.
            ahead: whether rates are to be those at the end of the next substep, with gradients
                extrapolated: G_n+1 G_n^T, G_n+1 = 2 G_n - G_n-1. The residual of a drift moves by
                this; it lets the iteration settle in half as many rounds.
            once: whether there will be a single solve, which is then made without the inverse.
        """
        matrix, rows, extra, mask = self.matrix, None, None, None
        end = 2.0 * matrix - self.before if ahead else matrix
        if active is not None:
            on = active[self.rows].reshape(self.count, self.height)
            if not on.all():
                rows = np.flatnonzero(on.any(0))
                on = on.take(rows, 1)
                matrix, end = matrix.take(rows, 1), end.take(rows, 1)
                if not on.all():
                    matrix, end = matrix * on[:, :, None], end * on[:, :, None]
                    mask, extra = on.astype(np.float64), np.where(on, 0.0, 1.0)
        if compliance is not None:
            soft = compliance[self.rows].reshape(self.count, self.height)
            soft = soft if rows is None else soft.take(rows, 1)
            extra = soft if extra is None else extra + soft
        gram, little = _product(end, matrix, extra)
        if self.closes:
            inverse, has_null_space = _inverted_in_range(gram, little)
            return Inverse(rows, inverse, mask, gram=gram if has_null_space else None)
        if once and gram.size:
            return Inverse(rows, gram, mask, little)
        return Inverse(rows, _inverted(gram, little), mask)

    def solve(self, inverse: Inverse, rhs: Array, out: Array) -> None:
        """Write the solution for the active rows into ``out``, zero for the others."""
        self._write(inverse, inverse.times(self._active(inverse, rhs)), out)

    def reduce(self, inverse: Inverse, multipliers: Array) -> None:
        """Take out of multipliers (all rows,) what moves nothing."""
        if inverse.gram is not None:
            part = self._active(inverse, multipliers)
            self._write(inverse, inverse.in_range(part), multipliers)

    def _active(self, inverse: Inverse, values: Array) -> Array:
        """Return the values of the active rows: (islands, active)."""
        part = values[self.rows].reshape(self.count, self.height)
        if inverse.rows is not None:
            part = part.take(inverse.rows, 1)
        return part if inverse.mask is None else part * inverse.mask

    def _write(self, inverse: Inverse, part: Array, out: Array) -> None:
        """Write what belongs to the active rows into ``out``, zero for the others."""
        if inverse.rows is not None:
            block = np.zeros((self.count, self.height))
            block[:, inverse.rows] = part
            part = block
        out[self.rows] = part.reshape(-1)

    def push(self, multipliers: Array, out: Array) -> None:
        """Write G^T times multipliers (all rows,) into ``out`` (dynamic bodies, 6)."""
        out[self.bodies] = self.pushed(multipliers[self.rows])

    def pull(self, velocity: Array, out: Array) -> None:
        """Write G times scaled velocities (dynamic bodies, 6) into ``out`` (all rows,)."""
        out[self.rows] = self.pulled(velocity[self.bodies])

    def pushed(self, multipliers: Array) -> Array:
        """Return G^T times multipliers of its own rows: (own bodies, 6)."""
        if self.count == 1:  # NumPy is faster where a product is not one of a batch
            return np.asarray(multipliers.dot(self.matrix[0]).reshape(-1, 6))
        part = multipliers.reshape(self.count, 1, self.height)
        return np.asarray((part @ self.matrix).reshape(-1, 6))

    def pulled(self, velocity: Array) -> Array:
        """Return G times scaled velocities of its own bodies: (own rows,)."""
        if self.count == 1:
            return np.asarray(self.matrix[0].dot(velocity.reshape(-1)))
        part = velocity.reshape(self.count, 6 * self.width, 1)
        return np.asarray((self.matrix @ part).reshape(-1))

    def gram(self, active: NDArray[np.bool_]) -> list[tuple[NDArray[np.intp], Array]]:
        """Return rows (numbers among all) and G G^T of the active ones, island by island."""
        on = active[self.rows].reshape(self.count, self.height)
        parts = []
        for island in range(self.count):
            rows = np.flatnonzero(on[island])
            block = self.matrix[island].take(rows, 0)
            parts.append((self.rows.start + island * self.height + rows, block @ block.T))
        return parts


def _product(end: Array, matrix: Array, extra: Array | None) -> tuple[Array, Array]:
    """Return E G^T + diag(extra) + a little for a batch of E and G, and that little."""
    single = len(matrix) == 1
    gram = end[0].dot(matrix[0].T)[None] if single else end @ matrix.transpose(0, 2, 1)
    if gram.size == 0:
        return gram, np.zeros((len(gram), 1))
    diagonal = _diagonal(gram)
    little = np.maximum(REGULARIZATION * diagonal.max(1)[:, None], 1e-290)
    if extra is not None:
        diagonal += extra
    diagonal += little
    return gram, little


def _inverted_in_range(gram: Array, little: Array) -> tuple[Array, bool]:
    """Return the inverses of a batch of matrices on what their rows say that is new.

    Second, whether any of them has rows that say nothing new.
    """
    if gram.size == 0:
        return gram, False
    scale = _diagonal(gram).max(1)
    inverse = _inverted(gram.copy(), little)
    if (_diagonal(inverse).max(1) * scale).max() * SINGULAR < 1.0:
        return inverse, False
    sound = np.nan_to_num(gram)
    try:
        return np.asarray(np.linalg.pinv(sound, rcond=SINGULAR), dtype=np.float64), True
    except np.linalg.LinAlgError:
        return inverse, False


def _diagonal(gram: Array) -> Array:
    """Return the diagonals of a batch of matrices, to write into."""
    return gram.reshape(len(gram), -1)[:, :: gram.shape[1] + 1]


def _inverted(gram: Array, little: Array) -> Array:
    """Return the inverses of a batch of matrices, never an exception."""
    if gram.size == 0:
        return gram
    try:
        return np.asarray(np.linalg.inv(gram), dtype=np.float64)
    except np.linalg.LinAlgError:
        _diagonal(gram)[:] += 1e4 * little + 1e-200
        return np.asarray(np.linalg.pinv(np.nan_to_num(gram)), dtype=np.float64)
