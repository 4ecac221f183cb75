# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose nearest to a goal, over the joint values of a tree: loops closed, bounds kept.

A goal is a value, or a point at a place: half the square of its residual is made as small as it
can be.

Newton steps in the joint values, each within its bounds and along the closed loops, then the loops
are closed again. Where second derivatives help they are used: a target out of reach is then met as
fast as one in reach, and an arm that is straight at its goal knows that it can bend.

What counts as closed, still, there or rounding, the weight of gaps, and more rounds, tries,
closings or kicks say when a search stops: with ten times or a tenth tests find the same poses.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..solver.kinematics.rotation import Array, Mask, rotation_vector
from .spanning_tree import SpanningTree, TreeState, bend_of

REDUNDANT = 1e-5
"""Singular values of a loop below this part of the largest say nothing new."""
PIVOTS = 10
"""Rounds in which bounds are let go as well. With 5 58 of 100 random steps of 80 unknowns are not
the best, with 10 or 100 all are; more in loops only go in circles."""
Bounds = tuple[Array, Array]
"""(n,) how far each unknown may fall, none above 0, and rise, none below."""


def bounded_step(slope: Array, curvature: Array, rates: Array, gaps: Array, room: Bounds) -> Array:
    """Return the x with least slope . x + x . curvature . x / 2 and rates x = -gaps, within bounds.

    Bounds are taken in and let go by the signs of their forces, all at once (block pivoting), and
    if that goes in circles taken in only. The curvature (n, n) is positive definite, rates (k, n)
    may be redundant.
    """
    low, high = room
    at, side = np.zeros_like(slope), np.zeros_like(slope)
    held = high - low <= 0.0
    tolerance = 1e-12 * (1.0 + float(np.abs(slope).max(initial=0.0)))
    for turn in range(PIVOTS + len(slope)):
        x, force = _equality_step(slope, curvature, rates, gaps, held, at)
        under, over = ~held & (x < low), ~held & (x > high)
        letting = held & (side * force < -tolerance) & (turn < PIVOTS)
        if not (under | over | letting).any():
            break
        held = (held | under | over) & ~letting
        side = np.where(under, 1.0, np.where(over, -1.0, np.where(letting, 0.0, side)))
        at = np.where(under, low, np.where(over, high, np.where(letting, 0.0, at)))
    return np.clip(x, low, high)


def _equality_step(
    slope: Array, curvature: Array, rates: Array, gaps: Array, held: Mask, at: Array
) -> tuple[Array, Array]:
    """Return the step with some unknowns held, and the slope that is left at those."""
    free = np.flatnonzero(~held)
    x = np.where(held, at, 0.0)
    inner = curvature[np.ix_(free, free)] if len(free) < len(x) else curvature
    if not len(rates):
        x[free] = np.linalg.solve(inner, -(slope + curvature @ x)[free])
        return x, slope + curvature @ x
    left, sizes, across, along = ranges(rates[:, free])
    inverse = across @ (left / sizes).T
    x[free] = -inverse @ (gaps + rates @ x)
    x[free] -= along @ np.linalg.solve(
        along.T @ inner @ along, along.T @ (slope + curvature @ x)[free]
    )
    rest = slope + curvature @ x
    return x, rest - rates.T @ (inverse.T @ rest[free])


def ranges(rows: Array) -> tuple[Array, Array, Array, Array]:
    """Return what rows say as left, sizes and right, and a basis of what they do not see."""
    left, sizes, right = np.linalg.svd(rows)
    rank = int((sizes > REDUNDANT * sizes.max(initial=1e-30)).sum())
    return left[:, :rank], sizes[:rank], right[:rank].T, right[rank:].T


def pressed(slope: Array, room: Bounds) -> Mask:
    """Return which unknowns a slope presses on the bounds at which they are."""
    low, high = room
    return np.asarray(((low >= 0.0) & (slope > 0.0)) | ((high <= 0.0) & (slope < 0.0)))


def leave_out(full: Array, plain: Array, which: Mask) -> None:
    """Take unknowns that will not move out of a curvature, lest they spoil it for the others."""
    full[which] = 0.0
    full[:, which] = 0.0
    full[which, which] = plain[which, which]


