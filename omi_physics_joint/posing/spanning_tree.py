# SPDX-License-Identifier: GPL-3.0-or-later
"""An island of bodies as a tree of joints: poses from joint values, and how bodies follow them.

Every joint is an edge whose six values give the connected frame in the joint frame: a place, and
the rotation that has three twists. A joint that closes a loop carries a copy of the body at its far
end; the loop is closed where the copy lies on the body. So the free values of all joints are the
only unknowns, all locks but those of loops hold by construction, and every limit is a plain bound
on an unknown.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..solver.rotation import Array, cross, exponential, matrix_of, orthonormalized, rotation_vector

SMALLEST, LARGEST = 1e-9, 1e9
"""m: outside of these an island's size is no measure."""
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(slots=True)
class Link:
    """A joint as an edge between two bodies.

    Attributes:
        node: of the joint.
        bodies: number of the joint's body, and of the connected body.
        frames: (2, 4, 4) body from joint frame, connected body from connected frame.
        values: (6,) m and rad, the locked ones at their lock.
        free: (6,) which of them may change.
        low, high: (6,) their bounds.
        ball: whether nothing bounds its turning, so that it needs no angles.
    """

    node: int
    bodies: tuple[int, int]
    frames: Array
    values: Array
    free: Mask
    low: Array
    high: Array
    ball: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """The values of all joints of an island at one moment."""

    values: Array
    turns: Array
    world: Array


