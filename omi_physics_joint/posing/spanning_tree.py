# SPDX-License-Identifier: GPL-3.0-or-later
"""An island of bodies as a tree of joints: poses from joint values, and how bodies follow them.

Every joint is an edge whose six values give the connected frame in the joint frame: a place, and
the rotation that has three twists. A joint that closes a loop carries a copy of the body at its far
end; the loop is closed where the copy lies on the body. So the free values of all joints are the
only unknowns, all locks but those of loops hold by construction, and every limit is a plain bound
on an unknown.

Of q = (v, s) the twist about axis i has the tangent v_i / s of its half, so with the cosines c and
sines e of half the angles q is a multiple of (e_x c_y c_z, c_x e_y c_z, c_x c_y e_z, c_x c_y c_z).
It is none where two of them are half a turn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import inf

import numpy as np

from ..model.geometry.transform import quaternion_from_rotation
from ..model.settings.together import Together
from ..solver.kinematics.rotation import (
    Array,
    Index,
    Mask,
    cross,
    exponential,
    matrix_of,
    orthonormalized,
    quaternion_of,
    rotation_vector,
)
from ..solver.kinematics.together import TogetherRows
from ..solver.reading.joints import coordinate_of
from .links import TreeJoint

_OWN = np.eye(3, 4, dtype=bool)


def turns_of(angles: Array) -> Array:
    """Return the rotations with three twists: (k, 3) in rad to (k, 3, 3)."""
    return matrix_of(_quaternions(angles)[0])


def angles_of(turns: Array) -> Array:
    """Return the three twists of rotations: (k, 3, 3) to (k, 3) in rad."""
    q = quaternion_of(turns)
    return np.asarray(2.0 * np.arctan2(q[:, :3], q[:, 3:]))


def turn_axes(angles: Array) -> Array:
    """Return the axes, as columns, about which each angle turns: (k, 3, 3).

    They are neither units nor at right angles: q' = w q / 2, so with the derivative q' of that
    multiple of q, which may change its length, w is the vector part of 2 q' conj(q) / |q|^2.
    """
    q, slopes = _quaternions(angles)
    v, s = q[:, None, :3], q[:, None, 3:]
    dv, ds = slopes[:, :, :3], slopes[:, :, 3:]
    axes = s * dv - ds * v + cross(v, dv)
    axes *= (2.0 / (q * q).sum(1))[:, None, None]
    return np.asarray(axes.transpose(0, 2, 1))


def _quaternions(angles: Array) -> tuple[Array, Array]:
    """Return multiples of q (k, 4), and their derivatives by each angle (k, 3, 4)."""
    half = 0.5 * angles[:, :, None]
    cosine, sine = np.cos(half), np.sin(half)
    # Factor i of component k is the sine where k is i, else the cosine.
    factors, slopes = np.where(_OWN, sine, cosine), 0.5 * np.where(_OWN, cosine, -sine)
    return factors.prod(1), slopes * factors[:, [1, 2, 0]] * factors[:, [2, 0, 1]]


class BoundsTogether:
    """Bounds on several axes together of one island; ``owners`` are the numbers of their joints.

    They are no bounds on one unknown. Where one is passed it is a row beside those of loops, and
    closing them brings the joint back onto it the shortest way; within it the row is nothing.
    Directions are those of the solver (``solver.kinematics.together``).
    """

    def __init__(self, bounds: Sequence[Sequence[Together]]) -> None:
        """Take the bounds of each joint."""
        pairs = [(link, one) for link, own in enumerate(bounds) for one in own]
        pairs = [(link, one) for link, one in pairs if (one.low, one.high) != (-inf, inf)]
        self.owners = np.array([link for link, _ in pairs], dtype=np.intp)
        self._bounds = [one for _, one in pairs]
        self._rows = TogetherRows(np.array([coordinate_of(one) for one in self._bounds], np.intp))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.owners)

    def offs(self, values: Array, turns: Array, size: float) -> Array:
        """Return by how much each is passed: (k,), m, angles times ``size`` in m; negative below.

        ``values`` (links, 6) and rotations ``turns`` (links, 3, 3) are those of the joints.
        """
        out = np.zeros(len(self))
        for number, (link, one) in enumerate(zip(self.owners, self._bounds, strict=True)):
            turn = quaternion_from_rotation(turns[link].tolist())
            value = one.value(values[link, :3].tolist(), turn)
            out[number] = max(value - one.high, 0.0) + min(value - one.low, 0.0)
        return np.where(self._rows.straight, out, size * out)

    def normals(self, values: Array, turns: Array) -> Array:
        """Return how each grows: (k, 6) along and about the axes of its joint frame."""
        q, straight = quaternion_of(turns[self.owners]), self._rows.straight[:, None]
        normal = self._rows.directions(values[self.owners, :3], q).normal
        return np.concatenate([normal * straight, normal * ~straight], 1)


SMALLEST, LARGEST = 1e-9, 1e9
"""m: outside of these an island's size is no measure."""


