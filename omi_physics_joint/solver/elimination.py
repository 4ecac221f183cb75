# SPDX-License-Identifier: GPL-3.0-or-later
"""Direct solve of G G^T for one large island: joints are eliminated in rounds.

Two joints are neighbours where they share a dynamic body. Each round takes joints that are no
neighbours of one another and have the fewest neighbours left, and eliminates them all at once, so
a chain takes log2(n) rounds and a tree a few rounds a level. (Block cyclic reduction and nested
dissection are the special cases of chains and grids; George 1973, Heller 1976.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .factor import REGULARIZATION
from .rotation import Array

Index = NDArray[np.intp]
IN_LOOPS = 1e-9
"""Part of the largest diagonal element that is added to it where rows may follow from others."""


@dataclass(slots=True)
class BlockInverse:
    """What elimination leaves: per round inverse pivots and the factors towards neighbours."""

    pivots: list[Array]
    links: list[Array]
    active: Array
    """(blocks, block rows) one where a row is active."""


@dataclass(slots=True)
class _Round:
    """Joints eliminated together, and where their updates go.

    Attributes:
        own: (k,) joints.
        slots: (l,) stored blocks (neighbour, own), and ``source`` (l,) numbers within ``own``.
        towards: (l,) the neighbours.
        flipped: (l,) whether the stored block is the transpose of what is wanted.
        updates: layers of (target block, left link, right link): no target twice in a layer, so
            each is one gather and one scatter.
        pushes: layers of (neighbour, link).
    """

    own: Index
    slots: Index
    flipped: NDArray[np.bool_]
    source: Index
    source_own: Index
    towards: Index
    updates: list[tuple[Index, Index, Index]]
    pushes: list[tuple[Index, Index]]
    heads: Index
    """Those of ``own`` that have neighbours left, and where each one's links begin."""
    first: Index