def is_positive(matrix: Array) -> bool:
    """Whether a symmetric matrix is positive definite."""
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class ValueGoal:
    """One unknown at a value."""

    unknown: int
    value: float

    def residual(self, tree: SpanningTree) -> Array:
        """Return how far off it is: (1,), m."""
        now = tree.values[tree.link_of[self.unknown], tree.coordinate[self.unknown]]
        return np.array([(now - self.value) * tree.scale[self.unknown]])

    def derivatives(self, tree: SpanningTree, residual: Array) -> tuple[Array, Array]:
        """Return that of the residual, (1, n), and the second one, (n, n), which is zero."""
        return np.eye(len(tree))[[self.unknown]], np.zeros((len(tree), len(tree)))


@dataclass(frozen=True, slots=True)
class PointGoal:
    """A point of a body at a place, and maybe its turn as well."""

    slot: int
    point: Array
    """(3,) in the frame of the body."""
    place: Array
    """(3,) in the world."""
    turn: Array | None = None
    """(3, 3) world from body."""

    def off(self, tree: SpanningTree) -> Array:
        """Return the way from the place to the point: (3,), m."""
        world = tree.world[self.slot]
        return np.asarray(world[:3, :3] @ self.point + world[:3, 3] - self.place)

    def residual(self, tree: SpanningTree) -> Array:
        """Return how far off it is: (3,), or with the turn (6,), m."""
        off = self.off(tree)
        if self.turn is None:
            return off
        turned = tree.world[self.slot, :3, :3] @ self.turn.T
        return np.concatenate([off, tree.size * rotation_vector(turned[None])[0]])

    def derivatives(self, tree: SpanningTree, residual: Array) -> tuple[Array, Array]:
        """Return that of the residual, and the residual times the second one of the point."""
        spin, velocity = rates = tree.rates(self.slot, residual[:3] + self.place)
        rows = velocity if self.turn is None else np.concatenate([velocity, tree.size * spin], 1)
        return rows.T, bend_of(rates, residual[:3])


Goal = ValueGoal | PointGoal


CLOSED = 1e-11
"""Gap of a loop, as a part of the island's size, at which there is nothing left to close."""
LARGEST_TURN = 0.3
"""rad, or m by size, that one step may change: larger ones may land in another assembly."""
ROUNDS = 60
TRIES = 80
"""Steps that one search may try: tangles that fit nowhere must not keep a user waiting."""
CLOSINGS = 10
"""Rounds in which loops are closed after each of them."""
FIRM, FIRST, WEAK = 1e3, 1e-5, 1e-7
"""Damping at which a search gives up, with which it begins, and below which it does not go."""
STILL = 1e-13
"""Step, as a part of the size, that changes nothing."""
THERE = 1e-10
"""Part of the size by which a goal may be missed; a step that gains less is none."""
ROUNDING = 1e-14
"""Part of the cost that a step must be able to gain."""
GAP_WEIGHT = 100.0
MOST_KICKS = 4
KICKS = (0.05, 0.3, 0.005)
"""rad by which a search leaves a saddle."""


def shortened(tree: SpanningTree, step: Array) -> Array:
    """Return a step that is not too long to be trusted."""
    length, most = float(np.abs(step).max(initial=0.0)), LARGEST_TURN * tree.size
    return step if length <= most else step * (most / length)


def close(tree: SpanningTree, hold: int | None = None, rounds: int = ROUNDS) -> float:
    """Close the loops with the least change of joint values; return the gap that is left, m.

    The unknown ``hold`` does not change.
    """
    if not len(tree.copies) and not len(tree.together):
        return 0.0
    metric, none, slow = np.eye(len(tree)), np.zeros(len(tree)), 0
    gaps = tree.gaps()
    size = float(np.abs(gaps).max())
    for _ in range(rounds):
        if size <= CLOSED * tree.size or slow > 4:
            break
        room = tree.room()
        if hold is not None:
            room[0][hold] = room[1][hold] = 0.0
        step = shortened(tree, bounded_step(none, metric, tree.gap_rates(), gaps, room))
        before = tree.state()
        for _ in range(6):
            tree.move(step)
            new = tree.gaps()
            if float(new @ new) < float(gaps @ gaps):
                break
            tree.take(before)
            step = 0.5 * step
        else:
            break
        gaps, old = new, size
        size = float(np.abs(gaps).max())
        slow = slow + 1 if size > 0.7 * old else 0
    return size