TreeState = tuple[Array, Array, Array, bool]
"""Values, turns and poses of a tree at one moment, and whether they were changed by then."""


class SpanningTree:
    """The joints of one island, from what stands still outwards.

    Attributes:
        links: the joints, nearer to the root first; in this order is all that follows.
        values: (links, 6) m and rad of the joints.
        turns: (links, 3, 3) their rotations.
        ball: (links,) which of them are turned by rotation vectors, and have no angles meanwhile.
        world: (slots, 4, 4) world from body, for each body, and again for those that close loops.
        slot_of: where bodies are in it.
        copies, originals: (loops,) slots that coincide where loops are closed.
        link_of, coordinate: (n,) what each unknown is; nearer to the root comes first. Unknowns are
            in m: angles times the size of the island.
        together: bounds on several axes together, which are met as loops are closed.
        angular, in_loop: (n,) whether it is an angle; whether a loop or such a bound depends on it.
        reach: (slots, n) which unknowns move which slot.
        size: m, how far the island extends.
        scale: (n,) by what each value is multiplied to be an unknown: ``size`` or 1.
        moved: whether anybody posed it; before that, joints may stand outside of their limits.
        first: the moment at which it was laid out.
    """

    def __init__(
        self, links: list[TreeJoint], roots: list[int], worlds: Array, *, floats: bool
    ) -> None:
        """Lay out a tree of links, at least one; what stands still connects them as well.

        Roots are the bodies that stand still, in order, each at one end of a link, or one body that
        ``floats``: it is only the last to move. ``worlds`` is world from body of every body.
        """
        self.floats, self.moved = floats, False
        self.slot_of = {body: slot for slot, body in enumerate(roots)}
        self.world: Array = worlds[self._spread(links)]
        self.turns: Array = np.empty((len(links), 3, 3))
        frames = np.array([link.frames for link in self.links])
        spread = self.world[:, :3, 3] - self.world[:, :3, 3].mean(0)
        extent = float(max(np.abs(spread).max(), np.abs(frames[:, :, :3, 3]).max()))
        self.size = extent if SMALLEST < extent < LARGEST else 1.0
        forward = self._forward[:, None, None]
        self._first = frames[:, 0]
        self._before = np.where(forward, frames[:, 0], frames[:, 1])
        self._after = np.linalg.inv(np.where(forward, frames[:, 1], frames[:, 0]))
        self.low: Array = np.array([link.low for link in self.links])
        self.high: Array = np.array([link.high for link in self.links])
        start = np.clip([link.start for link in self.links], self.low, self.high)
        free = np.array([link.free for link in self.links])
        self.values: Array = np.where(free, start, self.low)
        self._number_unknowns(free)
        self._twists: tuple[Array, Array] | None = None
        self.ball: Mask = np.zeros(len(links), dtype=bool)
        self.place()
        self.ball |= [link.ball for link in self.links]
        self.first = self.state()

    def _spread(self, links: list[TreeJoint]) -> list[int]:
        """Walk over the joints, breadth first; return the body of each slot."""
        around: dict[int, list[int]] = {}
        for number, link in enumerate(links):
            for body in link.bodies:
                around.setdefault(body, []).append(number)
        slots, edges, copies = list(self.slot_of), dict[int, tuple[int, int, bool]](), []
        queue = deque(slots)
        while queue:
            body = queue.popleft()
            for number in around.get(body, ()):
                if number not in edges:
                    forward = links[number].bodies[0] == body
                    other, child = links[number].bodies[forward], len(slots)
                    edges[number] = (self.slot_of[body], child, forward)
                    slots.append(other)
                    if other in self.slot_of:
                        copies.append((child, self.slot_of[other]))
                    else:
                        self.slot_of[other] = child
                        queue.append(other)
        self.links = [links[number] for number in edges]
        self._parents, self._children, ways = np.array(list(edges.values()), dtype=np.intp).T
        self._forward: Mask = ways > 0
        self.copies, self.originals = np.array(copies, dtype=np.intp).reshape(-1, 2).T
        return slots

    def _number_unknowns(self, free: Mask) -> None:
        """Number the free values, nearer to the root first, and see what each moves."""
        # Against its direction, a joint turns first and then slides.
        order = np.where(self._forward[:, None], np.arange(6), np.arange(5, -1, -1))
        self.link_of, place = np.nonzero(np.take_along_axis(free, order, 1))
        self.coordinate: Index = order[self.link_of, place]
        self.angular: Mask = self.coordinate >= 3
        self.scale: Array = np.where(self.angular, self.size, 1.0)
        self._unit = (np.where(self._forward, 1.0, -1.0)[self.link_of] / self.scale)[:, None]
        self.reach: Mask = np.zeros((len(self.world), len(self.link_of)), dtype=bool)
        for link, (parent, child) in enumerate(zip(self._parents, self._children, strict=True)):
            self.reach[child] = self.reach[parent] | (self.link_of == link)
        self.in_loop: Mask = (self.reach[self.copies] != self.reach[self.originals]).any(0)
        self.together = BoundsTogether([link.together for link in self.links])
        self.in_loop |= np.isin(self.link_of, self.together.owners)

    def __len__(self) -> int:
        """Return the number of unknowns."""
        return len(self.link_of)

    def unknown(self, link: int, coordinate: int) -> int:
        """Return the number of a free value."""
        return int(np.flatnonzero((self.link_of == link) & (self.coordinate == coordinate))[0])

    def state(self) -> TreeState:
        """Return this moment."""
        return self.values.copy(), self.turns.copy(), self.world.copy(), self.moved

    def take(self, state: TreeState) -> None:
        """Return to a moment."""
        self.values, self.turns, self.world = (part.copy() for part in state[:3])
        self.moved = state[3]
        self._twists = None

    def values_of(self, link: int) -> Array:
        """Return the values of a joint, whose angles may be those of a rotation: (6,)."""
        values: Array = self.values[link].copy()
        if self.ball[link]:
            values[3:] = angles_of(self.turns[link : link + 1])[0]
        return values

    def place(self) -> None:
        """Put all bodies where the values of the joints say."""
        plain, back, world = ~self.ball, ~self._forward, self.world
        self.turns[plain] = turns_of(self.values[plain, 3:])
        motion = np.zeros((len(self.links), 4, 4))
        motion[:, :3, :3], motion[:, :3, 3] = self.turns, self.values[:, :3]
        motion[:, 3, 3] = 1.0
        motion[back] = np.linalg.inv(motion[back])
        motion = self._before @ motion @ self._after
        for parent, child, step in zip(self._parents, self._children, motion, strict=True):
            np.matmul(world[parent], step, out=world[child])
        self._twists = None

    def carry(self, motion: Array) -> None:
        """Move everything as one rigid body: (4, 4)."""
        self.world = motion @ self.world
        self._twists = None

    def move(self, change: Array) -> None:
        """Change the unknowns, (n,), and place all bodies."""
        changes = np.zeros_like(self.values)
        changes[self.link_of, self.coordinate] = change / self.scale
        if self.ball.any():
            turns = exponential(changes[self.ball, 3:]) @ self.turns[self.ball]
            self.turns[self.ball] = orthonormalized(turns)
            changes[self.ball, 3:] = 0.0
        self.values += changes
        self.place()

    def room(self) -> tuple[Array, Array]:
        """Return by how much each unknown may fall and rise: (n,), (n,)."""
        at = (self.link_of, self.coordinate)
        turning, value = self.angular & self.ball[self.link_of], self.values[at]
        low = np.where(turning, -np.inf, np.minimum(self.low[at] - value, 0.0))
        high = np.where(turning, np.inf, np.maximum(self.high[at] - value, 0.0))
        return low * self.scale, high * self.scale

    @property
    def twists(self) -> tuple[Array, Array]:
        """What each unknown does to bodies beyond it: spin (n, 3), and velocity at the origin."""
        if self._twists is None:
            slots = np.where(self._forward, self._parents, self._children)
            joint = self.world[slots] @ self._first
            axes = joint[:, :3, :3]
            centre = joint[:, :3, 3] + (axes @ self.values[:, :3, None])[:, :, 0]
            both = np.concatenate([axes, axes @ self._turn_axes()], 2).transpose(0, 2, 1)
            axis, turns = both[self.link_of, self.coordinate] * self._unit, self.angular[:, None]
            moment = cross(centre[self.link_of], axis)
            self._twists = np.where(turns, axis, 0.0), np.where(turns, moment, axis)
        return self._twists

    def _turn_axes(self) -> Array:
        """Return about what joints turn in their frames: the axes of angles, or the frame's own."""
        about: Array = np.tile(np.eye(3), (len(self.ball), 1, 1))
        about[~self.ball] = turn_axes(self.values[~self.ball, 3:])
        return about

    def rates(self, slot: int, place: Array) -> tuple[Array, Array]:
        """Return how a slot spins, and a point of it moves, with each unknown: (n, 3), (n, 3)."""
        spin, velocity = self.twists
        on = self.reach[slot][:, None]
        return np.where(on, spin, 0.0), np.where(on, velocity + cross(spin, place), 0.0)

    def gaps(self) -> Array:
        """Return how far loops are open, m, angles times ``size``, and bounds passed: (...,)."""
        copies, originals = self.world[self.copies], self.world[self.originals]
        apart = copies[:, :3, 3] - originals[:, :3, 3]
        turned = copies[:, :3, :3] @ originals[:, :3, :3].transpose(0, 2, 1)
        gaps = np.concatenate([apart, self.size * rotation_vector(turned)], 1).reshape(-1)
        if not len(self.together):
            return gaps
        return np.concatenate([gaps, self.together.offs(self.values, self.turns, self.size)])

    def gap_rates(self) -> Array:
        """Return the derivative of ``gaps``, of loops exact where they are zero: (..., n)."""
        rows = np.zeros((len(self.copies), 6, len(self)))
        for row, copy, original in zip(rows, self.copies, self.originals, strict=True):
            for slot, sign in ((copy, 1.0), (original, -1.0)):
                spin, velocity = self.rates(slot, self.world[slot, :3, 3])
                row[:3] += sign * velocity.T
                row[3:] += (sign * self.size) * spin.T
        rates = rows.reshape(6 * len(rows), len(self))
        if not len(self.together):
            return rates
        passed = self.together.offs(self.values, self.turns, self.size) != 0.0
        return np.concatenate([rates, np.where(passed[:, None], self._rates_together(), 0.0)])

    def _rates_together(self) -> Array:
        """Return how bounds on several axes together change with each unknown: (k, n)."""
        bounds, values, turns = self.together, self.values, self.turns
        normals, about = bounds.normals(values, turns), self._turn_axes()
        out = np.zeros((len(bounds), len(self)))
        for row, link in enumerate(bounds.owners):
            own = np.flatnonzero(self.link_of == link)
            change = np.concatenate([normals[row, :3], normals[row, 3:] @ about[link]])
            scale = self.size if normals[row, 3:].any() else 1.0
            out[row, own] = change[self.coordinate[own]] * scale / self.scale[own]
        return out


def bend_of(rates: tuple[Array, Array], weight: Array) -> Array:
    """Return the second derivative along a vector of a point that has such ``rates``: (n, n).

    The velocity v_j that unknown j gives to the point turns with every unknown i nearer to the
    root: d v_j / d q_i = w_i x v_j.
    """
    spin, velocity = rates
    full = np.triu(spin @ cross(velocity, weight).T)
    return np.asarray(full + np.triu(full, 1).T)
