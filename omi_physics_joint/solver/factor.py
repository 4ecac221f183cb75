# SPDX-License-Identifier: GPL-3.0-or-later
"""Direct solve of G G^T for equal, small islands: dense and batched.

Inverting once and multiplying afterwards is the cheapest in NumPy: at 30 rows a product costs 2 us,
a solve 39 us. What is decided is decided island by island: none is solved otherwise in company.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .rotation import Array

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
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
    """The inverse of G G^T (plus compliance) over the active rows of islands that have the same.

    Attributes:
        islands: numbers of the islands; None is all.
        rows: active rows of an island; None is all.
        matrix: (islands, active, active).
        is_gram: whether the matrix is not inverted yet: a single solve is cheaper without.
        null: (islands,) which matrices have rows that follow from others, if any has.
        gram: what was inverted, where any has.
    """

    islands: Index | None
    rows: Index | None
    matrix: Array
    is_gram: bool = False
    null: Mask | None = None
    gram: Array | None = None

    def times(self, part: Array) -> Array:
        """Return the inverse times right-hand sides (islands, active)."""
        if self.is_gram:
            return solved(self.matrix, part[:, :, None])[:, :, 0]
        if len(part) == 1:
            return np.asarray(self.matrix[0].dot(part[0])[None])
        return np.asarray((self.matrix @ part[:, :, None])[:, :, 0])

    def in_range(self, part: Array) -> Array:
        """Return multipliers (islands, active) without what moves nothing: the smallest alike."""
        if self.null is None or self.gram is None:
            return part
        less = self.times((self.gram @ part[:, :, None])[:, :, 0])
        return np.where(self.null[:, None], less, part)


class Dense:
    """``count`` equal islands of ``height`` rows and ``width`` bodies each."""

    def __init__(self, shape: tuple[int, int, int], ends: Index, *, closes: bool = False) -> None:
        """Lay out matrices.

        Args:
            shape: number of islands, rows an island, bodies an island.
            ends: (rows, 2) index of the body at each end of each row, -1 if not dynamic.
            closes: whether its joints close loops, so that rows may follow from others.
        """
        self.closes = closes
        count, height, width = shape
        self.count, self.height, self.width = shape
        self.matrix = np.zeros((count, height, 6 * width))
        self.before = np.zeros_like(self.matrix)
        local = np.where(ends >= 0, ends % max(width, 1), -1)
        row = np.arange(count * height)[:, None, None] * (6 * width)
        where = row + 6 * local[:, :, None] + np.arange(6)
        sound = np.broadcast_to((local >= 0)[:, :, None], where.shape)
        self.target: Index = where[sound]
        self.source: Index = np.flatnonzero(sound.ravel())

    def set_entries(self, entries: Array) -> None:
        """Take over the scaled gradients (rows, 2, 6)."""
        self.matrix, self.before = self.before, self.matrix
        self.matrix.reshape(-1)[self.target] = entries.reshape(-1).take(self.source)

    def forget(self) -> None:
        """Take the gradients to have been what they are: nothing to extrapolate from."""
        self.before[:] = self.matrix

    def invert(
        self,
        active: Mask | None,
        compliance: Array | None,
        *,
        ahead: bool = False,
        once: bool = False,
    ) -> list[Inverse]:
        """Invert over the active rows; islands with other active rows are other matrices.

        Args:
            active: (rows,) or None for all of them.
            compliance: (rows,) added to the diagonal, or None.
            ahead: whether rates are to be those at the end of the next substep, with gradients
                extrapolated: G_n+1 G_n^T, G_n+1 = 2 G_n - G_n-1. The residual of a drift moves by
                this; it lets the iteration settle in half as many rounds.
            once: whether there will be a single solve, which is then made without the inverse.
        """
        matrix, soft = self.matrix, None
        end = 2.0 * matrix - self.before if ahead else matrix
        if compliance is not None:
            soft = compliance.reshape(self.count, self.height)
        if active is None or active.all():
            return [self._inverse(None, None, (end, matrix, soft), once)]
        on = active.reshape(self.count, self.height)
        if (on == on[0]).all():
            return [self._inverse(None, np.flatnonzero(on[0]), (end, matrix, soft), once)]
        kinds, number = np.unique(on, axis=0, return_inverse=True)
        return [
            self._inverse(
                np.flatnonzero(number.reshape(-1) == i),
                np.flatnonzero(kind),
                (end, matrix, soft),
                once,
            )
            for i, kind in enumerate(kinds)
        ]

    def _inverse(
        self,
        islands: Index | None,
        rows: Index | None,
        of: tuple[Array, Array, Array | None],
        once: bool,
    ) -> Inverse:
        end, matrix, soft = of
        if islands is not None:
            end, matrix = end.take(islands, 0), matrix.take(islands, 0)
            soft = None if soft is None else soft.take(islands, 0)
        if rows is not None and len(rows) < self.height:
            end, matrix = end.take(rows, 1), matrix.take(rows, 1)
            soft = None if soft is None else soft.take(rows, 1)
        else:
            rows = None
        single = len(matrix) == 1
        gram = end[0].dot(matrix[0].T)[None] if single else end @ matrix.transpose(0, 2, 1)
        if gram.size == 0:
            return Inverse(islands, rows, gram)
        diagonal = _diagonal(gram)
        little = np.maximum(REGULARIZATION * diagonal.max(1)[:, None], 1e-290)
        if soft is not None:
            diagonal += soft
        diagonal += little
        if self.closes:
            inverse, null = _inverted_in_range(gram)
            if null.any():
                return Inverse(islands, rows, inverse, null=null, gram=gram)
            return Inverse(islands, rows, inverse)
        if once:
            return Inverse(islands, rows, gram, is_gram=True)
        return Inverse(islands, rows, _inverted(gram))

    def solve(self, inverses: list[Inverse], rhs: Array) -> Array:
        """Return the solution (rows,) for the active rows, zero for the others."""
        return self._each(inverses, rhs, Inverse.times)

    def reduce(self, inverses: list[Inverse], multipliers: Array) -> Array:
        """Return multipliers (rows,) without what moves nothing."""
        if all(one.null is None for one in inverses):
            return multipliers
        return self._each(inverses, multipliers, Inverse.in_range)

    def _each(self, inverses: list[Inverse], values: Array, of: object) -> Array:
        first = inverses[0]
        part = values.reshape(self.count, self.height)
        if first.islands is None and first.rows is None:
            return np.asarray(of(first, part).reshape(-1))  # type: ignore[operator]
        out = np.zeros((self.count, self.height))
        for one in inverses:
            islands = slice(None) if one.islands is None else one.islands
            rows = np.arange(self.height) if one.rows is None else one.rows
            where = np.arange(self.count)[islands][:, None], rows
            out[where] = of(one, part[where])  # type: ignore[operator]
        return out.reshape(-1)

    def push(self, multipliers: Array) -> Array:
        """Return G^T times multipliers: (dynamic bodies, 6)."""
        if self.count == 1:  # NumPy is faster where a product is not one of a batch
            return np.asarray(multipliers.dot(self.matrix[0]).reshape(-1, 6))
        part = multipliers.reshape(self.count, 1, self.height)
        return np.asarray((part @ self.matrix).reshape(-1, 6))

    def pull(self, velocity: Array) -> Array:
        """Return G times scaled velocities: (rows,)."""
        if self.count == 1:
            return np.asarray(self.matrix[0].dot(velocity.reshape(-1)))
        part = velocity.reshape(self.count, 6 * self.width, 1)
        return np.asarray((self.matrix @ part).reshape(-1))


def _inverted_in_range(gram: Array) -> tuple[Array, Mask]:
    """Return the inverses of a batch of matrices on what their rows say that is new.

    Second, (islands,) which of them have rows that say nothing new.
    """
    scale = _diagonal(gram).max(1)
    inverse = _inverted(gram)
    null = ~(_diagonal(inverse).max(1) * scale * SINGULAR < 1.0)
    for number in np.flatnonzero(null):
        try:
            sound = np.nan_to_num(gram[number])
            inverse[number] = np.linalg.pinv(sound, rcond=SINGULAR)
        except np.linalg.LinAlgError:
            null[number] = False
    return inverse, null


def _diagonal(gram: Array) -> Array:
    """Return the diagonals of a batch of matrices, to write into."""
    return gram.reshape(len(gram), -1)[:, :: gram.shape[1] + 1]


def _inverted(gram: Array) -> Array:
    """Return the inverses of a batch of matrices, never an exception."""
    try:
        return np.asarray(np.linalg.inv(gram), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.array([_inverse_or_nearly(one) for one in gram])


def _inverse_or_nearly(gram: Array) -> Array:
    try:
        return np.asarray(np.linalg.inv(gram), dtype=np.float64)
    except np.linalg.LinAlgError:
        more = 1e4 * REGULARIZATION * float(gram.diagonal().max()) + 1e-200
        sound = np.nan_to_num(gram + more * np.eye(len(gram)))
        try:
            return np.asarray(np.linalg.pinv(sound), dtype=np.float64)
        except np.linalg.LinAlgError:
            return np.full_like(gram, np.nan)


def solved(matrices: Array, rhs: Array) -> Array:
    """Return solutions of systems (n, m, m) for (n, m, 1), never an exception."""
    try:
        return np.asarray(np.linalg.solve(matrices, rhs))
    except np.linalg.LinAlgError:
        return np.array([_solution_or_nearly(*one) for one in zip(matrices, rhs, strict=True)])


def _solution_or_nearly(matrix: Array, rhs: Array) -> Array:
    try:
        return np.asarray(np.linalg.solve(matrix, rhs))
    except np.linalg.LinAlgError:
        return np.asarray(_inverse_or_nearly(matrix) @ rhs)
