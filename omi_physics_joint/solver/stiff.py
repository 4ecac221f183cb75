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

from .loads import bounds_at
from .rattle import ROUNDS, TOLERANCE, Rattle
from .rotation import Array, cayley, cross, orthonormalized, quaternion_of
from .state import State

Mask = NDArray[np.bool_]
ITERATIONS = 30


class Stiff:
    """Steps a state by projection; shares springs and velocity rows with the generic method."""

    def __init__(self, rattle: Rattle) -> None:
        self.rattle = rattle
        self.system = rattle.system
        self.loads = rattle.loads

    def step(self, state: State, h: float) -> bool:
        """Advance by one substep of h seconds; whether it converged."""
        rattle, system = self.rattle, self.system
        n = system.count
        time = state.time + h
        rattle.stiff = np.ones(len(system), bool) if len(system.springs) else None
        velocity = state.velocity + h * self.loads.scaled_forces(state.rotation)
        spin = velocity[:, 3:] * system.inverse_inertia_root
        spin = spin - h * cross(spin, rattle.inertia * spin) / rattle.inertia / (
            1.0 + h * np.abs(spin).max(1, keepdims=True)
        )
        free = state.position.copy(), state.rotation.copy()
        self.loads.place_movers(time, *free)
        free[0][:n] += h * velocity[:, :3] * system.inverse_mass_root
        free[1][:n] = state.rotation[:n] @ cayley(h * spin)
        held = bounds_at(state, time, system.rows.low, system.rows.high)
        found = self.project(state, free, h, (held[0], held[1]))
        if found is None:
            return False
        position, rotation, values, multiplier, active = found
        start = state.position[:n], state.rotation[:n]
        carried = np.zeros((n, 6))
        carried[:, :3] = (position[:n] - start[0]) / h / system.inverse_mass_root
        q = quaternion_of(start[1].transpose(0, 2, 1) @ rotation[:n])
        turning = (2.0 / h) * q[:, :3] / np.maximum(q[:, 3:], 1e-3)
        carried[:, 3:] = turning * rattle.inertia_root
        state.time = time
        state.position, state.rotation = position, rotation
        state.rotation[:n] = orthonormalized(rotation[:n])
        system.remember_turns(values)
        state.reference = system.coordinates.reference.copy()
        rattle.scale_springs()
        rattle.project(state, carried, h, values, active, held)
        state.impulse += h * multiplier - rattle.drive_impulse(h)
        state.multiplier = state.multiplier_before = np.where(active, multiplier, 0.0)
        state.turning = state.turning_before = turning
        return True

    def project(
        self, state: State, free: tuple[Array, Array], h: float, bounds: tuple[Array, Array]
    ) -> tuple[Array, Array, Array, Array, Mask] | None:
        """Move freely flown bodies onto the joints; None if they do not get there."""
        system, rattle = self.system, self.rattle
        n, rows = system.count, system.rows
        low, high = bounds
        position, rotation = free
        multiplier = np.zeros(len(system))
        values, pose = system.values(position, rotation)
        active = rows.locked | (rows.limited & ((values > high) | (values < low)))
        side = np.where(values > high, 1.0, -1.0)
        rounds = 0
        for _ in range(ITERATIONS):
            system.set_gradients(pose)
            force, _, k, c = rattle.spring_forces(values, (values - state.values) / h)
            secant = h * h * k + h * c
            soft = ~active & (secant > 0.0)
            safe = np.maximum(secant, 1e-300)
            target = np.where(side > 0.0, high, low)
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
            pulls = rows.limited & active & (multiplier * side > rattle.slack(multiplier))
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
