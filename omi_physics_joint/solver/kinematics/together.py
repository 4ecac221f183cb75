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

from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..system import CONE, LINE, POINT, WHOLE, System
from .rotation import Array, cross

NEAREST = 1e-6
"""m: what is over a distance stops growing."""
SMALLEST_SINE = 1e-2
"""What is over the sine of an angle stops growing."""
NOTHING = 1e-30
"""A length below which there is no direction."""


@dataclass(slots=True)
class Directions:
    """Where several axes together are at some moments, for k such rows: leading shape (L, S)."""

    value: Array
    """(L, S, k) m or rad, less what a lock holds."""
    normal: Array
    """(L, S, k, 3) n."""
    bend: Array
    """(L, S, k) 1 / d, cot a or cot(a / 2) / 2."""


class Together:
    """The rows of several axes together of some islands."""

    def __init__(self, system: System) -> None:
        """Prepare what does not change."""
        row = np.flatnonzero(system.coordinate >= LINE)
        coordinate = system.coordinate[row]
        self.joint = system.joint_of_row[row]
        self.hold: Array = system.hold[:, None, row]
        straight = coordinate <= POINT
        self.straight: NDArray[np.intp] = np.flatnonzero(straight)
        self.cone: NDArray[np.intp] = np.flatnonzero((coordinate >= CONE) & (coordinate < WHOLE))
        self.whole: NDArray[np.intp] = np.flatnonzero(coordinate == WHOLE)
        left = coordinate[self.straight, None] - LINE
        self.part: Array = (left != np.arange(3)).astype(np.float64)
        self.axis: NDArray[np.intp] = np.asarray(coordinate[self.cone] - CONE, np.intp)

    def __len__(self) -> int:
        """Return k."""
        return len(self.joint)

    def some(self, lanes: NDArray[np.intp]) -> Together:
        """Return those of some islands."""
        out = copy(self)
        out.hold = self.hold[lanes]
        return out

    def directions(self, straight: Array, q: Array) -> Directions:
        """Return where they are.

        Args:
            straight: (L, S, m, 3) t.
            q: (L, S, m, 4) with either sign.
        """
        value = np.empty((*q.shape[:2], len(self)))
        normal, bend = np.zeros((*value.shape, 3)), np.empty(value.shape)
        if len(self.straight):
            at = straight.take(self.joint[self.straight], 2) * self.part
            length = np.sqrt((at * at).sum(-1))
            first = self.part * (np.cumsum(self.part, -1) == 1.0)
            over = np.maximum(length, NOTHING)[..., None]
            value[..., self.straight] = length
            normal[..., self.straight, :] = np.where(length[..., None] > NOTHING, at / over, first)
            bend[..., self.straight] = 1.0 / np.maximum(length, NEAREST)
        if len(self.cone):
            self._cones(q.take(self.joint[self.cone], 2), value, normal, bend)
        if len(self.whole):
            turn = q.take(self.joint[self.whole], 2)
            turn = turn * np.where(turn[..., 3:] < 0.0, -1.0, 1.0)
            size = np.sqrt((turn[..., :3] * turn[..., :3]).sum(-1))
            over = np.maximum(size, NOTHING)[..., None]
            value[..., self.whole] = 2.0 * np.arctan2(size, turn[..., 3])
            first = np.array([1.0, 0.0, 0.0])
            there = np.where(size[..., None] > NOTHING, turn[..., :3] / over, first)
            normal[..., self.whole, :] = there
            bend[..., self.whole] = 0.5 * turn[..., 3] / np.maximum(size, SMALLEST_SINE)
        value -= self.hold
        return Directions(value, normal, bend)

    def _cones(self, q: Array, value: Array, normal: Array, bend: Array) -> None:
        """Put cones in."""
        number, k = np.arange(len(self.cone)), self.axis
        i, j = (k + 1) % 3, (k + 2) % 3
        x, y, z, s = (q[..., number, at] for at in (i, j, k, np.full(len(k), 3)))
        p, r = np.sqrt(x * x + y * y), np.sqrt(z * z + s * s)
        tilts, turns = p > NOTHING, r > NOTHING
        over_p, over_r = np.maximum(p, NOTHING), np.maximum(r, NOTHING)
        a, b = np.where(tilts, x / over_p, 1.0), np.where(tilts, y / over_p, 0.0)
        c, e = np.where(turns, s / over_r, 1.0), np.where(turns, z / over_r, 0.0)
        value[..., self.cone] = 2.0 * np.arctan2(p, r)
        normal[..., self.cone, i] = c * a - e * b
        normal[..., self.cone, j] = c * b + e * a
        bend[..., self.cone] = (r - p) * (r + p) / np.maximum(2.0 * p * r, SMALLEST_SINE)

    def drifts(self, at: Directions, of_joints: Array, rates: Array, u: Array) -> Array:
        """Return accelerations of these rows where no body accelerates: (L, S, k).

        Args:
            at: where they are.
            of_joints: (L, S, m, 2, 3) t'' and u' of that kind.
            rates: (L, S, m, 3) t'.
            u: (L, S, m, 3).
        """
        n, joint = at.normal, self.joint
        turns = np.ones(len(self), np.intp)
        turns[self.straight] = 0
        out = (n * of_joints[:, :, joint, turns]).sum(-1)
        if len(self.straight):
            speed = rates.take(joint[self.straight], 2) * self.part
            own = (n.take(self.straight, 2) * speed).sum(-1)
            across = (speed * speed).sum(-1) - own * own
            out[..., self.straight] += across * at.bend[..., self.straight]
        if len(self.cone):
            number, k = np.arange(len(self.cone)), self.axis
            spin, axis = u.take(joint[self.cone], 2), np.eye(3)[k]
            along = (cross(n.take(self.cone, 2), axis) * spin).sum(-1)
            turn = along * at.bend[..., self.cone] - spin[..., number, k]
            out[..., self.cone] += along * turn
        if len(self.whole):
            spin = u.take(joint[self.whole], 2)
            own = (n.take(self.whole, 2) * spin).sum(-1)
            across = (spin * spin).sum(-1) - own * own
            out[..., self.whole] += across * at.bend[..., self.whole]
        return np.asarray(out)
