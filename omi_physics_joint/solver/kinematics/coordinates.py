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

    locks        x = 2 (c v_i - e s), with c + i e = exp(i phi / 2): zero where the twist is phi. It
                 is linear in q, so two on an axis hold through the full circle of the third.

    held         phi + 2 asin(x / 2): an angle of which springs and bounds ask, smooth at any twist
                 of the other two; x' and x'' over sqrt(1 - x^2 / 4), and x x'^2 / 4 more.

    pressed      a twist that is held at a bound b is b + x, a lock at b: no gradient grows where
                 v_i and s are both next to nothing. With p = c s + e v_i it is on the other side
                 of that pole, and x has the other sign, where p is negative. Rates are |p| times
                 those of the twist, so what acts along the twist is over |p|, its stretch.

The quaternion goes on from the last one: of q and -q the nearer to it.

Rows of several axes together are derived in ``together``.

Every row is g' = J u, so its acceleration is J times the accelerations plus what is left at none,
which is called ``drift`` here (gamma in the literature). With r_b and R the ways from the centres
of mass of b and a to the connected origin, all in F_a, and W = [w]:

    distances    drift = W_b W_b r_b - W_a W_a R - 2 w_a x t'

Entries of the Jacobian are "scaled": over the square root of the mass or of the principal inertia,
angular parts about body axes. Then the Delassus matrix J M^-1 J^T is E E^T. Velocities are scaled
likewise; those of what no force moves are as they are.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from ..system import LINE, RowKind, System
from .rotation import EYE, SKEW_ROWS, Array, quaternion_of, skew
from .together import Directions, Together

Index = NDArray[np.intp]
FLATTEST = 1e-4
"""Square of the part of a quaternion below which gradients stop growing."""
SMALLEST_PART = 1e-2
"""Its root."""
TURN = 2.0 * pi
ONES: Array = np.ones((4, 1))
HALVES: Array = np.zeros((4, 9))
"""Constant with ``(q @ HALVES).reshape(3, 3)`` N = (s - [v]) / 2."""
HALVES[:3] = -0.5 * SKEW_ROWS.T
HALVES[3] = 0.5 * EYE.reshape(9)


@dataclass(slots=True)
class Pressed:
    """Which twists are held at bounds, and at which: (L, 1, m, 3), the latter in rad."""

    on: NDArray[np.bool_]
    bound: Array


@dataclass(slots=True)
class Pose:
    """All rows at some moments, as far as poses tell: leading shape (L, S)."""

    value: Array
    """(L, S, r) m or rad; locks are 0 where they hold."""
    jacobian: Array
    """(L, S, 72 m + 12 k + 1) of each joint (6 coordinates, joint's and connected body, 6), of k
    rows of several axes, and a 0."""
    half: Array
    """(L, S, m, 4) q."""
    own: Array
    """(L, S, m, 3, 3) F_a^T."""
    gap: Array
    """(L, S, m, 3, 1) d, world axes."""
    turns: Array
    """(L, S, 2 m, 3, 3) F_a^T R of the ends' bodies."""
    arms: Array
    """(L, S, 2 m, 3, 1) from the ends' centres of mass to the connected origin, in F_a."""
    slopes: Array
    """(L, S, m, 3, 3) rows: how each rotation follows u, in F_a."""
    lock_value: Array
    """(L, S, m, 3) x of rotations that are locked or held, over the root."""
    swirl: Array | None
    """(L, S, m, 3, 3) rows: (v_i v_i' + s s') / (s^2 + v_i^2) by u; 0 for locks."""
    stretch: Array | None = None
    """(L, S, r) rates of what springs see over those of rows; None for ones."""
    together: Directions | None = None
    """Of the k rows of several axes."""


