# SPDX-License-Identifier: GPL-3.0-or-later
"""The L-stable step of first order: fly freely, then project onto the joints.

    y = x_n + h (v_n + h a),   x_n+1 = the end of x <- x - W G(x)^T l, g(x) = 0, from x = y,
    v_n+1 = (x_n+1 - x_n) / h, projected onto G_n+1 v = 0

The gradients are renewed in every iteration, so it is Newton's method for g = 0 and settles where
the chord iteration of rattle.py does not (fast projection; Goldenthal et al. 2007). All springs are
rows with the compliance 1 / (K h^2), K = k + c / h, that is, implicit Euler. It loses energy,
never gains any (where projection would, it is held back), and is what the solver falls back on.

Where joints contradict one another no pose has g = 0. Then ``lenient`` adds a small compliance to
every row and takes the pose that is least off. It steps one island at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .coordinates import Pose
from .mechanics import Bounds, Mechanics
from .momentum import restore
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
TORN = 1e-3
"""m or rad by which an island may be worse off after a lenient step, beyond twice as much."""
ROUGH, LEAST = 1e-5, 1e-9
"""Part of the kinetic energy, and J, that a step may gain by its own errors."""
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
    falling: Array
    """(dynamic bodies, 6) scaled forces of gravity and from outside."""
    moved: float = 0.0
    rounds: int = 0


class Stiff:
    """Steps the state of one island by projection, with the springs of the generic method."""

    def __init__(self, mechanics: Mechanics) -> None:
        self.mechanics = mechanics
        self.system = mechanics.system
        self.lenient = False
        self.met = True
        """Whether the last step met all its rows, which a lenient one need not."""

    def step(self, state: State, h: float) -> bool:
        """Advance by one substep of h seconds; whether it converged, or was lenient and sane."""
        bounds = self.mechanics.bounds(state, state.time + h)
        search = self.fly(state, h, bounds)
        if not self.project(state, search, h, bounds):
            return False
        if not self.met and self.is_torn(state, search, bounds):
            self.leave(state, search)
        self.finish(state, search, h)
        return True

    def fly(self, state: State, h: float, bounds: Bounds) -> Search:
        """Return where all would be without joints."""
        mechanics, system = self.mechanics, self.system
        n, rows = system.count, system.rows
        falling = mechanics.loads.scaled_forces(state.rotation)
        velocity = state.velocity + h * falling
        spin = velocity[:, 3:] * system.inverse_inertia_root
        # Gyroscopic torque, held back where it would turn the spin by more than itself.
        bend = h * cross(spin, mechanics.inertia * spin) / mechanics.inertia
        spin = spin - bend / (1.0 + h * np.abs(spin).max(1, keepdims=True))
        position, rotation = state.position.copy(), state.rotation.copy()
        mechanics.loads.movers.place(state.time + h, position, rotation)
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
            falling=falling,
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
                self.met = True
                return True
        self.met = False
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
        mechanics, limited = self.mechanics, self.system.rows.limited
        pulls = np.zeros(mechanics.size, bool)
        if search.rounds < ROUNDS // 2:
            # Springs press against the bound, too; only what it has to hold back itself counts.
            pull = (search.multiplier - search.force) * search.side
            held, slack = limited & search.active, mechanics.slack(search.multiplier)
            pulls = mechanics.pulling(bounds, held, pull, slack)
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

    def is_torn(self, state: State, search: Search, bounds: Bounds) -> bool:
        """Return whether a lenient step tears the island far apart."""
        before, after = (
            float(
                (np.maximum(v - bounds.high, 0.0) + np.maximum(bounds.low - v, 0.0)).max(
                    initial=0.0
                )
            )
            for v in (state.values, search.values)
        )
        return after > 2.0 * before + TORN

    def leave(self, state: State, search: Search) -> None:
        """Leave the island where it was: what tears it begins anew.

        It stops there, or moves on as one rigid body where nothing holds it.
        """
        n = self.system.count
        search.position[:n], search.rotation[:n] = state.position[:n], state.rotation[:n]
        search.active = np.zeros_like(search.active)
        search.multiplier = self.mechanics.still
        search.values, search.pose = self.system.values(search.position, search.rotation)
        self.system.set_gradients(search.pose)

    def finish(self, state: State, search: Search, h: float) -> None:
        """Take over the pose, and the velocities that led there as far as joints allow them."""
        mechanics, system = self.mechanics, self.system
        n = system.count
        before = state.position, state.rotation, search.free
        carried = np.zeros((n, 6))
        way = search.position[:n] - state.position[:n]
        carried[:, :3] = way / h / system.inverse_mass_root
        turn = state.rotation[:n].transpose(0, 2, 1) @ search.rotation[:n]
        q = quaternion_of(turn)
        turning = (2.0 / h) * q[:, :3] / np.maximum(q[:, 3:], 1e-3)
        carried[:, 3:] = turning * mechanics.inertia_root
        state.time += h
        state.position, state.rotation = search.position, search.rotation
        state.rotation[:n] = orthonormalized(search.rotation[:n])
        state.gradients = state.gradients_before = system.entries
        system.remember_turns(search.values, search.pose)
        state.reference = system.coordinates.reference.copy()
        mechanics.scale_springs()
        allowed = self.allowed(state, search, way / system.inverse_mass_root)
        part = self.project_velocities(state, search, (carried, turn), h, allowed)
        if not self.met:
            ends = system.rows.bodies
            if (ends < n).all():
                restore(system, before, (state.position, state.rotation, state.velocity))
        mechanics.forces = mechanics.spring_forces(search.values, state.rates)
        drives = mechanics.forces.total - mechanics.forces.limits
        state.impulse = state.impulse + part * h * (search.multiplier - drives)
        kept = np.where(search.active, search.multiplier, 0.0)
        if self.lenient:
            kept = mechanics.still
        state.multiplier = state.multiplier_before = kept
        state.rise_before = mechanics.still
        state.turning = state.turning_before = turning
        state.last_step = np.full(1, h)

    def allowed(self, state: State, search: Search, way: Array) -> float:
        """Return the kinetic energy in J that a step may end with.

        That is what it had, and what fell and what springs gave on the way (dynamic bodies, 3),
        scaled. What contradicts itself pushes back and forth, and that must not become speed: a
        lenient step may end with no more than free flight. Where something drives, any is right.
        """
        if self.lenient:
            return _kinetic(search.free)
        if not self.mechanics.is_left_alone(state)[0]:
            return np.inf
        fallen = float((search.falling[:, :3] * way).sum())
        stored = float(
            (self.mechanics.stored(state.values) - self.mechanics.stored(search.values))[0]
        )
        return _kinetic(state.velocity) + fallen + stored

    def project_velocities(
        self, state: State, search: Search, way: tuple[Array, Array], h: float, allowed: float
    ) -> float:
        """Project the velocities that led to the pose; where they have too much energy, calm them.

        Where many bounds meet, the way onto them can be long, and the velocity along it has energy
        that nobody gave. Those of free flight have none of it once they are projected, and as much
        momentum; so as much of the way is taken towards the others as the energy allows.

        Args:
            state: at its new pose.
            search: that found the pose.
            way: (dynamic bodies, 6) scaled velocities that led there, and (dynamic bodies, 3, 3)
                rotations between body axes before and after.
            h: length of the substep in s.
            allowed: kinetic energy in J.

        Returns:
            What part of the velocities along the way was kept: the impulses on the way count as
            much, since free flight is stopped by impulses of its own.
        """
        # Springs have given their whole impulse on the way; only rigid rows are left.
        impulse = state.impulse
        carried, turn = way

        def projected(velocity: Array) -> Array:
            state.impulse = impulse
            rows = search.values, search.active
            project_velocities(self.mechanics, state, velocity, h, rows, None, springs=False)
            return state.velocity

        fast = projected(carried)
        if _kinetic(fast) <= allowed * (1.0 + ROUGH) + LEAST:
            return 1.0
        calm = search.free.copy()
        momentum = calm[:, 3:] * self.mechanics.inertia_root
        calm[:, 3:] = (momentum[:, None, :] @ turn)[:, 0] * self.system.inverse_inertia_root
        slow = projected(calm)
        more = fast - slow
        # |slow + part * more|^2 / 2 = allowed
        a, b, c = _kinetic(more), float((slow * more).sum()), _kinetic(slow) - allowed
        root = b * b - 4.0 * a * c
        part = (root**0.5 - b) / (2.0 * a) if root > 0.0 and a > 0.0 else 0.0
        part = min(max(part, 0.0), 1.0)
        projected(calm + part * (carried - calm))
        return part


def _kinetic(velocity: Array) -> float:
    """Return the energy in J of scaled velocities."""
    return 0.5 * float((velocity * velocity).sum())