class Tree:
    """The joints of one island, from what stands still outwards.

    Attributes:
        links: the joints in the order in which they were given.
        slots: for each place in ``world`` the number of its body; copies come twice.
        world: (slots, 4, 4) world from body.
        copies, originals: (loops,) slots that coincide where loops are closed.
        dof_link, dof_coordinate: (n,) what each unknown is; nearer to the root comes first.
        reach: (slots, n) which unknowns move which slot.
        size: m, how far the island extends; what an angle of one rad counts.
    """

    def __init__(self, links: list[Link], roots: list[int], poses: dict[int, Array]) -> None:
        """Lay out a tree.

        Args:
            links: at least one; all hang together, what stands still connecting too.
            roots: bodies that stand still, in order; each is one end of a link.
            poses: world from body of every body.
        """
        self.links = links
        self.slots: list[int] = list(roots)
        self._spread(roots)
        self.world: Array = np.array([poses[body] for body in self.slots])
        forward = self._forward[:, None, None]
        first = np.array([link.frames[0] for link in links])[self._edges]
        second = np.array([link.frames[1] for link in links])[self._edges]
        self._before = np.where(forward, first, second)
        self._after = np.linalg.inv(np.where(forward, second, first))
        self._first = first
        self._joint_slot = np.where(self._forward, self._parents, self._children)
        self.values: Array = np.array([link.values for link in links])
        self.ball: Mask = np.array([link.ball for link in links])
        self.turns: Array = turns_of(self.values[:, 3:])
        self.low: Array = np.array([link.low for link in links])
        self.high: Array = np.array([link.high for link in links])
        self._number_unknowns()
        self.place()
        spread = self.world[:, :3, 3] - self.world[:, :3, 3].mean(0)
        anchors = np.array([link.frames[:, :3, 3] for link in links]).reshape(-1, 3)
        extent = max(np.abs(spread).max(), np.abs(anchors).max())
        self.size = float(extent) if SMALLEST < extent < LARGEST else 1.0

    def _spread(self, roots: list[int]) -> None:
        """Walk over the joints, breadth first, and note edges, slots and copies."""
        around: dict[int, list[int]] = {}
        for number, link in enumerate(self.links):
            for body in link.bodies:
                around.setdefault(body, []).append(number)
        slot_of = {body: slot for slot, body in enumerate(roots)}
        queue, done = deque(roots), set[int]()
        edges: list[tuple[int, int, int, bool]] = []
        copies: list[tuple[int, int]] = []
        while queue:
            body = queue.popleft()
            for number in around.get(body, ()):
                if number in done:
                    continue
                done.add(number)
                forward = self.links[number].bodies[0] == body
                other = self.links[number].bodies[1 if forward else 0]
                child = len(self.slots)
                self.slots.append(other)
                if other in slot_of:
                    copies.append((child, slot_of[other]))
                else:
                    slot_of[other] = child
                    queue.append(other)
                edges.append((number, slot_of[body], child, forward))
        self.slot_of = slot_of
        self._edges: Index = np.array([edge[0] for edge in edges], dtype=np.intp)
        self._parents: Index = np.array([edge[1] for edge in edges], dtype=np.intp)
        self._children: Index = np.array([edge[2] for edge in edges], dtype=np.intp)
        self._forward: Mask = np.array([edge[3] for edge in edges], dtype=bool)
        pairs = np.array(copies, dtype=np.intp).reshape(-1, 2)
        self.copies: Index = pairs[:, 0]
        self.originals: Index = pairs[:, 1]

    def _number_unknowns(self) -> None:
        """Number the free values, nearer to the root first, and see what each moves."""
        edge_of, coordinate = [], []
        for edge, (number, forward) in enumerate(zip(self._edges, self._forward, strict=True)):
            for at in range(6) if forward else reversed(range(6)):
                if self.links[number].free[at]:
                    edge_of.append(edge)
                    coordinate.append(at)
        self._dof_edge: Index = np.array(edge_of, dtype=np.intp)
        self.dof_coordinate: Index = np.array(coordinate, dtype=np.intp)
        self.dof_link: Index = self._edges[self._dof_edge]
        self._dof_sign = np.where(self._forward, 1.0, -1.0)[self._dof_edge]
        self.angular: Mask = self.dof_coordinate >= 3
        self.reach: Mask = np.zeros((len(self.slots), len(edge_of)), dtype=bool)
        for edge, (parent, child) in enumerate(zip(self._parents, self._children, strict=True)):
            self.reach[child] = self.reach[parent] | (self._dof_edge == edge)
        self.in_loop: Mask = (self.reach[self.copies] != self.reach[self.originals]).any(0)

    def __len__(self) -> int:
        """Return the number of unknowns."""
        return len(self.dof_link)

    @property
    def metric(self) -> Array:
        """What a unit of each unknown counts: (n,) in m^2."""
        return np.where(self.angular, self.size * self.size, 1.0)

    def dof(self, link: int, coordinate: int) -> int:
        """Return the number of a free value."""
        found = (self.dof_link == link) & (self.dof_coordinate == coordinate)
        return int(np.flatnonzero(found)[0])

    def shape(self) -> Shape:
        """Return this moment."""
        return Shape(self.values.copy(), self.turns.copy(), self.world.copy())

    def take(self, shape: Shape) -> None:
        """Return to a moment."""
        self.values = shape.values.copy()
        self.turns, self.world = shape.turns.copy(), shape.world.copy()

    def place(self) -> None:
        """Put all bodies where the values of the joints say."""
        self.turns[~self.ball] = turns_of(self.values[~self.ball, 3:])
        motion = np.zeros((len(self._edges), 4, 4))
        motion[:, 3, 3] = 1.0
        turn, shift = self.turns[self._edges], self.values[self._edges, :3]
        back = turn.transpose(0, 2, 1)
        forward = self._forward[:, None]
        motion[:, :3, :3] = np.where(forward[:, :, None], turn, back)
        motion[:, :3, 3] = np.where(forward, shift, -(back @ shift[:, :, None])[:, :, 0])
        motion = self._before @ motion @ self._after
        world = self.world
        for parent, child, step in zip(self._parents, self._children, motion, strict=True):
            np.matmul(world[parent], step, out=world[child])

    def move(self, change: Array) -> None:
        """Change the unknowns, (n,), and place all bodies."""
        turned = self.angular & self.ball[self.dof_link]
        plain = ~turned
        self.values[self.dof_link[plain], self.dof_coordinate[plain]] += change[plain]
        if turned.any():
            vectors = np.zeros((len(self.links), 3))
            vectors[self.dof_link[turned], self.dof_coordinate[turned] - 3] = change[turned]
            balls = self.ball
            turns = exponential(vectors[balls]) @ self.turns[balls]
            self.turns[balls] = orthonormalized(turns)
        self.place()

    def room(self) -> tuple[Array, Array]:
        """Return by how much each unknown may fall and rise: (n,), (n,)."""
        at = (self.dof_link, self.dof_coordinate)
        boxed = ~(self.angular & self.ball[self.dof_link])
        value = self.values[at]
        low = np.where(boxed, np.minimum(self.low[at] - value, 0.0), -np.inf)
        high = np.where(boxed, np.maximum(self.high[at] - value, 0.0), np.inf)
        return low, high

    def twists(self) -> tuple[Array, Array]:
        """Return what each unknown does to bodies beyond it: spin (n, 3), and velocity at 0."""
        joint = self.world[self._joint_slot] @ self._first
        axes, edges = joint[:, :3, :3], self._edges
        centre = joint[:, :3, 3] + (axes @ self.values[edges, :3, None])[:, :, 0]
        about = axes.copy()
        angled = np.flatnonzero(~self.ball[edges])
        if len(angled):
            about[angled] = axes[angled] @ turn_axes(self.values[edges[angled], 3:])
        both = np.concatenate([axes, about], 2).transpose(0, 2, 1)
        axis = both[self._dof_edge, self.dof_coordinate] * self._dof_sign[:, None]
        spin = np.where(self.angular[:, None], axis, 0.0)
        return spin, np.where(self.angular[:, None], cross(centre[self._dof_edge], axis), axis)

    def gaps(self) -> Array:
        """Return how far loops are open: (6 loops,), m, angles times ``size``."""
        if not len(self.copies):
            return np.zeros(0)
        copies, originals = self.world[self.copies], self.world[self.originals]
        apart = copies[:, :3, 3] - originals[:, :3, 3]
        turned = copies[:, :3, :3] @ originals[:, :3, :3].transpose(0, 2, 1)
        return np.concatenate([apart, self.size * rotation_vector(turned)], 1).reshape(-1)

    def gap_rates(self, spin: Array, velocity: Array) -> Array:
        """Return the derivative of ``gaps``, exact where they are zero: (6 loops, n)."""
        rows = []
        for copy, original in zip(self.copies, self.originals, strict=True):
            ends = []
            for slot in (copy, original):
                at = velocity + cross(spin, self.world[slot, :3, 3])
                both = np.concatenate([at, self.size * spin], 1)
                ends.append(np.where(self.reach[slot][:, None], both, 0.0).T)
            rows.append(ends[0] - ends[1])
        return np.concatenate(rows) if rows else np.zeros((0, len(self)))


def turns_of(angles: Array) -> Array:
    """Return the rotations with three twists: (k, 3) in rad to (k, 3, 3).

    Of q = (v, s) the twist about axis i has the tangent v_i / s of its half, so with the cosines c
    and sines e of half the angles q is a multiple of (e_x c_y c_z, c_x e_y c_z, c_x c_y e_z,
    c_x c_y c_z). It is none where two of them are half a turn.
    """
    return matrix_of(_quaternions(angles)[0])


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
    half = 0.5 * angles
    cosine, sine = np.cos(half)[:, :, None], np.sin(half)[:, :, None]
    # Factor i of component k is the sine where k is i, else the cosine.
    own = np.eye(3, 4, dtype=bool)
    factors, slopes = np.where(own, sine, cosine), 0.5 * np.where(own, cosine, -sine)
    others = factors[:, [1, 2, 0]] * factors[:, [2, 0, 1]]
    return factors.prod(1), slopes * others
