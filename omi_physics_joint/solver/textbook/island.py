# SPDX-License-Identifier: GPL-3.0-or-later
"""One island, its equations written out as they stand, and solved densely.

Bodies have scaled velocities V, six each, so that the mass matrix is one (see ``system``). With the
rows' Jacobian E, weights and gyroscopic torques f, forces F of springs and drives along their rows:

    V' = f + E^T (F + l),    E V' + drift = g''    for rows that are active, g their goals

where l is the force of each active row: a lock, or a bound that bears. Taken together,

    E E^T l = g'' - drift - E (f + E^T F)

E E^T has no inverse where rows repeat each other. With a little added to its diagonal it has, and
iterative refinement takes that out again (proximal rounds: Carpentier, Budhiraja, Mansard 2021);
but not where it is so much that it damps rows which contradict each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kinematics.coordinates import Kinematics, Rows
from ..kinematics.island_rows import IslandRows, Poses, dense, wrenches
from ..kinematics.rotation import Array, Mask, cross, orthonormalized
from ..system import (
    AT_ITS_MOST,
    BRINGING_IN,
    Modes,
    RowKind,
    State,
    System,
    bounds,
    law,
    scaled,
    wanted,
)

HOLDS, MOVES = 1e-11, 1e-3
"""m or rad, by which rows may be off; m/s or rad/s: what is slower is where it would be."""
EPS, ROUNDS = 1e-10, 2
"""What is added to the diagonal, over the squared length of a row; rounds that take it out."""
SURE = 1e-4
"""Part of the largest singular value, below which rows that repeat each other bear nothing."""
PROJECTIONS, FARTHEST = 12, 0.5
"""Rounds of a projection; m over the size, or rad, that one moves a body at most."""
MOST, HORIZON = 20.0, 0.5
"""rad that a spring may turn in an output step and be followed; part of it in which others give."""
LARGEST, LEAST = 1e30, 1e-6
"""Scaled velocities; of what bodies yield that are alone: what yields less is not accelerated."""
AGE = 2  # where in the state's span that of the simulation stands, s


class Evaluated(NamedTuple):
    """All rows at a pose and scaled velocities: (r,) but for the Jacobian, (r, 6 n) scaled."""

    rows: Rows
    value: Array
    jacobian: Array
    rate: Array
    drift: Array

    def push(self, force: Array) -> Array:
        """Return what forces or impulses (r,) on rows do to bodies, (1, 1, n, 6) scaled."""
        return np.asarray((force @ self.jacobian).reshape(1, 1, -1, 6))


class DenseIsland:
    """One island during an output step: its constants, and views into its state.

    Poses and scaled velocities lead with (1, 1), numbers of rows (r,) and elements (e,) do not.

    Attributes:
        now: its rows where it is.
        omega: (e,) rad/s, how fast elements act.
        wrench: (m, 6) impulses of joints.
        steps, events, first_order, unfollowed: what it took, see ``StepResult``.
    """

    def __init__(self, system: System, state: State, other_velocity: Array, dt: float) -> None:
        """Begin an output step of dt s, with velocities (1, o, 6) as of ``Stepper``."""
        self.system, self.state, self.dt, self.horizon = system, state, dt, HORIZON * dt
        self.kinematics = Kinematics(system)
        self.rows = IslandRows(self.kinematics, state, other_velocity)
        self.inverse, self.excess = self.kinematics.inverse, state.excess[0]
        self.row, self.span, self.velocity = system.element_row, state.span[0], state.velocity[None]
        self.side, self.mode, self.stiff = state.side[0], state.mode[0], state.stiff[0]
        self.poses = state.position[None], state.rotation[None]
        self.size, self.lock = float(system.size[0]), system.kind == RowKind.LOCK
        self.to_rows = np.arange(system.rows) == self.row[:, None]
        self.wrench = np.zeros((system.joints, 6))
        self.steps = self.events = self.first_order = self.unfollowed = 0
        self.now = self.at(self.poses, self.velocity)
        self._measure()

    def _measure(self) -> None:
        """Find scales of elements, how fast they act, and which are too stiff to be followed.

        With its scaled gradient e, and P = 1 - E^T (E E^T)^-1 E of all locks, an element moves the
        inertia 1 / (e P e^T): it oscillates at sqrt(k e P e^T) rad/s, or creeps at d e P e^T if
        that is more. A drive that accelerates is times that inertia.
        """
        system, jacobian = self.system, self.now.jacobian
        gradient = jacobian[self.row] * self.now.rows.stretch[0, 0, self.row, None]
        force = solved(jacobian, self.lock, -jacobian @ gradient.T)
        own = (gradient * gradient).sum(1)
        moved = np.maximum((gradient * (gradient + force.T @ jacobian)).sum(1), 1e-12 * own)
        eases = moved / np.maximum(moved * moved + (LEAST * own) ** 2, 1e-300)
        self.state.scale[0] = np.where(system.accelerates, eases, 1.0)
        elements = self.elements = scaled(system, self.state.scale)
        self.omega = np.maximum(np.sqrt(elements.stiffness * moved), elements.damping * moved)[0]
        self.stiff[:] = ~(self.omega * self.dt <= MOST)

    def go(self, poses: Poses, now: Evaluated, velocity: Array, time: float, wrench: Array) -> None:
        """Take a step to elsewhere, of some seconds, in which joints bore impulses (m, 6)."""
        self.rows.go(poses, now.rows, velocity[0], time)
        self.now, self.wrench, self.steps = now, self.wrench + wrench, self.steps + 1
        by_law = (self.mode != 0) & (np.abs(self.mode) != AT_ITS_MOST)
        still = np.where(self.elements.stiffness[0] > 0.0, 0.0, self.system.speed[0])
        lost = (self.stiff != 0) & by_law & (np.abs(now.rate[self.row] - still) > MOVES)
        self.unfollowed = max(self.unfollowed, int(lost.sum()))

    @property
    def comes_in(self) -> Mask:
        """Which bounds come in and are active until they are there: (r,)."""
        return np.asarray((self.excess * self.side > 0.0) & (self.span[AGE] < BRINGING_IN))

    @property
    def active(self) -> Mask:
        """Which rows are held: (r,)."""
        return np.asarray(self.lock | (self.side != 0))

    def goals(self, time: float) -> tuple[Array, Array, Array]:
        """Return values, rates and accelerations (r,) of active rows, some seconds from now."""
        low, high = bounds(self.system, self.state, time)
        u = min((self.span[AGE] + time) / BRINGING_IN, 1.0)
        coming = np.where(self.lock | self.comes_in, self.excess, 0.0)
        rate = -30.0 * (u * (1.0 - u)) ** 2 / BRINGING_IN
        bend = -60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / BRINGING_IN**2
        return np.where(self.side < 0, low, high)[0], coming * rate, coming * bend

    def passed(self, value: Array, time: float, slack: float) -> Array:
        """Return sides (r,) of the bounds that are passed some seconds from now, by some slack."""
        low, high = bounds(self.system, self.state, time)
        side = np.where(value > high + slack, 1, np.where(value < low - slack, -1, 0))[0]
        return np.where(self.lock, 0, side)

    def at(self, poses: Poses, velocity: Array) -> Evaluated:
        """Return the rows at poses and velocities; raise ``LinAlgError`` beyond the largest."""
        if not float(np.abs(velocity).sum()) < LARGEST:
            raise np.linalg.LinAlgError
        pressed = (self.side != 0) & self.kinematics.twists & (self.excess == 0.0)
        bound = np.where(self.side < 0, self.system.low, self.system.high)
        self.rows.pressed[:] = np.where(pressed, bound, np.nan)
        rows = self.rows.at(poses)
        rate, drift = self.rows.motion(rows, velocity)
        jacobian = dense(self.system, rows.entry[0])[0]
        return Evaluated(rows, rows.value[0, 0], jacobian, rate[0, 0], drift[0, 0])

    def project(
        self, poses: Poses, velocity: Array, time: float, rounds: int = PROJECTIONS
    ) -> tuple[Poses, Evaluated, Array, float]:
        """Return poses, rows and velocities on active rows, as they are some seconds from now.

        Poses come as near as they can (Levenberg, Marquardt); the last says how far off, m or rad.
        """
        goal, rate, _ = self.goals(time)
        best, found = np.inf, poses
        for done in range(rounds + 1):
            now = self.at(found, velocity)
            missing = np.where(self.active, goal - now.value, 0.0)
            off = float(np.abs(missing).max(initial=0.0))
            if done == 0 or off < best:
                best, poses, there = off, found, now
                if best < HOLDS:
                    break
                eps = max(EPS, (off / self.size) ** 2)
                by = now.push(solved(now.jacobian, self.active, missing, 0.0, eps))
                far = np.abs(by * self.inverse / np.repeat((self.size, 1.0), 3)).max(initial=1e-300)
                by *= min(1.0, FARTHEST / far)
            else:
                by *= 0.5
            found = self.rows.displaced(poses, by)
        poses = poses[0], orthonormalized(poses[1])
        velocity = velocity + there.push(solved(there.jacobian, self.active, rate - there.rate))
        return poses, self.at(poses, velocity), velocity, best

    def free_forces(self, velocity: Array) -> Array:
        """Return weights and gyroscopic torques, L x w = (I_2 - I_3) w_2 w_3 and so on."""
        inverse, spin = self.inverse[..., 3:], velocity[..., 3:]
        torque = cross(spin / inverse, spin * inverse) * inverse
        torque = np.where(np.isfinite(torque), torque, 0.0)
        return np.asarray(self.system.weight + np.concatenate([0.0 * torque, torque], -1))

    def accelerate(
        self, now: Evaluated, velocity: Array, goal: Array, h: float = 0.0, eps: float = EPS
    ) -> tuple[Array, Array, Array, Array]:
        """Solve for accelerations with which active rows have a goal (r,), and for forces.

        At a moment (h = 0) what is too stiff gives way, in a step of h s all that follows its law:
        it is a row with compliance. Its rate is taken t (``time``) later, h or at a moment the
        horizon, and its coordinate T (``ahead``) later, the same but never less than the horizon
        for what is too stiff: F(y + T (y' + t y''), y' + t y''). So with K = (k T + d) t that is
        y'' + l / K = F(y + T y', y') / K.

        Returns:
            Accelerations (1, 1, n, 6) scaled; forces of active rows, of elements but drives, and
            accelerations of rows, (r,) each.
        """
        gives, time = (np.abs(self.mode) == 1) & ~self.active[self.row], h or self.horizon
        ahead = np.where(self.stiff != 0, max(h, self.horizon), h) * gives  # T
        gives, most, jacobian = ahead > 0.0, self.system.max_force[0], now.jacobian

        def law_at(rate: Array) -> Array:
            value, rate = now.value[self.row], rate[self.row]
            force = law(self.elements, self.mode, value + ahead * rate, rate)[0]
            return np.where(self.mode == 0, 0.0, force)

        here, stretch = law_at(now.rate), now.rows.stretch[0, 0]
        resists = self.elements.stiffness[0] * ahead + self.elements.damping[0]
        parts = np.where(gives, 0.0, np.clip(here, -most, most)), gives * here, gives * resists
        load, then, resists = np.array(parts) @ self.to_rows
        yields = resists > 0.0
        soft = np.where(yields, 1.0 / np.maximum(resists * time, 1e-300), 0.0)
        free = self.free_forces(velocity) + now.push(load * stretch)
        missing = np.where(yields, then * soft, goal) - now.drift - jacobian @ free.reshape(-1)
        force = solved(jacobian, self.active | yields, missing, soft, eps)
        acceleration = free + now.push(force)
        bend = now.drift + jacobian @ acceleration.reshape(-1)
        later = law_at(now.rate + time * np.where(yields, bend, 0.0))
        own = np.where(self.system.is_drive, 0.0, later) @ self.to_rows * stretch
        return acceleration, np.where(yields, 0.0, force), own, bend

    def wanted(self, now: Evaluated, bend: Array) -> Modes:
        """Return what elements do at a moment, (e,), as rates change by ``bend`` (r,) a second.

        What is too stiff to be followed goes by where it would be; but a drive at its most stays
        there until its law asks for less where it is.
        """
        gives = (self.stiff != 0) & ~self.active[self.row] & (np.abs(self.mode) != AT_ITS_MOST)
        ahead = np.where(gives, self.horizon, 0.0)
        rate = now.rate[self.row] + ahead * bend[self.row]
        return np.asarray(wanted(self.elements, now.value[self.row] + ahead * rate, rate)[0])

    def wrenches(self, now: Evaluated, force: Array, own: Array | float = 0.0) -> Array:
        """Return what forces of active rows (r,), and of elements on them, do to connected bodies.

        (m, 6): N, N m about the joint frame's origin, world axes. Where rows repeat, of least norm.
        """
        total, on = force.copy(), self.active
        if self.system.closed:
            push = force[on] @ now.jacobian[on]
            total[on] = np.linalg.lstsq(now.jacobian[on].T, push, SURE)[0]
        return np.asarray(wrenches(self.kinematics, now.rows, (total + own)[None, None])[0, 0])


def solved(
    jacobian: Array, active: Mask, wanted: Array, soft: Array | float = 0.0, eps: float = EPS
) -> Array:
    """Return the forces (r,) of active rows that change their rates as wanted (r,) or (r, k).

    ``soft`` is (r,) by how much rows give way to a force of one, ``eps`` what is added to the
    diagonal, over the squared length of a row.
    """
    own, force = jacobian[active], np.zeros_like(wanted)
    moves = own @ own.T
    given = moves + np.diag(np.broadcast_to(soft, active.shape)[active])
    eased = given + eps * np.diag(np.maximum(np.diagonal(moves), 1e-300))
    for _ in range(ROUNDS + 1 if eps <= EPS else 1):
        force[active] += np.linalg.solve(eased, wanted[active] - given @ force[active])
    return force
