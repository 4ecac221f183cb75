# SPDX-License-Identifier: GPL-3.0-or-later
"""Accelerations and forces of rows, by elimination of bodies and joints, block by block.

Accelerations a and forces l of active rows with the scaled Jacobian E are the saddle point

    [ 1  E^T ] [  a ]   [ f ]
    [ E  -C  ] [ -l ] = [ b ],    C = compliance + eps D

with a compliance where a row is soft. It is quasi-definite, so there is a factor in every order
(Vanderbei 1995); the order is that of ``ordering``, linear in trees (Baraff 1996). With P the block
of a node when its turn comes, and B_i its blocks with those neighbours that are left,

    W_i = P^-1 B_i,    what is left between i and j loses B_i^T W_j.

Nodes that do not wait for each other are eliminated at once. Blocks are 6 x 6; those of joints with
fewer active rows are filled up with -1, which nothing meets.

Rows that follow from others make E E^T singular, and rows at a dead centre make it nearly so. Both
are met by a proximal method (Carpentier, Budhiraja, Mansard 2021): with D the squares of the rows,
solve with b + eps D l on the right again and again, beginning at zero. What rows agree on converges
in one or two rounds; what has no singular value above the root of eps stays out, nothing is divided
by next to nothing, and momentum says where a mechanism goes from a dead centre.

Forces that move nothing, or next to it, are left in l: of a singular value s, 1 / s in the place of
s. They are the x of (E E^T + C) x = eps D l, and are taken off: s^2 / eps of them is left. Said so,
and not as (E E^T + C) l' = (E E^T + C - eps D) l, rounding is a part of x and not of l; once more
takes what it leaves. The norm that is least is that of D: of forces over inertia. Forces that are
told are shared evenly whatever they act on: the same with as much for each row in the place of D.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kinematics.rotation import Array, Index, Mask
from ..system import System

LITTLE = 1e-10
"""Square of the singular value, of rows scaled to one, below which a row counts as another's."""
UNLIKE = 1e3
"""Times the smallest square of a row: where rows are not alike, no more is added to each evenly."""
SMALLEST = 1e-13
"""Of the largest square: what rounding asks for."""
LARGEST = 4 * 65536
"""Multiplications in a product of matrices from which BLAS begins threads, which cost more here;
islands below that are solved as one matrix."""
AGAIN = 2
"""Times that forces of least norm are sought."""


class Sum:
    """Adds up what goes to the same places along the third axis, always in the same order."""

    def __init__(self, target: NDArray[np.signedinteger[Any]]) -> None:
        """Take the place of each summand."""
        self._order = np.argsort(target, kind="stable")
        self._target, self._first = np.unique(target[self._order], return_index=True)

    def add(self, to: Array, parts: Array) -> None:
        """Add parts (L, S, k, ...) to where they belong (L, S, ...)."""
        if len(self._order):
            parts = parts.take(self._order, 2)
            if len(self._target) < len(self._order):
                parts = np.add.reduceat(parts, self._first, 2)
            to[:, :, self._target] += parts


@dataclass(slots=True)
class _Round:
    """Nodes that are eliminated at once.

    Attributes:
        own: (k,) nodes.
        blocks: (b,) between them and neighbours that are left.
        of: (b,) whose of ``own`` they are, and ``back`` what is added to those.
        later: (b,) the neighbours, and ``on`` what is added to them.
        left, right: of all pairs of blocks of a node, and ``between`` what is added to the blocks
            between their neighbours.
    """

    own: Index
    blocks: Index
    of: Index
    back: Sum
    later: Index
    on: Sum
    left: Index
    right: Index
    between: Sum


def _round(
    nodes: list[int],
    blocks: dict[int, range],
    later: list[int],
    pairs: dict[int, list[tuple[int, int, int]]],
) -> _Round:
    """Return what it takes to eliminate nodes that are no neighbours."""
    own = np.array(nodes, np.intp)
    every = [block for node in nodes for block in blocks[node]]
    of = np.repeat(np.arange(len(nodes)), [len(blocks[node]) for node in nodes])
    towards = np.array([later[block] for block in every], np.intp)
    number = {block: i for i, block in enumerate(every)}
    between = [(number[i], number[j], to) for node in nodes for i, j, to in pairs[node]]
    left, right, target = np.array(between, np.intp).reshape(-1, 3).T
    at = np.array(every, np.intp)
    return _Round(own, at, of, Sum(own[of]), towards, Sum(towards), left, right, Sum(target))


