# SPDX-License-Identifier: GPL-3.0-or-later
"""The Delassus matrix E E^T of the active rows, and what is solved with it.

Rows that follow from others make it singular, and rows at a dead centre make it nearly so. Both are
met by a proximal method (Carpentier, Budhiraja, Mansard 2021): solve (D + eps) dl = r - D l again
and again, beginning at zero. What rows agree on converges in one or two rounds; what has no
singular value above the root of eps stays out, so forces are those of least norm, nothing is
divided by next to nothing, and momentum says where a mechanism goes from a dead centre. Rows are
scaled to a diagonal of one first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..rotation import Array

EPSILON = 1e-10
"""Square of the singular value, of rows scaled to one, below which a row counts as another's."""
ROUNDS = 2
TINY = 1e-290


class Delassus:
    """Solves for rows at many moments: leading shape (S, N)."""

    def __init__(
        self,
        jacobian: Array,
        active: NDArray[np.bool_],
        compliance: Array | None,
        *,
        closed: bool,
    ) -> None:
        """Factor.

        Args:
            jacobian: (S, N, r, 6 n) scaled.
            active: (N, r).
            compliance: (S, N, r) added to the diagonal, or None.
            closed: whether rows may follow from others.
        """
        self.closed = closed
        self.active = active
        self.jacobian = jacobian if active.all() else jacobian * active[..., None]
        matrix = self.jacobian @ self.jacobian.swapaxes(-1, -2)
        r = matrix.shape[-1]
        step = r + 1
        diagonal = matrix.reshape(*matrix.shape[:-2], -1)[..., ::step]
        if compliance is not None:
            diagonal += compliance
        scale = np.where(active & (diagonal > TINY), 1.0 / np.sqrt(np.maximum(diagonal, TINY)), 0.0)
        matrix *= scale[..., :, None]
        matrix *= scale[..., None, :]
        self.scale = scale
        if closed:
            self.matrix = matrix
            matrix = matrix.copy()
        diagonal = matrix.reshape(*matrix.shape[:-2], -1)[..., ::step]
        diagonal += np.where(scale > 0.0, EPSILON if closed else 0.0, 1.0)
        self.inverse = np.linalg.inv(matrix)

    def solve(self, rhs: Array, rounds: int = ROUNDS) -> Array:
        """Return the multipliers (S, N, r), zero where rows are not active."""
        scaled = (rhs * self.scale)[..., None]
        out = self.inverse @ scaled
        if self.closed:
            for _ in range(rounds):
                out = out + self.inverse @ (scaled - self.matrix @ out)
        return np.asarray(out[..., 0] * self.scale)

    def push(self, multipliers: Array) -> Array:
        """Return E^T multipliers, (S, N, 6 n)."""
        return np.asarray((multipliers[..., None, :] @ self.jacobian)[..., 0, :])

    def moved(self, rhs: Array, rounds: int = ROUNDS) -> Array:
        """Return the smallest change (S, N, 6 n) that changes the rows by rhs."""
        return self.push(self.solve(rhs, rounds))