class Kinematics:
    """Evaluates the rows of islands at (L, S): moments S of islands L."""

    def __init__(self, system: System, inverse_roots: Array) -> None:
        """Prepare constants.

        Args:
            system: of the islands.
            inverse_roots: (L, bodies, 6) one over the roots of mass and inertia, 1 for what no
                force moves.
        """
        lanes, m = system.islands, system.joints
        self.count = m
        self.pairs = system.ends.astype(np.intp)
        self.ends: Index = self.pairs.T.reshape(-1)
        """(2 m,) the joints' own bodies, then the connected ones."""
        self.rows: Index = system.slot
        self.together: Together | None = (
            Together(system) if (system.coordinate >= LINE).any() else None
        )
        self.slots = 6 * m + (0 if self.together is None else len(self.together))
        anchors = system.anchors.swapaxes(1, 2).reshape(lanes, 2 * m, 3)
        axes = system.axes.swapaxes(1, 2).reshape(lanes, 2 * m, 3, 3)
        body = np.broadcast_to(EYE, axes.shape)
        self.placed = np.concatenate([anchors[..., None], axes, body], -1)[:, None]
        self.own_back = np.ascontiguousarray(axes[:, None, :m].swapaxes(-1, -2))
        self.own_arm = self.own_back @ anchors[:, None, :m, :, None]
        self.other_skew = -skew(anchors[:, None, m:])
        roots = inverse_roots.take(self.ends, 1)
        scale = np.concatenate([roots[:, :m], roots[:, m:]], -1)[:, None, :, None]
        # What is the joint's own body's is against the axis.
        self.scale = np.repeat(scale, 6, 3)
        self.scale[..., :3] *= -1.0
        self.scale[..., 3:, 3:6] *= -1.0
        self.all_rows = len(self.rows) == self.slots
        kind = np.full(6 * m, int(RowKind.LOCK))
        hold = np.zeros((lanes, 6 * m))
        single = self.rows < 6 * m
        kind[self.rows[single]] = system.kind[single]
        hold[:, self.rows[single]] = system.hold[:, single]
        self.twists: NDArray[np.bool_] = system.twisting & (system.kind == RowKind.FREE)
        kind = kind.reshape(m, 6)[:, 3:]
        holds: Array = hold.reshape(lanes, 1, m, 6)
        self.free, self.held = kind == RowKind.FREE, kind == RowKind.HELD
        self.any_free, self.any_held = bool(self.free.any()), bool(self.held.any())
        self.shift: Array | None = holds[..., :3] if holds[..., :3].any() else None
        self.angle = holds[..., 3:]
        self.turned = bool(self.angle.any())
        self.cosine, self.sine = 2.0 * np.cos(0.5 * self.angle), 2.0 * np.sin(0.5 * self.angle)

    def some(self, lanes: Index) -> Kinematics:
        """Return that of some islands."""
        out = copy(self)
        for name in ("placed", "own_back", "own_arm", "other_skew", "scale"):
            setattr(out, name, getattr(self, name)[lanes])
        for name in ("angle", "cosine", "sine"):
            setattr(out, name, getattr(self, name)[lanes])
        out.shift = None if self.shift is None else self.shift[lanes]
        out.together = None if self.together is None else self.together.some(lanes)
        return out

    def pose(
        self,
        position: Array,
        rotation: Array,
        half: Array,
        near: Array,
        pressed: Pressed | None = None,
    ) -> Pose:
        """Return values and Jacobian of all rows.

        Args:
            position: (L, S, bodies, 3) centres of mass, m.
            rotation: (L, S, bodies, 3, 3) world from body axes.
            half: (L, 1, m, 4) quaternions from which they go on.
            near: (L, 1, r) values from which twists go on.
            pressed: those that are held at bounds.
        """
        m, lead = self.count, position.shape[:2]
        placed = rotation.take(self.ends, 2) @ self.placed  # arm, frame, body
        points = position.take(self.ends, 2)
        points += placed[..., 0]
        gap = (points[:, :, m:] - points[:, :, :m])[..., None]
        own = placed[:, :, :m, :, 1:4].swapaxes(-1, -2)
        other = own @ placed[:, :, m:]  # arm, frame, body of the connected end, in F_a
        to_other = other[..., 4:]
        straight = own @ gap
        value = np.empty((*lead, m, 6))
        value[..., :3] = straight[..., 0]
        if self.shift is not None:
            value[..., :3] -= self.shift
        q = quaternion_of(other[..., 1:4])
        q *= np.copysign(1.0, (q * half) @ ONES)
        slopes, locks, swirl, part = self._rotations(q, value, pressed)
        turns = np.empty((*lead, 2 * m, 3, 3))
        turns[:, :, :m] = self.own_back
        turns[:, :, m:] = to_other
        arms = np.empty((*lead, 2 * m, 3, 1))
        np.add(self.own_arm, straight, out=arms[:, :, :m])
        arms[:, :, m:] = other[..., :1]
        # Jacobian about body axes. A distance pulls at the connected origin, for both bodies; its
        # lever on its own body is axis x R, as a row [R] F_a^T.
        jacobian = np.zeros((*lead, 12 * self.slots + 1))
        parts = jacobian[..., : 72 * m].reshape(*lead, m, 6, 12)
        parts[..., :3, :3] = own
        parts[..., :3, 3:6] = skew(arms[:, :, :m, :, 0]) @ self.own_back
        parts[..., :3, 6:9] = own
        parts[..., :3, 9:] = to_other @ self.other_skew
        parts[..., 3:, 3:6] = slopes @ self.own_back
        parts[..., 3:, 9:] = slopes @ to_other
        parts *= self.scale
        every, around = self._together(value, straight[..., 0], q, jacobian, to_other)
        flat = self.picked(every)
        if self.any_free:
            flat = flat + np.where(self.twists, TURN * np.rint((near - flat) / TURN), 0.0)
        stretch = None if part is None else self._stretch(part)
        return Pose(flat, jacobian, q, own, gap, turns, arms, slopes, locks, swirl, stretch, around)

    def _stretch(self, part: Array) -> Array:
        """Return the stretch of rows, from the parts (L, S, m, 3) of rotations."""
        lead, m = part.shape[:2], self.count
        every = np.ones((*lead, self.slots))
        every[..., : 6 * m].reshape(*lead, m, 6)[..., 3:] = part
        return np.asarray(1.0 / self.picked(every))

    def _together(
        self, value: Array, straight: Array, q: Array, jacobian: Array, to_other: Array
    ) -> tuple[Array, Directions | None]:
        """Return all values (L, S, 6 m + k), from those of joints, and where axes together are."""
        lead, m = value.shape[:2], self.count
        value = value.reshape(*lead, 6 * m)
        if self.together is None:
            return value, None
        around = self.together.directions(straight, q)
        parts = jacobian[..., : 72 * m].reshape(*lead, m, 6, 12)
        entries = self._along(around.normal, parts, to_other, self.together)
        jacobian[..., 72 * m : -1] = entries.reshape(*lead, -1)
        return np.concatenate([value, around.value], -1), around

    def _along(self, normal: Array, parts: Array, to_other: Array, rows: Together) -> Array:
        """Return the Jacobian of rows of several axes (L, S, k, 12): along or about normals."""
        joint, straight = rows.joint, rows.straight
        scale = self.scale[:, :, joint]
        row = normal[..., None, :]
        out = np.zeros((*normal.shape[:3], 12))
        out[..., 3:6] = (row @ self.own_back[:, :, joint])[..., 0, :]
        out[..., 9:] = (row @ to_other[:, :, joint])[..., 0, :]
        out *= scale[:, :, :, 3]
        along = row[:, :, straight] @ parts[:, :, joint[straight], :3]
        out[:, :, straight] = along[..., 0, :]
        return out

    def _rotations(
        self, q: Array, value: Array, pressed: Pressed | None
    ) -> tuple[Array, Array, Array | None, Array | None]:
        """Put the values of rotations at (L, S, m, 4) into value.

        Return slopes, locks, swirl, and the parts |p| of those that are pressed, 1 of others.
        """
        half = (q @ HALVES).reshape(*q.shape[:-1], 3, 3)  # N
        v, s = q[..., :3], q[..., 3:]
        locks = self.cosine * v - self.sine * s if self.turned else 2.0 * v
        value[..., 3:] = locks
        if not (self.turned or self.any_free or self.any_held):
            half *= 2.0
            return half, locks, None, None
        c, e, swirl, part = self.cosine, self.sine, None, None
        if self.any_held:
            root = np.sqrt(np.maximum(1.0 - 0.25 * locks * locks, FLATTEST))
            root = np.where(self.held, 1.0 / root, 1.0)
            angle = self.angle + 2.0 * np.arcsin(np.minimum(np.maximum(0.5 * locks, -1.0), 1.0))
            value[..., 3:] = np.where(self.held, angle, locks)
            c, e, locks = c * root, e * root, locks * root
        if self.any_free:
            inverse = 1.0 / np.maximum(v * v + s * s, FLATTEST)
            c = np.where(self.free, 2.0 * s * inverse, c)
            e = np.where(self.free, 2.0 * v * inverse, e)
            value[..., 3:] = np.where(self.free, 2.0 * np.arctan2(v, s), value[..., 3:])
            locks = np.where(self.free, 0.0, locks)
            # v_i v_i' + s s' = (v_i N_i - s v / 2) . u
            inverse = np.where(self.free, inverse, 0.0)
            if pressed is not None:
                cosine, sine = np.cos(0.5 * pressed.bound), np.sin(0.5 * pressed.bound)
                part = cosine * s + sine * v
                side = 2.0 * np.where(part < 0.0, -1.0, 1.0)
                c = np.where(pressed.on, side * cosine, c)
                e = np.where(pressed.on, side * sine, e)
                locks = np.where(pressed.on, c * v - e * s, locks)
                value[..., 3:] = np.where(pressed.on, pressed.bound + locks, value[..., 3:])
                inverse = np.where(pressed.on, 0.0, inverse)
                part = np.where(pressed.on, np.maximum(np.abs(part), SMALLEST_PART), 1.0)
            swirl = (v * inverse)[..., None] * half
            swirl -= (0.5 * s * inverse)[..., None] * v[..., None, :]
        slopes = c[..., None] * half
        slopes += (0.5 * e)[..., None] * v[..., None, :]
        return slopes, locks, swirl, part

    def picked(self, parts: Array) -> Array:
        """Return of all coordinates (..., 6 m + k) those that are rows."""
        return parts if self.all_rows else parts.take(self.rows, -1)

    def rates(self, at: Pose, velocity: Array) -> Array:
        """Return the rates of all coordinates of all joints: (L, S, 6 m + k).

        Args:
            at: where the bodies are.
            velocity: (L, S, bodies, 6) scaled.
        """
        m, lead = self.count, velocity.shape[:2]
        ends = velocity.take(self.pairs, 2).reshape(*lead, m, 12, 1)
        parts = at.jacobian[..., : 72 * m].reshape(*lead, m, 6, 12)
        rates = (parts @ ends).reshape(*lead, 6 * m)
        if self.together is None:
            return np.asarray(rates)
        further = at.jacobian[..., 72 * m : -1].reshape(*lead, -1, 1, 12)
        around = (further @ ends[:, :, self.together.joint])[..., 0, 0]
        return np.concatenate([rates, around], -1)

    def drifts(self, at: Pose, spin: Array, rates: Array) -> Array:
        """Return accelerations of all rows where no body accelerates: (L, S, r).

        Args:
            at: where the bodies are.
            spin: (L, S, bodies, 3) rad/s about body axes.
            rates: of all coordinates, for that motion.
        """
        m, lead = self.count, spin.shape[:2]
        spins = at.turns @ spin.take(self.ends, 2)[..., None]
        swing = (SKEW_ROWS @ spins).reshape(*lead, 2 * m, 3, 3)
        pull = swing @ (swing @ at.arms)
        rates = rates[..., : 6 * m].reshape(*lead, m, 6)
        both = np.empty((*lead, m, 3, 2))
        np.multiply(rates[..., :3], 2.0, out=both[..., 0])
        both[..., 1:] = spins[:, :, m:]
        both = swing[:, :, :m] @ both  # w_a x 2 t', w_a x w_b
        out = np.empty((*lead, m, 6))
        np.subtract(pull[:, :, m:, :, 0], pull[:, :, :m, :, 0], out=out[..., :3])
        out[..., :3] -= both[..., 0]
        u = spins[:, :, m:] - spins[:, :, :m]
        quarter = u.swapaxes(-1, -2) @ u
        quarter *= -0.25
        drift = out[..., 3:]
        np.multiply(at.lock_value, quarter[..., 0], out=drift)
        drift -= (at.slopes @ both[..., 1:])[..., 0]
        if self.any_held:
            drift += self.held * (0.25 * at.lock_value) * np.square(rates[..., 3:])
        if at.swirl is not None:
            drift -= 2.0 * rates[..., 3:] * (at.swirl @ u)[..., 0]
        every = out.reshape(*lead, 6 * m)
        if self.together is not None and at.together is not None:
            bare = np.stack([out[..., :3], -both[..., 1]], 3)
            around = self.together.drifts(at.together, bare, rates[..., :3], u[..., 0])
            every = np.concatenate([every, around], -1)
        return self.picked(every)