@dataclass(slots=True)
class Factor(ABC):
    """What solves for rows at (L, S) moments.

    Attributes:
        plan: of the rows.
        entry: (L, S, r, 2, 6) scaled, 0 where rows are not active.
        on: (L, S, r) rows that are active, and act.
        little: (L, S, r) eps D.
    """

    plan: Elimination
    entry: Array
    on: Mask
    little: Array

    def solve(self, force: Array | float, rhs: Array, rounds: int) -> tuple[Array, Array]:
        """Return a (L, S, n, 6) and l (L, S, r), after some further proximal rounds."""
        out = self.once(force, rhs)
        for _ in range(rounds):
            out = self.once(force, rhs + self.little * out)
        # Large forces that cancel: what they do together is exact only as what each does.
        return force + self.plan.push(self.entry, out), out

    def least(self, force: Array) -> Array:
        """Return forces (L, S, r) of least norm that move bodies as those do."""
        for _ in range(AGAIN):
            force = force - self.once(0.0, self.little * force)
        return force

    @abstractmethod
    def once(self, force: Array | float, rhs: Array) -> Array:
        """Return l (L, S, r)."""


@dataclass(slots=True)
class DenseFactor(Factor):
    """All rows at once, by the matrix (L, S, r, r) E E^T + C; 1 where rows are not active."""

    matrix: Array

    def once(self, force: Array | float, rhs: Array) -> Array:
        """Return l, see ``Factor``."""
        if isinstance(force, np.ndarray):
            rhs = rhs - self.plan.pull(self.entry, force)
        right = np.where(self.on, rhs, 0.0)[..., None]
        try:
            return np.asarray(np.linalg.solve(self.matrix, right)[..., 0])
        except np.linalg.LinAlgError:
            return np.asarray((inverted(self.matrix) @ right)[..., 0])


@dataclass(slots=True)
class BlockFactor(Factor):
    """Node by node: P^-1 (L, S, nodes, 6, 6), and W (L, S, blocks, 6, 6)."""

    pivot: Array
    block: Array

    def once(self, force: Array | float, rhs: Array) -> Array:
        """Return l, see ``Factor``."""
        plan = self.plan
        x = np.zeros((*self.pivot.shape[:-1], 1))
        x[:, :, : plan.bodies, :, 0] = force
        x[:, :, plan.node, plan.place, 0] = np.where(self.on, rhs, 0.0)
        for one in plan.rounds:
            own, links = x.take(one.own, 2), self.block.take(one.blocks, 2)
            one.on.add(x, -links.swapaxes(-1, -2) @ own.take(one.of, 2))
            x[:, :, one.own] = self.pivot.take(one.own, 2) @ own
        for one in reversed(plan.rounds):
            one.back.add(x, -self.block.take(one.blocks, 2) @ x.take(one.later, 2))
        return np.where(self.on, -x[:, :, plan.node, plan.place, 0], 0.0)


