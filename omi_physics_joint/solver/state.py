# SPDX-License-Identifier: GPL-3.0-or-later
"""What changes from step to step, and all that a retry or a checkpoint has to restore."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from .kinematics.rotation import Array
from .system import RowKind, System

STAGES = 3
"""Moments within a step at which accelerations are known."""
BRINGING_IN = 0.5
"""s: how long a rest pose that violates its bounds takes to meet them."""


def brought_in(u: Array | float) -> Array | float:
    """Return which part of what was violated is left after the part u of that time, 0 to 1."""
    return 1.0 - u * u * u * (10.0 - u * (15.0 - 6.0 * u))


@dataclass(frozen=True, eq=False, slots=True)
class State:
    """Everything that the next step of equal islands depends on. Engines write into its arrays.

    Attributes:
        position: (N, n + o, 3) centres of mass; of others the origins of their nodes.
        rotation: (N, n + o, 3, 3) world from body axes.
        velocity: (N, n, 6) scaled.
        value: (N, r) coordinates of the rows, m or rad, twists unwrapped.
        half: (N, m, 4) quaternion x y z w of the connected frame in the joint's, continued.
        angle: (N, m) angles of axles over all turns, rad; 0 for other joints.
        excess: (N, r) by which a rigid row was violated at first, with sign, m or rad.
        guess: (N, STAGES, n, 6) scaled accelerations of the last step.
        span: (N, 5) s: length of that step, 0 for none; length to try next; age; how many output
            steps still go at first order, with Godot's steps s since the last one; and for how many
            s bounds still are met by RATTLE.
        side: (N, r) 1 at the upper bound, -1 at the lower one, 0 free.
        impulse: (N, r + e) of rows and elements in the last of Godot's steps, N s or N m s.
        mode: (N, e) 0 nothing, 1 or -1 the element's law (of that side), 3 or -3 its most.
        scale: (N, e) what stiffness and damping are times: 1, or the inertia that a drive which
            accelerates moves, kg or kg m^2; found at the start of a step, and when all begins.
        stiff: (N, e) 1 where an element is too stiff to be followed; likewise.
    """

    position: Array
    rotation: Array
    velocity: Array
    value: Array
    half: Array
    angle: Array
    excess: Array
    guess: Array
    span: Array
    impulse: Array
    side: NDArray[np.int32]
    mode: NDArray[np.int32]
    scale: Array
    stiff: NDArray[np.int32]

    def copy(self) -> State:
        """Return this moment; what follows does not change it."""
        return State(*[array.copy() for array in _arrays(self)])

    def one(self, island: int) -> State:
        """Return a view of one island."""
        return State(*(array[island : island + 1] for array in _arrays(self)))

    def take(self, other: State) -> None:
        """Become equal to another state of the same system."""
        for array, there in zip(_arrays(self), _arrays(other), strict=True):
            np.copyto(array, there)

    def forget_step(self) -> None:
        """Let the next step begin without regard to the last one."""
        self.span[:, :2] = 0.0


_arrays = attrgetter(*(field.name for field in fields(State)))


def empty_state(system: System) -> State:
    """Return a state of which nothing is known."""
    s, count = system, system.islands
    return State(
        position=np.zeros((count, s.bodies + s.others, 3)),
        rotation=np.zeros((count, s.bodies + s.others, 3, 3)),
        velocity=np.zeros((count, s.bodies, 6)),
        value=np.zeros((count, s.rows)),
        half=np.zeros((count, s.joints, 4)),
        angle=np.zeros((count, s.joints)),
        excess=np.zeros((count, s.rows)),
        guess=np.zeros((count, STAGES, s.bodies, 6)),
        span=np.zeros((count, 5)),
        impulse=np.zeros((count, s.rows + s.elements)),
        side=np.zeros((count, s.rows), dtype=np.int32),
        mode=np.zeros((count, s.elements), dtype=np.int32),
        scale=np.ones((count, s.elements)),
        stiff=np.zeros((count, s.elements), dtype=np.int32),
    )


def bounds(system: System, state: State, time: float = 0.0) -> tuple[Array, Array]:
    """Return between what rows (N, r) are to be some seconds from now: a lock at one value.

    What was violated at first comes in along 1 - 10 u^3 + 15 u^4 - 6 u^5.
    """
    over = state.excess * brought_in(np.minimum((state.span[:, 2:3] + time) / BRINGING_IN, 1.0))
    low, high = system.low + np.minimum(over, 0.0), system.high + np.maximum(over, 0.0)
    locked = system.kind == RowKind.LOCK
    return np.where(locked, over, low), np.where(locked, over, high)


def rows_off(system: System, state: State) -> Array:
    """Return by how much each row is off: (N, r) m or rad, bounds as well as locks."""
    low, high = bounds(system, state)
    return np.maximum(np.maximum(low - state.value, state.value - high), 0.0)
