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
after h^2 (Bou-Rabee and Marsden 2009). The whole is symplectic, symmetric, conserves momentum
exactly, and does not gain energy in the mean (Andersen 1983; Leimkuhler and Reich 2004, chapter 7).
g = 0 is solved by a chord iteration: near l the residual moves by h^2/2 G_n+1 G_n^T dl, with G_n+1
extrapolated from the last two gradients; with G_n instead it takes twice as many iterations.

Springs that the step resolves (k h^2 and c h small against the inertia) are forces, and not rows:
kicks of 5/6 F_n + 1/6 F_n+1 and 1/6 F_n + 5/6 F_n+1. For an oscillator this is Newmark's method,
beta = 1/12 (Fox and Goodwin 1949), whose frequency is right to fourth order: the error of the
explicit method is 1/24 (omega h)^2, that of the implicit midpoint -1/12, and this cancels both.

Stiffer springs are rows with a compliance: l = F(x_n+1, (e_n+1 - e_n) / h), which adds 2 / (K h^2),
K = k + c / h, to the diagonal; and m = F(e + h e', e') adds 2 / (h (k h + c)). As k grows both go
over into the rigid row: L-stable, first order, no ringing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .drift import Drift, Holding
from .mechanics import Mechanics
from .rotation import Array, exponential, skew
from .state import State
from .system import Inverses
from .velocities import BETA, ROUNDS, project_velocities

Mask = NDArray[np.bool_]
TOLERANCE = 3e-7
"""m and rad: largest residual of a row that ends the iteration, also of coarse substeps."""
TOLERANCE_RATE = 4e-3
"""m/s^2: residual over h^2 that ends it, so that it does not spoil the order of the method."""
FINER = 1e-3
"""The same for what is left of turning and springs, as a part: unlike a row's, this adds up."""
ITERATIONS = 24
DISAGREED = 1e-5
"""m and rad: residual of rows that close loops and disagree, as single precision lets them, ...
"""
LITTLE = 0.1
"""... once the next iteration would move nothing by more than this part of the tolerance."""
LOST = 1e6
"""Residual from which there is no return."""
PATIENCE = 8
"""Iterations after which every further one must help."""
RELEASES = 5
"""Rounds in which bounds may let go; after them they may only be added, so no search is endless."""
_NEXT = np.array([1, 2, 0])


