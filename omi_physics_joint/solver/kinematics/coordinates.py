# SPDX-License-Identifier: GPL-3.0-or-later
"""The coordinates of joints at many moments at once: values, rates, and the Jacobian.

One derivation for every joint. Let a, b be the joint's and the connected body, F_a, F_b the axes
of the two frames as columns, d the way from the first origin to the second, w the angular
velocities. Components in F_a are written without a mark:

    distances    t = F_a^T d
                 t' = F_a^T d' - w_a x t
                 t'' = F_a^T d'' - alpha_a x t - 2 w_a x F_a^T d' + w_a x (w_a x t)

    rotation     q = conj(q_a) q_b = (v, s), and with u = w_b - w_a
                 v' = N u,   s' = -v . u / 2,   N = (s - [v]) / 2
                 q'' = the same of (alpha_b - alpha_a - w_a x w_b), less |u|^2 q / 4

    twists       phi_i = 2 atan2(v_i, s): the twist of q about axis i, whatever the other two are
                 phi_i' = 2 (s v_i' - v_i s') / (s^2 + v_i^2)

    locks        2 (c v_i - e s), with c + i e = exp(i phi / 2): zero where the twist is phi. It is
                 linear in q, so two of them on an axis hold through the full circle of the third.

Every row is g' = J u_b + ..., so its acceleration is J times the accelerations plus what is left at
none, which is called ``drift`` here (gamma in the literature). Entries of the Jacobian are
"scaled": over the square root of the mass or of the principal inertia, angular parts about body
axes. Then the Delassus matrix J M^-1 J^T is E E^T.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from ..rotation import EYE, SKEW, Array, cross, quaternion_of

Index = NDArray[np.intp]
SMALLEST = 1e-30
"""Square of a quaternion's part below which it has no twist."""


@dataclass(frozen=True, slots=True)
class Frames:
    """The joints of one shape of island, for N islands of it.

    Attributes:
        ends: (2 m,) bodies of the m joints: the joint's own, then the connected ones.
        anchors: (N, 2 m, 3) origins of frames from the centres of mass, body axes, m.
        axes: (N, 2 m, 3, 3) axes of frames as columns, body axes.
        rows: (r,) 6 * joint + coordinate of each row; 0 to 2 distances, 3 to 5 rotations.
        locked: (r,) whether it is a lock.
        lock_angle: (N, r) the twist at which a locked rotation is held, rad; else 0.
    """

    ends: Index
    anchors: Array
    axes: Array
    rows: Index
    locked: NDArray[np.bool_]
    lock_angle: Array


@dataclass(slots=True)
class Evaluation:
    """All rows at some moments: leading shape (S, N) of moments and islands."""

    value: Array
    """(S, N, r) m or rad; locks are 0 where they hold."""
    rate: Array
    """(S, N, r)."""
    drift: Array
    """(S, N, r) their accelerations where no body accelerates."""
    entries: Array
    """(S, N, r, 2, 6) of the joint's and of the connected body, scaled."""
    force_axes: Array
    """(S, N, r, 3) world axis along or about which each row acts on the connected body."""


