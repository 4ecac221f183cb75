# SPDX-License-Identifier: GPL-3.0-or-later
"""One island, its equations written out as they stand, and solved densely.

Bodies have scaled velocities V, six each, so that the mass matrix is one (see ``system``). With the
rows' Jacobian E, weights and gyroscopic torques f, forces F of springs and drives along their rows:

    V' = f + E^T (F + l),    E V' + drift = b''    for rows that are held at b

where l is the force of each row that is held: a lock, or a bound that bears. Taken together,

    E E^T l = b'' - drift - E (f + E^T F)

E E^T has no inverse where rows repeat each other. With a little added to its diagonal it has, and
what that leaves out comes in by doing it again with the rest (proximal rounds: Carpentier,
Budhiraja, Mansard 2021).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..elements import Elements, Modes, elements_of, law, wanted
from ..kinematics.axles import Axles
from ..kinematics.coordinates import Kinematics, Rows
from ..kinematics.island_rows import IslandRows, Poses, wrenches
from ..kinematics.readings import dense
from ..kinematics.rotation import Array, Mask, cross, orthonormalized
from ..state import BRINGING_IN, State, brought_in
from ..system import RowKind, System

HOLDS = 1e-11
"""m or rad: by which rows may be off."""
LITTLE = 1e-10
"""What is added to the diagonal, over the squared length of a row."""
ROUNDS = 2
SURE = 1e-4
"""Part of the largest singular value, below which rows that repeat each other bear nothing."""
PROJECTIONS = 12
FARTHEST = 0.5
"""m over the size, or rad, that a projection moves a body at once."""
MOST = 20.0
"""rad that a spring may turn in an output step and still be followed."""
HORIZON = 0.5
"""Part of an output step in which what is too stiff gives way."""
AT_ITS_MOST = 3
"""Mode of a drive."""
LARGEST = 1e30
"""Scaled velocities."""
LEAST = 1e-6
"""Of what bodies yield that are alone: what yields less is held, and not accelerated."""


class Evaluated(NamedTuple):
    """All rows at a pose and scaled velocities."""

    rows: Rows
    value: Array
    """(r,) m or rad."""
    jacobian: Array
    """(r, 6 n) scaled."""
    rate: Array
    drift: Array
    """(r,) accelerations of rows where no body accelerates."""


class Held(NamedTuple):
    """What rows are held at, (r,): values, rates, accelerations."""

    value: Array
    rate: Array
    acceleration: Array


class Moving(NamedTuple):
    """Accelerations (1, 1, n, 6) scaled, and forces of held rows (r,) and of elements (e,)."""

    acceleration: Array
    force: Array
    element_force: Array
    bend: Array
    """(r,) accelerations of rows."""


class DenseIsland:
    """One island: its constants, and views into its state.

    Poses and scaled velocities lead with (1, 1), numbers of rows (r,) and elements (e,) do not.
    """

    def __init__(self, system: System, state: State) -> None:
        """Take over the only island of a system, and its state."""
        self.system, self.state = system, state
        self.kinematics, self._axles = Kinematics(system), Axles(system)
        self.inverse = self.kinematics.inverse
        self.span, self.excess = state.span[0], state.excess[0]
        self.side, self.mode, self.stiff = state.side[0], state.mode[0], state.stiff[0]
        self.size, self.low, self.high = float(system.size[0]), system.low[0], system.high[0]
        self.lock: Mask = system.kind == RowKind.LOCK
        self.horizon = 0.0
        """s, in which what is too stiff to be followed gives way."""
        self.lead(np.zeros((1, system.others, 6)))

    def lead(self, velocity: Array) -> None:
        """Take over velocities (1, o, 6) in world axes of what moves by itself."""
        self._other_velocity = velocity
        self.near = IslandRows(self.kinematics, self.state, velocity)

    def begin(self, violated: float) -> None:
        """Say what the first pose violates by more than ``violated``, m or rad."""
        v = self.state.value[0]
        over = np.where(v > self.high, v - self.high, np.minimum(v - self.low, 0.0))
        off = np.where(self.lock, v, over)
        self.excess[:] = np.where(np.abs(off) > violated, off, 0.0)
        self.side[:] = np.where(self.lock, 0, np.sign(self.excess))

    def go(self, poses: Poses, velocity: Array, now: Evaluated, time: float) -> None:
        """Be elsewhere, some seconds later; axles turn by the mean of their rates."""
        state, axles = self.state, self._axles
        before = axles.rates(state, self._other_velocity)
        state.position[:], state.rotation[:] = poses[0][0], poses[1][0]
        state.velocity[:] = velocity[0]
        state.value[:], state.half[:] = now.value, now.rows.half[0]
        self.span[2] += time
        axles.count(state, 0.5 * time * (before + axles.rates(state, self._other_velocity)))

    @property
    def poses(self) -> Poses:
        """Where the island is."""
        return self.state.position[None], self.state.rotation[None]

    @property
    def velocity(self) -> Array:
        """Its scaled velocities."""
        return self.state.velocity[None]

    # Rows, and what they are held at.

    @property
    def comes_in(self) -> Mask:
        """Which bounds come in and are held until they are there: (r,)."""
        coming = ~self.lock & (self.excess * self.side > 0.0)
        return coming if self.span[2] < BRINGING_IN else np.zeros_like(coming)

    @property
    def active(self) -> Mask:
        """Which rows are held: (r,)."""
        return np.asarray(self.lock | (self.side != 0))

    def held(self, time: float) -> Held:
        """Return what active rows are held at, some seconds from now.

        What was violated at first comes in along 1 - 10 u^3 + 15 u^4 - 6 u^5.
        """
        coming = np.where(self.lock | (self.excess * self.side > 0.0), self.excess, 0.0)
        base = np.where(self.side > 0, self.high, np.where(self.side < 0, self.low, 0.0))
        u = min((self.span[2] + time) / BRINGING_IN, 1.0)
        rate = -30.0 * (u * (1.0 - u)) ** 2 / BRINGING_IN
        bend = -60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / BRINGING_IN**2
        return Held(base + coming * brought_in(u), coming * rate, coming * bend)

    def bounds(self, time: float) -> tuple[Array, Array]:
        """Return where bounds (r,) are some seconds from now; those that were violated come in."""
        over = self.excess * brought_in(min((self.span[2] + time) / BRINGING_IN, 1.0))
        return self.low + np.minimum(over, 0.0), self.high + np.maximum(over, 0.0)

    def at(self, poses: Poses, velocity: Array) -> Evaluated:
        """Return the rows at poses and scaled velocities.

        Raises:
            LinAlgError: velocities are beyond all that means anything.
        """
        if not float(np.abs(velocity).sum()) < LARGEST:
            message = "velocities grow without bounds"
            raise np.linalg.LinAlgError(message)
        pressed = (self.side != 0) & self.kinematics.twists & (self.excess == 0.0)
        bound = np.where(self.side > 0, self.high, self.low)
        self.near.pressed[:] = np.where(pressed, bound, np.nan)
        rows = self.near.at(poses)
        rate, drift = self.near.motion(rows, velocity)
        jacobian = dense(self.system, rows.entry[0])[0]
        return Evaluated(rows, rows.value[0, 0], jacobian, rate[0, 0], drift[0, 0])

    def project(
        self, poses: Poses, velocity: Array, held: Held, rounds: int = PROJECTIONS
    ) -> tuple[Poses, Evaluated, float]:
        """Bring poses onto the active rows, as well as they allow (Levenberg, Marquardt).

        Returns:
            The poses, their rows, and by how much the worst is off, m or rad.
        """
        active, best = self.active, np.inf
        found, now = poses, self.at(poses, velocity)
        for done in range(rounds + 1):
            missing = np.where(active, held.value - now.value, 0.0)
            off = float(np.abs(missing).max(initial=0.0))
            if off < best:
                best, kept = off, (found, now)
                little = max(LITTLE, (off / self.size) ** 2)
                by = self.pushed(now, solved(now.jacobian, active, missing, 0.0, little))
                way = np.abs(by * self.inverse)
                way[..., :3] /= self.size
                by *= min(1.0, FARTHEST / max(float(way.max(initial=0.0)), 1e-300))
            else:
                by *= 0.5
            if best < HOLDS or done == rounds:
                break
            found = self.near.displaced(kept[0], by)
            now = self.at(found, velocity)
        (place, turn), now = kept
        n = self.system.bodies
        turn = np.concatenate([orthonormalized(turn[:, :, :n]), turn[:, :, n:]], 2)
        return (place, turn), now, best

    def fit(self, now: Evaluated, velocity: Array, held: Held) -> Array:
        """Return velocities that the active rows allow."""
        missing = held.rate - now.rate
        return velocity + self.pushed(now, solved(now.jacobian, self.active, missing))

    def pushed(self, now: Evaluated, force: Array) -> Array:
        """Return what forces or impulses (r,) on rows do to bodies, (1, 1, n, 6) scaled."""
        return np.asarray((force @ now.jacobian).reshape(1, 1, -1, 6))

    # Forces.

    def free_forces(self, velocity: Array) -> Array:
        """Return weights and gyroscopic torques, L x w = (I_2 - I_3) w_2 w_3 and so on."""
        spin = velocity[..., 3:] * self.inverse[..., 3:]
        out = self.system.weight[None].copy()
        with np.errstate(invalid="ignore", over="ignore"):
            momentum = velocity[..., 3:] / self.inverse[..., 3:]
            torque = cross(momentum, spin) * self.inverse[..., 3:]
        out[..., 3:] += np.where(np.isfinite(torque), torque, 0.0)
        return out

    def on_rows(
        self, now: Evaluated, mode: Modes, gives: Mask, ahead: Array | float
    ) -> tuple[Array, Array, Array]:
        """Return what elements do to rows, (r,) each.

        Args:
            now: the rows.
            mode: (e,) of elements.
            gives: (e,) which of them are taken where they will be ``ahead`` s later.
            ahead: s.

        Returns:
            Forces of those that are taken where they are; forces of the others if rates stay what
            they are; and by how much each unit of rate changes these.
        """
        elements, rows = self.elements, self.system.element_row
        value, rate, most = now.value[rows], now.rate[rows], elements.max_force
        here = np.clip(law(elements, mode, value, rate), -most, most)
        then = law(elements, mode, value + ahead * rate, rate)
        resist = elements.stiffness * ahead + elements.damping
        stretch = now.rows.stretch[0, 0, rows]
        parts = np.where(gives | (mode == 0), 0.0, here * stretch), then * gives, resist * gives
        out = np.zeros((3, len(now.value)))
        for to, part in zip(out, parts, strict=True):
            np.add.at(to, rows, part)
        return out[0], out[1], out[2]

    def element_forces(self, now: Evaluated, mode: Modes, ahead: Array | float) -> Array:
        """Return forces of elements (e,), some seconds ahead at the rates that there are."""
        value, rate = (one[self.system.element_row] for one in (now.value, now.rate))
        return np.where(mode == 0, 0.0, law(self.elements, mode, value + ahead * rate, rate))

    def accelerate(self, now: Evaluated, velocity: Array, held: Held) -> Moving:
        """Return accelerations and forces at a moment.

        A spring that is too stiff to be followed is a row with compliance, whose force is where the
        coordinate would be after the horizon T: F(y + T y' + T^2 y'', y' + T y''), so with
        K = k T^2 + d T that is y'' + l / K = F(y + T y', y') / K.
        """
        rows, time = self.system.element_row, self.horizon
        gives = (self.stiff != 0) & (np.abs(self.mode) == 1) & ~self.active[rows]
        load, ahead, resist = self.on_rows(now, self.mode, gives, time)
        yields = resist > 0.0
        soft = np.where(yields, 1.0 / np.maximum(resist * time, 1e-300), 0.0)
        free = self.free_forces(velocity) + self.pushed(now, load)
        wanted_there = np.where(yields, ahead * soft, held.acceleration)
        missing = wanted_there - now.drift - now.jacobian @ free.reshape(-1)
        force = solved(now.jacobian, self.active | yields, missing, soft)
        acceleration = free + self.pushed(now, force)
        bend = now.jacobian @ acceleration.reshape(-1) + now.drift
        then = now._replace(rate=now.rate + time * np.where(yields, bend, 0.0))
        forces = self.element_forces(then, self.mode, np.where(gives, time, 0.0))
        return Moving(acceleration, np.where(yields, 0.0, force), forces, bend)

    def wanted(self, now: Evaluated, bend: Array | float = 0.0) -> Modes:
        """Return what elements do at a moment, (e,), as rates change by ``bend`` (r,) a second.

        What is too stiff to be followed goes by where it would be; but a drive at its most stays
        there until its law asks for less where it is.
        """
        rows = self.system.element_row
        gives = (self.stiff != 0) & ~self.active[rows] & (np.abs(self.mode) != AT_ITS_MOST)
        later = now.rate + self.horizon * bend
        rate = np.where(gives, later[rows], now.rate[rows])
        value = now.value[rows] + np.where(gives, self.horizon * rate, 0.0)
        return wanted(self.elements, self.mode, value, rate)

    def measure(self, dt: float) -> Array:
        """Read elements; find which are too stiff for output steps of dt s; return rad/s of all.

        These give way within half a step. All else of elements is asked after this.

        How stiff one is shows in the inertia 1 / (g P g) that it moves with all locks enforced, g
        its scaled gradient: it turns by sqrt(k g P g), or by d g P g if that is more. A drive that
        accelerates is times that inertia.
        """
        system, now, self.horizon = self.system, self.at(self.poses, self.velocity), HORIZON * dt
        omega = np.zeros(system.elements)
        for e, row in enumerate(system.element_row):
            gradient = now.jacobian[row] * now.rows.stretch[0, 0, row]
            force = solved(now.jacobian, self.lock, -now.jacobian @ gradient)
            own = float(gradient @ gradient)
            moved = max(float(gradient @ (gradient + force @ now.jacobian)), 1e-12 * own)
            eases = moved / max(moved * moved + (LEAST * own) ** 2, 1e-300)
            scale = eases if system.accelerates[e] else 1.0
            stiffness, damping = scale * system.stiffness[0, e], scale * system.damping[0, e]
            omega[e] = max(np.sqrt(stiffness * moved), damping * moved)
            self.state.scale[0, e], self.stiff[e] = scale, not omega[e] * dt <= MOST
        row, is_drive, one_sided, on_lock, *numbers = elements_of(system, self.state.scale)
        self.elements = Elements(row, is_drive, one_sided, on_lock, *(one[0] for one in numbers))
        return omega

    def wrenches(self, now: Evaluated, force: Array, element_force: Array) -> Array:
        """Return what rows with forces (r,) and elements (e,) but drives do to connected bodies.

        (m, 6): N and N m about the joint frame's origin, world axes. Of rows that repeat each other
        forces are those of least norm.
        """
        total, elements = force.copy(), self.elements
        if self.system.closed:
            on = np.flatnonzero(self.active)
            push = force[on] @ now.jacobian[on]
            total[on] = np.linalg.lstsq(now.jacobian[on].T, push, SURE)[0]
        own = np.where(elements.is_drive, 0.0, element_force) * now.rows.stretch[0, 0, elements.row]
        np.add.at(total, elements.row, own)
        return np.asarray(wrenches(self.kinematics, now.rows, total[None, None])[0, 0])


def solved(
    jacobian: Array,
    active: Mask,
    wanted: Array,
    soft: Array | float = 0.0,
    little: float = LITTLE,
) -> Array:
    """Return the forces (r,) of active rows that change their rates as wanted.

    Args:
        jacobian: (r, 6 n) scaled.
        active: (r,).
        wanted: (r,) changes of rates.
        soft: (r,) by how much rows give way to a force of one.
        little: what is added to the diagonal, over the squared length of a row.
    """
    on, out = np.flatnonzero(active), np.zeros(len(active))
    moves = jacobian[on] @ jacobian[on].T
    square = np.maximum(np.diagonal(moves), 1e-300)
    given = moves + np.diag(np.broadcast_to(soft, active.shape)[on])
    eased = given + np.diag(little * square)
    force = np.zeros(len(on))
    for _ in range(ROUNDS + 1 if little <= LITTLE else 1):
        force = force + np.linalg.solve(eased, wanted[on] - given @ force)
    out[on] = force
    return out
