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

Every row, also of several axes (see ``together``), has a direction n in F_a along or about which it
acts: its rate is n . t' or n . u. Its acceleration is what bodies' accelerations make of it plus
what is left at none, which is called ``drift`` here (gamma in the literature). With r_b and R the
ways from the centres of mass of b and a to the connected origin, all in F_a, and W = [w]:

    distances    t' = F_a^T (v_b - v_a) + W_b r_b - W_a R
                 drift = n . (W_b W_b r_b - W_a W_a R - 2 w_a x t')

Entries of the Jacobian are "scaled": over the square root of the mass or of the principal inertia,
angular parts about body axes. Then the Delassus matrix J M^-1 J^T is E E^T. Velocities are scaled
likewise; those of what no force moves are as they are, and its entries are zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import tau

import numpy as np

from ..system import LINE, RowKind, State, System
from .rotation import EYE, Array, Index, Mask, cross, quaternion_of
from .together import TogetherRows


class Axles:
    """The joints of equal islands that turn about one axis on which nothing acts: without a row.

    Poses tell an angle but for whole turns. Where the joint was at the start of a step, and how far
    the mean of its rates at the start and the end takes it, tells the rest.
    """

    def __init__(self, system: System) -> None:
        """Find them."""
        self.joint = np.flatnonzero(system.axle >= 0)
        self.axis = system.axle[self.joint]
        self._own, self._connected = system.ends[self.joint].T
        frames = system.axes[:, self.joint, 0]
        self._along = frames[:, np.arange(len(self.joint)), :, self.axis].swapaxes(0, 1)[..., None]
        self._roots = system.roots[..., 3:]

    def rates(self, state: State, other_velocity: Array) -> Array:
        """Return how fast they turn: (N, a), rad/s."""
        if not len(self.joint):
            return np.zeros((len(self._roots), 0))
        n = self._roots.shape[1]
        own = (state.velocity[..., 3:] / self._roots)[..., None]
        spin = np.concatenate(
            [(state.rotation[:, :n] @ own)[..., 0], other_velocity[..., 3:]], axis=1
        )
        along = (state.rotation[:, self._own] @ self._along)[..., 0]
        return np.asarray(((spin[:, self._connected] - spin[:, self._own]) * along).sum(-1))

    def count(self, state: State, way: Array | float) -> None:
        """Take note that they have turned by about so many rad, (N, a)."""
        if not len(self.joint):
            return
        half = state.half[:, self.joint]
        angle = 2.0 * np.arctan2(half[:, np.arange(len(self.axis)), self.axis], half[..., 3])
        near = state.angle[:, self.joint] + way
        state.angle[:, self.joint] = angle + tau * np.rint((near - angle) / tau)


FLATTEST = 1e-4
"""Square of the part of a quaternion below which gradients stop growing."""


@dataclass(slots=True)
class Rows:
    """All rows at some moments, as far as poses tell: leading shape (L, S)."""

    value: Array
    """(L, S, r) m or rad; locks are 0 where they hold."""
    entry: Array
    """(L, S, r, 2, 6) of the Jacobian: joint's body, connected body."""
    half: Array
    """(L, S, m, 4) q."""
    own: Array
    """(L, S, m, 3, 3) F_a^T."""
    other: Array
    """(L, S, m, 3, 3) F_a^T R_b."""
    apart: Array
    """(L, S, m, 3) d, world axes."""
    arms: tuple[Array, Array]
    """(L, S, m, 3) R and r_b."""
    direction: Array
    """(L, S, r, 3) n."""
    lock: Array
    """(L, S, r) x of rotations that are locked or held, over the root; else 0."""
    swirl: Array
    """(L, S, r, 3) (v_i v_i' + s s') / (s^2 + v_i^2) by u, of twists; else 0."""
    stretch: Array
    """(L, S, r) rates of what springs see over those of rows."""
    bend: Array | None
    """(L, S, k) of rows of several axes, see ``Directions``."""


class Kinematics:
    """Evaluates the rows of islands at (L, S): moments S of islands L."""

    def __init__(self, system: System) -> None:
        """Prepare constants."""
        n, self.axles = system.bodies, Axles(system)
        self.first, self.second = system.ends.T.astype(np.intp)
        self.joint: Index = system.joint_of_row
        self.straight = system.straight
        self.turning: Index = np.flatnonzero(system.twisting)
        self.several: Index = np.flatnonzero(system.coordinate >= LINE)
        self.together = TogetherRows(system.coordinate[self.several])
        self._row, self._unit = np.arange(system.rows), EYE[system.coordinate % 3]
        self.twists: Mask = system.twisting & (system.kind == RowKind.FREE)
        kinds = RowKind.FREE, RowKind.HELD
        self.free, self.held = (system.kind[self.turning] == one for one in kinds)
        self.hold: Array = system.hold[:, None]
        self._axis, self._about = system.coordinate % 3, self._unit[self.turning]
        self._held = [2.0 * f(0.5 * self.hold[..., self.turning]) for f in (np.cos, np.sin)]
        self.inverse: Array = 1.0 / system.roots[:, None]
        ends = np.minimum(system.ends, n)[self.joint]
        still = np.zeros((system.islands, 1, 6))
        self.over_roots: Array = np.concatenate([1.0 / system.roots, still], 1)[:, None, ends]
        self.anchors, self.axes = system.anchors[:, None], system.axes[:, None]
        self.back = self.axes[..., 0, :, :].swapaxes(-1, -2)
        self.arm = _turned(self.back, self.anchors[..., 0, :])

    def pose(
        self, position: Array, rotation: Array, half: Array, near: Array, pressed: Array
    ) -> Rows:
        """Return values and Jacobian of all rows.

        Args:
            position: (L, S, bodies, 3) centres of mass, m.
            rotation: (L, S, bodies, 3, 3) world from body axes.
            half: (L, 1, m, 4) quaternions from which they go on.
            near: (L, 1, r) values from which twists go on.
            pressed: (L, 1, r) rad, bounds at which twists are held; NaN for all other rows.
        """
        lead, joint, turning = position.shape[:2], self.joint, self.turning
        first, second = rotation.take(self.first, 2), rotation.take(self.second, 2)
        apart = position.take(self.second, 2) - position.take(self.first, 2)
        apart += _turned(second, self.anchors[..., 1, :]) - _turned(first, self.anchors[..., 0, :])
        own = (first @ self.axes[..., 0, :, :]).swapaxes(-1, -2)
        other = own @ second
        straight = _turned(own, apart)
        arms = self.arm + straight, _turned(other, self.anchors[..., 1, :])
        q = quaternion_of(other @ self.axes[..., 1, :, :])
        q *= np.copysign(1.0, (q * half).sum(-1, keepdims=True))
        place = straight.take(joint, 2)
        value = place[..., self._row, self._axis] - self.hold
        direction, swirl = np.empty(place.shape), np.zeros(place.shape)
        direction[:], lock, stretch = self._unit, np.zeros(value.shape), np.ones(value.shape)
        if len(turning):
            at = q.take(joint[turning], 2), near[..., turning], pressed[..., turning]
            of_rows = value, direction, lock, swirl, stretch
            for every, of_twists in zip(of_rows, self._twists(*at), strict=True):
                every[:, :, turning] = of_twists
        bend: Array | None = None
        if len(several := self.several):
            there = place[:, :, several], q.take(joint[several], 2)
            far, direction[:, :, several], bend = self.together.directions(*there)
            value[..., several] = far - self.hold[..., several]
        # A distance pulls at the connected origin, for both bodies.
        entry = np.zeros((*lead, len(joint), 2, 6))
        along = direction * self.straight[:, None]
        entry[..., 1, :3] = _turned(own.take(joint, 2).swapaxes(-1, -2), along)
        entry[..., 0, :3] = -entry[..., 1, :3]
        for end, frames in enumerate((-self.back, other)):
            lever = cross(arms[end].take(joint, 2), direction)
            about = np.where(self.straight[:, None], lever, direction)
            entry[..., end, 3:] = _turned(frames.take(joint, 2).swapaxes(-1, -2), about)
        entry *= self.over_roots
        return Rows(value, entry, q, own, other, apart, arms, direction, lock, swirl, stretch, bend)

    def _twists(self, q: Array, near: Array, pressed: Array) -> tuple[Array | float, ...]:
        """Return of rotations about one axis value, direction, lock, swirl and stretch.

        Of k such rows, with the quaternions (L, S, k, 4) of their joints; see ``pose``.
        """
        v, s, own = q[..., :3], q[..., 3], q[..., self._row[: q.shape[2]], self._axis[self.turning]]
        follows = 0.5 * (s[..., None] * self._about - cross(self._about, v))  # N_i
        (c, e), free = self._held, self.free
        stretch: Array | float = 1.0
        root: Array | float = 1.0
        angle, on = self.hold[..., self.turning], ~np.isnan(pressed)
        if on.any():
            free, angle = free & ~on, np.where(on, pressed, angle)
            c, e = 2.0 * np.cos(0.5 * angle), 2.0 * np.sin(0.5 * angle)
            part = 0.5 * (c * s + e * own)
            side = np.where(on & (part < 0.0), -1.0, 1.0)
            c, e = side * c, side * e
            stretch = np.where(on, 1.0 / np.maximum(np.abs(part), FLATTEST**0.5), 1.0)
        lock = c * own - e * s
        value = np.where(on, angle + lock, lock)
        if self.held.any():
            root = np.sqrt(np.maximum(1.0 - 0.25 * lock * lock, FLATTEST))
            root = np.where(self.held, 1.0 / root, 1.0)
            held = angle + 2.0 * np.arcsin(np.clip(0.5 * lock, -1.0, 1.0))
            value = np.where(self.held, held, value)
        inverse = np.where(free, 1.0 / np.maximum(own * own + s * s, FLATTEST), 0.0)
        twist = 2.0 * np.arctan2(own, s)
        twist += tau * np.rint((near - twist) / tau)
        c = np.where(free, 2.0 * s * inverse, c * root)
        e = np.where(free, 2.0 * own * inverse, e * root)
        direction = c[..., None] * follows + 0.5 * e[..., None] * v
        swirl = inverse[..., None] * (own[..., None] * follows - 0.5 * s[..., None] * v)
        lock = np.where(free, 0.0, lock * root)
        return np.where(free, twist, value), direction, lock, swirl, stretch

    def motion(self, at: Rows, velocity: Array, other: Array) -> tuple[Array, Array]:
        """Return rates of all rows, and their accelerations where no body accelerates: (L, S, r).

        Velocities (L, S, n, 6) are scaled, those of what moves by itself (L, 1, o, 6) are not; its
        spins are about body axes as well.
        """
        joint, turning, several = self.joint, self.turning, self.several
        n, (arm, reach) = velocity.shape[2], at.arms
        real = np.empty((*velocity.shape[:2], n + other.shape[2], 6))
        np.multiply(velocity, self.inverse, out=real[:, :, :n])
        real[:, :, n:] = other
        first, second = real.take(self.first, 2), real.take(self.second, 2)
        spin, other_spin = _turned(self.back, first[..., 3:]), _turned(at.other, second[..., 3:])
        swing, other_swing = cross(spin, arm), cross(other_spin, reach)
        speed = _turned(at.own, second[..., :3] - first[..., :3]) + other_swing - swing
        bare = cross(other_spin, other_swing) - cross(spin, swing + 2.0 * speed)
        straight, u = self.straight[:, None], other_spin - spin
        moves = np.where(straight, speed.take(joint, 2), u.take(joint, 2))
        still = np.where(straight, bare.take(joint, 2), -cross(spin, other_spin).take(joint, 2))
        rate, drift = (at.direction * moves).sum(-1), (at.direction * still).sum(-1)
        own, turn, lock = rate[..., turning], moves[:, :, turning], at.lock[..., turning]
        drift[..., turning] += 0.25 * lock * (self.held * own * own - (turn * turn).sum(-1))
        drift[..., turning] -= 2.0 * own * (at.swirl[:, :, turning] * turn).sum(-1)
        if at.bend is not None:
            normal, further = at.direction[:, :, several], moves[:, :, several]
            drift[..., several] += self.together.bends(normal, at.bend, further)
        return rate, drift


def _turned(matrices: Array, vectors: Array) -> Array:
    return np.asarray((matrices @ vectors[..., None])[..., 0])