class Kinematics:
    """Evaluates the rows of islands."""

    def __init__(self, frames: Frames, inverse_roots: Array) -> None:
        """Prepare constants.

        Args:
            frames: of the joints.
            inverse_roots: (N, bodies, 6) one over the roots of mass and inertia, 0 for what no
                force moves.
        """
        self.ends = frames.ends
        self.count = len(frames.ends) // 2
        m = self.count
        self.anchors = frames.anchors[..., None]
        self.own_anchor = frames.anchors[:, :m]
        self.axes = frames.axes
        self.axes_back = frames.axes.swapaxes(-1, -2)
        self.connected_skew = _skew(frames.anchors[:, m:])
        self.rows = frames.rows
        joint, coordinate = np.divmod(frames.rows, 6)
        self.joint, self.axis = joint, coordinate % 3
        self.turns = coordinate >= 3
        self.locked = frames.locked & self.turns
        self.twists = self.turns & ~self.locked
        self.lock_cos, self.lock_sin = np.cos(frames.lock_angle / 2), np.sin(frames.lock_angle / 2)
        roots = inverse_roots.take(frames.ends, 1)
        self.scale = np.stack([roots[:, :m], roots[:, m:]], 2).take(joint, 1)
        # A distance has zero in the place of a rotation, and the other way round.
        self.straight = ~self.turns

    def poses(self, position: Array, rotation: Array) -> tuple[Array, Array, Array, Array]:
        """Return turns and arms of the ends, gaps of joints, and their relative quaternions."""
        turns = rotation.take(self.ends, 2)
        arms = (turns @ self.anchors)[..., 0]
        points = position.take(self.ends, 2) + arms
        gap = points[:, :, self.count :] - points[:, :, : self.count]
        return turns, arms, gap, turns @ self.axes

    def values(self, position: Array, rotation: Array) -> Array:
        """Return the values of all rows (S, N, r) of bodies (S, N, bodies, 3) and (..., 3, 3)."""
        _, _, gap, frames = self.poses(position, rotation)
        m = self.count
        own = frames[:, :, :m].swapaxes(-1, -2)
        q = _quaternions(own @ frames[:, :, m:]).take(self.joint, 2)
        straight = (own @ gap[..., None])[..., 0].reshape(*gap.shape[:2], 3 * m)
        i, s = _component(q, self.axis), q[..., 3]
        locks = 2.0 * (self.lock_cos * i - self.lock_sin * s)
        turned = np.where(self.locked, locks, 2.0 * np.arctan2(i, s))
        return np.where(self.turns, turned, straight.take(3 * self.joint + self.axis, 2))

    def evaluate(
        self, position: Array, rotation: Array, velocity: Array, spin: Array
    ) -> Evaluation:
        """Return values, rates, drifts and entries of all rows.

        Args:
            position: (S, N, bodies, 3) centres of mass, m.
            rotation: (S, N, bodies, 3, 3) world from body axes.
            velocity: (S, N, bodies, 3) world axes, m/s.
            spin: (S, N, bodies, 3) body axes, rad/s.
        """
        m, lead = self.count, position.shape[:2]
        turns, arms, gap, frames = self.poses(position, rotation)
        spins = (rotation @ spin[..., None])[..., 0].take(self.ends, 2)
        swings = cross(spins, arms)
        speeds = velocity.take(self.ends, 2) + swings
        pulls = cross(spins, swings)
        own_spin, other_spin = spins[:, :, :m], spins[:, :, m:]
        own = frames[:, :, :m].swapaxes(-1, -2)  # F_a^T
        # Everything that has a direction, in the joint frame: columns.
        world = np.empty((*lead, m, 3, 6))
        world[..., 0] = gap
        world[..., 1] = speeds[:, :, m:] - speeds[:, :, :m]
        world[..., 2] = pulls[:, :, m:] - pulls[:, :, :m]
        world[..., 3] = own_spin
        world[..., 4] = other_spin - own_spin
        world[..., 5] = cross(own_spin, other_spin)
        local = own @ world
        gap_, speed, pull, w, u, twisting = (local[..., k] for k in range(6))
        about = cross(w, gap_)
        rate = speed - about
        drift = pull - cross(w, 2.0 * speed - about)
        # Rotations.
        relative = own @ frames[:, :, m:]
        q = _quaternions(relative)
        v, s = q[..., :3], q[..., 3:]
        half = 0.5 * (s[..., None] * EYE - _skew(v))  # N
        v1 = (half @ u[..., None])[..., 0]
        s1 = -0.5 * (v * u).sum(-1, keepdims=True)
        quarter = 0.25 * (u * u).sum(-1, keepdims=True)
        v2 = -(half @ twisting[..., None])[..., 0] - quarter * v
        s2 = 0.5 * (v * twisting).sum(-1, keepdims=True) - quarter * s
        return self._rows(
            _Local(gap_, rate, drift, v, s, v1, s1, v2, s2, half), turns, gap, own, lead
        )

    def _rows(
        self, at: _Local, turns: Array, gap: Array, own: Array, lead: tuple[int, ...]
    ) -> Evaluation:
        """Pick out the rows, and put the Jacobian together."""
        m, joint, axis = self.count, self.joint, self.axis
        pick = 3 * joint + axis
        straight = [x.reshape(*lead, 3 * m).take(pick, 2) for x in (at.gap, at.rate, at.drift)]
        i, i1, i2 = (x.reshape(*lead, 3 * m).take(pick, 2) for x in (at.v, at.v1, at.v2))
        s, s1, s2 = (x[..., 0].take(joint, 2) for x in (at.s, at.s1, at.s2))
        square = i * i + s * s
        inverse = 1.0 / np.maximum(square, SMALLEST)
        c = 2.0 * np.where(self.locked, self.lock_cos, s * inverse)
        e = 2.0 * np.where(self.locked, self.lock_sin, i * inverse)
        turn_value = np.where(self.locked, c * i - e * s, 2.0 * np.arctan2(i, s))
        turn_rate = c * i1 - e * s1
        swirl = 2.0 * turn_rate * (i * i1 + s * s1) * inverse
        turn_drift = c * i2 - e * s2 - np.where(self.locked, 0.0, swirl)
        turned = (turn_value, turn_rate, turn_drift)
        value, rate, drift = (
            np.where(self.turns, t, x) for t, x in zip(turned, straight, strict=True)
        )
        # Gradient of rotations for u in the joint frame: c N_i + e v / 2.
        slope = at.half.reshape(*lead, 3 * m, 3).take(pick, 2) * c[..., None]
        slope += (0.5 * e)[..., None] * at.v.take(joint, 2)
        slope = np.where(self.turns[:, None], slope, 0.0)
        axes_of = own.reshape(*lead, 3 * m, 3).take(pick, 2)
        along = np.where(self.turns[:, None], 0.0, axes_of)
        entries = np.empty((*lead, len(joint), 2, 6))
        entries[..., 0, :3] = -along
        entries[..., 1, :3] = along
        # About body axes. The point where a distance pulls is the connected origin, for both.
        back = turns[:, :, :m].swapaxes(-1, -2)
        reach = self.own_anchor + (back @ gap[..., None])[..., 0]
        lever = self.axes_back[:, :m] @ _skew(reach)
        to_other = own @ turns[:, :, m:]
        own_back = np.broadcast_to(self.axes_back[:, :m], (*lead, m, 3, 3))
        about_own = _row_times(slope, own_back.take(joint, 2))
        about_other = _row_times(slope, to_other.take(joint, 2))
        lever_rows = lever.reshape(*lead, 3 * m, 3).take(pick, 2)
        other_lever = (to_other @ self.connected_skew).reshape(*lead, 3 * m, 3).take(pick, 2)
        turning = self.turns[:, None]
        entries[..., 0, 3:] = np.where(turning, -about_own, lever_rows)
        entries[..., 1, 3:] = np.where(turning, about_other, -other_lever)
        entries *= self.scale
        force_axes = np.where(turning, _row_times(slope, own.take(joint, 2)), axes_of)
        return Evaluation(value, rate, drift, entries, force_axes)