class Descent:
    """One descent to a goal; the tree is left at the best pose that was found."""

    def __init__(self, tree: SpanningTree, goal: Goal) -> None:
        self.tree, self.goal = tree, goal
        self.damping = FIRST
        self.kicks = self.tries = 0

    def run(self) -> float:
        """Search until nothing comes nearer; return the gap of loops that is left, m."""
        tree = self.tree
        close(tree)
        cost: float | None = self.cost()
        for _ in range(ROUNDS):
            residual = self.goal.residual(tree)
            if cost is None or float(residual @ residual) <= (THERE * tree.size) ** 2:
                break
            slopes, bend = self.goal.derivatives(tree, residual)
            slope, plain = slopes.T @ residual, slopes.T @ slopes
            better = self.step(slope, plain, plain + bend, cost)
            cost = self.leave_saddle(slope, plain + bend, cost) if better is None else better
        return close(tree)

    def cost(self) -> float:
        """Return what is to become small: m^2."""
        residual, gaps = self.goal.residual(self.tree), self.tree.gaps()
        return float(0.5 * (residual @ residual) + GAP_WEIGHT * (gaps @ gaps))

    def step(self, slope: Array, plain: Array, full: Array, cost: float) -> float | None:
        """Make one step; return the new cost, or None where none makes it smaller.

        Of the cost's curvature ``plain`` is what is positive for sure; ``full`` is changed.
        """
        tree = self.tree
        rates, gaps, room, before = tree.gap_rates(), tree.gaps(), tree.room(), tree.state()
        leave_out(full, plain, pressed(slope, room))
        least = max(ROUNDING * cost, (THERE * tree.size) ** 2)
        while self.damping < FIRM and self.tries < TRIES:
            damped = self.damping * np.eye(len(tree))
            curvature = full + damped if is_positive(full + damped) else plain + damped
            step = shortened(tree, bounded_step(slope, curvature, rates, gaps, room))
            if np.abs(step).max(initial=0.0) <= STILL * tree.size:
                return None
            if not len(gaps) and -float(slope @ step + 0.5 * (step @ curvature @ step)) <= least:
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
        self.damping = FIRST
        return None

    def leave_saddle(self, slope: Array, full: Array, cost: float) -> float | None:
        """Where nothing pulls, look for a way to bend that comes nearer; see ``step``."""
        tree, rates = self.tree, self.tree.gap_rates()
        self.kicks += 1
        if self.kicks > MOST_KICKS:
            return None
        along = ranges(rates)[3]
        full = full + self._bend_of_loops(rates, slope)
        values, vectors = np.linalg.eigh(along.T @ full @ along)
        if not len(values) or values[0] >= -1e-9 * max(1.0, float(np.abs(values).max())):
            return None
        way = along @ vectors[:, 0]
        # Of both signs always the same one, whatever LAPACK returns.
        return self._try_ways(way * (tree.size / way[np.abs(way).argmax()]), cost)

    def _try_ways(self, way: Array, cost: float) -> float | None:
        """Go a little along a direction, either way, where that makes the cost smaller."""
        tree, before = self.tree, self.tree.state()
        low, high = tree.room()
        best: tuple[float, TreeState] | None = None
        for length in KICKS:
            for signed in (length, -length):
                tree.take(before)
                tree.move(np.clip(signed * way, low, high))
                close(tree, rounds=CLOSINGS)
                new = self.cost()
                if new < cost * (1.0 - 1e-9) and (best is None or new < best[0] * (1.0 - 1e-6)):
                    best = (new, tree.state())
            if best is not None:
                tree.take(best[1])
                return best[0]
        tree.take(before)
        return None

    def _bend_of_loops(self, rates: Array, slope: Array) -> Array:
        """Return what closed loops add to the curvature: their forces times how they bend."""
        tree = self.tree
        total = np.zeros((len(tree), len(tree)))
        if not len(rates):
            return total
        forces = np.asarray(np.linalg.lstsq(rates.T, -slope, rcond=REDUNDANT)[0], np.float64)
        loops = 6 * len(tree.copies)
        for number, force in enumerate(forces[:loops].reshape(-1, 6)[:, :3]):
            for slots, sign in ((tree.copies, 1.0), (tree.originals, -1.0)):
                place = tree.world[slots[number], :3, 3]
                total += bend_of(tree.rates(slots[number], place), sign * force)
        return total
