# SPDX-License-Identifier: GPL-3.0-or-later
"""The second-order step: RATTLE on rotations, with active bounds and springs.

With scaled velocities V (system.py), half steps and multipliers l, m of the rows:

    V'      = V_n + h/2 (Q_n + G_n^T l)                        half a kick
    x_n+1   = x_n + h v',   R_n+1 = R_n exp(h w)               drift, with
              I w + h/2 w x I w + h^2/12 w x (w x I w) = I^1/2 V'_angular = L'
    g(x_n+1, R_n+1) = 0                                        determines l
    V_n+1   = V'' + h/2 (Q_n+1 + G_n+1^T m),                   second half, where
              L'' = exp(h w)^T L': what turns freely keeps its momentum
    G_n+1 V_n+1 = 0                                            determines m

The drift is the discrete Euler-Poincare equation with the exponential map, its differential cut
after h^2 (Bou-Rabee and Marsden 2009; the Cayley map is cheaper by little and was nine times less
accurate on a chain: its free turn lags by a third of (h w)^2). The whole is symplectic, symmetric, conserves momentum exactly, and does not gain energy in the mean
(Andersen 1983; Leimkuhler and Reich 2004, chapter 7). g = 0 is solved by a chord iteration: near
l the residual moves by h^2/2 G_n G_n^T dl, whose inverse is at hand from the step before.

Springs that the step resolves (k h^2 and c h small against the inertia) are forces, and not rows:
kicks of 5/6 F_n + 1/6 F_n+1 and 1/6 F_n + 5/6 F_n+1. For an oscillator this is Newmark's method with
beta = 1/12 (Fox and Goodwin 1949), whose frequency is right to fourth order: the error of the
explicit method is 1/24 (omega h)^2, that of the implicit midpoint -1/12, and this cancels both.

Stiffer springs are rows with a compliance: l = F(x_n+1, (e_n+1 - e_n) / h), which adds 2 / (K h^2),
K = k + c / h, to the diagonal; and m = F(e + h e', e') adds 2 / (h (k h + c)). As k grows both go
over into the rigid row: L-stable, first order, no ringing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .loads import Loads, bounds_at
from .rotation import Array, exponential_near, orthonormalized
from .springs import gather_springs
from .state import State
from .system import Inverses, System

Mask = NDArray[np.bool_]
TOLERANCE = 2e-8
"""m and rad: residual of a row, and lag of the turning, that ends the iteration."""
ITERATIONS = 24
ROUNDS = 14
BETA = 1.0 / 12.0
_NEXT = np.array([1, 2, 0])
_AFTER = np.array([2, 0, 1])


@dataclass(slots=True)
class Drift:
    """The end of the drift: poses, values, and the mean spin that led there."""

    position: Array
    rotation: Array
    values: Array
    pose: object
    kicked: Array
    turning: Array
    turn: Array


class Rattle:
    """Steps a state; holds what is constant, and the factor of where it stands."""

    def __init__(self, system: System, loads: Loads) -> None:
        self.system = system
        self.loads = loads
        bodies = system.bodies
        n = system.count
        self.inertia = bodies.inertia[:n]
        self.inertia_root = np.sqrt(self.inertia)
        i = self.inertia
        self.twist = np.stack([i[:, 2] - i[:, 1], i[:, 0] - i[:, 2], i[:, 1] - i[:, 0]], 1)
        self.round = bool((np.abs(self.twist) <= 1e-9 * i).all())
        self.stiff: Mask | None = None
        self.inverse: Inverses = []
        self.soft = np.zeros(len(system))
        self.soft_limits = np.zeros(len(system))
        self.locked_only = bool(system.rows.locked.all())

    def prepare(self, state: State) -> None:
        """Compute gradients, factor and springs where a state stands."""
        system = self.system
        system.coordinates.reference[:] = state.reference
        state.values, pose = system.values(state.position, state.rotation)
        system.set_gradients(pose)
        system.forget()
        self.scale_springs()
        state.rates = self.rates(state.velocity, state.time, 1e-9)
        self.soft, self.soft_limits, _, _ = self.spring_forces(state.values, state.rates)

    def rates(self, velocity: Array, time: float, step: float) -> Array:
        """Return the rates of all rows."""
        rates = self.system.pull(velocity)
        if self.loads.movers:
            moving = self.loads.mover_velocities(time, step)
            ends = moving.take(self.system.rows.bodies, 0)
            rates = rates + (self.system.entries * ends).sum((1, 2))
        return rates

    def scale_springs(self) -> None:
        """Set the effective inertia of drives in acceleration mode for where the joints are."""
        springs = self.system.springs
        if len(springs) and springs.accelerates.any():
            mass = self.system.effective_inertia(springs.row)
            springs.scale = np.where(springs.accelerates, mass, 1.0)

    def spring_forces(self, values: Array, rates: Array) -> tuple[Array, Array, Array, Array]:
        """Return per row: force of all elements, of limits only, slopes k and c."""
        springs, size = self.system.springs, len(self.system)
        if not len(springs):
            nothing = np.zeros(size)
            return nothing, nothing, nothing, nothing
        force, k, c = springs.law(values, rates)
        limits = np.where(springs.is_drive, 0.0, force)
        sums = [
            np.bincount(springs.row, weights, size).astype(np.float64)
            for weights in (force, limits, k, c)
        ]
        return sums[0], sums[1], sums[2], sums[3]

    def step(self, state: State, h: float) -> bool:
        """Advance a prepared state by one substep of h seconds; whether it converged."""
        found = self.drift(state, h)
        if found is None:
            return False
        drift, multiplier, soft, active, held = found
        self.kick(state, drift, h, active, held)
        state.impulse += (0.5 * h) * self.without_drives(multiplier, soft)
        state.multiplier_before, state.multiplier = state.multiplier, multiplier
        state.turning_before, state.turning = state.turning, drift.turning
        return True

    # -- first half ------------------------------------------------------------------------------

    def drift(
        self, state: State, h: float
    ) -> tuple[Drift, Array, Array, Mask, tuple[Array, Array, Array]] | None:
        """Find the multipliers that lead to a pose where all rigid rows hold."""
        system, rows = self.system, self.system.rows
        time = state.time + h
        base = state.velocity + (0.5 * h) * self.loads.scaled_forces(state.rotation)
        low, high, moving = bounds_at(state, time, rows.low, rows.high)
        multiplier = 2.0 * state.multiplier - state.multiplier_before
        turning = 2.0 * state.turning - state.turning_before
        active = state.active.copy()
        side = np.where(active & rows.limited, np.sign(state.values - 0.5 * (low + high)), 0.0)
        side = self.sides(state.values, low, high, active)
        inverse: Inverses | None = None
        stiffness = np.zeros(len(system))
        damping = np.zeros(len(system))
        if self.stiff is not None:
            _, _, stiffness, damping = self.spring_forces(state.values, state.rates)
        releases = 0
        for _ in range(ROUNDS):
            soft_rows = self.stiff & ~active & (stiffness + damping > 0.0) if (
                self.stiff is not None
            ) else None
            solved = active if soft_rows is None else active | soft_rows
            if not self.locked_only:
                multiplier = np.where(solved, multiplier, 0.0)
            if inverse is None:
                compliance = None
                if soft_rows is not None:
                    secant = h * h * stiffness + h * damping
                    compliance = np.where(soft_rows, 2.0 / np.maximum(secant, 1e-300), 0.0)
                inverse = system.invert(
                    None if self.locked_only else solved, compliance, ahead=True
                )
            target = np.where(side > 0.0, high, low)
            found = self.iterate(
                state, h, base, multiplier, turning, inverse, target, active, soft_rows,
                (stiffness, damping),
            )
            if found is None:
                return None
            drift, multiplier, soft = found
            turning = drift.turning
            if self.locked_only and self.stiff is None:
                return drift, multiplier, soft, active, (low, high, moving)
            changed = False
            if not self.locked_only:
                over = np.where(drift.values > high + TOLERANCE, 1.0, 0.0)
                over = np.where(drift.values < low - TOLERANCE, -1.0, over)
                new = rows.limited & ~active & (over != 0.0)
                pulls = rows.limited & active & (multiplier * side > self.slack(multiplier))
                if releases > 4:
                    pulls[:] = False
                if new.any() or pulls.any():
                    releases += bool(pulls.any())
                    active = (active | new) & ~pulls
                    side = np.where(new, over, side)
                    changed = True
            if self.stiff is not None:
                slope = (drift.values - state.values) / h
                _, _, k, c = self.spring_forces(drift.values, slope)
                if not (np.array_equal(k, stiffness) and np.array_equal(c, damping)):
                    stiffness, damping = k, c
                    changed = True
            if not changed:
                return drift, multiplier, soft, active, (low, high, moving)
            inverse = None
        return None

    def sides(self, values: Array, low: Array, high: Array, active: Mask) -> Array:
        """Return +1 where the upper bound of an active limit holds, -1 where the lower does."""
        if self.locked_only:
            return np.zeros(len(values))
        nearer_high = np.abs(values - high) <= np.abs(values - low)
        return np.where(active & self.system.rows.limited, np.where(nearer_high, 1.0, -1.0), 0.0)

    @staticmethod
    def slack(multiplier: Array) -> float:
        """Return the force below which a bound does not count as pulling."""
        return 1e-9 * float(np.abs(multiplier).max(initial=0.0))

    def iterate(
        self,
        state: State,
        h: float,
        base: Array,
        multiplier: Array,
        turning: Array,
        inverse: Inverses,
        target: Array,
        active: Mask,
        soft_rows: Mask | None,
        slopes: tuple[Array, Array],
    ) -> tuple[Drift, Array, Array] | None:
        """Iterate multipliers and turning together; None if they do not settle."""
        system = self.system
        n = system.count
        self.half_over = (0.5 * h) / self.inertia
        self.twelfth_over = (h * h / 12.0) / self.inertia
        position, rotation = state.position.copy(), state.rotation.copy()
        self.loads.place_movers(state.time + h, position, rotation)
        springs = len(system.springs) > 0
        soft = np.zeros(len(system))
        mild = None
        if springs:
            mild = np.ones(len(system), bool) if self.stiff is None else ~self.stiff | active
            soft = np.where(mild, self.soft, 0.0)
        start, turns = state.position[:n], state.rotation[:n]
        best, bent = np.inf, np.zeros((n, 3))
        for count in range(ITERATIONS):
            kicked = base + (0.5 * h) * system.push(multiplier + soft if springs else multiplier)
            spin = kicked[:, 3:] * system.inverse_inertia_root
            newer, lag = spin, 0.0
            if not self.round:
                after = turning.take(_AFTER, 1)
                crossed = self.twist * turning.take(_NEXT, 1) * after
                twice = turning.take(_NEXT, 1) * crossed.take(_AFTER, 1)
                twice -= after * crossed.take(_NEXT, 1)
                bent, straight = self.half_over * crossed + self.twelfth_over * twice, bent
                newer = spin - bent
                lag = h * float(np.abs(bent - straight).max(initial=0.0))
            turning = newer
            position[:n] = start + h * (kicked[:, :3] * system.inverse_mass_root)
            turn = exponential_near(h * turning)
            rotation[:n] = turns @ turn
            values, pose = system.values(position, rotation)
            residual = values - target
            worst = 0.0
            if soft_rows is not None:
                slope = (values - state.values) / h
                force, _, _, _ = self.spring_forces(values, slope)
                secant = slopes[0] + slopes[1] / h
                error = (multiplier - force) / np.maximum(secant, 1e-300)
                residual = np.where(soft_rows, error, residual)
            if not self.locked_only:
                residual = np.where(active if soft_rows is None else active | soft_rows,
                                    residual, 0.0)
            if springs and mild is not None:
                rate = (2.0 / h) * (values - state.values) - state.rates
                force, _, _, _ = self.spring_forces(values, rate)
                newer_soft = np.where(
                    mild, (1.0 - 2.0 * BETA) * self.soft + (2.0 * BETA) * force, 0.0
                )
                shift = self.soft_shift(newer_soft - soft, h)
                soft = newer_soft
                worst = shift
            if len(residual):
                worst = max(worst, float(max(residual.max(), -residual.min())))
            worst = max(worst, lag)
            if worst < TOLERANCE:
                return (
                    Drift(position, rotation, values, pose, kicked, turning, turn),
                    multiplier,
                    soft,
                )
            if not worst < 1e6 or (count > 8 and worst > 0.9 * best):
                return None
            best = min(best, worst)
            multiplier = multiplier - (2.0 / (h * h)) * system.solve(inverse, residual)
        return None

    def soft_shift(self, change: Array, h: float) -> float:
        """Return how far a change of spring forces moves anything, roughly, in m or rad."""
        pushed = self.system.push(change)
        spins = pushed[:, 3:] * self.system.inverse_inertia_root
        moves = pushed[:, :3] * self.system.inverse_mass_root
        return 0.5 * h * h * float(max(np.abs(spins).max(), np.abs(moves).max()))

    def without_drives(self, multiplier: Array, soft: Array) -> Array:
        """Return the force of rows over the first half of a step, less what drives gave."""
        if not len(self.system.springs):
            return multiplier
        return multiplier + soft - (self.soft - self.soft_limits)

    def drive_impulse(self, h: float) -> Array:
        """Return the impulse of drives over h, by their force now."""
        return h * (self.soft - self.soft_limits)

    def make_consistent(self, state: State) -> None:
        """Project the velocities of a prepared state onto its locks; bounds stop what leaves."""
        system = self.system
        low, high, moving = bounds_at(state, state.time, system.rows.low, system.rows.high)
        at_bound = (state.values >= high - TOLERANCE) | (state.values <= low + TOLERANCE)
        active = system.rows.locked | (system.rows.limited & at_bound)
        stiff, self.stiff = self.stiff, None
        soft, self.soft = self.soft, np.zeros(len(system))
        springs, system.springs = system.springs, gather_springs([], [], [])
        self.project(state, state.velocity, 1e-3, state.values, active, (low, high, moving))
        self.stiff, self.soft, system.springs = stiff, soft, springs
        state.impulse[:] = 0.0
        self.prepare(state)

    # -- second half -----------------------------------------------------------------------------

    def kick(
        self,
        state: State,
        drift: Drift,
        h: float,
        active: Mask,
        held: tuple[Array, Array, Array],
    ) -> None:
        """Finish a substep: carry the momentum over, kick, and project the velocities."""
        system = self.system
        state.time += h
        state.position, state.rotation = drift.position, drift.rotation
        n = system.count
        state.rotation[:n] = orthonormalized(drift.rotation[:n])
        system.set_gradients(drift.pose)  # type: ignore[arg-type]
        if not system.coordinates.all_points:
            system.remember_turns(drift.values)
            state.reference = system.coordinates.reference.copy()
        carried = drift.kicked
        momentum = carried[:, 3:] * self.inertia_root
        carried[:, 3:] = (momentum[:, None, :] @ drift.turn)[:, 0] * system.inverse_inertia_root
        carried += (0.5 * h) * self.loads.scaled_forces(state.rotation)
        if len(system.springs):
            self.scale_springs()
        self.project(state, carried, h, drift.values, active, held)

    def project(
        self,
        state: State,
        carried: Array,
        h: float,
        values: Array,
        active: Mask,
        held: tuple[Array, Array, Array],
    ) -> None:
        """Find the velocities that keep to the active rows, springs included."""
        system, rows = self.system, self.system.rows
        speed = held[2] if len(held[2]) else 0.0
        springs = len(system.springs) > 0
        mild = ~self.stiff if self.stiff is not None else np.ones(len(system), bool)
        for _ in range(ROUNDS):
            stiff_rows = None if self.stiff is None else self.stiff & ~active
            compliance, wanted = None, np.zeros(len(system)) + speed
            solved = active
            if stiff_rows is not None:
                force, _, k, c = self.spring_forces(values, np.zeros(len(system)))
                slope = k * h + c
                stiff_rows &= slope > 0.0
                solved = active | stiff_rows
                safe = np.maximum(slope, 1e-300)
                compliance = np.where(stiff_rows, 2.0 / (h * safe), 0.0)
                wanted = np.where(stiff_rows, force / safe, wanted)
            self.inverse = system.invert(None if self.locked_only else solved, compliance)
            velocity, impulse, rates = self.settle_rates(
                state, carried, h, values, wanted, (self.soft, mild | active) if springs else None
            )
            if self.locked_only:
                break
            side = self.sides(values, held[0], held[1], active)
            pulls = rows.limited & active & (impulse * side > self.slack(impulse))
            if not pulls.any():
                break
            active = active & ~pulls
        state.velocity, state.rates, state.values = velocity, rates, values
        state.active = active
        state.impulse += impulse
        if springs:
            self.soft, self.soft_limits, _, _ = self.spring_forces(values, rates)

    def settle_rates(
        self,
        state: State,
        carried: Array,
        h: float,
        values: Array,
        wanted: Array,
        springs: tuple[Array, Mask] | None,
    ) -> tuple[Array, Array, Array]:
        """Solve the velocity rows; with springs, until their damping agrees with the result."""
        system = self.system
        rates = self.rates(carried, state.time, h)
        soft = np.zeros(len(system))
        if springs is None:
            impulse = system.solve(self.inverse, wanted - rates)
            velocity = carried + system.push(impulse)
            return velocity, impulse, wanted if self.locked_only else (
                self.rates(velocity, state.time, h)
            )
        old_soft, mild = springs
        estimate = rates
        velocity, impulse = carried, soft
        for _ in range(12):
            force, _, _, _ = self.spring_forces(values, estimate)
            soft = np.where(
                mild, (0.5 * h) * (2.0 * BETA * old_soft + (1.0 - 2.0 * BETA) * force), 0.0
            )
            pushed = carried + system.push(soft)
            impulse = system.solve(self.inverse, wanted - self.rates(pushed, state.time, h))
            velocity = pushed + system.push(impulse)
            newer = self.rates(velocity, state.time, h)
            change = np.abs(newer - estimate).max(initial=0.0)
            estimate = newer
            if change < 1e-10 * (1.0 + np.abs(newer).max(initial=0.0)):
                break
        return velocity, impulse, estimate
