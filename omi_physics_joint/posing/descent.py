# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose nearest to a goal, over the joint values of a tree: loops closed, bounds kept.

Newton steps in the joint values, each within its bounds and along the closed loops, then the loops
are closed again. Where second derivatives help they are used: a target out of reach is then met as
fast as one in reach, and an arm that is straight at its goal knows that it can bend.
"""

from __future__ import annotations

import numpy as np

from ..solver.rotation import Array
from .bounded_steps import REDUNDANT, bounded_step, is_positive, leave_out, null_space, pressed
from .goals import Goal, bend_of_point
from .spanning_tree import Shape, Tree

CLOSED = 1e-11
"""Gap of a loop, as a part of the island's size, at which there is nothing left to close."""
LARGEST_TURN = 0.3
"""rad, or m by size, that one step may change: larger ones may land in another assembly."""
ROUNDS = 60
TRIES = 80
"""Steps that one search may try: tangles that fit nowhere must not keep a hand waiting."""
CLOSINGS = 10
"""Rounds in which loops are closed after each of them."""
FIRM, WEAK = 1e3, 1e-7
"""Damping at which a search gives up, and below which it does not go."""
STILL = 1e-13
"""Step, as a part of the size, that changes nothing."""
THERE = 1e-10
"""Part of the size by which a goal may be missed; a step that gains less is none."""
ROUNDING = 1e-14
"""Part of the cost that a step must be able to gain."""
GAP_WEIGHT = 100.0
KICKS = (0.05, 0.3, 0.005)
"""rad by which a search leaves a saddle."""


def shortened(tree: Tree, step: Array) -> Array:
    """Return a step that is not too long to be trusted."""
    length = float((np.abs(step) * np.where(tree.angular, 1.0, 1.0 / tree.size)).max(initial=0.0))
    return step if length <= LARGEST_TURN else step * (LARGEST_TURN / length)


def close(tree: Tree, hold: int | None = None, rounds: int = ROUNDS) -> float:
    """Close the loops with the least change of joint values; return the gap that is left, m.

    Args:
        tree: is moved.
        hold: an unknown that must not change.
        rounds: how often to try.
    """
    if not len(tree.copies):
        return 0.0
    metric = np.diag(tree.metric)
    gaps = tree.gaps()
    size, slow = float(np.abs(gaps).max()), 0
    for _ in range(rounds):
        if size <= CLOSED * tree.size or slow > 4:
            break
        rates = tree.gap_rates(*tree.twists())
        low, high = tree.room()
        if hold is not None:
            low[hold] = high[hold] = 0.0
        none = np.zeros(len(tree))
        step = shortened(tree, bounded_step(none, metric, rates, gaps, (low, high)))
        before, norm = tree.shape(), float(gaps @ gaps)
        for _ in range(6):
            tree.move(step)
            gaps = tree.gaps()
            if float(gaps @ gaps) < norm:
                break
            tree.take(before)
            step = 0.5 * step
        else:
            break
        new = float(np.abs(gaps).max())
        slow = slow + 1 if new > 0.7 * size else 0
        size = new
    return float(np.abs(tree.gaps()).max())