@dataclass(slots=True)
class _Local:
    """What is known of joints in their own frames: (S, N, m, ...)."""

    gap: Array
    rate: Array
    drift: Array
    v: Array
    s: Array
    v1: Array
    s1: Array
    v2: Array
    s2: Array
    half: Array


def _row_times(rows: Array, matrices: Array) -> Array:
    """Return each row vector times its matrix: (..., r, 3) and (..., r, 3, 3)."""
    return np.asarray((rows[..., None, :] @ matrices)[..., 0, :])


def _skew(vectors: Array) -> Array:
    return np.asarray((vectors @ SKEW).reshape(*vectors.shape, 3))


def _quaternions(matrices: Array) -> Array:
    return quaternion_of(matrices.reshape(-1, 3, 3)).reshape(*matrices.shape[:-2], 4)


def _component(q: Array, axis: Index) -> Array:
    """Return component axis[r] of q[..., r, :]."""
    return np.take_along_axis(q, np.broadcast_to(axis, q.shape[:-1])[..., None], -1)[..., 0]


def unwrapped(value: Array, before: Array, twists: NDArray[np.bool_]) -> Array:
    """Return values with twists taken to the turn that is nearest to those before."""
    turns = np.where(twists, np.rint((before - value) / (2.0 * pi)), 0.0)
    return np.asarray(value + 2.0 * pi * turns)
