# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of ball joints that hang from what does not move: accelerations from spins and rotations.

Where bodies i hang on one another by points, their rotations say all. With D_e = R d_e the vector,
constant in its body p, from p's own joint to where child e hangs, and C_i that to the centre of i,

    x_i = root + sum of D_e on the path to i + C_i,

so the kinetic energy couples spins through first moments alone (Wittenburg's augmented bodies). Let
S_k = R s_k be the first moment of body k about its own joint, with all that hangs from it put where
it hangs; J_k the moment of inertia of the same. Then, for e on the path from j to k,

    M_jk = [D_e x] [S_k x]^T,        M_kk = R J_k R^T,

and a vector fixed to a body that spins with w adds the centripetal w x (w x V). What hangs below e
pulls at its end with its weight, its centripetal forces and what the user pulls with:

    torque on k = S_k x (g - sum of w x (w x D_e) above) - w x J_k w
    torque on p from e = D_e x (forces below e - sum of w x (w x S_k) below e)

All is in world axes, for several moments and several islands at once, moment by moment: the first
axis of the arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .factor import solved
from .loads import Force
from .rotation import EYE, SKEW, Array, cross
from .system import System

Index = NDArray[np.intp]
LARGEST = 40
"""Bodies an island may have: beyond, elimination joint by joint is cheaper than a dense matrix."""


@dataclass(slots=True)
class Layout:
    """How equal islands hang together; bodies are numbered within their island.

    Attributes:
        parent: (n,) body that each hangs from, -1 for what does not move.
        joint: (islands, n) joint that each body hangs by.
        side: (islands, n) which end of that joint is on the body: 0 the joint's, 1 the connected.
    """

    parent: Index
    joint: Index
    side: Index


def layout_of(system: System) -> Layout | None:
    """Return the layout of islands that are trees of ball joints and nothing else, or None.

    They hang from what does not move, and gravity pulls at all bodies of an island alike.
    """
    width, count = system.width, system.islands
    if not system.coordinates.only_points or len(system.springs) or width > LARGEST:
        return None
    if system.coordinates.count != count * width:
        return None  # bodies without a joint float, and joints too many close loops
    factors = system.bodies.gravity_factor[: system.count].reshape(count, -1)
    if not (factors == factors[:, :1]).all():
        return None
    joints = np.arange(count * width).reshape(count, width)
    ends = system.coordinates.ends.reshape(2, -1)[:, :width].T
    ends = np.where(ends < system.count, ends, -1)
    parent = np.full(width, -1, dtype=np.intp)
    hung = np.full(width, -1, dtype=np.intp)
    side = np.zeros(width, dtype=np.intp)
    reached = {-1}
    for _ in range(width):
        fresh = [
            (number, end)
            for number, pair in enumerate(ends)
            for end in (0, 1)
            if int(pair[1 - end]) in reached and int(pair[end]) not in reached
        ]
        for number, end in fresh:
            body = int(ends[number, end])
            if body in reached:
                return None  # two joints reach it at once: a loop
            reached.add(body)
            parent[body], hung[body], side[body] = ends[number, 1 - end], number, end
    if len(reached) != width + 1 or len(set(hung.tolist())) != width:
        return None
    return Layout(parent, joints[:, hung], np.tile(side, (count, 1)))


class Trees:
    """A group of equal trees: constants of their bodies, and the law of their motion."""

    def __init__(self, system: System, layout: Layout, moments: int) -> None:
        """Take over a layout, for so many moments at once."""
        self.parent = layout.parent
        n = self.n = len(layout.parent)
        self.islands = len(layout.joint)
        bodies, coordinates = system.bodies, system.coordinates
        shape = (self.islands, n)
        own = coordinates.anchors[layout.joint + layout.side * coordinates.count, :, 0]
        other_end = layout.joint + (1 - layout.side) * coordinates.count
        there = coordinates.anchors[other_end, :, 0]
        # What hangs from one body is side by side; from ends of branches hangs nothing, once.
        hanging = [np.flatnonzero(layout.parent == p).tolist() or [-1] for p in range(n)]
        self.children: Index = np.array([k for part in hanging for k in part], dtype=np.intp)
        self.edges = len(self.children)
        holder = np.repeat(np.arange(n), [len(part) for part in hanging])
        self.owner: Index = np.concatenate([holder, np.arange(n)])
        self.starts: Index = np.searchsorted(holder, np.arange(n))
        arm = np.where(self.children[:, None] < 0, 0.0, there[:, self.children] - own[:, holder])
        self.path = self._paths()
        mass = self.mass = bodies.mass[: system.count].reshape(shape)
        inertia = bodies.inertia[: system.count].reshape(*shape, 3)
        vectors, about = self._augmented(mass, inertia, arm, -own)
        self.vectors: Array = np.tile(vectors, (moments, 1, 1, 1))
        self.inertia: Array = np.tile(about, (moments, 1, 1, 1))
        self.reach = np.concatenate([arm, -own], 1)[..., None]
        """(islands, edges + n, 3, 1) D and C in their bodies."""
        root = int(np.flatnonzero(layout.parent < 0)[0])
        end = other_end[:, root]
        fixed = coordinates.ends[end]
        hook = (bodies.rotation[fixed] @ coordinates.anchors[end])[..., 0]
        self.root = (bodies.position[fixed] + hook)[:, None]
        """(islands, 1, 3) where the first body of each hangs."""
        self.mass_root = np.sqrt(mass).reshape(-1, 1)
        self.inertia_root = np.sqrt(inertia).reshape(-1, 3)
        self.inverse_inertia_root = 1.0 / self.inertia_root
        self.factor = bodies.gravity_factor[: system.count].reshape(shape)[:, :1, None]
        self.below = np.ones((n, n))
        self.below[self.children[self.children >= 0]] = self.path[self.children >= 0]
        self._allocate(moments)
        self._place_rows(system, layout)

    def _allocate(self, moments: int) -> None:
        """Make what depends on loads, and what mass matrices are built in."""
        times, n = moments * self.islands, self.n
        self.moments = moments
        self.weight = np.zeros((self.islands, 3 * n))
        self.pulls: list[tuple[int, int, Array, Array]] = []
        self.steady = np.zeros((times, self.edges + n, 3))
        self.reached = np.zeros((self.islands, self.edges + n, 3, 2))
        self.upper = np.zeros((times, 3 * n, 3 * n))
        self.matrix = np.zeros_like(self.upper)
        self.blocks = np.einsum("siaic->siac", self.matrix.reshape(times, n, 3, n, 3))
        """(times, n, 3, 3): the blocks on the diagonal of ``matrix``, to write into."""

    def _paths(self) -> Array:
        """Return which edges lead to which bodies, (edges, n), and set what follows from it."""
        path = np.zeros((self.edges, self.n))
        at = {int(child): edge for edge, child in enumerate(self.children)}
        for body in range(self.n):
            above = body
            while self.parent[above] >= 0:
                path[at[above], body] = 1.0
                above = int(self.parent[above])
        self.mask = np.kron(path, np.ones((3, 3)))
        # What S feels of the D above it, and D of the S below it.
        self.mutual = np.zeros((self.edges + self.n,) * 2)
        self.mutual[: self.edges, self.edges :] = -path
        self.mutual[self.edges :, : self.edges] = -path.T
        self.gather = np.zeros((self.n, self.edges + self.n))
        self.gather[self.owner, np.arange(self.edges + self.n)] = 1.0
        self.centres = np.concatenate([path.T, np.eye(self.n)], 1)
        """(n, edges + n): which D and C add up to where each body is."""
        return path

    def _augmented(
        self, mass: Array, inertia: Array, arm: Array, centre: Array
    ) -> tuple[Array, Array]:
        """Return D and S in their bodies, (islands, edges + n, 3, 1), and J, (islands, n, 3, 3)."""
        carried = mass @ self.path.T
        moment = mass[..., None] * centre
        about = inertia[..., None] * EYE + mass[..., None, None] * _spread(centre)
        share = self.gather[:, : self.edges]
        moment = moment + share @ (carried[..., None] * arm)
        extra = (carried[..., None, None] * _spread(arm)).reshape(self.islands, self.edges, 9)
        about = about + (share @ extra).reshape(about.shape)
        return np.concatenate([arm, moment], 1)[..., None], about

    def _place_rows(self, system: System, layout: Layout) -> None:
        """Note where the impulse that each body bears belongs among the rows of its joint."""
        local = {
            int(joint): (number, 1.0 if layout.side.flat[number] == 1 else -1.0)
            for number, joint in enumerate(layout.joint.flat)
        }
        found = [local[int(j)] for j in system.rows.joint]
        self.borne: Index = 3 * np.array([f[0] for f in found]) + system.rows.coordinate
        self.sign = np.array([f[1] for f in found])

    def load(self, gravity: Array, forces: Sequence[Force]) -> None:
        """Take over gravity (3,), m/s^2, and the user's forces."""
        falling = self.factor * gravity
        self.weight = (self.mass[..., None] * falling).reshape(self.islands, -1)
        self.steady[:] = 0.0
        self.steady[:, self.edges :] = np.tile(falling, (self.moments, 1, 1))
        self.pulls = []
        for force in forces:
            island, body = divmod(force.body, self.n)
            below = self.path[:, body, None] * force.force
            self.steady[island :: self.islands, : self.edges] += below
            arm = self.reach[island, self.edges + body, :, 0] + force.arm
            self.pulls.append((island, body, arm, force.force))

    def accelerations(self, turn: Array, spin: Array) -> Array:
        """Return angular accelerations in world axes, of the shape of the spins.

        Args:
            turn: (moments * islands, n, 3, 3).
            spin: (moments, islands * n, 3) world axes.
        """
        times, n = len(turn), self.n
        spins = spin.reshape(times, n, 3, 1)
        vectors = turn.take(self.owner, 1) @ self.vectors
        crossed = vectors.reshape(-1, 3).dot(SKEW).reshape(times, -1, 3, 3)
        spinning = spin.reshape(-1, 3).dot(SKEW).reshape(times, n, 3, 3)
        inertia = turn @ self.inertia @ turn.swapaxes(2, 3)
        fast = (spinning @ spinning).take(self.owner, 1)
        inward = (fast @ vectors).reshape(times, -1, 3)
        lever = self.mutual @ inward
        lever += self.steady
        torque = self.gather @ (crossed @ lever[..., None])[..., 0]
        torque -= (spinning @ (inertia @ spins))[..., 0]
        for island, body, arm, force in self.pulls:
            which = slice(island, None, self.islands)
            torque[which, body] += cross(turn[which, body] @ arm, force)
        matrix = self.mass_matrix(crossed, inertia)
        return solved(matrix, torque.reshape(times, 3 * n, 1)).reshape(spin.shape)

    def mass_matrix(self, crossed: Array, inertia: Array) -> Array:
        """Return the mass matrices of the spins, (times, 3 n, 3 n), until the next call.

        Args:
            crossed: (times, edges + n, 3, 3) matrices of D x and S x, times = moments * islands.
            inertia: (times, n, 3, 3) J in world axes.
        """
        times, n, e = len(crossed), self.n, self.edges
        left = crossed[:, :e].reshape(times, 3 * e, 3)
        right = crossed[:, e:].reshape(times, 3 * n, 3)
        upper = np.matmul(left, right.swapaxes(1, 2), out=self.upper if e == n else None)
        upper *= self.mask
        if e > n:
            split = upper.reshape(times, e, -1)
            upper = np.add.reduceat(split, self.starts, 1).reshape(self.upper.shape)
        np.add(upper, upper.swapaxes(1, 2), out=self.matrix)
        self.blocks += inertia
        return self.matrix

    def places(self, turn: Array, spin: Array) -> tuple[Array, Array]:
        """Return positions and velocities of the centres of mass, (islands * n, 3) each.

        Args:
            turn: (islands * n, 3, 3).
            spin: (islands * n, 3) world axes.
        """
        islands, n = self.islands, self.n
        spinning = spin.dot(SKEW).reshape(islands, n, 3, 3)
        both, at = self.reached, self.owner
        np.matmul(turn.reshape(spinning.shape).take(at, 1), self.reach, out=both[..., :1])
        np.matmul(spinning.take(at, 1), both[..., :1], out=both[..., 1:])
        summed = self.centres @ both.reshape(islands, -1, 6)
        place = summed[..., ::2] + self.root
        return place.reshape(-1, 3), summed[..., 1::2].reshape(-1, 3)

    def work(self, fall: Array) -> Array:
        """Return the work of the weights, (islands,) in J, when centres move by (bodies, 3)."""
        return products(fall.reshape(self.weight.shape), self.weight)

    def impulses(self, gain: Array, dt: Array) -> Array:
        """Return what the joints gave to the bodies that hang by them, for all rows, in N s.

        All that hangs below a joint has only it to hold it: its impulse is the change of the
        momentum below, without weight and pulls.

        Args:
            gain: (islands * n, 3) by how much the momenta of the bodies changed, N s.
            dt: (islands,) s in which they did.
        """
        gained = (gain.reshape(self.weight.shape) - dt[:, None] * self.weight).reshape(
            -1, self.n, 3
        )
        for island, body, _, force in self.pulls:
            gained[island, body] -= dt[island] * force
        return np.asarray((self.below @ gained).reshape(-1).take(self.borne) * self.sign)


def products(a: Array, b: Array) -> Array:
    """Return the products of rows: (n, m) and (n, m) to (n,)."""
    return np.asarray((a[:, None, :] @ b[:, :, None])[:, 0, 0])


def _spread(v: Array) -> Array:
    """Return |v|^2 - v v^T for vectors (..., 3): (..., 3, 3)."""
    square = (v * v).sum(-1)[..., None, None]
    return np.asarray(square * EYE - v[..., :, None] * v[..., None, :])
