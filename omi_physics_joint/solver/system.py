# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal islands as the engines see them: what does not change while they move, and what does.

What does is the state: all that a retry or a checkpoint has to restore.

Velocities are "scaled": sqrt(m) v of the centre of mass in world axes, sqrt(I) w about principal
axes, six numbers a body. Kinetic energy is half their square, and the mass matrix is the identity.

Elements are springs, soft limits and drives. What one does is its mode: 0 nothing, 1 its law or -1
that of a lower side, 3 or -3 its largest force.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import IntEnum
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kinematics.rotation import Array, Index, Mask

Integers = NDArray[np.int32]


LINE, POINT, CONE, WHOLE = 6, 9, 10, 13
"""Coordinates of several axes together: distance from the axes X, Y, Z (6 to 8) and from the origin
(9), angle between both axes X, Y, Z (10 to 12), whole angle (13)."""
MOST_ROWS = 6
"""Of a joint: what its block in the matrix holds."""


class RowKind(IntEnum):
    """What a row of a coordinate is."""

    FREE = 0
    """A distance, a twist 2 atan2(v_i, s), or several axes together."""
    LOCK = 1
    """Held rigidly: a distance less its lock, or 2 (c v_i - e s), c + i e = exp(i phi / 2)."""
    HELD = 2
    """A twist that is held softly: phi + 2 asin(c v_i - e s)."""


@dataclass(frozen=True, eq=False, slots=True)
class System:
    """N islands with n bodies that forces move, o that they do not, m joints, r rows, e elements.

    Arrays are contiguous; numbers are those of one island, and the same in all. Bodies that forces
    move come first. Nodes are bodies, then joints.

    Attributes:
        bodies: n.
        others: o, that move by themselves or stand still.
        joints: m.
        rows: r, one for each coordinate that is limited or driven.
        elements: e, springs, soft limits and drives.
        closed: whether joints close loops, so that rows may follow from others.
        size: (N,) m, what errors are measured by.
        roots: (N, n, 6) roots of mass (three times) and of principal inertia.
        weight: (N, n, 6) scaled weights.
        ends: (m, 2) body of the joint, connected body.
        anchors: (N, m, 2, 3) origins of frames from the centres of mass, body axes, m.
        axes: (N, m, 2, 3, 3) axes of frames as columns, body axes.
        axle: (m,) the one axis, 0 to 2, that a joint turns about and on which nothing acts, or -1.
        row_start: (m + 1,) rows of each joint, rising by coordinate.
        coordinate: (r,) 0 to 2 distances, 3 to 5 rotations, from 6 on of several axes together.
        kind: (r,) a ``RowKind``.
        hold: (N, r) m or rad, where LOCK or HELD holds; else 0.
        low, high: (N, r) rigid bounds of what is no lock, else infinite.
        element_row: (e,).
        is_drive: (e,) else a soft limit.
        one_sided: (e,) whether it is a soft limit with a range.
        accelerates: (e,) whether stiffness and damping are times the inertia that they move.
        stiffness, damping, soft_low, soft_high, target, speed, max_force: (N, e).
        nodes, blocks: of the elimination, see ``ordering``.
        order, later_start, later_node, update: likewise.
    """

    bodies: int
    others: int
    joints: int
    rows: int
    elements: int
    closed: int
    size: Array
    roots: Array
    weight: Array
    ends: Integers
    anchors: Array
    axes: Array
    axle: Integers
    row_start: Integers
    coordinate: Integers
    kind: Integers
    hold: Array
    low: Array
    high: Array
    element_row: Integers
    is_drive: Integers
    one_sided: Integers
    accelerates: Integers
    stiffness: Array
    damping: Array
    soft_low: Array
    soft_high: Array
    target: Array
    speed: Array
    max_force: Array
    nodes: int
    blocks: int
    order: Integers
    later_start: Integers
    later_node: Integers
    update: Integers

    @property
    def islands(self) -> int:
        """Return N."""
        return len(self.size)

    def one(self, island: int) -> System:
        """Return a view of one island."""
        own = [field.name for field in fields(self) if field.type == "Array"]
        return replace(self, **{name: getattr(self, name)[island : island + 1] for name in own})

    @property
    def twisting(self) -> Mask:
        """Return which rows are rotations about one axis: (r,)."""
        return (self.coordinate >= 3) & (self.coordinate < LINE)

    @property
    def straight(self) -> Mask:
        """Return which rows are distances, along an axis or over several: (r,)."""
        return (self.coordinate < 3) | ((self.coordinate >= LINE) & (self.coordinate <= POINT))

    @property
    def joint_of_row(self) -> Index:
        """Return the joint of each row: (r,)."""
        return np.repeat(np.arange(self.joints), np.diff(self.row_start))


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


Modes = NDArray[np.integer[Any]]
AT_ITS_MOST = 3
"""Mode of a drive, or less than zero."""


def scaled(system: System, scale: Array) -> System:
    """Return a system whose elements have stiffness and damping times ``scale`` (N, e)."""
    return replace(system, stiffness=system.stiffness * scale, damping=system.damping * scale)


def law(system: System, mode: Modes, value: Array, rate: Array) -> Array:
    """Return forces (N, e) at values and rates of that shape, by modes but 0."""
    side = np.where(mode > 0, system.soft_high, system.soft_low)
    zero = np.where(system.one_sided, side, system.target)
    speed = np.where(system.one_sided, 0.0, system.speed)
    force = -system.stiffness * (value - zero) - system.damping * (rate - speed)
    return np.where(np.abs(mode) == AT_ITS_MOST, np.copysign(system.max_force, mode), force)


def wanted(system: System, value: Array, rate: Array) -> Modes:
    """Return what elements do at values and rates (N, e); a soft limit only pushes."""
    side = np.where(value > system.soft_high, 1, np.where(value < system.soft_low, -1, 0))
    force = law(system, np.where(system.one_sided, side, 1), value, rate)
    pushes = np.where(force * side < 0.0, side, 0)
    beyond = np.abs(force) > system.max_force
    drives = np.where(beyond, np.copysign(AT_ITS_MOST, force).astype(int), 1)
    on_lock = system.kind[system.element_row] == RowKind.LOCK
    return np.where(on_lock, 0, np.where(system.one_sided, pushes, drives))


def stored_energy(system: System, value: Array) -> Array:
    """Return what springs hold in J (N, e), at rows (N, r); at its most one is that force."""
    at = value[:, system.element_row]
    over = np.maximum(at - system.soft_high, 0.0) + np.minimum(at - system.soft_low, 0.0)
    stretch = np.abs(np.where(system.one_sided, over, at - system.target))
    k, most = system.stiffness, system.max_force
    with np.errstate(over="ignore", invalid="ignore"):
        reach = np.where(k > 0.0, most / np.maximum(k, 1e-300), np.inf)
        inside = np.minimum(stretch, reach)
        beyond = np.where(stretch > reach, most * (stretch - reach), 0.0)
        return np.where(k > 0.0, 0.5 * k * inside * inside + beyond, 0.0)
