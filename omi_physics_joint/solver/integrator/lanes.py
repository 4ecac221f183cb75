# SPDX-License-Identifier: GPL-3.0-or-later
"""Some islands in motion: their states, what their rows are held at, and how poses fit them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dynamics.shape import Shape
from ..kinematics.coordinates import Pose, Pressed
from ..kinematics.rotation import Array, exponential
from ..linalg.blocks import BlockFactor
from ..linalg.dense import LITTLE, DenseFactor
from ..state import BRINGING_IN, State

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
Sides = NDArray[np.integer[Any]]
HOLDS = 1e-11
"""m or rad: residual of rows that needs no projection."""


@dataclass(slots=True)
class Judged:
    """What elements (L, e) move: see elements.py."""

    omega: Array
    """rad/s."""
    scale: Array
    """What stiffness and damping are times."""
    stiff: Mask
    """Whether each is too stiff to be followed."""

    def of(self, lanes: Index) -> Judged:
        """Return those of some lanes."""
        return Judged(self.omega[lanes], self.scale[lanes], self.stiff[lanes])


@dataclass(slots=True)
class Held:
    """What active rows are held at: (L, S, r) or broadcast to that."""

    value: Array | float
    rate: Array | float
    acceleration: Array | float
    off: Array | float = 0.0
    """(L, S): square of the largest excess that comes in, over the size."""


class Lanes:
    """Islands of one shape that are stepped together, each as if it were alone."""

    def __init__(
        self,
        shape: Shape,
        state: State,
        other_velocity: Array,
        give: float,
        judged: Judged | None = None,
    ) -> None:
        """Take states over; they are not changed.

        Args:
            shape: of these lanes.
            state: of these lanes.
            other_velocity: (L, others, 6) world axes, of bodies that move by themselves.
            give: s, in which what is too stiff to be followed gives way.
            judged: of their elements.
        """
        self.shape, self.state, self.judged = shape, state, judged
        self.other_velocity, self.give = other_velocity, give
        self.count = shape.count
        n = shape.bodies
        self.others_move = bool(other_velocity.any())
        # About body axes, which stay as they are when a body turns about a fixed axis.
        self.other = other_velocity[:, None]
        if self.others_move:
            back = state.rotation[:, n:].swapaxes(-1, -2)
            spin = (back @ other_velocity[..., 3:, None])[..., 0]
            self.other = np.concatenate([other_velocity[..., :3], spin], -1)[:, None]
        self.half, self.near = state.half[:, None], state.value[:, None]
        self.sticky: Mask | None = None
        if state.excess.any():
            young = state.span[:, 2] < BRINGING_IN
            self.sticky = ~shape.lock & (state.excess != 0.0) & young[:, None]
        self.active: Mask | None = None
        self.base: Array | float = 0.0
        self.set_sides(state.side)

    def some(self, which: Index) -> Lanes:
        """Return some of them, with states of their own; themselves where these are all."""
        if len(which) == self.count:
            return self
        return Lanes(
            self.shape.some(which),
            self.state.some(which),
            self.other_velocity[which],
            self.give,
            None if self.judged is None else self.judged.of(which),
        )

    def set_sides(self, side: NDArray[np.int32]) -> None:
        """Say at which bounds rows are held: 1 at the upper one, -1 at the lower one."""
        shape = self.shape
        self.pressed: Pressed | None = None
        if shape.all_locks:
            return
        self.active = shape.lock | (side != 0)
        self.base = 0.0
        if side.any():
            bound = np.where(side > 0, shape.high, np.where(side < 0, shape.low, 0.0))
            self.base = bound[:, None]
            self.pressed = self._pressed((side != 0) & (self.state.excess == 0.0), bound)

    def _pressed(self, on: Mask, bound: Array) -> Pressed | None:
        """Return the twists among the rows (L, r) that are held at bounds."""
        kinematics = self.shape.kinematics
        on = on & kinematics.twists
        if not on.any():
            return None
        every = np.zeros((2, self.count, kinematics.slots))
        every[0][:, kinematics.rows] = on
        every[1][:, kinematics.rows] = np.where(on, bound, 0.0)
        every = every[..., : 6 * self.shape.joints]
        parts = every.reshape(2, self.count, 1, -1, 6)[..., 3:]
        return Pressed(parts[0] > 0.0, parts[1])

    def held(self, time: Array | float) -> Held:
        """Return what active rows are held at some seconds into the step: (L, S) or a number.

        What was violated at first comes in along s = 1 - 10 u^3 + 15 u^4 - 6 u^5: it begins and
        ends without speed and acceleration.
        """
        excess = self.state.excess
        if not excess.any():
            return Held(self.base, 0.0, 0.0)
        u = ((self.state.span[:, 2:3] + time) / BRINGING_IN)[..., None]
        going = u < 1.0
        u = np.minimum(u, 1.0)
        left = 1.0 - u
        s = np.where(going, 1.0 - u * u * u * (10.0 - u * (15.0 - 6.0 * u)), 0.0)
        s1 = -30.0 * u * u * left * left / BRINGING_IN
        s2 = -60.0 * u * left * (1.0 - 2.0 * u) / (BRINGING_IN * BRINGING_IN)
        over = excess[:, None]
        square = np.square(excess).max(-1) / np.square(self.shape.size)
        off = np.where(going[..., 0], square[:, None], 0.0)
        return Held(self.base + over * s, over * s1, over * s2, off)

    def pose(self, position: Array, rotation: Array) -> Pose:
        """Return the rows at poses (L, S, bodies, 3) and (..., 3, 3)."""
        kinematics = self.shape.kinematics
        return kinematics.pose(position, rotation, self.half, self.near, self.pressed)

    def every(self, velocity: Array) -> Array:
        """Return velocities (L, S, n + others, 6) of all bodies, scaled where forces move them."""
        shape = self.shape
        every = np.empty((*velocity.shape[:2], shape.bodies + shape.others, 6))
        every[:, :, : shape.bodies] = velocity
        every[:, :, shape.bodies :] = self.other
        return every

    def rate(self, pose: Pose, velocity: Array) -> Array:
        """Return rates (L, S, r) at scaled velocities (L, S, n, 6)."""
        kinematics = self.shape.kinematics
        return kinematics.picked(kinematics.rates(pose, self.every(velocity)))

    def motion(self, pose: Pose, velocity: Array) -> tuple[Array, Array]:
        """Return rates and drifts (L, S, r) at scaled velocities (L, S, n, 6)."""
        kinematics, every = self.shape.kinematics, self.every(velocity)
        rates = kinematics.rates(pose, every)
        spin = every[..., 3:] * self.shape.spin_scale
        return kinematics.picked(rates), kinematics.drifts(pose, spin, rates)

    def factor(
        self, pose: Pose, active: Mask | None, little: float | Array, soft: Array | None = None
    ) -> DenseFactor | BlockFactor:
        """Factor the rows at poses."""
        algebra = self.shape.algebra
        return algebra.factor(algebra.entries(pose.jacobian), active, soft, little)

    def worst(self, missing: Array) -> Array:
        """Return (L, S): the largest number (L, S, r) of an active row."""
        off = np.abs(missing)
        if self.active is not None:
            off = np.where(self.active[:, None], off, 0.0)
        return np.asarray(off.max(-1, initial=0.0))

    def residual(self, value: Array, held: Held) -> Array:
        """Return (L, S): by how much the worst active row is off, m or rad."""
        return self.worst(value - held.value)

    def displaced(self, position: Array, rotation: Array, by: Array) -> tuple[Array, Array]:
        """Return poses moved by scaled displacements (L, S, n, 6)."""
        n = self.shape.bodies
        way = by * self.shape.inverse
        position, rotation = position.copy(), rotation.copy()
        position[:, :, :n] += way[..., :3]
        rotation[:, :, :n] = rotation[:, :, :n] @ exponential(way[..., 3:])
        return position, rotation

    def carry(self, time: Array, position: Array, rotation: Array) -> None:
        """Put bodies that move by themselves where they are after (L, S) seconds."""
        n, state = self.shape.bodies, self.state
        position[:, :, n:] = state.position[:, None, n:]
        rotation[:, :, n:] = state.rotation[:, None, n:]
        if self.others_move:
            way = time[..., None, None] * self.other
            position[:, :, n:] += way[..., :3]
            rotation[:, :, n:] = rotation[:, :, n:] @ exponential(way[..., 3:])

    def fit(
        self,
        position: Array,
        rotation: Array,
        held: Held,
        rounds: int,
        undamped: int,
        proximal: int,
        enough: float = HOLDS,
    ) -> tuple[Array, Array, Pose, Array, Array]:
        """Bring poses onto the active rows, in some rounds; damped ones after so many.

        Args:
            position: of all bodies (L, S, bodies, 3).
            rotation: of them.
            held: what rows are held at.
            rounds: at most.
            undamped: rounds.
            proximal: proximal rounds of each solution.
            enough: m or rad, by which what is left as it is may be off.

        Returns:
            Positions, rotations, the rows there, and by how much (L, S) they are off, and were.
        """
        shape, active = self.shape, self.active
        lead = position.shape[:2]
        for done in range(rounds + 1):
            pose = self.pose(position, rotation)
            off = self.residual(pose.value, held)
            holds = off < HOLDS
            if done == 0:
                before, leaves = off, off <= enough
            holds |= leaves
            if done == rounds or holds.all():
                break
            little: float | Array = shape.little
            if done >= undamped:
                # Rows that contradict each other are met as well as can be (Levenberg, Marquardt).
                little = np.maximum(LITTLE, np.square(off / shape.size[:, None]))
                proximal = 0
            factor = self.factor(pose, active, little)
            by, _ = factor.solve(None, held.value - pose.value, proximal)
            by[holds] = 0.0
            by = by.reshape(*lead, shape.bodies, 6)
            position, rotation = self.displaced(position, rotation, by)
        return position, rotation, pose, off, before