class Elimination:
    """Puts together and eliminates the rows of one shape of island."""

    def __init__(self, system: System) -> None:
        """Plan."""
        n, joint = system.bodies, system.joint_of_row
        self.bodies, self.nodes, self.blocks = n, system.nodes, system.blocks
        self.is_small = 6 * n * system.rows**2 < LARGEST
        self.ends: Index = np.minimum(system.ends, n - 1)[joint]
        """(r, 2) bodies of rows; where no force moves one, entries are zero."""
        self.on_bodies = Sum(self.ends.reshape(-1))
        self.node: Index = n + joint
        self.place: Index = np.arange(system.rows) - system.row_start[joint]
        order, later = system.order.tolist(), system.later_node.tolist()
        starts, update = pairwise(system.later_start.tolist()), iter(system.update.tolist())
        blocks = {node: range(*span) for node, span in zip(order, starts, strict=True)}
        level, waves = dict.fromkeys(order, 0), dict[int, list[int]]()
        pairs: dict[int, list[tuple[int, int, int]]] = {}
        for node in order:
            own = blocks[node]
            waves.setdefault(level[node], []).append(node)
            pairs[node] = [(i, j, next(update)) for j in own for i in range(own.start, j)]
            for other in (later[block] for block in own):
                level[other] = max(level[other], level[node] + 1)
        self.rounds = [_round(nodes, blocks, later, pairs) for _, nodes in sorted(waves.items())]
        at = {(node, later[block]): block for node in order for block in blocks[node]}
        found = [
            (row, side, at.get((n + joint[row], body), -1), at.get((body, n + joint[row]), -1))
            for (row, side), body in np.ndenumerate(system.ends[joint])
            if body < n
        ]
        row, side, first, second = np.array(found, np.intp).reshape(-1, 4).T
        self.fills = [(row[of >= 0], side[of >= 0], of[of >= 0]) for of in (first, second)]
        """Rows, sides and blocks: of joints that go before the body, and of bodies that do."""

    def pull(self, entry: Array, velocity: Array) -> Array:
        """Return E u (L, S, r) of velocities (L, S, n, 6)."""
        return np.asarray((entry * velocity.take(self.ends, 2)).sum((-1, -2)))

    def push(self, entry: Array, force: Array) -> Array:
        """Return E^T l (L, S, n, 6) of forces (L, S, r)."""
        parts = force[..., None, None] * entry
        out = np.zeros((*parts.shape[:2], self.bodies, 6))
        self.on_bodies.add(out, parts.reshape(*parts.shape[:2], -1, 6))
        return out

    def factor(
        self,
        entry: Array,
        active: Mask,
        compliance: Array | float,
        little: Array | float,
        *,
        evenly: bool = False,
    ) -> Factor:
        """Eliminate.

        Args:
            entry: (L, S, r, 2, 6) of all rows.
            active: (L, r).
            compliance: (L, S, r) of rows that give way.
            little: eps, (L, S) or for all: to be taken out by the proximal rounds.
            evenly: as much for each row, so that forces are of least norm whatever they act on.
        """
        entry = entry * active[:, None, :, None, None]
        squares = (entry * entry).sum((-1, -2))
        on, lead = squares > 0.0, squares.shape[:2]
        added = _little(squares, np.asarray(little)[..., None], evenly=evenly)
        if self.is_small:
            matrix, every = self._delassus(entry), np.arange(len(self.ends))
            matrix[:, :, every, every] += np.where(on, added + compliance, 1.0)
            return DenseFactor(self, entry, on, added, matrix)
        diagonal = np.ones((*lead, self.nodes, 6))
        diagonal[:, :, self.bodies :] = -1.0
        diagonal[:, :, self.node, self.place] = np.where(on, -added - compliance, -1.0)
        pivot, block = diagonal[..., None] * np.eye(6), np.zeros((*lead, self.blocks, 6, 6))
        ways = block, block.swapaxes(-1, -2)
        for (rows, side, at), blocks in zip(self.fills, ways, strict=True):
            blocks[:, :, at, self.place[rows]] = entry[:, :, rows, side]
        for one in self.rounds:
            inverse, before = inverted(pivot.take(one.own, 2)), block.take(one.blocks, 2)
            pivot[:, :, one.own] = inverse
            after = block[:, :, one.blocks] = inverse.take(one.of, 2) @ before
            turned = -after.swapaxes(-1, -2)
            one.on.add(pivot, turned @ before)
            one.between.add(block, turned.take(one.left, 2) @ before.take(one.right, 2))
        return BlockFactor(self, entry, on, added, pivot, block)

    def _delassus(self, entry: Array) -> Array:
        """Return E E^T: (L, S, r, r)."""
        lead, rows = entry.shape[:3], np.arange(len(self.ends))
        every = np.zeros((*lead, self.bodies, 6))
        for side in (0, 1):
            every[:, :, rows, self.ends[:, side]] += entry[:, :, :, side]
        every = every.reshape(*lead, 6 * self.bodies)
        return np.asarray(every @ every.swapaxes(-1, -2))


def _little(squares: Array, little: Array, *, evenly: bool) -> Array:
    """Return what is added to diagonals (L, S, r), of the squares of active rows."""
    if not evenly:
        return little * squares
    on = squares > 0.0
    most = squares.max(-1, keepdims=True, initial=0.0)
    least = np.where(on, squares, np.inf).min(-1, keepdims=True, initial=np.inf)
    each = np.maximum(np.minimum(little * most, UNLIKE * little * least), SMALLEST * most)
    return np.where(on, each, 0.0)


def inverted(matrix: Array) -> Array:
    """Invert (..., k, k), never an exception."""
    try:
        return np.asarray(np.linalg.inv(matrix))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(np.nan_to_num(matrix)))
