# SPDX-License-Identifier: GPL-3.0-or-later
"""The L-stable step of first order: fly freely, then project onto the joints.

    y = x_n + h (v_n + h a),   x_n+1 = the end of x <- x - W G(x)^T l, g(x) = 0, from x = y,
    v_n+1 = (x_n+1 - x_n) / h, projected onto G_n+1 v = 0

The gradients are renewed in every iteration, so it is Newton's method for g = 0 and settles where
the chord iteration of rattle.py does not (fast projection; Goldenthal et al. 2007). All springs are
rows with the compliance 1 / (K h^2), K = k + c / h, that is, implicit Euler. It loses energy,
never gains any, and is what the solver falls back on.

Where joints contradict one another no pose has g = 0. Then ``lenient`` adds a small compliance to
every row and takes the pose that is least off: the rest of the scene goes on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .coordinates import Pose
from .mechanics import Bounds, Mechanics, slack
from .rattle import TOLERANCE
from .rotation import Array, cayley, cross, orthonormalized, quaternion_of
from .state import State
from .velocities import ROUNDS, project_velocities

Mask = NDArray[np.bool_]
ITERATIONS = 30
LENIENT_ITERATIONS = 10
SETTLED = 1e-7
"""Scaled motion of an iteration below which springs have found their balance."""
LENIENCE = 1e-6
"""Compliance of lenient rows, as a part of the largest diagonal element."""
FARTHEST = 1e3
"""m or rad: what is moved farther than this in a lenient step is lost."""


@dataclass(slots=True)
class Search:
    """Where the projection has come to."""

    position: Array
    rotation: Array
    values: Array
    pose: Pose
    multiplier: Array
    active: Mask
    side: Array
    soft: Mask
    force: Array
    """(rows,) of the springs."""
    free: Array
    """(dynamic bodies, 6) scaled velocities of free flight."""
    moved: float = 0.0
    rounds: int = 0


class Stiff:
    """Steps a state by projection; shares springs and velocity rows with the generic method."""

    def __init__(self, mechanics: Mechanics) -> None:
        self.mechanics = mechanics
        self.system = mechanics.system
        self.lenient = False

    def step(self, state: State, h: float) -> bool:
        """Advance by one substep of h seconds; whether it converged, or was lenient and sane."""
        bounds = self.mechanics.bounds(state, state.time + h)
        search = self.fly(state, h, bounds)
        if not self.project(state, search, h, bounds):
            return False
        self.finish(state, search, h)
        return True

    def fly(self, state: State, h: float, bounds: Bounds) -> Search:
        """Return where all would be without joints."""
        mechanics, system = self.mechanics, self.system
        n, rows = system.count, system.rows
        velocity = state.velocity + h * mechanics.loads.scaled_forces(state.rotation)
        spin = velocity[:, 3:] * system.inverse_inertia_root
        # Gyroscopic torque, held back where it would turn the spin by more than itself.
        bend = h * cross(spin, mechanics.inertia * spin) / mechanics.inertia
        spin = spin - bend / (1.0 + h * np.abs(spin).max(1, keepdims=True))
        position, rotation = state.position.copy(), state.rotation.copy()
        mechanics.loads.place_movers(state.time + h, position, rotation)
        position[:n] += h * velocity[:, :3] * system.inverse_mass_root
        rotation[:n] = state.rotation[:n] @ cayley(h * spin)
        values, pose = system.values(position, rotation)
        active = rows.locked | (rows.limited & ((values > bounds.high) | (values < bounds.low)))
        if bounds.sticky is not None:
            active |= bounds.sticky
        return Search(
            position=position,
            rotation=rotation,
            values=values,
            pose=pose,
            multiplier=np.zeros(mechanics.size),
            active=active,
            side=bounds.sides(values),
            soft=np.zeros(mechanics.size, bool),
            force=mechanics.still,
            free=velocity,
        )

    def project(self, state: State, search: Search, h: float, bounds: Bounds) -> bool:
        """Move freely flown bodies onto the joints; whether they got there."""
        for _ in range(LENIENT_ITERATIONS if self.lenient else ITERATIONS):
            self.improve(state, search, h, bounds)
            if not np.isfinite(search.values).all():
                return False
            off = np.where(search.active, search.values - bounds.target(search.side), 0.0)
            if np.abs(off).max(initial=0.0) > TOLERANCE or (
                search.soft.any() and search.moved > SETTLED
            ):
                continue
            if not self.changed(search, bounds):
                self.system.set_gradients(search.pose)
                return True
        self.system.set_gradients(search.pose)
        away = np.abs(search.position - state.position).max(initial=0.0)
        return self.lenient and bool(away < FARTHEST)

    def improve(self, state: State, search: Search, h: float, bounds: Bounds) -> None:
        """Do one iteration of Newton's method with new gradients."""
        mechanics, system = self.mechanics, self.system
        n = system.count
        system.set_gradients(search.pose)
        law = mechanics.spring_forces(search.values, (search.values - state.values) / h)
        search.force = force = law.total
        secant = h * h * law.stiffness + h * law.damping
        soft = search.soft = ~search.active & (secant > 0.0)
        safe = np.maximum(secant, 1e-300)
        rigid = search.values - bounds.target(search.side)
        error = np.where(soft, (search.multiplier - force) * (h * h) / safe, rigid)
        solved = search.active | soft
        compliance = np.where(soft, 1.0 / safe, 0.0)
        if self.lenient:
            size = (system.entries * system.entries).sum((1, 2)).max(initial=0.0)
            compliance = compliance + LENIENCE * float(size)
        inverse = system.invert(solved, compliance)
        change = -system.solve(inverse, np.where(solved, error, 0.0)) / (h * h)
        # Forces that do not change with the pose (drives at their limit) just act.
        plain = ~solved & (force != search.multiplier)
        change = np.where(plain, force - search.multiplier, change)
        search.multiplier = search.multiplier + change
        moved = (h * h) * system.push(change)
        turn = moved[:, 3:] * system.inverse_inertia_root
        size = float(np.abs(turn).max(initial=0.0))
        search.position[:n] += moved[:, :3] * system.inverse_mass_root
        search.rotation[:n] = search.rotation[:n] @ cayley(turn if size < 1.0 else turn / size)
        search.moved = float(np.abs(moved).max(initial=0.0))
        search.values, search.pose = system.values(search.position, search.rotation)

    def changed(self, search: Search, bounds: Bounds) -> bool:
        """Take in bounds that are passed and let go those that pull; whether any did."""
        limited = self.system.rows.limited
        pulls = limited & search.active
        # Springs press against the bound, too; only what it has to hold back itself counts.
        own = search.multiplier - search.force
        pulls &= own * search.side > slack(search.multiplier)
        if bounds.sticky is not None:
            pulls &= ~bounds.sticky
        if search.rounds >= ROUNDS // 2:
            pulls[:] = False
        over = np.where(search.values > bounds.high + TOLERANCE, 1.0, 0.0)
        over = np.where(search.values < bounds.low - TOLERANCE, -1.0, over)
        new = limited & ~search.active & (over != 0.0)
        if not (new.any() or pulls.any()):
            return False
        search.rounds += 1
        search.active = (search.active | new) & ~pulls
        search.multiplier = np.where(pulls, 0.0, search.multiplier)
        search.side = np.where(new, over, search.side)
        return True

    def finish(self, state: State, search: Search, h: float) -> None:
        """Take over the pose, and the velocities that led there as far as joints allow them."""
        mechanics, system = self.mechanics, self.system
        n = system.count
        carried = np.zeros((n, 6))
        way = search.position[:n] - state.position[:n]
        carried[:, :3] = way / h / system.inverse_mass_root
        q = quaternion_of(state.rotation[:n].transpose(0, 2, 1) @ search.rotation[:n])
        turning = (2.0 / h) * q[:, :3] / np.maximum(q[:, 3:], 1e-3)
        carried[:, 3:] = turning * mechanics.inertia_root
        state.time += h
        state.position, state.rotation = search.position, search.rotation
        state.rotation[:n] = orthonormalized(search.rotation[:n])
        system.remember_turns(search.values)
        state.reference = system.coordinates.reference.copy()
        mechanics.scale_springs()
        # Springs have given their whole impulse on the way; only rigid rows are left.
        bare = mechanics.without_springs()
        project_velocities(bare, state, carried, h, search.values, search.active, None)
        mechanics.forces = mechanics.spring_forces(search.values, state.rates)
        drives = mechanics.forces.total - mechanics.forces.limits
        state.impulse = state.impulse + h * (search.multiplier - drives)
        kept = np.where(search.active, search.multiplier, 0.0)
        if self.lenient:
            # What contradicts itself pushes back and forth; that must not become speed.
            before = np.sqrt((search.free * search.free).sum(1))
            after = np.sqrt((state.velocity * state.velocity).sum(1))
            state.velocity *= np.minimum(1.0, before / np.maximum(after, 1e-300))[:, None]
            kept = np.zeros(mechanics.size)
        state.multiplier = state.multiplier_before = kept
        state.rise_before = 0.0
        state.turning = state.turning_before = turning
        state.last_step = h
