# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of several axes together: distances from a line and a point, cones, whole angles.

In the joint frame, with t, t', u, w_a and w_b as in ``coordinates``, and q = (v, s), s >= 0:

    distance     d = |P t|, P leaves the two or three axes; n = P t / d
                 d' = n . t',   d'' = n . t'' + (|P t'|^2 - d'^2) / d

    cone         about k, z = F_a^T F_b e_k: the angle a between e_k and z
                 a = 2 atan2(p, r),   p^2 = v_i^2 + v_j^2,   r^2 = v_k^2 + s^2
                 n = e_k x z / |e_k x z|: with (v_i, v_j) / p turned about k by half the twist about
                 it, (s, v_k) / r, it is a unit vector however small p and r are
                 a' = n . u
                 n turns about e_k as z does: with g = (n x e_k) . u, n' . u = g (g cot a - u_k)
                 a'' = n . u' + n' . u,   u' = alpha_b - alpha_a - w_a x w_b

    whole angle  a = 2 atan2(|v|, s),   n = v / |v|,   a' = n . u
                 a'' = n . u' + cot(a / 2) / 2 (|u|^2 - a'^2)

In the middle, where there is no direction, n is the first of the axes: an upper bound does not
bear there, and a lower one has to begin somewhere. What is over next to nothing there, and next to
half a turn, stops growing. A row acts along n at the connected origin, or about n.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..system import CONE, LINE, POINT, WHOLE
from .rotation import EYE, Array, cross

NEAREST = 1e-6
"""m: what is over a distance stops growing."""
SMALLEST_SINE = 1e-2
"""What is over the sine of an angle stops growing."""
NOTHING = 1e-30
"""A length below which there is no direction."""


class Directions(NamedTuple):
    """Where several axes together are: (..., k) for k such rows."""

    value: Array
    """(..., k) m or rad."""
    normal: Array
    """(..., k, 3) n."""
    bend: Array
    """(..., k) 1 / d, cot a or cot(a / 2) / 2."""


class TogetherRows:
    """Rows of several axes together, by their coordinates (k,): see ``system.LINE``."""

    def __init__(self, coordinate: NDArray[np.integer]) -> None:
        """Sort them."""
        self.straight = coordinate <= POINT
        self.cone = (coordinate >= CONE) & (coordinate < WHOLE)
        self._number, self._axis = np.arange(len(coordinate)), (coordinate - CONE) % 3
        self._part = ((coordinate - LINE)[:, None] != np.arange(3)).astype(np.float64)
        self._first = EYE[self._part.argmax(1)]

    def directions(self, straight: Array, q: Array) -> Directions:
        """Return where they are, from t (..., k, 3) and q (..., k, 4) of either sign."""
        lengths, cones = self._lengths(straight, q), self._cones(q)
        value, bend = (np.where(self.cone, cones[i], lengths[i]) for i in (0, 2))
        return Directions(value, np.where(self.cone[:, None], cones[1], lengths[1]), bend)

    def _lengths(self, straight: Array, q: Array) -> Directions:
        q = np.where(q[..., 3:] < 0.0, -q, q)
        way = np.where(self.straight[:, None], straight, q[..., :3]) * self._part
        size = np.sqrt((way * way).sum(-1))
        value = np.where(self.straight, size, 2.0 * np.arctan2(size, q[..., 3]))
        normal = way / np.maximum(size, NOTHING)[..., None]
        half = 0.5 * q[..., 3] / np.maximum(size, SMALLEST_SINE)
        bend = np.where(self.straight, 1.0 / np.maximum(size, NEAREST), half)
        return Directions(value, np.where(size[..., None] > NOTHING, normal, self._first), bend)

    def _cones(self, q: Array) -> Directions:
        number, k = self._number, self._axis
        i, j = (k + 1) % 3, (k + 2) % 3
        x, y, z, s = q[..., number, i], q[..., number, j], q[..., number, k], q[..., 3]
        p, r = np.sqrt(x * x + y * y), np.sqrt(z * z + s * s)
        over_p, over_r = np.maximum(p, NOTHING), np.maximum(r, NOTHING)
        a, b = np.where(p > NOTHING, x / over_p, 1.0), y / over_p
        c, e = np.where(r > NOTHING, s / over_r, 1.0), z / over_r
        normal = np.zeros((*p.shape, 3))
        normal[..., number, i], normal[..., number, j] = c * a - e * b, c * b + e * a
        bend = (r - p) * (r + p) / np.maximum(2.0 * p * r, SMALLEST_SINE)
        return Directions(2.0 * np.arctan2(p, r), normal, bend)

    def bends(self, normal: Array, bend: Array, motion: Array) -> Array:
        """Return what rates (..., k) change by because directions turn.

        ``motion`` (..., k, 3) is t' of distances, u of angles.
        """
        own, along = (normal * motion).sum(-1), self._part * motion
        turned = (cross(normal, EYE[self._axis]) * motion).sum(-1)
        about = turned * (turned * bend - motion[..., self._number, self._axis])
        across = (along * along).sum(-1) - own * own
        return np.asarray(np.where(self.cone, about, across * bend))
