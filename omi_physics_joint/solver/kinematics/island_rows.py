# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of equal islands where they are and nearby, and where their bodies go from there.

And what is read where they stand: the six coordinates of every joint, and the Jacobian.
"""

from __future__ import annotations

from math import tau

import numpy as np

from ..system import RowKind, State, System
from .coordinates import Kinematics, Rows
from .rotation import Array, cross, exponential, quaternion_of

Poses = tuple[Array, Array]
"""Positions (N, S, bodies, 3) in m and rotations (N, S, bodies, 3, 3), at S moments."""


class IslandRows:
    """Evaluates the rows of islands near their states.

    Attributes:
        half, near: quaternions (N, 1, m, 4) and values (N, 1, r) from which rows go on.
        pressed: (N, 1, r) bounds at which twists are held, else NaN.
        other: (N, 1, o, 6) velocities of what moves by itself: m/s in world axes, rad/s about its
            own axes, which stay as they are when it turns about a fixed one.
    """

    def __init__(
        self, kinematics: Kinematics, state: State, other_velocity: Array | None = None
    ) -> None:
        """Take over states, and velocities (N, o, 6) in world axes of what moves by itself."""
        self.kinematics, self._state = kinematics, state
        self.half, self.near = state.half[:, None], state.value[:, None]
        self.pressed = np.full(self.near.shape, np.nan)
        n = self._bodies = state.velocity.shape[1]
        if other_velocity is None:
            other_velocity = np.zeros((*state.position[:, n:].shape[:2], 6))
        self._other_velocity = other_velocity
        back = state.rotation[:, n:].swapaxes(-1, -2)
        spin = (back @ other_velocity[..., 3:, None])[..., 0]
        self.other = np.concatenate([other_velocity[..., :3], spin], -1)[:, None]

    def at(self, poses: Poses) -> Rows:
        """Return the rows at poses."""
        return self.kinematics.pose(*poses, self.half, self.near, self.pressed)

    def now(self) -> Rows:
        """Return the rows where the islands are."""
        return self.at((self._state.position[:, None], self._state.rotation[:, None]))

    def motion(self, rows: Rows, velocity: Array) -> tuple[Array, Array]:
        """Return rates and drifts (N, S, r) at scaled velocities (N, S, n, 6)."""
        return self.kinematics.motion(rows, velocity, self.other)

    def displaced(self, poses: Poses, by: Array) -> Poses:
        """Return poses whose bodies are moved by scaled displacements (N, S, n, 6)."""
        n, way = self._bodies, by * self.kinematics.inverse
        position, rotation = poses[0].copy(), poses[1].copy()
        position[:, :, :n] += way[..., :3]
        rotation[:, :, :n] = rotation[:, :, :n] @ exponential(way[..., 3:])
        return position, rotation

    def carried(self, time: Array | float, poses: Poses) -> Poses:
        """Return poses of which what moves by itself is where it is some seconds (N, S) later."""
        n, state = self._bodies, self._state
        way = np.asarray(time)[..., None, None] * self.other
        place = state.position[:, None, n:] + way[..., :3]
        turn = state.rotation[:, None, n:] @ exponential(way[..., 3:])
        position, rotation = poses
        return (
            np.concatenate([position[:, :, :n], place], 2),
            np.concatenate([rotation[:, :, :n], turn], 2),
        )

    def go(self, poses: Poses, rows: Rows, velocity: Array, time: float) -> None:
        """Have the islands be at other poses with rows, at scaled velocities, some seconds later.

        Axles turn by the mean of their rates.
        """
        state, axles = self._state, self.kinematics.axles
        before = axles.rates(state, self._other_velocity)
        state.position[:], state.rotation[:] = poses[0][:, 0], poses[1][:, 0]
        state.velocity[:] = velocity
        state.value[:], state.half[:] = rows.value[:, 0], rows.half[:, 0]
        state.span[:, 2] += time
        after = axles.rates(state, self._other_velocity)
        axles.count(state, 0.5 * time * (before + after))


def wrenches(kinematics: Kinematics, rows: Rows, force: Array) -> Array:
    """Return the wrenches (N, S, m, 6) of forces on rows (N, S, r) on the connected bodies.

    N and N m about the joint frame's origin, world axes: a distance pulls at the connected origin.
    """
    joint = kinematics.joint
    along = ((force[..., None] * rows.direction)[..., None, :] @ rows.own.take(joint, 2))[..., 0, :]
    straight = kinematics.straight[:, None]
    about = np.where(straight, cross(rows.apart.take(joint, 2), along), along)
    every = np.concatenate([along * straight, about], -1)
    out = np.zeros((rows.half.shape[2], *force.shape[:2], 6))
    np.add.at(out, joint, every.transpose(2, 0, 1, 3))
    return out.transpose(1, 2, 0, 3)


def begin_rows(system: System, state: State, *, continued: bool) -> None:
    """Prepare states of which only poses are known: values, quaternions and turns of their rows.

    Where they go on from others, these are known as well, but for rounding.
    """
    state.span[:] = state.excess[:] = state.impulse[:] = 0.0
    state.side[:] = state.mode[:] = state.stiff[:] = 0
    state.scale[:] = 1.0
    if not continued:
        state.value[:] = np.where(system.kind == RowKind.LOCK, 0.0, system.hold)
        state.half[:] = (0.0, 0.0, 0.0, 1.0)
        state.angle[:] = 0.0
    near = IslandRows(Kinematics(system), state)
    rows = near.now()
    state.value[:], state.half[:] = rows.value[:, 0], rows.half[:, 0]
    if not continued:
        state.value[:] = on_a_turn(system, state.value)
    near.kinematics.axles.count(state, 0.0)


def on_a_turn(system: System, value: Array) -> Array:
    """Return values (N, r) with twists on the turn on which they are least outside their ranges."""
    twists = (system.kind == RowKind.FREE) & system.twisting
    least, out = np.full(value.shape, np.inf), value
    for turns in (0.0, tau, -tau):
        v = value + turns
        off = _outside(v, system.low, system.high)
        for e in np.flatnonzero(system.one_sided):
            row = system.element_row[e]
            off[:, row] += _outside(v[:, row], system.soft_low[:, e], system.soft_high[:, e])
        better = twists & (off < least - 1e-9)
        least, out = np.where(better, off, least), np.where(better, v, out)
    return out


def _outside(value: Array, low: Array, high: Array) -> Array:
    return np.maximum(np.maximum(low - value, value - high), 0.0)


def relative_poses(system: System, state: State) -> tuple[Array, Array]:
    """Return where the connected frames are in the joints' frames.

    That is (N, m, 3) in m, and unit quaternions (N, m, 4), x y z w, w >= 0.
    """
    turns = state.rotation[:, system.ends]
    points = state.position[:, system.ends] + (turns @ system.anchors[..., None])[..., 0]
    frames = turns @ system.axes
    back = frames[:, :, 0].swapaxes(-1, -2)
    place = (back @ (points[:, :, 1] - points[:, :, 0])[..., None])[..., 0]
    q = quaternion_of((back @ frames[:, :, 1]).reshape(-1, 3, 3))
    return place, q.reshape(system.islands, system.joints, 4)


def coordinates_of(system: System, state: State) -> Array:
    """Return X Y Z in m and the twists about them in rad: (N, m, 6).

    An axis that is held, rigidly or softly, says by how much it is off its hold. Twists with a row
    go on over all turns, and so do axles; others over two, as the quaternion that goes on tells.
    """
    place, q = relative_poses(system, state)
    ahead = np.where((q * state.half).sum(-1, keepdims=True) < 0.0, -q, q)
    out = np.empty((*place.shape[:2], 6))
    out[..., :3] = place
    out[..., 3:] = 2.0 * np.arctan2(ahead[..., :3], ahead[..., 3:])
    joint, axis = system.joint_of_row, system.coordinate
    known = np.flatnonzero(system.twisting & (system.kind == RowKind.FREE))
    out[:, joint[known], axis[known]] = state.value[:, known]
    axles = np.flatnonzero(system.axle >= 0)
    out[:, axles, 3 + system.axle[axles]] = state.angle[:, axles]
    held = np.flatnonzero(system.twisting & (system.kind != RowKind.FREE))
    if len(held):
        hold, own = system.hold[:, held], q[:, joint[held]]
        vector = own[:, np.arange(len(held)), axis[held] - 3]
        cosine, sine = np.cos(0.5 * hold), np.sin(0.5 * hold)
        along = cosine * vector - sine * own[..., 3]
        across = cosine * own[..., 3] + sine * vector
        along = np.where(across < 0.0, -along, along)
        out[:, joint[held], axis[held]] = hold + 2.0 * np.arcsin(np.clip(along, -1.0, 1.0))
    return out


def jacobian_of(system: System, state: State) -> Array:
    """Return the scaled Jacobian of each island: (N, r, 6 n)."""
    return dense(system, IslandRows(Kinematics(system), state).now().entry[:, 0])


def dense(system: System, entry: Array) -> Array:
    """Return the scaled Jacobians (N, r, 6 n) of rows' entries (N, r, 2, 6)."""
    out = np.zeros((system.islands, system.rows, system.bodies + system.others, 6))
    for end in (0, 1):
        body = system.ends[system.joint_of_row, end]
        out[:, np.arange(system.rows), body] += entry[:, :, end]
    return out[:, :, : system.bodies].reshape(system.islands, system.rows, 6 * system.bodies)
