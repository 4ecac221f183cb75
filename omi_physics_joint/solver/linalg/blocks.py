# SPDX-License-Identifier: GPL-3.0-or-later
"""The same for large islands: bodies and joints are eliminated in rounds, block by block.

With accelerations a and forces l the rows are the saddle point

    [ 1  E^T ] [  a ]   [ f ]
    [ E  -C  ] [ -l ] = [ b ],    C = compliance + eps D

Bodies with few joints go first, all at once: their blocks are one, and what is left of their joints
is -C - E E^T. Then each round takes joints, and bodies with many joints ("hubs"), that are no
neighbours of one another and have the fewest neighbours left. So a chain takes log2(n) rounds, a
tree a few rounds a level, a star three, and nothing fills up. (Quasi-definite: there is a factor in
every order, Vanderbei 1995. Block cyclic reduction and nested dissection are the special cases of
chains and grids; George 1973, Heller 1976.) The proximal rounds are those of ``dense``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kinematics.rotation import Array
from .dense import AGAIN, inverted, little_of

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
FEW = 8
"""Joints of a body that is no hub."""


@dataclass(slots=True)
class _Sum:
    """Products that are added up: (k,) left and right factors, sorted by where they go."""

    left: Index
    right: Index
    first: Index
    """Where the products of each target begin."""
    target: Index


@dataclass(slots=True)
class _Round:
    """Nodes eliminated together.

    Attributes:
        own: (k,) nodes.
        slots: (l,) stored blocks (neighbour, own), transposed where ``flipped``.
        source: (l,) places in ``own``.
        towards: (l,) the neighbours, and ``pushes`` what is added to each of them.
        heads, first: those of ``own`` that have neighbours left, and where each one's links begin.
        updates: of blocks between neighbours.
    """

    own: Index
    slots: Index
    flipped: Mask
    source: Index
    towards: Index
    pushes: _Sum
    heads: Index
    first: Index
    updates: _Sum


@dataclass(slots=True)
class BlockFactor:
    """What elimination leaves at (L, S) moments: per round inverse pivots, and links."""

    rows: BlockRows
    entries: Array
    little: Array | None
    on: Array
    pivots: list[Array]
    links: list[Array]

    def solve(self, force: Array | None, rhs: Array, rounds: int) -> tuple[Array, Array]:
        """Return a (L, S, 6 n) and l (L, S, r), after some further proximal rounds."""
        rows = self.rows
        right = rows.spread(rhs) * self.on
        hubs: Array | None = None
        if force is not None:
            right = right - rows.pull_parts(self.entries, force * rows.plain)
            hubs = force.reshape(*force.shape[:2], -1, 6)[:, :, rows.hubs]
        out = self._solved(right, hubs)
        if self.little is not None:
            for _ in range(rounds):
                out = self._solved(right + self.little * out, hubs)
        out *= self.on
        change = rows.push_parts(self.entries, out)
        if force is not None:
            change += force
        return change, rows.gathered(out)

    def least(self, force: Array) -> Array:
        """Return forces (L, S, r) of least norm that move bodies as those do."""
        if self.little is None:
            return force
        rows = self.rows
        out = rows.spread(force) * self.on
        for _ in range(AGAIN):
            out = out - self._solved(self.little * out, None) * self.on
        return rows.gathered(out)

    def _solved(self, right: Array, hubs: Array | None) -> Array:
        """Return forces of rows (L, S, m, s)."""
        rows = self.rows
        lead, m, s = right.shape[:2], rows.joints, rows.width
        count = lead[0] * lead[1]
        x = np.zeros((rows.nodes, count, rows.size, 1))
        x[:m, :, :s, 0] = right.reshape(count, m, s).transpose(1, 0, 2)
        if hubs is not None and len(rows.hubs):
            x[m:, :, :, 0] = hubs.reshape(count, -1, 6).transpose(1, 0, 2)
        for step, link in zip(rows.rounds, self.links, strict=True):
            if len(step.source):
                moved = link @ x.take(step.own[step.source], 0)
                _subtract(x, step.pushes, moved.take(step.pushes.left, 0))
        for step, pivot, link in zip(
            reversed(rows.rounds), reversed(self.pivots), reversed(self.links), strict=True
        ):
            own = pivot @ x.take(step.own, 0)
            if len(step.source):
                moved = link.swapaxes(-1, -2) @ x.take(step.towards, 0)
                own[step.heads] -= np.add.reduceat(moved, step.first, 0)
            x[step.own] = own
        out = -x[:m, :, :s, 0].transpose(1, 0, 2)
        return np.asarray(out.reshape(*lead, m, s))


def _subtract(blocks: Array, sums: _Sum, products: Array) -> None:
    """Take products, in the order of their targets, off blocks."""
    if len(sums.target) == len(products):
        blocks[sums.target] -= products
    else:
        blocks[sums.target] -= np.add.reduceat(products, sums.first, 0)


class BlockRows:
    """Puts together and eliminates the rows of one shape of island."""

    def __init__(self, bodies: int, ends: Index, joint: Index, slots: Index, none: int) -> None:
        """Lay out blocks and the order of elimination; arguments as of ``DenseRows``."""
        self.bodies, self.joints = bodies, len(ends)
        m = self.joints
        number = np.arange(len(slots)) - np.searchsorted(joint, joint)
        s = self.width = int(number.max(initial=0)) + 1
        self.place: Index = joint * s + number
        self.of_place = np.full(m * s, len(slots))
        self.of_place[self.place] = np.arange(len(slots))
        index = np.full((m, s, 2, 6), 12 * none)
        for side in (0, 1):
            dynamic = ends[joint, side] < bodies
            at = (12 * slots + 6 * side)[:, None] + np.arange(6)
            index[joint[dynamic], number[dynamic], side] = at[dynamic]
        self.index = index.reshape(m, s, 12)
        self.local = np.minimum(ends, bodies)
        self._gathering()
        degree = np.bincount(self.local.ravel(), minlength=bodies + 1)[:bodies]
        self.hubs: Index = np.flatnonzero(degree > FEW)
        self.plain = np.repeat((degree <= FEW).astype(np.float64), 6)
        self.size = 6 if len(self.hubs) else s
        self.nodes = m + len(self.hubs)
        self.pair: dict[tuple[int, int], int] = {(b, b): b for b in range(self.nodes)}
        self._assembling()
        self.rounds = self._plan()
        self.stored = len(self.pair)

    def _gathering(self) -> None:
        """Order the joints' ends by body, so that sums over a body are one reduceat."""
        flat = self.local.ravel()
        order = np.argsort(flat, kind="stable")
        self.by_body: Index = order[: int((flat < self.bodies).sum())]
        self.touched, self.first_of_body = np.unique(flat[self.by_body], return_index=True)

    def _assembling(self) -> None:
        """Number the blocks, and note which products of ends go where."""
        at_body: dict[int, list[int]] = {}
        for end, body in enumerate(self.local.ravel().tolist()):
            if body < self.bodies:
                at_body.setdefault(body, []).append(end)
        number = {int(body): self.joints + i for i, body in enumerate(self.hubs)}
        products: list[tuple[int, int, int]] = []
        direct: list[tuple[int, int]] = []
        for body, members in at_body.items():
            if body in number:
                for end in members:
                    key = number[body], end // 2
                    direct.append((self.pair.setdefault(key, len(self.pair)), end))
                continue
            for i, first in enumerate(members):
                for second in members[: i + 1]:
                    high, low = max(first, second), min(first, second)
                    key = high // 2, low // 2
                    products.append((self.pair.setdefault(key, len(self.pair)), high, low))
        self.products = _sum(products)
        self.direct = np.array(direct, dtype=np.intp).reshape(-1, 2)

    def _plan(self) -> list[_Round]:
        """Choose rounds of independent nodes with few neighbours, and note their fill."""
        links: list[set[int]] = [set() for _ in range(self.nodes)]
        for a, b in self.pair:
            if a != b:
                links[a].add(b)
                links[b].add(a)
        waits = self._waiting()
        left = set(range(self.nodes))
        rounds: list[_Round] = []
        while left:
            ready = [b for b in left if b not in waits] or list(left)
            fewest = min(len(links[b]) for b in ready)
            taken: list[int] = []
            blocked: set[int] = set()
            for b in sorted(ready, key=lambda b: (len(links[b]), b)):
                if b not in blocked and len(links[b]) <= max(2, fewest):
                    taken.append(b)
                    blocked |= links[b]
            rounds.append(self._round(taken, links))
            left -= set(taken)
            for b in taken:
                near = links[b]
                if b >= self.joints:
                    waits -= near
                for c in near:
                    links[c] |= near
                    links[c] -= {b, c}
        return rounds

    def _waiting(self) -> set[int]:
        """Return joints that have no pivot before a hub at them is gone.

        Until then it is like the ground: what hangs between two grounds has too many rows.
        """
        hubs = set(self.hubs.tolist())
        part = list(range(self.bodies))  # the lowest body of those that plain bodies connect

        def root(body: int) -> int:
            while part[body] != body:
                body = part[body]
            return body

        ground = hubs | {self.bodies}
        ends = self.local.tolist()
        for a, b in ends:
            if a not in ground and b not in ground:
                high, low = sorted((root(a), root(b)), reverse=True)
                part[high] = low
        grounded: Counter[int] = Counter()
        for two in ends:
            if len(ground.intersection(two)) == 1:
                grounded[root(next(body for body in two if body not in ground))] += 1
        return {
            joint
            for joint, two in enumerate(ends)
            if hubs.intersection(two)
            and not any(body not in ground and grounded[root(body)] < 2 for body in two)
        }

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
                slots.append(self.pair[max(own, other), min(own, other)])
                flipped.append(own > other)  # stored (own, other): its transpose is wanted
                source.append(number)
                towards.append(other)
            for i, a in enumerate(near):
                for j, b in enumerate(near[: i + 1]):
                    target = self.pair.setdefault((a, b), len(self.pair))
                    updates.append((target, first + i, first + j))
        heads, begins = np.unique(np.array(source, dtype=np.intp), return_index=True)
        return _Round(
            np.array(taken, dtype=np.intp),
            np.array(slots, dtype=np.intp),
            np.array(flipped, dtype=bool),
            np.array(source, dtype=np.intp),
            np.array(towards, dtype=np.intp),
            _sum([(t, i, i) for i, t in enumerate(towards)]),
            heads,
            begins,
            _sum(updates),
        )

    def entries(self, jacobian: Array) -> Array:
        """Return the Jacobian by joints (L, S, m, s, 12) of its parts, see ``Pose.jacobian``."""
        return np.asarray(jacobian.take(self.index, -1))

    def pull(self, entries: Array, velocity: Array) -> Array:
        """Return E u (L, S, r) of velocities (L, S, 6 n)."""
        return self.gathered(self.pull_parts(entries, velocity))

    def push(self, entries: Array, force: Array) -> Array:
        """Return E^T l (L, S, 6 n) of forces (L, S, r)."""
        return self.push_parts(entries, self.spread(force))

    def spread(self, rows: Array) -> Array:
        """Return rows (L, S, r) by joints (L, S, m, s), zero where there is none."""
        padded = np.concatenate([rows, np.zeros((*rows.shape[:-1], 1))], -1)
        return np.asarray(padded.take(self.of_place.reshape(self.joints, self.width), -1))

    def gathered(self, parts: Array) -> Array:
        """Return what is given by joints (L, S, m, s) as rows (L, S, r)."""
        return np.asarray(parts.reshape(*parts.shape[:2], -1).take(self.place, -1))

    def pull_parts(self, entries: Array, velocity: Array) -> Array:
        """Return E u by joints (L, S, m, s)."""
        lead = velocity.shape[:2]
        every = np.zeros((*lead, self.bodies + 1, 6))
        every[:, :, : self.bodies] = velocity.reshape(*lead, self.bodies, 6)
        ends = every.take(self.local, 2).reshape(*lead, self.joints, 12, 1)
        return np.asarray((entries @ ends)[..., 0])

    def push_parts(self, entries: Array, force: Array) -> Array:
        """Return E^T l (L, S, 6 n) of forces by joints (L, S, m, s)."""
        lead = force.shape[:2]
        parts = (force[..., None, :] @ entries).reshape(*lead, 2 * self.joints, 6)
        out = np.zeros((*lead, self.bodies, 6))
        sums = np.add.reduceat(parts.take(self.by_body, 2), self.first_of_body, 2)
        out[:, :, self.touched] = sums
        return out.reshape(*lead, 6 * self.bodies)

    def factor(
        self,
        entries: Array,
        active: Mask | None,
        compliance: Array | None,
        little: float | Array,
        *,
        evenly: bool = False,
    ) -> BlockFactor:
        """Eliminate; arguments as of ``DenseRows.factor``."""
        lead, m, s = entries.shape[:2], self.joints, self.width
        count = lead[0] * lead[1]
        if active is not None:
            entries = entries * self.spread(active[:, None].astype(np.float64))[..., None]
        squares = (entries * entries).sum(-1)
        on = (squares > 0.0).astype(np.float64)
        diagonal = np.where(on > 0.0, 0.0, 1.0)
        added = little_of(squares.reshape(*lead, m * s), little, evenly=evenly)
        if added is not None:
            added = added.reshape(*lead, m, s)
            diagonal += added
        if compliance is not None:
            diagonal += self.spread(compliance) * on
        blocks = np.zeros((self.stored, count, self.size, self.size))
        flat = entries.reshape(count, m, s, 2, 6).transpose(1, 3, 0, 2, 4)
        flat = flat.reshape(2 * m, count, s, 6)  # by ends
        products = flat.take(self.products.left, 0) @ flat.take(self.products.right, 0).swapaxes(
            -1, -2
        )
        _subtract(blocks[..., :s, :s], self.products, products)
        step = self.size + 1
        on_diagonal = blocks[:m].reshape(m, count, -1)[..., ::step]
        on_diagonal[..., :s] -= diagonal.reshape(count, m, s).transpose(1, 0, 2)
        on_diagonal[..., s:] = -1.0
        if len(self.hubs):
            blocks[m : self.nodes] = np.eye(6)
            blocks[self.direct[:, 0], :, :, :s] = flat.take(self.direct[:, 1], 0).swapaxes(-1, -2)
        return BlockFactor(self, entries, added, on, *self._eliminated(blocks))

    def _eliminated(self, blocks: Array) -> tuple[list[Array], list[Array]]:
        """Return inverse pivots and links of all rounds; blocks are lost."""
        pivots, links = [], []
        for step_ in self.rounds:
            pivot = inverted(blocks.take(step_.own, 0))
            pivots.append(pivot)
            side = blocks.take(step_.slots, 0)
            if step_.flipped.any():
                flip = step_.flipped[:, None, None, None]
                side = np.where(flip, side.swapaxes(-1, -2), side)
            link = side @ pivot.take(step_.source, 0)
            links.append(link)
            sums = step_.updates
            if len(sums.target):
                products = link.take(sums.left, 0) @ side.swapaxes(-1, -2).take(sums.right, 0)
                _subtract(blocks, sums, products)
        return pivots, links


def _sum(items: Sequence[tuple[int, int, int]]) -> _Sum:
    """Sort products (target, left, right) by where they go."""
    table = np.array(items, dtype=np.intp).reshape(-1, 3)
    table = table[np.argsort(table[:, 0], kind="stable")]
    target, first = np.unique(table[:, 0], return_index=True)
    return _Sum(table[:, 1], table[:, 2], first, target)