class Search:
    """One descent to a goal; the tree is left at the best pose that was found."""

    def __init__(self, tree: Tree, goal: Goal) -> None:
        self.tree = tree
        self.goal = goal
        self.damping = 1e-5
        self.kicks = 0
        self.tries = 0

    def run(self) -> None:
        """Search until nothing comes nearer."""
        close(self.tree)
        cost = self.cost()
        for _ in range(ROUNDS):
            residual = self.goal.residual(self.tree)
            if float(residual @ residual) <= (THERE * self.tree.size) ** 2:
                break
            better = self.step(residual, cost)
            if better is None:
                better = self.leave_saddle(residual, cost)
            if better is None:
                break
            cost = better

    def cost(self) -> float:
        """Return what is to become small: m^2."""
        residual, gaps = self.goal.residual(self.tree), self.tree.gaps()
        return float(0.5 * (residual @ residual) + GAP_WEIGHT * (gaps @ gaps))

    def step(self, residual: Array, cost: float) -> float | None:
        """Make one step; return the new cost, or None where none makes it smaller."""
        tree = self.tree
        twists = tree.twists()
        rates, gaps = tree.gap_rates(*twists), tree.gaps()
        slopes = self.goal.slope(tree, *twists)
        slope, plain = slopes.T @ residual, slopes.T @ slopes
        full = plain + self.goal.bend(tree, *twists, residual)
        metric, room, before = tree.metric, tree.room(), tree.shape()
        leave_out(full, plain, pressed(slope, room))
        while self.damping < FIRM and self.tries < TRIES:
            damped = np.diag(self.damping * metric)
            curvature = full + damped if is_positive(full + damped) else plain + damped
            step = bounded_step(slope, curvature, rates, gaps, room)
            step = shortened(tree, step)
            if float((np.abs(step) * np.sqrt(metric)).max(initial=0.0)) <= STILL * tree.size:
                return None
            hope = -float(slope @ step + 0.5 * (step @ curvature @ step))
            least = max(ROUNDING * cost, (THERE * tree.size) ** 2)
            if not len(gaps) and hope <= least:
                return None
            self.tries += 1
            tree.move(step)
            close(tree, rounds=CLOSINGS)
            new = self.cost()
            if new < cost * (1.0 - 1e-12):
                self.damping = max(self.damping * 0.1, WEAK)
                return new
            tree.take(before)
            self.damping *= 10.0
        self.damping = 1e-5
        return None

    def leave_saddle(self, residual: Array, cost: float) -> float | None:
        """Where nothing pulls, look for a way to bend that comes nearer; see ``step``."""
        tree = self.tree
        self.kicks += 1
        if self.kicks > 4:
            return None
        twists = tree.twists()
        slopes = self.goal.slope(tree, *twists)
        full = slopes.T @ slopes + self.goal.bend(tree, *twists, residual)
        full = full + self._bend_of_loops(twists, slopes.T @ residual)
        root = 1.0 / np.sqrt(tree.metric)
        full = full * root[:, None] * root[None, :]
        along = null_space(tree.gap_rates(*twists) * root[None, :])
        values, vectors = np.linalg.eigh(along.T @ full @ along)
        if not len(values) or values[0] >= -1e-9 * max(1.0, float(np.abs(values).max())):
            return None
        way = (along @ vectors[:, 0]) * root
        way = way / float(np.abs(way * np.where(tree.angular, 1.0, 1.0 / tree.size)).max())
        return self._try_ways(way * _sign(way), cost)

    def _try_ways(self, way: Array, cost: float) -> float | None:
        """Go a little along a direction, either way, where that makes the cost smaller."""
        tree, before = self.tree, self.tree.shape()
        low, high = tree.room()
        best: tuple[float, Shape] | None = None
        for length in KICKS:
            for sign in (1.0, -1.0):
                tree.take(before)
                tree.move(np.clip(sign * length * way, low, high))
                close(tree, rounds=CLOSINGS)
                new = self.cost()
                if new < cost * (1.0 - 1e-9) and (best is None or new < best[0] * (1.0 - 1e-6)):
                    best = (new, tree.shape())
            if best is not None:
                tree.take(best[1])
                return best[0]
        tree.take(before)
        return None

    def _bend_of_loops(self, twists: tuple[Array, Array], slope: Array) -> Array:
        """Return what closed loops add to the curvature: their forces times how they bend."""
        tree = self.tree
        total = np.zeros((len(tree), len(tree)))
        if not len(tree.copies):
            return total
        rates = tree.gap_rates(*twists)
        forces = np.linalg.lstsq(rates.T, -slope, rcond=REDUNDANT)[0].reshape(-1, 6)
        for copy, original, force in zip(tree.copies, tree.originals, forces, strict=True):
            for slot, sign in ((copy, 1.0), (original, -1.0)):
                place = tree.world[slot, :3, 3]
                total += bend_of_point(
                    tree, int(slot), place, np.asarray(sign * force[:3], dtype=np.float64), twists
                )
        return total


def _sign(way: Array) -> float:
    """Return the sign that makes a direction the same from call to call."""
    return 1.0 if way[int(np.abs(way).argmax())] >= 0.0 else -1.0