class Blocks:
    """A large island: a block of rows for each of its joints."""

    def __init__(self, width: int, ends: Index, joint: Index, *, closes: bool = False) -> None:
        """Lay out blocks and the order of elimination.

        Args:
            width: number of its bodies.
            ends: (rows, 2) body at each end of each row, -1 where not dynamic.
            joint: (rows,) joint of each row.
            closes: whether its joints close loops, so that rows may follow from others.
        """
        self.closes = closes
        self.width = width
        self.count = 1
        heads, block = np.unique(joint, return_inverse=True)
        self.blocks = len(heads)
        start = np.searchsorted(joint, heads)
        inside = np.arange(len(joint)) - start[block]
        self.size = int(inside.max()) + 1
        self.full = len(joint) == self.blocks * self.size
        self.slot: Index = block * self.size + inside
        local = np.where(ends[start] >= 0, ends[start], width)
        self.local: Index = local
        self.present = (local < width).astype(np.float64)[:, :, None, None]
        self._plan_gather()
        self.pair_index: dict[tuple[int, int], int] = {}
        self.pair_layers = self._neighbours()
        self.rounds = self._plan()
        self.jacobian = np.zeros((self.blocks, 2, self.size, 6))
        self.kept: tuple[NDArray[np.bool_] | None, BlockInverse] | None = None

    def _plan_gather(self) -> None:
        """Order the joint ends by body, so that sums over a body are one reduceat."""
        flat = self.local.ravel()
        order = np.argsort(flat, kind="stable")
        order = order[: int((flat < self.width).sum())]
        self.by_body: Index = order
        self.touched, self.first_of_body = np.unique(flat[order], return_index=True)

    def _neighbours(self) -> list[tuple[Index, Index]]:
        """Number the stored blocks; return layers of (targets, ends whose product goes there)."""
        at_body: dict[int, list[int]] = {}
        for end, body in enumerate(self.local.ravel()):
            if body < self.width:
                at_body.setdefault(int(body), []).append(end)
        index = self.pair_index
        index.update({(b, b): b for b in range(self.blocks)})
        products: list[tuple[int, int, int]] = []
        for members in at_body.values():
            for i, first in enumerate(members):
                for second in members[: i + 1]:
                    high, low = max(first, second), min(first, second)
                    key = (high // 2, low // 2)
                    products.append((index.setdefault(key, len(index)), high, low))
        return [(layer[:, 0], layer[:, 1:]) for layer in _layers(products)]

    def _plan(self) -> list[_Round]:
        """Choose rounds of independent joints with few neighbours, and note their fill."""
        links: list[set[int]] = [set() for _ in range(self.blocks)]
        for a, b in self.pair_index:
            if a != b:
                links[a].add(b)
                links[b].add(a)
        left = set(range(self.blocks))
        rounds: list[_Round] = []
        while left:
            fewest = min(len(links[b]) for b in left)
            taken: list[int] = []
            blocked: set[int] = set()
            for b in sorted(left, key=lambda b: (len(links[b]), b)):
                if b not in blocked and len(links[b]) <= max(2, fewest):
                    taken.append(b)
                    blocked |= links[b]
            rounds.append(self._round(taken, links))
            left -= set(taken)
            for b in taken:
                near = links[b]
                for c in near:
                    links[c] |= near
                    links[c] -= {b, c}
        self.stored = len(self.pair_index)
        return rounds

    def _round(self, taken: list[int], links: list[set[int]]) -> _Round:
        slots: list[int] = []
        flipped: list[bool] = []
        source: list[int] = []
        towards: list[int] = []
        updates: list[tuple[int, int, int]] = []
        for number, own in enumerate(taken):
            near = sorted(links[own])
            first = len(slots)
            for other in near:
                key = (max(own, other), min(own, other))
                slots.append(self.pair_index[key])
                flipped.append(own > other)  # stored (own, other): its transpose is wanted
                source.append(number)
                towards.append(other)
            for i, a in enumerate(near):
                for j, b in enumerate(near[: i + 1]):
                    target = self.pair_index.setdefault((a, b), len(self.pair_index))
                    updates.append((target, first + i, first + j))
        heads, begins = np.unique(np.array(source, dtype=np.intp), return_index=True)
        return _Round(
            heads=heads,
            first=begins,
            own=np.array(taken, dtype=np.intp),
            slots=np.array(slots, dtype=np.intp),
            flipped=np.array(flipped, dtype=bool),
            source=np.array(source, dtype=np.intp),
            source_own=np.array([taken[i] for i in source], dtype=np.intp),
            towards=np.array(towards, dtype=np.intp),
            updates=[(layer[:, 0], layer[:, 1], layer[:, 2]) for layer in _layers(updates)],
            pushes=[
                (layer[:, 0], layer[:, 1])
                for layer in _layers([(t, i) for i, t in enumerate(towards)])
            ],
        )

    def set_entries(self, entries: Array) -> None:
        """Take over the scaled gradients (rows, 2, 6)."""
        self.kept = None
        part = entries
        if not self.full:
            padded = np.zeros((self.blocks * self.size, 2, 6))
            padded[self.slot] = part
            part = padded
        blocks = part.reshape(self.blocks, self.size, 2, 6).transpose(0, 2, 1, 3)
        self.jacobian = np.ascontiguousarray(blocks) * self.present

    def forget(self) -> None:
        """Do nothing: no gradients are kept."""

    def invert(
        self,
        active: NDArray[np.bool_] | None,
        compliance: Array | None,
        *,
        ahead: bool = False,
        once: bool = False,
    ) -> BlockInverse:
        """Eliminate; rows that are not active get the identity. It never looks ``ahead``."""
        del ahead, once
        if compliance is None and self.kept is not None:
            before, inverse = self.kept
            if before is active or (
                before is not None and active is not None and np.array_equal(before, active)
            ):
                return inverse
        flat = np.zeros(self.blocks * self.size)
        flat[self.slot] = 1.0 if active is None else active
        on = flat.reshape(self.blocks, self.size)
        jacobian = self.jacobian * on[:, None, :, None]
        blocks = self._assemble(jacobian)
        diagonal = blocks[: self.blocks].reshape(self.blocks, -1)[:, :: self.size + 1]
        largest = max(float(diagonal.max()), 1e-280)
        little = IN_LOOPS if self.closes else REGULARIZATION
        diagonal += np.where(on > 0.0, little * largest, largest)
        if compliance is not None:
            soft = np.zeros(self.blocks * self.size)
            soft[self.slot] = compliance
            diagonal += soft.reshape(self.blocks, self.size) * on
        pivots, links = [], []
        for step in self.rounds:
            pivot = _inverted(blocks.take(step.own, 0))
            pivots.append(pivot)
            side = blocks.take(step.slots, 0)
            side = np.where(step.flipped[:, None, None], side.transpose(0, 2, 1), side)
            link = side @ pivot.take(step.source, 0)
            links.append(link)
            side_t = side.transpose(0, 2, 1)
            for target, left, right in step.updates:
                blocks[target] -= link.take(left, 0) @ side_t.take(right, 0)
        inverse = BlockInverse(pivots, links, on)
        if compliance is None:
            self.kept = (None if active is None else active.copy(), inverse)
        return inverse

    def _assemble(self, jacobian: Array) -> Array:
        """Return the stored blocks of G G^T: the diagonal first, then pairs, then room for fill."""
        blocks = np.zeros((len(self.pair_index), self.size, self.size))
        flat = jacobian.reshape(self.blocks * 2, self.size, 6)
        for target, pair in self.pair_layers:
            left, right = flat.take(pair[:, 0], 0), flat.take(pair[:, 1], 0)
            blocks[target] += left @ right.transpose(0, 2, 1)
        return blocks

    def solve(self, inverse: BlockInverse, rhs: Array) -> Array:
        """Return the solution (rows,) for the active rows, zero for the others."""
        return self.reduce(inverse, self._solved(inverse, rhs))

    def reduce(self, inverse: BlockInverse, multipliers: Array) -> Array:
        """Return multipliers (rows,) without what moves nothing, where rows follow from others.

        What was added to the diagonal makes that as large as their disagreement; the matrix itself
        takes it to nothing.
        """
        if not self.closes:
            return multipliers
        active = inverse.active.reshape(-1)[self.slot]
        return self._solved(inverse, self.pull(self.push(multipliers * active)))

    def _solved(self, inverse: BlockInverse, rhs: Array) -> Array:
        x = np.zeros(self.blocks * self.size)
        x[self.slot] = rhs
        x = (x.reshape(self.blocks, self.size) * inverse.active)[:, :, None]
        for step, link in zip(self.rounds, inverse.links, strict=True):
            moved = link @ x.take(step.source_own, 0)
            for target, source in step.pushes:
                x[target] -= moved.take(source, 0)
        for step, pivot, link in zip(
            reversed(self.rounds), reversed(inverse.pivots), reversed(inverse.links), strict=True
        ):
            own = pivot @ x.take(step.own, 0)
            if len(step.source):
                moved = link.transpose(0, 2, 1) @ x.take(step.towards, 0)
                own[step.heads] -= np.add.reduceat(moved, step.first, 0)
            x[step.own] = own
        return np.asarray((x[:, :, 0] * inverse.active).reshape(-1)[self.slot])

    def push(self, multipliers: Array) -> Array:
        """Return G^T times multipliers: (dynamic bodies, 6)."""
        x = np.zeros(self.blocks * self.size)
        x[self.slot] = multipliers
        forces = (x.reshape(self.blocks, 1, 1, self.size) @ self.jacobian).reshape(-1, 6)
        out = np.zeros((self.width, 6))
        out[self.touched] = np.add.reduceat(forces.take(self.by_body, 0), self.first_of_body, 0)
        return out

    def pull(self, velocity: Array) -> Array:
        """Return G times scaled velocities: (rows,)."""
        padded = np.concatenate([velocity, np.zeros((1, 6))])
        ends = padded.take(self.local, 0)[:, :, :, None]
        rates = (self.jacobian @ ends).sum(1)
        return np.asarray(rates.reshape(-1)[self.slot])


def _layers(items: Sequence[tuple[int, ...]]) -> list[Index]:
    """Split tuples into layers in which no first element occurs twice."""
    seen: dict[int, int] = {}
    layers: list[list[tuple[int, ...]]] = []
    for item in items:
        depth = seen.get(item[0], 0)
        seen[item[0]] = depth + 1
        if depth == len(layers):
            layers.append([])
        layers[depth].append(item)
    return [np.array(layer, dtype=np.intp) for layer in layers]


def _inverted(blocks: Array) -> Array:
    """Invert a batch of symmetric blocks, never an exception."""
    try:
        return np.asarray(np.linalg.inv(blocks), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(np.nan_to_num(blocks)), dtype=np.float64)
