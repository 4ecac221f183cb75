# SPDX-License-Identifier: GPL-3.0-or-later
"""Some islands in motion: their states, what their rows are held at, and how poses fit them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dynamics.shape import Elements, Shape
from ..kinematics.coordinates import Rows
from ..kinematics.rotation import Array, Index, Mask, exponential
from ..linalg.elimination import LITTLE, Factor
from ..state import BRINGING_IN, State, brought_in

Sides = NDArray[np.integer[Any]]
Poses = tuple[Array, Array]
"""Positions and rotations."""
HOLDS = 1e-11
"""m or rad: residual of rows that needs no projection."""


@dataclass(slots=True)
class Held:
    """What active rows are held at: (L, S, r)."""

    value: Array
    rate: Array
    acceleration: Array
    off: Array
    """(L, S): square of the largest excess that comes in, over the size."""


class Lanes:
    """Islands of one shape that are stepped together, each as if it were alone."""

    def __init__(
        self,
        shape: Shape,
        state: State,
        other_velocity: Array,
        give: float,
        elements: Elements | None = None,
    ) -> None:
        """Take states over; they are not changed.

        Args:
            shape: of these lanes.
            state: of these lanes.
            other_velocity: (L, others, 6) world axes, of bodies that move by themselves.
            give: s, in which what is too stiff to be followed gives way.
            elements: those of the shape, judged.
        """
        self.shape, self.state, self.give = shape, state, give
        self.elements = shape.elements if elements is None else elements
        self.other_velocity, self.count = other_velocity, shape.count
        # About body axes, which stay as they are when a body turns about a fixed axis.
        back = state.rotation[:, shape.bodies :].swapaxes(-1, -2)
        spin = (back @ other_velocity[..., 3:, None])[..., 0]
        self.other = np.concatenate([other_velocity[..., :3], spin], -1)[:, None]
        self.half, self.near = state.half[:, None], state.value[:, None]
        self.set_sides(state.side)

    def some(self, which: Index) -> Lanes:
        """Return some of them, with states of their own; themselves where these are all."""
        if len(which) == self.count:
            return self
        elements, velocity = self.elements.some(which), self.other_velocity[which]
        return Lanes(self.shape.some(which), self.state.some(which), velocity, self.give, elements)

    def set_sides(self, side: Sides) -> None:
        """Say at which bounds rows are held: 1 at the upper one, -1 at the lower one."""
        shape, on, excess = self.shape, side != 0, self.state.excess
        bound = np.where(side > 0, shape.high, shape.low)
        self.coming: Array = np.where(shape.lock | (excess * side > 0.0), excess, 0.0)
        """(L, r) what active rows were violated by at first."""
        young = self.state.span[:, 2:3] < BRINGING_IN
        self.comes_in: Mask = ~shape.lock & (self.coming != 0.0) & young
        """(L, r) which follow a bound that comes in, until it is there: else they would fly on.

        What moves away when all begins, where the bound has neither speed nor acceleration, is let
        go.
        """
        self.active: Mask = shape.lock | on
        self.base: Array = np.where(on, bound, 0.0)[:, None]
        pressed = on & shape.kinematics.twists & (excess == 0.0)
        self.pressed: Array = np.where(pressed, bound, np.nan)[:, None]
        """(L, 1, r) bounds at which twists are held, else NaN."""

    def held(self, time: Array | float) -> Held:
        """Return what active rows are held at some seconds into the step: (L, S), or for all.

        What was violated at first comes in along s = 1 - 10 u^3 + 15 u^4 - 6 u^5: it begins and
        ends without speed and acceleration.
        """
        excess = self.coming
        u = ((self.state.span[:, 2:3] + time) / BRINGING_IN)[..., None]
        going = u < 1.0
        u = np.minimum(u, 1.0)
        left = 1.0 - u
        s = np.where(going, brought_in(u), 0.0)
        s1 = -30.0 * u * u * left * left / BRINGING_IN
        s2 = -60.0 * u * left * (1.0 - 2.0 * u) / (BRINGING_IN * BRINGING_IN)
        over = excess[:, None]
        square = np.square(excess).max(-1, initial=0.0) / np.square(self.shape.size)
        off = np.where(going[..., 0], square[:, None], 0.0)
        return Held(self.base + over * s, over * s1, over * s2, off)

    def bounds(self, time: Array) -> tuple[Array, Array]:
        """Return where bounds are (L, T, r), low and high, some seconds (L, T) into the step.

        Those that were violated at first come in.
        """
        excess = self.state.excess[:, None]
        u = np.minimum((self.state.span[:, 2:3] + time) / BRINGING_IN, 1.0)
        over = excess * brought_in(u)[..., None]
        low, high = self.shape.low[:, None], self.shape.high[:, None]
        return low + np.minimum(over, 0.0), high + np.maximum(over, 0.0)

    def pose(self, position: Array, rotation: Array) -> Rows:
        """Return the rows at poses (L, S, bodies, 3) and (..., 3, 3)."""
        kinematics = self.shape.kinematics
        return kinematics.pose(position, rotation, self.half, self.near, self.pressed)

    def now(self) -> Rows:
        """Return the rows where the state is."""
        return self.pose(self.state.position[:, None], self.state.rotation[:, None])

    def motion(self, pose: Rows, velocity: Array) -> tuple[Array, Array]:
        """Return rates and drifts (L, S, r) at scaled velocities (L, S, n, 6)."""
        return self.shape.kinematics.motion(pose, velocity, self.other)

    def rate(self, pose: Rows, velocity: Array) -> Array:
        """Return rates (L, S, r) at scaled velocities (L, S, n, 6)."""
        return self.motion(pose, velocity)[0]

    def factor(
        self,
        pose: Rows,
        active: Mask | None = None,
        little: float | Array | None = None,
        soft: Array | float = 0.0,
    ) -> Factor:
        """Factor the rows at poses; those that are active, with as little as there has to be."""
        active = self.active if active is None else active
        little = self.shape.little if little is None else little
        return self.shape.algebra.factor(pose.entry, active, soft, little)

    def worst(self, missing: Array) -> Array:
        """Return (L, S): the largest number (L, S, r) of an active row."""
        off = np.where(self.active[:, None], np.abs(missing), 0.0)
        return np.asarray(off.max(-1, initial=0.0))

    def residual(self, value: Array, held: Held) -> Array:
        """Return (L, S): by how much the worst active row is off, m or rad."""
        return self.worst(value - held.value)

    def displaced(self, position: Array, rotation: Array, by: Array) -> Poses:
        """Return poses moved by scaled displacements (L, S, n, 6)."""
        n = self.shape.bodies
        way = by * self.shape.inverse
        position, rotation = position.copy(), rotation.copy()
        position[:, :, :n] += way[..., :3]
        rotation[:, :, :n] = rotation[:, :, :n] @ exponential(way[..., 3:])
        return position, rotation

    def carried(self, time: Array, position: Array, rotation: Array) -> Poses:
        """Return poses of bodies (L, S, n, ...), and of those that move by themselves: (L, S) s."""
        n, state, way = self.shape.bodies, self.state, time[..., None, None] * self.other
        place = state.position[:, None, n:] + way[..., :3]
        turn = state.rotation[:, None, n:] @ exponential(way[..., 3:])
        return np.concatenate([position[:, :, :n], place], 2), np.concatenate(
            [rotation[:, :, :n], turn], 2
        )

    def fit(
        self,
        position: Array,
        rotation: Array,
        held: Held,
        rounds: int,
        undamped: int,
        proximal: int,
        enough: float | Array = HOLDS,
    ) -> tuple[Array, Array, Rows, Array, Array, Factor | None]:
        """Bring poses onto the active rows, in some rounds; damped ones after so many.

        Args:
            position: of all bodies (L, S, bodies, 3).
            rotation: of them.
            held: what rows are held at.
            rounds: at most.
            undamped: rounds.
            proximal: proximal rounds of each solution.
            enough: m or rad, also (L, 1), by which what is left as it is may be off.

        Returns:
            Positions, rotations, the rows there, by how much (L, S) they are off, and were, and the
            last factor, if it took any: in trees that of where the fit began is good enough.
        """
        shape, factor = self.shape, None
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
            if factor is None or shape.closed or done >= undamped:
                factor = self.factor(pose, little=little)
            by, _ = factor.solve(0.0, held.value - pose.value, proximal)
            by[holds] = 0.0
            position, rotation = self.displaced(position, rotation, by)
        return position, rotation, pose, off, before, factor
