# SPDX-License-Identifier: GPL-3.0-or-later
"""How large things are in a view: what must be seen, and must not fill it, asks here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..layout import Floats

NEAREST = 1e-6
"""m: what is behind the eye counts as this high, too little for an arrow; less would do as well."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A view, in the axes of what is drawn."""

    right: Floats
    up: Floats
    """Directions of the view, (3,)."""
    depth: Floats
    """What makes of a point (x, y, z, 1) its depth in m, (4,); 1 where there is no perspective."""
    span: float
    """Height of the view in m at a depth of 1 m."""
    height: float
    """In pixels."""

    def tall(self, points: ArrayLike) -> Floats:
        """Return how high the view is at points (..., 3), m."""
        depth = np.asarray(points, np.float64) @ self.depth[:3] + self.depth[3]
        return np.asarray(np.maximum(self.span * depth, NEAREST))

    def pixel(self, points: ArrayLike) -> Floats:
        """Return how large a pixel is at points (..., 3), m."""
        return self.tall(points) / max(self.height, 1.0)


def sight_of(view: ArrayLike, window: ArrayLike, height: float) -> Sight:
    """Return a view by view from world, clip space from view, (4, 4), and its height in pixels."""
    turned, projected = np.asarray(view, np.float64), np.asarray(window, np.float64)
    span = 2.0 / abs(float(projected[1, 1]))
    return Sight(turned[0, :3], turned[1, :3], (projected @ turned)[3], span, height)
