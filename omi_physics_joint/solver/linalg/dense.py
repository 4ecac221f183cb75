# SPDX-License-Identifier: GPL-3.0-or-later
"""The Delassus matrix E E^T of the active rows, and what is solved with it.

Accelerations a and forces l of rows with the scaled Jacobian E come from

    a - E^T l = f,    E a + c l = b    so that    (E E^T + c) l = b - E f

with a compliance c where a row is soft. Rows that follow from others make E E^T singular, and rows
at a dead centre make it nearly so. Both are met by a proximal method (Carpentier, Budhiraja,
Mansard 2021): with D the squares of the rows, solve (E E^T + c + eps D) l = b - E f + eps D l
again and again, beginning at zero. What rows agree on converges in one or two rounds; what has no
singular value above the root of eps stays out, nothing is divided by next to nothing, and momentum
says where a mechanism goes from a dead centre.

Forces that move nothing, or next to it, are left in l: of a singular value s, 1 / s in the place of
s. They are the x of (E E^T + c + eps D) x = eps D l, and are taken off: s^2 / eps of them is left.
Said so, and not as (E E^T + c + eps D) l' = (E E^T + c) l, rounding is a part of x and not of l;
once more takes what it leaves. The norm that is least is that of D: of forces over inertia. Forces
that are told are shared evenly whatever they act on: the same with as much for each row in the
place of D.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kinematics.rotation import Array

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
LITTLE = 1e-10
"""Square of the singular value, of rows scaled to one, below which a row counts as another's."""
UNLIKE = 1e3
"""Times the smallest square of a row: where rows are not alike, no more is added to each evenly."""
SMALLEST = 1e-13
"""Of the largest square: what rounding asks for."""
AGAIN = 2
"""Times that forces of least norm are sought."""
LARGEST = 4 * 65536
"""Multiplications in a product of matrices from which BLAS begins threads, which cost more here."""


@dataclass(slots=True)
class DenseFactor:
    """What solves for rows at (L, S) moments.

    Attributes:
        jacobian: (L, S, r, 6 n) scaled, 0 where rows are not active.
        matrix: (L, S, r, r).
        bare: (L, S, r, r) the same without eps D, None where there is no eps.
        little: (L, S, r) eps D, or None.
        active: (L, 1, r), or None for all.
        inverse: (L, S, r, r) where there are proximal rounds.
    """

    jacobian: Array
    matrix: Array
    bare: Array | None
    little: Array | None
    active: Mask | None
    inverse: Array | None = None

    def solve(self, force: Array | None, rhs: Array, rounds: int) -> tuple[Array, Array]:
        """Return a (L, S, 6 n) and l (L, S, r), after some further proximal rounds."""
        right = (rhs if self.active is None else rhs * self.active)[..., None]
        if force is not None:
            right = right - self.jacobian @ force[..., None]
        if self.bare is None or rounds == 0:
            out = solved(self.matrix, right)
        else:
            # The same as with what is left of eps D l on the right, and errors of rounding, which
            # are large in an inverse, die out.
            inverse = self.inverse = inverted(self.matrix)
            out = inverse @ right
            for _ in range(rounds):
                out = out + inverse @ (right - self.bare @ out)
        change = (self.jacobian.swapaxes(-1, -2) @ out)[..., 0]
        if force is not None:
            change += force
        return change, out[..., 0]

    def least(self, force: Array) -> Array:
        """Return forces (L, S, r) of least norm that move bodies as those do."""
        if self.little is None:
            return force
        inverse = inverted(self.matrix) if self.inverse is None else self.inverse
        little, out = self.little[..., None], force[..., None]
        for _ in range(AGAIN):
            out = out - inverse @ (little * out)
        return np.asarray(out[..., 0])


def little_of(squares: Array, little: float | Array, *, evenly: bool = False) -> Array | None:
    """Return what is added to diagonals (L, S, r), of the squares of active rows."""
    if isinstance(little, float):
        if little <= 0.0:
            return None
        part: float | Array = little
    else:
        part = little[..., None]
    if not evenly:
        return np.asarray(part * squares)
    on = squares > 0.0
    most = squares.max(-1, keepdims=True, initial=0.0)
    least = np.where(on, squares, np.inf).min(-1, keepdims=True, initial=np.inf)
    each = np.maximum(np.minimum(part * most, UNLIKE * part * least), SMALLEST * most)
    return np.where(on, each, 0.0)


def solved(matrix: Array, right: Array) -> Array:
    """Solve (L, S, r, r) for (L, S, r, 1), never an exception."""
    try:
        return np.asarray(np.linalg.solve(matrix, right))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(np.nan_to_num(matrix)) @ right)


def inverted(matrix: Array) -> Array:
    """Invert (L, S, r, r), never an exception."""
    try:
        return np.asarray(np.linalg.inv(matrix))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(np.nan_to_num(matrix)))


class DenseRows:
    """Puts together and factors the matrix of one shape of island that is not large."""

    @staticmethod
    def suits(bodies: int, rows: int) -> bool:
        """Return whether an island is small enough."""
        return 6 * bodies * rows * rows < LARGEST

    def __init__(self, bodies: int, ends: Index, joint: Index, slots: Index, none: int) -> None:
        """Lay out the Jacobian.

        Args:
            bodies: that forces move.
            ends: (m, 2) bodies of the joints.
            joint: (r,) of each row.
            slots: (r,) where each row is among the parts of the Jacobian, 12 numbers each.
            none: which part is none: a zero.
        """
        r = len(slots)
        index = np.full((r, bodies + 1, 6), 12 * none)
        for side in (0, 1):
            body = np.minimum(ends[joint, side], bodies)
            index[np.arange(r), body] = (12 * slots + 6 * side)[:, None] + np.arange(6)
        self.index = np.ascontiguousarray(index[:, :bodies].reshape(r, 6 * bodies))

    def entries(self, jacobian: Array) -> Array:
        """Return the Jacobian (L, S, r, 6 n) of its parts, see ``Pose.jacobian``."""
        return jacobian.take(self.index, -1)

    def pull(self, entries: Array, velocity: Array) -> Array:
        """Return E u (L, S, r) of velocities (L, S, 6 n)."""
        return np.asarray((entries @ velocity[..., None])[..., 0])

    def push(self, entries: Array, force: Array) -> Array:
        """Return E^T l (L, S, 6 n) of forces (L, S, r)."""
        return np.asarray((force[..., None, :] @ entries)[..., 0, :])

    def factor(
        self,
        entries: Array,
        active: Mask | None,
        compliance: Array | None,
        little: float | Array,
        *,
        evenly: bool = False,
    ) -> DenseFactor:
        """Factor.

        Args:
            entries: (L, S, r, 6 n) of all rows.
            active: (L, r), or None for all.
            compliance: (L, S, r) added to the diagonal for good, or None.
            little: (L, S) or for all: added to it as a part of each row's square, to be taken out
                by the proximal rounds.
            evenly: as much for each row, so that forces are of least norm whatever they act on.
        """
        on: Mask | None = None
        if active is not None:
            on = active[:, None]
            entries = entries * on[..., None]
        matrix = entries @ entries.swapaxes(-1, -2)
        r = matrix.shape[-1]
        diagonal = matrix.reshape(*matrix.shape[:2], r * r)[..., :: r + 1]
        added = little_of(diagonal, little, evenly=evenly)
        if compliance is not None:
            diagonal += compliance
        if on is not None:
            diagonal += ~on
        bare = None
        if added is not None:
            bare = matrix.copy()
            diagonal += added
        return DenseFactor(entries, matrix, bare, added, on)
