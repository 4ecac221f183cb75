# SPDX-License-Identifier: GPL-3.0-or-later
"""The L-stable step of first order: fly freely, then project onto the joints.

    y = x_n + h (v_n + h a),   x_n+1 = the end of x <- x - W G(x)^T l, g(x) = 0, from x = y,
    v_n+1 = (x_n+1 - x_n) / h, projected onto G_n+1 v = 0

The gradients are renewed in every iteration, so it is Newton's method for g = 0 and settles where
the chord iteration of rattle.py does not (fast projection; Goldenthal et al. 2007). All springs are
rows with the compliance 1 / (K h^2), K = k + c / h, that is, implicit Euler. It loses energy,
never gains any, and is what the solver falls back on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .mechanics import Bounds, Mechanics, slack
from .rattle import TOLERANCE
from .rotation import Array, cayley, cross, orthonormalized, quaternion_of
from .state import State
from .velocities import ROUNDS, project_velocities

Mask = NDArray[np.bool_]
ITERATIONS = 30


class Stiff:
    """Steps a state by projection; shares springs and velocity rows with the generic method."""

    def __init__(self, mechanics: Mechanics) -> None:
        self.mechanics = mechanics
        self.system = mechanics.system

    def step(self, state: State, h: float) -> bool:
        """Advance by one substep of h seconds; whether it converged."""
        mechanics, system = self.mechanics, self.system
        n = system.count
        time = state.time + h
        velocity = state.velocity + h * mechanics.loads.scaled_forces(state.rotation)
        spin = velocity[:, 3:] * system.inverse_inertia_root
        # Gyroscopic torque, held back where it would turn the spin by more than itself.
        bend = h * cross(spin, mechanics.inertia * spin) / mechanics.inertia
        spin = spin - bend / (1.0 + h * np.abs(spin).max(1, keepdims=True))
        free = state.position.copy(), state.rotation.copy()
        mechanics.loads.place_movers(time, *free)
        free[0][:n] += h * velocity[:, :3] * system.inverse_mass_root
        free[1][:n] = state.rotation[:n] @ cayley(h * spin)
        found = self.project(state, free, h, mechanics.bounds(state, time))
        if found is None:
            return False
        position, rotation, values, multiplier, active = found
        carried = np.zeros((n, 6))
        carried[:, :3] = (position[:n] - state.position[:n]) / h / system.inverse_mass_root
        q = quaternion_of(state.rotation[:n].transpose(0, 2, 1) @ rotation[:n])
        turning = (2.0 / h) * q[:, :3] / np.maximum(q[:, 3:], 1e-3)
        carried[:, 3:] = turning * mechanics.inertia_root
        state.time = time
        state.position, state.rotation = position, rotation
        state.rotation[:n] = orthonormalized(rotation[:n])
        system.remember_turns(values)
        state.reference = system.coordinates.reference.copy()
        mechanics.scale_springs()
        # Springs have given their whole impulse on the way; only rigid rows are left.
        project_velocities(mechanics.without_springs(), state, carried, h, values, active, None)
        mechanics.forces = mechanics.spring_forces(values, state.rates)
        drives = mechanics.forces.total - mechanics.forces.limits
        state.impulse = state.impulse + h * (multiplier - drives)
        state.multiplier = state.multiplier_before = np.where(active, multiplier, 0.0)
        state.turning = state.turning_before = turning
        return True

    def project(
        self, state: State, free: tuple[Array, Array], h: float, bounds: Bounds
    ) -> tuple[Array, Array, Array, Array, Mask] | None:
        """Move freely flown bodies onto the joints; None if they do not get there."""
        system, mechanics = self.system, self.mechanics
        n, rows = system.count, system.rows
        low, high = bounds.low, bounds.high
        position, rotation = free
        multiplier = np.zeros(len(system))
        values, pose = system.values(position, rotation)
        active = rows.locked | (rows.limited & ((values > high) | (values < low)))
        if bounds.sticky is not None:
            active |= bounds.sticky
        side = bounds.sides(values)
        rounds = 0
        for _ in range(ITERATIONS):
            system.set_gradients(pose)
            law = mechanics.spring_forces(values, (values - state.values) / h)
            force, secant = law.total, h * h * law.stiffness + h * law.damping
            soft = ~active & (secant > 0.0)
            safe = np.maximum(secant, 1e-300)
            target = bounds.target(side)
            error = np.where(soft, (multiplier - force) * (h * h) / safe, values - target)
            # Forces that do not change with the pose (drives at their limit) just act.
            plain = ~active & ~soft & (force != multiplier)
            solved = active | soft
            error = np.where(solved, error, 0.0)
            inverse = system.invert(solved, np.where(soft, 1.0 / safe, 0.0))
            change = -system.solve(inverse, error) / (h * h)
            change = np.where(plain, force - multiplier, change)
            multiplier = multiplier + change
            moved = (h * h) * system.push(change)
            turn = moved[:, 3:] * system.inverse_inertia_root
            size = float(np.abs(turn).max(initial=0.0))
            position[:n] += moved[:, :3] * system.inverse_mass_root
            rotation[:n] = rotation[:n] @ cayley(turn if size < 1.0 else turn / size)
            values, pose = system.values(position, rotation)
            if not np.isfinite(values).all():
                return None
            off = np.where(active, values - target, 0.0)
            moves = float(np.abs(moved).max(initial=0.0))
            if np.abs(off).max(initial=0.0) > TOLERANCE or (soft.any() and moves > 1e-7):
                continue
            pulls = rows.limited & active & (multiplier * side > slack(multiplier))
            if bounds.sticky is not None:
                pulls &= ~bounds.sticky
            over = np.where(values > high + TOLERANCE, 1.0, 0.0)
            over = np.where(values < low - TOLERANCE, -1.0, over)
            new = rows.limited & ~active & (over != 0.0)
            if not (new.any() or (pulls.any() and rounds < ROUNDS // 2)):
                system.set_gradients(pose)
                return position, rotation, values, multiplier, active
            rounds += 1
            active = (active | new) & ~(pulls if rounds <= ROUNDS // 2 else np.zeros_like(pulls))
            multiplier = np.where(pulls & ~active, 0.0, multiplier)
            side = np.where(new, over, side)
        return None