class Rattle:
    """Steps a state by RATTLE; each island ends where it would alone."""

    def __init__(self, mechanics: Mechanics) -> None:
        self.mechanics = mechanics
        self.system = mechanics.system
        i = mechanics.inertia
        self.half_inertia, self.inverse_inertia = 0.5 * i, 1.0 / i
        self.round = is_round(i)
        self.stiff: Mask | None = None
        """Rows whose springs are too stiff for the substep; set by who chooses the substep."""

    def step(self, state: State, h: float) -> Mask:
        """Advance a prepared state by one substep of h seconds.

        Returns:
            (islands,) which converged; the state of others is worth nothing.
        """
        holding = self.first_guess(state, h)
        drift, done = self.drift(state, h, holding)
        if drift is None or not done.any():
            return done
        state.impulse = state.impulse + (0.5 * h) * (drift.multiplier + drift.soft)
        self.finish(state, drift, h, holding.active)
        state.rise_before = state.multiplier - state.multiplier_before
        state.multiplier_before, state.multiplier = state.multiplier, drift.multiplier
        state.turning_before, state.turning = state.turning, drift.turning
        state.last_step = np.full(self.system.islands, h)
        return done

    def first_guess(self, state: State, h: float) -> Holding:
        """Return the rows that held last, with the springs as they are."""
        mechanics = self.mechanics
        bounds = mechanics.bounds(state, state.time + h)
        active = state.active if bounds.sticky is None else state.active | bounds.sticky
        side = mechanics.still if mechanics.only_locks else bounds.sides(state.values)
        slopes = mechanics.forces
        if self.stiff is not None:
            slopes = mechanics.spring_forces(state.values, state.rates)
        return Holding(bounds, active, side, slopes.stiffness, slopes.damping, slopes.total)

    def drift(self, state: State, h: float, holding: Holding) -> tuple[Drift | None, Mask]:
        """Find multipliers and active rows that lead to a pose where all rigid rows hold.

        Returns:
            The end of the drift, and (islands,) which got there.
        """
        system, mechanics = self.system, self.mechanics
        base = state.velocity + (0.5 * h) * mechanics.loads.scaled_forces(state.rotation)
        multiplier, turning = self.ahead(state, h)
        going, done = np.ones(system.islands, bool), np.zeros(system.islands, bool)
        drift: Drift | None = None
        for number in range(ROUNDS):
            compliance = None
            if self.stiff is not None:
                secant = h * h * holding.stiffness + h * holding.damping
                holding.soft = self.stiff & ~holding.active & (secant > 0.0)
                compliance = np.where(holding.soft, 2.0 / np.maximum(secant, 1e-300), 0.0)
            if not mechanics.only_locks:
                multiplier = np.where(holding.solved, multiplier, 0.0)
            inverse = system.invert(
                None if mechanics.only_locks else holding.solved, compliance, ahead=True
            )
            guess = system.reduce(inverse, multiplier), turning
            newer, settled = self.iterate(state, h, base, guess, inverse, holding, going)
            drift = newer if drift is None else newer.joined(system, going, drift)
            going &= settled
            if mechanics.only_locks:
                return drift, going
            changed = self.changed(state, h, holding, drift, number < RELEASES, going)
            done |= going & ~changed
            going = changed
            if not going.any():
                break
            multiplier, turning = drift.multiplier, drift.turning
        return drift, done

    def ahead(self, state: State, h: float) -> tuple[Array, Array]:
        """Return multipliers and turning of the last two substeps, continued to this one."""
        system, last = self.system, state.last_step
        # All islands of a batch have had the same steps, so that one number says it for all.
        ahead = 0.5 * (1.0 + h / last[0]) if last[0] > 0.0 else 0.0
        rise = state.multiplier - state.multiplier_before
        multiplier = state.multiplier + ahead * rise
        turning = state.turning + ahead * (state.turning - state.turning_before)
        if self.mechanics.only_locks and h == last[0] and len(system):
            multiplier = multiplier + (rise - state.rise_before)  # a parabola, where all is smooth
        return multiplier, turning

    def changed(
        self,
        state: State,
        h: float,
        holding: Holding,
        drift: Drift,
        may_release: bool,
        going: Mask,
    ) -> Mask:
        """Take in bounds that are passed, let go those that pull, renew slopes.

        Args:
            state: before the drift.
            h: length of the substep in s.
            holding: is changed.
            drift: where it ended.
            may_release: whether bounds may let go.
            going: (islands,) which are still looked at.

        Returns:
            (islands,) where anything changed.
        """
        mechanics, system = self.mechanics, self.system
        bounds, limited = holding.bounds, system.rows.limited & np.repeat(going, system.height)
        over = np.where(drift.values > bounds.high + TOLERANCE, 1.0, 0.0)
        over = np.where(drift.values < bounds.low - TOLERANCE, -1.0, over)
        new = limited & ~holding.active & (over != 0.0)
        pulls = np.zeros(mechanics.size, bool)
        if may_release:
            pull, held = drift.multiplier * holding.side, limited & holding.active
            pulls = mechanics.pulling(bounds, held, pull, mechanics.slack(drift.multiplier))
        changed = new | pulls
        holding.active = (holding.active | new) & ~pulls
        holding.side = np.where(new, over, holding.side)
        if self.stiff is not None:
            rate = (drift.values - state.values) / h
            changed |= self.renew(holding, drift.values, rate, np.repeat(going, system.height))
        return np.asarray(changed.reshape(system.islands, -1).any(1))

    def renew(self, holding: Holding, values: Array, rate: Array, looked_at: Mask) -> Mask:
        """Take the slopes of stiff springs anew where they ended; return which are others.

        A drive that went from its largest force one way to that the other way has passed its target
        on the way, and is solved for where it still has a slope.
        """
        now = self.mechanics.spring_forces(values, rate)
        stiffness, damping = now.stiffness, now.damping
        flat = (stiffness == 0.0) & (damping == 0.0)
        passed = flat & (holding.stiffness == 0.0) & (now.total * holding.force < 0.0)
        if passed.any():
            full = self.mechanics.full_slopes()
            stiffness = np.where(passed, full[0], stiffness)
            damping = np.where(passed, full[1], damping)
        own = looked_at if self.stiff is None else looked_at & self.stiff
        other = own & ((stiffness != holding.stiffness) | (damping != holding.damping))
        holding.stiffness = np.where(own, stiffness, holding.stiffness)
        holding.damping = np.where(own, damping, holding.damping)
        holding.force = np.where(own, now.total, holding.force)
        return np.asarray(other)

    def iterate(  # noqa: PLR0915 - one loop, whose parts share all that it computes
        self,
        state: State,
        h: float,
        base: Array,
        guess: tuple[Array, Array],
        inverse: Inverses,
        holding: Holding,
        going: Mask,
    ) -> tuple[Drift, Mask]:
        """Iterate multipliers, turning and springs together.

        Each island ends with the iteration in which it settles, whatever the others do.

        Returns:
            The end of the drift, and (islands,) which settled, of those that are ``going``.
        """
        system, mechanics, n = self.system, self.mechanics, self.system.count
        multiplier, angle = guess[0], h * guess[1]
        free, kick = h * system.inverse_roots * base, (0.5 * h * h) * system.inverse_roots
        position, rotation = self.with_movers(state, h)
        start, turns = state.position[:n], state.rotation[:n]
        soft, target = (
            self.mild(mechanics.forces.total, holding),
            holding.target(mechanics.only_locks),
        )
        tolerance = min(TOLERANCE, max(TOLERANCE_RATE * h * h, 1e-10))
        best, bent, before = np.full(system.islands, np.inf), np.zeros((n, 3)), np.zeros((n, 3))
        going, done = going.copy(), np.zeros(system.islands, bool)
        end: Drift | None = None
        for count in range(ITERATIONS):
            pushed = system.push(multiplier + soft if mechanics.has_springs else multiplier)
            moved = free + kick * pushed
            if self.round:
                angle = moved[:, 3:]
            else:
                bent, before = self.bend(angle), bent
                angle = moved[:, 3:] - bent
                before -= bent
            position[:n] = start + moved[:, :3]
            turn = exponential(angle)
            rotation[:n] = turns @ turn
            values, pose = system.values(position, rotation)
            residual, softer = self.misses(state, h, values, values - target, multiplier, holding)
            worst = system.most(residual)
            if mechanics.has_springs:
                worst = np.maximum(worst, self.shift(softer - soft, h) / FINER)
                soft = softer
            if not self.round and (worst < tolerance).any():
                left = np.maximum(worst, system.most(before) / FINER)
                worst = np.where(worst < tolerance, left, worst)
            settled, ended = worst < tolerance, going
            if not settled.all():
                late = count > PATIENCE
                lost = ~settled & (~(worst < LOST) | (late & (worst > 0.9 * best)))
                best = np.minimum(best, worst)
                change, agreed = self.correction(inverse, residual, h, worst, tolerance)
                settled |= agreed & ~lost
                ended = going & (settled | lost)
            if ended.any() or count == ITERATIONS - 1:
                kicked, mean = base + (0.5 * h) * pushed, angle / h
                places = position[:n].copy(), rotation[:n].copy()
                now = Drift(*places, kicked, mean, turn, multiplier, soft, values, pose)
                end = now if end is None else now.joined(system, going, end)
                done |= ended & settled
                going &= ~ended
                if not going.any():
                    break
            multiplier = multiplier - change
        assert end is not None  # the last iteration ends all
        return end, done

    def with_movers(self, state: State, h: float) -> tuple[Array, Array]:
        """Return positions and rotations with what moves by itself at the end of the substep."""
        position, rotation = state.position.copy(), state.rotation.copy()
        self.mechanics.loads.movers.place(state.time + h, position, rotation)
        return position, rotation

    def misses(
        self,
        state: State,
        h: float,
        values: Array,
        rigid: Array,
        multiplier: Array,
        holding: Holding,
    ) -> tuple[Array, Array]:
        """Return what each solved row misses, and the forces of springs that are none."""
        if self.mechanics.only_locks:
            return rigid, rigid
        residual = self.residual(state, h, values, multiplier, rigid, holding)
        if not self.mechanics.has_springs:
            return residual, residual
        return residual, self.kick_of_springs(state, h, values, holding)

    def correction(
        self, inverse: Inverses, residual: Array, h: float, worst: Array, tolerance: float
    ) -> tuple[Array, Mask]:
        """Return by what multipliers are off, and where that is nothing: the rest disagrees."""
        change = (2.0 / (h * h)) * self.system.solve(inverse, residual)
        near = worst < DISAGREED
        if not (self.system.closes and near.any()):
            return change, np.zeros(len(worst), bool)
        return change, near & (self.shift(change, h) < LITTLE * tolerance)

    def bend(self, angle: Array) -> Array:
        """Return h I^-1 (h/2 w x I w + h^2/12 w x (w x I w)) of angles h w, shapes (n, 3)."""
        turned = skew(angle)
        crossed = turned @ (self.half_inertia * angle)[:, :, None]
        further = (turned @ crossed)[:, :, 0]
        further *= 1.0 / 6.0
        further += crossed[:, :, 0]
        further *= self.inverse_inertia
        return np.asarray(further)

    def residual(
        self,
        state: State,
        h: float,
        values: Array,
        multiplier: Array,
        rigid: Array,
        holding: Holding,
    ) -> Array:
        """Return by how much each solved row misses its bound, or its spring law.

        A motor that is a row has a slope: its law goes on beyond its largest force here: that would
        hide how far the row is off; ``renew`` sees afterwards whether it asked for too much.
        """
        if holding.soft is None:
            return np.where(holding.active, rigid, 0.0)
        rate = (values - state.values) / h
        force = self.mechanics.spring_forces(values, rate, capped=False).total
        slope = np.maximum(holding.stiffness + holding.damping / h, 1e-300)
        error = np.where(holding.soft, (multiplier - force) / slope, rigid)
        return np.where(holding.solved, error, 0.0)

    def mild(self, force: Array, holding: Holding) -> Array:
        """Return spring forces without those that are rows instead.

        A stiff drive at its largest force has no slope to be a row with, and pulls with just that.
        """
        if holding.soft is None or self.stiff is None:
            return force
        at_most = np.where(holding.soft, 0.0, holding.force)
        return np.where(self.stiff & ~holding.active, at_most, force)

    def kick_of_springs(self, state: State, h: float, values: Array, holding: Holding) -> Array:
        """Return 5/6 F_n + 1/6 F_n+1, with rates guessed from a parabola through the values."""
        rate = (2.0 / h) * (values - state.values) - state.rates
        force = self.mechanics.spring_forces(values, rate).total
        mean = (1.0 - 2.0 * BETA) * self.mechanics.forces.total + (2.0 * BETA) * force
        return self.mild(mean, holding)

    def shift(self, change: Array, h: float) -> Array:
        """Return how far a change of spring forces moves anything in each island, in m or rad."""
        return 0.5 * h * h * self.system.most(self.system.push(change) * self.system.inverse_roots)

    def finish(self, state: State, drift: Drift, h: float, active: Mask) -> None:
        """Carry the momentum over, kick a second time, and project the velocities."""
        system, mechanics, n = self.system, self.mechanics, self.system.count
        state.position, state.rotation = self.with_movers(state, h)
        state.position[:n], state.rotation[:n] = drift.place, drift.rotation
        state.time += h
        values, pose = drift.values, drift.pose
        if pose is None:
            values, pose = system.values(state.position, state.rotation)
        system.set_gradients(pose)
        state.gradients_before, state.gradients = system.before, system.entries
        if not system.coordinates.only_points:
            system.remember_turns(values, pose)
            state.reference = system.coordinates.reference.copy()
        carried = drift.kicked
        momentum = carried[:, 3:] * mechanics.inertia_root
        carried[:, 3:] = (momentum[:, None, :] @ drift.turn)[:, 0] * system.inverse_inertia_root
        carried += (0.5 * h) * mechanics.loads.scaled_forces(state.rotation)
        mechanics.scale_springs()
        project_velocities(mechanics, state, carried, h, (values, active), self.stiff)


def is_round(inertia: Array) -> bool:
    """Return whether bodies turn about all axes alike, (n, 3) kg m^2."""
    return bool((np.abs(inertia - inertia.take(_NEXT, 1)) <= 1e-9 * inertia).all())
